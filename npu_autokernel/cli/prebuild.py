"""`npu-autokernel prebuild MODULE:FACTORY`: fill the store before anything runs.

First the model is compiled and called in mode `cached`, which finds the regions that miss; then
their kernels are written and proven side by side, one worker process per core.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from npu_autokernel.cli.explain import compile_and_listen
from npu_autokernel.cli.factory import load_workloads
from npu_autokernel.cli.printing import format_latency
from npu_autokernel.cli.regions import format_ops
from npu_autokernel.cli.store_access import find_store_folder, store_option
from npu_autokernel.settings import Settings, load_settings
from npu_autokernel.torch_backend.region_report import GraphReport, RegionReport

if TYPE_CHECKING:
    from npu_autokernel.cache import KernelRecord
    from npu_autokernel.reasons import Refusal


@dataclass(frozen=True)
class Outcome:
    """What became of one miss: a kernel, or why there is none."""

    region: RegionReport
    result: KernelRecord | Refusal


@click.command()
@click.argument("factory", metavar="MODULE:FACTORY")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="How many worker processes write and prove kernels.",
)
@store_option
def command(factory: str, workers: int, folder: Path | None) -> None:
    """Write and prove a kernel for every region of a model that the store does not have yet.

    FACTORY is a function of no arguments that returns (callable, args[, kwargs]) or an iterable of
    those. Exit code 1 if a region stays without a kernel.
    """
    options = {"mode": "cached", "store": str(find_store_folder(folder))}
    reports = [
        report
        for workload in load_workloads(factory)
        for report in compile_and_listen(workload, options)
    ]
    misses = list_misses(reports)
    regions = sum(len(report.regions) for report in reports)
    click.echo(f"{regions} regions, {len(misses)} kernels to write, {options['store']}")
    settings = load_settings({"store": options["store"], "workers": workers})
    failed = sum(print_outcome(item) for item in show_progress(misses, settings))
    if failed:
        raise click.ClickException(f"{failed} of {len(misses)} regions stay in eager.")


def list_misses(reports: Iterable[GraphReport]) -> list[RegionReport]:
    """The regions that missed, one per key and tuning bucket."""
    misses = {
        (region.key, region.bucket): region
        for report in reports
        for region in report.regions
        if is_miss(region)
    }
    return list(misses.values())


def is_miss(region: RegionReport) -> bool:
    """Whether a kernel is missing: none was tried yet, or synthesis failed before (try again)."""
    if region.task is None or region.refusal is None:
        return False
    code = region.refusal.code
    return code in ("region.miss", "region.budget") or not code.startswith("region.")


def show_progress(misses: list[RegionReport], settings: Settings) -> Iterator[Outcome]:
    """The outcomes as they come in, with a bar below them on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("Writing kernels", total=len(misses))
        for outcome in synthesise_all(misses, settings):
            progress.advance(bar)
            yield outcome


def synthesise_all(misses: list[RegionReport], settings: Settings) -> Iterator[Outcome]:
    """Write and prove a kernel for each miss, `settings.workers` at a time."""
    from npu_autokernel.torch_backend.session import get_session
    from npu_autokernel.torch_backend.synthesis import synthesise_kernel

    session = get_session(settings)

    def synthesise(region: RegionReport) -> Outcome:
        assert region.task is not None
        key = session.make_key(region.task)
        return Outcome(region, synthesise_kernel(session, region.task, key, settings))

    with ThreadPoolExecutor(settings.workers) as threads:
        for future in as_completed([threads.submit(synthesise, region) for region in misses]):
            yield future.result()


def print_outcome(outcome: Outcome) -> bool:
    """One line for a kernel that was written or that failed; tells whether it failed."""
    from npu_autokernel.reasons import Refusal

    ops = format_ops(outcome.region.ops)
    result = outcome.result
    if isinstance(result, Refusal):
        click.echo(f"failed   {ops}: {result.message} [{result.code}]")
        return True
    expert_us = result.measurement["expert_eager"]["with_launch_us"]
    latency = format_latency(result.measurement)
    click.echo(f"written  {ops}: {latency}, expert eager {expert_us:.1f} us")
    return False
