"""The Triton sources of the dumps beside this file, one dump per kernel.

A dump is the compiler's generic, local-scope text before convert-hivm-to-std; KERNELS says with
which signature and constants each was compiled. They are committed so that the machine's tests need
no compiler.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def row_softmax(x, out, rows, columns, BLOCK: tl.constexpr):
    step = tl.num_programs(0)
    for row in range(tl.program_id(0), rows, step):
        index = tl.arange(0, BLOCK)
        mask = index < columns
        values = tl.load(x + row * columns + index, mask=mask, other=-float("inf")).to(tl.float32)
        values = tl.exp(values - tl.max(values, 0))
        values = values / tl.sum(values, 0)
        tl.store(out + row * columns + index, values.to(tl.float16), mask=mask)


@triton.jit
def swish_gate(x, gate, out, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < count
    values = tl.load(x + index, mask=mask, other=0.0).to(tl.float32)
    gates = tl.load(gate + index, mask=mask, other=0.0).to(tl.float32)
    tl.store(out + index, (gates / (1.0 + tl.exp(-gates)) * values).to(tl.bfloat16), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(
            a + rows[:, None] * K + inner[None, :],
            mask=(rows[:, None] < M) & (inner[None, :] < K),
            other=0.0,
        )
        right = tl.load(
            b + inner[:, None] * N + columns[None, :],
            mask=(inner[:, None] < K) & (columns[None, :] < N),
            other=0.0,
        )
        total += tl.dot(left, right)
    tl.store(
        c + rows[:, None] * N + columns[None, :],
        total,
        mask=(rows[:, None] < M) & (columns[None, :] < N),
    )


@triton.jit
def matmul_bias_square(
    a, b, bias, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(
            a + rows[:, None] * K + inner[None, :],
            mask=(rows[:, None] < M) & (inner[None, :] < K),
            other=0.0,
        )
        right = tl.load(
            b + inner[:, None] * N + columns[None, :],
            mask=(inner[:, None] < K) & (columns[None, :] < N),
            other=0.0,
        )
        total += tl.dot(left, right)
    total += tl.load(bias + columns, mask=columns < N, other=0.0)[None, :]
    total = tl.maximum(total, 0.0)
    total = total * total
    tl.store(
        c + rows[:, None] * N + columns[None, :],
        total.to(tl.float16),
        mask=(rows[:, None] < M) & (columns[None, :] < N),
    )


@triton.jit
def weighted_sum(q, k, v, out, length, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """exp(q k^T) v: cube and vector cores hand over to each other twice a turn."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    width = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + width[None, :])
    result = tl.zeros((BM, D), tl.float32)
    for start in range(0, length, BN):
        keys = start + tl.arange(0, BN)
        key = tl.load(k + keys[:, None] * D + width[None, :])
        value = tl.load(v + keys[:, None] * D + width[None, :])
        weights = tl.exp(tl.dot(query, tl.trans(key)))
        result += tl.dot(weights.to(tl.float16), value)
    tl.store(out + rows[:, None] * D + width[None, :], result)


@triton.jit
def running_sum(x, out, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.cumsum(tl.load(x + index), 0))


@triton.jit
def ticket_add(x, total, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.atomic_add(total + index, tl.load(x + tl.program_id(0) * BLOCK + index))


@triton.jit
def shifted_difference(x, out, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(x + index, mask=index < count, other=0.0)
    before = tl.load(x + index - 1, mask=(index < count) & (index > 0), other=0.0)
    tl.store(out + index, here - before, mask=index < count)


KERNELS = {
    "row_softmax": (
        {"x": "*fp16", "out": "*fp16", "rows": "i32", "columns": "i32"},
        {"BLOCK": 512},
    ),
    "swish_gate": (
        {"x": "*bf16", "gate": "*bf16", "out": "*bf16", "count": "i32"},
        {"BLOCK": 1024},
    ),
    "matmul": (
        {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"},
        {"BM": 64, "BN": 64, "BK": 32},
    ),
    "matmul_bias_square": (
        {
            "a": "*fp16",
            "b": "*fp16",
            "bias": "*fp32",
            "c": "*fp16",
            "M": "i32",
            "N": "i32",
            "K": "i32",
        },
        {"BM": 32, "BN": 64, "BK": 32},
    ),
    "weighted_sum": (
        {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "length": "i32"},
        {"BM": 32, "BN": 32, "D": 32},
    ),
    "running_sum": ({"x": "*fp32", "out": "*fp32"}, {"BLOCK": 128}),
    "ticket_add": ({"x": "*i64", "total": "*i64"}, {"BLOCK": 32}),
    "shifted_difference": ({"x": "*fp32", "out": "*fp32", "count": "i32"}, {"BLOCK": 256}),
}
