"""What `print` of a run in steps shows: buffers, numbers, memories of a core, and flags."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from npu_autokernel.cli.dump_file import NUMPY_TYPES, Value, widen
from npu_autokernel.machine import Program, Step

SHOWN_ELEMENTS = 64
DEFAULT_RANGE = "0:8"
DEFAULT_TYPE = "f32"
FARTHEST_BYTE = 1 << 62
SPACES = ("ub", "l1", "l0c")


class Looks:
    """Answers `print` with text. Everything that cannot be shown is a ValueError."""

    def __init__(self, program: Program, arguments: Sequence[Value]) -> None:
        self._types = [argument.element_type for argument in program.arguments]
        self._arguments = arguments

    def show(self, step: Step, words: Sequence[str]) -> str:
        """`ub 0:64 f16`, `arg0 0:8`, `arg3` or `flags`."""
        place, *rest = words
        if place in SPACES:
            return _show_memory(step, place, rest)
        if place == "flags":
            _refuse_words("print flags", rest)
            return _format_flags(step)
        name = place.removeprefix("arg")
        if not name.isdecimal() or int(name) >= len(self._arguments):
            last = len(self._arguments) - 1
            known = f"{', '.join(SPACES)}, flags" + (f", arg0 to arg{last}" if last >= 0 else "")
            raise ValueError(f"there is no {place!r} to print, only {known}")
        return self._show_argument(int(name), rest)

    def _show_argument(self, number: int, rest: Sequence[str]) -> str:
        value, element_type = self._arguments[number], self._types[number]
        if not isinstance(value, np.ndarray):
            _refuse_words(f"print arg{number}", rest)
            return str(value)
        if len(rest) == 2:
            raise ValueError(f"arg{number} is a buffer of {element_type}, it takes no type")
        _refuse_words(f"print arg{number} FIRST:LAST", rest[1:])
        if rest:
            first, last = _parse_range(rest[0])
            if last > value.size:
                raise ValueError(f"arg{number} has {value.size} elements, {rest[0]} lies outside")
        else:
            first, last = _parse_range(DEFAULT_RANGE)
        return _format(value[first:last], element_type)


def _show_memory(step: Step, space: str, rest: Sequence[str]) -> str:
    extent, element_type = [*rest[:2], *(DEFAULT_RANGE, DEFAULT_TYPE)[len(rest[:2]) :]]
    _refuse_words(f"print {space} FIRST:LAST TYPE", rest[2:])
    if element_type not in NUMPY_TYPES:
        raise ValueError(f"no type {element_type!r} among {', '.join(NUMPY_TYPES)}")
    first, last = _parse_range(extent)
    size = np.dtype(NUMPY_TYPES[element_type]).itemsize
    if first % size or last % size:
        raise ValueError(
            f"{extent} are bytes, and a {element_type} has {size}: both must be multiples of {size}"
        )
    first, last = min(first, FARTHEST_BYTE), min(last, FARTHEST_BYTE)
    data = step.read_memory(space, first, last - first)
    return _format(np.frombuffer(data, NUMPY_TYPES[element_type]), element_type)


def _refuse_words(command: str, words: Sequence[str]) -> None:
    if words:
        raise ValueError(f"`{command}` takes no {' '.join(words)!r}")


def _parse_range(text: str) -> tuple[int, int]:
    first, colon, last = text.partition(":")
    if not colon or not first.isdecimal() or not last.isdecimal():
        raise ValueError(f"{text!r} is not a range FIRST:LAST")
    if int(first) >= int(last):
        raise ValueError(f"{text} is empty: LAST is the first one that is not shown")
    return int(first), int(last)


def _format(values: np.ndarray, element_type: str) -> str:
    shown = widen(values, element_type)
    return np.array2string(shown, max_line_width=100, threshold=SHOWN_ELEMENTS)


def _format_flags(step: Step) -> str:
    flags = [
        f"{flag.set_pipe} -> {flag.wait_pipe} event {flag.event}"
        + (f", {flag.count} times" if flag.count > 1 else "")
        for flag in step.list_flags()
    ]
    return "\n".join(flags) or "no flag is set"
