"""What nothing wrote, followed through every kind of instruction up to the outputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.machine import ExecutionOptions, MachineFault, Program, RunReport, load_program
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.garbage import DISCARDERS, KEEPERS, SUM_BEYOND_THE_END
from tests.machine.corpus.running import copy_values, draw_values, find_differences, launch
from tests.machine.cube_modules import CubeBody, fractals
from tests.machine.modules import (
    NUMPY_TYPES,
    Body,
    cube_module,
    gm,
    memref,
    mix_module,
    run,
    ub,
    vector_module,
)
from tests.machine.test_flags import block_flag

CHECKED = ExecutionOptions(check_uninitialised=True)
LOAD = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
SIZE = 32


def strided(shape: str, strides: str = "1", offset: int = 0, space: str = "ub") -> str:
    place = f", offset: {offset}" if offset else ""
    return f"memref<{shape}, strided<[{strides}]{place}>, #hivm.address_space<{space}>>"


class PartBody(Body):
    """Rows of SIZE elements of which only [first, last) are loaded, and stores of parts of rows."""

    def part(self, row: str, element: str, first: int, last: int) -> tuple[str, str]:
        whole, type_ = f"{SIZE}x{element}", strided(f"{last - first}x{element}", offset=first)
        return self.subview(row, ub(whole), type_, [first], [last - first], [1]), type_

    def load_part(self, argument: str, element: str, first: int, last: int) -> str:
        row = self.buffer(f"{SIZE}x{element}")
        if first < last:
            part, type_ = self.part(row, element, first, last)
            shape = f"{last - first}x{element}"
            source = self.reinterpret(argument, shape, first)
            self.op("load", f"{source}, {part}", f"{gm(shape)}, {type_}", LOAD)
        return row

    def store_part(self, row: str, argument: str, element: str, first: int, last: int) -> None:
        part, type_ = self.part(row, element, first, last)
        shape = f"{last - first}x{element}"
        target = self.reinterpret(argument, shape, first)
        self.op("store", f"{part}, {target}", f"{type_}, {gm(shape)}")


def run_vector(body: Body, *elements: str) -> RunReport:
    arguments = [np.ones(SIZE * 4, NUMPY_TYPES[element]) for element in elements]
    text = vector_module(body.text(), [gm(f"?x{element}") for element in elements])
    return run(text, arguments, options=CHECKED)


def fault_of(report: RunReport) -> MachineFault:
    assert report.fault is not None, "nothing was reported"
    assert report.fault.code == "machine.uninitialised_read", report.fault
    return report.fault


def written_after(make: Callable[[PartBody, str], str], element: str = "f32") -> np.ndarray:
    """Which elements of the row `make` computes can be stored, of a row with [8, 20) loaded."""
    written = np.zeros(SIZE, bool)
    for place in range(SIZE):
        body = PartBody()
        result = make(body, body.load_part("%a0", element, 8, 20))
        body.store_part(result, "%a1", element, place, place + 1)
        written[place] = run_vector(body, element, element).fault is None
    return written


LOADED = (np.arange(SIZE) >= 8) & (np.arange(SIZE) < 20)
ROW = f"{SIZE}xf32"


def unary(body: PartBody, op: str, source: str, extra: str = "") -> str:
    result = body.buffer(ROW)
    body.elementwise(op, [(source, ub(ROW))], (result, ub(ROW)), extra)
    return result


def move(body: PartBody, op: str, source: str, properties: str) -> str:
    result = body.buffer(ROW)
    body.op(op, f"{source}, {result}", f"{ub(ROW)}, {ub(ROW)}", properties)
    return result


def number_plus(body: PartBody, source: str) -> str:
    result = body.buffer(ROW)
    one = body.constant("1.000000e+00", "f32")
    body.elementwise("vadd", [(source, ub(ROW)), (one, "f32")], (result, ub(ROW)))
    return result


RULES: dict[str, tuple[Callable[[PartBody, str], str], np.ndarray]] = {
    "unary": (lambda body, row: unary(body, "vexp", row), LOADED),
    "with a number": (number_plus, LOADED),
    "copy": (
        lambda body, row: move(body, "copy", row, "operandSegmentSizes = array<i32: 1, 1>"),
        LOADED,
    ),
    "flip": (lambda body, row: move(body, "vflip", row, "flip_axis = 0 : i64"), LOADED[::-1]),
    "scan": (
        lambda body, row: move(body, "vcumsum", row, "cum_dims = array<i64: 0>, reverse = false"),
        np.zeros(SIZE, bool),
    ),
    "sort": (
        lambda body, row: move(
            body, "vsort", row,
            "descending = false, operandSegmentSizes = array<i32: 1, 1, 0>, sort_axis = 0 : i64",
        ),
        np.zeros(SIZE, bool),
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_elements_of_a_result_are_as_written_as_what_they_are_made_of(rule):
    make, expected = RULES[rule]
    np.testing.assert_array_equal(written_after(make), expected)


def test_a_scan_is_garbage_from_its_first_garbage_on():
    def scan(body: PartBody, row: str) -> str:
        head = body.load_part("%a0", "f32", 0, 20)
        return move(body, "vcumsum", head, "cum_dims = array<i64: 0>, reverse = false")

    np.testing.assert_array_equal(written_after(scan), np.arange(SIZE) < 20)


def reduce_part(first: int, last: int) -> RunReport:
    body = PartBody()
    row, result = body.load_part("%a0", "f32", 8, 20), body.buffer("1xf32")
    part, type_ = body.part(row, "f32", first, last)
    body.op(
        "vreduce", f"{part}, {result}", f"{type_}, {ub('1xf32')}",
        "arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, "
        "reduce_dims = array<i64: 0>",
    )  # fmt: skip
    body.store(result, "%a1", "1xf32")
    return run_vector(body, "f32", "f32")


def test_a_reduction_of_any_garbage_is_garbage():
    assert reduce_part(8, 20).fault is None
    fault_of(reduce_part(7, 20))
    fault_of(reduce_part(8, 21))


def test_the_fault_names_the_store_and_where_the_garbage_comes_from():
    body = PartBody()
    row = body.load_part("%a0", "f32", 0, 20)
    body.store(unary(body, "vexp", unary(body, "vabs", row)), "%a1", ROW)
    fault = fault_of(run_vector(body, "f32", "f32"))
    assert "hivm.hir.store" in fault.op_text
    assert fault.bytes == (2 * 128 + 80, 2 * 128 + 128)
    first_read = next(i for i, line in enumerate(body.lines) if "vabs" in line)
    store = next(i for i, line in enumerate(body.lines) if "hir.store" in line)
    line = fault.line - (store - first_read)
    assert fault.message == (
        "bytes [336, 384) of ub go to argument 1; they come from bytes [80, 128) of ub, "
        f"which nothing wrote, read in dump line {line}"
    )


def select_module(mask_last: int, a_part: tuple[int, int], b_part: tuple[int, int]) -> RunReport:
    """select(x < 2, a, b) where x, of ones, is loaded up to `mask_last`."""
    body = PartBody()
    x = body.load_part("%a0", "f32", 0, mask_last)
    a, b = body.load_part("%a0", "f32", *a_part), body.load_part("%a0", "f32", *b_part)
    mask, result = body.buffer(f"{SIZE}xi1"), body.buffer(ROW)
    two = body.constant("2.000000e+00", "f32")
    body.elementwise(
        "vcmp", [(x, ub(ROW)), (two, "f32")], (mask, ub(f"{SIZE}xi1")),
        "compare_mode = #hivm.compare_mode<lt>",
    )  # fmt: skip
    sources = [(mask, ub(f"{SIZE}xi1")), (a, ub(ROW)), (b, ub(ROW))]
    body.elementwise("vsel", sources, (result, ub(ROW)))
    body.store(result, "%a1", ROW)
    return run_vector(body, "f32", "f32")


def test_a_selection_takes_the_side_it_picks_and_the_mask():
    assert select_module(SIZE, (0, SIZE), (5, 9)).fault is None
    fault_of(select_module(SIZE, (0, SIZE - 1), (0, SIZE)))
    fault_of(select_module(SIZE - 1, (0, SIZE), (0, SIZE)))


@pytest.mark.parametrize("op, decides", [("vand", False), ("vor", True)])
def test_a_bit_that_decides_alone_hides_the_other(op, decides):
    def report(fill: bool) -> RunReport:
        body = PartBody()
        bits, other = f"{SIZE}xi1", body.buffer(f"{SIZE}xi1")
        garbage, result, row = body.buffer(bits), body.buffer(bits), body.buffer(ROW)
        value = body.constant("true" if fill else "false", "i1")
        body.op("vbrc", f"{value}, {other}", f"i1, {ub(bits)}", "broadcast_dims = array<i64>")
        body.elementwise(op, [(garbage, ub(bits)), (other, ub(bits))], (result, ub(bits)))
        zero, one = (body.constant(f"{n}.000000e+00", "f32") for n in (0, 1))
        sources = [(result, ub(bits)), (one, "f32"), (zero, "f32")]
        body.elementwise("vsel", sources, (row, ub(ROW)))
        body.store(row, "%a0", ROW)
        return run_vector(body, "f32")

    assert report(decides).fault is None
    fault_of(report(not decides))


def test_padding_is_written_and_a_read_outside_of_an_argument_is_not():
    for count, is_padded in ((SIZE, True), (SIZE - 4, True), (SIZE - 4, False)):
        body = Body()
        buffer = body.buffer(ROW)
        head_type = strided(f"{count}xf32")
        head = body.subview(buffer, ub(ROW), head_type, [0], [count], [1])
        source = body.reinterpret("%a0", f"{count}xf32")
        zero, right = body.constant("0.000000e+00", "f32"), body.constant(SIZE - count, "index")
        left = body.constant(0, "index")
        body.op(
            "load",
            f"{source}, {head}" + (f", {zero}, {left}, {right}" if is_padded else ""),
            f"{gm(f'{count}xf32')}, {head_type}" + (", f32, index, index" if is_padded else ""),
            "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>, "
            "pad_mode = #hivm.padmode<PadValue>" if is_padded else LOAD,
        )  # fmt: skip
        body.store(buffer, "%a1", ROW)
        text = vector_module(body.text(), [gm("?xf32")] * 2)
        short = np.ones(SIZE - 4, np.float32)
        report = run(text, [short, np.zeros(SIZE, np.float32)], options=CHECKED)
        if count == SIZE:
            assert "outside of argument 0" in fault_of(report).message
            assert report.counters.guard_reads == 4
        elif is_padded:
            assert report.fault is None
        else:
            fault_of(report)


def scalar_module(use: Callable[[Body, str], None], index: int) -> RunReport:
    """`use` gets element `index` of a row of i32 of which [8, 20) are loaded."""
    body = PartBody()
    row = body.load_part("%a0", "i32", 8, 20)
    place = body.constant(index, "index")
    types = f"{ub(f'{SIZE}xi32')}, index"
    use(body, body.value("memref.load", f"{row}, {place}", types, "i32"))
    return run_vector(body, "i32", "i32")


def store_sum(body: Body, value: str) -> None:
    total = body.value("arith.addi", f"{value}, {value}", "i32, i32", "i32")
    body.emit(
        f'"memref.store"({total}, %a1, {body.constant(0, "index")}) : '
        f"(i32, {gm('?xi32')}, index) -> ()"
    )


def store_there(body: Body, value: str) -> None:
    place = body.value("arith.index_cast", value, "i32", "index")
    number = body.constant(1, "i32")
    body.emit(f'"memref.store"({number}, %a1, {place}) : (i32, {gm("?xi32")}, index) -> ()')


def branch(body: Body, value: str) -> None:
    zero = body.constant(0, "i32")
    flag = body.value("arith.cmpi", f"{value}, {zero}", "i32, i32", "i1", "predicate = 1 : i64")
    body.emit(f'"scf.if"({flag}) ({{ "scf.yield"() : () -> () }}, {{ }}) : (i1) -> ()')


def drop(body: Body, value: str) -> None:
    zero = body.constant(0, "i32")
    store_sum(body, body.value("arith.andi", f"{value}, {zero}", "i32, i32", "i32"))


@pytest.mark.parametrize("use", [store_sum, store_there, branch])
def test_the_scalar_pipe_reports_what_it_stores_and_decides(use):
    assert scalar_module(use, 8).fault is None
    assert "bytes [80, 84) of ub, which nothing wrote" in fault_of(scalar_module(use, 20)).message


def test_the_scalar_pipe_forgets_what_it_masks():
    assert scalar_module(drop, 20).fault is None


def product_report(shape: tuple[int, int, int], loaded: int, stored_rows: int) -> RunReport:
    """A product with `loaded` rows of A, of which the first are stored."""
    m, k, n = shape
    body = CubeBody()
    a = body.load_l1("%a0", loaded, k, "f16", tile_rows=m)
    b = body.load_l1("%a1", k, n, "f16")
    sum_shape = fractals(m, n, "f32", 16)
    sums = (body.pointer(0, sum_shape, "cc"), memref(sum_shape, "cc"))
    body.multiply(a, b, sums, shape, True)
    body.multiply(a, b, sums, shape, False)
    body.write_back(sums, "%a2", f"{stored_rows}x{n}xf32")
    text = cube_module(body.text(), [gm("?xf16")] * 2 + [gm("?xf32")])
    arguments = [np.ones((m, k), np.float16), np.ones((k, n), np.float16)]
    return run(text, [*arguments, np.zeros((m, n), np.float32)], options=CHECKED)


def test_garbage_in_a_row_of_a_spoils_that_row_of_the_product_alone():
    assert product_report((40, 20, 24), 40, 40).fault is None
    assert product_report((40, 20, 24), 30, 30).fault is None
    assert "of l1, which nothing wrote" in fault_of(product_report((40, 20, 24), 30, 31)).message


def workspace_module(rows: int) -> str:
    """The cube writes `rows` of 16 rows to the workspace, a vector core stores all of them."""
    cube, vector = CubeBody(), Body()
    a, b = cube.load_l1("%a0", 16, 16, "f16"), cube.load_l1("%a1", 16, 16, "f16")
    sum_shape = fractals(16, 16, "f32", 16)
    sums = (cube.pointer(0, sum_shape, "cc"), memref(sum_shape, "cc"))
    cube.multiply(a, b, sums, (16, 16, 16), True)

    def see(body: Body, shape: str) -> str:
        zero = body.constant(0, "index")
        return body.value("memref.view", f"%workspace, {zero}", f"{gm('?xi8')}, index", gm(shape))

    cube.op(
        "fixpipe", f"{sums[0]}, {see(cube, f'{rows}x16xf32')}",
        f"{sums[1]}, {gm(f'{rows}x16xf32')}",
        "dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>",
    )  # fmt: skip
    cube.lines.append(block_flag("set", "CUBE", 0, "FIX"))
    vector.lines.append(block_flag("wait", "VECTOR", 0, "MTE2"))
    shape = "16x16xf32"
    tile = vector.buffer(shape)
    vector.op("load", f"{see(vector, shape)}, {tile}", f"{gm(shape)}, {ub(shape)}", LOAD)
    vector.store(tile, "%a2", shape)
    return mix_module(cube.text(), vector.text(), [gm("?xf16")] * 2 + [gm("?xf32")], 1024)


def test_garbage_goes_through_the_workspace_from_core_to_core():
    def report(rows: int) -> RunReport:
        x = np.ones((16, 16), np.float16)
        arguments = [x, x.copy(), np.zeros((16, 16), np.float32)]
        return run(workspace_module(rows), arguments, options=CHECKED)

    assert report(16).fault is None
    assert "of workspace, which nothing wrote" in fault_of(report(15)).message


COMMON = ("vadd", "vmul", "vmax", "vand", "vsel", "vbrc", "copy")
STEPS = st.lists(
    st.tuples(st.sampled_from(COMMON), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
    min_size=1,
    max_size=8,
)
RANGE = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(sorted)


def emit_step(body: Body, mask: str, rows: list[str], op: str, to: int, a: int, b: int) -> None:
    """rows[to] = op(rows[a], rows[b]) on i32, in place where they are the same."""
    type_ = ub(f"{SIZE}xi32")
    if op == "vbrc":
        zero = body.constant(0, "i32")
        body.op("vbrc", f"{zero}, {rows[to]}", f"i32, {type_}", "broadcast_dims = array<i64>")
    elif op == "copy":
        segments = "operandSegmentSizes = array<i32: 1, 1>"
        body.op("copy", f"{rows[a]}, {rows[to]}", f"{type_}, {type_}", segments)
    else:
        masks = [(mask, ub(f"{SIZE}xi1"))] if op == "vsel" else []
        sources = [*masks, (rows[a], type_), (rows[b], type_)]
        body.elementwise(op, sources, (rows[to], type_))


def follow_step(
    written: np.ndarray, values: np.ndarray, mask: np.ndarray, op: str, to: int, a: int, b: int
) -> None:
    """The same on flags and values, where garbage is 0xffffffff."""
    x, y, left, right = values[a], values[b], written[a].copy(), written[b].copy()
    results = {
        "vadd": (x + y, left & right),
        "vmul": (x * y, left & right),
        "vmax": (np.maximum(x, y), left & right),
        "vand": (x & y, (left & right) | (left & (x == 0)) | (right & (y == 0))),
        "vsel": (np.where(mask, x, y), np.where(mask, left, right)),
        "vbrc": (np.zeros_like(x), np.ones_like(left)),
        "copy": (x, left),
    }
    values[to], written[to] = results[op]


@settings(max_examples=150, deadline=None)
@given(
    steps=STEPS, ranges=st.lists(RANGE, min_size=4, max_size=4), stored=RANGE, row=st.integers(0, 3)
)
def test_random_programs_are_reported_if_and_only_if_they_store_garbage(steps, ranges, stored, row):
    place = np.arange(SIZE)
    argument = (place % 3).astype(np.int32)
    body = PartBody()
    rows = [body.load_part("%a0", "i32", *bounds) for bounds in ranges]
    chosen, mask = body.load("%a0", f"{SIZE}xi32"), body.buffer(f"{SIZE}xi1")
    one = body.constant(1, "i32")
    body.elementwise(
        "vcmp", [(chosen, ub(f"{SIZE}xi32")), (one, "i32")], (mask, ub(f"{SIZE}xi1")),
        "compare_mode = #hivm.compare_mode<eq>",
    )  # fmt: skip
    written = np.array([(place >= first) & (place < last) for first, last in ranges])
    values = np.where(written, argument, np.int32(-1))
    for step in steps:
        emit_step(body, mask, rows, *step)
        follow_step(written, values, argument == 1, *step)
    if stored[0] < stored[1]:
        body.store_part(rows[row], "%a1", "i32", *stored)
    text = vector_module(body.text(), [gm("?xi32")] * 2)
    result = np.zeros(SIZE, np.int32)
    report = run(text, [argument, result], options=CHECKED)
    part = slice(*stored)
    if written[row][part].all():
        assert report.fault is None, report.fault
        np.testing.assert_array_equal(result[part], values[row][part])
    else:
        fault_of(report)


def without_fills(text: str) -> str:
    """A dump without what fills the part of a buffer that a masked load leaves out."""
    kept, is_inside = [], False
    for line in text.splitlines(keepends=True):
        is_inside = '"scf.if"(' in line or (is_inside and not line.strip().startswith("}"))
        if not (is_inside and '"hivm.hir.vbrc"' in line):
            kept.append(line)
    assert len(kept) < len(text.splitlines()), "nothing was filled"
    return "".join(kept)


def launch_without_fills(entry: CorpusKernel) -> tuple[RunReport, list[str]]:
    program = load_program(without_fills(compile_entry(entry).text))
    assert isinstance(program, Program)
    before = draw_values(entry, 0)
    after = copy_values(before)
    return launch(program, entry, after), find_differences(entry, before, after)


@pytest.mark.parametrize("entry", KEEPERS + DISCARDERS, ids=str)
def test_masked_loads_are_clean_as_compiled(entry: CorpusKernel) -> None:
    before = draw_values(entry, 0)
    after = copy_values(before)
    assert launch(load_entry(entry), entry, after).fault is None
    assert find_differences(entry, before, after) == []


@pytest.mark.parametrize("entry", KEEPERS, ids=str)
def test_masked_loads_that_nothing_fills_are_reported(entry: CorpusKernel) -> None:
    report, _ = launch_without_fills(entry)
    assert "of ub, which nothing wrote, read in source line" in fault_of(report).message


@pytest.mark.parametrize("entry", DISCARDERS, ids=str)
def test_garbage_that_is_thrown_away_is_not_reported(entry: CorpusKernel) -> None:
    report, differences = launch_without_fills(entry)
    assert report.fault is None
    assert differences == []


def test_a_sum_over_the_end_of_an_argument_is_reported() -> None:
    entry = SUM_BEYOND_THE_END
    report = launch(load_entry(entry), entry, draw_values(entry, 0))
    assert "a read outside of argument 0 in source line" in fault_of(report).message
    assert report.counters.guard_reads == 28
