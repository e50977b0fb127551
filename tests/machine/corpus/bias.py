"""Products with a bias of one row: the compiler hands it to the cube through the bias table."""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.fixed import fixed, normal, out
from tests.machine.corpus.matmul import TOLERANCES, product


@triton.jit
def add_bias_after(a, b, bias, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column[None, :])
    total = tl.dot(left, right) + tl.load(bias + column)[None, :]
    tl.store(c + row * N + column[None, :], total)


@triton.jit
def start_from_bias(a, b, bias, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)
    start = tl.zeros((M, N), tl.float32) + tl.load(bias + column)[None, :].to(tl.float32)
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column[None, :])
    tl.store(c + row * N + column[None, :], tl.dot(left, right, start))


def make(name: str, function: Any, source: str, bias: str, sizes: tuple[int, int, int]):
    rows, columns, inner = sizes
    types = {"a": f"*{source}", "b": f"*{source}", "bias": f"*{bias}", "c": "*fp32"}
    values = {
        "a": normal((rows, inner), source),
        "b": normal((inner, columns), source),
        "bias": normal(columns, bias),
        "c": out((rows, columns)),
    }
    return fixed(
        name,
        function,
        types,
        values,
        lambda a, b, bias, c: {"c": product(a, b) + bias.double()},
        tolerance=TOLERANCES["fp32"],
        M=rows,
        N=columns,
        K=inner,
    )


KERNELS: tuple[CorpusKernel, ...] = (
    make("add_bias_after_fp16", add_bias_after, "fp16", "fp32", (64, 64, 64)),
    make("add_bias_after_fp32", add_bias_after, "fp32", "fp32", (32, 48, 64)),
    make("start_from_bias_fp16", start_from_bias, "fp16", "fp32", (64, 96, 32)),
    make("start_from_half_bias", start_from_bias, "fp16", "fp16", (48, 64, 64)),
    make("start_from_bias_bf16", start_from_bias, "bf16", "fp32", (32, 64, 64)),
)
