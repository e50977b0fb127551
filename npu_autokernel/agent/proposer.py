"""Who writes candidates: one interface, and the built-in proposer over the tile drafter.

The built-in proposer drafts from the start schedule, repairs by rule after a failure, and refines by the moves
of `search`. It needs no model and is deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from npu_autokernel.agent.attempts import Attempt, Stage
from npu_autokernel.agent.repair import apply_repair, find_repair
from npu_autokernel.agent.search import order_moves
from npu_autokernel.candidate import Candidate, Provenance
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine.soc import SocTable
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.tile.draft import draft_program
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule, apply_move, fits_ub, list_moves
from npu_autokernel.tile.start import start_schedule
from npu_autokernel.tile.triton_printer import print_candidate

BUILT_IN = "built-in"


@dataclass(frozen=True)
class ProposalContext:
    """What a proposer may look at: sizes, chip, and all attempts of the episode, oldest first."""

    symbols: Mapping[str, int]
    soc: SocTable
    attempts: tuple[Attempt, ...] = ()

    @property
    def best(self) -> Attempt | None:
        """The fastest feasible attempt, or None."""
        feasible = [attempt for attempt in self.attempts if attempt.is_feasible]
        return min(feasible, key=lambda attempt: attempt.latency_us, default=None)


class Proposer(Protocol):
    """Proposes the next candidate of a stage, or says why it has none."""

    def propose(
        self, task: KernelTask, stage: Stage, context: ProposalContext
    ) -> Candidate | Refusal: ...


class BuiltInProposer:
    """Candidates printed from schedules; it remembers which schedule each came from. One per episode."""

    def __init__(self) -> None:
        self._program: TileProgram | Refusal | None = None
        self._schedules: dict[str, Schedule] = {}
        self._tried: set[Schedule] = set()

    def propose(
        self, task: KernelTask, stage: Stage, context: ProposalContext
    ) -> Candidate | Refusal:
        """The next untried schedule as a candidate; `draft.exhausted` when there is none."""
        if self._program is None:
            self._program = draft_program(task)
        if isinstance(self._program, Refusal):
            return self._program
        if not context.attempts:
            start = start_schedule(self._program, context.symbols, context.soc)
            return start if isinstance(start, Refusal) else self._print(task, start, None)
        parent = context.attempts[-1] if stage == "draft" else context.best
        schedule = self._schedules.get(parent.candidate.digest()) if parent else None
        if parent is None or schedule is None:
            return refuse("draft.exhausted", stage=stage)
        following = self._repair(schedule, parent) if stage == "draft" else None
        if stage == "refine":
            following = self._refine(schedule, parent, context)
        if following is None:
            return refuse("draft.exhausted", stage=stage)
        return self._print(task, following, parent)

    def _repair(self, schedule: Schedule, failed: Attempt) -> Schedule | None:
        assert isinstance(self._program, TileProgram)
        repair = find_repair(failed.reply.verdict)
        if repair is None:
            return None
        repaired = apply_repair(self._program, schedule, repair)
        return repaired if repaired not in self._tried else None

    def _refine(
        self, schedule: Schedule, best: Attempt, context: ProposalContext
    ) -> Schedule | None:
        assert isinstance(self._program, TileProgram)
        moves = list_moves(self._program, schedule)
        for move in order_moves(moves, best.reply.measurement):
            following = apply_move(schedule, move)
            if following not in self._tried and fits_ub(self._program, following, context.soc):
                return following
        return None

    def _print(
        self, task: KernelTask, schedule: Schedule, parent: Attempt | None
    ) -> Candidate | Refusal:
        assert isinstance(self._program, TileProgram)
        self._tried.add(schedule)
        candidate = print_candidate(self._program, schedule, task)
        digest = parent.candidate.digest() if parent else None
        candidate = replace(candidate, provenance=Provenance(BUILT_IN, digest))
        self._schedules[candidate.digest()] = schedule
        return candidate
