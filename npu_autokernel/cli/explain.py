"""`npu-autokernel explain MODULE:FACTORY`: which regions a model has, and why the rest is eager.

The model is compiled and called once in mode `cached`: the store is read, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from npu_autokernel.cache import Store
from npu_autokernel.cli.factory import Workload, load_workloads
from npu_autokernel.cli.printing import print_table, shorten_digest, shorten_text
from npu_autokernel.cli.regions import (
    REGION_COLUMNS,
    format_key,
    list_eager_lines,
    list_provenance,
    list_refusal_lines,
    list_region_rows,
)
from npu_autokernel.cli.store_access import find_store_folder, open_store, store_option
from npu_autokernel.torch_backend.region_report import GraphReport, RegionReport

NEAREST_KEYS = 1
SHOWN_DIFFERENCES = 5


@click.command()
@click.argument("factory", metavar="MODULE:FACTORY")
@store_option
def command(factory: str, folder: Path | None) -> None:
    """Show the regions of a model: hit or miss, and why each other op stays in eager.

    FACTORY is a function of no arguments that returns (callable, args[, kwargs]) or an iterable of
    those. Nothing is written or proven; `prebuild` does that.
    """
    options = {"mode": "cached", "store": str(find_store_folder(folder))}
    reports = [
        report
        for workload in load_workloads(factory)
        for report in compile_and_listen(workload, options)
    ]
    store = open_store(folder)
    for report in reports:
        print_graph(report, store)
    for provenance in list_provenance(reports):
        click.echo(f"Latencies: {provenance}, launch costs included.")


def compile_and_listen(workload: Workload, options: dict[str, Any]) -> list[GraphReport]:
    """Compile and call the workload once; every graph that was compiled on the way."""
    import torch

    from npu_autokernel.torch_backend.entry import npu_autokernel
    from npu_autokernel.torch_backend.region_report import listen_to_reports

    with listen_to_reports() as reports:
        compiled = torch.compile(workload.function, backend=npu_autokernel, options=options)
        compiled(*workload.arguments, **workload.keywords)
    return list(reports)


def print_graph(report: GraphReport, store: Store) -> None:
    kernels, regions = report.kernel_count, len(report.regions)
    click.echo(f"Graph {report.index} ({report.stage}): {regions} regions, {kernels} with a kernel")
    rows = [
        (format_key(region), *row)
        for region, row in zip(report.regions, list_region_rows(report.regions), strict=True)
    ]
    if rows:
        print_table(("key", *REGION_COLUMNS), rows)
    for line in list_refusal_lines(report.regions):
        click.echo(f"  {line}")
    for line in list_nearest_lines(report.regions, store):
        click.echo(f"    {line}")
    for line in list_eager_lines(report.eager_ops):
        click.echo(f"  {line}")


def list_nearest_lines(regions: tuple[RegionReport, ...], store: Store) -> Iterator[str]:
    """For each miss, the stored key that differs least, and in which fields."""
    for region in regions:
        if region.refusal is None or region.refusal.code != "region.miss" or region.task is None:
            continue
        for near in store.nearest_keys(make_key_document(region), NEAREST_KEYS):
            yield f"{region.name}: the nearest stored key {shorten_digest(near.proof_digest)} has"
            for difference in near.differences[:SHOWN_DIFFERENCES]:
                yield f"  {shorten_text(str(difference))}"
            if len(near.differences) > SHOWN_DIFFERENCES:
                yield f"  and {len(near.differences) - SHOWN_DIFFERENCES} more differences"


def make_key_document(region: RegionReport) -> dict[str, Any]:
    from npu_autokernel.graph.key import make_proof_key
    from npu_autokernel.settings import load_settings
    from npu_autokernel.toolchain.versions import read_versions

    assert region.task is not None
    return make_proof_key(region.task, load_settings().soc, read_versions()).to_json()
