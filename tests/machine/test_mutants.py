"""A kernel that loses one synchronisation is reported: a small part of benchmarks/mutation.py."""

from __future__ import annotations

import pytest

from npu_autokernel.machine import ExecutionOptions
from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import draw_values, launch
from tests.machine.mutants import prepare_runs, study_mutants

STUDIED = (
    "add_fp32",
    "softmax_row",
    "sum_rows_in_parts",
    "cumulative_sum",
    "multiply_tiles_of_16",
    "multiply_exponential",
)
SEEDS = 20


@pytest.mark.parametrize("entry", KERNELS, ids=str)
def test_no_kernel_as_compiled_has_a_race(entry: CorpusKernel) -> None:
    options = ExecutionOptions(check_races=True)
    assert launch(load_entry(entry), entry, draw_values(entry, 2), options).fault is None


@pytest.mark.parametrize("name", STUDIED)
def test_a_removal_that_changes_a_result_is_reported(name: str) -> None:
    entry = next(entry for entry in KERNELS if entry.name == name)
    dump = compile_entry(entry)
    assert isinstance(dump, HivmDump)
    findings = list(study_mutants(prepare_runs(entry, load_entry(entry)), dump.text, SEEDS))
    assert [str(found) for found in findings if found.differs and not found.reported] == []
    assert any(found.reported == "machine.race" and found.differs for found in findings)
    pairs = [found for found in findings if found.mutant.is_pair]
    assert pairs and all(found.reported for found in pairs)


@pytest.mark.parametrize("name", STUDIED)
def test_the_order_of_pipes_changes_no_result(name: str) -> None:
    entry = next(entry for entry in KERNELS if entry.name == name)
    program = load_entry(entry)
    assert prepare_runs(entry, program).find_difference(program, SEEDS) is None
