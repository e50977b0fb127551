"""`npu-autokernel cache ls`: one line per stored kernel."""

from __future__ import annotations

from pathlib import Path

import click

from npu_autokernel.cache import KernelSummary
from npu_autokernel.cli.printing import (
    describe_task,
    format_age,
    format_latency,
    format_size,
    print_table,
    shorten_digest,
)
from npu_autokernel.cli.store_access import open_store, store_option

COLUMNS = ("key", "candidate", "task", "sizes (log2)", "state", "latency", "size>", "last used>")


@click.command()
@store_option
def command(folder: Path | None) -> None:
    """List the stored kernels, the most recently used first."""
    store = open_store(folder)
    kernels = store.list_kernels()
    if kernels:
        print_table(COLUMNS, map(format_row, kernels))
    stats = store.stats()
    click.echo(
        f"{len(kernels)} kernels, {stats.attempts} attempts, {stats.memory_items} memory items, "
        f"{format_size(stats.size_bytes)} in {stats.location}"
    )


def format_row(kernel: KernelSummary) -> tuple[str, ...]:
    return (
        shorten_digest(kernel.identity.proof_digest),
        shorten_digest(kernel.identity.candidate_digest),
        describe_task(kernel.proof_key["task"]),
        kernel.identity.bucket,
        kernel.state,
        format_latency(kernel.measurement),
        format_size(kernel.size_bytes),
        format_age(kernel.last_used_at),
    )
