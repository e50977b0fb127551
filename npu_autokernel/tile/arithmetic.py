"""Expressions of ATen's arithmetic: sums, quotients of all roundings, remainders, interpolation.

Operands arrive promoted (see `promotion`): Values, or Python numbers where the op takes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.expression import (
    LoweringError,
    Number,
    Value,
    call,
    emit,
    maximum,
    minimum,
    where,
)
from npu_autokernel.tile.powers import integer_power, power
from npu_autokernel.tile.remainders import float_modulo, integer_floor_divide

Operand = Any


def add(x: Operand, y: Operand, alpha: Number = 1) -> Value:
    return emit("add", x, scale(y, alpha))


def subtract(x: Operand, y: Operand, alpha: Number = 1) -> Value:
    return emit("sub", x, scale(y, alpha))


def scale(value: Operand, factor: Number) -> Operand:
    """`value * factor`, without a step where the factor is 1."""
    return value if factor == 1 else value * factor


def divide(x: Operand, y: Operand, rounding_mode: str | None = None) -> Value:
    if rounding_mode is None:
        return true_divide(x, y)
    if _held(x, y) != "float32":
        return _divide_integers(x, y, rounding_mode)
    if rounding_mode == "trunc":
        return mf.truncate(true_divide(x, y))
    return _floor_divide_floats(x, y)


def true_divide(x: Operand, y: Operand) -> Value:
    """x / y; a power of two is multiplied by its inverse, which is exact."""
    if isinstance(y, float) and y != 0.0 and math.frexp(abs(y))[0] == 0.5:
        return emit("mul", x, 1.0 / y)
    return emit("div", x, y)


def _held(*operands: Operand) -> str:
    return next(item.held_dtype for item in operands if isinstance(item, Value))


def floor_divide(x: Operand, y: Operand) -> Value:
    return divide(x, y, "floor")


def _divide_integers(x: Operand, y: Operand, rounding_mode: str) -> Value:
    quotient, rest = integer_floor_divide(*_check_integers(x, y))
    if rounding_mode == "trunc":
        is_negative = (quotient < 0) & emit("ne", rest, 0)
        quotient = where(is_negative, quotient + 1, quotient)
    return quotient


def _check_integers(x: Operand, y: Operand) -> tuple[Value, Operand]:
    """Operands of an int32 division; raises LoweringError for int64 and for a divisor 0."""
    if _held(x, y) == "int64":
        raise LoweringError("draft.unsupported_dtype", op="integer division", dtype="int64")
    if not isinstance(y, Value) and y == 0:
        raise LoweringError("draft.unsupported_argument", op="integer division", detail="divisor 0")
    return (x if isinstance(x, Value) else convert_number_like(x, y)), y


def convert_number_like(number: Number, like: Value) -> Value:
    """A number as a value of `like`'s held dtype."""
    return emit("constant", Value(like.steps, number, like.held_dtype), dtype=like.held_dtype)


def _floor_divide_floats(x: Operand, y: Operand) -> Value:
    """ATen's: the quotient of x - fmod(x, y), one less where the rest has the other sign, rounded to whole."""
    x, y = _as_values(x, y)
    rest = float_modulo(x, y)
    quotient = (x - rest) / y
    is_low = emit("ne", rest, 0.0) & ((rest < 0.0) ^ (y < 0.0))
    quotient = where(is_low, quotient - 1.0, quotient)
    whole = call("floor", quotient)
    whole = where(quotient - whole > 0.5, whole + 1.0, whole)
    return where(emit("eq", y, 0.0), x / y, whole)


def _as_values(x: Operand, y: Operand) -> tuple[Value, Value]:
    if not isinstance(x, Value):
        x = convert_number_like(x, y)
    if not isinstance(y, Value):
        y = convert_number_like(y, x)
    return x, y


def modulo(x: Operand, y: Operand) -> Value:
    """fmod: the rest has the sign of x."""
    if _held(x, y) == "float32":
        x = x if isinstance(x, Value) else convert_number_like(x, y)
        return float_modulo(x, y)
    x, y = _check_integers(x, y)
    _, rest = integer_floor_divide(x, y)
    return where(emit("ne", rest, 0) & ((x < 0) ^ (rest < 0)), rest - y, rest)


