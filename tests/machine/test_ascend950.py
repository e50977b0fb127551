"""The 950: its compiler, what the machine executes of its dumps, and what it refuses.

dumps/950 holds what the compiler makes of some corpus kernels, since it takes a second for each.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from npu_autokernel.machine import (
    ExecutionOptions,
    MachineFault,
    Program,
    execute,
    load_program,
)
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal
from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import compile_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import copy_values, draw_values, find_differences, launch
from tests.machine.modules import (
    Body,
    device_function,
    gm,
    load,
    memref,
    mix_module,
    module,
    run,
    ub,
    vector_module,
)
from tests.machine.mutants import find_synchronisation, remove_ops

SOC_NAME = "Ascend950PR_9589"
SOC = get_soc(SOC_NAME)
ENTRIES = {entry.name: entry for entry in KERNELS}
DUMPS = sorted((Path(__file__).parent / "dumps/950").glob("*.mlir"))
CHECKED = ExecutionOptions(check_uninitialised=True, check_races=True)


def check_agrees(entry: CorpusKernel, program: Program, options: ExecutionOptions) -> None:
    for seed in (0, 1):
        before = draw_values(entry, seed)
        after = copy_values(before)
        report = launch(program, entry, after, options, SOC)
        assert report.fault is None, report.fault
        assert find_differences(entry, before, after) == []


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_a_dump_agrees_with_its_oracle(dump: Path) -> None:
    program = load(dump.read_text())
    assert program.is_register_based
    check_agrees(ENTRIES[dump.stem], program, CHECKED)


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_the_order_of_pipes_changes_no_result(dump: Path) -> None:
    program = load(dump.read_text())
    for seed in range(5):
        check_agrees(ENTRIES[dump.stem], program, ExecutionOptions(interleaving_seed=seed))


def test_the_compiler_compiles_a_kernel_and_the_machine_runs_it() -> None:
    entry = ENTRIES["update_adamw"]
    dump = compile_entry(entry, SOC_NAME)
    assert isinstance(dump, HivmDump), dump
    assert "ave.hir.vsqrt" in dump.text and dump.lost == ()
    check_agrees(entry, load(dump.text), CHECKED)


def test_the_compiler_cannot_take_an_index_of_the_largest() -> None:
    refusal = compile_entry(ENTRIES["largest_index"], SOC_NAME)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, dict(refusal.evidence)) == (
        "compile.unsupported_op",
        {"detail": "linalg.reduce"},
    )


def test_a_fill_that_the_compiler_loses_is_reported() -> None:
    """Zeros beyond a ragged operand are written to a vector core's UB and never reach L1."""
    entry = ENTRIES["tile_bf16_fp32_TT_1_15_17"]
    dump = compile_entry(entry, SOC_NAME)
    assert isinstance(dump, HivmDump), dump
    fault = launch(load(dump.text), entry, draw_values(entry, 0), CHECKED, SOC).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"


def test_a_flag_between_a_transfer_and_a_vector_function_is_needed() -> None:
    text = (Path(__file__).parent / "dumps/950/softmax_row_narrow.mlir").read_text()
    ops = list(find_synchronisation(text))
    for index, first in enumerate(ops):
        if first.kind != "set_flag":
            continue
        second = next(
            op for op in ops[index:] if (op.kind, op.subject) == ("wait_flag", first.subject)
        )
        report = launch(
            load(remove_ops(text, (first, second)).text),
            ENTRIES["softmax_row_narrow"],
            draw_values(ENTRIES["softmax_row_narrow"], 0),
            CHECKED,
            SOC,
        )
        assert report.fault is not None and report.fault.code == "machine.race", str(first)


@pytest.mark.parametrize("name", ["multiply_exponential", "sum_product_rows"])
def test_a_flag_between_the_cores_of_a_block_is_needed(name: str) -> None:
    text = (Path(__file__).parent / f"dumps/950/{name}.mlir").read_text()
    ops = [op for op in find_synchronisation(text) if op.kind.startswith("sync_block")]
    assert len(ops) == 2
    program = load(remove_ops(text, ops).text)
    fault = launch(program, ENTRIES[name], draw_values(ENTRIES[name], 0), CHECKED, SOC).fault
    assert fault is not None
    assert fault.code in ("machine.race", "machine.uninitialised_read")


