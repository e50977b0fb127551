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

from npu_autokernel.errors import CalibrationCaseError
from npu_autokernel.machine.calibration.case_fields import (
    Measured,
    check_fields,
    read_all_measured,
    read_clock_mhz,
    read_repeat,
    read_soc,
    read_text,
)
from npu_autokernel.machine.calibration.kinds import KINDS
from npu_autokernel.machine.calibration.params import resolve_params
from npu_autokernel.machine.soc import SocTable, get_soc

CASE_FILES = ("vector", "copies", "add", "matmul", "fused")


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


def read_case(row: Any, where: str, chip: str | None = None) -> Case:
    """One case, `chip` in place of its own if given; raises CalibrationCaseError."""
    if chip is not None and isinstance(row, dict):
        row = {**row, "chip": chip}
    where = check_fields(row, where)
    kind, soc = KINDS[row["kind"]], read_soc(row, where)
    source = read_text(row, "source", where)
    return Case(
        id=row["id"],
        kind=kind.name,
        chip=row["chip"],
        clock_mhz=read_clock_mhz(row, where),
        params=resolve_params(
            row["params"], kind.params, kind.name, where, lambda params: kind.check(params, soc)
        ),
        repeat=read_repeat(row, where),
        variant=read_text(row, "variant", where),
        source_group=read_text(row, "source_group", where, source),
        source=source,
        measured=read_all_measured(row, where),
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
    except RecursionError:
        raise CalibrationCaseError(str(path), "is not read: it is nested too deeply") from None
    if not isinstance(rows, list):
        raise CalibrationCaseError(str(path), "is no list of cases")
    if not rows:
        raise CalibrationCaseError(str(path), "there is no case in the list")
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
