"""Ops that move elements: fill, arange, copy, transpose, interleave, gather, flip, sort."""

from __future__ import annotations

import numpy as np
import pytest

from tests.machine.modules import NUMPY_TYPES, Body, gm, run, run_ok, ub, vector_module


def move(values: np.ndarray, target_shape: str, emit, element: str = "f32") -> np.ndarray:
    """Loads `values`, lets emit(body, source, target) write the target, returns it."""
    shape = "x".join(map(str, values.shape)) + "x" + element
    body = Body()
    source, target = body.load("%a0", shape), body.buffer(target_shape)
    emit(body, (source, ub(shape)), (target, ub(target_shape)))
    body.store(target, "%a1", target_shape)
    *dims, result_element = target_shape.split("x")
    result = np.zeros([int(dim) for dim in dims], dtype=NUMPY_TYPES[result_element])
    arguments = [gm(f"?x{element}"), gm(f"?x{result_element}")]
    run_ok(vector_module(body.text(), arguments), [values, result])
    return result


def two_operands(name: str, properties: str = ""):
    def emit(body, source, target):
        body.op(name, f"{source[0]}, {target[0]}", f"{source[1]}, {target[1]}", properties)

    return emit


@pytest.mark.parametrize("permutation", [(1, 0, 2), (2, 1, 0), (0, 2, 1)])
def test_transpose(permutation):
    values = np.arange(4 * 3 * 8, dtype=np.float32).reshape(4, 3, 8)
    expected = values.transpose(permutation)
    shape = "x".join(map(str, expected.shape)) + "xf32"
    dims = ", ".join(map(str, permutation))
    emit = two_operands("vtranspose", f"permutation = array<i64: {dims}>, disable_align = false")
    np.testing.assert_array_equal(move(values, shape, emit), expected)


def test_copy_and_broadcast():
    values = np.arange(24, dtype=np.float32).reshape(8, 3)
    np.testing.assert_array_equal(move(values, "8x3xf32", two_operands("copy")), values)
    column = values[:, :1].copy()
    emit = two_operands("vbrc", "broadcast_dims = array<i64: 1>")
    np.testing.assert_array_equal(move(column, "8x5xf32", emit), np.repeat(column, 5, axis=1))


def test_flip():
    values = np.arange(20, dtype=np.float32).reshape(2, 10)
    emit = two_operands("vflip", "flip_axis = 1 : i64")
    np.testing.assert_array_equal(move(values, "2x10xf32", emit), values[:, ::-1])


@pytest.mark.parametrize("descending", [False, True])
def test_sort_puts_nan_above_every_number(descending):
    values = np.random.default_rng(0).standard_normal((3, 40)).astype(np.float32)
    values[1, 5] = np.nan
    flag = str(descending).lower()
    emit = two_operands(
        "vsort",
        f"descending = {flag}, operandSegmentSizes = array<i32: 1, 1, 0>, sort_axis = 1 : i64",
    )
    expected = np.sort(values, axis=1)
    expected = expected[:, ::-1] if descending else expected
    np.testing.assert_array_equal(move(values, "3x40xf32", emit), expected)


def test_interleave_and_its_reverse():
    values = np.arange(16, dtype=np.float32).reshape(2, 8)

    def emit(body, source, target):
        parts = [body.buffer("2x4xf32") for _ in range(2)]
        body.op(
            "vdeinterleave",
            ", ".join([source[0], *parts]),
            ", ".join([source[1], ub("2x4xf32"), ub("2x4xf32")]),
            "channel_num = 2 : i64, index_mode = #hivm.deinterleave_mode<ALL_CHANNELS>",
        )
        body.op(
            "vinterleave",
            f"{parts[1]}, {parts[0]}, {target[0]}",
            f"{ub('2x4xf32')}, {ub('2x4xf32')}, {target[1]}",
            "operandSegmentSizes = array<i32: 2, 1, 0>, interleave_channel_nums = 2 : i64",
        )

    expected = values.reshape(2, 4, 2)[:, :, ::-1].reshape(2, 8)
    np.testing.assert_array_equal(move(values, "2x8xf32", emit), expected)


