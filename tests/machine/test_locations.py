"""Locations in a dump: every form is read, the line is the kernel's own, and every fault names it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.machine import (
    Argument,
    ExecutionOptions,
    MachineFault,
    Program,
    execute,
    load_program,
)
from tests.machine.modules import SOC, Body, gm, load, locate, run, ub, vector_module
from tests.machine.test_dumps import CASES, DUMPS

SHAPE = "64xf32"
SOURCE = (DUMPS / "kernels.py").read_text(encoding="utf-8").splitlines()
LOCATED = ("matmul_bias_square", "shifted_difference", "swish_gate")
CHECKED = ExecutionOptions(check_races=True)


def make_text() -> str:
    body = Body()
    source = body.load("%a0", SHAPE)
    body.flag("set", "MTE2", "V")
    body.flag("wait", "MTE2", "V")
    body.elementwise("vadd", [(source, ub(SHAPE))] * 2, (source, ub(SHAPE)))
    body.flag("set", "V", "MTE3")
    body.flag("wait", "V", "MTE3")
    body.store(source, "%a1", SHAPE)
    return vector_module(body.text(), [gm("?xf32")] * 2)


PLAIN = make_text()
TEXT = locate(PLAIN)


def find_line(text: str, op: str) -> int:
    """The first line of the text with this op, from 1."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if f'.{op}"' in line)


def read_dump(name: str) -> str:
    return (DUMPS / f"{name}.mlir").read_text(encoding="utf-8")


def replace_location(form: str) -> str:
    line = find_line(TEXT, "vadd")
    return TEXT.replace(f'loc("kernel.py":{line}:1)', f"loc({form})")


@pytest.mark.parametrize(
    "form,line",
    [
        ('"kernel.py":12:8', 12),
        ('"kernel.py":12:8 to :20', 12),
        ('"kernel.py":12:8 to 14:20', 12),
        ("unknown", 0),
        ('"other.py":12:8', 0),
        ('"folder/kernel.py":12:8', 0),
        ('"a \\" quote.py":12:8', 0),
        ('fused["kernel.py":12:8, "kernel.py":30:1]', 12),
        ('fused["library.py":3:1, unknown, "kernel.py":12:8]', 12),
        ('fused<#di.subprogram<name = "]>", line = 3>>["kernel.py":12:8]', 12),
        ("fused[]", 0),
        ('callsite("library.py":3:1 at "kernel.py":12:8)', 12),
        ('callsite("kernel.py":4:1 at "kernel.py":12:8)', 4),
        ('callsite(callsite("library.py":3:1 at "kernel.py":4:1) at "kernel.py":12:8)', 4),
        ('callsite("library.py":3:1 at "other.py":12:8)', 0),
        ('"value"', 0),
        ('"value"("kernel.py":12:8)', 12),
        ('"value"(fused["library.py":1:1, callsite(unknown at "kernel.py":12:8)])', 12),
    ],
)
def test_every_form_of_a_location_is_read(form: str, line: int) -> None:
    program = load(replace_location(form))
    assert program.find_source_line(find_line(TEXT, "vadd")) == line
    assert program.find_source_line(find_line(TEXT, "store")) == find_line(TEXT, "store")


def test_the_source_of_a_function_made_of_library_code_is_that_of_its_caller() -> None:
    end = f'loc("kernel.py":{TEXT.count(chr(10)) - 1}:1)'
    outlined = 'loc(callsite("library.py":267:36 at "kernel.py":13:31))'
    program = load(outlined.join(TEXT.rsplit(end, 1)))
    assert program.find_source_line(find_line(TEXT, "vadd")) == find_line(TEXT, "vadd")


@pytest.mark.parametrize(
    "form",
    [
        "",
        "nothing",
        '"kernel.py":12',
        '"kernel.py":twelve:8',
        '"kernel.py":-3:8',
        '"kernel.py":4294967296:8',
        '"kernel.py":12:8 to',
        '"kernel.py',
        '"value"("kernel.py":12:8',
        'callsite("kernel.py":12:8)',
        'callsite("kernel.py":12:8 at)',
        'fused["kernel.py":12:8',
        'fused<#di["kernel.py":12:8]',
        'fused "kernel.py":12:8',
        "callsite(" * 10_000,
    ],
)
def test_what_is_no_location_is_a_parse_error_in_its_line(form: str) -> None:
    fault = load_program(replace_location(form))
    assert isinstance(fault, MachineFault) and fault.code == "machine.parse_error"
    assert fault.line >= find_line(TEXT, "vadd")


@pytest.mark.parametrize(
    "text", [replace_location("#loc3"), f'#loc = loc("kernel.py":1:0)\n{TEXT}']
)
def test_aliases_say_which_option_avoids_them(text: str) -> None:
    fault = load_program(text)
    assert isinstance(fault, MachineFault) and fault.code == "machine.parse_error"
    assert "--mlir-print-local-scope" in fault.message


def test_a_diagnostic_after_the_module_is_no_location() -> None:
    for text in (PLAIN, TEXT):
        assert isinstance(load_program(f'{text}loc("x.mlir":1:1): error: y\n'), Program)


def test_a_dump_without_locations_has_no_source_lines() -> None:
    program = load(PLAIN)
    assert program.source_lines == ()
    assert program.find_source_line(find_line(PLAIN, "vadd")) == 0
    fault = run(PLAIN, [np.ones(64, np.float32), np.ones(8, np.float32)]).fault
    assert fault is not None and fault.source_line == 0
    assert f"(dump line {find_line(PLAIN, 'store')}: " in str(fault)


