"""Kernels of training: backward passes, losses, optimisers, quantisation."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Expected, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, uniform, whole


@triton.jit
def layer_norm_backward(grad, x, weight, mean, rstd, dx, dw, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
    upper = tl.load(grad + row * columns + offsets, mask=inside, other=0.0)
    scale = tl.load(rstd + row)
    centred = tl.where(inside, (value - tl.load(mean + row)) * scale, 0.0)
    weighted = tl.load(weight + offsets, mask=inside, other=0.0) * upper
    along = tl.sum(centred * weighted, 0) / columns
    result = (weighted - (centred * along + tl.sum(weighted, 0) / columns)) * scale
    tl.store(dx + row * columns + offsets, result, mask=inside)
    tl.atomic_add(dw + offsets, upper * centred, mask=inside)


@triton.jit
def cross_entropy_both_ways(x, target, loss, dx, columns, ignored, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=-float("inf")).to(tl.float32)
    label = tl.load(target + row)
    weight = tl.exp(value - tl.max(value, 0))
    total = tl.sum(weight, 0)
    hit = offsets == label
    if label == ignored:
        tl.store(loss + row, 0.0)
        tl.store(dx + row * columns + offsets, tl.zeros((BLOCK,), tl.float32), mask=inside)
    else:
        chosen = tl.sum(tl.where(hit, value, 0.0), 0)
        tl.store(loss + row, tl.max(value, 0) + tl.log(total) - chosen)
        slope = weight / total - tl.where(hit, 1.0, 0.0)
        tl.store(dx + row * columns + offsets, slope, mask=inside)


@triton.jit
def scatter_rows(index, grad, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(grad + row * columns + offsets, mask=inside, other=0.0)
    tl.atomic_add(out + tl.load(index + row) * columns + offsets, value, mask=inside)


@triton.jit
def update_adam(p, g, m, v, count, rate, decay1, decay2, epsilon, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    slope = tl.load(g + offsets, mask=inside).to(tl.float32)
    first = decay1 * tl.load(m + offsets, mask=inside) + (1 - decay1) * slope
    second = decay2 * tl.load(v + offsets, mask=inside) + (1 - decay2) * slope * slope
    step = rate * first / (tl.sqrt(second) + epsilon)
    value = tl.load(p + offsets, mask=inside).to(tl.float32) - step
    tl.store(p + offsets, value.to(p.dtype.element_ty), mask=inside)
    tl.store(m + offsets, first, mask=inside)
    tl.store(v + offsets, second, mask=inside)


@triton.jit
def welford(x, mean, variance, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    centre = tl.zeros((BLOCK,), tl.float32)
    spread = tl.zeros((BLOCK,), tl.float32)
    weight = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        value = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
        count = tl.where(inside, weight + 1, weight)
        delta = value - centre
        moved = centre + delta / tl.maximum(count, 1.0)
        spread = tl.where(inside, spread + delta * (value - moved), spread)
        centre = tl.where(inside, moved, centre)
        weight = count
    total = tl.sum(weight, 0)
    middle = tl.sum(centre * weight, 0) / total
    away = centre - middle
    tl.store(mean + row, middle)
    tl.store(variance + row, (tl.sum(spread, 0) + tl.sum(away * away * weight, 0)) / total)


@triton.jit
def similarity(x, y, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    left = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
    right = tl.load(y + row * columns + offsets, mask=inside, other=0.0)
    size = tl.sqrt(tl.sum(left * left, 0)) * tl.sqrt(tl.sum(right * right, 0))
    tl.store(out + row, tl.sum(left * right, 0) / tl.maximum(size, 1e-8))


@triton.jit
def quantise_rows(x, out, scale, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0).to(tl.float32)
    step = tl.max(tl.abs(value), 0) / 127.0
    scaled = value / step
    rounded = tl.where(scaled >= 0, tl.floor(scaled + 0.5), tl.ceil(scaled - 0.5))
    tl.store(out + row * columns + offsets, rounded.to(tl.int8), mask=inside)
    tl.store(scale + row, step)


@triton.jit
def dequantise_rows(x, scale, zero, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0).to(tl.float32)
    result = (value - tl.load(zero + row).to(tl.float32)) * tl.load(scale + row)
    tl.store(out + row * columns + offsets, result.to(out.dtype.element_ty), mask=inside)


@triton.jit
def unpack_nibbles(x, out, BLOCK: tl.constexpr):
    packed = tl.load(x + tl.arange(0, BLOCK))
    low = (packed & 15).to(tl.float32) - 8
    high = ((packed >> 4) & 15).to(tl.float32) - 8
    tl.store(out + tl.arange(0, 2 * BLOCK), tl.interleave(low, high))


def expect_norm_slopes(
    grad: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, mean: torch.Tensor,
    rstd: torch.Tensor, dw: torch.Tensor, columns: int, **rest: object,
) -> Expected:  # fmt: skip
    upper, scale = grad.double(), rstd.double()[:, None]
    centred = (x.double() - mean.double()[:, None]) * scale
    weighted = weight.double() * upper
    along = (centred * weighted).mean(1, keepdim=True)
    slopes = (weighted - centred * along - weighted.mean(1, keepdim=True)) * scale
    return {"dx": slopes, "dw": dw[:columns].double() + (upper * centred).sum(0)}


def draw_labels(draw: Draw) -> torch.Tensor:
    labels = draw.integers(6, 0, 100, "i64")
    labels[2] = -100
    return labels


def expect_loss(x: torch.Tensor, target: torch.Tensor, ignored: int, **rest: object) -> Expected:
    value = x.double()
    kept = target != ignored
    hits = torch.nn.functional.one_hot(target.clamp(min=0), value.shape[1]).double()
    loss = value.logsumexp(1) - (value * hits).sum(1)
    slopes = value.softmax(1) - hits
    return {"loss": torch.where(kept, loss, 0.0), "dx": torch.where(kept[:, None], slopes, 0.0)}


def expect_adam(
    p: torch.Tensor, g: torch.Tensor, m: torch.Tensor, v: torch.Tensor, rate: float,
    decay1: float, decay2: float, epsilon: float, **rest: object,
) -> Expected:  # fmt: skip
    first = decay1 * m.double() + (1 - decay1) * g.double()
    second = decay2 * v.double() + (1 - decay2) * g.double() ** 2
    return {"p": p.double() - rate * first / (second.sqrt() + epsilon), "m": first, "v": second}


def expect_quantised(x: torch.Tensor, **rest: object) -> Expected:
    value = x.float()
    step = value.abs().amax(1) / 127
    scaled = value / step[:, None]
    return {"out": torch.where(scaled >= 0, (scaled + 0.5).floor(), (scaled - 0.5).ceil()),
            "scale": step}  # fmt: skip


def expect_nibbles(x: torch.Tensor, out: torch.Tensor) -> Expected:
    packed = x.long()
    return {"out": torch.stack([(packed & 15) - 8, (packed >> 4 & 15) - 8], 1).flatten()}


def dequantise(source: str, target: str) -> CorpusKernel:
    low, high = (0, 256) if source == "u8" else (-128, 128)
    return fixed(
        f"dequantise_{source}_{target}", dequantise_rows,
        {"x": f"*{source}", "scale": "*fp32", "zero": f"*{source}", "out": f"*{target}",
         "columns": "i32"},
        {"x": whole((4, 100), low, high, source), "scale": uniform(4, 0.1, 1),
         "zero": whole(4, 0, 100, source), "out": out((4, 100), target), "columns": 100},
        lambda x, scale, zero, **rest: {
            "out": (x.double() - zero.double()[:, None]) * scale.double()[:, None]
        },
        grid=(4,), BLOCK=128,
    )  # fmt: skip


def adam(dtype: str) -> CorpusKernel:
    types = dict.fromkeys(("p", "g"), f"*{dtype}") | dict.fromkeys(("m", "v"), "*fp32")
    numbers = {"rate": 0.01, "decay1": 0.9, "decay2": 0.99, "epsilon": 1e-6}
    return fixed(
        f"update_adam_{dtype}", update_adam,
        types | {"count": "i32"} | dict.fromkeys(numbers, "fp32"),
        {"p": normal(100, dtype), "g": normal(100, dtype), "m": normal(100),
         "v": uniform(100, 0.1, 1), "count": 100, **numbers},
        expect_adam, grid=(2,), BLOCK=64,
        tolerance=Tolerance(1e-4, 1e-5) if dtype == "fp32" else None,
    )  # fmt: skip


SUMS = Tolerance(1e-4, 1e-5)
ROWS = dict.fromkeys(("mean", "rstd"), "*fp32")

KERNELS: tuple[CorpusKernel, ...] = (
    fixed(
        "layer_norm_backward", layer_norm_backward,
        {**dict.fromkeys(("grad", "x", "weight", "mean", "rstd", "dx", "dw"), "*fp32"),
         "columns": "i32"},
        {"grad": normal((5, 100)), "x": normal((5, 100)), "weight": normal(100),
         "mean": normal(5), "rstd": uniform(5, 0.5, 2), "dx": out((5, 100)), "dw": normal(128),
         "columns": 100},
        expect_norm_slopes, grid=(5,), tolerance=SUMS, BLOCK=128,
    ),
    *(
        fixed(
            f"cross_entropy_both_ways_{dtype}", cross_entropy_both_ways,
            {"x": f"*{dtype}", "target": "*i64", "loss": "*fp32", "dx": "*fp32",
             "columns": "i32", "ignored": "i32"},
            {"x": normal((6, 100), dtype), "target": draw_labels, "loss": out(6),
             "dx": out((6, 100)), "columns": 100, "ignored": -100},
            expect_loss, grid=(6,), BLOCK=128,
        )
        for dtype in ("fp32", "fp16")
    ),
    fixed(
        "scatter_rows", scatter_rows,
        {"index": "*i64", "grad": "*fp32", "out": "*fp32", "columns": "i32"},
        {"index": whole(9, 0, 4, "i64"), "grad": normal((9, 50)), "out": normal((4, 50)),
         "columns": 50},
        lambda index, grad, out, columns: {"out": out.double().index_add(0, index, grad.double())},
        grid=(9,), tolerance=SUMS, BLOCK=64,
    ),
    adam("fp32"), adam("bf16"),
    fixed(
        "welford", welford, {"x": "*fp32", "mean": "*fp32", "variance": "*fp32", "columns": "i32"},
        {"x": normal((3, 150)), "mean": out(3), "variance": out(3), "columns": 150},
        lambda x, **rest: {"mean": x.double().mean(1),
                           "variance": x.double().var(1, unbiased=False)},
        grid=(3,), tolerance=SUMS, BLOCK=64,
    ),
    fixed(
        "similarity", similarity, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "columns": "i32"},
        {"x": normal((4, 90)), "y": normal((4, 90)), "out": out(4), "columns": 90},
        lambda x, y, **rest: {"out": torch.cosine_similarity(x.double(), y.double())},
        grid=(4,), tolerance=SUMS, BLOCK=128,
    ),
    *(
        fixed(
            f"quantise_rows_{dtype}", quantise_rows,
            {"x": f"*{dtype}", "out": "*i8", "scale": "*fp32", "columns": "i32"},
            {"x": normal((4, 100), dtype), "out": out((4, 100), "i8"), "scale": out(4),
             "columns": 100},
            expect_quantised, grid=(4,), BLOCK=128,
        )
        for dtype in ("fp32", "fp16")
    ),
    dequantise("u8", "fp16"), dequantise("i8", "bf16"),
    *(
        fixed(f"unpack_nibbles_{dtype}", unpack_nibbles, {"x": f"*{dtype}", "out": "*fp32"},
              {"x": whole(64, *limits, dtype), "out": out(128)}, expect_nibbles, BLOCK=64)
        for dtype, limits in (("u8", (0, 256)), ("i8", (-128, 128)), ("i32", (-999, 999)))
    ),
)  # fmt: skip
