"""vcast: rounding modes, saturation, wrapping, unsigned views of the integer side."""

from __future__ import annotations

import numpy as np
import pytest

from tests.machine.modules import NUMPY_TYPES, Body, gm, run_ok, ub, vector_module

EDGES = [
    0.5,
    1.5,
    2.5,
    -0.5,
    -1.5,
    -2.5,
    0.49999997,
    2.0,
    -3.7,
    3.7,
    127.5,
    -128.5,
    300.25,
    -300.25,
]


def cast(values: np.ndarray, source: str, target: str, mode: str, unsigned: bool = False):
    count = len(values)
    body = Body()
    buffer = body.load("%a0", f"{count}x{source}")
    result_buffer = body.buffer(f"{count}x{target}")
    sign = "cast_unsigned" if unsigned else "cast_signed"
    body.elementwise(
        "vcast",
        [(buffer, ub(f"{count}x{source}"))],
        (result_buffer, ub(f"{count}x{target}")),
        f"round_mode = #hivm.round_mode<{mode}>, cast = #hivm.cast<{sign}>",
    )
    body.store(result_buffer, "%a1", f"{count}x{target}")
    result = np.zeros(count, dtype=NUMPY_TYPES.get(target, np.int16))
    run_ok(vector_module(body.text(), [gm(f"?x{source}"), gm(f"?x{target}")]), [values, result])
    return result


def round_away(values: np.ndarray) -> np.ndarray:
    return np.sign(values) * np.floor(np.abs(values.astype(np.float64)) + 0.5)


ROUNDING = {
    "rint": np.rint,
    "round": round_away,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
}


@pytest.mark.parametrize("mode", ROUNDING)
@pytest.mark.parametrize("target", ["i8", "i16", "i32", "i64"])
def test_float_to_integer_rounds_and_saturates(mode, target):
    values = np.array([*EDGES, 1e30, -1e30, np.inf, -np.inf, np.nan], dtype=np.float32)
    limits = np.iinfo(NUMPY_TYPES[target])
    rounded = ROUNDING[mode](values).astype(np.float64)
    expected = [
        0 if np.isnan(value) else int(max(limits.min, min(limits.max, value))) for value in rounded
    ]
    assert cast(values, "f32", target, mode).tolist() == expected


@pytest.mark.parametrize("mode", ROUNDING)
@pytest.mark.parametrize("element", ["f32", "f16"])
def test_a_float_type_casts_to_itself_by_rounding(mode, element):
    values = np.array(EDGES, dtype=NUMPY_TYPES[element])
    expected = ROUNDING[mode](values).astype(values.dtype)
    np.testing.assert_array_equal(cast(values, element, element, mode), expected)


def test_truncation_with_overflow_wraps():
    values = np.array([300.7, -300.7, 127.0, 128.0, 65536.0], dtype=np.float32)
    assert cast(values, "f32", "i8", "truncwithoverflow").tolist() == [44, -44, 127, -128, 0]


def test_unsigned_bytes():
    bytes_ = np.array([0, 1, 127, 128, 255], dtype=np.uint8).view(np.int8)
    assert cast(bytes_, "i8", "f32", "rint", unsigned=True).tolist() == [0, 1, 127, 128, 255]
    assert cast(bytes_, "i8", "i32", "rint", unsigned=True).tolist() == [0, 1, 127, 128, 255]
    floats = np.array([-3, 200, 300, 255], dtype=np.float32)
    result = cast(floats, "f32", "i8", "trunc", unsigned=True).view(np.uint8)
    assert result.tolist() == [0, 200, 255, 255]


@pytest.mark.parametrize("target", ["f16", "f32"])
@pytest.mark.parametrize("source", ["i8", "i16", "i32", "i64"])
def test_integer_to_float_rounds_to_nearest_even(source, target):
    rng = np.random.default_rng(0)
    limits = np.iinfo(NUMPY_TYPES[source])
    values = rng.integers(limits.min, limits.max, 600, dtype=NUMPY_TYPES[source], endpoint=True)
    with np.errstate(over="ignore"):
        expected = values.astype(np.float32).astype(NUMPY_TYPES[target])
    np.testing.assert_array_equal(cast(values, source, target, "rint"), expected)


@pytest.mark.parametrize("source, target", [("i32", "i8"), ("i64", "i32"), ("i8", "i64")])
def test_integer_to_integer_keeps_the_low_bits(source, target):
    values = np.array([0, 1, -1, 127, -128, 100], dtype=NUMPY_TYPES[source])
    values[-1] = np.iinfo(values.dtype).max - 5
    expected = values.astype(NUMPY_TYPES[target])
    np.testing.assert_array_equal(cast(values, source, target, "rint"), expected)


def test_every_half_survives_widening_and_narrowing():
    every = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16)
    for start in range(0, 1 << 16, 1 << 13):
        halves = every[start : start + (1 << 13)].view(np.float16)
        wide = cast(halves, "f16", "f32", "rint")
        np.testing.assert_array_equal(wide, halves.astype(np.float32))
        back = cast(wide, "f32", "f16", "rint")
        np.testing.assert_array_equal(back, halves)


def test_narrowing_to_half_rounds_to_nearest_even():
    rng = np.random.default_rng(0)
    values = np.concatenate(
        [
            np.exp2(rng.uniform(-27, 17, 4000)) * rng.choice([-1, 1], 4000),
            [65519.996, 65520.0, -65520.0, 2.0**-25, 2.0**-24 * 1.5, 0.0, -0.0, np.inf],
        ]
    ).astype(np.float32)
    with np.errstate(over="ignore"):
        expected = values.astype(np.float16)
    np.testing.assert_array_equal(cast(values, "f32", "f16", "rint"), expected)