def test_the_910_has_no_path_between_the_memories_of_two_cores() -> None:
    vector = Body("v")
    source, target = vector.buffer("64xf16"), vector.pointer(0, "64xf16", "cbuf")
    vector.op("copy", f"{source}, {target}", f"{ub('64xf16')}, {memref('64xf16', 'cbuf')}")
    cube = Body("c")
    sums, rows = cube.pointer(0, "1x1x16x16xf32", "cc"), cube.pointer(0, "16x16xf32", "ub")
    types = f"{memref('1x1x16x16xf32', 'cc')}, {ub('16x16xf32')}"
    properties = "dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>"
    cube.op("fixpipe", f"{sums}, {rows}", types, properties)
    for bodies, code in (
        (("", vector.text()), "machine.unsupported_op"),
        ((cube.text(), ""), "machine.illegal_operand"),
    ):
        fault = run(mix_module(*bodies, []), []).fault
        assert fault is not None and fault.code == code


def make_table(values: np.ndarray, count: int) -> str:
    """A kernel that copies a table of `count` numbers to its argument."""
    shape = f"{count}xi32"
    table = (
        f'  "memref.global"() <{{constant, initial_value = dense<"0x{values.tobytes().hex()}"> : '
        f'tensor<{shape}>, sym_name = "tbl", type = {gm(shape)}}}> : () -> ()\n'
    )
    body = Body()
    source = body.value("memref.get_global", "", "", gm(shape), "name = @tbl")
    buffer = body.buffer(shape)
    segments = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
    body.op("load", f"{source}, {buffer}", f"{gm(shape)}, {ub(shape)}", segments)
    body.flag("set", "MTE2", "MTE3")
    body.flag("wait", "MTE2", "MTE3")
    body.store(buffer, "%a0", shape)
    return module(table, device_function(body.text(), [gm("?xi32")], "AIV", "kernel"))


def test_a_table_of_constants_is_read_from_gm() -> None:
    values = np.random.default_rng(1).integers(-(2**31), 2**31, 40, dtype=np.int32)
    found = np.zeros_like(values)
    report = execute(load(make_table(values, 40)), (1,), [found], soc=SOC, options=CHECKED)
    assert report.fault is None, report.fault
    np.testing.assert_array_equal(found, values)
    fault = load_program(make_table(values, 41))
    assert isinstance(fault, MachineFault) and fault.code == "machine.parse_error"
    fault = load_program(make_table(values, 40).replace("@tbl", "@other"))
    assert isinstance(fault, MachineFault) and fault.code == "machine.unsupported_op"


def test_the_clock_refuses_a_chip_it_cannot_time() -> None:
    program = load(vector_module("", []))
    assert execute(program, (1,), [], soc=SOC).fault is None
    report = execute(program, (1,), [], soc=SOC, options=ExecutionOptions(timing=True))
    assert report.fault is not None and report.fault.code == "machine.no_estimate"
    assert report.timing is None


def test_the_clock_refuses_code_of_the_950_on_any_chip() -> None:
    entry = ENTRIES[DUMPS[0].stem]
    program = load(DUMPS[0].read_text())
    options = ExecutionOptions(timing=True)
    report = launch(program, entry, draw_values(entry, 0), options, get_soc("910B1"))
    assert report.fault is not None and report.fault.code == "machine.no_estimate"


def test_the_document_names_the_ops_of_the_decoder() -> None:
    root = Path(__file__).parents[2]
    decoder = root / "npu_autokernel/machine/csrc/decode/ave_decoder.cpp"
    known = re.findall(r'^    \{"([\w.]+)", RegisterOp', decoder.read_text(), re.MULTILINE)
    page = (root / "docs/ascend950.md").read_text().split("## The ops")[1].split("## ")[0]
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([\w.]+)`", "".join(rows))) == sorted(known)


# What a dump of the 950 may hold beside vector functions, and the machine does not know.
DAMAGE = [
    ("callee = @add_", "callee = @other_", "no vector function of this name"),
    ("idx = 60", "idx = 59", "a control bit"),
    ("enable = true, idx = 48", "enable = false, idx = 48", "a control bit"),
    (
        '    "func.return"() : () -> ()\n  }) {hivm.func_core_type',
        '    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()\n'
        '    "func.return"() : () -> ()\n  }) {hivm.func_core_type',
        "inside a vector function",
    ),
    (", hivm.vector_function} : () -> ()", "} : () -> ()", "outside of a vector function"),
    ('  "func.func"', '  "memref.global"() : () -> ()\n  "func.func"', "a table of this form"),
]


@pytest.mark.parametrize(("part", "replacement", "message"), DAMAGE)
def test_what_is_not_known_is_refused(part: str, replacement: str, message: str) -> None:
    text = (Path(__file__).parent / "dumps/950/add_fp16.mlir").read_text()
    assert part in text
    fault = load_program(text.replace(part, replacement, 1))
    assert isinstance(fault, MachineFault)
    assert fault.code == "machine.unsupported_op" and message in fault.message
    assert fault.line > 0 and fault.op_text