def test_one_channel_of_an_interleaved_row():
    values = np.arange(16, dtype=np.float32)
    emit = two_operands(
        "vdeinterleave",
        "channel_num = 2 : i64, index_mode = #hivm.deinterleave_mode<CHANNEL_1>",
    )
    np.testing.assert_array_equal(move(values, "8xf32", emit), values[1::2])


def test_a_channel_of_a_buffer_padded_to_blocks_is_taken_by_its_strides():
    """int8 widened to f16 keeps the channel count of its own blocks, 32, and has strides of 16."""
    values = np.arange(6, dtype=np.float16)
    body = Body()
    padded = [body.buffer("6x16xf16") for _ in range(2)]
    strided = "memref<6xf16, strided<[16]>, #hivm.address_space<ub>>"
    views = [
        body.subview(buffer, ub("6x16xf16"), strided, [0, 0], [6, 1], [1, 1]) for buffer in padded
    ]
    source = body.reinterpret("%a0", "6xf16")
    body.op("load", f"{source}, {views[0]}", f"{gm('6xf16')}, {strided}",
            "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>")  # fmt: skip
    body.op("vdeinterleave", f"{views[0]}, {views[1]}", f"{strided}, {strided}",
            "channel_num = 32 : i64, index_mode = #hivm.deinterleave_mode<CHANNEL_0>")  # fmt: skip
    target = body.reinterpret("%a1", "6xf16")
    body.op("store", f"{views[1]}, {target}", f"{strided}, {gm('6xf16')}")
    result = np.zeros_like(values)
    run_ok(vector_module(body.text(), [gm("?xf16")] * 2), [values, result])
    np.testing.assert_array_equal(result, values)


def gather_module(count: int) -> str:
    body = Body()
    source, index = body.load("%a0", "16xf32"), body.load("%a1", f"{count}xi32")
    target = body.buffer(f"{count}xf32")
    body.op(
        "vgather",
        f"{source}, {index}, {target}",
        f"{ub('16xf32')}, {ub(f'{count}xi32')}, {ub(f'{count}xf32')}",
    )
    body.store(target, "%a2", f"{count}xf32")
    return vector_module(body.text(), [gm("?xf32"), gm("?xi32"), gm("?xf32")])


def test_gather_takes_elements_by_index():
    values = np.arange(16, dtype=np.float32) * 10
    index = np.array([3, 3, 0, 15, 7], dtype=np.int32)
    result = np.zeros(5, dtype=np.float32)
    run_ok(gather_module(5), [values, index, result])
    np.testing.assert_array_equal(result, values[index])


@pytest.mark.parametrize("wrong", [-1, 16, 1 << 30])
def test_gather_outside_of_its_source_is_a_fault(wrong):
    index = np.array([0, wrong], dtype=np.int32)
    values, result = np.zeros(16, np.float32), np.zeros(2, np.float32)
    fault = run(gather_module(2), [values, index, result]).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_read"


def test_arange_and_fill():
    body = Body()
    target, filled = body.buffer("4x6xi32"), body.buffer("10xf16")
    start, row, column = (body.constant(value, "index") for value in (100, 10, 1))
    body.op(
        "varange",
        f"{target}, {start}, {row}, {column}",
        f"{ub('4x6xi32')}, index, index, index",
        "operandSegmentSizes = array<i32: 1, 1, 2>",
    )
    body.op("vbrc", f"{body.constant('1.500000e+00', 'f16')}, {filled}", f"f16, {ub('10xf16')}")
    body.store(target, "%a0", "4x6xi32")
    body.store(filled, "%a1", "10xf16")
    numbers, halves = np.zeros((4, 6), np.int32), np.zeros(10, np.float16)
    run_ok(vector_module(body.text(), [gm("?xi32"), gm("?xf16")]), [numbers, halves])
    np.testing.assert_array_equal(numbers, 100 + np.add.outer(np.arange(4) * 10, np.arange(6)))
    np.testing.assert_array_equal(halves, np.full(10, 1.5))
