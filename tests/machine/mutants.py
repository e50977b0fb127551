"""Mutants of dumps: the same kernel with one synchronisation taken out.

Singles lose one op: a flag set or waited for, a barrier, a cross-core flag. Pairs lose a set and
the wait that answers it, so that flags stay balanced and only the order is gone.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from npu_autokernel.machine import ExecutionOptions, MachineFault, Program, load_program
from tests.machine.corpus.entry import CorpusKernel, Value
from tests.machine.corpus.running import copy_values, draw_values, launch

SYNCHRONISATION = re.compile(
    r'"hivm\.hir\.(set_flag|wait_flag|pipe_barrier|sync_block_set|sync_block_wait)"\((.*?)\)'
)
ATTRIBUTE = re.compile(r"(set_pipe|wait_pipe|pipe|tpipe|static_event_id|static_flag_id) = ([^,}]+)")
CHECKED = ExecutionOptions(check_uninitialised=True, check_races=True)
UNPASSABLE = (
    '"hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, '
    "static_event_id = #hivm.event<EVENT_ID7>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()"
)


@dataclass(frozen=True)
class SynchronisationOp:
    """One op of a dump: its line, what it does, and which flag or pipe it concerns."""

    line: int
    kind: str
    subject: str

    def __str__(self) -> str:
        return f"{self.kind}({self.subject})@{self.line}"


@dataclass(frozen=True)
class Mutant:
    """A dump without the ops `removed`."""

    removed: tuple[SynchronisationOp, ...]
    text: str

    @property
    def is_pair(self) -> bool:
        return len(self.removed) > 1

    def __str__(self) -> str:
        return " + ".join(map(str, self.removed))


def list_mutants(text: str) -> Iterator[Mutant]:
    """Every single, then every pair."""
    ops = list(find_synchronisation(text))
    for op in ops:
        yield remove_ops(text, (op,))
    for pair in match_pairs(ops):
        yield remove_ops(text, pair)


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


def match_pairs(
    ops: list[SynchronisationOp],
) -> Iterator[tuple[SynchronisationOp, SynchronisationOp]]:
    """The n-th set of a flag with its n-th wait, for flags that have as many of both."""
    for first, second in (("set_flag", "wait_flag"), ("sync_block_set", "sync_block_wait")):
        sets, waits = defaultdict(list), defaultdict(list)
        for op in ops:
            if op.kind == first:
                sets[op.subject].append(op)
            elif op.kind == second:
                waits[op.subject].append(op)
        for subject, found in sets.items():
            if len(found) == len(waits[subject]):
                yield from zip(found, waits[subject], strict=True)


def remove_ops(text: str, ops: tuple[SynchronisationOp, ...]) -> Mutant:
    """Blanks the ops' lines, so that other lines keep their numbers."""
    lines = text.split("\n")
    for op in ops:
        lines[op.line - 1] = ""
    return Mutant(ops, "\n".join(lines))


@dataclass(frozen=True)
class Runs:
    """A kernel with inputs, and what its last block writes when nothing is taken out.

    The last block has the ragged tiles. The checks see all blocks; running pipes in many orders is
    for one.
    """

    entry: CorpusKernel
    inputs: dict[str, Value]
    expected: dict[str, Value]

    def ask_machine(self, program: Program) -> MachineFault | None:
        """What the machine's checks say."""
        return launch(program, self.entry, copy_values(self.inputs), CHECKED).fault

    def differs(self, program: Program, seed: int) -> bool:
        """Whether an interleaving of the pipes faults or writes something else, bit by bit."""
        written = copy_values(self.inputs)
        options = replace(choose_last_block(self.entry), interleaving_seed=seed)
        if launch(program, self.entry, written, options).fault is not None:
            return True
        return any(not _equal_bits(written[name], value) for name, value in self.expected.items())

    def find_difference(self, program: Program, seeds: int) -> int | None:
        """The first of `seeds` seeds under which the program differs."""
        return next((seed for seed in range(seeds) if self.differs(program, seed)), None)

    def is_executed(self, text: str, op: SynchronisationOp) -> bool:
        """Whether any block reaches `op`: a wait that cannot pass, put there, stops it."""
        lines = text.split("\n")
        lines[op.line - 1] = UNPASSABLE
        program = _load("\n".join(lines))
        return launch(program, self.entry, copy_values(self.inputs)).fault is not None


def prepare_runs(entry: CorpusKernel, program: Program) -> Runs:
    """Runs the last block of the unmodified program once, in program order."""
    inputs = draw_values(entry, 0)
    expected = copy_values(inputs)
    report = launch(program, entry, expected, choose_last_block(entry))
    assert report.fault is None, report.fault
    return Runs(entry, inputs, expected)


def choose_last_block(entry: CorpusKernel) -> ExecutionOptions:
    return ExecutionOptions(blocks=(math.prod(entry.grid) - 1,))


@dataclass(frozen=True)
class Finding:
    """What became of one mutant: the code the machine reports, and whether the oracle differs."""

    mutant: Mutant
    reported: str | None
    differs: bool

    def __str__(self) -> str:
        oracle = "differs" if self.differs else "same results"
        return f"{self.mutant}: {self.reported or 'not reported'}, {oracle}"


def study_mutants(runs: Runs, text: str, seeds: int) -> Iterator[Finding]:
    """A finding for every mutant that takes out something that is executed.

    Mutants whose flags do not balance are not run in other orders: they stop in each.
    """
    executed = {op for op in find_synchronisation(text) if runs.is_executed(text, op)}
    for mutant in list_mutants(text):
        if executed.isdisjoint(mutant.removed):
            continue
        program = _load(mutant.text)
        fault = runs.ask_machine(program)
        code = None if fault is None else fault.code
        stops = code in ("machine.flag_unbalanced", "machine.deadlock")
        differs = stops or runs.find_difference(program, seeds) is not None
        yield Finding(mutant, code, differs)


def _load(text: str) -> Program:
    program = load_program(text)
    assert isinstance(program, Program), program
    return program


def _equal_bits(left: Value, right: Value) -> bool:
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
        return left == right
    return torch.equal(left.flatten().view(torch.uint8), right.flatten().view(torch.uint8))
