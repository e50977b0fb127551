"""`npu-autokernel demo`: MiniLM with real weights through our kernels, then again from the store.

In order: embed a few sentences in eager, in float32 and float64; embed them through torch.compile
with this backend, which writes and proves a kernel for each region that the store does not have;
print where each kernel came from and how fast the clock says it is; compare the vectors; do it
again in a second process.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from npu_autokernel.cli.printing import print_table
from npu_autokernel.cli.store_access import find_store_folder, store_option

if TYPE_CHECKING:
    from npu_autokernel.torch_backend.region_report import GraphReport, RegionReport

AGREEMENT_LIMIT = 2e-6


@dataclass(frozen=True)
class Agreement:
    """Largest absolute differences between unit vectors: kernels, eager, and float64 as the truth."""

    from_eager: float
    kernels_from_float64: float
    eager_from_float64: float

    @property
    def is_ok(self) -> bool:
        return self.from_eager <= AGREEMENT_LIMIT


@dataclass(frozen=True)
class DemoRun:
    """One pass: the graphs' reports, seconds until the first result, how the results agree."""

    reports: tuple[GraphReport, ...]
    first_result_s: float
    agreement: Agreement

    @property
    def regions(self) -> tuple[RegionReport, ...]:
        return tuple(region for report in self.reports for region in report.regions)


@click.command()
@click.option("--second", is_flag=True, hidden=True, help="The pass in the second process.")
@store_option
def command(folder: Path | None, second: bool) -> None:
    """Embed sentences with MiniLM through kernels that are written and proven on the spot.

    Kernels go to your store, so the next demo, and every other process, starts from them.
    """
    store = find_store_folder(folder)
    if not second:
        click.echo("MiniLM (real weights, float32, policy `all`) embeds six sentences.")
        click.echo(f"Kernels come from and go to the store {store}.\n")
    run = run_demo(store)
    print_second(run) if second else print_first(run)
    check_run(run)
    if not second:
        click.echo("\nThe same in a second process:", nl=True)
        command_line = [sys.executable, "-m", "npu_autokernel", "demo", "--second"]
        done = subprocess.run([*command_line, "--store", str(store)])
        if done.returncode:
            raise click.ClickException("the second process failed.")


def run_demo(store: Path) -> DemoRun:
    """Embed in eager, in float64 and through kernels; raises ClickException without the weights."""
    import torch

    from npu_autokernel.examples.minilm import load_embedder, tokenize_sentences
    from npu_autokernel.torch_backend.entry import npu_autokernel
    from npu_autokernel.torch_backend.region_report import listen_to_reports

    try:
        embedder, tokens = load_embedder().requires_grad_(False), tokenize_sentences()
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    eager = embedder(*tokens)
    options: dict[str, Any] = {"policy": "all", "mode": "sync", "store": str(store)}
    compiled = torch.compile(embedder, backend=npu_autokernel, options=options)
    started = time.perf_counter()
    with listen_to_reports() as reports:
        vectors = compiled(*tokens)
    first_result_s = time.perf_counter() - started
    truth = embedder.double()(*tokens)
    agreement = Agreement(
        from_eager=(vectors - eager).abs().max().item(),
        kernels_from_float64=(vectors - truth).abs().max().item(),
        eager_from_float64=(eager - truth).abs().max().item(),
    )
    return DemoRun(tuple(reports), first_result_s, agreement)


def print_first(run: DemoRun) -> None:
    from npu_autokernel.cli.regions import list_eager_lines, list_provenance, list_refusal_lines

    print_table(
        ("count>", "kernel", "estimate>", "expert eager>", "roofline>", "ops"), list_rows(run)
    )
    for line in list_refusal_lines(run.regions):
        click.echo(line)
    for line in list_totals(run.regions, list_provenance(run.reports)):
        click.echo(line)
    click.echo("In eager:")
    for report in run.reports:
        for line in list_eager_lines(report.eager_ops):
            click.echo(f"  {line}")
    print_second(run)


def print_second(run: DemoRun) -> None:
    agreement = run.agreement
    click.echo(f"{count_origins(run.regions)}; first result after {run.first_result_s:.1f} s.")
    click.echo(
        f"Kernels differ from eager by at most {agreement.from_eager:.1e} "
        f"(limit {AGREEMENT_LIMIT:.0e}); from float64, kernels by "
        f"{agreement.kernels_from_float64:.1e}, eager by {agreement.eager_from_float64:.1e}."
    )


def list_rows(run: DemoRun) -> Iterator[tuple[str, ...]]:
    """One row per kind of region: regions of one key, origin and list of ops are counted together."""
    from npu_autokernel.cli.regions import list_region_rows

    kinds: dict[tuple[object, ...], list[RegionReport]] = {}
    for region in run.regions:
        kinds.setdefault((region.key, region.origin == "eager", region.ops), []).append(region)
    for regions in kinds.values():
        (row,) = list_region_rows(regions[:1])
        yield str(len(regions)), *row[1:]


def count_origins(regions: Sequence[RegionReport]) -> str:
    """`59 regions, 16 different kernels: 43 written now, 16 from the store, 0 in eager`."""
    counts = Counter(region.origin for region in regions)
    kernels = {region.candidate_digest for region in regions if region.candidate_digest}
    return (
        f"{len(regions)} regions, {len(kernels)} different kernels: {counts['drafted']} regions "
        f"written now, {counts['store']} from the store, {counts['eager']} in eager"
    )


def list_totals(regions: Iterable[RegionReport], provenance: Sequence[str]) -> Iterator[str]:
    """Latencies added up over all regions with a kernel, with where they come from."""
    measured = [region.measurement for region in regions if region.measurement is not None]
    if not measured:
        return
    latency = sum(item.latency_us for item in measured)
    expert = sum(item.expert_eager.with_launch_us for item in measured)
    roofline = sum(item.roofline.with_launch_us for item in measured)
    yield (
        f"All kernels: {latency:.0f} us, expert eager {expert:.0f} us, roofline {roofline:.0f} us: "
        f"{', '.join(provenance)}, launch costs included."
    )


def check_run(run: DemoRun) -> None:
    """Raises ClickException if no region has a kernel or the vectors are off."""
    if all(region.origin == "eager" for region in run.regions):
        raise click.ClickException("no region has a kernel; run `npu-autokernel doctor`.")
    if not run.agreement.is_ok:
        raise click.ClickException("the kernels do not agree with eager; please report this.")