def test_lines_beyond_the_dump_are_not_known() -> None:
    program = load(TEXT)
    assert program.find_source_line(0) == program.find_source_line(10_000) == 0


def test_locations_change_nothing_else() -> None:
    source, results = np.arange(64, dtype=np.float32), []
    for text in (PLAIN, TEXT):
        result = np.zeros(64, np.float32)
        assert run(text, [source, result], options=CHECKED).fault is None
        results.append((load(text).op_count, result.tolist()))
    assert results[0] == results[1]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_locations_give_a_program_or_a_fault(data: st.DataObject) -> None:
    form = 'callsite(fused<#a<1>>["b.py":3:1, "c"(unknown)] at "kernel.py":12:8 to 3:4)'
    text = replace_location(form)
    places = [match.start() for match in re.finditer(r"loc\(", text)]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.sampled_from(places)) + data.draw(st.integers(0, 70))
        end = start + data.draw(st.integers(0, 20))
        insert = data.draw(st.text(alphabet='loc(fused<[">]):,#1 \n\\', max_size=8))
        text = text[:start] + insert + text[end:]
    assert isinstance(load_program(text), (Program, MachineFault))


@pytest.mark.parametrize("name", LOCATED)
def test_every_instruction_of_a_compiled_dump_knows_its_line(name: str) -> None:
    text = read_dump(name)
    program = load(text)
    first = next(n for n, line in enumerate(SOURCE, 1) if line.startswith(f"def {name}("))
    after = (n for n, line in enumerate(SOURCE, 1) if n > first and line.startswith("@"))
    end = next(after, len(SOURCE))
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r'"hivm\.hir\.(?!pointer_cast|get_)\w+"', line):
            assert first <= program.find_source_line(number) < end, line


def test_dumps_with_and_without_locations_are_kept() -> None:
    located = {
        path.stem for path in DUMPS.glob("*.mlir") if load(read_dump(path.stem)).source_lines
    }
    assert located == set(LOCATED) < set(CASES)


# Faults


def text_of(source_line: int) -> str:
    return SOURCE[source_line - 1]


def run_dump(
    name: str, text: str, arguments: list[Argument], grid: tuple[int, ...] = (1,)
) -> MachineFault:
    fault = execute(load(text), grid, arguments, soc=SOC, options=CHECKED).fault
    assert fault is not None
    return fault


def test_a_store_out_of_bounds_names_the_line_of_the_store() -> None:
    x = np.ones(300, np.uint16)
    fault = run_dump("swish_gate", read_dump("swish_gate"), [x, x, x[:10].copy(), 300])
    assert fault.code == "machine.out_of_bounds_write"
    # Arguments count as the kernel's author counts them.
    assert fault.message == "bytes [0, 600) of argument 2, which has 20"
    assert "tl.store(" in text_of(fault.source_line)
    assert fault.place == f"source line {fault.source_line}, dump line {fault.line}"
    assert f"({fault.place}: " in str(fault)


def test_a_race_names_the_lines_of_both_accesses() -> None:
    text = read_dump("swish_gate")
    loads = r' *"hivm\.hir\.(?:set|wait)_flag"\(\) <\{set_pipe = #hivm\.pipe<PIPE_MTE2>.*\n'
    x = np.ones(1024, np.uint16)
    fault = run_dump("swish_gate", re.sub(loads, "\n", text), [x, x, x.copy(), 1024])
    assert fault.code == "machine.race"
    earlier = re.search(
        r"MTE2 of vector core 0 wrote in source line (\d+), dump line", fault.message
    )
    assert earlier is not None
    assert "tl.load(" in text_of(int(earlier.group(1)))
    assert fault.source_line > 0


def test_what_is_read_uninitialised_names_the_line_that_stores_it() -> None:
    body = Body()
    body.store(body.buffer(SHAPE), "%a0", SHAPE)
    text = locate(vector_module(body.text(), [gm("?xf32")]))
    options = ExecutionOptions(check_uninitialised=True)
    fault = run(text, [np.zeros(64, np.float32)], options=options).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"
    assert fault.source_line == fault.line == find_line(text, "store")


def test_a_deadlock_names_the_line_of_each_core_that_waits() -> None:
    text = re.sub(r' *"hivm\.hir\.sync_block_set".*\n', "\n", read_dump("matmul_bias_square"))
    case = CASES["matmul_bias_square"](np.random.default_rng(5))
    fault = run_dump("matmul_bias_square", text, case.arguments, case.grid)
    assert fault.code == "machine.deadlock"
    places = re.findall(r"vector core \d at source line (\d+), dump line \d+", fault.message)
    assert len(places) == 2 and int(places[0]) == fault.source_line


def test_a_fault_of_scalar_code_names_its_line() -> None:
    body = Body()
    index = body.constant(1 << 40, "index")
    value = body.constant(3, "i64")
    body.emit(f'"memref.store"({value}, %a0, {index}) : (i64, {gm("?xi64")}, index) -> ()')
    text = locate(vector_module(body.text(), [gm("?xi64")]))
    fault = run(text, [np.zeros(4, np.int64)]).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_write"
    assert fault.source_line == find_line(text, "store")


def test_an_op_that_is_not_known_names_its_line() -> None:
    fault = load_program(TEXT.replace("hivm.hir.vadd", "hivm.hir.vmystery"))
    assert isinstance(fault, MachineFault)
    assert fault.source_line == fault.line == find_line(TEXT, "vadd")
