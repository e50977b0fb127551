"""Repairs: kernels rewritten so that they compile, or compute what their source says.

Each stands for one of the refusals in `limits` or one of the wrong results in `miscompiled`.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, whole
from tests.machine.corpus.reductions import by_row

Expected = Mapping[str, torch.Tensor]


@triton.jit
def high_product_unsigned(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    left = tl.load(x + offsets)
    right = tl.load(y + offsets)
    signed = tl.umulhi(left, right)
    repair = tl.where(left < 0, right, 0) + tl.where(right < 0, left, 0)
    tl.store(out + offsets, signed + repair)


@triton.jit
def first_index_of_largest(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=-float("inf"))
    places = tl.where(value == tl.max(value, 0), offsets, BLOCK)
    tl.store(out + row, tl.min(places, 0))


@triton.jit
def divide_exactly(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside, other=1)
    right = tl.load(y + offsets, mask=inside, other=1)
    quotient = left // right
    quotient += (left - quotient * right) // right
    rest = left - quotient * right
    quotient += tl.where(rest < 0, -1, 0) + tl.where(rest >= right, 1, 0)
    tl.store(out + offsets, quotient, mask=inside)


@triton.jit
def multiply_split(a, b, partial, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    part = tl.program_id(0)
    parts = tl.num_programs(0)
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    depth = part * K + tl.arange(0, K)
    left = tl.load(a + row * (K * parts) + depth[None, :])
    right = tl.load(b + depth[:, None] * N + column)
    tl.store(partial + part * M * N + row * N + column, tl.dot(left, right))


@triton.jit
def sum_partials(partial, out, PARTS: tl.constexpr, COUNT: tl.constexpr):
    offsets = tl.program_id(0) * COUNT + tl.arange(0, COUNT)
    size = tl.num_programs(0) * COUNT
    total = tl.zeros((COUNT,), tl.float32)
    for part in range(PARTS):
        total += tl.load(partial + part * size + offsets)
    tl.store(out + offsets, total)


@triton.jit
def sort_integers(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    value = tl.sort(tl.load(x + offsets).to(tl.float32), 1)
    tl.store(out + offsets, value.to(tl.int32))


@triton.jit
def sort_down_columns(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    value = tl.trans(tl.sort(tl.trans(tl.load(x + offsets)), 1))
    tl.store(out + offsets, value)


@triton.jit
def largest_and_total(x, out, BLOCK: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    largest = tl.max(value, 0)
    tl.store(out, largest)
    tl.store(out + 1, tl.sum(tl.exp(value - largest), 0))


@triton.jit
def remainder(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    left = tl.load(x + offsets)
    right = tl.load(y + offsets)
    ratio = left / right
    whole = tl.where(ratio < 0, tl.ceil(ratio), tl.floor(ratio))
    tl.store(out + offsets, left - whole * right)


@triton.jit
def sum_small_integers(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=0)
    tl.store(out + row, tl.sum(value.to(tl.int32), 0))


def unsigned_high(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    products = [
        (left % (1 << 32)) * (right % (1 << 32)) >> 32
        for left, right in zip(x.tolist(), y.tolist(), strict=True)
    ]
    signed = [value - (1 << 32) if value >= 1 << 31 else value for value in products]
    return {"out": torch.tensor(signed)}


def partials_oracle(a: torch.Tensor, b: torch.Tensor, partial: torch.Tensor) -> Expected:
    left, right = a.double(), b.double()
    return {"partial": torch.stack([left[:, :64] @ right[:64], left[:, 64:] @ right[64:]])}


def draw_ratios(draw: Draw) -> torch.Tensor:
    """Away from whole multiples of the divisor, where one rounding decides the quotient."""
    return draw.integers(64, -20, 20).float() * 1.5 + 0.4


WORDS = {"x": "*i32", "y": "*i32", "out": "*i32"}
PAIR = {"x": "*fp32", "out": "*fp32"}
FULL_RANGE = whole(64, -(1 << 31), 1 << 31)

KERNELS: tuple[CorpusKernel, ...] = (
    fixed(
        "high_product_unsigned", high_product_unsigned, WORDS,
        {"x": FULL_RANGE, "y": FULL_RANGE, "out": out(64, "i32")}, unsigned_high, BLOCK=64,
    ),
    by_row(
        "first_index_of_largest", first_index_of_largest, "fp32 i32", lambda x: x.argmax(1),
        columns=700, results_per_row=1,
    ),
    fixed(
        "divide_exactly", divide_exactly, {**WORDS, "count": "i32"},
        {
            "x": whole(700, 1 << 20, (1 << 31) - 1), "y": whole(700, 1, 1 << 16),
            "out": out(700, "i32"), "count": 700,
        },
        lambda x, y, **rest: {"out": x.long() // y.long()}, grid=(3,), BLOCK=256,
    ),
    fixed(
        "multiply_split", multiply_split, {"a": "*fp16", "b": "*fp16", "partial": "*fp32"},
        {
            "a": normal((64, 128), "fp16"), "b": normal((128, 64), "fp16"),
            "partial": out((2, 64, 64)),
        },
        partials_oracle, grid=(2,), tolerance=Tolerance(1e-5, 1e-4), M=64, N=64, K=64,
    ),
    fixed(
        "sum_partials", sum_partials, {"partial": "*fp32", "out": "*fp32"},
        {"partial": normal((3, 4096)), "out": out(4096)},
        lambda partial, out: {"out": partial.double().sum(0)}, grid=(4,), PARTS=3, COUNT=1024,
    ),
    fixed(
        "sort_integers", sort_integers, {"x": "*i32", "out": "*i32"},
        {"x": whole((8, 64), -(1 << 23), 1 << 23), "out": out((8, 64), "i32")},
        lambda x, out: {"out": x.sort(1).values}, ROWS=8, COLUMNS=64,
    ),
    fixed(
        "sort_down_columns", sort_down_columns, PAIR,
        {"x": normal((32, 16)), "out": out((32, 16))},
        lambda x, out: {"out": x.sort(0).values}, ROWS=32, COLUMNS=16,
    ),
    fixed(
        "largest_and_total", largest_and_total, PAIR, {"x": normal(64), "out": out(2)},
        lambda x, out: {"out": torch.stack([x.max(), (x - x.max()).exp().sum()])}, BLOCK=64,
    ),
    fixed(
        "remainder", remainder, {"x": "*fp32", "y": "*fp32", "out": "*fp32"},
        {"x": draw_ratios, "y": lambda draw: torch.full((64,), 1.5), "out": out(64)},
        lambda x, y, out: {"out": torch.fmod(x.double(), y.double())}, BLOCK=64,
    ),
    *(
        by_row(
            f"sum_small_integers_{dtype}", sum_small_integers, f"{dtype} i32",
            lambda x: x.sum(1), columns=200, block=256, results_per_row=1,
            make=lambda draw, shape, dtype: draw.integers(shape, 50, 120, dtype),
        )
        for dtype in ("i8", "i16")
    ),
)  # fmt: skip
