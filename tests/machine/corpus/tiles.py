"""Tiles reshaped, joined, turned and broadcast, of odd sizes and all element types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import triton
import triton.language as tl
import triton.language.extra.ascend.libdevice as libdevice

from tests.machine.corpus.entry import FILL, CorpusKernel, Draw, Tolerance
from tests.machine.corpus.fixed import fixed, out
from tests.machine.corpus.pointwise import draw_any

Oracle = Callable[[torch.Tensor], torch.Tensor]


@triton.jit
def join_halves(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    pairs = tl.join(tl.load(x + offsets), tl.load(x + BLOCK + offsets))
    tl.store(out + offsets[:, None] * 2 + tl.arange(0, 2)[None, :], pairs)


@triton.jit
def concatenate_halves(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    both = tl.cat(tl.load(x + BLOCK + offsets), tl.load(x + offsets), can_reorder=True)
    tl.store(out + tl.arange(0, 2 * BLOCK), both)


@triton.jit
def permute_axes(
    x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
    FIRST: tl.constexpr, SECOND: tl.constexpr, THIRD: tl.constexpr,
):  # fmt: skip
    offsets = tl.arange(0, A * B * C)
    cube = tl.reshape(tl.load(x + offsets), (A, B, C))
    tl.store(out + offsets, tl.ravel(tl.permute(cube, (FIRST, SECOND, THIRD))))


@triton.jit
def turn_cube(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    turned = tl.permute(tl.load(x + a * B * C + b * C + c), (2, 0, 1))
    planes = tl.arange(0, C)[:, None, None] * A * B
    rows = tl.arange(0, A)[None, :, None] * B
    tl.store(out + planes + rows + tl.arange(0, B)[None, None, :], turned)


@triton.jit
def turn_tile(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    tile = tl.load(x + row[:, None] * COLUMNS + column[None, :])
    tl.store(out + column[:, None] * ROWS + row[None, :], tl.trans(tile))


@triton.jit
def read_turned(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)[None, :]
    column = tl.arange(0, COLUMNS)[:, None]
    tl.store(out + column * ROWS + row, tl.load(x + row * COLUMNS + column))


@triton.jit
def read_every(x, out, STEP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets * STEP))


@triton.jit
def write_every(x, out, STEP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets * STEP, tl.load(x + offsets))


@triton.jit
def reverse_axis(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + offsets, tl.flip(tl.load(x + offsets), AXIS))


@triton.jit
def gather_axis(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr):
    row = tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    index = (row * 3 + column * 7) % (ROWS if AXIS == 0 else COLUMNS)
    offsets = row * COLUMNS + column
    tl.store(out + offsets, tl.gather(tl.load(x + offsets), index, AXIS))


@triton.jit
def add_three_ways(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    total = tl.load(x + b) + tl.load(x + B + c) * tl.load(x + a)
    tl.store(out + a * B * C + b * C + c, total)


@triton.jit
def sum_middle(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    total = tl.sum(tl.load(x + a * B * C + b * C + c), 1)
    tl.store(out + tl.arange(0, A)[:, None] * C + tl.arange(0, C)[None, :], total)


@triton.jit
def last_index_of_largest(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    column = tl.arange(0, COLUMNS)
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + column[None, :]
    value = tl.floor(tl.load(x + offsets))
    tl.store(out + column, tl.argmax(value, 0, tie_break_left=False))


@triton.jit
def compare_neighbours(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    value = tl.load(x + offsets)
    tl.store(out + offsets, (value > tl.load(x + offsets + 1)) ^ (value > 0))


@triton.jit
def take_largest(x, out, BLOCK: tl.constexpr, COUNT: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    tl.store(out + tl.arange(0, COUNT), tl.topk(value, COUNT))


@triton.jit
def double_a_slice(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    middle = tl.extract_slice(value, (8,), (16,), (1,))
    tl.store(out + offsets, tl.insert_slice(value, middle * 2, (8,), (16,), (1,)))


@triton.jit
def put_one_element(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    fifth = tl.get_element(value, (5,))
    tl.store(out + offsets, libdevice.set_element(value, tl.full([], 3, tl.int32), fifth))


def reshaped(
    name: str, function: Any, dtype: str, shape: tuple[int, ...], oracle: Oracle,
    result_type: str | None = None, **constants: int,
) -> CorpusKernel:  # fmt: skip
    """x of `shape` goes in, what `oracle` makes of it comes out."""
    result = result_type or dtype
    count = int(torch.Size(shape).numel())

    def draw(source: Draw) -> torch.Tensor:
        return draw_any(source, count, dtype).reshape(shape)

    return fixed(
        f"{name}_{dtype}", function, {"x": f"*{dtype}", "out": f"*{result}"},
        {"x": draw, "out": out(count * max(1, constants.get("STEP", 1)), result)},
        lambda x, out: {"out": oracle(x).contiguous()},
        tolerance=Tolerance(1e-5, 1e-5) if dtype == "fp32" else None, **constants,
    )  # fmt: skip


def spread(x: torch.Tensor, step: int) -> torch.Tensor:
    result = torch.full((len(x) * step,), FILL).to(x.dtype)
    result[::step] = x
    return result


def gather_expected(x: torch.Tensor, axis: int) -> torch.Tensor:
    rows, columns = x.shape
    index = torch.arange(rows)[:, None] * 3 + torch.arange(columns)[None] * 7
    return x.gather(axis, index % x.shape[axis])


def add_expected(x: torch.Tensor) -> torch.Tensor:
    wide = x.double()
    return wide[None, :5, None] + wide[None, None, 5:12] * wide[:3, None, None]


def neighbours_expected(x: torch.Tensor) -> torch.Tensor:
    return ((x[:35] > x[1:36]) ^ (x[:35] > 0)).reshape(5, 7)


def last_of_largest(x: torch.Tensor) -> torch.Tensor:
    return x.shape[0] - 1 - x.floor().flip(0).argmax(0)


def doubled_slice(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x[:8], x[8:24] * 2, x[24:]])


CUBE = {"A": 4, "B": 8, "C": 16}
ODD_CUBE = {"A": 3, "B": 5, "C": 7}
ODD = {"ROWS": 7, "COLUMNS": 5}
WIDE = {"ROWS": 33, "COLUMNS": 17}

KERNELS: tuple[CorpusKernel, ...] = (
    *(
        reshaped("join_halves", join_halves, dtype, (2, 64), torch.t, BLOCK=64)
        for dtype in ("fp32", "i8", "i64")
    ),
    *(
        reshaped("concatenate_halves", concatenate_halves, dtype, (2, 64), lambda x: x.flip(0),
                 BLOCK=64)
        for dtype in ("bf16", "i16")
    ),
    *(
        reshaped(f"permute_{''.join(map(str, order))}", permute_axes, dtype, (4, 8, 16),
                 lambda x, order=order: x.permute(order), **CUBE, FIRST=order[0],
                 SECOND=order[1], THIRD=order[2])
        for dtype, order in (("i8", (0, 2, 1)), ("fp16", (2, 0, 1)), ("i64", (1, 0, 2)))
    ),
    *(
        reshaped("turn_cube", turn_cube, dtype, (3, 5, 7), lambda x: x.permute(2, 0, 1),
                 **ODD_CUBE)
        for dtype in ("fp32", "i8", "i64")
    ),
    *(
        reshaped("turn_odd_tile", turn_tile, dtype, (7, 5), torch.t, **ODD)
        for dtype in ("fp16", "i8", "i64")
    ),
    *(
        reshaped("turn_wide_tile", turn_tile, dtype, (33, 17), torch.t, **WIDE)
        for dtype in ("fp32", "i8")
    ),
    *(
        reshaped("read_turned", read_turned, dtype, (7, 5), torch.t, **ODD)
        for dtype in ("fp32", "i8")
    ),
    *(
        reshaped("read_every_third", read_every, dtype, (192,), lambda x: x[::3], STEP=3, BLOCK=64)
        for dtype in ("i8", "fp16", "i64")
    ),
    *(
        reshaped("write_every_third", write_every, dtype, (64,), lambda x: spread(x, 3), STEP=3,
                 BLOCK=64)
        for dtype in ("fp32", "i8")
    ),
    reshaped("reverse_rows", reverse_axis, "fp32", (16, 64), lambda x: x.flip(0), ROWS=16,
             COLUMNS=64, AXIS=0),
    reshaped("reverse_columns", reverse_axis, "i64", (4, 32), lambda x: x.flip(1), ROWS=4,
             COLUMNS=32, AXIS=1),
    *(
        reshaped(f"gather_axis_{axis}", gather_axis, dtype, (8, 16),
                 lambda x, axis=axis: gather_expected(x, axis), ROWS=8, COLUMNS=16, AXIS=axis)
        for axis, dtype in ((0, "fp32"), (1, "fp16"), (1, "i8"))
    ),
    reshaped("add_three_ways", add_three_ways, "fp32", (64,), add_expected, **ODD_CUBE),
    reshaped("sum_middle", sum_middle, "fp32", (3, 5, 7), lambda x: x.double().sum(1), **ODD_CUBE),
    reshaped("sum_middle", sum_middle, "i16", (3, 5, 7), lambda x: x.long().sum(1), **ODD_CUBE),
    reshaped("last_index_of_largest", last_index_of_largest, "fp32", (8, 32), last_of_largest,
             "i32", ROWS=8, COLUMNS=32),
    *(
        reshaped("compare_neighbours", compare_neighbours, dtype, (64,), neighbours_expected,
                 "i1", ROWS=5, COLUMNS=7)
        for dtype in ("fp32", "i8", "i32")
    ),
    reshaped("take_largest", take_largest, "fp32", (64,),
             lambda x: x.sort(descending=True).values[:8], BLOCK=64, COUNT=8),
    *(
        reshaped("double_a_slice", double_a_slice, dtype, (64,), doubled_slice, BLOCK=64)
        for dtype in ("fp32", "i32")
    ),
    reshaped("put_one_element", put_one_element, "fp32", (64,),
             lambda x: torch.where(torch.arange(64) == 3, x[5], x), BLOCK=64),
)  # fmt: skip
