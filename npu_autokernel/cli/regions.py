"""How `explain`, `demo` and `prebuild` print what became of each region of a compiled graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from npu_autokernel.cli.printing import format_accuracy, shorten_digest
from npu_autokernel.reasons import Refusal
from npu_autokernel.torch_backend.region_report import EagerOp, GraphReport, RegionReport

REGION_COLUMNS = ("region", "kernel", "estimate>", "expert eager>", "roofline>", "ops")
VIEW_CODE = "region.view"
UNPROFITABLE_CODE = "region.not_profitable"
ORIGINS = {"drafted": "written now", "store": "from the store", "eager": "eager"}


def list_region_rows(regions: Iterable[RegionReport]) -> Iterator[tuple[str, ...]]:
    """One row per REGION_COLUMNS for each region."""
    for region in regions:
        yield (
            region.name,
            ORIGINS[region.origin],
            *format_times(region),
            format_ops(region.ops),
        )


def format_times(region: RegionReport) -> tuple[str, str, str]:
    """Latency, expert eager and roofline in microseconds, launch costs included."""
    measurement = region.measurement
    if measurement is not None:
        bounds = (measurement.expert_eager, measurement.roofline)
        times = [measurement.latency_us, *(bound.with_launch_us for bound in bounds)]
        latency, expert, roofline = (f"{time_us:.1f} us" for time_us in times)
        return latency, expert, roofline
    if region.refusal is not None and region.refusal.code == UNPROFITABLE_CODE:
        evidence = dict(region.refusal.evidence)
        return f"{evidence['latency_us']:.1f} us", f"{evidence['expert_us']:.1f} us", ""
    return "", "", ""


def format_ops(ops: Iterable[str]) -> str:
    """`add, 2 mul, native_layer_norm`: the ops by name, in order of appearance."""
    counts = Counter(shorten_op(op) for op in ops)
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())


def shorten_op(op: str) -> str:
    """`aten.add.Tensor` -> `add`."""
    parts = op.split(".")
    return parts[1] if len(parts) == 3 else op


def list_refusal_lines(regions: Iterable[RegionReport]) -> Iterator[str]:
    """Why regions are in eager, equal reasons together: `r0, r3-r5: why, what to do [code]`."""
    reasons: dict[str, list[int]] = {}
    for region in regions:
        if region.refusal is not None:
            reasons.setdefault(explain_refusal(region.refusal), []).append(region.index)
    for line, indices in reasons.items():
        yield f"{format_ranges(indices)}: {line}"


def explain_refusal(refusal: Refusal) -> str:
    """Why, what to do, and the code; without the times, which the table of regions shows."""
    message = refusal.message
    if refusal.code == UNPROFITABLE_CODE:
        message = "The estimate is more than 5 % above expert eager's."
    return f"{message} {refusal.advice} [{refusal.code}]"


def format_ranges(indices: Iterable[int]) -> str:
    """Region names with runs joined: 0, 3, 4, 5 -> `r0, r3-r5`."""
    runs: list[tuple[int, int]] = []
    for index in sorted(indices):
        if runs and index == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return ", ".join(f"r{low}" if low == high else f"r{low}-r{high}" for low, high in runs)


def list_eager_lines(eager_ops: Iterable[EagerOp]) -> Iterator[str]:
    """The ops in no region, equal ones counted together: `12 x mm: why [code]`; views last."""
    eager_ops = tuple(eager_ops)
    views = sum(item.refusal.code == VIEW_CODE for item in eager_ops)
    counts = Counter(
        (shorten_op(item.op), item.refusal.message, item.refusal.code)
        for item in eager_ops
        if item.refusal.code != VIEW_CODE
    )
    for (op, message, code), count in counts.items():
        yield f"{count} x {op}: {message} [{code}]"
    if views:
        yield f"{views} ops only change the view of a tensor and move no data. [{VIEW_CODE}]"


def list_provenance(reports: Iterable[GraphReport]) -> list[str]:
    """Where the printed latencies come from: `device`, or a `machine estimate` with what to expect of it.

    That is `machine estimate (Ascend910B1, clock 1; class tiny: +-40%)`.
    """
    classes: dict[str, set[str]] = {}
    for report in reports:
        for region in report.regions:
            if region.measurement is None:
                continue
            measurement = region.measurement
            if measurement.provenance == "device":
                classes.setdefault("device", set())
                continue
            clock = f"{measurement.soc}, clock {measurement.clock_version}"
            classes.setdefault(clock, set()).add(format_accuracy(measurement.accuracy_class))
    return [
        f"machine estimate ({source}; {', '.join(sorted(found))})" if found else source
        for source, found in sorted(classes.items())
    ]


def format_key(region: RegionReport) -> str:
    return shorten_digest(region.key) if region.key else ""
