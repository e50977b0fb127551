"""The fields of a calibration case that every kind has: what each takes, and the errors that say so.

`check_fields` comes first and returns how errors name the case from then on; then `read_soc`,
`read_clock_mhz`, `read_repeat`, `read_text` and `read_all_measured` read one field each. All raise
CalibrationCaseError with one line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from npu_autokernel.errors import CalibrationCaseError, UnknownSocError
from npu_autokernel.machine.calibration.kinds import KINDS
from npu_autokernel.machine.calibration.metrics import METRICS
from npu_autokernel.machine.calibration.params import Param, count
from npu_autokernel.machine.soc import PARTS, SocTable, get_soc

CLASSES = ("vector", "copy", "cube", "whole", "mixed", "tiny")
CASE_FIELDS = (
    "id", "kind", "chip", "clock_mhz", "params", "repeat", "metric", "value", "class", "also",
    "variant", "source", "source_group",
)  # fmt: skip
MEASURED_FIELDS = ("metric", "value", "class")
REPEAT = count("repeat", "equal parts of the run", default=1, highest=1_000_000)
CLOCK_MHZ = Param("clock_mhz", "number", "clock", "MHz", None, 100, 10_000)
MOST = 1e15  # of a measured value, in any unit
# Control characters, separators of lines and halves of characters: they break a line or no line.
BREAKING = ("Cc", "Cs", "Zl", "Zp")


@dataclass(frozen=True)
class Measured:
    """One number: which metric, its class of accuracy, and the value in the metric's unit.

    A value of None asks for an estimate alone.
    """

    metric: str
    value: float | None
    accuracy: str


def check_fields(row: Any, where: str) -> str:
    """How errors name this case, once it has an id; the required fields are there and are known."""
    if not isinstance(row, dict):
        raise CalibrationCaseError(where, "a case is an object of fields")
    if "id" not in row:
        raise CalibrationCaseError(where, "field 'id' is missing")
    if not read_text(row, "id", where):
        raise CalibrationCaseError(where, "id cannot be ''; it takes a text that names the case")
    where = f"{where}, case {row['id']!r}"
    _check_known(row, CASE_FIELDS, "a case", where)
    for name in ("kind", "chip", "params"):
        if name not in row:
            raise CalibrationCaseError(where, f"field {name!r} is missing")
    _check_choice(row["kind"], KINDS, "kind", where)
    if not isinstance(row["params"], dict):
        raise CalibrationCaseError(where, "params is an object of the kind's parameters")
    return where


def _check_known(row: Iterable[str], known: Collection[str], what: str, where: str) -> None:
    for name in row:
        if name not in known:
            listed = ", ".join(known)
            raise CalibrationCaseError(where, f"unknown field {name!r}; {what} has {listed}")


def _check_choice(value: Any, choices: Collection[str], what: str, where: str) -> None:
    if not isinstance(value, str) or value not in choices:
        known = ", ".join(choices)
        raise CalibrationCaseError(where, f"unknown {what} {value!r}; there are {known}")


def read_text(row: Mapping[str, Any], name: str, where: str, default: str = "") -> str:
    value = row.get(name, default)
    if not isinstance(value, str):
        raise CalibrationCaseError(where, f"{name} cannot be {value!r}; it takes a text")
    if any(unicodedata.category(character) in BREAKING for character in value):
        raise CalibrationCaseError(where, f"{name} cannot be {value!r}; it takes one line of text")
    return value


def read_soc(row: Mapping[str, Any], where: str) -> SocTable:
    """The chip, one of those that the clock has rules for."""
    chip = row["chip"]
    timed = ", ".join(name for name, part in PARTS.items() if part.is_timed)
    known = f"there are {timed}, each also with Ascend before it"
    if not isinstance(chip, str):
        raise CalibrationCaseError(where, f"chip cannot be {chip!r}; it takes a name: {known}")
    try:
        soc = get_soc(chip)
    except UnknownSocError:
        raise CalibrationCaseError(where, f"unknown chip {chip!r}; {known}") from None
    if not soc.is_timed:
        detail = f"the clock has no rules for the Ascend{soc.name}; {known}"
        raise CalibrationCaseError(where, detail)
    return soc


def read_clock_mhz(row: Mapping[str, Any], where: str) -> float | None:
    value: float | None = row.get("clock_mhz")
    if not CLOCK_MHZ.accepts(value):
        detail = (
            f"clock_mhz cannot be {value!r}; it takes a number above zero, in MHz: 100 to 10,000"
        )
        raise CalibrationCaseError(where, detail)
    return value


def read_repeat(row: Mapping[str, Any], where: str) -> int:
    value = row.get("repeat", REPEAT.default)
    if not REPEAT.accepts(value):
        detail = f"repeat cannot be {value!r}; it takes {REPEAT.describe_values()}"
        raise CalibrationCaseError(where, detail)
    return int(value)


def read_all_measured(row: Mapping[str, Any], where: str) -> tuple[Measured, ...]:
    """What was measured: that of the case itself, then those of `also`."""
    measured = (_read_measured(row, where), *_read_also(row, where))
    known: set[str] = set()
    for each in measured:
        if each.metric in known:
            raise CalibrationCaseError(where, f"metric {each.metric!r} is given twice")
        known.add(each.metric)
    return measured


def _read_also(row: Mapping[str, Any], where: str) -> Iterator[Measured]:
    also = row.get("also", [])
    if not isinstance(also, list):
        detail = f"also cannot be {also!r}; it takes a list of objects with {_list_measured()}"
        raise CalibrationCaseError(where, detail)
    for index, item in enumerate(also):
        if not isinstance(item, dict):
            detail = f"also[{index}] cannot be {item!r}; it takes an object with {_list_measured()}"
            raise CalibrationCaseError(where, detail)
        _check_known(item, MEASURED_FIELDS, f"also[{index}]", where)
        if "metric" not in item:
            raise CalibrationCaseError(where, f"also[{index}]: field 'metric' is missing")
        yield _read_measured(item, where)


def _list_measured() -> str:
    return ", ".join(MEASURED_FIELDS)


def _read_measured(row: Mapping[str, Any], where: str) -> Measured:
    metric, value = row.get("metric", "latency_us"), row.get("value")
    accuracy = row.get("class", "whole")
    _check_choice(metric, METRICS, "metric", where)
    _check_choice(accuracy, CLASSES, "class", where)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is not None and not (is_number and 0 < value <= MOST):
        detail = f"value cannot be {value!r}; it takes a number above 0, at most {MOST:g}"
        raise CalibrationCaseError(where, detail)
    return Measured(metric, value, accuracy)
