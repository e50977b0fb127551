"""Gathers, scatters, transposes and shifts: addresses that are computed, permuted or irregular."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Value
from tests.machine.corpus.fixed import fixed, normal, out, whole
from tests.machine.corpus.pointwise import pointwise


@triton.jit
def copy_by_quotient(x, out, count, width, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    source = (offsets // width) * width + (offsets % width)
    tl.store(out + offsets, tl.load(x + source, mask=inside), mask=inside)


@triton.jit
def copy_left_halves(x, out, count, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    source = (offsets // WIDTH) * (WIDTH * 2) + (offsets % WIDTH)
    tl.store(out + offsets, tl.load(x + source, mask=inside), mask=inside)


@triton.jit
def copy_all(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets))


@triton.jit
def permute_four(
    x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr
):  # fmt: skip
    offsets = tl.arange(0, A * B * C * D)
    value = tl.reshape(tl.load(x + offsets), (A, B, C, D))
    tl.store(out + offsets, tl.reshape(tl.permute(value, (3, 1, 0, 2)), (A * B * C * D,)))


@triton.jit
def load_permuted(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    tl.store(out + a * B * C + b * C + c, tl.load(x + c * A * B + a * B + b))


@triton.jit
def transpose(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tile = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    turned = (column[:, None] < columns) & (row[None, :] < rows)
    tl.store(out + column[:, None] * rows + row[None, :], tl.trans(tile), mask=turned)


@triton.jit
def copy_chequered(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    chosen = ((row + column) % 2) == 0
    offsets = row * COLUMNS + column
    tl.store(out + offsets, tl.load(x + offsets, mask=chosen, other=0.0), mask=chosen)


@triton.jit
def gather_rows(index, table, out, columns, COLUMNS: tl.constexpr):
    row = tl.load(index + tl.program_id(0))
    column = tl.arange(0, COLUMNS)
    inside = column < columns
    value = tl.load(table + row * columns + column, mask=inside)
    tl.store(out + tl.program_id(0) * columns + column, value, mask=inside)


@triton.jit
def gather_block_of_rows(index, table, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    place = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    row = tl.load(index + place)
    column = tl.arange(0, COLUMNS)
    value = tl.load(table + row[:, None] * COLUMNS + column[None, :])
    tl.store(out + place[:, None] * COLUMNS + column[None, :], value)


@triton.jit
def gather_elements(index, x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + tl.load(index + offsets)))


@triton.jit
def scatter_elements(index, x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + tl.load(index + offsets), tl.load(x + offsets))


@triton.jit
def gather_on_chip(index, x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + offsets, tl.gather(tl.load(x + offsets), tl.load(index + offsets), 1))


@triton.jit
def every_third(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    tl.store(out + offsets, tl.load(x + 3 * offsets + 1, mask=inside, other=0.0), mask=inside)


@triton.jit
def average_neighbours(x, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + offsets - 1, mask=(offsets > 0) & (offsets < count), other=0.0)
    right = tl.load(x + offsets + 1, mask=offsets < count - 1, other=0.0)
    tl.store(out + offsets, 0.5 * (left + right), mask=offsets < count)


@triton.jit
def largest_of_windows(x, out, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    for down in range(3):
        for right in range(3):
            i = row + down - 1
            j = column + right - 1
            inside = (i >= 0) & (i < rows) & (j >= 0) & (j < columns)
            value = tl.load(x + i * columns + j, mask=inside, other=-float("inf"))
            largest = tl.maximum(largest, value)
    tl.store(out + row * columns + column, largest, mask=column < columns)


@triton.jit
def split_pairs(x, even, odd, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    first, second = tl.split(tl.reshape(tl.load(x + tl.arange(0, 2 * BLOCK)), (BLOCK, 2)))
    tl.store(even + offsets, first)
    tl.store(odd + offsets, second)


@triton.jit
def lower_triangle(x, out, SIZE: tl.constexpr):
    row = tl.arange(0, SIZE)[:, None]
    column = tl.arange(0, SIZE)[None, :]
    offsets = row * SIZE + column
    tl.store(out + offsets, tl.where(row >= column, tl.load(x + offsets), 0.0))


@triton.jit
def rotate_halves(x, cosine, sine, out, HALF: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, HALF)
    base = x + row * 2 * HALF
    first = tl.load(base + offsets).to(tl.float32)
    second = tl.load(base + HALF + offsets).to(tl.float32)
    turn = tl.load(cosine + row * HALF + offsets)
    lift = tl.load(sine + row * HALF + offsets)
    target = out + row * 2 * HALF
    tl.store(target + offsets, (first * turn - second * lift).to(out.dtype.element_ty))
    tl.store(target + HALF + offsets, (second * turn + first * lift).to(out.dtype.element_ty))


@triton.jit
def copy_tiles_by_block_pointer(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS
    column = tl.program_id(1) * COLUMNS
    source = tl.make_block_ptr(
        x, (rows, columns), (columns, 1), (row, column), (ROWS, COLUMNS), (1, 0)
    )
    target = tl.make_block_ptr(
        out, (rows, columns), (columns, 1), (row, column), (ROWS, COLUMNS), (1, 0)
    )
    value = tl.load(source, boundary_check=(0, 1), padding_option="zero")
    tl.store(target, value + 1.0, boundary_check=(0, 1))


PAIR = {"x": "*fp32", "out": "*fp32"}


def make_permute() -> CorpusKernel:
    shape = (4, 4, 8, 8)
    return fixed(
        "permute_four", permute_four, PAIR, {"x": normal(shape), "out": out(1024)},
        lambda x, out: {"out": x.permute(3, 1, 0, 2)}, A=4, B=4, C=8, D=8,
    )  # fmt: skip


def make_load_permuted(dtype: str, shape: tuple[int, int, int]) -> CorpusKernel:
    a, b, c = shape
    return fixed(
        f"load_permuted_{dtype}", load_permuted, {"x": f"*{dtype}", "out": f"*{dtype}"},
        {"x": normal((c, a, b), dtype), "out": out(a * b * c, dtype)},
        lambda x, out: {"out": x.permute(1, 2, 0)}, A=a, B=b, C=c,
    )  # fmt: skip


def make_transpose(dtype: str, shape: tuple[int, int], tile: tuple[int, int]) -> CorpusKernel:
    types = {"x": f"*{dtype}", "out": f"*{dtype}", "rows": "i32", "columns": "i32"}
    values = {"x": normal(shape, dtype), "out": out(shape, dtype)}
    values |= {"rows": shape[0], "columns": shape[1]}
    grid = (-(-shape[0] // tile[0]), -(-shape[1] // tile[1]))
    return fixed(
        f"transpose_{dtype}_{tile[0]}x{tile[1]}", transpose, types, values,
        lambda x, **rest: {"out": x.T}, grid=grid, ROWS=tile[0], COLUMNS=tile[1],
    )  # fmt: skip


def chequered_oracle(x: torch.Tensor, out: torch.Tensor) -> dict[str, torch.Tensor]:
    row, column = torch.arange(8)[:, None], torch.arange(32)[None, :]
    return {"out": torch.where((row + column) % 2 == 0, x, out[:256].reshape(8, 32))}


def windows_oracle(x: torch.Tensor, **rest: Value) -> dict[str, torch.Tensor]:
    pool = torch.nn.functional.max_pool2d(x.double()[None], 3, stride=1, padding=1)
    return {"out": pool[0]}


def neighbours_oracle(x: torch.Tensor) -> torch.Tensor:
    padded = torch.nn.functional.pad(x, (1, 1))
    return 0.5 * (padded[:-2] + padded[2:])


def rotate_oracle(
    x: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor, **rest: Value
) -> dict[str, torch.Tensor]:
    first, second = x.double().chunk(2, 1)
    halves = (first * cosine - second * sine, second * cosine + first * sine)
    return {"out": torch.cat(halves, 1)}


def make_rotate(dtype: str) -> CorpusKernel:
    types = {"x": f"*{dtype}", "cosine": "*fp32", "sine": "*fp32", "out": f"*{dtype}"}
    values = {"x": normal((3, 128), dtype), "cosine": normal((3, 64)), "sine": normal((3, 64))}
    return fixed(
        f"rotate_halves_{dtype}", rotate_halves, types, values | {"out": out((3, 128), dtype)},
        rotate_oracle, grid=(3,), HALF=64,
    )  # fmt: skip


def make_block_pointer(shape: tuple[int, int], tile: tuple[int, int]) -> CorpusKernel:
    types = {**PAIR, "rows": "i32", "columns": "i32"}
    values = {"x": normal(shape), "out": out(shape), "rows": shape[0], "columns": shape[1]}
    grid = (-(-shape[0] // tile[0]), -(-shape[1] // tile[1]))
    return fixed(
        "copy_tiles_by_block_pointer", copy_tiles_by_block_pointer, types, values,
        lambda x, **rest: {"out": x.double() + 1}, grid=grid, ROWS=tile[0], COLUMNS=tile[1],
    )  # fmt: skip


def left_halves(width: int) -> CorpusKernel:
    def oracle(x: torch.Tensor, **rest: Value) -> dict[str, torch.Tensor]:
        return {"out": x.reshape(-1, 2 * width)[:, :width].flatten()[:500]}

    rows = 2 * -(-512 // width)
    values: dict[str, Any] = {"x": normal((rows, 2 * width)), "out": out(500), "count": 500}
    return fixed(
        f"copy_left_halves_{width}", copy_left_halves, {**PAIR, "count": "i32"}, values, oracle,
        grid=(2,), WIDTH=width, BLOCK=256,
    )  # fmt: skip


INDEXED = {"index": "*i32", "x": "*fp32", "out": "*fp32"}

KERNELS: tuple[CorpusKernel, ...] = (
    pointwise(
        "copy_by_quotient", copy_by_quotient, "fp32", "fp32", lambda x, width: x, block=256,
        numbers={"width": ("i32", 24)},
    ),
    left_halves(8),
    left_halves(7),
    fixed(
        "copy_100", copy_all, PAIR, {"x": normal(100), "out": out(100)},
        lambda x, out: {"out": x}, BLOCK=100,
    ),
    fixed(
        "copy_i8_7", copy_all, {"x": "*i8", "out": "*i8"},
        {"x": whole(7, -128, 128, "i8"), "out": out(7, "i8")}, lambda x, out: {"out": x}, BLOCK=7,
    ),
    make_permute(),
    make_load_permuted("fp32", (8, 8, 16)),
    make_load_permuted("fp16", (4, 6, 32)),
    make_transpose("fp32", (70, 50), (32, 32)),
    make_transpose("fp16", (70, 50), (32, 64)),
    make_transpose("fp32", (20, 33), (16, 8)),
    fixed(
        "copy_chequered", copy_chequered, PAIR, {"x": normal((8, 32)), "out": out((8, 32))},
        chequered_oracle, ROWS=8, COLUMNS=32,
    ),
    fixed(
        "gather_rows", gather_rows,
        {"index": "*i64", "table": "*fp16", "out": "*fp16", "columns": "i32"},
        {
            "index": whole(6, 0, 30, "i64"), "table": normal((30, 90), "fp16"),
            "out": out((6, 90), "fp16"), "columns": 90,
        },
        lambda index, table, **rest: {"out": table[index]}, grid=(6,), COLUMNS=128,
    ),
    fixed(
        "gather_block_of_rows", gather_block_of_rows,
        {"index": "*i32", "table": "*fp32", "out": "*fp32"},
        {"index": whole(16, 0, 30), "table": normal((30, 64)), "out": out((16, 64))},
        lambda index, table, out: {"out": table[index.long()]}, grid=(2,), ROWS=8, COLUMNS=64,
    ),
    fixed(
        "gather_elements", gather_elements, INDEXED,
        {"index": whole(256, 0, 500), "x": normal(500), "out": out(256)},
        lambda index, x, out: {"out": x[index.long()]}, grid=(2,), BLOCK=128,
    ),
    fixed(
        "scatter_elements", scatter_elements, INDEXED,
        {"index": lambda draw: draw.permutation(256), "x": normal(256), "out": out(256)},
        lambda index, x, out: {"out": torch.empty_like(x).scatter(0, index.long(), x)},
        grid=(2,), BLOCK=128,
    ),
    fixed(
        "gather_on_chip", gather_on_chip, INDEXED,
        {"index": whole((8, 32), 0, 32), "x": normal((8, 32)), "out": out((8, 32))},
        lambda index, x, out: {"out": x.gather(1, index.long())}, ROWS=8, COLUMNS=32,
    ),
    fixed(
        "every_third", every_third, {**PAIR, "count": "i32"},
        {"x": normal(3 * 700), "out": out(700), "count": 700},
        lambda x, **rest: {"out": x[1::3]}, grid=(3,), BLOCK=256,
    ),
    pointwise("average_neighbours", average_neighbours, "fp32", "fp32", neighbours_oracle),
    fixed(
        "largest_of_windows", largest_of_windows, {**PAIR, "rows": "i32", "columns": "i32"},
        {"x": normal((5, 50)), "out": out((5, 50)), "rows": 5, "columns": 50},
        windows_oracle, grid=(5,), BLOCK=64,
    ),
    fixed(
        "split_pairs", split_pairs, {"x": "*fp32", "even": "*fp32", "odd": "*fp32"},
        {"x": normal(256), "even": out(128), "odd": out(128)},
        lambda x, **rest: {"even": x[::2], "odd": x[1::2]}, BLOCK=128,
    ),
    fixed(
        "lower_triangle", lower_triangle, PAIR, {"x": normal((32, 32)), "out": out((32, 32))},
        lambda x, out: {"out": x.tril()}, SIZE=32,
    ),
    make_rotate("fp16"),
    make_rotate("fp32"),
    make_block_pointer((37, 70), (16, 32)),
)  # fmt: skip
