"""A kernel that loses one synchronisation is reported: a small part of benchmarks/mutation.py."""

from __future__ import annotations

import pytest

from npu_autokernel.machine import Program, load_program
from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import draw_values, launch
from tests.machine.dependences import Broken, Dependences
from tests.machine.mutants import find_macro_lines, find_synchronisation, remove_ops
from tests.machine.mutation_study import CHECKED, Finding, prepare_runs, study_mutants

STUDIED = (
    "add_fp32",
    "softmax_row",
    "gelu_erf",
    "sum_rows_in_parts",
    "cumulative_sum",
    "multiply_tiles_of_16",
    "multiply_exponential",
    "softmax_of_product",
    "multiply_twice_unit_flag",
    "multiply_exponential_unsplit",
)
SEEDS = 20


def find_entry(name: str) -> CorpusKernel:
    return next(entry for entry in KERNELS if entry.name == name)


def read_dump(name: str) -> str:
    dump = compile_entry(find_entry(name))
    assert isinstance(dump, HivmDump)
    return dump.text


@pytest.mark.parametrize("entry", KERNELS, ids=str)
def test_no_kernel_as_compiled_is_reported_or_depends_on_the_order(entry: CorpusKernel) -> None:
    program = load_entry(entry)
    assert launch(program, entry, draw_values(entry, 2), CHECKED).fault is None
    assert prepare_runs(entry, program).find_difference(program, 4) is None


@pytest.mark.parametrize("name", STUDIED)
def test_the_checks_and_both_oracles_agree_on_every_mutant(name: str) -> None:
    entry = find_entry(name)
    program = load_entry(entry)
    findings = list(study_mutants(prepare_runs(entry, program), program, read_dump(name), SEEDS))
    assert [str(found) for found in findings if found.is_odd] == []
    assert any(found.kind == "differs" and _is_race(found) for found in findings)
    groups = [found for found in findings if found.mutant.is_group]
    assert groups and not any(found.loss == "unbalanced" for found in groups)


def test_a_barrier_that_nothing_needs_is_not_reported() -> None:
    entry = find_entry("add_fp32")
    program = load_entry(entry)
    findings = study_mutants(prepare_runs(entry, program), program, read_dump("add_fp32"), SEEDS)
    harmless = [found for found in findings if found.loss == "nothing"]
    assert [found.mutant.removed[0].subject for found in harmless] == ["ALL"]


@pytest.mark.parametrize("name", STUDIED)
def test_dependences_of_a_kernel_as_compiled_are_ordered(name: str) -> None:
    """But for stores of both vector cores where the compiler does not split a product."""
    program = load_entry(find_entry(name))
    runs = prepare_runs(find_entry(name), program)
    dependences = Dependences(runs.record_block(program, 0, read_dump(name)))
    pairs = dependences.unordered.between_pipes
    assert dependences.unordered == Broken(between_pipes=pairs)
    twice = [{str(dependences.run[index]) for index in pair} for pair in pairs]
    assert len(twice) == (name == "multiply_exponential_unsplit")
    assert all(len({text[8:] for text in texts}) == 1 for texts in twice)


def test_events_inside_of_a_product_are_taken_out_one_by_one() -> None:
    text = read_dump("multiply_tiles_of_16")
    inner = [op for op in find_synchronisation(text) if op.argument is not None]
    assert [op.kind for op in inner] == 2 * ["inner wait"] + 2 * ["inner set"]
    assert {op.line for op in inner} == find_macro_lines(text)
    for op in inner:
        changed = remove_ops(text, (op,)).text
        assert len(changed.split("\n")) == len(text.split("\n"))
        program = load_program(changed)
        assert isinstance(program, Program), program


def _is_race(found: Finding) -> bool:
    return found.reported == "machine.race"
