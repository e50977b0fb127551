"""The summary of a launch, word for word, and that a real one adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from npu_autokernel.report.summary import summarise_launch
from tests.report.traced import SOC_NAME, make_launch, time_mix, time_softmax


def test_the_summary_of_a_launch(check_golden: Callable[[str, str], None]) -> None:
    check_golden("report/summary.txt", summarise_launch(make_launch(), SOC_NAME))


def test_a_launch_without_waits_says_so() -> None:
    launch = make_launch()
    quiet = replace(launch, timing=replace(launch.timing, waits=()))
    assert "no pipe waits for another" in summarise_launch(quiet, SOC_NAME)


def test_the_busiest_lines_are_quoted() -> None:
    output = summarise_launch(time_mix(), SOC_NAME)
    assert "busiest source lines of the first block" in output
    assert "total += tl.dot(left, right)" in output
    assert "busiest source lines" not in summarise_launch(time_softmax(), SOC_NAME)


def test_instructions_without_a_line_say_so() -> None:
    launch = replace(make_launch(), source_lines=(0, 0, 3))
    assert "    no line        0.15 us" in summarise_launch(launch, SOC_NAME)


def test_the_longest_waits_come_first() -> None:
    lines = summarise_launch(make_launch(), SOC_NAME).splitlines()
    waits = [line.split() for line in lines if " for " in line]
    assert [(wait[0], wait[2]) for wait in waits] == [("mte3", "vector"), ("vector", "mte2")]


def test_kinds_of_cores_that_ran_nothing_are_not_shown() -> None:
    assert "cube core" not in summarise_launch(time_softmax(), SOC_NAME)
    assert "cube core" in summarise_launch(time_mix(), SOC_NAME)
