"""What the kinds of calibration cases take: one row per parameter, and the check of what a case says.

A parameter has a meaning, a unit, a default (none: it must be given) and the values it may take.
`resolve_params` turns what a case gives into all parameters of the kind, or raises
CalibrationCaseError with one line.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from npu_autokernel.errors import CalibrationCaseError

Shape = Literal["integer", "number", "flag", "name", "names", "integers"]
_REQUIRED = object()


@dataclass(frozen=True)
class Param:
    """One parameter. `derived` says what a default of None stands for."""

    name: str
    shape: Shape
    meaning: str
    unit: str = ""
    default: Any = _REQUIRED
    lowest: float | None = None
    highest: float | None = None
    choices: tuple[str, ...] = ()
    derived: str = ""

    @property
    def is_required(self) -> bool:
        return self.default is _REQUIRED

    def with_default(self, default: Any) -> Param:
        return replace(self, default=default)

    def describe_values(self) -> str:
        """What the parameter takes, for messages and for `--kinds`."""
        if self.choices:
            listed = ", ".join(self.choices)
            return f"a list of {listed}" if self.shape == "names" else f"one of {listed}"
        if self.shape == "flag":
            return "true or false"
        what = {"integer": "a whole number", "number": "a number"}.get(
            self.shape, "a list of numbers"
        )
        if self.lowest is None:
            return what
        if self.highest is None:
            return f"{what} of {self.lowest:,} or more"
        return f"{what} from {self.lowest:,} to {self.highest:,}"

    def describe_default(self) -> str:
        if self.is_required:
            return "required"
        return f"default: {self.derived}" if self.default is None else f"default {self.default!r}"

    def accepts(self, value: Any) -> bool:
        if value is None:
            return not self.is_required and self.default is None
        if self.shape in ("names", "integers"):
            return isinstance(value, Sequence) and not isinstance(value, str) and all(
                self._accepts_one(item) for item in value
            )  # fmt: skip
        return self._accepts_one(value)

    def _accepts_one(self, value: Any) -> bool:
        if self.shape == "flag":
            return isinstance(value, bool)
        if self.shape in ("name", "names"):
            return value in self.choices
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        whole = self.shape == "number" or isinstance(value, int) or value.is_integer()
        low = self.lowest is None or value >= self.lowest
        return whole and low and (self.highest is None or value <= self.highest)


def count(
    name: str, meaning: str, unit: str = "", *, default: Any = _REQUIRED, lowest: int = 1,
    highest: int | None = 1 << 34, derived: str = "",
) -> Param:  # fmt: skip
    return Param(name, "integer", meaning, unit, default, lowest, highest, derived=derived)


def choice(name: str, meaning: str, choices: Iterable[str], *, default: Any = _REQUIRED) -> Param:
    return Param(name, "name", meaning, default=default, choices=tuple(choices))


def flag(name: str, meaning: str, *, default: bool = False) -> Param:
    return Param(name, "flag", meaning, default=default)


def names(
    name: str, meaning: str, choices: Iterable[str], *, default: Any = _REQUIRED, derived: str = ""
) -> Param:
    return Param(name, "names", meaning, default=default, choices=tuple(choices), derived=derived)


def _suggest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _round_whole(value: Any, shape: Shape) -> Any:
    """JSON writers say 4096.0 for 4096."""
    if value is None or shape not in ("integer", "integers"):
        return value
    return int(value) if shape == "integer" else [int(item) for item in value]


def resolve_params(
    given: Mapping[str, Any],
    params: Sequence[Param],
    kind: str,
    where: str,
    check: Callable[[Mapping[str, Any]], str] = lambda params: "",
) -> dict[str, Any]:
    """All parameters of a kind, those that are not given by their defaults.

    `where` names the case. `check` looks at the whole and returns what is wrong, or nothing.
    Raises CalibrationCaseError for an unknown, missing or wrong parameter.
    """
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            raise CalibrationCaseError(
                where, f"kind {kind!r} has no parameter {name!r}.{_suggest(name, known)}"
            )
    values: dict[str, Any] = {}
    for param in params:
        if param.name not in given and param.is_required:
            raise CalibrationCaseError(
                where, f"parameter {param.name!r} is missing: {param.describe_values()}"
            )
        value = given.get(param.name, param.default)
        if not param.accepts(value):
            raise CalibrationCaseError(
                where, f"{param.name} cannot be {value!r}; it takes {param.describe_values()}"
            )
        values[param.name] = _round_whole(value, param.shape)
    problem = check(values)
    if problem:
        raise CalibrationCaseError(where, problem)
    return values
