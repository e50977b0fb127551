"""From a group of nodes to regions with kernels.

A group becomes a task. Where none is possible, or no drafter can write it, the group is cut: the
longest front that a kernel can hold, then the rest in the same way. The user's controls and the
store then decide what runs each region (`policy`, `kernel_shelf`), and a report is written.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch.fx import Node

from npu_autokernel.errors import AutokernelError
from npu_autokernel.graph.key import ProofKey, make_tuning_bucket
from npu_autokernel.graph.region import RegionTask, read_region
from npu_autokernel.reasons import Refusal
from npu_autokernel.settings import Settings
from npu_autokernel.torch_backend.bind import RegionCall
from npu_autokernel.torch_backend.dump import dump_region
from npu_autokernel.torch_backend.eager_reasons import is_getitem
from npu_autokernel.torch_backend.kernel_shelf import ChosenKernel, KernelShelf
from npu_autokernel.torch_backend.notice import LOGGER, refuse_error
from npu_autokernel.torch_backend.policy import RegionLabel, explain_exclusion
from npu_autokernel.torch_backend.region import Region, make_region
from npu_autokernel.torch_backend.region_report import RegionReport, describe_region
from npu_autokernel.torch_backend.session import Session, next_region_index

Unit = tuple[Node, ...]


@dataclass(frozen=True)
class _Piece:
    """A region and its task, or why it has none."""

    region: Region
    task: RegionTask | Refusal
    key: ProofKey | None = None
    records: tuple[Any, ...] = ()


class RegionBuilder:
    """Turns groups into regions: `calls` replace those with a kernel, `reports` tell of all."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.session = session
        self.settings = settings
        self.calls: dict[Region, RegionCall] = {}
        self.reports: list[RegionReport] = []
        self.used: list[Any] = []

    def add_group(self, group: Sequence[Node]) -> None:
        """Add the regions that `group` gives: one, or several where one kernel cannot hold all."""
        region = make_region(group)
        if not region.outputs:
            return
        try:
            pieces = self._cut(_list_units(group))
        except Exception as error:
            pieces = [_Piece(region, refuse_error(error))]
        for piece in pieces:
            self._add_region(piece)

    def _cut(self, units: list[Unit]) -> list[_Piece]:
        """Pieces that a kernel can hold, each as long as possible, and single ops that none can."""
        pieces: list[_Piece] = []
        while units:
            piece, count = self._find_longest(units)
            pieces.append(piece)
            units = units[count:]
        return pieces

    def _find_longest(self, units: list[Unit]) -> tuple[_Piece, int]:
        """The longest piece from the front that a kernel can hold; else the first unit alone."""
        whole = self._inspect(units)
        if len(units) == 1 or not isinstance(whole.task, Refusal):
            return whole, len(units)
        best, longest, shortest_bad = self._inspect(units[:1]), 1, len(units)
        while shortest_bad - longest > 1:
            middle = (longest + shortest_bad) // 2
            piece = self._inspect(units[:middle])
            if isinstance(piece.task, Refusal):
                shortest_bad = middle
            else:
                best, longest = piece, middle
        return best, longest

    def _inspect(self, units: list[Unit]) -> _Piece:
        """The region of `units` with its task, key and stored kernels; or why it has no task."""
        region = make_region([node for unit in units for node in unit])
        built = read_region(region.module)
        if isinstance(built, Refusal):
            return _Piece(region, built)
        key = self.session.make_key(built.task)
        records = self.session.load_kernels(key.digest)
        refusal = None if records else self.session.check_draft(built.task, key)
        return _Piece(region, refusal or built, key, records)

    def _add_region(self, piece: _Piece) -> None:
        start = time.perf_counter()
        key = piece.key.digest if piece.key else ""
        label = RegionLabel(next_region_index(), piece.region.ops, key)
        try:
            chosen = self._choose(label, piece)
        except AutokernelError:
            raise
        except Exception as error:
            chosen = refuse_error(error)
        report = _report_region(label, piece, chosen, time.perf_counter() - start)
        LOGGER.debug("%s", describe_region(report))
        record = chosen.record if isinstance(chosen, ChosenKernel) else None
        dump_region(self.settings, report, piece.key and piece.key.to_json(), record)
        self.reports.append(report)

    def _choose(self, label: RegionLabel, piece: _Piece) -> ChosenKernel | Refusal:
        if isinstance(piece.task, Refusal):
            return piece.task
        excluded = explain_exclusion(label, self.settings)
        if excluded is not None:
            return excluded
        assert piece.key is not None
        task, input_order = piece.task
        shelf = KernelShelf(self.session, self.settings, label, piece.key, task, piece.records)
        chosen = shelf.choose(dict(task.hints))
        if isinstance(chosen, ChosenKernel):
            module = piece.region.module
            call = RegionCall(label.index, task, input_order, shelf.find_kernel, module)
            self.calls[piece.region] = call
            self.used.append(chosen.record)
        return chosen


def _list_units(group: Sequence[Node]) -> list[Unit]:
    """An op with the selections of its results, which follow it, is one unit."""
    units: list[Unit] = []
    for node in group:
        if is_getitem(node):
            units[-1] = (*units[-1], node)
        else:
            units.append((node,))
    return units


def _report_region(
    label: RegionLabel, piece: _Piece, chosen: ChosenKernel | Refusal, seconds: float
) -> RegionReport:
    task = None if isinstance(piece.task, Refusal) else piece.task.task
    common: dict[str, Any] = {
        "index": label.index,
        "ops": label.ops,
        "task": task,
        "key": label.key,
        "bucket": make_tuning_bucket(task) if task else "",
        "seconds": seconds,
    }
    if isinstance(chosen, Refusal):
        return RegionReport(origin="eager", refusal=chosen, **common)
    return RegionReport(
        origin=chosen.origin,
        candidate_digest=chosen.record.candidate_digest,
        measurement=chosen.measurement,
        **common,
    )
