"""What becomes of mutants: by the machine's checks, and by two oracles that know nothing of them.

The first oracle runs the mutant with its pipes in random orders that the remaining flags allow and
compares what is written, bit by bit. The second takes the run of the kernel as compiled, leaves the
removed instructions out and asks whether each dependence is still ordered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from npu_autokernel.machine import ExecutionOptions, MachineFault, Program, execute, load_program
from tests.machine.corpus.entry import CorpusKernel, Value
from tests.machine.corpus.running import SOC, copy_values, draw_values, launch, pass_values
from tests.machine.dependences import Broken, Dependences
from tests.machine.executed import Executed, Recorder
from tests.machine.mutants import Mutant, find_macro_lines, list_mutants

CHECKED = ExecutionOptions(check_uninitialised=True, check_races=True)
MOST_BLOCKS = 8
# What a mutant loses: balance, so that every order stops or leaves a flag set; a result, in some
# order of the pipes; the order of two accesses to the same bytes; or none of these.
KINDS = ("unbalanced", "differs", "between pipes", "within a pipe", "nothing")


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
        """Whether an order of the pipes faults or writes something else, bit by bit.

        Every other seed also lets instructions of a pipe overtake each other.
        """
        written = copy_values(self.inputs)
        options = replace(
            choose_last_block(self.entry), interleaving_seed=seed, overlapped=seed % 4 >= 2
        )
        if launch(program, self.entry, written, options).fault is not None:
            return True
        return any(not _equal_bits(written[name], value) for name, value in self.expected.items())

    def find_difference(self, program: Program, seeds: int) -> int | None:
        """The first of `seeds` seeds under which the program differs."""
        return next((seed for seed in range(seeds) if self.differs(program, seed)), None)

    def record_block(self, program: Program, block: int, text: str) -> list[Executed]:
        """What `block` executes in program order."""
        recorder, written = Recorder(find_macro_lines(text)), copy_values(self.inputs)
        report = execute(
            program,
            self.entry.grid,
            pass_values(written),
            soc=SOC,
            options=ExecutionOptions(blocks=(block,)),
            on_step=recorder,
        )
        assert report.fault is None, report.fault
        return recorder.finish()


def prepare_runs(entry: CorpusKernel, program: Program) -> Runs:
    """Runs the last block of the unmodified program once, in program order."""
    inputs = draw_values(entry, 0)
    expected = copy_values(inputs)
    report = launch(program, entry, expected, choose_last_block(entry))
    assert report.fault is None, report.fault
    return Runs(entry, inputs, expected)


def choose_last_block(entry: CorpusKernel) -> ExecutionOptions:
    return ExecutionOptions(blocks=(math.prod(entry.grid) - 1,))


def choose_recorded_blocks(entry: CorpusKernel) -> list[int]:
    """All blocks of a small grid; of a large one some, the first and the last with them."""
    count = math.prod(entry.grid)
    parts = min(count, MOST_BLOCKS) - 1
    return sorted({part * (count - 1) // max(parts, 1) for part in range(parts + 1)})


@dataclass(frozen=True)
class Finding:
    """What became of one mutant: the code the machine reports, and what the oracles say.

    `loss`: what the dependences say, one of KINDS. `differs`: some order of the pipes faults or
    writes something else.
    """

    mutant: Mutant
    reported: str | None
    loss: str
    differs: bool

    @property
    def kind(self) -> str:
        return "differs" if self.differs and self.loss != "unbalanced" else self.loss

    @property
    def is_odd(self) -> bool:
        """The checks and the oracles, or the oracles, do not agree."""
        is_harmless = self.loss == "nothing"
        return is_harmless == (self.reported is not None) or (is_harmless and self.differs)

    def __str__(self) -> str:
        differs = "differs" if self.differs else "same results"
        return f"{self.mutant}: {self.loss}, {differs}, {self.reported or 'not reported'}"


def study_mutants(runs: Runs, program: Program, text: str, seeds: int) -> Iterator[Finding]:
    """A finding for every mutant that takes out something that a recorded block executes.

    Mutants whose flags do not balance are not run in other orders: no order is right.
    """
    blocks = choose_recorded_blocks(runs.entry)
    dependences = [Dependences(runs.record_block(program, block, text)) for block in blocks]
    for mutant in list_mutants(text, [(each.run, each.order) for each in dependences]):
        changed = load_program(mutant.text)
        assert isinstance(changed, Program), changed
        fault = runs.ask_machine(changed)
        broken = [each.find_broken(_find_lost(each.run, mutant)) for each in dependences]
        loss = _name_loss(broken)
        differs = loss == "unbalanced" or runs.find_difference(changed, seeds) is not None
        yield Finding(mutant, None if fault is None else fault.code, loss, differs)


def _find_lost(run: Sequence[Executed], mutant: Mutant) -> set[int]:
    places = {op.place for op in mutant.removed}
    return {index for index, step in enumerate(run) if (step.line, step.argument) in places}


def _name_loss(broken: Sequence[Broken]) -> str:
    """The worst of what the blocks' dependences say."""
    if any(each.is_unbalanced for each in broken):
        return "unbalanced"
    if any(each.between_pipes for each in broken):
        return "between pipes"
    return "within a pipe" if any(each.within_pipe for each in broken) else "nothing"


def _equal_bits(left: Value, right: Value) -> bool:
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
        return left == right
    return torch.equal(left.flatten().view(torch.uint8), right.flatten().view(torch.uint8))
