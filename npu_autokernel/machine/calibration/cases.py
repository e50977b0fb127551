"""The calibration data: documented measurements on chips of the 910B family, and cases of others.

A case names a kind of kernel, its parameters and what was measured; `cases/*.json` hold them by kind.
Cases that no stream can state are listed with the reason, and so are the documented before/after
pairs whose order a clock must get right. `read_case_file` reads cases of anybody's own; a mistake in
one is a CalibrationCaseError of one line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from npu_autokernel.errors import CalibrationCaseError, UnknownSocError
from npu_autokernel.machine.calibration.kinds import KINDS
from npu_autokernel.machine.calibration.metrics import METRICS
from npu_autokernel.machine.calibration.params import resolve_params
from npu_autokernel.machine.soc import SocTable, get_soc

CASE_FILES = ("vector", "copies", "add", "matmul", "fused")
CLASSES = ("vector", "copy", "cube", "whole", "mixed", "tiny")
CASE_FIELDS = (
    "id", "kind", "chip", "clock_mhz", "params", "repeat", "metric", "value", "class", "also",
    "variant", "source", "source_group",
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """One number: which metric, its class of accuracy, and the value in the metric's unit.

    A value of None asks for an estimate alone.
    """

    metric: str
    value: float | None
    accuracy: str


@dataclass(frozen=True)
class Case:
    """One run, of `repeat` equal parts. `source_group` is what leave-one-source-out leaves out."""

    id: str
    kind: str
    chip: str
    clock_mhz: float | None
    params: Mapping[str, Any]  # all of the kind's
    repeat: int
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


def _check_fields(row: Any, where: str) -> None:
    if not isinstance(row, dict):
        raise CalibrationCaseError(where, "a case is an object of fields")
    for name in row:
        if name not in CASE_FIELDS:
            known = ", ".join(CASE_FIELDS)
            raise CalibrationCaseError(where, f"unknown field {name!r}; a case has {known}")
    for name in ("id", "kind", "chip", "params"):
        if name not in row:
            raise CalibrationCaseError(where, f"field {name!r} is missing")
    if row["kind"] not in KINDS:
        known = ", ".join(KINDS)
        raise CalibrationCaseError(where, f"unknown kind {row['kind']!r}; there are {known}")
    if not isinstance(row["params"], dict):
        raise CalibrationCaseError(where, "params is an object of the kind's parameters")


def _read_measured(row: Mapping[str, Any], where: str) -> Measured:
    metric, value = row.get("metric", "latency_us"), row.get("value")
    accuracy = row.get("class", "whole")
    if metric not in METRICS:
        known = ", ".join(METRICS)
        raise CalibrationCaseError(where, f"unknown metric {metric!r}; there are {known}")
    if accuracy not in CLASSES:
        known = ", ".join(CLASSES)
        raise CalibrationCaseError(where, f"unknown class {accuracy!r}; there are {known}")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is not None and not (is_number and value > 0):
        raise CalibrationCaseError(where, f"value cannot be {value!r}; it takes a number above 0")
    return Measured(metric, value, accuracy)


def _read_soc(row: Mapping[str, Any], where: str) -> SocTable:
    clock_mhz = row.get("clock_mhz")
    if clock_mhz is not None and not (isinstance(clock_mhz, int | float) and clock_mhz > 0):
        raise CalibrationCaseError(where, f"clock_mhz cannot be {clock_mhz!r}; it takes a number")
    try:
        soc = get_soc(str(row["chip"]))
    except UnknownSocError as error:
        raise CalibrationCaseError(where, str(error)) from None
    if not soc.is_timed:
        raise CalibrationCaseError(where, f"the clock has no rules for the Ascend{soc.name}")
    return soc


def read_case(row: Any, where: str, chip: str | None = None) -> Case:
    """One case, `chip` in place of its own if given; raises CalibrationCaseError."""
    if chip is not None and isinstance(row, dict):
        row = {**row, "chip": chip}
    _check_fields(row, where)
    where = f"{where}, case {row['id']!r}"
    kind, soc = KINDS[row["kind"]], _read_soc(row, where)
    repeat = row.get("repeat", 1)
    if not isinstance(repeat, int) or isinstance(repeat, bool) or repeat < 1:
        raise CalibrationCaseError(where, f"repeat cannot be {repeat!r}; it takes 1 or more")
    return Case(
        id=str(row["id"]),
        kind=kind.name,
        chip=str(row["chip"]),
        clock_mhz=row.get("clock_mhz"),
        params=resolve_params(
            row["params"], kind.params, kind.name, where, lambda params: kind.check(params, soc)
        ),
        repeat=repeat,
        variant=str(row.get("variant", "")),
        source_group=str(row.get("source_group", row.get("source", ""))),
        source=str(row.get("source", "")),
        measured=tuple(_read_measured(each, where) for each in (row, *row.get("also", ()))),
    )


def load_cases() -> tuple[Case, ...]:
    return tuple(read_case(row, f"{name}.json") for name in CASE_FILES for row in _read_json(name))


def read_case_file(path: Path, chip: str | None = None) -> tuple[Case, ...]:
    """The cases of a JSON file: a list of them. Raises CalibrationCaseError."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationCaseError(str(path), f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CalibrationCaseError(str(path), f"is not JSON: {error}") from None
    if not isinstance(rows, list):
        raise CalibrationCaseError(str(path), "holds a list of cases")
    cases = tuple(read_case(row, f"{path}[{index}]", chip) for index, row in enumerate(rows))
    known: set[str] = set()
    for case in cases:
        if case.id in known:
            raise CalibrationCaseError(str(path), f"two cases are called {case.id!r}")
        known.add(case.id)
    return cases


def load_ordered_pairs() -> tuple[OrderedPair, ...]:
    return tuple(OrderedPair(**row) for row in _read_json("ordered_pairs"))


def load_not_expressed() -> Mapping[str, str]:
    """Id to reason, for documented rows that no stream can state."""
    return dict(_read_json("not_expressed"))
