"""Cases: which shapes and values a plan is tried on."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from npu_autokernel.candidate import LaunchPlan
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.launch_sizes import bind_sizes, find_unmet_condition
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.verify.cases import (
    MOST_PROGRAMS,
    ODD_ELEMENTS,
    PROVE_ELEMENTS,
    SCREEN_ELEMENTS,
    Case,
    list_cases,
)
from npu_autokernel.verify.data import VALUE_SETS
from tests.verify.corpus import FOLDER, load_kernel

SOC = get_soc("Ascend910B1")
SOFTMAX = load_kernel(FOLDER / "honest/softmax.triton")
DOUBLE = load_kernel(FOLDER / "honest/double.triton")


def ask(task: KernelTask, **extents: int) -> KernelTask:
    return replace(task, hints=tuple(extents.items()))


def list_shapes(cases: tuple[Case, ...]) -> set[tuple[int, ...]]:
    return {tuple(value for _, value in case.symbols) for case in cases}


def test_a_screen_tries_the_asked_shape_and_an_odd_one() -> None:
    cases = list_cases(DOUBLE.task, DOUBLE.candidate.plan, SOC, "screen", 0)
    assert [case.poisons for case in cases] == [1, 1]
    assert dict(cases[0].symbols) == dict(DOUBLE.task.hints)
    assert len(list_shapes(cases)) == 2


def test_a_proof_tries_many_shapes_all_values_and_two_poisons() -> None:
    cases = list_cases(DOUBLE.task, DOUBLE.candidate.plan, SOC, "prove", 0)
    shapes = list_shapes(cases)
    assert len(shapes) >= 6
    assert {case.values for case in cases} == set(VALUE_SETS)
    assert sum(case.poisons == 2 for case in cases) >= 6
    magnitudes = {round(math.log2(math.prod(shape))) for shape in shapes}
    assert len(magnitudes) >= 3
    assert any(columns % 16 for _, columns in shapes)


@pytest.mark.parametrize("seed", range(5))
def test_shapes_meet_the_plan_s_conditions(seed: int) -> None:
    plan = replace(SOFTMAX.candidate.plan, requires=("s1 <= 1000", "s1 >= 513"))
    for case in list_cases(SOFTMAX.task, plan, SOC, "prove", seed):
        sizes = bind_sizes(SOFTMAX.task, dict(case.symbols), SOC)
        assert find_unmet_condition(plan, sizes) is None


def test_folded_constants_keep_the_value_they_were_compiled_with() -> None:
    (launch,) = SOFTMAX.candidate.plan.launches
    launch = replace(launch, constants=(("BLOCK", "next_power_of_2(s1)"),))
    plan = LaunchPlan((launch,), output_fills=(None,))
    cases = list_cases(SOFTMAX.task, plan, SOC, "prove", 0)
    assert len(list_shapes(cases)) > 3
    assert all(512 < dict(case.symbols)["s1"] <= 1024 for case in cases)


@pytest.mark.parametrize(
    ("depth", "limit"), [("screen", SCREEN_ELEMENTS), ("prove", PROVE_ELEMENTS)]
)
def test_large_shapes_are_scaled_down(depth: str, limit: int) -> None:
    task = ask(DOUBLE.task, s0=1 << 14, s1=5000)
    asked, *others = list_cases(task, DOUBLE.candidate.plan, SOC, depth, 0)  # type: ignore[arg-type]
    assert limit / 4 < math.prod(value for _, value in asked.symbols) <= limit
    for case in others:
        assert math.prod(value for _, value in case.symbols) <= ODD_ELEMENTS


def test_grids_are_scaled_down_too() -> None:
    task = ask(SOFTMAX.task, s0=60000, s1=4)
    asked = list_cases(task, SOFTMAX.candidate.plan, SOC, "screen", 0)[0]
    assert dict(asked.symbols)["s0"] <= MOST_PROGRAMS


def test_a_plan_for_one_shape_only_is_tried_on_that() -> None:
    plan = replace(DOUBLE.candidate.plan, requires=("s0 == 48", "s1 == 1000"))
    assert list_shapes(list_cases(DOUBLE.task, plan, SOC, "prove", 0)) == {(48, 1000)}


def test_the_seed_decides_the_cases() -> None:
    first, second, other = (
        list_cases(DOUBLE.task, DOUBLE.candidate.plan, SOC, "prove", seed) for seed in (3, 3, 4)
    )
    assert first == second
    assert list_shapes(first) != list_shapes(other)
