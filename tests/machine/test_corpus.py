"""Every corpus kernel, compiled and run with all checks on, agrees with its oracle."""

from __future__ import annotations

import pytest

from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import copy_values, draw_values, find_differences, launch


@pytest.mark.parametrize("entry", KERNELS, ids=str)
def test_kernel_agrees_with_its_oracle(entry: CorpusKernel) -> None:
    program = load_entry(entry)
    for seed in (0, 1):
        before = draw_values(entry, seed)
        after = copy_values(before)
        report = launch(program, entry, after)
        assert report.fault is None, report.fault
        assert find_differences(entry, before, after) == []


def test_names_are_unique() -> None:
    names = [entry.name for entry in KERNELS]
    assert len(names) == len(set(names))
