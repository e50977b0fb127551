"""Atomic updates of GM, by vector stores where the chip has them and by scalar loops elsewhere."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, whole


@triton.jit
def exchange(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.atomic_xchg(x + offsets, tl.load(y + offsets)))


@triton.jit
def exchange_for_zeros(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    zeros = tl.zeros((BLOCK,), tl.int32)
    tl.store(out + offsets, tl.atomic_xchg(x + offsets, zeros))


@triton.jit
def exchange_where_equal(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    ones = tl.full((BLOCK,), 1, tl.int32)
    tl.store(out + offsets, tl.atomic_cas(x + offsets, tl.load(y + offsets), ones))


@triton.jit
def add_and_return(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    ones = tl.full((BLOCK,), 1.0, tl.float32)
    tl.store(out + offsets, tl.atomic_add(x + offsets, ones))


@triton.jit
def take_tickets(counter, out):
    tl.store(out + tl.program_id(0), tl.atomic_add(counter, 1))


@triton.jit
def accumulate(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_add(out + offsets, tl.load(x + tl.program_id(0) * BLOCK + offsets))


@triton.jit
def keep_largest(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_max(out + offsets, tl.load(x + tl.program_id(0) * BLOCK + offsets))


@triton.jit
def keep_smallest(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_min(out + offsets, tl.load(x + tl.program_id(0) * BLOCK + offsets))


@triton.jit
def clear_bits(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_and(out + offsets, tl.load(x + tl.program_id(0) * BLOCK + offsets))


@triton.jit
def set_bits(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_or(out + offsets, tl.load(x + tl.program_id(0) * BLOCK + offsets))


@triton.jit
def flip_bits(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.atomic_xor(out + offsets, tl.load(x + tl.program_id(0) * BLOCK + offsets))


@triton.jit
def accumulate_masked(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + tl.program_id(0) * count + offsets, mask=inside, other=0.0)
    tl.atomic_add(out + offsets, value, mask=inside)


@triton.jit
def accumulate_total(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + offsets), 0))


def combine_blocks(name: str, kernel: object, dtype: str, combine: object, **options: object):  # fmt: skip
    """Three blocks update the same 64 elements in turn."""
    floating = dtype[0] in "fb"
    make = normal((3, 64), dtype) if floating else whole((3, 64), -60, 60, dtype)
    start = normal(64, dtype) if floating else whole(64, -60, 60, dtype)

    def oracle(x: torch.Tensor, out: torch.Tensor) -> dict[str, torch.Tensor]:
        state = out.double() if floating else out.long()
        for row in x:
            state = combine(state, row.to(state.dtype))
        return {"out": state}

    return fixed(
        name, kernel, {"x": f"*{dtype}", "out": f"*{dtype}"}, {"x": make, "out": start}, oracle,
        grid=(3,), BLOCK=64, **options,
    )  # fmt: skip


def masked_oracle(x: torch.Tensor, out: torch.Tensor, count: int) -> dict[str, torch.Tensor]:
    return {"out": out[:count].double() + x.double().sum(0)}


PAIR_I32 = {"x": "*i32", "out": "*i32"}
PAIR_FP32 = {"x": "*fp32", "out": "*fp32"}
SUM_LOOSE = Tolerance(5e-3, 5e-3)

KERNELS: tuple[CorpusKernel, ...] = (
    fixed(
        "exchange", exchange, {"x": "*i32", "y": "*i32", "out": "*i32"},
        {"x": whole(64, -99, 99), "y": whole(64, -99, 99), "out": out(64, "i32")},
        lambda x, y, out: {"x": y, "out": x}, BLOCK=64,
    ),
    fixed(
        "add_and_return", add_and_return, PAIR_FP32, {"x": normal(64), "out": out(64)},
        lambda x, out: {"x": x.double() + 1, "out": x}, BLOCK=64,
    ),
    fixed(
        "take_tickets", take_tickets, {"counter": "*i32", "out": "*i32"},
        {"counter": lambda draw: torch.zeros(1, dtype=torch.int32), "out": out(5, "i32")},
        lambda counter, out: {"counter": torch.tensor([5]), "out": torch.arange(5)}, grid=(5,),
    ),
    combine_blocks("accumulate_fp32", accumulate, "fp32", torch.add),
    combine_blocks("accumulate_i32", accumulate, "i32", torch.add),
    combine_blocks("accumulate_i64", accumulate, "i64", torch.add),
    combine_blocks("accumulate_fp16", accumulate, "fp16", torch.add, tolerance=SUM_LOOSE),
    combine_blocks(
        "accumulate_bf16", accumulate, "bf16", torch.add, tolerance=Tolerance(2e-2, 4e-2)
    ),
    combine_blocks("keep_largest_fp32", keep_largest, "fp32", torch.maximum),
    combine_blocks("keep_largest_i32", keep_largest, "i32", torch.maximum),
    combine_blocks("keep_smallest_fp16", keep_smallest, "fp16", torch.minimum),
    combine_blocks("clear_bits_i32", clear_bits, "i32", torch.bitwise_and),
    combine_blocks("set_bits_i32", set_bits, "i32", torch.bitwise_or),
    combine_blocks("flip_bits_i32", flip_bits, "i32", torch.bitwise_xor),
    fixed(
        "accumulate_masked", accumulate_masked, {**PAIR_FP32, "count": "i32"},
        {"x": normal((3, 50)), "out": normal(64), "count": 50}, masked_oracle, grid=(3,),
        BLOCK=64,
    ),
    fixed(
        "accumulate_total", accumulate_total, PAIR_FP32, {"x": normal(512), "out": normal(1)},
        lambda x, out: {"out": out.double() + x.double().sum()}, grid=(4,),
        tolerance=Tolerance(1e-5, 1e-4), BLOCK=128,
    ),
)  # fmt: skip
