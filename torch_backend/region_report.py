"""What happened to each region and each op of a compiled graph, as values.

A compilation hands one `GraphReport` per ATen graph (inference, forward, backward) to whoever
listens. `explain` and `demo` print them; nothing here decides anything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from npu_autokernel.graph.task import KernelTask
from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal

Stage = Literal["inference", "forward", "backward"]
KernelOrigin = Literal["drafted", "store", "eager"]

_KEPT_REPORTS = 64


@dataclass(frozen=True)
class RegionReport:
    """One region: which ops, what runs it, and why.

    `index` counts regions in order of compilation in this process; `name` is `r<index>`. `origin`
    is `drafted` (proven in this compilation), `store` (proven before) or `eager`, and then
    `refusal` says why. `key` is the proof key's digest, empty where there is no task.
    `measurement` is the kernel's at the sizes it was tuned for.
    """

    index: int
    ops: tuple[str, ...]
    origin: KernelOrigin
    task: KernelTask | None = None
    key: str = ""
    bucket: str = ""
    candidate_digest: str = ""
    measurement: Measurement | None = None
    refusal: Refusal | None = None
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return f"r{self.index}"


def describe_region(report: RegionReport) -> str:
    """One line for the log: what runs the region, or why it stays in eager."""
    ops = " ".join(report.ops)
    if report.refusal is not None:
        return f"{report.name} eager ({report.refusal.message}): {ops}"
    return f"{report.name} {report.origin} kernel {report.candidate_digest[:12]}: {ops}"


@dataclass(frozen=True)
class EagerOp:
    """One op that is in no region: its node, its ATen overload, and why."""

    node: str
    op: str
    refusal: Refusal


@dataclass(frozen=True)
class GraphReport:
    """One ATen graph: its regions, and the ops that stay in eager outside of them.

    `partition_seconds` is the time to find the regions, `seconds` the whole compilation of ours.
    """

    index: int
    stage: Stage
    regions: tuple[RegionReport, ...]
    eager_ops: tuple[EagerOp, ...]
    partition_seconds: float
    seconds: float

    @property
    def kernel_count(self) -> int:
        return sum(region.origin != "eager" for region in self.regions)


_kept: deque[GraphReport] = deque(maxlen=_KEPT_REPORTS)
_listeners: list[list[GraphReport]] = []


def publish_report(report: GraphReport) -> None:
    """Hand `report` to the listeners and keep it among the latest."""
    _kept.append(report)
    for heard in _listeners:
        heard.append(report)


def publish_run_failure(region_index: int, refusal: Refusal) -> None:
    """Note in the kept reports that a region fell back to eager while it ran."""
    for reports in (_kept, *_listeners):
        for place, report in enumerate(reports):
            reports[place] = _mark_failed(report, region_index, refusal)


@contextmanager
def listen_to_reports() -> Iterator[list[GraphReport]]:
    """Collect the reports of everything that is compiled inside the `with` block."""
    heard: list[GraphReport] = []
    _listeners.append(heard)
    try:
        yield heard
    finally:
        _listeners[:] = [listener for listener in _listeners if listener is not heard]


def last_report() -> GraphReport | None:
    """The report of the graph compiled last in this process."""
    return _kept[-1] if _kept else None


def forget_reports() -> None:
    """Drop the kept reports (after `torch.compiler.reset`)."""
    _kept.clear()


def _mark_failed(report: GraphReport, region_index: int, refusal: Refusal) -> GraphReport:
    regions = tuple(
        replace(region, origin="eager", refusal=refusal) if region.index == region_index else region
        for region in report.regions
    )
    return replace(report, regions=regions)
