"""Transfers between GM and UB: strides, padding, atomics, bounds and guard zones."""

from __future__ import annotations

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions
from tests.machine.modules import Body, gm, run, run_ok, ub, vector_module


def strided_gm(sizes: str, strides: str) -> str:
    return f"memref<{sizes}, strided<[{strides}], offset: ?>, #hivm.address_space<gm>>"


def reinterpret(body: Body, argument: str, offset: int, sizes: list[int], strides: list[int]):
    def array(numbers: list[int]) -> str:
        return f"array<i64: {', '.join(map(str, numbers))}>"

    type_ = strided_gm("x".join(map(str, sizes)) + "xf32", ", ".join(map(str, strides)))
    properties = (
        f"operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = {array([offset])}, "
        f"static_sizes = {array(sizes)}, static_strides = {array(strides)}"
    )
    value = body.value("memref.reinterpret_cast", argument, gm("?xf32"), type_, properties)
    return value, type_


LOAD = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"


def load_module(offset: int, sizes: list[int], strides: list[int]) -> str:
    """Loads a view of argument 0 and stores it contiguously to argument 1."""
    shape = "x".join(map(str, sizes)) + "xf32"
    body = Body()
    source, source_type = reinterpret(body, "%a0", offset, sizes, strides)
    buffer = body.buffer(shape)
    body.op("load", f"{source}, {buffer}", f"{source_type}, {ub(shape)}", LOAD)
    body.store(buffer, "%a1", shape)
    return vector_module(body.text(), [gm("?xf32")] * 2)


@pytest.mark.parametrize("strides", [[12, 1], [1, 7], [24, 3]])
def test_strided_rows(strides):
    values = np.arange(200, dtype=np.float32)
    result = np.zeros((5, 7), dtype=np.float32)
    run_ok(load_module(2, [5, 7], strides), [values, result])
    rows = np.arange(5)[:, None] * strides[0] + np.arange(7) * strides[1] + 2
    np.testing.assert_array_equal(result, values[rows])


@pytest.mark.parametrize("offset", [-3, 10])
def test_a_read_in_the_guard_zone_gives_poison_and_is_counted(offset):
    values = np.arange(12, dtype=np.float32)
    result = np.zeros(5, dtype=np.float32)
    report = run(load_module(offset, [5], [1]), [values, result])
    assert report.fault is None
    inside = (np.arange(5) + offset >= 0) & (np.arange(5) + offset < 12)
    assert report.counters.guard_reads == np.count_nonzero(~inside)
    np.testing.assert_array_equal(result[inside], values[(np.arange(5) + offset)[inside]])
    assert np.isnan(result[~inside]).all()


def test_a_read_beyond_the_guard_zone_is_a_fault():
    values, result = np.zeros(12, np.float32), np.zeros(5, np.float32)
    options = ExecutionOptions(guard_bytes=8)
    fault = run(load_module(10, [5], [1]), [values, result], options=options).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_read"
    assert fault.bytes == (40, 60)
    assert fault.core is not None and fault.core.kind == "vector"


def test_a_write_outside_is_a_fault_and_writes_nothing():
    values = np.arange(12, dtype=np.float32)
    backing = np.zeros(16, dtype=np.float32)
    fault = run(load_module(0, [12], [1]), [values, backing[:8]]).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_write"
    assert not backing.any()


def test_padding_goes_in_front_of_and_behind_each_row():
    body = Body()
    buffer = body.buffer("2x8xf32")
    type_ = "memref<2x3xf32, strided<[8, 1], offset: 2>, #hivm.address_space<ub>>"
    view = body.subview(buffer, ub("2x8xf32"), type_, [0, 2], [2, 3], [1, 1])
    source = body.reinterpret("%a0", "2x3xf32")
    value = body.constant("-1.000000e+00", "f32")
    left, right = body.constant(2, "index"), body.constant(3, "index")
    body.op(
        "load",
        f"{source}, {view}, {value}, {left}, {right}",
        f"{gm('2x3xf32')}, {type_}, f32, index, index",
        "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>, pad_mode = #hivm.padmode<PadValue>",
    )
    body.store(buffer, "%a1", "2x8xf32")
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    result = np.zeros((2, 8), dtype=np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 2), [values, result])
    expected = np.pad(values, ((0, 0), (2, 3)), constant_values=-1)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("kind, function", [("add", np.add), ("max", np.maximum)])
