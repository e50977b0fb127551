"""Busiest source lines: what each pipe did is counted once, for the line it comes from."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from npu_autokernel.report.busy_lines import BusyLine, list_busy_lines
from npu_autokernel.report.timeline import make_timeline
from tests.report.traced import SOC_NAME, make_launch, time_mix, time_softmax


def test_time_goes_to_the_line_and_pipe_it_was_spent_for() -> None:
    first, second = list_busy_lines(make_launch())
    # The second load takes the pipe over from the first one, which is not done yet.
    assert first == BusyLine(3, (("mte2", pytest.approx(0.9)),))
    assert second == BusyLine(1, (("vector", pytest.approx(0.15)),))


def test_the_lines_add_up_to_the_slices_of_the_timeline() -> None:
    launch = time_mix()
    slices: Counter[tuple[int, str]] = Counter()
    for event in make_timeline([launch], SOC_NAME)["traceEvents"]:
        if event["ph"] == "X":
            slices[event["args"]["source_line"], event["cat"]] += event["dur"]
    busy = {
        (line.source_line, pipe): us
        for line in list_busy_lines(launch)
        for pipe, us in line.pipe_us
    }
    assert busy == pytest.approx(dict(slices))


def test_the_busiest_line_comes_first() -> None:
    totals = [line.total_us for line in list_busy_lines(time_mix())]
    assert len(totals) > 3 and totals == sorted(totals, reverse=True)


def test_a_dump_without_locations_has_no_lines() -> None:
    assert list_busy_lines(time_softmax()) == ()
    assert list_busy_lines(replace(make_launch(), source_lines=())) == ()


def test_what_comes_from_no_line_is_counted_apart() -> None:
    launch = replace(make_launch(), source_lines=(0, 0, 3))
    assert [line.source_line for line in list_busy_lines(launch)] == [3, 0]
