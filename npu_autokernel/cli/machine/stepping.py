"""The dialogue with a run that stops: step, continue, break, print, quit.

`Stepping` is called after each instruction. Where it stops it reads commands from standard input
until one of them lets the run go on or ends it; the end of the input ends the run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click
import numpy as np

from npu_autokernel.cli.dump_file import NUMPY_TYPES, Value, widen
from npu_autokernel.machine import Program, Step

PROMPT = "(machine) "
SHOWN_ELEMENTS = 64
DEFAULT_RANGE = "0:8"
SOURCE_PREFIX = "source:"
SPACES = ("ub", "l1", "l0c")
HELP = """\
step [N]                   go on for one instruction, or N
continue                   go on to the next breakpoint
break LINE|OPCODE          stop after this line of the dump, or after every vadd, load, ...
break source:LINE          stop after every instruction of this line of the Triton source
print argN [FIRST:LAST]    elements of a buffer
print ub|l1|l0c FIRST:LAST [TYPE]   bytes of a memory of this core as numbers, f32 by default
print flags                the flags of this core that are set
where                      the instruction, its line of the dump and of the source
quit                       end the run"""


class QuitRunError(Exception):
    """The person at the terminal ended the run."""


class Stepping:
    """Stops a run at breakpoints or after a count of instructions, and answers commands.

    `texts` are the dump and its Triton source; the source is empty if it is not at hand. Raises
    BadParameter for a breakpoint in a line of the source that no instruction comes from.
    """

    def __init__(
        self,
        program: Program,
        arguments: Sequence[Value],
        texts: tuple[str, str],
        breaks: Sequence[str],
        stops_now: bool,
    ) -> None:
        self._program = program
        self._arguments = arguments
        self._lines, self._source_lines = (text.splitlines() for text in texts)
        self._breaks: set[str] = set()
        for place in breaks:
            try:
                self._add_break(place)
            except ValueError as error:
                raise click.BadParameter(f"{error}.", param_hint="--break") from error
        self._steps_left: int | None = 1 if stops_now else None

    def __call__(self, step: Step) -> None:
        if self._steps_left is not None:
            self._steps_left -= 1
        if self._steps_left == 0 or not self._breaks.isdisjoint(_list_places(step)):
            self._steps_left = None
            self._talk(step)

    def _talk(self, step: Step) -> None:
        click.echo(str(step))
        stays = True
        while stays:
            words = self._read_words()
            try:
                stays = self._obey(step, words)
            except ValueError as error:
                click.echo(f"{error}; `help` lists the commands")

    def _read_words(self) -> list[str]:
        click.echo(PROMPT, nl=False)
        line = sys.stdin.readline()
        return line.split() if line else ["quit"]

    def _obey(self, step: Step, words: Sequence[str]) -> bool:
        """Do what the words say; whether the run stays where it is. Raises ValueError."""
        verb, *rest = words or ["help"]
        if verb in ("step", "s"):
            self._steps_left = max(1, int(rest[0])) if rest else 1
            return False
        if verb in ("continue", "c"):
            return False
        if verb in ("quit", "q"):
            raise QuitRunError
        click.echo(self._answer(step, verb, rest))
        return True

    def _answer(self, step: Step, verb: str, rest: Sequence[str]) -> str:
        if verb in ("break", "b") and len(rest) == 1:
            self._add_break(rest[0])
            return f"stops after {rest[0]}"
        if verb in ("print", "p") and rest:
            return self._print(step, *rest)
        if verb in ("where", "w"):
            return "\n".join(self._describe_place(step))
        if verb in ("help", "h"):
            return HELP
        raise ValueError(f"cannot do {' '.join([verb, *rest])!r}")

    def _add_break(self, place: str) -> None:
        """Raises ValueError for a line of the source that no instruction comes from."""
        known = {f"{SOURCE_PREFIX}{line}" for line in self._program.source_lines if line}
        if place.startswith(SOURCE_PREFIX) and place not in known:
            raise ValueError(f"nothing in the dump comes from {place}")
        self._breaks.add(place)

    def _describe_place(self, step: Step) -> Iterator[str]:
        yield str(step)
        yield self._lines[step.line - 1].strip()
        if step.source_line:
            text = self._source_lines[step.source_line - 1 : step.source_line]
            yield f"source line {step.source_line}" + "".join(f": {line.strip()}" for line in text)

    def _print(
        self, step: Step, place: str, extent: str = DEFAULT_RANGE, element_type: str = "f32"
    ) -> str:
        if place == "flags":
            return _format_flags(step)
        first, last = _parse_range(extent)
        if place in SPACES:
            if element_type not in NUMPY_TYPES:
                raise ValueError(f"no type {element_type!r} among {', '.join(NUMPY_TYPES)}")
            data = step.read_memory(place, first, last - first)
            whole = len(data) - len(data) % np.dtype(NUMPY_TYPES[element_type]).itemsize
            return _format(np.frombuffer(data[:whole], NUMPY_TYPES[element_type]), element_type)
        number = place.removeprefix("arg")
        if not number.isdecimal() or int(number) >= len(self._arguments):
            raise ValueError(f"there is no {place!r} to print")
        value = self._arguments[int(number)]
        if not isinstance(value, np.ndarray):
            return str(value)
        return _format(value[first:last], self._program.arguments[int(number)].element_type)


def _list_places(step: Step) -> tuple[str, ...]:
    """What a breakpoint may name."""
    return (str(step.line), step.opcode, f"{SOURCE_PREFIX}{step.source_line}")


def _parse_range(text: str) -> tuple[int, int]:
    first, colon, last = text.partition(":")
    if not colon or not first.isdecimal() or not last.isdecimal() or int(first) > int(last):
        raise ValueError(f"{text!r} is not a range FIRST:LAST")
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
