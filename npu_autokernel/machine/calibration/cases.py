"""The calibration data: documented measurements on chips of the 910B family.

A case names a kind of kernel, its parameters and what was measured; `cases/*.json` hold them by kind.
Cases that no stream can state are listed with the reason, and so are the documented before/after
pairs whose order a clock must get right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from npu_autokernel.machine.soc import SocTable, get_soc

CASE_FILES = ("vector", "copies", "add", "matmul", "fused")


@dataclass(frozen=True)
class Measured:
    """One measured number: which metric, its class of accuracy, and the value in the metric's unit."""

    metric: str
    value: float
    accuracy: str


@dataclass(frozen=True)
class Case:
    """One documented run. `source_group` is what leave-one-source-out leaves out."""

    id: str
    kind: str
    chip: str
    clock_mhz: float | None
    params: Mapping[str, Any]
    variant: str
    source_group: str
    source: str
    measured: tuple[Measured, ...]

    @property
    def soc(self) -> SocTable:
        table = get_soc(self.chip)
        return table if self.clock_mhz is None else replace(table, clock_mhz=self.clock_mhz)


@dataclass(frozen=True)
class OrderedPair:
    """Two cases of which the first was measured slower, and what differs."""

    slower: str
    faster: str
    why: str


def _read_json(name: str) -> Any:
    folder = resources.files("npu_autokernel.machine.calibration") / "cases"
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def _read_case(row: dict[str, Any]) -> Case:
    measured = [Measured(row["metric"], row["value"], row["class"])]
    measured += [
        Measured(more["metric"], more["value"], more["class"]) for more in row.get("also", ())
    ]
    return Case(
        id=row["id"],
        kind=row["kind"],
        chip=row["chip"],
        clock_mhz=row.get("clock_mhz"),
        params=row["params"],
        variant=row["variant"],
        source_group=row["source_group"],
        source=row["source"],
        measured=tuple(measured),
    )


def load_cases() -> tuple[Case, ...]:
    return tuple(_read_case(row) for name in CASE_FILES for row in _read_json(name))


def load_ordered_pairs() -> tuple[OrderedPair, ...]:
    return tuple(OrderedPair(**row) for row in _read_json("ordered_pairs"))


def load_not_expressed() -> Mapping[str, str]:
    """Id to reason, for documented rows that no stream can state."""
    return dict(_read_json("not_expressed"))
