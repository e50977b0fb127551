"""Triton source and launch plan: golden text, and the plan's agreement with the source."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.tile.draft import draft_program
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule, apply_move, list_moves
from npu_autokernel.tile.start import start_schedule
from npu_autokernel.tile.triton_printer import print_candidate
from tests.tile.tasks import EXAMPLES, layer_norm, softmax

SOC = get_soc("Ascend910B1")


def make_candidate(task: KernelTask, *moves: str) -> Candidate:
    program = draft_program(task)
    assert isinstance(program, TileProgram)
    schedule = start_schedule(program, dict(task.hints), SOC)
    assert isinstance(schedule, Schedule)
    for name in moves:
        move = next(move for move in list_moves(program, schedule) if move.name == name)
        schedule = apply_move(schedule, move)
    return print_candidate(program, schedule, task)


@pytest.mark.parametrize("name", EXAMPLES)
def test_sources_print_as_golden(name: str, check_golden: Callable[[str, str], None]) -> None:
    check_golden(f"tile/{name}.triton.py.txt", make_candidate(EXAMPLES[name]()).source)


@pytest.mark.parametrize("make", [softmax, layer_norm])
def test_looped_sources_print_as_golden(
    make: Callable[[], KernelTask], check_golden: Callable[[str, str], None]
) -> None:
    source = make_candidate(make(), "loop_reduction", "halve_columns").source
    check_golden(f"tile/{make.__name__}_looped.triton.py.txt", source)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_plan_names_the_kernels_parameters_in_order(name: str) -> None:
    candidate = make_candidate(EXAMPLES[name]())
    launch = candidate.plan.launches[0]
    tree = ast.parse(candidate.source)
    kernel = next(
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == launch.entry
    )
    names = [argument.arg for argument in kernel.args.args]
    planned = [argument.parameter for argument in launch.arguments]
    assert names == planned + [constant for constant, _ in launch.constants]


def test_printing_is_deterministic_and_candidates_survive_json() -> None:
    candidate = make_candidate(layer_norm())
    assert candidate == make_candidate(layer_norm())
    assert Candidate.from_json(candidate.to_json()) == candidate


def test_a_whole_reduction_states_what_it_requires() -> None:
    assert make_candidate(softmax()).plan.requires == ("s1 <= 384",)
    assert make_candidate(softmax(), "loop_reduction").plan.requires == ()


def test_no_mask_is_printed_where_padding_is_neutral() -> None:
    assert "tl.where" not in make_candidate(softmax()).source
    assert "tl.where(column_in" in make_candidate(layer_norm()).source
