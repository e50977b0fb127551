"""Kernels that the tool chain compiles without a word and compiles wrongly.

Oracles say what the source means, so each run must disagree with its oracle or fault. That the
machine executes what was emitted is shown beside: `as_emitted` gives the wrong results foretold.
"""

from __future__ import annotations

from dataclasses import replace

import torch
import triton
import triton.language as tl

from tests.machine.corpus import atomics, layouts, matmul, random_numbers, repaired
from tests.machine.corpus.entry import Expected, Miscompilation, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out, whole
from tests.machine.corpus.miscompiled_types import TYPE_MISCOMPILATIONS, wrap_to_i8
from tests.machine.corpus.reductions import by_row


@triton.jit
def high_product(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.umulhi(tl.load(x + offsets), tl.load(y + offsets)))


@triton.jit
def divide_integers(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    left = tl.load(x + offsets, mask=inside, other=1)
    right = tl.load(y + offsets, mask=inside, other=1)
    tl.store(out + offsets, left // right, mask=inside)


@triton.jit
def add_product(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    depth = tl.program_id(0) * K + tl.arange(0, K)
    left = tl.load(a + row * (K * tl.num_programs(0)) + depth[None, :])
    right = tl.load(b + depth[:, None] * N + column)
    tl.atomic_add(c + row * N + column, tl.dot(left, right))


@triton.jit
def add_doubled_product(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)[:, None]
    column = tl.arange(0, N)[None, :]
    left = tl.load(a + row * K + tl.arange(0, K)[None, :])
    right = tl.load(b + tl.arange(0, K)[:, None] * N + column)
    tl.atomic_add(c + row * N + column, tl.dot(left, right) * 2.0)


@triton.jit
def exchange_one(x, out):
    tl.store(out, tl.atomic_xchg(x, tl.load(x + 1)))


@triton.jit
def carry_state(query, key, value, out, length, T: tl.constexpr, D: tl.constexpr):
    """out[i] = sum over j <= i of (query[i] . key[j]) value[j], in chunks of T."""
    place, depth = tl.arange(0, T), tl.arange(0, D)
    state = tl.zeros((D, D), tl.float32)
    for start in range(0, length, T):
        at = (start + place)[:, None] * D + depth[None, :]
        queries, keys, values = tl.load(query + at), tl.load(key + at), tl.load(value + at)
        before = tl.dot(queries, state.to(tl.float16))
        score = tl.where(place[:, None] >= place[None, :], tl.dot(queries, tl.trans(keys)), 0.0)
        tl.store(out + at, before + tl.dot(score.to(tl.float16), values))
        state += tl.dot(tl.trans(keys), values)


@triton.jit
def multiply_and_sum(x, out, sums, count, N: tl.constexpr, D: tl.constexpr):
    """x^T x and the sums of columns, both from the tiles of one loop."""
    place, depth = tl.arange(0, N), tl.arange(0, D)
    total = tl.zeros((D,), tl.float32)
    products = tl.zeros((D, D), tl.float32)
    for start in range(0, count, N):
        row = (start + place)[:, None]
        tile = tl.load(x + row * D + depth[None, :], mask=row < count, other=0.0)
        products = tl.dot(tl.trans(tile), tile, products)
        total += tl.sum(tile.to(tl.float32), 0)
    tl.store(out + depth[:, None] * D + depth[None, :], products * 2.0)
    tl.store(sums + depth, total)


@triton.jit
def and_with_old(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mine = tl.program_id(0) * BLOCK + offsets
    tl.store(out + mine, tl.atomic_and(x + offsets, tl.load(y + mine)))


@triton.jit
def sum_in_narrow_type(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=0)
    tl.store(out + row, tl.sum(value, 0))


def to_unsigned(values: torch.Tensor) -> torch.Tensor:
    return values % (1 << 32)


def high_oracle(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    return {"out": to_unsigned(repaired.unsigned_high(x.long(), y.long(), out)["out"])}


def high_as_emitted(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    signed = x.view(torch.int32).long() * y.view(torch.int32).long() >> 32
    return {"out": to_unsigned(signed)}


def divide_as_emitted(x: torch.Tensor, y: torch.Tensor, **rest: object) -> Expected:
    """A division of float32 numbers, truncated."""
    return {"out": (x.float() / y.float()).trunc().long()}


def exchange_oracle(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    return {"x": torch.where(x == y, 1, x), "out": x}


def exchange_as_emitted(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    """The value returned is read after the exchange."""
    return {"x": torch.where(x == y, 1, x), "out": torch.where(x == y, 1, x)}


def expect_state(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **rest: object):
    score = (query.double() @ key.double().T).tril()
    return {"out": score @ value.double()}


def expect_ands(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> Expected:
    first, second = y.reshape(2, 64)
    return {"x": x & first & second, "out": torch.cat([x, x & first])}


def wrap_blocks(a: torch.Tensor, b: torch.Tensor, **rest: object) -> Expected:
    """The third block of columns starts at column 64 of 50: at column 14 of the next row."""
    result = matmul.product(a, b)
    wrapped = matmul.product(a[:19, :69], b[1:70])
    result[1:, 14:46] = wrapped[:, 14:46]
    return {"c": result}


PRODUCT = {"a": "*fp16", "b": "*fp16", "c": "*fp32"}
SMALL = {"a": normal((64, 64), "fp16"), "b": normal((64, 64), "fp16"), "c": normal((64, 64))}
PRODUCT_LIMITS = Tolerance(1e-5, 1e-3)

MISCOMPILATIONS: tuple[Miscompilation, ...] = (
    Miscompilation(
        fixed(
            "high_product", high_product, {"x": "*u32", "y": "*u32", "out": "*u32"},
            {"x": whole(64, 0, 1 << 32, "u32"), "y": whole(64, 0, 1 << 32, "u32"),
             "out": out(64, "u32")}, high_oracle, BLOCK=64,
        ),
        "the unsigned high product becomes a signed one",
        high_as_emitted,
    ),
    Miscompilation(
        random_numbers.DROPOUT_AS_DEFINED,
        "the random stream is not Philox: its products are signed",
        lambda **values: random_numbers.expect_dropout(True, **values),
    ),
    Miscompilation(
        fixed(
            "add_product", add_product, PRODUCT,
            {**SMALL, "a": normal((64, 128), "fp16"), "b": normal((128, 64), "fp16")},
            lambda a, b, c: {"c": c.double() + a.double() @ b.double()}, grid=(2,),
            tolerance=PRODUCT_LIMITS, M=64, N=64, K=64,
        ),
        "an atomic add of a product stores memory that nothing wrote",
        "machine.uninitialised_read",
    ),
    Miscompilation(
        fixed(
            "exchange_where_equal", atomics.exchange_where_equal,
            {"x": "*i32", "y": "*i32", "out": "*i32"},
            {"x": whole(64, 2, 5), "y": whole(64, 2, 5), "out": out(64, "i32")},
            exchange_oracle, BLOCK=64,
        ),
        "compare and exchange returns the new value",
        exchange_as_emitted,
    ),
    Miscompilation(
        fixed(
            "add_doubled_product", add_doubled_product, PRODUCT, SMALL,
            lambda a, b, c: {"c": c.double() + 2 * (a.double() @ b.double())},
            tolerance=PRODUCT_LIMITS, M=64, N=64, K=64,
        ),
        "both vector cores add the whole product",
        lambda a, b, c: {"c": c.double() + 4 * (a.double() @ b.double())},
    ),
    Miscompilation(
        fixed(
            "divide_integers", divide_integers,
            {"x": "*i32", "y": "*i32", "out": "*i32", "count": "i32"},
            {"x": whole(700, 1 << 30, (1 << 31) - 1), "y": whole(700, 1, 9),
             "out": out(700, "i32"), "count": 700},
            lambda x, y, **rest: {"out": x.long() // y.long()}, grid=(3,), BLOCK=256,
        ),
        "integers are divided as float32 numbers",
        divide_as_emitted,
    ),
    Miscompilation(
        fixed(
            "exchange_for_zeros", atomics.exchange_for_zeros, {"x": "*i32", "out": "*i32"},
            {"x": whole(64, 1, 99), "out": out(64, "i32")},
            lambda x, out: {"x": torch.zeros(64), "out": x}, BLOCK=64,
        ),
        "an exchange for zeros leaves memory as it was",
        lambda x, out: {"out": x},
    ),
    Miscompilation(
        replace(
            matmul.make_unmasked((64, 64, 64), 64), name="multiply_in_one_turn",
            options={"unit_flag": True},
        ),
        "with unit flags, a loop of one turn: the way out waits for a flag that the only product "
        "does not set, since it is the first",
        "machine.flag_unbalanced",
    ),
    Miscompilation(
        fixed(
            "exchange_one", exchange_one, {"x": "*i32", "out": "*i32"},
            {"x": whole(2, 1, 99), "out": out(1, "i32")},
            lambda x, out: {"x": x[[1, 1]], "out": x[:1]},
        ),
        "an exchange of one number writes nothing",
        lambda x, out: {"out": x[:1]},
    ),
    Miscompilation(
        fixed(
            "and_with_old", and_with_old, {"x": "*i32", "y": "*i32", "out": "*i32"},
            {"x": whole(64, 0, 1 << 20), "y": whole(128, 0, 1 << 20), "out": out(128, "i32")},
            expect_ands, grid=(2,), BLOCK=64,
        ),
        "the old value of an atomic operation is read before its lock is taken",
        "machine.race",
    ),
    Miscompilation(
        fixed(
            "carry_state", carry_state,
            dict.fromkeys(("query", "key", "value"), "*fp16") | {"out": "*fp32", "length": "i32"},
            {name: normal((64, 32), "fp16", 0.3) for name in ("query", "key", "value")}
            | {"out": out((64, 32)), "length": 64},
            expect_state, tolerance=Tolerance(5e-3, 5e-2), T=32, D=32,
        ),
        "sums carried from turn to turn and multiplied: their update is lost, and what is "
        "multiplied is memory that nothing wrote",
        "machine.uninitialised_read",
    ),
    Miscompilation(
        fixed(
            "multiply_and_sum", multiply_and_sum,
            {"x": "*fp16", "out": "*fp32", "sums": "*fp32", "count": "i32"},
            {"x": normal((70, 32), "fp16"), "out": out((32, 32)), "sums": out(32), "count": 70},
            lambda x, **rest: {
                "out": 2 * matmul.product(x.T, x), "sums": x.double().sum(0),
            },
            tolerance=PRODUCT_LIMITS, N=32, D=32,
        ),
        "a tile that a product and arithmetic of one loop share is loaded for the product alone",
        "machine.uninitialised_read",
    ),
    Miscompilation(
        layouts.make_blocks("multiply_no_turn", "fp16", flip=False, inner=0),
        "a loop of no turns around a product leaves sums that nothing cleared",
        "machine.uninitialised_read",
    ),
    Miscompilation(
        replace(
            layouts.make_blocks("multiply_outside", "fp16", flip=False, rows=20), grid=(1, 3)
        ),
        "a block pointer whose block lies outside of the last column points into the next row",
        wrap_blocks,
    ),
    Miscompilation(
        by_row(
            "sum_in_narrow_type", sum_in_narrow_type, "i8 i32", lambda x: x.sum(1),
            columns=200, block=256, results_per_row=1,
            make=lambda draw, shape, dtype: draw.integers(shape, 50, 120, dtype),
        ),
        "a sum of int8 wraps in int8",
        lambda x, **rest: {"out": wrap_to_i8(x.long().sum(1))},
    ),
    *TYPE_MISCOMPILATIONS,
)  # fmt: skip
