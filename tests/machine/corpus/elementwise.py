"""Elementwise kernels: arithmetic, functions, comparisons, loops, masks and indices.

Functions that the vector unit lacks (sin, erf, tanh, pow, ...) reach the machine as the
compiler's polynomials.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
import triton
import triton.language as tl
import triton.language.extra.ascend.libdevice as libdevice

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, Values
from tests.machine.corpus.pointwise import between, integers, pointwise

LOOSE = Tolerance(3e-5, 3e-6)
SINGLE = Tolerance(1e-6, 1e-7)


@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    total = tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, total, mask=inside)


@triton.jit
def subtract(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    difference = tl.load(x + offsets, mask=inside) - tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, difference, mask=inside)


@triton.jit
def multiply(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    product = tl.load(x + offsets, mask=inside) * tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, product, mask=inside)


@triton.jit
def divide(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    quotient = tl.load(x + offsets, mask=inside) / tl.load(y + offsets, mask=inside, other=1)
    tl.store(out + offsets, quotient, mask=inside)


@triton.jit
def sum_of_functions(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    total = tl.exp(value) + tl.log(value) + tl.sqrt(value) + tl.rsqrt(value) + tl.abs(value)
    tl.store(out + offsets, total, mask=inside)


@triton.jit
def exponential(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, tl.exp(tl.load(x + offsets, mask=inside)), mask=inside)


@triton.jit
def sine_times_cosine(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, tl.sin(value) * tl.cos(value), mask=inside)


@triton.jit
def gelu_erf(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, value * 0.5 * (1 + tl.erf(value * 0.7071067811865475)), mask=inside)


@triton.jit
def powers_of_two(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, tl.exp2(value) + tl.log2(value), mask=inside)


@triton.jit
def floor_plus_ceil(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, tl.floor(value) + tl.ceil(value), mask=inside)


@triton.jit
def round_plus_truncate(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, libdevice.round(value) + libdevice.trunc(value), mask=inside)


@triton.jit
def hyperbolic_tangent(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, libdevice.tanh(tl.load(x + offsets, mask=inside)), mask=inside)


@triton.jit
def library_functions(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    logs = libdevice.log1p(value) + libdevice.expm1(value)
    tl.store(out + offsets, logs + libdevice.relu(value) + libdevice.reciprocal(value), mask=inside)


@triton.jit
def tangent_and_inverse(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, libdevice.tan(value) + libdevice.atan(value), mask=inside)


@triton.jit
def power(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    base = tl.load(x + offsets, mask=inside)
    exponent = tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, libdevice.pow(base, exponent), mask=inside)


@triton.jit
def copy_sign(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    size = tl.load(x + offsets, mask=inside)
    sign = tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, libdevice.copysign(size, sign), mask=inside)


@triton.jit
def replace_not_finite(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    strange = libdevice.isnan(value) | libdevice.isinf(value)
    tl.store(out + offsets, tl.where(strange, 0.0, value), mask=inside)


@triton.jit
def gelu_sigmoid(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    inner = 0.7978845608028654 * (value + 0.044715 * value * value * value)
    tl.store(out + offsets, value * tl.sigmoid(2 * inner), mask=inside)


@triton.jit
def swiglu(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    gate = tl.load(x + offsets, mask=inside).to(tl.float32)
    value = tl.load(y + offsets, mask=inside).to(tl.float32)
    product = gate * tl.sigmoid(gate) * value
    tl.store(out + offsets, product.to(out.dtype.element_ty), mask=inside)


@triton.jit
def is_positive(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, tl.load(x + offsets, mask=inside) > 0, mask=inside)


@triton.jit
def select(c, x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    condition = tl.load(c + offsets, mask=inside)
    left = tl.load(x + offsets, mask=inside)
    right = tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, tl.where(condition, left, right), mask=inside)


@triton.jit
def compare_and_select(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside)
    right = tl.load(y + offsets, mask=inside)
    smaller = tl.where((left < right) & (left != 0.0), left, right)
    signed = tl.where(~(left >= 2.0), smaller, -smaller)
    tl.store(out + offsets, tl.maximum(signed, tl.minimum(left, 0.1)), mask=inside)


@triton.jit
def combine_bits(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside)
    right = tl.load(y + offsets, mask=inside)
    bits = ((left & right) | (left ^ right)) + (left << 2) + (right >> 1) + ~left
    tl.store(out + offsets, bits, mask=inside)


@triton.jit
def quotient_plus_remainder(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside, other=1)
    right = tl.load(y + offsets, mask=inside, other=1)
    tl.store(out + offsets, (left // right) + (left % right), mask=inside)


@triton.jit
def exponential_strided(x, out, count, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    for start in range(first, count, tl.num_programs(0) * BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < count
        tl.store(out + offsets, tl.exp(tl.load(x + offsets, mask=inside)), mask=inside)


@triton.jit
def halve_until_small(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside, other=0.0)
    halvings = 0
    total = tl.sum(value, 0)
    while total > 1.0:
        value = value * 0.5
        total = tl.sum(value, 0)
        halvings += 1
    tl.store(out + offsets, value + halvings, mask=inside)


@triton.jit
def double_in_three_axes(x, out, count, BLOCK: tl.constexpr):
    plane = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    block = plane * tl.num_programs(2) + tl.program_id(2)
    offsets = block * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, tl.load(x + offsets, mask=inside) * 2, mask=inside)


@triton.jit
def multiply_add(x, out, count, scale, shift, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, tl.fma(tl.load(x + offsets, mask=inside), scale, shift), mask=inside)


@triton.jit
def fill(out, count, value, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.full((BLOCK,), 0.0, tl.float32) + value, mask=offsets < count)


@triton.jit
def count_up(out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, offsets, mask=offsets < count)


@triton.jit
def add_one_wide_index(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, tl.load(x + offsets, mask=inside) + 1.0, mask=inside)


@triton.jit
def exponential_in_parts(x, out, count, BLOCK: tl.constexpr, PART: tl.constexpr):
    for start in range(0, BLOCK, PART):
        offsets = tl.program_id(0) * BLOCK + start + tl.arange(0, PART)
        inside = offsets < count
        tl.store(out + offsets, tl.exp(tl.load(x + offsets, mask=inside)), mask=inside)


@triton.jit
def update_adamw(
    weight, gradient, mean, square, count, rate, beta1, beta2, epsilon, decay, BLOCK: tl.constexpr
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    old = tl.load(weight + offsets, mask=inside)
    slope = tl.load(gradient + offsets, mask=inside)
    first = beta1 * tl.load(mean + offsets, mask=inside) + (1 - beta1) * slope
    second = beta2 * tl.load(square + offsets, mask=inside) + (1 - beta2) * slope * slope
    new = old * (1 - rate * decay) - rate * first / (tl.sqrt(second) + epsilon)
    tl.store(weight + offsets, new, mask=inside)
    tl.store(mean + offsets, first, mask=inside)
    tl.store(square + offsets, second, mask=inside)


@triton.jit
def leaky_clamp(x, out, count, low, high, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside).to(tl.float32)
    clamped = tl.minimum(tl.maximum(value, low), high)
    leaky = tl.where(value < low, low + 0.01 * (value - low), clamped)
    tl.store(out + offsets, leaky.to(out.dtype.element_ty), mask=inside)


@triton.jit
def larger_or_less_one(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside)
    right = tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, tl.where(left > right, tl.abs(left), right - 1), mask=inside)


@triton.jit
def softplus(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside).to(tl.float32)
    result = tl.maximum(value, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(value)))
    tl.store(out + offsets, result.to(out.dtype.element_ty), mask=inside)


@triton.jit
def mask_of_both(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside)
    right = tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, (left > right) ^ (left == 0), mask=inside)


@triton.jit
def interleave_pairs(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    pairs = tl.program_id(0) * BLOCK * 2 + tl.arange(0, 2 * BLOCK)
    joined = tl.interleave(tl.load(x + offsets), tl.load(y + offsets))
    tl.store(out + pairs, joined, mask=pairs < count)


def fill_entry(name: str, function: Any, output: str, oracle: Callable[..., Any]) -> CorpusKernel:
    numbers = {"value": ("fp32", 0.25)} if "value" in function.arg_names else {}
    return pointwise(name, function, "", output, oracle, count=2563, numbers=numbers)


def wrap(bits: int) -> Callable[[torch.Tensor], torch.Tensor]:
    """Two's complement of `bits` bits."""
    half, span = 1 << (bits - 1), 1 << bits
    return lambda values: (values + half) % span - half


