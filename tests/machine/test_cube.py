"""The cube's path: rows to fractals, products, sums in L0C, rows back, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions, MachineFault, load_program
from tests.machine.cube_modules import SUM_TYPE, CubeBody, fractals, product_module
from tests.machine.modules import NUMPY_TYPES, cube_module, gm, memref, run, run_ok


def operands(shape: tuple[int, int, int], element: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(sum(shape))
    m, k, n = shape
    if element == "i8":
        return tuple(rng.integers(-128, 128, size, dtype=np.int8) for size in ((m, k), (k, n)))
    dtype = NUMPY_TYPES[element]
    return tuple(rng.standard_normal(size).astype(dtype) for size in ((m, k), (k, n)))


@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("element", ["f16", "f32", "i8"])
@pytest.mark.parametrize("shape", [(16, 32, 16), (33, 70, 50), (1, 5, 100)])
def test_products_of_any_shape_and_layout(shape, element, transpose_a, transpose_b):
    a, b = operands(shape, element)
    result = np.zeros((shape[0], shape[2]), NUMPY_TYPES[SUM_TYPE[element]])
    text = product_module(shape, element, transpose_a=transpose_a, transpose_b=transpose_b)
    given_a = np.ascontiguousarray(a.T if transpose_a else a)
    given_b = np.ascontiguousarray(b.T if transpose_b else b)
    run_ok(text, [given_a, given_b, result])
    wide = np.int64 if element == "i8" else np.float64
    np.testing.assert_allclose(result, a.astype(wide) @ b.astype(wide), rtol=1e-5, atol=1e-4)


def test_sums_go_on_until_they_are_cleared():
    shape = (20, 32, 24)
    a, b = operands(shape, "f16")
    result = np.zeros((20, 24), np.float32)
    run_ok(product_module(shape, "f16", turns=3), [a, b, result])
    exact = 3 * (a.astype(np.float64) @ b.astype(np.float64))
    np.testing.assert_allclose(result, exact, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("mode", ["", ", pre_relu = #hivm.fixpipe_pre_relu_mode<NORMAL_RELU>"])
def test_the_way_out_rounds_and_clamps(mode):
    shape = (16, 16, 16)
    a, b = operands(shape, "f16")
    result = np.zeros((16, 16), np.float16)
    quant = ", pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>"
    run_ok(product_module(shape, "f16", out="f16", extra_write=quant + mode), [a, b, result])
    exact = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    expected = np.maximum(exact, 0) if mode else exact
    np.testing.assert_allclose(result, expected, rtol=2e-3)


def test_hf32_keeps_eleven_bits():
    shape = (16, 8, 16)
    a = np.full((16, 8), 1 + 2.0**-12 + 2.0**-13, np.float32)
    b = np.eye(8, 16, dtype=np.float32)
    result = np.zeros((16, 16), np.float32)
    run_ok(product_module(shape, "f32", extra_multiply=", enable_HF32"), [a, b, result])
    np.testing.assert_array_equal(result[:, :8], np.float32(1 + 2.0**-11))


def test_a_side_that_does_not_fit_l0_traps():
    shape = (8, 8, 8)
    a, b = operands(shape, "f32")
    result = np.zeros((8, 8), np.float32)
    assert run(product_module(shape, "f32", tile_rows=1024), [a, b, result]).fault is None
    fault = run(product_module(shape, "f32", tile_rows=1040), [a, b, result]).fault
    assert fault is not None and fault.code == "machine.l0_trap"


def test_a_product_of_what_was_not_loaded_is_garbage():
    """k is larger than what nd2nz brought."""
    body = CubeBody()
    a, b = body.load_l1("%a0", 16, 16, "f16"), body.load_l1("%a1", 16, 16, "f16")
    wide_shape = fractals(16, 32, "f16", 16)
    wide = (body.pointer(0, wide_shape, "cbuf"), memref(wide_shape, "cbuf"))
    sum_shape = fractals(16, 16, "f32", 16)
    sums = (body.pointer(0, sum_shape, "cc"), memref(sum_shape, "cc"))
    tall_shape = fractals(32, 16, "f16", 16)
    tall = (body.pointer(64 * 1024, tall_shape, "cbuf"), memref(tall_shape, "cbuf"))
    body.multiply(a, b, sums, (16, 16, 16), True)
    body.multiply(wide, tall, sums, (16, 32, 16), True)
    body.write_back(sums, "%a2", "16x16xf32")
    text = cube_module(body.text(), [gm("?xf16")] * 2 + [gm("?xf32")])
    x = np.zeros((16, 16), np.float16)
    arguments = [x, x.copy(), np.zeros((16, 16), np.float32)]
    assert run(text, arguments).fault is None
    fault = run(text, arguments, options=ExecutionOptions(check_uninitialised=True)).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"


def test_a_product_covers_the_rows_that_pad_its_tile():
    """Fixpipe may take them: the compiler counts on what fills the tile in L1."""
    body = CubeBody()
    tile_shape = fractals(32, 16, "f16", 16)
    a = (body.pointer(128 * 1024, tile_shape, "cbuf"), memref(tile_shape, "cbuf"))
    fill = "broadcast_dims = array<i64>"
    body.op("vbrc", f"{body.constant(2.0, 'f16')}, {a[0]}", f"f16, {a[1]}", fill)
    b = body.load_l1("%a0", 16, 16, "f16")
    sums = body.sums(32, 16)
    body.multiply(a, b, sums, (6, 16, 16), True)
    body.write_back(sums, "%a1", "32x16xf32")
    result = np.zeros((32, 16), np.float32)
    x = np.eye(16, dtype=np.float16)
    assert run(cube_module(body.text(), [gm("?xf16"), gm("?xf32")]), [x, result]).fault is None
    np.testing.assert_array_equal(result, 2)


def test_an_empty_product_leaves_the_sums_alone():
    body = CubeBody()
    a, b = body.load_l1("%a0", 16, 16, "f16"), body.load_l1("%a1", 16, 16, "f16")
    sum_shape = fractals(16, 16, "f32", 16)
    sums = (body.pointer(0, sum_shape, "cc"), memref(sum_shape, "cc"))
    body.multiply(a, b, sums, (16, 16, 16), True)
    body.multiply(a, b, sums, (16, 0, 16), True)
    body.write_back(sums, "%a2", "16x16xf32")
    x = np.eye(16, dtype=np.float16)
    result = np.zeros((16, 16), np.float32)
    run_ok(cube_module(body.text(), [gm("?xf16")] * 2 + [gm("?xf32")]), [x, x.copy(), result])
    np.testing.assert_array_equal(result, np.eye(16))


def test_an_empty_product_of_sides_that_do_not_fit_l0_does_nothing():
    body = CubeBody()
    a, b = body.load_l1("%a0", 8, 8, "f32", 1040), body.load_l1("%a1", 8, 8, "f32")
    body.multiply(a, b, body.sums(8, 8), (0, 8, 8), True)
    x = np.zeros((8, 8), np.float32)
    assert run(cube_module(body.text(), [gm("?xf32")] * 2), [x, x.copy()]).fault is None


def test_sums_may_go_to_plain_rows_in_l1():
    """Where they are: rows of L1 that a load behind them would read as a bias."""
    body = CubeBody()
    a, b = body.load_l1("%a0", 16, 16, "f16"), body.load_l1("%a1", 16, 16, "f16")
    sums, rows = body.sums(16, 16), body.pointer(128 * 1024, "1x16xf32", "cbuf")
    body.multiply(a, b, sums, (16, 16, 16), True)
    properties = "dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>"
    row_type = memref("1x16xf32", "cbuf")
    body.op("fixpipe", f"{sums[0]}, {rows}", f"{sums[1]}, {row_type}", properties)
    body.multiply(a, b, sums, (16, 16, 16), True, bias=(rows, row_type))
    body.write_back(sums, "%a2", "16x16xf32")
    x = np.eye(16, dtype=np.float16)
    y = np.arange(256, dtype=np.float16).reshape(16, 16) / 16
    result = np.zeros((16, 16), np.float32)
    run_ok(cube_module(body.text(), [gm("?xf16")] * 2 + [gm("?xf32")]), [x, y, result])
    np.testing.assert_array_equal(result, y.astype(np.float32) + y[0])


def test_writing_back_outside_of_the_result_is_a_fault():
    shape = (16, 16, 16)
    a, b = operands(shape, "f16")
    fault = run(product_module(shape, "f16"), [a, b, np.zeros((15, 16), np.float32)]).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_write"
    assert "fixpipe" in fault.op_text


@pytest.mark.parametrize("seed", range(4))
def test_a_dry_run_of_the_pipes_in_any_order_ends(seed):
    """Nothing is loaded into L0 then, so the multiplication must not wait for it."""
    shape = (16, 16, 16)
    a, b = operands(shape, "f16")
    options = ExecutionOptions(functional=False, interleaving_seed=seed)
    text = product_module(shape, "f16", turns=2)
    assert run(text, [a, b, np.zeros((16, 16), np.float32)], options=options).fault is None


@pytest.mark.parametrize(
    "extra",
    [
        ", pre_relu = #hivm.fixpipe_pre_relu_mode<LEAKY_RELU>",
        ", pre_relu = #hivm.fixpipe_pre_relu_mode<P_RELU>",
        ", pre_quant = #hivm.fixpipe_pre_quant_mode<S322I8>",
        ", channel_split = true",
    ],
)
def test_ways_out_that_are_not_known_are_refused(extra):
    fault = load_program(product_module((16, 16, 16), "f16", extra_write=extra))
    assert isinstance(fault, MachineFault) and fault.code == "machine.unsupported_op"
    assert "fixpipe" in fault.op_text


def biased_module(columns: int = 24, element: str = "f16", turns: int = 1) -> str:
    sum_type = SUM_TYPE[element]
    body = CubeBody()
    a = body.load_l1("%a0", 20, 32, element)
    b = body.load_l1("%a1", 32, 24, element)
    bias = body.load_bias("%a3", columns, sum_type)
    sums = body.sums(20, 24, sum_type)
    for turn in range(turns):
        body.multiply(a, b, sums, (20, 32, 24), turn == 0, bias=bias)
    body.write_back(sums, "%a2", f"20x24x{sum_type}")
    return cube_module(body.text(), [gm(f"?x{element}")] * 2 + [gm(f"?x{sum_type}")] * 2)


@pytest.mark.parametrize("turns", [1, 3])
def test_a_product_starts_from_its_bias_and_adds_it_once(turns):
    a, b = operands((20, 32, 24), "f16")
    bias = np.random.default_rng(5).standard_normal(24).astype(np.float32)
    result = np.zeros((20, 24), np.float32)
    run_ok(biased_module(turns=turns), [a, b, result, bias])
    exact = turns * (a.astype(np.float64) @ b.astype(np.float64)) + bias
    np.testing.assert_allclose(result, exact, rtol=1e-5, atol=1e-4)


def test_a_product_of_integers_takes_a_bias_of_integers():
    a, b = operands((20, 32, 24), "i8")
    bias = np.arange(-12, 12, dtype=np.int32) << 20
    result = np.zeros((20, 24), np.int32)
    run_ok(biased_module(element="i8"), [a, b, result, bias])
    np.testing.assert_array_equal(result, a.astype(np.int32) @ b.astype(np.int32) + bias)


def test_a_bias_that_is_too_short_is_a_fault():
    a, b = operands((20, 32, 24), "f16")
    result, bias = np.zeros((20, 24), np.float32), np.zeros(24, np.float32)
    fault = run(biased_module(columns=16), [a, b, result, bias]).fault
    assert fault is not None and fault.code == "machine.out_of_bounds_read"


@pytest.mark.parametrize(
    "out, quant", [("f16", "NO_QUANT"), ("f32", "F322F16"), ("bf16", "F322F16")]
)
def test_a_way_out_that_rounds_to_another_type_than_it_writes_is_refused(out, quant):
    extra = f", pre_quant = #hivm.fixpipe_pre_quant_mode<{quant}>"
    fault = load_program(product_module((16, 16, 16), "f16", out=out, extra_write=extra))
    assert isinstance(fault, MachineFault) and fault.code == "machine.unsupported_op"
    assert "pre_quant" in fault.message


def test_a_product_of_a_type_that_the_cube_does_not_have_is_refused():
    text = product_module((16, 32, 16), "f16").replace("xf16", "xi16")
    fault = run(text, [np.zeros(4096, np.int64) for _ in range(3)]).fault
    assert fault is not None and fault.code == "machine.unsupported_op"
    assert "i16" in fault.message