def remainder(x: Operand, y: Operand) -> Value:
    """remainder: the rest has the sign of y."""
    if _held(x, y) == "float32":
        x, y = _as_values(x, y)
        rest = float_modulo(x, y)
        return where(emit("ne", rest, 0.0) & ((rest < 0.0) ^ (y < 0.0)), rest + y, rest)
    return integer_floor_divide(*_check_integers(x, y))[1]


def raise_to_power(base: Operand, exponent: Operand) -> Value:
    if _held(base, exponent) == "float32":
        return power(base, exponent)
    if isinstance(exponent, int) and exponent >= 0 and isinstance(base, Value):
        return integer_power(base, exponent)
    raise LoweringError("draft.unsupported_argument", op="aten.pow", detail="integer powers")


def absolute(x: Value) -> Value:
    """|x|; the chip has no such instruction for int64."""
    return maximum(x, -x) if x.held_dtype == "int64" else mf.absolute(x)


def clamp(x: Value, min: Operand = None, max: Operand = None) -> Value:
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


def interpolate(start: Value, end: Value, weight: Operand) -> Value:
    """lerp, from the nearer end, as ATen does."""
    near: Value = start + (end - start) * weight
    far: Value = end - (end - start) * (1.0 - weight)
    if isinstance(weight, Value):
        return where(mf.absolute(weight) < 0.5, near, far)
    return near if abs(weight) < 0.5 else far


def x_log_y(x: Operand, y: Operand) -> Value:
    x, y = _as_values(x, y)
    product = where(emit("eq", x, 0.0), 0.0, x * call("log", y))
    return where(mf.is_nan(y), mf.NAN, product)


def logit(x: Value, eps: Number | None = None) -> Value:
    if eps is not None:
        x = minimum(maximum(x, eps), 1.0 - eps)
    return call("log", x / (1.0 - x))


def hypotenuse(x: Value, y: Value) -> Value:
    """Scaled by the larger side so that squares neither overflow nor vanish."""
    high, low = maximum(mf.absolute(x), mf.absolute(y)), minimum(mf.absolute(x), mf.absolute(y))
    ratio = low / where(emit("eq", high, 0.0), 1.0, high)
    result = high * call("sqrt", ratio * ratio + 1.0)
    return where(mf.is_infinite(x) | mf.is_infinite(y), mf.INFINITY, result)


def heaviside(x: Value, values: Value) -> Value:
    return where(emit("eq", x, 0.0), values, where(x > 0.0, 1.0, 0.0))


def sinc(x: Value) -> Value:
    angle = x * math.pi
    return where(emit("eq", x, 0.0), 1.0, call("sin", angle) / angle)


def exp2(x: Value) -> Value:
    """2 to the fractional part by the chip, to the whole part by two exact scalings."""
    whole = call("floor", minimum(maximum(x, -200.0), 200.0))
    half = call("floor", whole * 0.5)
    fraction = call("exp", (x - whole) * mf.LN_2)
    return fraction * _two_to(half) * _two_to(whole - half)


def _two_to(whole: Value) -> Value:
    bits = (emit("to_int32", whole, dtype="int32") + 127) << 23
    return emit("float32_of_bits", bits, dtype="float32")


def sign(x: Value) -> Value:
    zero = mf.zero_of(x)
    one = 1.0 if x.held_dtype == "float32" else 1
    return where(x > zero, *_alike(x, one, where(x < zero, *_alike(x, -one, zero))))


def _alike(x: Value, chosen: Operand, other: Operand) -> tuple[Operand, Operand]:
    """A pair for `where` whose dtype is that of x."""
    return convert_number_like(chosen, x), other


def round_decimals(x: Value, decimals: int = 0) -> Value:
    if decimals:
        raise LoweringError("draft.unsupported_argument", op="aten.round", detail="decimals")
    return x if x.held_dtype != "float32" else mf.round_half_even(x)


def on_floats(function: Callable[[Value], Value]) -> Callable[[Value], Value]:
    """For rounding: integers are whole already."""
    return lambda x: function(x) if x.held_dtype == "float32" else x
