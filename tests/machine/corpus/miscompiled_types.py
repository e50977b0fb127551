"""Kernels whose types the tool chain gets wrong: unsigned becomes signed, conversions disappear."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
import triton.language.extra.ascend.libdevice as libdevice

from tests.machine.corpus.entry import DTYPES, CorpusKernel, Expected, Miscompilation
from tests.machine.corpus.fixed import Source, fixed, normal, out, uniform, whole

COUNT = 64


@triton.jit
def larger(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.maximum(tl.load(x + offsets), tl.load(y + offsets)))


@triton.jit
def shift_right(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) >> 3)


@triton.jit
def widen(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets).to(out.dtype.element_ty))


@triton.jit
def is_above_three(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, (tl.load(x + offsets) > 3).to(tl.int32))


@triton.jit
def quantise_and_back(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    whole_part = (tl.load(x + offsets) * 8).to(tl.int8)
    tl.store(out + offsets, whole_part.to(tl.float32) * 0.125)


@triton.jit
def truncate_half(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets).to(tl.int32).to(tl.float16) + 1.0)


@triton.jit
def keep_low_half(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets).to(tl.int32).to(tl.int64) + 1)


@triton.jit
def round_number_to_half(x, out):
    tl.store(out, tl.load(x).to(tl.float16).to(tl.float32) + tl.load(x + 1))


@triton.jit
def add_quotient(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) // 7 + tl.load(y + offsets))


@triton.jit
def larger_absolute(left, right):
    return tl.maximum(tl.abs(left), tl.abs(right))


@triton.jit
def largest_absolute(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    value = tl.load(x + row[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    tl.store(out + row, tl.reduce(value, 1, larger_absolute))


@triton.jit
def raise_to_power(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, libdevice.pow(tl.load(x + offsets), tl.load(y + offsets)))


def once(name: str, function: Any, types: str, oracle: Any, **values: Source) -> CorpusKernel:
    """Buffers x, perhaps y, and out of these types; `values` are those of the inputs."""
    names = function.arg_names[: len(types.split())]
    signature = {key: f"*{type_}" for key, type_ in zip(names, types.split(), strict=True)}
    buffers = {**values, "out": out(COUNT, types.split()[-1])}
    constants = {"BLOCK": COUNT} if "BLOCK" in function.arg_names else {}
    return fixed(name, function, signature, buffers, oracle, **constants)


def full_range(dtype: str) -> Source:
    bits = int(dtype[1:])
    return lambda draw: draw.integers(COUNT, 0, 1 << bits, "i64").to(DTYPES[dtype])


def as_signed(values: torch.Tensor) -> torch.Tensor:
    return values.view(torch.int16 if values.dtype == torch.uint16 else torch.int32).long()


def wrap_to_i8(values: torch.Tensor) -> torch.Tensor:
    return (values + 128) % 256 - 128


def divide_by_seven(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    return {"out": wrap_to_i8(torch.div(x.long(), 7, rounding_mode="trunc") + y.long())}


TYPE_MISCOMPILATIONS: tuple[Miscompilation, ...] = (
    Miscompilation(
        once(
            "larger_u32", larger, "u32 u32 u32",
            lambda x, y, out: {"out": torch.maximum(x.long(), y.long())},
            x=full_range("u32"), y=full_range("u32"),
        ),
        "the larger of two unsigned numbers is the larger signed one",
        lambda x, y, out: {"out": torch.maximum(as_signed(x), as_signed(y)) % (1 << 32)},
    ),
    Miscompilation(
        once(
            "shift_right_u32", shift_right, "u32 u32", lambda x, out: {"out": x.long() >> 3},
            x=full_range("u32"),
        ),
        "an unsigned shift to the right copies the sign",
        lambda x, out: {"out": (as_signed(x) >> 3) % (1 << 32)},
    ),
    Miscompilation(
        once(
            "widen_u16", widen, "u16 i32", lambda x, out: {"out": x.long()}, x=full_range("u16")
        ),
        "an unsigned number is widened with its sign",
        lambda x, out: {"out": as_signed(x)},
    ),
    Miscompilation(
        once(
            "is_above_three_u16", is_above_three, "u16 i32", lambda x, out: {"out": x.long() > 3},
            x=full_range("u16"),
        ),
        "an unsigned number is compared with a constant as a signed one",
        lambda x, out: {"out": as_signed(x) > 3},
    ),
    Miscompilation(
        once(
            "quantise_and_back", quantise_and_back, "fp32 fp32",
            lambda x, out: {"out": (x * 8).trunc() / 8}, x=uniform(COUNT, -9, 9),
        ),
        "a float made an int8 and a float again keeps its fraction",
        lambda x, out: {"out": x},
    ),
    Miscompilation(
        once(
            "truncate_half", truncate_half, "fp16 fp16", lambda x, out: {"out": x.trunc() + 1},
            x=uniform(COUNT, -9, 9, "fp16"),
        ),
        "a half made an int32 and a half again keeps its fraction",
        lambda x, out: {"out": x + 1},
    ),
    Miscompilation(
        once(
            "keep_low_half", keep_low_half, "i64 i64", lambda x, out: {"out": x.int().long() + 1},
            x=whole(COUNT, 1 << 31, 1 << 40, "i64"),
        ),
        "an int64 made an int32 and an int64 again keeps its upper half",
        lambda x, out: {"out": x + 1},
    ),
    Miscompilation(
        once(
            "round_number_to_half", round_number_to_half, "fp32 fp32",
            lambda x, out: {"out": (x[0].half().float() + x[1]).reshape(1)}, x=normal(2),
        ),
        "a number made a half and a float again is not rounded",
        lambda x, out: {"out": x.sum().reshape(1)},
    ),
    Miscompilation(
        once(
            "add_quotient_i8", add_quotient, "i8 i8 i8", divide_by_seven,
            x=whole(COUNT, -60, 60, "i8"), y=whole(COUNT, -60, 60, "i8"),
        ),
        "a quotient of int8 keeps its fraction until the end of the expression",
        lambda x, y, out: {"out": (x.float() / 7 + y.float()).trunc()},
    ),
    Miscompilation(
        fixed(
            "largest_absolute", largest_absolute, {"x": "*fp32", "out": "*fp32"},
            {"x": normal((8, 32)), "out": out(8)}, lambda x, out: {"out": x.abs().amax(1)},
            ROWS=8, COLUMNS=32,
        ),
        "a reduction to the largest absolute value is one to the largest value",
        lambda x, out: {"out": x.amax(1)},
    ),
    Miscompilation(
        once(
            "raise_to_power_i32", raise_to_power, "i32 i32 i32",
            lambda x, y, out: {"out": x.long() ** y.long()},
            x=whole(COUNT, -9, 9), y=whole(COUNT, 0, 5),
        ),
        "a power of int32 is written over its base, which the library fills with ones first",
        "machine.illegal_operand",
    ),
)  # fmt: skip
