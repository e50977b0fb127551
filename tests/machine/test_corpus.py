"""Every corpus kernel, compiled and run with all checks on, agrees with its oracle."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import copy_values, draw_values, find_differences, launch

INSTRUCTION = re.compile(r'"(?:hivm\.hir\.(?!pointer_cast|get_)\w+|memref\.(?:load|store))"\(')


@pytest.mark.parametrize("entry", KERNELS, ids=str)
def test_kernel_agrees_with_its_oracle(entry: CorpusKernel) -> None:
    program = load_entry(entry)
    for seed in (0, 1):
        before = draw_values(entry, seed)
        after = copy_values(before)
        report = launch(program, entry, after)
        assert report.fault is None, report.fault
        assert find_differences(entry, before, after) == []


@pytest.mark.parametrize("entry", KERNELS, ids=str)
def test_every_instruction_comes_from_a_line_of_its_source(entry: CorpusKernel) -> None:
    program, dump = load_entry(entry), compile_entry(entry)
    assert isinstance(dump, HivmDump)
    path = Path(inspect.getfile(entry.function.fn))
    last_line = path.read_text(encoding="utf-8").count("\n")
    for number, line in enumerate(dump.text.splitlines(), 1):
        if INSTRUCTION.search(line):
            assert 0 < program.find_source_line(number) <= last_line, line
    # A dump is stored: it names files, not the folders they were compiled in.
    assert f'loc("{path.name}":' in dump.text and str(path.parent) not in dump.text


def test_names_are_unique() -> None:
    names = [entry.name for entry in KERNELS]
    assert len(names) == len(set(names))
