"""Random numbers: Philox as the compiler emits it, and as it is defined.

The front end lowers the unsigned high product to a signed one, so the stream differs from other
back ends'. `philox` computes either, to tell the machine's faults from the compiler's.
"""

from __future__ import annotations

import numpy as np
import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance, Value
from tests.machine.corpus.fixed import fixed, normal, out

SEED = 1234
KEYS = (0x9E3779B9, 0xBB67AE85)
FACTORS = (0xD2511F53, 0xCD9E8D57)
ROUNDS = 10


@triton.jit
def drop_out(x, out, count, rate, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    kept = tl.rand(seed, offsets) > rate
    tl.store(out + offsets, tl.where(kept, value / (1 - rate), 0.0), mask=inside)


@triton.jit
def draw_normal(out, count, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.randn(seed, offsets), mask=offsets < count)


def multiply_high(factor: int, values: np.ndarray, signed: bool) -> np.ndarray:
    if signed:
        product = np.int64(np.int32(np.uint32(factor))) * values.view(np.int32).astype(np.int64)
        return (product >> 32).astype(np.int32).view(np.uint32)
    return ((np.uint64(factor) * values.astype(np.uint64)) >> np.uint64(32)).astype(np.uint32)


def philox(count: int, signed: bool) -> list[np.ndarray]:
    """The four uint32 words for counters 0 to `count` and the key SEED."""
    words = [np.arange(count, dtype=np.uint32), *(np.zeros(count, np.uint32) for _ in range(3))]
    keys = [np.uint32(SEED), np.uint32(0)]
    for _ in range(ROUNDS):
        high_a = multiply_high(FACTORS[0], words[0], signed)
        high_b = multiply_high(FACTORS[1], words[2], signed)
        low_a, low_b = words[0] * np.uint32(FACTORS[0]), words[2] * np.uint32(FACTORS[1])
        words = [high_b ^ words[1] ^ keys[0], low_b, high_a ^ words[3] ^ keys[1], low_a]
        keys = [
            np.uint32((int(key) + step) % (1 << 32)) for key, step in zip(keys, KEYS, strict=True)
        ]
    return words


def to_uniform(words: np.ndarray) -> torch.Tensor:
    """Triton's mapping of 32 bits to [0, 1)."""
    signed = words.view(np.int32)
    folded = np.where(signed < 0, -signed - 1, signed)
    return torch.from_numpy(folded.astype(np.float64)) * 4.6566127342e-10


def expect_dropout(signed: bool, **values: Value) -> dict[str, torch.Tensor]:
    x, rate, count = values["x"], values["rate"], values["count"]
    kept = to_uniform(philox(count, signed)[0]) > rate
    return {"out": torch.where(kept, x.double() / (1 - rate), 0.0)}


def expect_normal(count: int, **rest: Value) -> dict[str, torch.Tensor]:
    first, second = (to_uniform(words) for words in philox(count, signed=True)[:2])
    radius = (-2 * first.clamp(min=1e-7).log()).sqrt()
    return {"out": radius * (6.283185307179586 * second).cos()}


COUNT = 700


def make_dropout(name: str, signed: bool) -> CorpusKernel:
    types = {"x": "*fp32", "out": "*fp32", "count": "i32", "rate": "fp32", "seed": "i32"}
    values = {"x": normal(COUNT), "out": out(COUNT), "count": COUNT, "rate": 0.4, "seed": SEED}
    return fixed(
        name, drop_out, types, values, lambda **given: expect_dropout(signed, **given),
        grid=(2,), BLOCK=512,
    )  # fmt: skip


KERNELS: tuple[CorpusKernel, ...] = (
    make_dropout("drop_out_with_signed_products", signed=True),
    fixed(
        "draw_normal_with_signed_products", draw_normal,
        {"out": "*fp32", "count": "i32", "seed": "i32"},
        {"out": out(COUNT), "count": COUNT, "seed": SEED}, expect_normal, grid=(2,),
        tolerance=Tolerance(1e-4, 1e-4), BLOCK=512,
    ),
)  # fmt: skip
DROPOUT_AS_DEFINED = make_dropout("drop_out", signed=False)
