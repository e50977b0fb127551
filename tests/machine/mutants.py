"""Mutants of dumps: the same kernel with synchronisation taken out.

A single loses one op: a flag set or waited for, a barrier, a cross-core flag, one of the events
that a matmul macro waits for and sets inside, or the unit flag of a product or a fixpipe. A group
loses every set and wait that answer each other when the kernel runs, so that flags stay balanced
and only the order is gone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tests.machine.dependences import Order
from tests.machine.executed import UNIT_FLAG, Executed

SYNCHRONISATION = re.compile(
    r'"hivm\.hir\.(set_flag|wait_flag|pipe_barrier|sync_block_set|sync_block_wait)"\((.*?)\)'
)
ATTRIBUTE = re.compile(r"(set_pipe|wait_pipe|pipe|tpipe|static_event_id|static_flag_id) = ([^,}]+)")
MACRO = re.compile(
    r'"hivm\.hir\.mmadL1"\((.*?)\) <\{[^}]*?operandSegmentSizes = array<i32: ([\d, ]+)>'
)
UNIT_FLAG_MODE = re.compile(r"#hivm\.unit_flag<ENABLED_\w+>")
NO_UNIT_FLAG = "#hivm.unit_flag<DISABLED>"
EVENTS_SEGMENT, EVENTS = 7, 4
NO_EVENT = '"arith.constant"() <{value = -1 : i64}> : () -> i64'


@dataclass(frozen=True)
class SynchronisationOp:
    """One op of a dump, or part of one: where, what, and which flag.

    `argument`: the event of a matmul macro that it is, or UNIT_FLAG.
    """

    line: int
    kind: str
    subject: str
    argument: int | None = None

    @property
    def place(self) -> tuple[int, int | None]:
        return self.line, self.argument

    def __str__(self) -> str:
        return f"{self.kind}({self.subject})@{self.line}"


@dataclass(frozen=True)
class Mutant:
    """A dump without the ops `removed`."""

    removed: tuple[SynchronisationOp, ...]
    text: str

    @property
    def is_group(self) -> bool:
        return len(self.removed) > 1

    @property
    def family(self) -> str:
        """What is lost, without its place: a barrier with its pipe, a flag with its two."""
        kinds = {(op.kind, *_name_pipes(op)) for op in self.removed}
        flags = sorted(kind for kind in kinds if kind[0] in ("set_flag", "wait_flag"))
        kind, *pipes = flags[0] if self.is_group and flags else sorted(kinds)[0]
        name = f"flag {' -> '.join(pipes)}" if self.is_group else f"{kind} {' '.join(pipes)}"
        return f"all of a {name}" if self.is_group else name

    def __str__(self) -> str:
        return " + ".join(map(str, self.removed))


def list_mutants(text: str, runs: Sequence[tuple[Sequence[Executed], Order]]) -> Iterator[Mutant]:
    """Every single of an op that one of the runs executes, then every group."""
    executed = {(step.line, step.argument) for run, _ in runs for step in run}
    ops = {op.place: op for op in find_synchronisation(text) if op.place in executed}
    for op in ops.values():
        yield remove_ops(text, (op,))
    for group in _join_answers(runs):
        yield remove_ops(text, tuple(ops[place] for place in sorted(group, key=str)))


def find_synchronisation(text: str) -> Iterator[SynchronisationOp]:
    """The ops of all device functions, in the text's order; lines count from 1."""
    for number, line in enumerate(text.split("\n"), 1):
        match = SYNCHRONISATION.search(line)
        if match:
            attributes = ATTRIBUTE.findall(line)
            words = [
                re.sub(r".*<(?:PIPE_|EVENT_)?(\w+)>.*", r"\1", value) for _, value in attributes
            ]
            operands = [match.group(2)] if match.group(2) else []
            yield SynchronisationOp(number, match.group(1), " ".join([*words, *operands]))
        for argument, _ in enumerate(_find_events(line)):
            kind = "inner wait" if argument < 2 else "inner set"
            yield SynchronisationOp(number, kind, "ab"[argument % 2], argument)
        if UNIT_FLAG_MODE.search(line):
            yield SynchronisationOp(number, "unit flag", "L0C", UNIT_FLAG)


def find_macro_lines(text: str) -> set[int]:
    return {number for number, line in enumerate(text.split("\n"), 1) if MACRO.search(line)}


def remove_ops(text: str, ops: Iterable[SynchronisationOp]) -> Mutant:
    """Blanks the ops' lines, or takes events and unit flags out; every line keeps its number."""
    ops = tuple(ops)
    lines = text.split("\n")
    for op in ops:
        lines[op.line - 1] = _remove_op(lines[op.line - 1], op.argument)
    return Mutant(ops, "\n".join(lines))


def _name_pipes(op: SynchronisationOp) -> list[str]:
    return [word for word in op.subject.split() if re.fullmatch(r"S|V|M|FIX|ALL|MTE\d", word)]


def _remove_op(line: str, argument: int | None) -> str:
    if argument is None:
        return ""
    if argument == UNIT_FLAG:
        return UNIT_FLAG_MODE.sub(NO_UNIT_FLAG, line)
    return _remove_event(line, argument)


def _find_events(line: str) -> list[re.Match[str]]:
    """The operands of a macro that are the events it waits for and sets."""
    macro = MACRO.search(line)
    if not macro:
        return []
    segments = [int(count) for count in macro.group(2).split(",")]
    if segments[EVENTS_SEGMENT] == 0:
        return []
    first = sum(segments[:EVENTS_SEGMENT])
    operands = list(re.compile(r"%[\w#]+").finditer(line, macro.start(1), macro.end(1)))
    return operands[first : first + EVENTS]


def _remove_event(line: str, argument: int) -> str:
    operand = _find_events(line)[argument]
    name = f"%no_event_{argument}"
    return f"{name} = {NO_EVENT} {line[: operand.start()]}{name}{line[operand.end() :]}"


def _join_answers(
    runs: Sequence[tuple[Sequence[Executed], Order]],
) -> Iterator[set[tuple[int, int | None]]]:
    """The places of sets and waits that answer each other, directly or through others."""
    groups: dict[tuple[int, int | None], set[tuple[int, int | None]]] = defaultdict(set)
    for run, order in runs:
        for wait, sets in order.answers.items():
            places = [(run[index].line, run[index].argument) for index in (wait, *sets)]
            joined = set().union(*(groups[place] | {place} for place in places))
            for place in joined:
                groups[place] = joined
    seen: set[tuple[int, int | None]] = set()
    for place, group in groups.items():
        if place not in seen:
            seen |= group
            yield group
