"""The scalar pipe against Python's integers and IEEE floats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.machine.modules import NUMPY_TYPES, Body, gm, run_ok, vector_module

WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}


def wrap(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def divide(a: int, b: int) -> int:
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a: int, b: int) -> int:
    return 0 if b == 0 else a - b * divide(a, b)


# name -> value of (a, b, width)
INTEGER_OPS = {
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
    "divsi": lambda a, b, w: divide(a, b),
    "remsi": lambda a, b, w: remainder(a, b),
    "divui": lambda a, b, w: unsigned(a, w) // unsigned(b, w) if b else 0,
    "remui": lambda a, b, w: unsigned(a, w) % unsigned(b, w) if b else 0,
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "xori": lambda a, b, w: a ^ b,
    "shli": lambda a, b, w: a << b if 0 <= b < w else 0,
    "shrsi": lambda a, b, w: a >> b if 0 <= b < w else (-1 if a < 0 else 0),
    "shrui": lambda a, b, w: unsigned(a, w) >> b if 0 <= b < w else 0,
    "minsi": lambda a, b, w: min(a, b),
    "maxsi": lambda a, b, w: max(a, b),
    "minui": lambda a, b, w: min(a, b, key=lambda value: unsigned(value, w)),
    "maxui": lambda a, b, w: max(a, b, key=lambda value: unsigned(value, w)),
}


def compute(ops, type_: str, values: list[int | float], out: str = "i64") -> list:
    """ops(body, names) returns values of type `out`; they are stored and read back."""
    body = Body()
    element = out if out != "index" else "i64"
    names = [body.constant(value, type_) for value in values]
    results = ops(body, names)
    for position, result in enumerate(results):
        index = body.constant(position, "index")
        body.emit(
            f'"memref.store"({result}, %a0, {index}) : ({out}, {gm("?x" + element)}, index) -> ()'
        )
    buffer = np.zeros(len(results), dtype=NUMPY_TYPES[element])
    run_ok(vector_module(body.text(), [gm("?x" + element)]), [buffer])
    return buffer.tolist()


def to_i64(body: Body, value: str, type_: str) -> str:
    if type_ == "i64":
        return value
    op = "arith.index_cast" if type_ == "index" else "arith.extsi"
    return body.value(op, value, type_, "i64")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(WIDTHS)), st.data())
def test_integer_ops_are_pythons_wrapped(type_, data):
    width = WIDTHS[type_]
    bound = 1 << (width - 1)
    numbers = st.one_of(
        st.integers(-bound, bound - 1), st.sampled_from([0, 1, -1, bound - 1, -bound, 7, 31])
    )
    a, b = data.draw(numbers), data.draw(numbers)

    def emit(body: Body, names: list[str]) -> list[str]:
        results = []
        for name in INTEGER_OPS:
            value = body.value(f"arith.{name}", ", ".join(names), f"{type_}, {type_}", type_)
            results.append(to_i64(body, value, type_))
        return results

    expected = [wrap(function(a, b, width), width) for function in INTEGER_OPS.values()]
    assert compute(emit, type_, [a, b]) == expected


@settings(max_examples=40, deadline=None)
@given(st.integers(-(1 << 31), (1 << 31) - 1), st.integers(-(1 << 31), (1 << 31) - 1))
def test_comparisons_and_wide_products(a, b):
    def emit(body: Body, names: list[str]) -> list[str]:
        pair = ", ".join(names)
        results = []
        for predicate in range(10):
            flag = body.value(
                "arith.cmpi", pair, "i32, i32", "i1", f"predicate = {predicate} : i64"
            )
            results.append(body.value("arith.extui", flag, "i1", "i64"))
        for op in ("mulsi_extended", "mului_extended"):
            low, high = body.new_name(), body.new_name()
            body.emit(f'{low}, {high} = "arith.{op}"({pair}) : (i32, i32) -> (i32, i32)')
            results += [body.value("arith.extsi", half, "i32", "i64") for half in (low, high)]
        return results

    x, y = unsigned(a, 32), unsigned(b, 32)
    flags = [a == b, a != b, a < b, a <= b, a > b, a >= b, x < y, x <= y, x > y, x >= y]
    products = [wrap(a * b, 32), wrap((a * b) >> 32, 32), wrap(x * y, 32), wrap((x * y) >> 32, 32)]
    assert compute(emit, "i32", [a, b]) == [*map(int, flags), *products]


@settings(max_examples=40, deadline=None)
@given(st.integers(-1000, 1000), st.integers(1, 40))
def test_affine_maps(a, b):
    maps = {
        "s0 + s1": a + b,
        "(s0 - s1) floordiv 3": (a - b) // 3,
        "s0 ceildiv 4": -(-a // 4),
        "s0 mod 7": a % 7,
        "-s0 + s1 * 2": -a + 2 * b,
        "((s0 + 15) floordiv 16) * 16 - 5": (a + 15) // 16 * 16 - 5,
    }

    def emit(body: Body, names: list[str]) -> list[str]:
        results = []
        for text in maps:
            map_ = f"map = affine_map<()[s0, s1] -> ({text})>"
            results.append(
                body.value("affine.apply", ", ".join(names), "index, index", "index", map_)
            )
        for op in ("min", "max"):
            map_ = "map = affine_map<(d0)[s0] -> (d0, s0 * 3, 50)>"
            results.append(
                body.value(f"affine.{op}", ", ".join(names), "index, index", "index", map_)
            )
        return [body.value("arith.index_cast", result, "index", "i64") for result in results]

    expected = [*maps.values(), min(a, 3 * b, 50), max(a, 3 * b, 50)]
    assert compute(emit, "index", [a, b]) == expected


def test_an_i1_is_sign_extended_by_extsi_and_index_cast_only():
    def emit(body: Body, names: list[str]) -> list[str]:
        flag = body.constant("true", "i1")
        return [
            body.value("arith.extsi", flag, "i1", "i64"),
            body.value("arith.extui", flag, "i1", "i64"),
            to_i64(body, body.value("arith.index_cast", flag, "i1", "index"), "index"),
            body.value(
                "arith.extui", body.value("arith.trunci", names[0], "i64", "i1"), "i1", "i64"
            ),
        ]

    assert compute(emit, "i64", [6]) == [-1, 1, -1, 0]


FLOAT_OPS = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": lambda a, b: a / b,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}


@pytest.mark.parametrize("type_", ["f32", "f16"])
@pytest.mark.parametrize(
    "pair", [(1.5, -2.25), (0.1, 3.0), (np.nan, 1.0), (np.inf, 2.0), (1e4, 7.0)]
)
def test_float_ops_round_to_their_type(type_, pair):
    dtype = NUMPY_TYPES[type_]
    a, b = (dtype(value) for value in pair)
    bits = {"f32": np.uint32, "f16": np.uint16}[type_]

    def emit(body: Body, names: list[str]) -> list[str]:
        pair_types = f"{type_}, {type_}"
        return [body.value(f"arith.{op}", ", ".join(names), pair_types, type_) for op in FLOAT_OPS]

    literals = [f"0x{np.array(value).view(bits).item():X}" for value in (a, b)]
    result = np.array(compute(emit, type_, literals, out=type_), dtype=dtype)
    with np.errstate(all="ignore"):
        expected = np.array([function(a, b) for function in FLOAT_OPS.values()], dtype=dtype)
    np.testing.assert_array_equal(result, expected)


def test_a_fused_product_and_sum_rounds_once():
    """(1 + 2^-12)^2 - (1 + 2^-11) is 2^-24: a product rounded first would give 0."""

    def emit(body: Body, names: list[str]) -> list[str]:
        return [
            body.value("math.fma", f"{names[0]}, {names[0]}, {names[1]}", "f32, f32, f32", "f32")
        ]

    values = np.array([1 + 2.0**-12, -(1 + 2.0**-11)], dtype=np.float32).view(np.uint32)
    assert compute(emit, "f32", [f"0x{bits:X}" for bits in values], out="f32") == [2.0**-24]


def test_float_comparisons_treat_nan_as_mlir_does():
    def emit(body: Body, names: list[str]) -> list[str]:
        results = []
        for left, right in (names[:2], [names[0], names[2]]):
            for predicate in range(16):
                flag = body.value(
                    "arith.cmpf",
                    f"{left}, {right}",
                    "f32, f32",
                    "i1",
                    f"predicate = {predicate} : i64",
                )
                results.append(body.value("arith.extui", flag, "i1", "i64"))
        return results

    # false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true
    ordered = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1]
    unordered = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    values = ["1.000000e+00", "2.000000e+00", "0x7FC00000"]
    assert compute(emit, "f32", values) == ordered + unordered


@pytest.mark.parametrize("value", [0.0, 2.5, -2.5, 1e20, -1e20, math.nan])
def test_float_to_integer_truncates_and_saturates(value):
    literal = f"0x{np.float32(value).view(np.uint32).item():X}"

    def emit(body: Body, names: list[str]) -> list[str]:
        narrow = body.value("arith.fptosi", names[0], "f32", "i32")
        return [body.value("arith.extsi", narrow, "i32", "i64")]

    limit = 1 << 31
    expected = 0 if math.isnan(value) else int(max(-limit, min(limit - 1, value)))
    assert compute(emit, "f32", [literal]) == [expected]
