"""Flash attention: two products and an online softmax, back and forth between the cores."""

from __future__ import annotations

import math

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance, Value
from tests.machine.corpus.fixed import fixed, normal, out


@triton.jit
def attend(
    query, key, value, out, length, scale,
    M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1) * length * D
    row = tl.program_id(0) * M + tl.arange(0, M)
    depth = tl.arange(0, D)
    queries = tl.load(
        query + head + row[:, None] * D + depth[None, :], mask=row[:, None] < length, other=0.0
    )
    largest = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for start in range(0, length, N):
        column = start + tl.arange(0, N)
        at = head + column[:, None] * D + depth[None, :]
        keys = tl.load(key + at, mask=column[:, None] < length, other=0.0)
        values = tl.load(value + at, mask=column[:, None] < length, other=0.0)
        score = tl.dot(queries, tl.trans(keys)) * scale
        visible = column[None, :] < length
        if CAUSAL:
            visible = visible & (column[None, :] <= row[:, None])
        score = tl.where(visible, score, -float("inf"))
        larger = tl.maximum(largest, tl.max(score, 1))
        weight = tl.exp(score - larger[:, None])
        fading = tl.exp(largest - larger)
        total = total * fading + tl.sum(weight, 1)
        result = result * fading[:, None] + tl.dot(weight.to(query.dtype.element_ty), values)
        largest = larger
    target = out + head + row[:, None] * D + depth[None, :]
    tl.store(target, (result / total[:, None]).to(out.dtype.element_ty), mask=row[:, None] < length)


def make_attention(
    name: str, dtype: str, length: int, tile: tuple[int, int, int], causal: bool = False
) -> CorpusKernel:
    heads, depth = 2, tile[2]
    scale = 1 / math.sqrt(depth)

    def oracle(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **rest: Value):  # fmt: skip
        parts = (query.double(), key.double(), value.double())
        return {"out": torch.nn.functional.scaled_dot_product_attention(*parts, is_causal=causal)}

    shape = (heads, length, depth)
    types = {part: f"*{dtype}" for part in ("query", "key", "value", "out")}
    values = {part: normal(shape, dtype) for part in ("query", "key", "value")}
    return fixed(
        name, attend, types | {"length": "i32", "scale": "fp32"},
        values | {"out": out(shape, dtype), "length": length, "scale": scale}, oracle,
        grid=(-(-length // tile[0]), heads),
        tolerance=Tolerance(5e-3, 2e-3) if dtype == "fp16" else Tolerance(2e-2, 1.5e-2),
        M=tile[0], N=tile[1], D=tile[2], CAUSAL=causal,
    )  # fmt: skip


KERNELS: tuple[CorpusKernel, ...] = (
    make_attention("attend", "fp16", 150, (64, 64, 64)),
    make_attention("attend_128", "fp16", 200, (128, 128, 64)),
    make_attention("attend_bf16", "bf16", 100, (32, 64, 32)),
    make_attention("attend_causal", "fp16", 128, (64, 64, 64), causal=True),
    make_attention("attend_short", "fp16", 40, (16, 16, 128)),
)
