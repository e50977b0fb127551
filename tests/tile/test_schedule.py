"""Schedules: they fit UB, cover the space, and moves can be undone."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal
from npu_autokernel.size_expression import evaluate_condition, evaluate_size
from npu_autokernel.tile.draft import draft_program
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import (
    Schedule,
    apply_move,
    fits_ub,
    list_moves,
)
from npu_autokernel.tile.start import start_schedule
from npu_autokernel.tile.tiling import MIN_COLUMNS, fit_block
from npu_autokernel.tile.triton_printer import print_candidate
from tests.tile.tasks import EXAMPLES, bias_gelu, column_sum, gelu, layer_norm, softmax

SOC = get_soc("Ascend910B1")
EXTENTS = st.integers(2, 100_000)


def start(name: str, **symbols: int) -> tuple[TileProgram, Schedule]:
    program = draft_program(EXAMPLES[name]())
    assert isinstance(program, TileProgram)
    schedule = start_schedule(program, symbols, SOC)
    assert isinstance(schedule, Schedule), schedule
    return program, schedule


@pytest.mark.parametrize("name", EXAMPLES)
@given(s0=EXTENTS, s1=EXTENTS, s2=EXTENTS)
def test_start_schedules_fit_ub_and_cover_the_space(name: str, s0: int, s1: int, s2: int) -> None:
    s1 = s1 * 4
    program, schedule = start(name, s0=s0, s1=s1, s2=s2)
    assert fits_ub(program, schedule, SOC)
    plan = print_candidate(program, schedule, EXAMPLES[name]()).plan
    sizes = {"s0": s0, "s1": s1, "s2": s2, "num_cores": SOC.vector_cores}
    assert all(evaluate_condition(condition, sizes) for condition in plan.requires)
    assert 1 <= evaluate_size(plan.launches[0].grid[0], sizes) <= SOC.vector_cores


@given(st.integers(1, 1 << 20))
def test_blocks_are_tight(extent: int) -> None:
    block = fit_block(extent)
    assert extent <= block <= max(MIN_COLUMNS, extent * 5 // 4 + MIN_COLUMNS)
    assert block % MIN_COLUMNS == 0
    assert fit_block(block) == block


def test_a_large_elementwise_kernel_uses_every_core_with_wide_tiles() -> None:
    program, schedule = start("gelu", s0=3072, s1=1024)
    assert schedule.columns * 4 >= 16 << 10
    grid = print_candidate(program, schedule, gelu()).plan.launches[0].grid[0]
    sizes = {"s0": 3072, "s1": 1024, "num_cores": 48}
    assert evaluate_size(grid, sizes) == 48


def test_a_row_that_fits_is_held_whole_and_a_long_one_is_looped_over() -> None:
    assert start("softmax", s0=512, s1=1000)[1].reduction == "whole"
    assert start("softmax", s0=512, s1=1_000_000)[1].reduction == "looped"


def test_columns_lie_along_contiguous_memory() -> None:
    program, schedule = start("column_sum", s0=300, s1=2048)
    assert program.find_axis(schedule.column_axis).extent == "s1"
    assert schedule.row_axis is not None and program.find_axis(schedule.row_axis).is_reduced


@pytest.mark.parametrize("make", [gelu, bias_gelu, softmax, layer_norm, column_sum])
def test_moves_can_be_undone(make: object) -> None:
    program = draft_program(make())  # type: ignore[operator]
    assert isinstance(program, TileProgram)
    schedule = start_schedule(program, {"s0": 1000, "s1": 384}, SOC)
    assert isinstance(schedule, Schedule)
    moves = list_moves(program, schedule)
    assert len({move.name for move in moves}) == len(moves) > 2
    for move in moves:
        moved = apply_move(schedule, move)
        assert moved != schedule
        assert apply_move(moved, move.inverse()) == schedule


def test_no_schedule_where_ub_is_too_small() -> None:
    program = draft_program(layer_norm())
    assert isinstance(program, TileProgram)
    tiny = dataclasses.replace(SOC, ub_bytes=256)
    refusal = start_schedule(program, {"s0": 1000, "s1": 384}, tiny)
    assert isinstance(refusal, Refusal) and refusal.code == "draft.no_schedule"


def test_small_work_is_left_to_few_cores() -> None:
    """A launch on every core costs some microseconds, more than such work takes on one."""

    def count_programs(**symbols: int) -> int:
        program, schedule = start("layer_norm", **symbols)
        grid = print_candidate(program, schedule, layer_norm()).plan.launches[0].grid[0]
        return evaluate_size(grid, {**symbols, "num_cores": SOC.vector_cores})

    assert count_programs(s0=16, s1=384) <= 4
    assert count_programs(s0=8192, s1=384) == SOC.vector_cores
