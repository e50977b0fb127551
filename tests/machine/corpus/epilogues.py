"""What may follow a product: arithmetic, reductions, reshapes and stores of many kinds.

Each kernel is one tile, so that what follows is all there is to see. The products run on the cube
core, the rest on both vector cores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance
from tests.machine.corpus.fixed import fixed, normal
from tests.machine.corpus.matmul import TOLERANCES, product

ROWS, COLUMNS, INNER, LIMIT = 32, 48, 64, 11


@triton.jit
def multiply(a, b, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + row[:, None] * K + depth[None, :])
    right = tl.load(b + depth[:, None] * N + column[None, :])
    return tl.dot(left, right)


@triton.jit
def places(M: tl.constexpr, N: tl.constexpr):
    return tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]


@triton.jit
def store_twice(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K)
    tl.store(c + places(M, N), result)
    tl.store(d + places(M, N), result.to(tl.float16))


@triton.jit
def store_transposed(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    tl.store(c + places(N, M), tl.trans(multiply(a, b, M, N, K)))


@triton.jit
def add_in_place(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    at = c + places(M, N)
    tl.store(at, tl.load(at) - multiply(a, b, M, N, K))


@triton.jit
def clamp_to_half(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = tl.maximum(multiply(a, b, M, N, K), 0.0)
    tl.store(d + places(M, N), result.to(tl.float16))


@triton.jit
def multiply_if(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = tl.zeros((M, N), tl.float32)
    if limit > 3:
        result = multiply(a, b, M, N, K)
    tl.store(c + places(M, N), result)


@triton.jit
def store_part(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    inside = (tl.arange(0, M)[:, None] < limit) & (tl.arange(0, N)[None, :] < 2 * limit)
    tl.store(c + places(M, N), multiply(a, b, M, N, K), mask=inside)


@triton.jit
def scale_and_shift(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    scale = tl.load(d + tl.arange(0, M)).to(tl.float32)
    shift = tl.load(d + tl.arange(0, N)).to(tl.float32)
    result = multiply(a, b, M, N, K) * scale[:, None] + shift[None, :]
    tl.store(c + places(M, N), result)


@triton.jit
def multiply_by_itself(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K).to(tl.float16)
    tl.store(c + places(N, N), tl.dot(tl.trans(result), result))


@triton.jit
def largest_places(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    largest = tl.argmax(multiply(a, b, M, N, K), 1)
    tl.store(c + tl.arange(0, M), largest.to(tl.float32))


@triton.jit
def running_sums(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    tl.store(c + places(M, N), tl.cumsum(multiply(a, b, M, N, K), 1))


@triton.jit
def share_of_all(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K)
    tl.store(c + places(M, N), result / tl.sum(tl.abs(result)))


@triton.jit
def below_column_largest(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K)
    tl.store(c + places(M, N), result - tl.max(result, 0)[None, :])


@triton.jit
def rotate_rows(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    source = (tl.arange(0, N)[None, :] + 1) % N + tl.zeros((M, N), tl.int32)
    tl.store(c + places(M, N), tl.gather(multiply(a, b, M, N, K), source, 1))


@triton.jit
def pair_with_negative(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K)
    at = places(M, N)[:, :, None] * 2 + tl.arange(0, 2)[None, None, :]
    tl.store(c + at, tl.join(result, -result))


@triton.jit
def store_rows_apart(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K)
    first = tl.arange(0, M)[:, None] < limit
    tl.store(c + places(M, N), result, mask=first)
    tl.store(c + places(M, N), result + 1, mask=tl.arange(0, M)[:, None] >= limit)


@triton.jit
def sum_both_ways(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = multiply(a, b, M, N, K)
    tl.store(c + tl.arange(0, N), tl.sum(result, 0))
    tl.store(c + N + tl.arange(0, M), tl.sum(result, 1))


@triton.jit
def repeat(a, b, c, d, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    result = tl.zeros((M, N), tl.float32)
    turn = 0
    while turn < limit:
        result += multiply(a, b, M, N, K)
        turn += 1
    tl.store(c + places(M, N), result)


# The product, what c and d held before -> what they hold.
Follow = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], dict[str, torch.Tensor]]


def after(function: Any, follow: Follow, tolerance: Tolerance = TOLERANCES["fp32"]) -> CorpusKernel:
    def oracle(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, d: torch.Tensor, limit: int):
        before = c[: ROWS * COLUMNS].double().reshape(ROWS, COLUMNS)
        return follow(product(a, b), before, d.double())

    return fixed(
        function.fn.__name__, function,
        {"a": "*fp16", "b": "*fp16", "c": "*fp32", "d": "*fp16", "limit": "i32"},
        {
            "a": normal((ROWS, INNER), "fp16"), "b": normal((INNER, COLUMNS), "fp16"),
            "c": normal(2 * ROWS * COLUMNS + 64), "d": normal(ROWS * COLUMNS + 64, "fp16"),
            "limit": LIMIT,
        },
        oracle, tolerance=tolerance, M=ROWS, N=COLUMNS, K=INNER,
    )  # fmt: skip


def rows_below() -> torch.Tensor:
    return torch.arange(ROWS)[:, None] < LIMIT


def half_gram(result: torch.Tensor) -> torch.Tensor:
    half = result.half().double()
    return half.T @ half


KERNELS: tuple[CorpusKernel, ...] = (
    after(store_twice, lambda r, c, d: {"c": r, "d": r}, TOLERANCES["fp16"]),
    after(store_transposed, lambda r, c, d: {"c": r.T}),
    after(add_in_place, lambda r, c, d: {"c": c - r}),
    after(clamp_to_half, lambda r, c, d: {"d": r.clamp(min=0)}, TOLERANCES["fp16"]),
    after(multiply_if, lambda r, c, d: {"c": r}),
    after(
        store_part,
        lambda r, c, d: {
            "c": torch.where(rows_below() & (torch.arange(COLUMNS) < 2 * LIMIT), r, c)
        },
    ),
    after(scale_and_shift, lambda r, c, d: {"c": r * d[:ROWS, None] + d[:COLUMNS]}),
    after(multiply_by_itself, lambda r, c, d: {"c": half_gram(r)}, Tolerance(5e-3, 0.5)),
    after(largest_places, lambda r, c, d: {"c": r.argmax(1).double()}),
    after(running_sums, lambda r, c, d: {"c": r.cumsum(1)}, Tolerance(1e-5, 1e-3)),
    after(share_of_all, lambda r, c, d: {"c": r / r.abs().sum()}),
    after(below_column_largest, lambda r, c, d: {"c": r - r.max(0).values}),
    after(rotate_rows, lambda r, c, d: {"c": r.roll(-1, 1)}),
    after(pair_with_negative, lambda r, c, d: {"c": torch.stack([r, -r], -1)}),
    after(store_rows_apart, lambda r, c, d: {"c": torch.where(rows_below(), r, r + 1)}),
    after(sum_both_ways, lambda r, c, d: {"c": torch.cat([r.sum(0), r.sum(1)])}),
    after(repeat, lambda r, c, d: {"c": LIMIT * r}, Tolerance(1e-5, 1e-3)),
)
