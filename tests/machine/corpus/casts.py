"""Conversions between every pair of types that the vector unit, or the compiler, serves."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import DTYPES, CorpusKernel, Draw
from tests.machine.corpus.pointwise import Maker, pointwise


@triton.jit
def convert(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, value.to(out.dtype.element_ty), mask=inside)


@triton.jit
def reinterpret_bits(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, value.to(out.dtype.element_ty, bitcast=True), mask=inside)


FLOATS = ("fp32", "fp16", "bf16")


def draw_for(source: str, target: str) -> Maker:
    """Values that both types can hold, up to rounding."""

    def draw_values(draw: Draw, count: int, dtype: str) -> torch.Tensor:
        unsigned = "u" in (source[0], target[0])
        low = 0 if unsigned else -100
        if source in FLOATS:
            return draw.uniform(count, low, 100, dtype)
        if "8" in source + target or target in ("fp16", "bf16") or source[0] == "u":
            return draw.integers(count, low, 100, dtype)
        return draw.integers(count, -(1 << 24), 1 << 24, dtype)

    return draw_values


def cast(source: str, target: str, block: int = 1024) -> CorpusKernel:
    """Floats become integers by truncation; narrower floats round to nearest even."""

    def oracle(x: torch.Tensor) -> torch.Tensor:
        return x.to(DTYPES[source]).to(DTYPES[target])

    return pointwise(
        f"cast_{source}_to_{target}_{block}",
        convert,
        source,
        target,
        oracle,
        block=block,
        makers={"x": draw_for(source, target)},
    )


PAIRS = (
    "fp32 fp16", "fp32 bf16", "fp16 fp32", "bf16 fp16", "fp32 i32", "i32 fp32", "fp32 i8",
    "i8 fp32", "i8 fp16", "i32 i8", "i32 i64", "i64 i32", "i64 fp32", "fp32 i64", "u8 fp32",
    "i32 fp16", "fp32 u8", "i64 bf16",
    "bf16 fp32", "fp16 bf16", "fp16 i8", "fp16 i32", "fp16 i16", "i16 fp16", "i16 fp32",
    "fp32 i16", "bf16 i32", "i32 bf16", "i8 i32", "i8 i16", "i16 i32", "i32 i16", "i16 i8",
    "u8 fp16", "u8 i32", "i8 i64", "i1 fp32", "i1 i32",
)  # fmt: skip

KERNELS: tuple[CorpusKernel, ...] = (
    *(cast(*pair.split()) for pair in PAIRS),
    cast("fp32", "fp16", 100),
    cast("i32", "i64", 72),
    cast("fp16", "fp32", 4096),
    pointwise(
        "bits_of_fp32", reinterpret_bits, "fp32", "i32",
        lambda x: x.to(torch.float32).view(torch.int32),
    ),
    pointwise(
        "bits_of_bf16", reinterpret_bits, "bf16", "i16",
        lambda x: x.to(torch.bfloat16).view(torch.int16), block=512,
    ),
)  # fmt: skip
