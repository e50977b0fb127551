"""Matrix products: tile loops, layouts, types, epilogues, batches, convolution.

A plain product runs on the cube core alone; arithmetic on its result adds the two vector cores,
each with half of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, Value, Values, blank
from tests.machine.corpus.fixed import fixed, normal, out, whole

Sizes = tuple[int, int, int]
Expected = dict[str, torch.Tensor]

# Sums of a few hundred products of size 1: absolute errors are those of the sums' parts.
TOLERANCES = {
    "fp32": Tolerance(1e-5, 1e-4),
    "fp16": Tolerance(2e-3, 5e-3),
    "bf16": Tolerance(1.2e-2, 2e-2),
}


@triton.jit
def multiply(a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right = tl.load(
            b + depth[:, None] * columns + column[None, :], mask=right_inside, other=0.0
        )
        total = tl.dot(left, right, total)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] * columns + column[None, :], total, mask=inside)


@triton.jit
def multiply_integers(
    a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.int32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0)
        right = tl.load(b + depth[:, None] * columns + column[None, :], mask=right_inside, other=0)
        total = tl.dot(left, right, total, out_dtype=tl.int32)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] * columns + column[None, :], total, mask=inside)


@triton.jit
def multiply_transposed(
    a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    tiles = tl.cdiv(columns, N)
    row = (tl.program_id(0) // tiles) * M + tl.arange(0, M)
    column = (tl.program_id(0) % tiles) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (column[:, None] < columns) & (depth[None, :] < inner)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right = tl.load(b + column[:, None] * inner + depth[None, :], mask=right_inside, other=0.0)
        total = tl.dot(left, tl.trans(right), total)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    target = c + row[:, None] * columns + column[None, :]
    tl.store(target, total.to(c.dtype.element_ty), mask=inside)


@triton.jit
def multiply_first_transposed(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)
    column = tl.arange(0, N)
    depth = tl.arange(0, K)
    left = tl.load(a + depth[:, None] * M + row[None, :])
    right = tl.load(b + depth[:, None] * N + column[None, :])
    tl.store(c + row[:, None] * N + column[None, :], tl.dot(tl.trans(left), right))


@triton.jit
def multiply_persistent(
    a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    tiles = tl.cdiv(columns, N)
    for tile in range(tl.program_id(0), tl.cdiv(rows, M) * tiles, tl.num_programs(0)):
        row = (tile // tiles) * M + tl.arange(0, M)
        column = (tile % tiles) * N + tl.arange(0, N)
        total = tl.zeros((M, N), tl.float32)
        for start in range(0, inner, K):
            depth = start + tl.arange(0, K)
            left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
            right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
            left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
            right = tl.load(
                b + depth[:, None] * columns + column[None, :], mask=right_inside, other=0.0
            )
            total = tl.dot(left, right, total)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        target = c + row[:, None] * columns + column[None, :]
        tl.store(target, total.to(c.dtype.element_ty), mask=inside)


@triton.jit
def multiply_batches(
    a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    batch = tl.program_id(2)
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left_at = a + batch * rows * inner + row[:, None] * inner + depth[None, :]
        right_at = b + batch * inner * columns + depth[:, None] * columns + column[None, :]
        left = tl.load(left_at, mask=left_inside, other=0.0)
        right = tl.load(right_at, mask=right_inside, other=0.0)
        total = tl.dot(left, right, total)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    target = c + batch * rows * columns + row[:, None] * columns + column[None, :]
    tl.store(target, total.to(c.dtype.element_ty), mask=inside)


@triton.jit
def multiply_add_bias(
    a, b, bias, c, rows, columns, inner,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GELU: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right = tl.load(
            b + depth[:, None] * columns + column[None, :], mask=right_inside, other=0.0
        )
        total = tl.dot(left, right, total)
    value = total + tl.load(bias + column, mask=column < columns, other=0.0)[None, :]
    if GELU:
        value = value * 0.5 * (1 + tl.erf(value * 0.7071067811865475))
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    target = c + row[:, None] * columns + column[None, :]
    tl.store(target, value.to(c.dtype.element_ty), mask=inside)


@triton.jit
def multiply_dequantised(
    a, b, scale, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    factor = tl.load(scale + column)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left = tl.load(a + row[:, None] * inner + depth[None, :])
        right = tl.load(b + depth[:, None] * columns + column[None, :]).to(tl.float16)
        total = tl.dot(left, right, total)
    target = c + row[:, None] * columns + column[None, :]
    tl.store(target, (total * factor[None, :]).to(tl.float16))


@triton.jit
def convolve(
    x, weight, out, height, width, channels, features, out_height, out_width,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SIZE: tl.constexpr,
):  # fmt: skip
    line = tl.program_id(2)
    place = tl.program_id(0) * M + tl.arange(0, M)
    feature = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for down in range(SIZE):
        for right in range(SIZE):
            y = line + down - 1
            z = place + right - 1
            inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
            for start in range(0, channels, K):
                depth = start + tl.arange(0, K)
                pixels = tl.load(
                    x + (y * width + z)[:, None] * channels + depth[None, :],
                    mask=inside[:, None] & (depth[None, :] < channels),
                    other=0.0,
                )
                filters = tl.load(
                    weight
                    + ((down * SIZE + right) * channels + depth)[:, None] * features
                    + feature[None, :],
                    mask=(depth[:, None] < channels) & (feature[None, :] < features),
                    other=0.0,
                )
                total = tl.dot(pixels, filters, total)
    target = out + (line * out_width + place)[:, None] * features + feature[None, :]
    written = (place[:, None] < out_width) & (feature[None, :] < features)
    tl.store(target, total.to(tl.float16), mask=written)


@triton.jit
def multiply_planes(
    a, b, c, COUNT: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    plane = tl.arange(0, COUNT)[:, None, None]
    row = tl.arange(0, M)[None, :, None]
    column = tl.arange(0, N)[None, None, :]
    left = tl.load(a + plane * M * K + row * K + tl.arange(0, K)[None, None, :])
    right = tl.load(b + plane * K * N + tl.arange(0, K)[None, :, None] * N + column)
    tl.store(c + plane * M * N + row * N + column, tl.dot(left, right))


@triton.jit
def multiply_exponential(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column)
    weight = tl.exp(left.to(tl.float32)).to(tl.float16)
    tl.store(c + row * N + column, tl.dot(weight, right))


@triton.jit
def multiply_twice(a, b, d, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column)
    last = tl.load(d + tl.arange(0, N)[:, None] * N + column)
    tl.store(c + row * N + column, tl.dot(tl.dot(left, right).to(tl.float16), last))


@triton.jit
def multiply_once(
    a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr
):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column)
    tl.store(c + row * N + column, tl.dot(left, right, input_precision=PRECISION))


@triton.jit
def multiply_to_half(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column)
    tl.store(c + row * N + column, tl.dot(left, right, out_dtype=tl.float16))


@triton.jit
def multiply_gathered(index, a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)
    column = tl.arange(0, N)[None, :]
    chosen = tl.load(index + row)
    left = tl.load(a + chosen[:, None] * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column)
    tl.store(c + row[:, None] * N + column, tl.dot(left, right))


@triton.jit
def sum_product_rows(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)
    left = tl.load(a + row[:, None] * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(c + row, tl.sum(tl.dot(left, right), 1))


@triton.jit
def multiply_unmasked(a, b, c, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left = tl.load(a + row * inner + depth[None, :])
        right = tl.load(b + depth[:, None] * columns + column)
        total = tl.dot(left, right, total)
    tl.store(c + row * columns + column, total)


@triton.jit
def multiply_and_scale_rows(
    a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right = tl.load(
            b + depth[:, None] * columns + column[None, :], mask=right_inside, other=0.0
        )
        total = tl.dot(left, right, total)
    masked = tl.where(column[None, :] < columns, total, -float("inf"))
    weight = tl.exp(masked - tl.max(masked, 1)[:, None])
    share = weight / tl.sum(weight, 1)[:, None]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    target = c + row[:, None] * columns + column[None, :]
    tl.store(target, share.to(c.dtype.element_ty), mask=inside)


def product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a.double() @ b.double()


def draw_operand(draw: Draw, shape: Any, dtype: str) -> torch.Tensor:
    return draw.normal(shape, dtype) if dtype != "i8" else draw.integers(shape, -90, 90, dtype)


def tiled(
    name: str,
    function: Any,
    dtypes: str,
    sizes: Sizes,
    tile: Sizes,
    *,
    second_shape: tuple[int, int] | None = None,
    oracle: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = product,
    grid: tuple[int, ...] | None = None,
    tolerance: Tolerance | None = None,
) -> CorpusKernel:
    """An entry for a kernel (a, b, c, rows, columns, inner, M, N, K).

    `dtypes` are those of a and b, and of c. `second_shape` is b's, (inner, columns) without it.
    """
    source, target = dtypes.split()
    rows, columns, inner = sizes

    def make_values(draw: Draw) -> Values:
        return {
            "a": draw_operand(draw, (rows, inner), source),
            "b": draw_operand(draw, second_shape or (inner, columns), source),
            "c": blank((rows, columns), target),
            "rows": rows,
            "columns": columns,
            "inner": inner,
        }

    def expect(a: torch.Tensor, b: torch.Tensor, **rest: Value) -> Expected:
        return {"c": oracle(a, b)}

    signature = {"a": f"*{source}", "b": f"*{source}", "c": f"*{target}"}
    signature |= dict.fromkeys(("rows", "columns", "inner"), "i32")
    constants = dict(zip("MNK", tile, strict=True))
    tiles = (-(-rows // tile[0]), -(-columns // tile[1]))
    limits = tolerance or TOLERANCES.get(target)
    return CorpusKernel(
        name, function, signature, grid or tiles, make_values, expect, constants, limits
    )


def once(
    name: str, function: Any, dtypes: str, sizes: Sizes, oracle: Any = product, **constants: Any
) -> CorpusKernel:
    """An entry for a kernel (a, b, c, M, N, K) of one program."""
    source, target = dtypes.split()
    rows, columns, inner = sizes
    values = {"a": normal((rows, inner), source), "b": normal((inner, columns), source)}
    result = 1 if function is sum_product_rows else columns
    types = {"a": f"*{source}", "b": f"*{source}", "c": f"*{target}"}
    return fixed(
        name, function, types, values | {"c": out((rows, result), target)},
        lambda a, b, c: {"c": oracle(a, b)},
        tolerance=constants.pop("tolerance", TOLERANCES[target]),
        M=rows, N=columns, K=inner, **constants,
    )  # fmt: skip


def make_bias(
    name: str, sizes: Sizes, tile: Sizes, gelu: bool, dtype: str = "fp16"
) -> CorpusKernel:
    rows, columns, inner = sizes

    def make_values(draw: Draw) -> Values:
        return {
            "a": draw.normal((rows, inner), dtype),
            "b": draw.normal((inner, columns), dtype, scale=0.2),
            "bias": draw.normal(columns),
            "c": blank((rows, columns), dtype),
            "rows": rows,
            "columns": columns,
            "inner": inner,
        }

    def expect(a: torch.Tensor, b: torch.Tensor, bias: torch.Tensor, **rest: Value) -> Expected:
        value = product(a, b) + bias.double()
        return {"c": torch.nn.functional.gelu(value) if gelu else value}

    signature = {"a": f"*{dtype}", "b": f"*{dtype}", "bias": "*fp32", "c": f"*{dtype}"}
    signature |= dict.fromkeys(("rows", "columns", "inner"), "i32")
    constants = {**dict(zip("MNK", tile, strict=True)), "GELU": gelu}
    grid = (-(-rows // tile[0]), -(-columns // tile[1]))
    return CorpusKernel(
        name, multiply_add_bias, signature, grid, make_values, expect, constants, TOLERANCES[dtype]
    )


def make_dequantised() -> CorpusKernel:
    rows, columns, inner = 128, 64, 192
    types = {"a": "*fp16", "b": "*i8", "scale": "*fp32", "c": "*fp16"}
    types |= dict.fromkeys(("rows", "columns", "inner"), "i32")
    return fixed(
        "multiply_dequantised", multiply_dequantised, types,
        {
            "a": normal((rows, inner), "fp16"), "b": whole((inner, columns), -99, 99, "i8"),
            "scale": lambda draw: draw.uniform(columns, 0.001, 0.01),
            "c": out((rows, columns), "fp16"), "rows": rows, "columns": columns, "inner": inner,
        },
        lambda a, b, scale, **rest: {"c": product(a, b) * scale.double()}, grid=(2, 1),
        tolerance=TOLERANCES["fp16"], M=64, N=64, K=64,
    )  # fmt: skip


def make_convolution() -> CorpusKernel:
    height, width, channels, features = 5, 40, 32, 64

    def oracle(x: torch.Tensor, weight: torch.Tensor, **rest: Value) -> Expected:
        image = x.double().permute(2, 0, 1)[None]
        filters = weight.double().permute(3, 2, 0, 1)
        return {"out": torch.nn.functional.conv2d(image, filters, padding=1)[0].permute(1, 2, 0)}

    names = ("height", "width", "channels", "features", "out_height", "out_width")
    numbers = dict(zip(names, (height, width, channels, features, height, width), strict=True))
    types = {"x": "*fp16", "weight": "*fp16", "out": "*fp16"} | dict.fromkeys(names, "i32")
    return fixed(
        "convolve", convolve, types,
        {
            "x": normal((height, width, channels), "fp16"),
            "weight": normal((3, 3, channels, features), "fp16", 0.2),
            "out": out((height, width, features), "fp16"), **numbers,
        },
        oracle, grid=(2, 1, height), tolerance=TOLERANCES["fp16"], M=32, N=64, K=32, SIZE=3,
    )  # fmt: skip


def make_batches(dtype: str, sizes: Sizes, tile: Sizes) -> CorpusKernel:
    rows, columns, inner = sizes
    numbers = {"rows": rows, "columns": columns, "inner": inner}
    types = {name: f"*{dtype}" for name in "abc"} | dict.fromkeys(numbers, "i32")
    return fixed(
        f"multiply_batches_{dtype}", multiply_batches, types,
        {
            "a": normal((2, rows, inner), dtype), "b": normal((2, inner, columns), dtype),
            "c": out((2, rows, columns), dtype), **numbers,
        },
        lambda a, b, **rest: {"c": product(a, b)},
        grid=(-(-rows // tile[0]), -(-columns // tile[1]), 2), tolerance=TOLERANCES[dtype],
        M=tile[0], N=tile[1], K=tile[2],
    )  # fmt: skip


def make_planes() -> CorpusKernel:
    types = {"a": "*fp16", "b": "*fp16", "c": "*fp32"}
    return fixed(
        "multiply_planes", multiply_planes, types,
        {"a": normal((4, 32, 32), "fp16"), "b": normal((4, 32, 32), "fp16"), "c": out(4096)},
        lambda a, b, c: {"c": product(a, b)}, tolerance=TOLERANCES["fp32"],
        COUNT=4, M=32, N=32, K=32,
    )  # fmt: skip


def make_twice() -> CorpusKernel:
    def oracle(a: torch.Tensor, b: torch.Tensor, d: torch.Tensor, c: torch.Tensor) -> Expected:
        return {"c": product(product(a, b).to(torch.float16), d)}

    shapes = {"a": normal((64, 64), "fp16"), "b": normal((64, 64), "fp16")}
    types = {"a": "*fp16", "b": "*fp16", "d": "*fp16", "c": "*fp32"}
    return fixed(
        "multiply_twice", multiply_twice, types,
        {**shapes, "d": normal((64, 64), "fp16", 0.1), "c": out((64, 64))}, oracle,
        tolerance=Tolerance(1e-3, 5e-2), M=64, N=64, K=64,
    )  # fmt: skip


def make_gathered() -> CorpusKernel:
    types = {"index": "*i32", "a": "*fp16", "b": "*fp16", "c": "*fp32"}
    return fixed(
        "multiply_gathered", multiply_gathered, types,
        {
            "index": whole(32, 0, 50), "a": normal((50, 32), "fp16"),
            "b": normal((32, 32), "fp16"), "c": out((32, 32)),
        },
        lambda index, a, b, c: {"c": product(a[index.long()], b)}, tolerance=TOLERANCES["fp32"],
        M=32, N=32, K=32,
    )  # fmt: skip


def make_unmasked(tile: Sizes, inner: int) -> CorpusKernel:
    rows, columns, depth = tile
    types = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "columns": "i32", "inner": "i32"}
    return fixed(
        f"multiply_unmasked_{rows}_{columns}_{depth}", multiply_unmasked, types,
        {
            "a": normal((rows, inner), "fp16"), "b": normal((inner, columns), "fp16"),
            "c": out((rows, columns)), "columns": columns, "inner": inner,
        },
        lambda a, b, **rest: {"c": product(a, b)}, tolerance=Tolerance(1e-5, 5e-4),
        M=rows, N=columns, K=depth,
    )  # fmt: skip


def softmax_of_product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.softmax(product(a, b), 1)


RAGGED = (150, 140, 300)
CUBE = (128, 128, 64)

PRODUCTS = (
    tiled("multiply_fp16_fp32", multiply, "fp16 fp32", RAGGED, CUBE),
    tiled("multiply_fp16", multiply, "fp16 fp16", RAGGED, CUBE),
    tiled("multiply_bf16", multiply, "bf16 bf16", RAGGED, CUBE),
    tiled("multiply_fp32", multiply, "fp32 fp32", (100, 90, 330), (64, 64, 64)),
    tiled("multiply_tiles_of_16", multiply, "fp16 fp32", (40, 30, 50), (16, 16, 16)),
    tiled("multiply_tiles_of_8", multiply, "fp16 fp32", (20, 12, 30), (8, 8, 8)),
    tiled("multiply_wide_tile", multiply, "fp16 fp16", (130, 300, 100), (128, 256, 64)),
    tiled("multiply_one_row", multiply, "fp16 fp32", (1, 200, 300), (1, 128, 128)),
    tiled("multiply_deep_tile", multiply, "fp16 fp32", (128, 256, 600), (128, 256, 512)),
    tiled("multiply_deep_fp32", multiply, "fp32 fp32", (100, 256, 300), (128, 256, 256)),
    tiled("multiply_odd_tile_bf16", multiply, "bf16 fp32", (50, 90, 77), (48, 80, 32)),
    tiled("multiply_fp32_small", multiply, "fp32 fp32", (33, 17, 40), (32, 16, 8)),
    tiled("multiply_exact_fp16", multiply, "fp16 fp32", (64, 64, 128), (64, 64, 32)),
    tiled("multiply_i8", multiply_integers, "i8 i32", (100, 90, 330), (64, 64, 64)),
    tiled("multiply_i8_small", multiply_integers, "i8 i32", (20, 40, 70), (16, 32, 32)),
    tiled(
        "multiply_transposed", multiply_transposed, "fp16 fp16", RAGGED, CUBE,
        second_shape=(140, 300), oracle=lambda a, b: product(a, b.T), grid=(4,),
    ),
    tiled(
        "multiply_transposed_bf16", multiply_transposed, "bf16 bf16", (70, 60, 90), (32, 64, 32),
        second_shape=(60, 90), oracle=lambda a, b: product(a, b.T), grid=(3,),
    ),
    tiled("multiply_persistent", multiply_persistent, "fp16 fp16", (300, 140, 100), CUBE, grid=(2,)),
    make_batches("bf16", (100, 90, 70), (64, 64, 64)),
    make_batches("fp16", (40, 50, 60), (32, 32, 32)),
    make_planes(),
    make_twice(),
    make_gathered(),
    once("multiply_once_hf32", multiply_once, "fp32 fp32", (32, 32, 32), PRECISION="hf32",
         tolerance=Tolerance(2e-3, 1e-2)),
    once("multiply_once_ieee", multiply_once, "fp32 fp32", (48, 32, 64), PRECISION="ieee"),
    once("multiply_to_half", multiply_to_half, "fp16 fp16", (32, 32, 32)),
    make_unmasked((128, 128, 1024), 2048),
    make_unmasked((2048, 16, 64), 128),
    make_convolution(),
)  # fmt: skip

EPILOGUES = (
    make_bias("multiply_add_bias", (100, 90, 330), (64, 64, 64), gelu=False),
    make_bias("multiply_bias_gelu", (100, 90, 330), (64, 64, 64), gelu=True),
    make_bias("multiply_bias_gelu_128", (150, 140, 100), (128, 128, 64), gelu=True),
    make_bias("multiply_bias_gelu_bf16", (70, 96, 64), (32, 32, 64), gelu=True, dtype="bf16"),
    make_dequantised(),
    once(
        "multiply_exponential", multiply_exponential, "fp16 fp32", (64, 64, 64),
        lambda a, b: product(a.double().exp().to(torch.float16), b),
        tolerance=Tolerance(2e-3, 3e-2),
    ),
    once(
        "sum_product_rows", sum_product_rows, "fp16 fp32", (64, 64, 64),
        lambda a, b: product(a, b).sum(1), tolerance=Tolerance(1e-4, 1e-3),
    ),
    tiled(
        "softmax_of_product", multiply_and_scale_rows, "fp16 fp16", (70, 50, 64), (64, 64, 64),
        oracle=softmax_of_product, tolerance=Tolerance(3e-3, 1e-4),
    ),
)  # fmt: skip

KERNELS: tuple[CorpusKernel, ...] = (*PRODUCTS, *EPILOGUES)
