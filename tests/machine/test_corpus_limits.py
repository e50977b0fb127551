"""What must not pass does not: refusals of the tool chain, faults of launches, wrong compilations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from npu_autokernel.reasons import Refusal, explain_reason
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import Probe
from tests.machine.corpus.limits import FAULTY_LAUNCHES, PROBES, FaultyLaunch
from tests.machine.corpus.miscompiled import MISCOMPILATIONS, Miscompilation
from tests.machine.corpus.running import (
    CHECKED,
    copy_values,
    draw_values,
    find_differences,
    launch,
)

WRONG_RESULTS = tuple(case for case in MISCOMPILATIONS if not isinstance(case.as_emitted, str))


@pytest.mark.parametrize("probe", PROBES, ids=str)
def test_tool_chain_refuses_with_the_reason(probe: Probe) -> None:
    refusal = compile_entry(probe)
    assert isinstance(refusal, Refusal)
    assert refusal.code == probe.code, refusal.message


@pytest.mark.parametrize("case", FAULTY_LAUNCHES, ids=str)
def test_machine_stops_the_launch(case: FaultyLaunch) -> None:
    values = draw_values(case.entry, 0)
    options = replace(CHECKED, step_limit=case.step_limit)
    report = launch(load_entry(case.entry), case.entry, values, options)
    assert report.fault is not None
    assert report.fault.code == case.code, report.fault
    assert explain_reason(case.code)


@pytest.mark.parametrize("case", MISCOMPILATIONS, ids=str)
def test_wrong_compilation_is_caught(case: Miscompilation) -> None:
    before = draw_values(case.entry, 0)
    after = copy_values(before)
    options = replace(CHECKED, check_races=isinstance(case.as_emitted, str))
    fault = launch(load_entry(case.entry), case.entry, after, options).fault
    if isinstance(case.as_emitted, str):
        assert fault is not None and fault.code == case.as_emitted
    else:
        assert fault is None and find_differences(case.entry, before, after)


@pytest.mark.parametrize("case", WRONG_RESULTS, ids=str)
def test_machine_computes_what_was_emitted(case: Miscompilation) -> None:
    assert not isinstance(case.as_emitted, str)
    entry = replace(case.entry, oracle=case.as_emitted)
    before = draw_values(entry, 0)
    after = copy_values(before)
    assert launch(load_entry(entry), entry, after).fault is None
    assert find_differences(entry, before, after) == []


def test_a_wrong_element_is_found() -> None:
    entry = next(case.entry for case in WRONG_RESULTS if case.entry.name == "divide_integers")
    before = draw_values(entry, 0)
    after = copy_values(before)
    for name, expected in entry.oracle(**before).items():
        after[name][: len(expected)] = expected.to(after[name].dtype)
    assert find_differences(entry, before, after) == []
    last = after["count"] - 1
    for place in (last, last + 1):
        after["out"][place] += 1
        assert len(find_differences(entry, before, after)) == 1
        after["out"][place] -= 1
