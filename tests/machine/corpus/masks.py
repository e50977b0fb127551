"""Masks in every place, loops and branches of odd shapes, and arithmetic on single numbers."""

from __future__ import annotations

import math

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import DTYPES, FILL, CorpusKernel, Draw, Expected, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, uniform, whole
from tests.machine.corpus.pointwise import draw_any

SIZE = 64


@triton.jit
def copy_between(x, out, first, last, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    inside = (offsets >= first) & (offsets < last)
    tl.store(out + offsets, tl.load(x + offsets, mask=inside, other=3), mask=offsets < last)


@triton.jit
def copy_by_value(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets, mask=((offsets * 7) % 5) < 2, other=9)
    tl.store(out + offsets, value + value, mask=value > 0)


@triton.jit
def copy_if_asked(x, out, number, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets, mask=number > 3, other=1)
    tl.store(out + offsets, value + 1, mask=number > 2)


@triton.jit
def copy_window(x, out, top, bottom, left, right, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    inside = (row >= top) & (row < bottom) & (column >= left) & (column < right)
    value = tl.load(x + row * COLUMNS + column, mask=inside, other=-1)
    tl.store(out + row * COLUMNS + column, value, mask=(row < bottom) & (column < right))


@triton.jit
def nest_branches(x, out, first, second, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    if first > 0:
        if second > 0:  # noqa: SIM108
            value = value + 1
        else:
            value = value + 2
    elif second < -5:
        value = value * 5
    else:
        value = value * 4
    tl.store(out + offsets, value)


@triton.jit
def nest_loops(x, out, count, limit, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for outer in range(count, 0, -1):
        for inner in range(outer, limit, 2):
            if (outer + inner) % 3 != 1:
                total += tl.load(x + offsets + outer * BLOCK) * inner
    tl.store(out + offsets, total)


@triton.jit
def swap_while_walking(x, out, count, BLOCK: tl.constexpr):
    older = tl.zeros((BLOCK,), tl.float32)
    newer = tl.full((BLOCK,), 1.0, tl.float32)
    pointers = x + tl.arange(0, BLOCK)
    total = 0
    for turn in range(count):
        older, newer = newer, older + tl.load(pointers)
        pointers += BLOCK
        total += turn
    tl.store(out + tl.arange(0, BLOCK), older + newer * total)


@triton.jit
def leave_twice(x, out, count, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    if program >= count:
        return
    offsets = program * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    if program == 1:
        tl.store(out + offsets, -value)
        return
    tl.store(out + offsets, value * 2)


@triton.jit
def compute_integers(x, out, number):
    first = tl.load(x)
    second = tl.load(x + 1)
    tl.store(out, first * second)
    tl.store(out + 1, (first & second) ^ (first | 5))
    tl.store(out + 2, first << 2)
    tl.store(out + 3, first >> 1)
    tl.store(out + 4, ~first)
    tl.store(out + 5, tl.abs(first))
    tl.store(out + 6, tl.minimum(first, second) - number)
    tl.store(out + 7, tl.cdiv(first, 4))
    tl.store(out + 8, first // second)
    tl.store(out + 9, first % second)
    tl.store(out + 10, tl.where(first > second, 1, 0))


@triton.jit
def compute_floats(x, out, number, factor):
    first = tl.load(x)
    second = tl.load(x + 1)
    tl.store(out, tl.exp(first))
    tl.store(out + 1, tl.floor(first) + tl.ceil(second))
    tl.store(out + 2, tl.fma(first, second, first))
    tl.store(out + 3, tl.rsqrt(tl.abs(first) + 0.1))
    tl.store(out + 4, (number // 3).to(tl.float32) + (number % 3))
    tl.store(out + 5, (first * 100).to(tl.int32).to(tl.float32))
    tl.store(out + 6, tl.where(first > second, first, second * factor))
    tl.store(out + 7, first / second)


@triton.jit
def take_arguments(x, out, first, second, third, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) * first + second - third)


@triton.jit
def assume_multiple(x, out, count, BLOCK: tl.constexpr):
    count = tl.multiple_of(count, 16)
    tl.assume(count > 0)
    offsets = tl.max_contiguous(tl.arange(0, BLOCK), BLOCK)
    tl.store(out + offsets, tl.load(x + offsets, mask=offsets < count), mask=offsets < count)


@triton.jit
def take_locks(x, out):
    value = tl.load(x + tl.program_id(0))
    tl.atomic_add(out, value)
    tl.atomic_max(out + 1, value)
    tl.atomic_min(out + 2, value)


def masked(name: str, dtype: str, function: object, numbers: dict, oracle: object) -> CorpusKernel:
    """x and out of SIZE elements, then whole numbers."""
    types = {"x": f"*{dtype}", "out": f"*{dtype}"} | dict.fromkeys(numbers, "i32")
    values = {"x": lambda draw: draw_any(draw, SIZE, dtype), "out": out(SIZE, dtype), **numbers}
    return fixed(f"{name}_{dtype}", function, types, values, oracle, BLOCK=SIZE)


def like(x: torch.Tensor, value: float) -> torch.Tensor:
    return torch.tensor(value).to(x.dtype)


def expect_between(x: torch.Tensor, out: torch.Tensor, first: int, last: int) -> Expected:
    position = torch.arange(SIZE)
    value = torch.where(position >= first, x, like(x, 3))
    return {"out": torch.where(position < last, value, like(x, FILL))}


def expect_by_value(x: torch.Tensor, out: torch.Tensor) -> Expected:
    value = torch.where(torch.arange(SIZE) * 7 % 5 < 2, x, like(x, 9))
    return {"out": torch.where(value > 0, value * 2, like(x, FILL))}


def expect_if_asked(x: torch.Tensor, out: torch.Tensor, number: int) -> Expected:
    return {"out": x + 1 if number > 3 else torch.full((SIZE,), 2.0 if number > 2 else FILL)}


def expect_window(x: torch.Tensor, out: torch.Tensor, **edges: int) -> Expected:
    top, bottom, left, right = (edges[edge] for edge in ("top", "bottom", "left", "right"))
    row, column = torch.arange(16)[:, None], torch.arange(32)[None]
    value = torch.where((row >= top) & (column >= left), x, like(x, -1))
    return {"out": torch.where((row < bottom) & (column < right), value, like(x, FILL))}


def expect_branches(x: torch.Tensor, out: torch.Tensor, first: int, second: int) -> Expected:
    if first > 0:
        return {"out": x + (1 if second > 0 else 2)}
    return {"out": x * (5 if second < -5 else 4)}


def expect_loops(x: torch.Tensor, out: torch.Tensor, count: int, limit: int) -> Expected:
    total = torch.zeros(SIZE, dtype=torch.float64)
    for outer in range(1, count + 1):
        for inner in range(outer, limit, 2):
            if (outer + inner) % 3 != 1:
                total += x[outer * SIZE : (outer + 1) * SIZE].double() * inner
    return {"out": total}


def expect_walk(x: torch.Tensor, out: torch.Tensor, count: int) -> Expected:
    older, newer = torch.zeros(SIZE, dtype=torch.float64), torch.ones(SIZE, dtype=torch.float64)
    for turn in range(count):
        older, newer = newer, older + x[turn * SIZE : (turn + 1) * SIZE].double()
    return {"out": older + newer * sum(range(count))}


def expect_leaving(x: torch.Tensor, out: torch.Tensor, count: int) -> Expected:
    expected = torch.full_like(x, FILL).reshape(4, SIZE)
    blocks = x.reshape(4, SIZE)
    for program in range(min(count, 4)):
        expected[program] = -blocks[1] if program == 1 else blocks[program] * 2
    return {"out": expected}


def divide(first: int, second: int) -> int:
    return int(math.copysign(abs(first) // abs(second), first * second))


def integers(first: int, second: int, dtype: str) -> CorpusKernel:
    def expect(x: torch.Tensor, out: torch.Tensor, number: int) -> Expected:
        quotient = divide(first, second)
        values = [
            first * second, (first & second) ^ (first | 5), first << 2, first >> 1, ~first,
            abs(first), min(first, second) - number, divide(first + 3, 4), quotient,
            first - second * quotient, int(first > second),
        ]  # fmt: skip
        return {"out": torch.tensor(values).to(DTYPES[dtype])}

    return fixed(
        f"compute_integers_{dtype}_{first}", compute_integers,
        {"x": f"*{dtype}", "out": f"*{dtype}", "number": "i32"},
        {"x": lambda draw: torch.tensor([first, second]).to(DTYPES[dtype]),
         "out": out(11, dtype), "number": 3}, expect,
    )  # fmt: skip


def expect_floats(x: torch.Tensor, out: torch.Tensor, number: int, factor: float) -> Expected:
    first, second = x.tolist()
    values = [
        math.exp(first), math.floor(first) + math.ceil(second), first * second + first,
        1 / math.sqrt(abs(first) + 0.1), divide(number, 3) + math.fmod(number, 3),
        int(first * 100), first if first > second else second * factor, first / second,
    ]  # fmt: skip
    return {"out": torch.tensor(values)}


def window(dtype: str, top: int, bottom: int, left: int, right: int) -> CorpusKernel:
    edges = {"top": top, "bottom": bottom, "left": left, "right": right}

    def draw(source: Draw) -> torch.Tensor:
        return draw_any(source, 512, dtype).reshape(16, 32)

    return fixed(
        f"copy_window_{dtype}_{top}_{left}", copy_window,
        {"x": f"*{dtype}", "out": f"*{dtype}"} | dict.fromkeys(edges, "i32"),
        {"x": draw, "out": out(512, dtype), **edges}, expect_window, ROWS=16, COLUMNS=32,
    )  # fmt: skip


PAIR = {"x": "*fp32", "out": "*fp32"}
LIMITS = Tolerance(1e-5, 1e-5)

KERNELS: tuple[CorpusKernel, ...] = (
    *(
        masked(f"copy_between_{first}_{last}", dtype, copy_between,
               {"first": first, "last": last}, expect_between)
        for dtype, first, last in (
            ("fp32", 5, 9), ("i8", 33, 34), ("i64", 1, 64), ("fp16", 10, 10), ("bf16", 0, 7),
        )
    ),
    *(masked("copy_by_value", dtype, copy_by_value, {}, expect_by_value)
      for dtype in ("fp32", "i32", "i64")),
    *(masked(f"copy_if_asked_{number}", "fp32", copy_if_asked, {"number": number},
             expect_if_asked) for number in (2, 3, 4)),
    window("fp32", 2, 7, 3, 19), window("i8", 5, 16, 8, 24), window("fp16", 0, 1, 31, 32),
    window("i64", 3, 3, 0, 5),
    *(masked(f"nest_branches_{first}_{second}", "fp32", nest_branches,
             {"first": first, "second": second}, expect_branches)
      for first, second in ((1, 1), (1, -1), (-1, -9), (-1, 1))),
    *(
        fixed(f"nest_loops_{count}", nest_loops, {**PAIR, "count": "i32", "limit": "i32"},
              {"x": normal(5 * SIZE), "out": out(SIZE), "count": count, "limit": 7},
              expect_loops, tolerance=LIMITS, BLOCK=SIZE)
        for count in (0, 4)
    ),
    *(
        fixed(f"swap_while_walking_{count}", swap_while_walking, {**PAIR, "count": "i32"},
              {"x": normal(6 * SIZE), "out": out(SIZE), "count": count}, expect_walk,
              tolerance=LIMITS, BLOCK=SIZE)
        for count in (0, 1, 5)
    ),
    *(
        fixed(f"leave_twice_{count}", leave_twice, {**PAIR, "count": "i32"},
              {"x": normal(4 * SIZE), "out": out(4 * SIZE), "count": count}, expect_leaving,
              grid=(4,), BLOCK=SIZE)
        for count in (0, 1, 3)
    ),
    integers(37, 5, "i8"), integers(-37, 5, "i16"), integers(-37, -5, "i32"),
    integers(1 << 40, 1000, "i64"),
    fixed("compute_floats", compute_floats, {**PAIR, "number": "i32", "factor": "fp32"},
          {"x": uniform(2, 0.5, 2), "out": out(8), "number": -7, "factor": 2.5}, expect_floats,
          tolerance=LIMITS),
    *(
        fixed(f"take_arguments_{'_'.join(types)}", take_arguments,
              {**PAIR, **dict(zip(("first", "second", "third"), types, strict=True))},
              {"x": normal(SIZE), "out": out(SIZE), "first": 2, "second": 3, "third": 5},
              lambda x, out, first, second, third: {"out": x * first + second - third},
              BLOCK=SIZE)
        for types in (("fp16", "fp32", "i32"), ("i8", "i16", "i64"), ("bf16", "fp32", "u32"))
    ),
    fixed("assume_multiple", assume_multiple, {**PAIR, "count": "i32"},
          {"x": normal(SIZE), "out": out(48), "count": 48},
          lambda x, out, count: {"out": x[:48]}, BLOCK=SIZE),
    fixed("count_words_of_locks", take_locks, {"x": "*i64", "out": "*i64"},
          {"x": whole(8, -9, 9, "i64"), "out": whole(3, -9, 9, "i64")},
          lambda x, out: {"out": torch.stack([out[0] + x.sum(), torch.maximum(out[1], x.max()),
                                              torch.minimum(out[2], x.min())])}, grid=(8,)),
)  # fmt: skip
