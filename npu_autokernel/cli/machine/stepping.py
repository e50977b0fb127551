"""The dialogue with a run that stops: step, continue, break, print, quit.

`Stepping` is called after each instruction. Where it stops it reads commands from standard input
until one of them lets the run go on or ends it; the end of the input ends the run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from npu_autokernel.cli.dump_file import Value
from npu_autokernel.cli.machine.breakpoints import Breakpoints
from npu_autokernel.cli.machine.looks import Looks
from npu_autokernel.machine import Program, Step

PROMPT = "(machine) "
HELP = """\
step [N]                   go on for one instruction, or N
continue                   go on to the next breakpoint
break LINE|OPCODE          stop after this line of the dump, or after every vadd, load, ...
break source:LINE          stop after every instruction of this line of the Triton source
print argN [FIRST:LAST]    elements of a buffer, 0:8 by default, or a number
print ub|l1|l0c [FIRST:LAST] [TYPE]   bytes of a memory of this core as numbers, f32 by default
print flags                the flags of this core that are set
where                      the instruction, its line of the dump and of the source
quit                       end the run"""
SHORT_VERBS = {
    "s": "step",
    "c": "continue",
    "b": "break",
    "p": "print",
    "w": "where",
    "h": "help",
    "q": "quit",
}
# How many words a command takes; `print` looks at its own, since they depend on the place.
MOST_WORDS = {"step": 1, "continue": 0, "break": 1, "where": 0, "help": 0, "quit": 0, "print": 99}


class QuitRunError(Exception):
    """The person at the terminal ended the run."""


class Stepping:
    """Stops a run at breakpoints or after a count of instructions, and answers commands.

    `texts` are the dump and its Triton source; the source is empty if it is not at hand. Raises
    BadParameter for a breakpoint where no instruction is.
    """

    def __init__(
        self,
        program: Program,
        arguments: Sequence[Value],
        texts: tuple[str, str],
        breaks: Sequence[str],
        stops_now: bool,
    ) -> None:
        self._looks = Looks(program, arguments)
        self._lines, self._source_lines = (text.splitlines() for text in texts)
        try:
            self._breaks = Breakpoints(program, breaks)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="--break") from error
        self._steps_left: int | None = 1 if stops_now else None

    def list_unmet(self) -> list[str]:
        """The breakpoints that the run did not come to."""
        return self._breaks.list_unmet()

    def __call__(self, step: Step) -> None:
        if self._steps_left is not None:
            self._steps_left -= 1
        is_met = self._breaks.meet(step)
        if self._steps_left == 0 or is_met:
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
        name = SHORT_VERBS.get(verb, verb)
        if name not in MOST_WORDS:
            raise ValueError(f"there is no command {verb!r}")
        most = MOST_WORDS[name]
        if len(rest) > most:
            takes = "one word" if most else "no words"
            raise ValueError(f"`{name}` takes {takes}, not {' '.join(rest)!r}")
        if name in ("break", "print") and not rest:
            raise ValueError(f"`{name}` needs a place")
        if name == "quit":
            raise QuitRunError
        if name in ("step", "continue"):
            self._steps_left = _parse_count(*rest) if name == "step" else None
            return False
        click.echo(self._answer(step, name, rest))
        return True

    def _answer(self, step: Step, name: str, rest: Sequence[str]) -> str:
        if name == "break":
            self._breaks.add(rest[0])
            return f"stops after {rest[0]}"
        if name == "print":
            return self._looks.show(step, rest)
        return HELP if name == "help" else "\n".join(self._describe_place(step))

    def _describe_place(self, step: Step) -> Iterator[str]:
        yield str(step)
        yield self._lines[step.line - 1].strip()
        if step.source_line:
            text = self._source_lines[step.source_line - 1 : step.source_line]
            yield f"source line {step.source_line}" + "".join(f": {line.strip()}" for line in text)


def _parse_count(text: str = "1") -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"`step` takes a whole number above 0, not {text!r}")
    return int(text)
