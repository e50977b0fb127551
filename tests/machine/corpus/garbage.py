"""Kernels with masked loads without `other`: they compute with more than they load.

The tool chain fills the rest with zeros, so as compiled none of them sees garbage. With the fills
taken out the same code does: KEEPERS bring it to an output, DISCARDERS compute with it and throw it
away again.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, whole

Expected = Mapping[str, torch.Tensor]


@triton.jit
def sum_tail(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(x + offsets, mask=offsets < count), 0))


@triton.jit
def softmax_of_tail(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row + column, mask=inside)
    power = tl.exp(value - tl.max(value, 0))
    tl.store(out + row + column, power / tl.sum(power, 0), mask=inside)


@triton.jit
def scan_tail(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.cumsum(tl.load(x + offsets, mask=offsets < count), 0))


@triton.jit
def gather_by_tail(index, x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    where = tl.load(index + offsets, mask=offsets < count)
    tl.store(out + offsets, tl.load(x + where))


@triton.jit
def exponentials_of_tail(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.exp(tl.load(x + offsets, mask=offsets < count))
    tl.store(out, tl.sum(tl.where(offsets < count, value, 0.0), 0))


@triton.jit
def positives_of_tail(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets, mask=offsets < count)
    is_counted = (value > 0) & (offsets < count)
    tl.store(out, tl.sum(tl.where(is_counted, value, 0.0), 0))


@triton.jit
def gather_inside_tail(index, x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    where = tl.load(index + offsets, mask=offsets < count)
    tl.store(out + offsets, tl.load(x + where), mask=offsets < count)


@triton.jit
def multiply_tail(a, b, c, depth, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column, k = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    inside = k < depth
    left = tl.load(a + row * depth + k[None, :], mask=inside[None, :])
    right = tl.load(b + k[:, None] * N + column, mask=inside[:, None])
    tl.store(c + row * N + column, tl.dot(left, right))


@triton.jit
def multiply_powers_of_tail(a, b, c, depth, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column, k = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    left = tl.exp(tl.load(a + row * depth + k[None, :], mask=(k < depth)[None, :]))
    right = tl.load(b + k[:, None] * N + column)
    tl.store(c + row * N + column, tl.dot(left, right))


@triton.jit
def sum_all(x, out, BLOCK: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, BLOCK)), 0))


def pad(x: torch.Tensor, count: int) -> torch.Tensor:
    return torch.nn.functional.pad(x, (0, count - x.shape[-1]))


def total(x: torch.Tensor, **_: object) -> Expected:
    return {"out": x.sum().reshape(1)}


def softmax(x: torch.Tensor, **_: object) -> Expected:
    power = pad(x, 128).softmax(1)
    return {"out": power[:, :100]}


def scan(x: torch.Tensor, **_: object) -> Expected:
    return {"out": pad(x, 128).cumsum(0)}


def gather(index: torch.Tensor, x: torch.Tensor, **_: object) -> Expected:
    return {"out": x[pad(index, 128).long()]}


def gather_inside(index: torch.Tensor, x: torch.Tensor, **_: object) -> Expected:
    return {"out": x[index.long()]}


def total_of_exponentials(x: torch.Tensor, **_: object) -> Expected:
    return {"out": x.exp().sum().reshape(1)}


def total_of_positives(x: torch.Tensor, **_: object) -> Expected:
    return {"out": x.clamp(min=0).sum().reshape(1)}


def product(a: torch.Tensor, b: torch.Tensor, **_: object) -> Expected:
    return {"c": a.double() @ b.double()}


def product_of_powers(a: torch.Tensor, b: torch.Tensor, **_: object) -> Expected:
    return {"c": pad(a, 32).double().exp() @ b.double()}


TAIL = {"x": "*fp32", "out": "*fp32", "count": "i32"}
ROWS = {"x": "*fp32", "out": "*fp32", "columns": "i32"}
GATHER = {"index": "*i32", "x": "*fp32", "out": "*fp32", "count": "i32"}
PRODUCT = {"a": "*fp32", "b": "*fp32", "c": "*fp32", "depth": "i32"}
SIDES = {"M": 32, "N": 32, "K": 32}

TAIL_VALUES = {"x": normal(100), "out": out(128), "count": 100}
ROWS_VALUES = {"x": normal((3, 100)), "out": out((3, 100)), "columns": 100}
GATHER_VALUES = {"index": whole(100, 0, 64), "x": normal(64), "out": out(128), "count": 100}
A, C = normal((32, 20)), out((32, 32))
PRODUCT_VALUES = {"a": A, "b": normal((20, 32)), "c": C, "depth": 20}
POWERS_VALUES = {"a": A, "b": normal((32, 32)), "c": C, "depth": 20}
SUMS = Tolerance(1e-5, 1e-4)

KEEPERS: tuple[CorpusKernel, ...] = (
    fixed("sum_tail", sum_tail, TAIL, TAIL_VALUES, total, tolerance=SUMS, BLOCK=128),
    fixed(
        "softmax_of_tail", softmax_of_tail, ROWS, ROWS_VALUES, softmax, grid=(3,), tolerance=SUMS,
        BLOCK=128,
    ),
    fixed("scan_tail", scan_tail, TAIL, TAIL_VALUES, scan, tolerance=SUMS, BLOCK=128),
    fixed("gather_by_tail", gather_by_tail, GATHER, GATHER_VALUES, gather, BLOCK=128),
    fixed(
        "multiply_powers_of_tail", multiply_powers_of_tail, PRODUCT, POWERS_VALUES,
        product_of_powers, tolerance=SUMS, **SIDES,
    ),
)  # fmt: skip

DISCARDERS: tuple[CorpusKernel, ...] = (
    fixed(
        "exponentials_of_tail", exponentials_of_tail, TAIL, TAIL_VALUES, total_of_exponentials,
        tolerance=SUMS, BLOCK=128,
    ),
    fixed(
        "positives_of_tail", positives_of_tail, TAIL, TAIL_VALUES, total_of_positives,
        tolerance=SUMS, BLOCK=128,
    ),
    fixed(
        "gather_inside_tail", gather_inside_tail, GATHER, GATHER_VALUES, gather_inside, BLOCK=128
    ),
    fixed(
        "multiply_tail", multiply_tail, PRODUCT, PRODUCT_VALUES, product, tolerance=SUMS, **SIDES
    ),
)  # fmt: skip

# Reads 28 elements more than there are.
SUM_BEYOND_THE_END = fixed(
    "sum_beyond_the_end", sum_all, {"x": "*fp32", "out": "*fp32"},
    {"x": normal(100), "out": out(1)}, total, BLOCK=128,
)  # fmt: skip
