"""Attention: products and an online softmax, back and forth between the cores; its gradients."""

from __future__ import annotations

import math
from functools import partial

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, Value
from tests.machine.corpus.fixed import fixed, normal, out
from tests.machine.corpus.matmul import Expected


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


@triton.jit
def attend_limited(
    query, key, value, bias, out, queries, keys, scale, window,
    M: tl.constexpr, N: tl.constexpr, D: tl.constexpr,
    GROUP: tl.constexpr, BIASED: tl.constexpr, WINDOW: tl.constexpr, CAP: tl.constexpr,
):  # fmt: skip
    """GROUP heads share keys and values, which come through transposed pointers."""
    head = tl.program_id(1)
    shared = head // GROUP * keys * D
    row = tl.program_id(0) * M + tl.arange(0, M)
    depth = tl.arange(0, D)
    at = head * queries * D + row[:, None] * D + depth[None, :]
    asked = tl.load(query + at, mask=row[:, None] < queries, other=0.0)
    largest = tl.full((M,), -1e30, tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for start in range(0, keys, N):
        column = start + tl.arange(0, N)
        key_at = key + shared + column[None, :] * D + depth[:, None]
        value_at = value + shared + column[:, None] * D + depth[None, :]
        turned = tl.load(key_at, mask=column[None, :] < keys, other=0.0)
        values = tl.load(value_at, mask=column[:, None] < keys, other=0.0)
        score = tl.dot(asked, turned) * scale
        visible = column[None, :] < keys
        if BIASED:
            inside = (row[:, None] < queries) & visible
            score += tl.load(bias + row[:, None] * keys + column[None, :], mask=inside, other=0.0)
        if CAP > 0:
            score = CAP * (1 - 2 / (tl.exp(2.0 * score / CAP) + 1))
        if WINDOW:
            apart = row[:, None] - column[None, :]
            visible = visible & (apart < window) & (apart > -window)
        score = tl.where(visible, score, -1e30)
        larger = tl.maximum(largest, tl.max(score, 1))
        weight = tl.where(visible, tl.exp(score - larger[:, None]), 0.0)
        fading = tl.exp(largest - larger)
        total = total * fading + tl.sum(weight, 1)
        result = tl.dot(weight.to(values.dtype), values, result * fading[:, None])
        largest = larger
    share = (result / total[:, None]).to(out.dtype.element_ty)
    tl.store(out + at, share, mask=row[:, None] < queries)


@triton.jit
def attend_backward(
    query, key, value, slope, by_query, by_key, by_value, scale, N: tl.constexpr, D: tl.constexpr
):
    """The gradients of one tile, its weights computed anew."""
    at = tl.arange(0, N)[:, None] * D + tl.arange(0, D)[None, :]
    queries, keys = tl.load(query + at), tl.load(key + at)
    values, slopes = tl.load(value + at), tl.load(slope + at)
    score = tl.dot(queries, tl.trans(keys)) * scale
    weight = tl.exp(score - tl.max(score, 1)[:, None])
    weight = weight / tl.sum(weight, 1)[:, None]
    tl.store(by_value + at, tl.dot(tl.trans(weight.to(tl.float16)), slopes))
    by_weight = tl.dot(slopes, tl.trans(values))
    change = by_weight - tl.sum(weight * by_weight, 1)[:, None]
    by_score = (weight * change * scale).to(tl.float16)
    tl.store(by_query + at, tl.dot(by_score, keys))
    tl.store(by_key + at, tl.dot(tl.trans(by_score), queries))


@triton.jit
def attend_backward_tiled(
    query, key, value, slope, total, delta, by_key, by_value, length, scale,
    M: tl.constexpr, N: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """The gradients of one tile of keys and values, causal; rows of queries come in tiles."""
    column = tl.program_id(0) * N + tl.arange(0, N)
    depth = tl.arange(0, D)
    mine = column[:, None] * D + depth[None, :]
    keys = tl.load(key + mine, mask=column[:, None] < length, other=0.0)
    values = tl.load(value + mine, mask=column[:, None] < length, other=0.0)
    for_keys = tl.zeros((N, D), tl.float32)
    for_values = tl.zeros((N, D), tl.float32)
    for start in range(tl.program_id(0) * N // M * M, length, M):
        row = start + tl.arange(0, M)
        at = row[:, None] * D + depth[None, :]
        queries = tl.load(query + at, mask=row[:, None] < length, other=0.0)
        slopes = tl.load(slope + at, mask=row[:, None] < length, other=0.0)
        log_sum = tl.load(total + row, mask=row < length, other=0.0)
        shift = tl.load(delta + row, mask=row < length, other=0.0)
        weight = tl.exp(tl.dot(queries, tl.trans(keys)) * scale - log_sum[:, None])
        visible = (row[:, None] < length) & (column[None, :] <= row[:, None])
        weight = tl.where(visible, weight, 0.0)
        for_values += tl.dot(tl.trans(weight.to(tl.float16)), slopes)
        change = weight * (tl.dot(slopes, tl.trans(values)) - shift[:, None]) * scale
        for_keys += tl.dot(tl.trans(change.to(tl.float16)), queries)
    tl.store(by_key + mine, for_keys, mask=column[:, None] < length)
    tl.store(by_value + mine, for_values, mask=column[:, None] < length)


def make_attention(
    name: str, dtype: str, length: int, tile: tuple[int, int, int], causal: bool = False
) -> CorpusKernel:
    heads, depth = 2, tile[2]
    scale = 1 / math.sqrt(depth)

    def oracle(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **rest: Value):
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


def expect_limited(
    group: int, biased: bool, cap: float, query: torch.Tensor, key: torch.Tensor,
    value: torch.Tensor, bias: torch.Tensor, scale: float, window: int, **rest: Value,
) -> Expected:  # fmt: skip
    keys, values = (part.double().repeat_interleave(group, 0) for part in (key, value))
    score = query.double() @ keys.transpose(1, 2) * scale
    if biased:
        score = score + bias.double()
    if cap:
        score = cap * torch.tanh(score / cap)
    apart = torch.arange(score.shape[1])[:, None] - torch.arange(score.shape[2])
    hidden = (apart.abs() >= window) if window else torch.zeros_like(apart, dtype=torch.bool)
    return {"out": torch.softmax(score.masked_fill(hidden, -torch.inf), -1) @ values}


def make_limited(
    name: str, dtype: str, lengths: tuple[int, int], tile: tuple[int, int, int], *,
    group: int = 1, biased: bool = False, window: int = 0, cap: float = 0.0,
) -> CorpusKernel:  # fmt: skip
    heads, depth, (queries, keys) = 2, tile[2], lengths
    shared = (heads // group, keys, depth)
    numbers = {"queries": queries, "keys": keys, "scale": depth**-0.5, "window": window}
    types = dict.fromkeys(("query", "key", "value"), f"*{dtype}") | {"bias": "*fp32"}
    types |= {"out": f"*{dtype}", "queries": "i32", "keys": "i32", "scale": "fp32", "window": "i32"}
    return fixed(
        name, attend_limited, types,
        {
            "query": normal((heads, queries, depth), dtype), "key": normal(shared, dtype),
            "value": normal(shared, dtype), "bias": normal((queries, keys)),
            "out": out((heads, queries, depth), dtype), **numbers,
        },
        partial(expect_limited, group, biased, cap), grid=(-(-queries // tile[0]), heads),
        tolerance=Tolerance(1e-2, 6e-3) if dtype != "bf16" else Tolerance(3e-2, 3e-2),
        M=tile[0], N=tile[1], D=depth, GROUP=group, BIASED=biased, WINDOW=window > 0, CAP=cap,
    )  # fmt: skip


def expect_gradients(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    slope: torch.Tensor,
    scale: float,
    **rest: Value,
) -> Expected:
    inputs = [part.double().requires_grad_() for part in (query, key, value)]
    weight = torch.softmax(inputs[0] @ inputs[1].T * scale, -1)
    (weight @ inputs[2]).backward(slope.double())
    gradients = [part.grad for part in inputs]
    return dict(zip(("by_query", "by_key", "by_value"), gradients, strict=True))


def make_backward() -> CorpusKernel:
    length, depth = 64, 32
    inputs = dict.fromkeys(("query", "key", "value", "slope"))
    results = dict.fromkeys(("by_query", "by_key", "by_value"))
    return fixed(
        "attend_backward", attend_backward,
        dict.fromkeys(inputs, "*fp16") | dict.fromkeys(results, "*fp32") | {"scale": "fp32"},
        {name: normal((length, depth), "fp16") for name in inputs}
        | {name: out((length, depth)) for name in results} | {"scale": 0.2},
        expect_gradients, tolerance=Tolerance(5e-3, 1e-2), N=length, D=depth,
    )  # fmt: skip


def make_tiled_backward() -> CorpusKernel:
    """Inputs of one seed: the sums over keys that the forward pass would leave belong to them."""
    length, depth, scale = 70, 32, 0.2
    draw = Draw(0)
    parts = [draw.normal((length, depth), "fp16") for _ in range(4)]
    query, key, value = (part.double().requires_grad_() for part in parts[:3])
    score = query @ key.T * scale
    score = score.masked_fill(torch.ones_like(score, dtype=torch.bool).triu(1), -torch.inf)
    result = torch.softmax(score, -1) @ value
    result.backward(parts[3].double())
    names = ("query", "key", "value", "slope")
    values = dict(zip(names, parts, strict=True)) | {
        "total": torch.logsumexp(score, 1).detach().float(),
        "delta": (result.detach() * parts[3]).sum(1).float(),
    }
    types = dict.fromkeys(names, "*fp16") | dict.fromkeys(("total", "delta"), "*fp32")
    types |= {"by_key": "*fp32", "by_value": "*fp32", "length": "i32", "scale": "fp32"}
    return fixed(
        "attend_backward_tiled", attend_backward_tiled, types,
        values
        | {name: out((length, depth)) for name in ("by_key", "by_value")}
        | {"length": length, "scale": scale},
        lambda **rest: {"by_key": key.grad, "by_value": value.grad}, grid=(3,),
        tolerance=Tolerance(1e-2, 1e-2), M=32, N=32, D=depth,
    )  # fmt: skip


KERNELS: tuple[CorpusKernel, ...] = (
    make_attention("attend", "fp16", 150, (64, 64, 64)),
    make_attention("attend_128", "fp16", 200, (128, 128, 64)),
    make_attention("attend_bf16", "bf16", 100, (32, 64, 32)),
    make_attention("attend_causal", "fp16", 128, (64, 64, 64), causal=True),
    make_attention("attend_short", "fp16", 40, (16, 16, 128)),
    make_limited("attend_across", "fp16", (33, 77), (32, 32, 32)),
    make_limited("attend_shared_keys", "fp16", (70, 90), (32, 64, 64), group=2),
    make_limited("attend_biased", "bf16", (50, 70), (32, 32, 64), biased=True),
    make_limited("attend_window", "fp16", (130, 130), (32, 32, 32), window=20),
    make_limited("attend_capped", "fp32", (40, 50), (32, 32, 32), cap=5.0),
    make_limited("attend_one_query", "fp16", (1, 100), (16, 32, 64)),
    make_backward(),
    make_tiled_backward(),
)
