"""Elementwise vector ops against numpy, for every element type they are defined for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.machine.modules import NUMPY_TYPES, Body, gm, run, run_ok, ub, vector_module

FLOATS = ("f32", "f16")
INTEGERS = ("i8", "i16", "i32", "i64")
BINARY = {
    "vadd": np.add,
    "vsub": np.subtract,
    "vmul": np.multiply,
    "vmax": np.maximum,
    "vmin": np.minimum,
}
BITWISE = {"vand": np.bitwise_and, "vor": np.bitwise_or, "vxor": np.bitwise_xor}


def sample(element: str, count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    dtype = NUMPY_TYPES[element]
    if element in FLOATS:
        values = (rng.standard_normal(count) * 10).astype(dtype)
        values[:4] = [np.nan, np.inf, -np.inf, 0]
        return values
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)


def apply(op: str, inputs: list[np.ndarray], element: str, extra: str = "") -> np.ndarray:
    shape = "x".join(map(str, inputs[0].shape)) + "x" + element
    body = Body()
    sources = [(body.load(f"%a{index}", shape), ub(shape)) for index in range(len(inputs))]
    target = body.buffer(shape)
    body.elementwise(op, sources, (target, ub(shape)), extra)
    body.store(target, f"%a{len(inputs)}", shape)
    result = np.zeros_like(inputs[0])
    run_ok(vector_module(body.text(), [gm(f"?x{element}")] * (len(inputs) + 1)), [*inputs, result])
    return result


@pytest.mark.parametrize("element", [*FLOATS, *INTEGERS])
@pytest.mark.parametrize("op", BINARY)
def test_arithmetic_is_numpys_rounded_once(op, element):
    x, y = sample(element, 1000, 1), sample(element, 1000, 2)
    with np.errstate(all="ignore"):
        expected = BINARY[op](x, y)
    np.testing.assert_array_equal(apply(op, [x, y], element), expected)


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize("op", BITWISE)
def test_bit_ops(op, element):
    x, y = sample(element, 100, 1), sample(element, 100, 2)
    np.testing.assert_array_equal(apply(op, [x, y], element), BITWISE[op](x, y))


@pytest.mark.parametrize("element", FLOATS)
def test_division_and_square_root_are_exactly_rounded(element):
    x, y = sample(element, 1000, 1), sample(element, 1000, 2)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(apply("vdiv", [x, y], element), x / y)
        np.testing.assert_array_equal(apply("vsqrt", [x], element), np.sqrt(x))
        np.testing.assert_array_equal(apply("vrelu", [x], element), np.maximum(x, 0))
        np.testing.assert_array_equal(apply("vabs", [x], element), np.abs(x))
        np.testing.assert_array_equal(apply("vrec", [x], element), (1 / x).astype(x.dtype))


@pytest.mark.parametrize("element", INTEGERS)
def test_unary_integer_ops_wrap(element):
    x = sample(element, 100)
    x[0] = np.iinfo(x.dtype).min
    np.testing.assert_array_equal(apply("vnot", [x], element), ~x)
    np.testing.assert_array_equal(apply("vabs", [x], element), np.abs(x))


def ulps(result: np.ndarray, exact: np.ndarray) -> float:
    expected = exact.astype(np.float32)
    return float(np.max(np.abs(result - exact) / np.spacing(np.abs(expected))))


def test_exp_and_ln_are_within_two_ulps():
    rng = np.random.default_rng(3)
    x = rng.uniform(-87, 88, 8192).astype(np.float32)
    assert ulps(apply("vexp", [x], "f32"), np.exp(x.astype(np.float64))) < 2
    positive = np.exp2(rng.uniform(-126, 127, 8192)).astype(np.float32)
    assert ulps(apply("vln", [positive], "f32"), np.log(positive.astype(np.float64))) < 2


def test_exp_and_ln_at_the_edges():
    x = np.array([0, -np.inf, np.inf, np.nan, 100, -200, -100, 88.7], dtype=np.float32)
    result = apply("vexp", [x], "f32")
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(result, np.exp(x), rtol=1e-6, atol=1e-45)
    y = np.array([1, 0, -0.0, np.inf, np.nan, -1, 1e-45, 3e-39], dtype=np.float32)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(apply("vln", [y], "f32"), np.log(y), rtol=1e-6)


def test_bfloat16_rounds_to_nearest_even():
    rng = np.random.default_rng(0)
    words = rng.integers(0, 0x7F00, 512, dtype=np.uint16)
    other = rng.integers(0, 0x7F00, 512, dtype=np.uint16)
    result = apply("vadd", [words.view(np.int16), other.view(np.int16)], "bf16").view(np.uint16)
    exact = (words.astype(np.uint32) << 16).view(np.float32)
    exact = exact + (other.astype(np.uint32) << 16).view(np.float32)
    bits = exact.view(np.uint32)
    expected = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("scalar_first", [False, True])
def test_a_number_may_stand_on_either_side(scalar_first):
    shape = "64xf32"
    body = Body()
    source = body.load("%a0", shape)
    target = body.buffer(shape)
    number = (body.constant("2.500000e+00", "f32"), "f32")
    sources = [number, (source, ub(shape))] if scalar_first else [(source, ub(shape)), number]
    body.elementwise("vsub", sources, (target, ub(shape)))
    body.store(target, "%a1", shape)
    x = sample("f32", 64)
    result = np.zeros_like(x)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 2), [x, result])
    np.testing.assert_array_equal(result, 2.5 - x if scalar_first else x - 2.5)


def test_shifts_take_numbers():
    for op, expected in (("vshl", lambda x: x << 3), ("vshr", lambda x: x >> 3)):
        shape = "64xi32"
        body = Body()
        source = body.load("%a0", shape)
        target = body.buffer(shape)
        number = (body.constant(3, "i32"), "i32")
        body.elementwise(op, [(source, ub(shape)), number], (target, ub(shape)))
        body.store(target, "%a1", shape)
        x = sample("i32", 64)
        result = np.zeros_like(x)
        run_ok(vector_module(body.text(), [gm("?xi32")] * 2), [x, result])
        np.testing.assert_array_equal(result, expected(x))


@pytest.mark.parametrize("shapes", [((8, 1), (8, 16), 1), ((1, 16), (8, 16), 0)])
def test_a_unit_dim_is_broadcast(shapes):
    small, large, dim = shapes
    small_shape, shape = f"{small[0]}x{small[1]}xf32", f"{large[0]}x{large[1]}xf32"
    body = Body()
    x, y = body.load("%a0", small_shape), body.load("%a1", shape)
    target = body.buffer(shape)
    body.elementwise(
        "vadd", [(y, ub(shape)), (x, ub(small_shape))], (target, ub(shape)),
        f"broadcast = array<i64: {dim}>",
    )  # fmt: skip
    body.store(target, "%a2", shape)
    rng = np.random.default_rng(0)
    a, b = rng.random(small, dtype=np.float32), rng.random(large, dtype=np.float32)
    result = np.zeros(large, dtype=np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 3), [a, b, result])
    np.testing.assert_array_equal(result, a + b)


def test_strided_operands():
    body = Body()
    whole = body.load("%a0", "16x8xf32")
    strided = "memref<16x3xf32, strided<[8, 2], offset: 1>, #hivm.address_space<ub>>"
    view = body.subview(whole, ub("16x8xf32"), strided, [0, 1], [16, 3], [1, 2])
    target = body.buffer("16x3xf32")
    body.elementwise("vadd", [(view, strided), (view, strided)], (target, ub("16x3xf32")))
    body.store(target, "%a1", "16x3xf32")
    x = np.arange(128, dtype=np.float32).reshape(16, 8)
    result = np.zeros((16, 3), dtype=np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 2), [x, result])
    np.testing.assert_array_equal(result, 2 * x[:, 1:6:2])


def test_an_op_may_write_over_its_input():
    body = Body()
    buffer = body.load("%a0", "100xf16")
    body.elementwise("vmul", [(buffer, ub("100xf16"))] * 2, (buffer, ub("100xf16")))
    body.store(buffer, "%a0", "100xf16")
    x = np.linspace(-3, 3, 100).astype(np.float16)
    expected = x * x
    run_ok(vector_module(body.text(), [gm("?xf16")]), [x])
    np.testing.assert_array_equal(x, expected)


def test_shapes_that_do_not_match_are_a_fault():
    body = Body()
    x, y = body.load("%a0", "8xf32"), body.load("%a0", "4xf32")
    body.elementwise("vadd", [(x, ub("8xf32")), (y, ub("4xf32"))], (x, ub("8xf32")))
    fault = run(vector_module(body.text(), [gm("?xf32")]), [np.zeros(8, np.float32)]).fault
    assert fault is not None and fault.code == "machine.illegal_operand"
    assert "vadd" in fault.op_text


def test_an_op_of_a_type_it_is_not_defined_for_is_a_fault():
    body = Body()
    x = body.load("%a0", "8xi32")
    body.elementwise("vdiv", [(x, ub("8xi32"))] * 2, (x, ub("8xi32")))
    fault = run(vector_module(body.text(), [gm("?xi32")]), [np.zeros(8, np.int32)]).fault
    assert fault is not None and fault.code == "machine.unsupported_op"


@settings(max_examples=25, deadline=None)
@given(count=st.integers(1, 1100), offset=st.integers(0, 40), data=st.data())
def test_bit_packed_masks_of_any_length_and_position(count, offset, data):
    """select(x > y, x, y), where the mask starts at any bit."""
    shape, mask_shape = f"{count}xf32", f"{count}xi1"
    body = Body()
    x, y = body.load("%a0", shape), body.load("%a1", shape)
    whole = body.buffer(f"{count + offset}xi1")
    mask_type = f"memref<{mask_shape}, strided<[1], offset: {offset}>, #hivm.address_space<ub>>"
    mask = body.subview(whole, ub(f"{count + offset}xi1"), mask_type, [offset], [count], [1])
    target = body.buffer(shape)
    sources = [(x, ub(shape)), (y, ub(shape))]
    body.op(
        "vcmp",
        f"{x}, {y}, {mask}",
        f"{ub(shape)}, {ub(shape)}, {mask_type}",
        "operandSegmentSizes = array<i32: 2, 1>, compare_mode = #hivm.compare_mode<gt>",
    )
    body.elementwise("vsel", [(mask, mask_type), *sources], (target, ub(shape)))
    body.store(target, "%a2", shape)
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    a, b = rng.random(count, dtype=np.float32), rng.random(count, dtype=np.float32)
    result = np.zeros(count, dtype=np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 3), [a, b, result])
    np.testing.assert_array_equal(result, np.maximum(a, b))


@pytest.mark.parametrize("mode", ["eq", "ne", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("element", ["f32", "f16", "i32", "i64"])
def test_comparisons(mode, element):
    shape = f"64x{element}"
    body = Body()
    x, y = body.load("%a0", shape), body.load("%a1", shape)
    mask, inverse = body.buffer("64xi1"), body.buffer("64xi1")
    narrow, bytes_ = body.buffer("64xf16"), body.buffer("64xi8")
    body.op(
        "vcmp",
        f"{x}, {y}, {mask}",
        f"{ub(shape)}, {ub(shape)}, {ub('64xi1')}",
        f"operandSegmentSizes = array<i32: 2, 1>, compare_mode = #hivm.compare_mode<{mode}>",
    )
    body.elementwise("vnot", [(mask, ub("64xi1"))], (inverse, ub("64xi1")))
    body.elementwise("vnot", [(inverse, ub("64xi1"))], (mask, ub("64xi1")))
    body.elementwise("vcast", [(mask, ub("64xi1"))], (narrow, ub("64xf16")))
    body.elementwise("vcast", [(narrow, ub("64xf16"))], (bytes_, ub("64xi8")))
    body.store(bytes_, "%a2", "64xi8")
    a, b = sample(element, 64, 1), sample(element, 64, 2)
    b[::3] = a[::3]
    result = np.zeros(64, dtype=np.int8)
    arguments = [gm(f"?x{element}")] * 2 + [gm("?xi8")]
    run_ok(vector_module(body.text(), arguments), [a, b, result])
    compare = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater"}
    expected = getattr(np, compare.get(mode, "greater_equal"))(a, b)
    np.testing.assert_array_equal(result, expected)
