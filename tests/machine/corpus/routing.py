"""Kernels that choose and place: routing, caches, ranks, compaction, segments, block pointers."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Expected, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, whole


@triton.jit
def choose_two_experts(x, index, weight, EXPERTS: tl.constexpr):
    row = tl.program_id(0)
    expert = tl.arange(0, EXPERTS)
    value = tl.load(x + row * EXPERTS + expert)
    share = tl.exp(value - tl.max(value, 0))
    share = share / tl.sum(share, 0)
    first = tl.argmax(share, 0)
    rest = tl.where(expert == first, -1.0, share)
    second = tl.argmax(rest, 0)
    total = tl.max(share, 0) + tl.max(rest, 0)
    tl.store(index + row * 2, first)
    tl.store(index + row * 2 + 1, second)
    tl.store(weight + row * 2, tl.max(share, 0) / total)
    tl.store(weight + row * 2 + 1, tl.max(rest, 0) / total)


@triton.jit
def fill_cache(x, cache, slot, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.load(slot + row)
    if place >= 0:
        offsets = tl.arange(0, BLOCK)
        inside = offsets < columns
        value = tl.load(x + row * columns + offsets, mask=inside)
        tl.store(cache + place * columns + offsets, value, mask=inside)


@triton.jit
def sum_segments(x, starts, out, BLOCK: tl.constexpr):
    segment = tl.program_id(0)
    last = tl.load(starts + segment + 1)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(tl.load(starts + segment), last, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        total += tl.load(x + offsets, mask=offsets < last, other=0.0)
    tl.store(out + segment, tl.sum(total, 0))


@triton.jit
def order_by_rank(x, out, count, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    value = tl.load(x + place, mask=place < count, other=float("inf"))
    is_less = value[None, :] < value[:, None]
    is_tie = (value[None, :] == value[:, None]) & (place[None, :] < place[:, None])
    rank = tl.sum((is_less | is_tie).to(tl.int32), 1)
    tl.store(out + rank, place, mask=place < count)


@triton.jit
def keep_positive(x, out, kept, count, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    value = tl.load(x + place, mask=place < count, other=-1.0)
    is_kept = value > 0
    target = tl.cumsum(is_kept.to(tl.int32), 0) - 1
    tl.store(out + target, value, mask=is_kept)
    tl.store(kept, tl.sum(is_kept.to(tl.int32), 0))


@triton.jit
def count_in_parts(x, out, count, BLOCK: tl.constexpr, VALUES: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + place, mask=place < count, other=-1)
    hits = (value[:, None] == tl.arange(0, VALUES)[None, :]).to(tl.int32)
    tl.atomic_add(out + tl.arange(0, VALUES), tl.sum(hits, 0))


@triton.jit
def scan_in_parts(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=0.0)
        tl.store(out + row * columns + offsets, tl.cumsum(value, 0) + carry, mask=offsets < columns)
        carry += tl.sum(value, 0)


@triton.jit
def largest_in_parts(x, out, index, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    place = 0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        value = tl.load(x + row * columns + offsets, mask=inside, other=-float("inf"))
        largest = tl.max(value, 0)
        if largest > best:
            best = largest
            place = start + tl.argmax(value, 0)
    tl.store(out + row, best)
    tl.store(index + row, place)


@triton.jit
def rotate_pairs(x, cosine, sine, out, SIZE: tl.constexpr):
    row = tl.program_id(0)
    offsets = row * SIZE + tl.arange(0, SIZE)
    half = row * (SIZE // 2) + tl.arange(0, SIZE // 2)
    even, odd = tl.split(tl.reshape(tl.load(x + offsets), (SIZE // 2, 2)))
    real = tl.load(cosine + half)
    imaginary = tl.load(sine + half)
    first = even * real - odd * imaginary
    tl.store(out + offsets, tl.interleave(first, odd * real + even * imaginary))


@triton.jit
def mark_targets(target, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    hit = offsets == tl.load(target + row)
    tl.store(out + row * columns + offsets, hit.to(out.dtype.element_ty), mask=offsets < columns)


@triton.jit
def measure_distances(x, y, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, SIZE: tl.constexpr):
    row = tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[:, None]
    axis = tl.arange(0, SIZE)[None, :]
    left = tl.load(x + row * SIZE + axis)
    right = tl.load(y + column * SIZE + axis)
    apart = left[:, None, :] - right[None, :, :]
    places = row * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + places, tl.sqrt(tl.sum(apart * apart, 2)))


@triton.jit
def double_blocks(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    top = tl.program_id(0) * ROWS
    left = tl.program_id(1) * COLUMNS
    source = tl.make_block_ptr(
        x, (rows, columns), (columns, 1), (top, left), (ROWS, COLUMNS), (1, 0)
    )
    target = tl.make_block_ptr(
        out, (rows, columns), (columns, 1), (top, left), (ROWS, COLUMNS), (1, 0)
    )
    value = tl.load(source, boundary_check=(0, 1), padding_option="zero")
    tl.store(target, value * 2, boundary_check=(0, 1))


@triton.jit
def sum_walking_blocks(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    block = tl.make_block_ptr(x, (rows, columns), (columns, 1), (0, 0), (ROWS, COLUMNS), (1, 0))
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for _ in range(0, columns, COLUMNS):
        total += tl.load(block, boundary_check=(0, 1), padding_option="zero")
        block = tl.advance(block, (0, COLUMNS))
    tl.store(out + tl.arange(0, ROWS), tl.sum(total, 1))


@triton.jit
def turn_block(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_block_ptr(x, (columns, rows), (1, columns), (0, 0), (COLUMNS, ROWS), (0, 1))
    target = tl.make_block_ptr(out, (columns, rows), (rows, 1), (0, 0), (COLUMNS, ROWS), (1, 0))
    tl.store(target, tl.load(source, boundary_check=(0, 1)), boundary_check=(0, 1))


def expect_experts(x: torch.Tensor, **rest: object) -> Expected:
    share, index = x.double().softmax(1).topk(2, 1)
    return {"index": index, "weight": share / share.sum(1, keepdim=True)}


def expect_cache(
    x: torch.Tensor, cache: torch.Tensor, slot: torch.Tensor, **rest: object
) -> Expected:
    cache = cache.clone()
    for row, place in enumerate(slot.tolist()):
        if place >= 0:
            cache[place] = x[row]
    return {"cache": cache}


def expect_segments(x: torch.Tensor, starts: torch.Tensor, out: torch.Tensor) -> Expected:
    parts = x.double().tensor_split(starts[1:-1].long())
    return {"out": torch.stack([part.sum() for part in parts])}


def expect_rotated(
    x: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor, out: torch.Tensor
) -> Expected:
    even, odd = x[:, ::2].double(), x[:, 1::2].double()
    pairs = [even * cosine - odd * sine, odd * cosine + even * sine]
    return {"out": torch.stack(pairs, -1).flatten(1)}


def blocks(name: str, function: Any, dtype: str, rows: int, columns: int, oracle: Any,
           grid: tuple[int, ...] = (1,), shape: tuple[int, int] = (16, 32)) -> CorpusKernel:  # fmt: skip
    def draw(source: Draw) -> torch.Tensor:
        return source.normal((rows, columns), dtype, 1 if dtype[0] in "fb" else 20)

    return fixed(
        f"{name}_{dtype}_{rows}x{columns}", function,
        {"x": f"*{dtype}", "out": f"*{dtype}", "rows": "i32", "columns": "i32"},
        {"x": draw, "out": out(max(16, rows * columns), dtype), "rows": rows, "columns": columns},
        lambda x, **rest: {"out": oracle(x).contiguous()}, grid=grid, tolerance=LIMITS,
        ROWS=shape[0], COLUMNS=shape[1],
    )  # fmt: skip


def sum_in_rows(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x.double().sum(1), torch.zeros(16 - len(x))])


LIMITS = Tolerance(1e-5, 1e-5)
F32 = "*fp32"

KERNELS: tuple[CorpusKernel, ...] = (
    fixed("choose_two_experts", choose_two_experts, {"x": F32, "index": "*i32", "weight": F32},
          {"x": normal((6, 16)), "index": out((6, 2), "i32"), "weight": out((6, 2))},
          expect_experts, grid=(6,), EXPERTS=16),
    *(
        fixed(f"fill_cache_{dtype}", fill_cache,
              {"x": f"*{dtype}", "cache": f"*{dtype}", "slot": "*i64", "columns": "i32"},
              {"x": normal((4, 40), dtype, 9), "cache": normal((10, 40), dtype, 9),
               "slot": lambda draw: torch.tensor([3, -1, 0, 9]), "columns": 40}, expect_cache,
              grid=(4,), BLOCK=64)
        for dtype in ("fp16", "i8")
    ),
    fixed("sum_segments", sum_segments, {"x": F32, "starts": "*i32", "out": F32},
          {"x": normal(100), "starts": lambda draw: torch.tensor([0, 5, 5, 60, 100]).int(),
           "out": out(4)}, expect_segments, grid=(4,), tolerance=Tolerance(1e-4, 1e-5), BLOCK=16),
    fixed("order_by_rank", order_by_rank, {"x": F32, "out": "*i32", "count": "i32"},
          {"x": normal(50), "out": out(50, "i32"), "count": 50},
          lambda x, **rest: {"out": x.argsort(stable=True)}, BLOCK=64),
    fixed("keep_positive", keep_positive, {"x": F32, "out": F32, "kept": "*i32", "count": "i32"},
          {"x": normal(50), "out": out(50), "kept": out(1, "i32"), "count": 50},
          lambda x, **rest: {"out": x[x > 0], "kept": (x > 0).sum().reshape(1)}, BLOCK=64),
    fixed("count_in_parts", count_in_parts, {"x": "*i32", "out": "*i32", "count": "i32"},
          {"x": whole(100, 0, 16), "out": whole(16, 0, 9), "count": 100},
          lambda x, out, count: {"out": out + torch.bincount(x, minlength=16)}, grid=(4,),
          BLOCK=32, VALUES=16),
    fixed("scan_in_parts", scan_in_parts, {"x": F32, "out": F32, "columns": "i32"},
          {"x": normal((2, 100)), "out": out((2, 100)), "columns": 100},
          lambda x, **rest: {"out": x.double().cumsum(1)}, grid=(2,),
          tolerance=Tolerance(1e-4, 1e-5), BLOCK=32),
    fixed("largest_in_parts", largest_in_parts,
          {"x": F32, "out": F32, "index": "*i32", "columns": "i32"},
          {"x": normal((3, 100)), "out": out(3), "index": out(3, "i32"), "columns": 100},
          lambda x, **rest: {"out": x.amax(1), "index": x.argmax(1)}, grid=(3,), BLOCK=32),
    fixed("rotate_pairs", rotate_pairs, dict.fromkeys(("x", "cosine", "sine", "out"), F32),
          {"x": normal((6, 64)), "cosine": normal((6, 32)), "sine": normal((6, 32)),
           "out": out((6, 64))}, expect_rotated, grid=(6,), tolerance=LIMITS, SIZE=64),
    *(
        fixed(f"mark_targets_{dtype}", mark_targets,
              {"target": "*i32", "out": f"*{dtype}", "columns": "i32"},
              {"target": whole(5, 0, 20), "out": out((5, 20), dtype), "columns": 20},
              lambda target, **rest: {"out": torch.nn.functional.one_hot(target.long(), 20)},
              grid=(5,), BLOCK=32)
        for dtype in ("i8", "i64", "i1")
    ),
    fixed("measure_distances", measure_distances, {"x": F32, "y": F32, "out": F32},
          {"x": normal((8, 16)), "y": normal((4, 16)), "out": out((8, 4))},
          lambda x, y, out: {"out": torch.cdist(x.double(), y.double())}, tolerance=LIMITS,
          ROWS=8, COLUMNS=4, SIZE=16),
    blocks("double_blocks", double_blocks, "fp32", 17, 33, lambda x: x * 2, (2, 2)),
    blocks("double_blocks", double_blocks, "i8", 5, 7, lambda x: x * 2),
    blocks("double_blocks", double_blocks, "i32", 40, 70, lambda x: x * 2, (3, 3)),
    blocks("sum_walking_blocks", sum_walking_blocks, "fp32", 10, 50, sum_in_rows, shape=(16, 16)),
    blocks("turn_block", turn_block, "fp32", 9, 20, torch.t),
)  # fmt: skip
