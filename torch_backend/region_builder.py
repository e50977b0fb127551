"""From groups of nodes to regions with kernels, and a report of each.

1. `cutting` makes pieces of the groups, each with a task and a key
2. kernels that the store lacks are written, several at a time (mode `sync`)
3. the user's controls and the shelf decide what runs each piece (`policy`, `kernel_shelf`)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from torch.fx import Node

from npu_autokernel.errors import AutokernelError
from npu_autokernel.graph.key import make_tuning_bucket
from npu_autokernel.reasons import Refusal
from npu_autokernel.settings import Settings
from npu_autokernel.torch_backend.bind import RegionCall
from npu_autokernel.torch_backend.cutting import Piece, cut_group
from npu_autokernel.torch_backend.dump import dump_region
from npu_autokernel.torch_backend.kernel_shelf import ChosenKernel, KernelShelf
from npu_autokernel.torch_backend.notice import LOGGER, refuse_error
from npu_autokernel.torch_backend.policy import RegionLabel, explain_exclusion
from npu_autokernel.torch_backend.region import Region
from npu_autokernel.torch_backend.region_report import RegionReport, describe_region
from npu_autokernel.torch_backend.session import Session, next_region_index


class RegionBuilder:
    """Turns groups into regions: `calls` replace those with a kernel, `reports` tell of all."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.session = session
        self.settings = settings
        self.calls: dict[Region, RegionCall] = {}
        self.reports: list[RegionReport] = []
        self.used: list[Any] = []
        self.drafted: set[str] = set()

    def add_groups(self, groups: Iterable[Sequence[Node]]) -> None:
        """Add the regions that `groups` give, in order. Raises AutokernelError only."""
        pieces = [piece for group in groups for piece in cut_group(self.session, group)]
        labelled = [(_label(piece), piece) for piece in pieces]
        self._write_missing(labelled)
        for label, piece in labelled:
            self._add_region(label, piece)

    def _write_missing(self, labelled: Sequence[tuple[RegionLabel, Piece]]) -> None:
        """Write kernels for all keys that miss, `workers` at a time; what fails is met again later."""
        if self.settings.mode != "sync" or self.settings.assert_cache_hit:
            return
        missing: dict[str, tuple[RegionLabel, Piece]] = {}
        for label, piece in labelled:
            if self._find_refusal(label, piece) is None:
                missing.setdefault(label.key, (label, piece))
        missing = {key: item for key, item in missing.items() if not self.session.load_kernels(key)}
        if len(missing) > 1 and self.settings.workers > 1:
            with ThreadPoolExecutor(self.settings.workers) as threads:
                for label, piece in missing.values():
                    threads.submit(self._choose, label, piece)

    def _add_region(self, label: RegionLabel, piece: Piece) -> None:
        start = time.perf_counter()
        try:
            chosen = self._find_refusal(label, piece) or self._bind(label, piece)
        except AutokernelError:
            raise
        except Exception as error:
            chosen = refuse_error(error)
        report = _report_region(label, piece, chosen, time.perf_counter() - start)
        LOGGER.debug("%s", describe_region(report))
        record = chosen.record if isinstance(chosen, ChosenKernel) else None
        dump_region(self.settings, report, piece.key and piece.key.to_json(), record)
        self.reports.append(report)

    def _find_refusal(self, label: RegionLabel, piece: Piece) -> Refusal | None:
        """Why no kernel is even looked for, or None."""
        if isinstance(piece.task, Refusal):
            return piece.task
        return explain_exclusion(label, self.settings)

    def _choose(
        self, label: RegionLabel, piece: Piece
    ) -> tuple[KernelShelf, ChosenKernel | Refusal]:
        assert piece.key is not None and not isinstance(piece.task, Refusal)
        task = piece.task.task
        shelf = KernelShelf(self.session, self.settings, label, piece.key, task, self.drafted)
        return shelf, shelf.choose(dict(task.hints))

    def _bind(self, label: RegionLabel, piece: Piece) -> ChosenKernel | Refusal:
        shelf, chosen = self._choose(label, piece)
        if isinstance(chosen, ChosenKernel):
            assert not isinstance(piece.task, Refusal)
            task, input_order = piece.task
            module = piece.region.module
            call = RegionCall(label.index, task, input_order, shelf.find_kernel, module)
            self.calls[piece.region] = call
            self.used.append(chosen.record)
        return chosen


def _label(piece: Piece) -> RegionLabel:
    key = piece.key.digest if piece.key else ""
    return RegionLabel(next_region_index(), piece.region.ops, key)


def _report_region(
    label: RegionLabel, piece: Piece, chosen: ChosenKernel | Refusal, seconds: float
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
