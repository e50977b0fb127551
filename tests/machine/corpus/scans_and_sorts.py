"""Scans along an axis, sorts, flips and histograms. Scans reach the machine as scalar loops."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, uniform, whole
from tests.machine.corpus.reductions import by_row

SCAN = Tolerance(2e-5, 2e-5)


@triton.jit
def cumulative_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
    tl.store(out + row * columns + offsets, tl.cumsum(value, 0), mask=inside)


@triton.jit
def cumulative_product(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
    tl.store(out + row * columns + offsets, tl.cumprod(value, 0), mask=inside)


@triton.jit
def larger(left, right):
    return tl.maximum(left, right)


@triton.jit
def cumulative_maximum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
    result = tl.associative_scan(value, 0, larger)
    tl.store(out + row * columns + offsets, result, mask=inside)


@triton.jit
def cumulative_sum_of_rows(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + offsets, tl.cumsum(tl.load(x + offsets), AXIS))


@triton.jit
def cumulative_sum_backwards(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.cumsum(tl.load(x + offsets), 0, reverse=True))


@triton.jit
def decay(left, right):
    return left * 0.5 + right


@triton.jit
def scan_decaying(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.associative_scan(tl.load(x + offsets), 0, decay))


@triton.jit
def compose(scale_a, shift_a, scale_b, shift_b):
    return scale_a * scale_b, shift_a * scale_b + shift_b


@triton.jit
def scan_linear_recurrence(scale, shift, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    factor = tl.load(scale + offsets)
    addend = tl.load(shift + offsets)
    _, state = tl.associative_scan((factor, addend), 0, compose)
    tl.store(out + offsets, state)


@triton.jit
def sort_row(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=float("inf"))
    tl.store(out + row * columns + offsets, tl.sort(value), mask=inside)


@triton.jit
def sort_rows(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DESCENDING: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + offsets, tl.sort(tl.load(x + offsets), 1, descending=DESCENDING))


@triton.jit
def reverse(x, out, columns, BLOCK: tl.constexpr):
    start = tl.program_id(0) * columns + tl.arange(0, BLOCK)
    tl.store(out + start, tl.flip(tl.load(x + start), 0))


@triton.jit
def count_values(x, out, BLOCK: tl.constexpr, BINS: tl.constexpr):
    bins = tl.histogram(tl.load(x + tl.arange(0, BLOCK)), BINS)
    tl.store(out + tl.arange(0, BINS), bins)


def decaying_oracle(x: torch.Tensor, **rest: torch.Tensor) -> dict[str, torch.Tensor]:
    state, states = torch.zeros((), dtype=torch.float64), []
    for value in x.double():
        state = state * 0.5 + value
        states.append(state)
    return {"out": torch.stack(states)}


def recurrence_oracle(
    scale: torch.Tensor, shift: torch.Tensor, **rest: torch.Tensor
) -> dict[str, torch.Tensor]:
    state, states = torch.zeros((), dtype=torch.float64), []
    for factor, addend in zip(scale.double(), shift.double(), strict=True):
        state = state * factor + addend
        states.append(state)
    return {"out": torch.stack(states)}


def scan_rows(name: str, dtype: str, shape: tuple[int, int], axis: int) -> CorpusKernel:
    make = normal(shape, dtype) if dtype[0] == "f" else whole(shape, -99, 99, dtype)
    return fixed(
        name, cumulative_sum_of_rows, {"x": f"*{dtype}", "out": f"*{dtype}"},
        {"x": make, "out": out(shape, dtype)}, lambda x, out: {"out": x.double().cumsum(axis)},
        tolerance=SCAN, ROWS=shape[0], COLUMNS=shape[1], AXIS=axis,
    )  # fmt: skip


def sort_all_rows(name: str, dtype: str, shape: tuple[int, int], descending: bool) -> CorpusKernel:
    return fixed(
        name, sort_rows, {"x": f"*{dtype}", "out": f"*{dtype}"},
        {"x": normal(shape, dtype), "out": out(shape, dtype)},
        lambda x, out: {"out": x.sort(1, descending=descending).values},
        ROWS=shape[0], COLUMNS=shape[1], DESCENDING=descending,
    )  # fmt: skip


def histogram(block: int, bins: int) -> CorpusKernel:
    return fixed(
        f"count_values_{block}", count_values, {"x": "*i32", "out": "*i32"},
        {"x": whole(block, 0, bins), "out": out(bins, "i32")},
        lambda x, out: {"out": torch.bincount(x.long(), minlength=bins)},
        BLOCK=block, BINS=bins,
    )  # fmt: skip


KERNELS: tuple[CorpusKernel, ...] = (
    by_row(
        "cumulative_sum", cumulative_sum, "fp32 fp32", lambda x: x.cumsum(1), columns=200,
        block=256, tolerance=SCAN,
    ),
    by_row(
        "cumulative_sum_i32", cumulative_sum, "i32 i32", lambda x: x.cumsum(1), columns=50,
        block=64,
    ),
    by_row(
        "cumulative_product", cumulative_product, "fp32 fp32", lambda x: x.cumprod(1),
        columns=200, block=256, make=lambda draw, shape, dtype: draw.uniform(shape, 0.9, 1.1),
        tolerance=SCAN,
    ),
    by_row(
        "cumulative_maximum", cumulative_maximum, "fp32 fp32", lambda x: x.cummax(1).values,
        columns=200, block=256,
    ),
    scan_rows("cumulative_sum_along_rows", "fp32", (16, 64), 1),
    scan_rows("cumulative_sum_down_columns", "fp32", (16, 24), 0),
    scan_rows("cumulative_sum_down_columns_i32", "i32", (9, 40), 0),
    scan_rows("cumulative_sum_along_rows_i32", "i32", (4, 40), 1),
    fixed(
        "cumulative_sum_backwards", cumulative_sum_backwards, {"x": "*fp32", "out": "*fp32"},
        {"x": normal(64), "out": out(64)},
        lambda x, out: {"out": x.double().flip(0).cumsum(0).flip(0)}, tolerance=SCAN, BLOCK=64,
    ),
    fixed(
        "scan_decaying", scan_decaying, {"x": "*fp32", "out": "*fp32"},
        {"x": normal(64), "out": out(64)}, decaying_oracle, tolerance=SCAN, BLOCK=64,
    ),
    fixed(
        "scan_linear_recurrence", scan_linear_recurrence,
        {"scale": "*fp32", "shift": "*fp32", "out": "*fp32"},
        {"scale": uniform(64, 0.5, 1), "shift": normal(64), "out": out(64)}, recurrence_oracle,
        tolerance=SCAN, BLOCK=64,
    ),
    by_row(
        "sort_row", sort_row, "fp32 fp32", lambda x: x.sort(1).values, columns=50, block=64
    ),
    by_row(
        "sort_row_fp16", sort_row, "fp16 fp16", lambda x: x.sort(1).values, columns=100, block=128
    ),
    sort_all_rows("sort_rows", "fp32", (8, 64), False),
    sort_all_rows("sort_rows_descending", "fp32", (4, 32), True),
    sort_all_rows("sort_rows_fp16", "fp16", (3, 256), False),
    by_row("reverse", reverse, "fp32 fp32", lambda x: x.flip(1), columns=64, block=64),
    by_row("reverse_i16", reverse, "i16 i16", lambda x: x.flip(1), columns=96, block=96),
    by_row("reverse_fp16", reverse, "fp16 fp16", lambda x: x.flip(1), columns=32, block=32),
    histogram(256, 32),
    histogram(100, 7),
)  # fmt: skip
