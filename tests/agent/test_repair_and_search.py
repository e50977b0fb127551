"""Repair rules and the order of moves: pure functions over schedules and verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from npu_autokernel.agent.repair import RULES, Repair, apply_repair, find_repair
from npu_autokernel.agent.search import PREFERRED_MOVES, order_moves
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import explain_reason, refuse
from npu_autokernel.tile.draft import draft_program
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule, list_moves
from npu_autokernel.tile.start import start_schedule
from npu_autokernel.verify.reply import reply_refused
from tests.contracts import MEASUREMENT
from tests.graph.tracing import build

SOC = get_soc("Ascend910B1")


def draft(reduces: bool) -> tuple[TileProgram, Schedule]:
    function = (lambda x: torch.softmax(x, -1)) if reduces else (lambda x, y: x + y)
    inputs = (torch.randn(64, 1000),) if reduces else (torch.randn(64, 1000), torch.randn(1000))
    task = build(function, *inputs)
    program = draft_program(task)
    assert isinstance(program, TileProgram)
    schedule = start_schedule(program, dict(task.hints), SOC)
    assert isinstance(schedule, Schedule)
    return program, schedule


def judge(code: str, **evidence: int) -> Repair | None:
    return find_repair(reply_refused(refuse(code, **evidence), "screen").verdict)


@pytest.mark.parametrize(
    ("needed", "halvings"), [(1572865, 1), (2097152, 1), (3145728, 1), (3145729, 2), (16777216, 4)]
)
def test_an_overflow_shrinks_by_what_is_missing(needed: int, halvings: int) -> None:
    repair = judge("compile.ub_overflow", needed_bits=needed, available_bits=1572864)
    assert repair is not None
    assert repair.count == halvings


def test_a_shrunken_tile_is_smaller_by_that_factor() -> None:
    program, schedule = draft(reduces=False)
    schedule = replace(schedule, rows=4, columns=1024)
    repaired = apply_repair(program, schedule, Repair(("halve_rows", "halve_columns"), 3))
    assert repaired.rows * repaired.columns * 8 == schedule.rows * schedule.columns
    assert repaired.rows == 1


def test_a_whole_row_that_cannot_shrink_is_looped_over() -> None:
    program, schedule = draft(reduces=True)
    schedule = replace(schedule, rows=1)
    assert schedule.reduction == "whole"
    repair = judge("compile.ub_overflow", needed_bits=1572865, available_bits=1572864)
    assert repair is not None
    assert apply_repair(program, schedule, repair).reduction == "looped"


def test_without_a_rule_there_is_no_repair() -> None:
    assert judge("match.input_mutated", input=0) is None


def test_a_repair_without_a_fitting_move_changes_nothing() -> None:
    program, schedule = draft(reduces=False)
    assert apply_repair(program, schedule, Repair(("no_such_move",))) == schedule


def test_every_rule_is_for_a_reason_of_the_table() -> None:
    assert all(explain_reason(code).gate for code in RULES)


@pytest.mark.parametrize("reduces", [False, True])
def test_every_named_move_exists_for_some_schedule(reduces: bool) -> None:
    named = {name for moves, _ in RULES.values() for name in moves}
    named |= {name for moves in PREFERRED_MOVES.values() for name in moves}
    existing: set[str] = set()
    for is_reducing in (False, True):
        program, schedule = draft(is_reducing)
        forms = [schedule, replace(schedule, multi_buffer=False, rows=8)]
        if is_reducing:
            forms.append(replace(schedule, reduction="looped"))
        existing |= {move.name for form in forms for move in list_moves(program, form)}
    assert named <= existing


def test_moves_against_the_bottleneck_come_first_and_none_is_lost() -> None:
    program, schedule = draft(reduces=False)
    moves = list_moves(program, replace(schedule, rows=8))
    for bottleneck, preferred in PREFERRED_MOVES.items():
        ordered = order_moves(moves, replace(MEASUREMENT, bottleneck=bottleneck))  # type: ignore[arg-type]
        assert sorted(move.name for move in ordered) == sorted(move.name for move in moves)
        expected = [name for name in preferred if name in {move.name for move in moves}]
        assert [move.name for move in ordered][: len(expected)] == expected
