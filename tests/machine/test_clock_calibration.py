"""The clock against documented measurements: the promises of docs/calibration.md."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from benchmarks.calibration import list_comparison_lines, list_median_lines
from npu_autokernel.machine.calibration.cases import (
    load_cases,
    load_not_expressed,
    load_ordered_pairs,
    read_case,
)
from npu_autokernel.machine.calibration.fit import Sensitivity, solve_changes
from npu_autokernel.machine.calibration.run import (
    Comparison,
    check_order,
    compare_case,
    median_errors,
)
from npu_autokernel.machine.clock_constants import CONSTANTS, SOURCES, ClockConstants

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"


@pytest.fixture(scope="module")
def comparisons() -> list[Comparison]:
    return [item for case in load_cases() for item in compare_case(case)]


@pytest.mark.parametrize(
    ("accuracy", "limit"), [("vector", 0.03), ("copy", 0.06), ("cube", 0.03), ("whole", 0.08)]
)
def test_median_error_of_each_class(
    comparisons: list[Comparison], accuracy: str, limit: float
) -> None:
    error, count = median_errors(comparisons)[accuracy]
    assert count >= 10
    assert error <= limit


def replace_block(page: str, name: str, lines: Iterable[str]) -> str:
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    before, rest = page.split(begin)
    _, after = rest.split(end)
    return before + begin + "\n".join(lines) + "\n" + end + after


def run_example(page: str) -> list[Comparison]:
    rows = json.loads(page.split("```json\n")[1].split("```")[0])
    return [item for row in rows for item in compare_case(read_case(row, "example"))]


def test_the_page_shows_the_values_of_today(
    comparisons: list[Comparison], request: pytest.FixtureRequest
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    fresh = replace_block(page, "calibration medians", list_median_lines(comparisons))
    fresh = replace_block(fresh, "calibration table", list_comparison_lines(comparisons))
    fresh = replace_block(fresh, "calibration example", list_comparison_lines(run_example(fresh)))
    if request.config.getoption("--update-golden"):
        PAGE.write_text(fresh, encoding="utf-8")
        page = fresh
    assert page == fresh


def test_every_documented_pair_keeps_its_order(comparisons: list[Comparison]) -> None:
    order = check_order(load_ordered_pairs(), comparisons)
    assert len(order) >= 25
    assert [pair for pair, right in order.items() if not right] == []


def test_short_kernels_are_kept_apart(comparisons: list[Comparison]) -> None:
    assert all(
        item.measured.accuracy == "tiny" or item.measured.metric not in ("latency_us", "core_us")
        for item in comparisons
        if item.measured.value is not None and item.measured.value < 20
    )


def test_every_case_is_well_formed() -> None:
    cases = load_cases()
    assert len({case.id for case in cases}) == len(cases)
    assert {case.id for case in cases}.isdisjoint(load_not_expressed())
    for case in cases:
        assert case.source and case.source_group
        assert all(measured.value for measured in case.measured)


def test_every_constant_has_a_source_and_no_row_decides_alone() -> None:
    assert set(SOURCES) == {field.name for field in fields(ClockConstants)}
    ids = {case.id for case in load_cases()}
    fitted = [source.fitted_on for source in SOURCES.values() if source.fitted_on]
    assert all(len(set(rows)) >= 3 and set(rows) <= ids for rows in fitted)
    assert 3 * len(fitted) <= len(ids)


def test_the_fit_finds_a_known_change() -> None:
    case = load_cases()[0]
    slopes = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 1.0], [1.0, 1.0]])
    errors = slopes @ np.array([0.1, -0.2])
    errors[3] = 2.0  # a row that the clock's form cannot reach
    sensitivity = Sensitivity(
        tuple(Comparison(case, case.measured[0], 1.0) for _ in errors), ("a", "b"), errors, slopes
    )
    assert solve_changes(sensitivity, np.ones(4)) == pytest.approx([-0.1, 0.2], abs=0.02)


def test_constants_reach_the_native_clock() -> None:
    case = next(case for case in load_cases() if case.id == "V01")
    slower = ClockConstants(vector_startup_cycles=2 * CONSTANTS.vector_startup_cycles)
    assert compare_case(case, slower)[0].predicted > 1.2 * compare_case(case)[0].predicted
