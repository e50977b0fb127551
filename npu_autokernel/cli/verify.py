"""`npu-autokernel verify`: prove stored kernels again, on this machine, with this version.

What was imported becomes proven; what fails is deleted. Kernels of another chip or of other
compiler versions are left alone: no look-up finds them here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from npu_autokernel.cache import KernelRecord, KernelSummary, Store
from npu_autokernel.candidate import Candidate
from npu_autokernel.cli.printing import describe_task, format_latency, shorten_digest
from npu_autokernel.cli.store_access import find_kernels, open_store, store_option
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.toolchain.versions import read_versions

if TYPE_CHECKING:
    from npu_autokernel.verify.request import VerifyReply

LIMIT_S = 300.0


@dataclass(frozen=True)
class Outcome:
    """One kernel and what the verifier says of it now."""

    record: KernelRecord
    reply: VerifyReply


@click.command()
@click.argument("key", default="")
@click.option("--imported", is_flag=True, help="Only kernels that are not yet proven here.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="How many worker processes prove kernels.",
)
@store_option
def command(key: str, imported: bool, workers: int, folder: Path | None) -> None:
    """Prove stored kernels again, all or those whose key begins with KEY.

    A kernel that passes is proven, also if it was imported; one that fails is deleted. Exit code 1
    if one failed.
    """
    store = open_store(folder)
    kernels = find_kernels(store, key) if key else list(store.list_kernels())
    if imported:
        kernels = [kernel for kernel in kernels if kernel.state == "imported"]
    ours = [kernel for kernel in kernels if is_of_these_versions(kernel)]
    click.echo(f"{len(ours)} kernels to prove, {len(kernels) - len(ours)} of other versions.")
    outcomes = prove_all(read_records(store, ours), workers)
    failed = sum(not print_outcome(outcome) for outcome in keep_outcomes(outcomes, store))
    if failed:
        raise click.ClickException(f"{failed} failed and were deleted.")


def is_of_these_versions(kernel: KernelSummary) -> bool:
    versions: bool = kernel.proof_key["toolchain"] == dict(read_versions())
    return versions


def read_records(store: Store, kernels: list[KernelSummary]) -> Iterator[KernelRecord]:
    """The undamaged records of the listed kernels."""
    for kernel in kernels:
        for record in store.get_kernels(kernel.identity.proof_digest):
            if record.identity == kernel.identity:
                yield record


def rebuild_task(record: KernelRecord) -> KernelTask:
    """The task of a record, with the sizes the kernel was written for."""
    document = dict(record.proof_key["task"])
    del document["symbols"]
    document["hints"] = record.provenance["hints"]
    return KernelTask.from_json(document)


def prove_all(records: Iterator[KernelRecord], workers: int) -> Iterator[Outcome]:
    """Prove every record, `workers` at a time, in the order in which they end."""
    from npu_autokernel.verify.request import VerifyRequest
    from npu_autokernel.verify.worker import VerifierPool

    with VerifierPool(workers) as pool:
        waiting: dict[Future[VerifyReply], KernelRecord] = {}
        for record in records:
            task, candidate = rebuild_task(record), Candidate.from_json(record.candidate)
            soc = record.proof_key["soc"]
            request = VerifyRequest(task, candidate, "prove", soc, limit_s=LIMIT_S)
            waiting[pool.submit(request)] = record
        for future in as_completed(waiting):
            yield Outcome(waiting[future], future.result())


def keep_outcomes(outcomes: Iterator[Outcome], store: Store) -> Iterator[Outcome]:
    """Write each outcome to the store: the fresh proof and its artifacts, or nothing at all."""
    from npu_autokernel.targets.artifacts import pack_kernels

    for outcome in outcomes:
        record, reply = outcome.record, outcome.reply
        if reply.verdict.is_ok and reply.measurement is not None:
            proven = replace(
                record,
                state="proven",
                verdict=reply.verdict.to_json(),
                measurement=reply.measurement.to_json(),
                artifacts=pack_kernels(reply.kernels),
            )
            store.put_kernel(proven)
        else:
            store.delete_kernel(record.identity)
        yield outcome


def print_outcome(outcome: Outcome) -> bool:
    """One line per kernel; tells whether it passed."""
    key = shorten_digest(outcome.record.proof_digest)
    task = describe_task(outcome.record.proof_key["task"])
    verdict, measurement = outcome.reply.verdict, outcome.reply.measurement
    if verdict.is_ok and measurement is not None:
        click.echo(f"proven  {key} {task}: {format_latency(measurement.to_json())}")
        return True
    click.echo(f"FAILED  {key} {task}: {verdict.message} [{verdict.reason}]")
    evidence = dict(verdict.evidence)
    if "source_text" in evidence:
        click.echo(f"        line {evidence['source_line']}: {evidence['source_text']}")
    return False
