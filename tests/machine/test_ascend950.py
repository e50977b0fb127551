"""The 950: its compiler, what the machine executes of its register-level code, and what it refuses."""

from __future__ import annotations

from npu_autokernel.machine import ExecutionOptions, execute
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal
from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import compile_entry
from tests.machine.modules import load, vector_module

SOC_NAME = "Ascend950PR_9589"
SOC = get_soc(SOC_NAME)
ENTRIES = {entry.name: entry for entry in KERNELS}


def test_the_compiler_cannot_take_an_index_of_the_largest() -> None:
    refusal = compile_entry(ENTRIES["largest_index"], SOC_NAME)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, dict(refusal.evidence)) == (
        "compile.unsupported_op",
        {"detail": "linalg.reduce"},
    )


def test_the_clock_refuses_a_chip_it_cannot_time() -> None:
    program = load(vector_module("", []))
    assert execute(program, (1,), [], soc=SOC).fault is None
    report = execute(program, (1,), [], soc=SOC, options=ExecutionOptions(timing=True))
    assert report.fault is not None and report.fault.code == "machine.no_estimate"
    assert report.timing is None