def round_half_away(value: torch.Tensor) -> torch.Tensor:
    return torch.trunc(value) + torch.trunc(2 * (value - torch.trunc(value)))


def bits_oracle(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return ((x & y) | (x ^ y)) + (x << 2) + (y >> 1) + ~x


def divide_truncating(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    quotient = torch.div(x, y, rounding_mode="trunc")
    return quotient + (x - quotient * y)


def select_oracle(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    left, right = x.double(), y.double()
    smaller = torch.where((left < right) & (left != 0), left, right)
    signed = torch.where(left >= 2, -smaller, smaller)
    return torch.maximum(signed, left.clamp(max=0.1))


def halving_oracle(x: torch.Tensor) -> torch.Tensor:
    parts = []
    for part in x.split(1024):
        halvings = 0
        while part.sum() > 1.0:
            part, halvings = part * 0.5, halvings + 1
        parts.append(part + halvings)
    return torch.cat(parts)


def draw_strange(draw: Draw, count: int, dtype: str) -> torch.Tensor:
    values = draw.normal(count, dtype)
    values[::7], values[3::11], values[5::13] = torch.nan, torch.inf, -torch.inf
    return values


def replace_oracle(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x.isfinite(), x, 0.0)


def softplus_oracle(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.softplus(x, threshold=1e9)


def gelu_tanh_oracle(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.gelu(x, approximate="tanh")


def swiglu_oracle(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.silu(x) * y


def leaky_oracle(x: torch.Tensor, low: float, high: float) -> torch.Tensor:
    return torch.where(x < low, low + 0.01 * (x - low), x.clamp(low, high))


def functions_oracle(x: torch.Tensor) -> torch.Tensor:
    return x.exp() + x.log() + x.sqrt() + x.rsqrt() + x.abs()


def library_oracle(x: torch.Tensor) -> torch.Tensor:
    return x.log1p() + x.expm1() + x.relu() + 1 / x


def make_adamw() -> CorpusKernel:
    count, block = 2200, 1024
    numbers = {"rate": 1e-2, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-5, "decay": 0.01}
    buffers = ("weight", "gradient", "mean", "square")

    def make_values(draw: Draw) -> Values:
        values = {name: draw.normal(count) for name in buffers}
        return {**values, "square": values["square"].abs(), "count": count, **numbers}

    def expect(weight: Any, gradient: Any, mean: Any, square: Any, **rest: Any) -> Values:
        weight, gradient, mean, square = (
            buffer.double() for buffer in (weight, gradient, mean, square)
        )
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient * gradient
        weight = weight * (1 - 1e-4) - 1e-2 * mean / (square.sqrt() + 1e-5)
        return {"weight": weight, "mean": mean, "square": square}

    signature = dict.fromkeys(buffers, "*fp32") | {"count": "i32"}
    signature |= dict.fromkeys(numbers, "fp32")
    grid = (-(-count // block),)
    return CorpusKernel(
        "update_adamw", update_adamw, signature, grid, make_values, expect, {"BLOCK": block}
    )


ADDITIONS = tuple(
    pointwise(
        f"add_{dtype}", add, f"{dtype} {dtype}", dtype,
        (lambda x, y: x + y) if dtype[0] != "i" else
        (lambda x, y, bits=int(dtype[1:]): wrap(bits)(x + y) if bits < 64 else x + y),
        block=block,
    )
    for dtype, block in (
        ("fp32", 1024), ("fp16", 1024), ("bf16", 1024), ("i32", 1024), ("i8", 1024), ("i16", 1024),
        ("i64", 1024),
    )
)  # fmt: skip

# Products that overflow must wrap as the type does.
PRODUCTS = (
    pointwise("product_i64", multiply, "i64 i64", "i64", torch.mul, block=256),
    pointwise(
        "product_i8", multiply, "i8 i8", "i8", lambda x, y: wrap(8)(x * y), block=256
    ),
    pointwise(
        "product_u32", multiply, "u32 u32", "u32", torch.mul, block=256,
        makers={"x": integers(0, 60000), "y": integers(0, 60000)},
    ),
    pointwise(
        "product_u64", multiply, "u64 u64", "u64", torch.mul, block=256,
        makers={"x": integers(0, 1 << 31), "y": integers(0, 1 << 31)},
    ),
    pointwise(
        "product_i16", multiply, "i16 i16", "i16", lambda x, y: wrap(16)(x * y), block=256,
        makers={"x": integers(-900, 900)},
    ),
    pointwise(
        "product_i32", multiply, "i32 i32", "i32", lambda x, y: wrap(32)(x * y), block=512,
        makers={"x": integers(-(1 << 20), 1 << 20), "y": integers(-(1 << 14), 1 << 14)},
    ),
    pointwise("product_bf16", multiply, "bf16 bf16", "bf16", torch.mul, block=384),
    pointwise("subtract_fp16", subtract, "fp16 fp16", "fp16", torch.sub, block=512),
    pointwise(
        "subtract_i16", subtract, "i16 i16", "i16", lambda x, y: wrap(16)(x - y),
        makers={"x": integers(-32768, 32768), "y": integers(-32768, 32768)},
    ),
    pointwise(
        "divide_fp32", divide, "fp32 fp32", "fp32", torch.div, tolerance=SINGLE,
        makers={"y": between(0.5, 3)},
    ),
    pointwise(
        "divide_fp16", divide, "fp16 fp16", "fp16", torch.div, makers={"y": between(-4, -0.25)}
    ),
)  # fmt: skip

FUNCTIONS = (
    pointwise(
        "sum_of_functions", sum_of_functions, "fp32", "fp32", functions_oracle,
        makers={"x": between(0.1, 6)},
    ),
    pointwise(
        "sum_of_functions_to_fp16", sum_of_functions, "fp32", "fp16", functions_oracle,
        makers={"x": between(0.1, 6)},
    ),
    pointwise(
        "exponential_tiny", exponential, "fp32", "fp32", torch.exp, block=16, count=5
    ),
    pointwise("exponential_fp32_16384", exponential, "fp32", "fp32", torch.exp, block=16384),
    pointwise("exponential_fp32_32768", exponential, "fp32", "fp32", torch.exp, block=32768),
    pointwise(
        "exponential_fp16", exponential, "fp16", "fp16", torch.exp, block=2048,
        makers={"x": between(-3, 3)},
    ),
    pointwise(
        "sine_times_cosine", sine_times_cosine, "fp32", "fp32", lambda x: x.sin() * x.cos(),
        makers={"x": between(-20, 20)},
    ),
    pointwise(
        "gelu_erf", gelu_erf, "fp32", "fp32", torch.nn.functional.gelu, tolerance=LOOSE
    ),
    pointwise(
        "powers_of_two", powers_of_two, "fp32", "fp32", lambda x: x.exp2() + x.log2(),
        makers={"x": between(0.1, 8)}, tolerance=LOOSE,
    ),
    pointwise(
        "floor_plus_ceil", floor_plus_ceil, "fp32", "fp32", lambda x: x.floor() + x.ceil()
    ),
    pointwise(
        "floor_plus_ceil_fp16", floor_plus_ceil, "fp16", "fp16", lambda x: x.floor() + x.ceil()
    ),
    pointwise(
        "sine_times_cosine_fp16", sine_times_cosine, "fp16", "fp16", lambda x: x.sin() * x.cos(),
        tolerance=Tolerance(4e-3, 1e-3),
    ),
    pointwise(
        "gelu_erf_fp16", gelu_erf, "fp16", "fp16", torch.nn.functional.gelu, block=512,
        tolerance=Tolerance(4e-3, 2e-3),
    ),
    pointwise(
        "hyperbolic_tangent_fp16", hyperbolic_tangent, "fp16", "fp16", torch.tanh, block=256,
        tolerance=Tolerance(4e-3, 1e-3),
    ),
    pointwise(
        "round_plus_truncate", round_plus_truncate, "fp32", "fp32",
        lambda x: round_half_away(x) + x.trunc(),
    ),
    pointwise(
        "hyperbolic_tangent", hyperbolic_tangent, "fp32", "fp32", torch.tanh, tolerance=LOOSE
    ),
    pointwise(
        "library_functions", library_functions, "fp32", "fp32", library_oracle, block=512,
        makers={"x": between(0.2, 4)},
    ),
    pointwise(
        "tangent_and_inverse", tangent_and_inverse, "fp32", "fp32", lambda x: x.tan() + x.atan(),
        block=512, makers={"x": between(-1.4, 1.4)}, tolerance=LOOSE,
    ),
    pointwise(
        "power", power, "fp32 fp32", "fp32", torch.pow, block=512,
        makers={"x": between(0.2, 5), "y": between(-4, 4)}, tolerance=LOOSE,
    ),
    pointwise("copy_sign", copy_sign, "fp32 fp32", "fp32", torch.copysign, block=64),
    pointwise(
        "replace_not_finite", replace_not_finite, "fp32", "fp32", replace_oracle,
        makers={"x": draw_strange},
    ),
    pointwise("gelu_sigmoid", gelu_sigmoid, "fp32", "fp32", gelu_tanh_oracle),
    pointwise("swiglu_bf16", swiglu, "bf16 bf16", "bf16", swiglu_oracle),
    pointwise("swiglu_fp16_narrow", swiglu, "fp16 fp16", "fp16", swiglu_oracle, block=96),
    pointwise("softplus_fp32", softplus, "fp32", "fp32", softplus_oracle, block=640),
    pointwise("softplus_bf16", softplus, "bf16", "bf16", softplus_oracle, block=2048),
    pointwise(
        "leaky_clamp_fp16", leaky_clamp, "fp16", "fp16", leaky_oracle, block=768,
        numbers={"low": ("fp32", -1.5), "high": ("fp32", 2.25)},
    ),
)  # fmt: skip

COMPARISONS = (
    pointwise("is_positive", is_positive, "fp32", "i1", lambda x: x > 0),
    pointwise("is_positive_i32", is_positive, "i32", "i1", lambda x: x > 0, block=200),
    pointwise("is_positive_fp16", is_positive, "fp16", "i1", lambda x: x > 0, block=512),
    pointwise("select_by_bool", select, "i1 fp32 fp32", "fp32", torch.where),
    pointwise("select_by_bool_fp16", select, "i1 fp16 fp16", "fp16", torch.where, block=320),
    pointwise("compare_and_select", compare_and_select, "fp32 fp32", "fp32", select_oracle),
    pointwise("compare_and_select_fp16", compare_and_select, "fp16 fp16", "fp16", select_oracle),
    pointwise("compare_and_select_i32", compare_and_select, "i32 i32", "fp32", select_oracle),
    pointwise(
        "mask_of_both_i16", mask_of_both, "i16 i16", "i1", lambda x, y: (x > y) ^ (x == 0),
        block=256, makers={"x": integers(-3, 4), "y": integers(-3, 4)},
    ),
    pointwise(
        "mask_of_both_fp32", mask_of_both, "fp32 fp32", "i1", lambda x, y: (x > y) ^ (x == 0)
    ),
)  # fmt: skip

INTEGERS = (
    pointwise("combine_bits_i32", combine_bits, "i32 i32", "i32", bits_oracle),
    pointwise(
        "combine_bits_i16", combine_bits, "i16 i16", "i16", lambda x, y: wrap(16)(bits_oracle(x, y)),
        block=512, makers={"x": integers(-32768, 32768), "y": integers(-32768, 32768)},
    ),
    *(
        pointwise(
            f"larger_or_less_one_{dtype}", larger_or_less_one, f"{dtype} {dtype}", dtype,
            lambda x, y: torch.where(x > y, x.abs(), y - 1), block=256,
        )
        for dtype in ("i64", "i32", "i16")
    ),
    pointwise(
        "quotient_plus_remainder", quotient_plus_remainder, "i32 i32", "i32", divide_truncating,
        makers={"x": integers(-5000, 5000), "y": integers(1, 90)},
    ),
    pointwise("count_up", count_up, "", "i32", lambda: torch.arange(2563), count=2563),
    pointwise(
        "count_up_i64_odd", count_up, "", "i64", lambda: torch.arange(150), block=100, count=150
    ),
)  # fmt: skip

LOOPS = (
    pointwise(
        "exponential_strided", exponential_strided, "fp32", "fp32", torch.exp, block=2048,
        count=13000, programs=2,
    ),
    pointwise(
        "exponential_strided_fp16", exponential_strided, "fp16", "fp16", torch.exp, block=512,
        count=3000, programs=3, makers={"x": between(-2, 2)},
    ),
    pointwise(
        "halve_until_small", halve_until_small, "fp32", "fp32", halving_oracle,
        makers={"x": between(0, 1)},
    ),
    replace(
        pointwise(
            "double_in_three_axes", double_in_three_axes, "fp32", "fp32", lambda x: 2 * x,
            block=256, count=5900,
        ),
        grid=(2, 3, 4),
    ),
    replace(
        pointwise(
            "exponential_in_parts", exponential_in_parts, "fp32", "fp32", torch.exp, block=65536,
            count=90000,
        ),
        constants={"BLOCK": 65536, "PART": 4096},
    ),
    pointwise(
        "multiply_add", multiply_add, "fp32", "fp32", lambda x, scale, shift: x * scale + shift,
        numbers={"scale": ("fp32", 0.7), "shift": ("fp32", -1.25)},
    ),
    fill_entry("fill", fill, "fp32", lambda value: torch.full((2563,), value)),
    fill_entry("fill_bf16", fill, "bf16", lambda value: torch.full((2563,), value)),
    pointwise(
        "add_one_wide_index", add_one_wide_index, "fp32", "fp32", lambda x: x + 1,
        numbers={},
    ),
    make_adamw(),
    *(
        pointwise(
            f"interleave_pairs_{dtype}", interleave_pairs, f"{dtype} {dtype}", dtype,
            lambda x, y: torch.stack([x, y], 1).flatten()[: len(x)], block=128, count=512,
            programs=2,
        )
        for dtype in ("fp32", "fp16")
    ),
)  # fmt: skip

KERNELS = (*ADDITIONS, *PRODUCTS, *FUNCTIONS, *COMPARISONS, *INTEGERS, *LOOPS)
