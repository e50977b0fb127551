"""Repair rules: from a verdict's reason to schedule moves, most promising first. One table.

A rule names moves of `tile.schedule` and how many are applied before the next trial: an overflow by a factor of
five asks for three halvings at once, not for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule, apply_move, list_moves
from npu_autokernel.verdict import Verdict

Evidence = Mapping[str, object]


@dataclass(frozen=True)
class Repair:
    """Apply the first of `moves` that the schedule has, `count` times in all."""

    moves: tuple[str, ...]
    count: int = 1


SHRINK = ("halve_rows", "halve_columns", "loop_reduction", "disable_multi_buffer")
GROW = ("double_columns", "double_rows")


def _count_halvings(evidence: Evidence) -> int:
    """Halvings until what is needed fits: ceil(log2(needed / available)), at least one."""
    needed, available = evidence.get("needed_bits"), evidence.get("available_bits")
    if not isinstance(needed, int) or not isinstance(available, int) or available <= 0:
        return 1
    return max(1, (-(-needed // available) - 1).bit_length())


def _once(evidence: Evidence) -> int:
    return 1


RULES: Mapping[str, tuple[tuple[str, ...], Callable[[Evidence], int]]] = {
    "compile.ub_overflow": (SHRINK, _count_halvings),
    "compile.l1_overflow": (SHRINK, _count_halvings),
    "compile.l0c_overflow": (("halve_rows", "halve_columns"), _count_halvings),
    "compile.tensor_too_large": (("halve_rows", "halve_columns", "loop_reduction"), _once),
    "compile.timeout": (("halve_columns", "halve_rows"), _once),
    "compile.abort": (("swap_axes", "disable_multi_buffer", "halve_columns"), _once),
    "compile.unsupported_op": (("swap_axes", "loop_reduction", "whole_reduction"), _once),
    "launch.grid": (GROW, _once),
    "machine.l0_trap": (("halve_rows", "halve_columns"), _once),
    "machine.step_limit": (GROW, _once),
    "machine.race": (("disable_multi_buffer",), _once),
}


def find_repair(verdict: Verdict) -> Repair | None:
    """What to try after this verdict, or None where no rule knows better."""
    rule = RULES.get(verdict.reason)
    if rule is None:
        return None
    moves, count = rule
    return Repair(moves, count(dict(verdict.evidence)))


def apply_repair(program: TileProgram, schedule: Schedule, repair: Repair) -> Schedule:
    """The schedule after the repair; unchanged where it has none of the moves."""
    for _ in range(repair.count):
        available = {move.name: move for move in list_moves(program, schedule)}
        chosen = next((name for name in repair.moves if name in available), None)
        if chosen is None:
            break
        schedule = apply_move(schedule, available[chosen])
    return schedule