def test_atomic_stores_of_all_blocks_combine(kind, function):
    body = Body()
    buffer = body.load("%a0", "16xf32")
    body.store(buffer, "%a1", "16xf32", f"atomic_kind = #hivm.atomic_kind<{kind}>")
    values = np.linspace(-1, 1, 16, dtype=np.float32)
    result = np.zeros(16, dtype=np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 2), [values, result], grid=(3,))
    expected = np.zeros(16, dtype=np.float32)
    for _ in range(3):
        expected = function(expected, values)
    np.testing.assert_array_equal(result, expected)


def test_storing_bytes_that_nothing_wrote_is_a_fault_with_checking_on():
    body = Body()
    whole = body.buffer("16xf32")
    head_type = ub("12xf32").replace("12xf32", "12xf32, strided<[1]>")
    head = body.subview(whole, ub("16xf32"), head_type, [0], [12], [1])
    source = body.reinterpret("%a0", "12xf32")
    body.op("load", f"{source}, {head}", f"{gm('12xf32')}, {head_type}", LOAD)
    body.store(whole, "%a1", "16xf32")
    text = vector_module(body.text(), [gm("?xf32")] * 2)
    values, result = np.zeros(16, np.float32), np.zeros(16, np.float32)
    assert run(text, [values, result]).fault is None
    assert np.isnan(result[12:]).all(), "unwritten memory reads as poison"
    fault = run(text, [values, result], options=ExecutionOptions(check_uninitialised=True)).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"
    assert fault.bytes == (48, 64)


def test_poison_depends_on_the_seed():
    body = Body()
    body.store(body.buffer("16xf32"), "%a0", "16xf32")
    text = vector_module(body.text(), [gm("?xf32")])
    outputs = []
    for seed in (1, 2, 1):
        result = np.zeros(16, np.float32)
        run(text, [result], options=ExecutionOptions(poison_seed=seed))
        outputs.append(result.tobytes())
    assert outputs[0] == outputs[2] != outputs[1]


def test_an_address_beyond_the_ub_is_a_fault():
    body = Body()
    buffer = body.pointer(192 * 1024 - 32, "16xf32")
    source = body.reinterpret("%a0", "16xf32")
    body.op("load", f"{source}, {buffer}", f"{gm('16xf32')}, {ub('16xf32')}", LOAD)
    fault = run(vector_module(body.text(), [gm("?xf32")]), [np.zeros(16, np.float32)]).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_write"


@pytest.mark.parametrize("hint", ["true", "false"])
def test_a_tile_may_be_loaded_and_stored_with_its_last_axis_strided(hint):
    body = Body()
    source = reinterpret(body, "%a0", 0, [8, 16], [1, 8])
    target = reinterpret(body, "%a1", 0, [8, 16], [1, 8])
    tile = body.buffer("8x16xf32")
    property = f"may_implicit_transpose_with_last_axis = {hint}"
    body.op(
        "load",
        f"{source[0]}, {tile}",
        f"{source[1]}, {ub('8x16xf32')}",
        f"operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, {property}",
    )
    body.op("store", f"{tile}, {target[0]}", f"{ub('8x16xf32')}, {target[1]}", property)
    body.store(tile, "%a2", "8x16xf32")
    values = np.arange(128, dtype=np.float32).reshape(16, 8)
    back, rows = np.zeros_like(values), np.zeros((8, 16), np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 3), [values, back, rows])
    np.testing.assert_array_equal(back, values)
    np.testing.assert_array_equal(rows, values.T)


def unplanned_module(fills: bool, shape: str = "64xf32") -> str:
    body = Body()
    planned = body.load("%a0", shape)
    unplanned = body.value("memref.alloc", "", "", ub(shape), "alignment = 64 : i64")
    if fills:
        body.elementwise("vabs", [(planned, ub(shape))], (unplanned, ub(shape)))
    body.store(unplanned, "%a1", shape)
    return vector_module(body.text(), [gm(f"?x{shape[-3:]}")] * 2)


def test_memory_that_the_compiler_did_not_plan_holds_nothing():
    values = np.full(64, -3, np.float32)
    result = np.zeros_like(values)
    options = ExecutionOptions(check_uninitialised=True)
    fault = run(unplanned_module(False), [values, result], options=options).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"
    assert run(unplanned_module(False), [values, result]).fault is None
    assert np.isnan(result).all()
    run_ok(unplanned_module(True), [values, result])
    np.testing.assert_array_equal(result, 3)


def test_memory_that_was_not_planned_and_does_not_fit_is_out_of_bounds():
    count = 48 * 1024
    values = np.zeros(count, np.float32)
    fault = run(unplanned_module(True, f"{count}xf32"), [values, values.copy()]).fault
    assert fault is not None and fault.code.startswith("machine.out_of_bounds")
