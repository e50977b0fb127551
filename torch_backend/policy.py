"""Which regions may have a kernel, and whether a proven kernel is used: the user's controls first.

A selector names a region (`r12`), an op (`gelu`, `aten.gelu`, `aten.gelu.default`) or a proof key
(the first eight or more digits of its digest).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.settings import Settings

MARGIN = 1.05
_SHORTEST_KEY = 8


@dataclass(frozen=True)
class RegionLabel:
    """What a selector can name a region by."""

    index: int
    ops: tuple[str, ...]
    key: str

    @property
    def name(self) -> str:
        return f"r{self.index}"


def explain_ban(op: str, settings: Settings) -> Refusal | None:
    """Why the user keeps `op` out of every region, or None."""
    for selector in settings.ban:
        if _names_op(selector, op):
            return refuse("region.banned", detail=selector)
    return None


def explain_exclusion(label: RegionLabel, settings: Settings) -> Refusal | None:
    """Why the user's controls keep the region in eager, or None."""
    if not _is_in_ranges(label.index, settings.regions):
        return refuse(
            "region.banned", detail=f"{label.name}, which is not among the regions asked for"
        )
    for selector in settings.ban:
        if _names_region(selector, label):
            return refuse("region.banned", detail=selector)
    return None


def find_pin(label: RegionLabel, settings: Settings) -> str | None:
    """The start of the candidate digest that the user pins the region to, or None."""
    pins = (digest for selector, digest in settings.pin if matches(selector, label))
    return next(pins, None)


def judge_kernel(
    label: RegionLabel, measurement: Measurement, source: str, settings: Settings
) -> Refusal | None:
    """Why a proven kernel is not used, or None: it is slow, or not deterministic enough."""
    import torch

    if torch.are_deterministic_algorithms_enabled() and "atomic_" in source:
        return refuse("region.deterministic")
    is_forced = any(matches(selector, label) for selector in settings.force)
    expert_us = measurement.expert_eager.with_launch_us
    if settings.policy == "all" or is_forced or measurement.latency_us <= MARGIN * expert_us:
        return None
    return refuse(
        "region.not_profitable",
        latency_us=round(measurement.latency_us, 2),
        expert_us=round(expert_us, 2),
    )


def matches(selector: str, label: RegionLabel) -> bool:
    """Whether `selector` names the region, one of its ops or its key."""
    return _names_region(selector, label) or any(_names_op(selector, op) for op in label.ops)


def _names_region(selector: str, label: RegionLabel) -> bool:
    is_key = len(selector) >= _SHORTEST_KEY and label.key.startswith(selector)
    return selector == label.name or is_key


def _names_op(selector: str, op: str) -> bool:
    parts = op.split(".")
    return selector in (op, ".".join(parts[:2]), parts[1] if len(parts) > 1 else op)


def _is_in_ranges(index: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return not ranges or any(start <= index < stop for start, stop in ranges)
