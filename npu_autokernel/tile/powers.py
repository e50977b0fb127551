"""Powers: integer and half exponents spelled out, the rest through exp and log."""

from __future__ import annotations

import math

from npu_autokernel.tile.expression import Number, Value, call, emit, where
from npu_autokernel.tile.math_functions import INFINITY, NAN, absolute, sign_bit


def power(base: Value | Number, exponent: Value | Number) -> Value:
    """base ** exponent in float32; integer and half exponents known when drafting are spelled out.

    The general form is exp(exponent * log|base|): relative error about 1e-7 times the size of that product.
    """
    if isinstance(exponent, Value):
        return _general_power(base, exponent)
    assert isinstance(base, Value)
    special = _power_of_number(base, exponent)
    return special if special is not None else _general_power(base, float(exponent))


def _power_of_number(base: Value, exponent: Number) -> Value | None:
    if exponent == 0.5:
        return call("sqrt", base)
    if exponent == -0.5:
        return call("rsqrt", base)
    if float(exponent).is_integer() and abs(exponent) <= 64:
        raised = integer_power(base, abs(int(exponent)))
        return raised if exponent >= 0 else 1.0 / raised
    return None


def integer_power(base: Value, exponent: int) -> Value:
    """Repeated squaring, for floats and integers; `exponent` is not negative."""
    if exponent == 0:
        return where(
            emit("eq", base, base), *((1.0,) * 2 if base.held_dtype == "float32" else (1, 1))
        )
    result: Value | None = None
    square = base
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        if exponent:
            square = square * square
    assert result is not None
    return result


def _general_power(base: Value | Number, exponent: Value | float) -> Value:
    if not isinstance(base, Value):
        assert isinstance(exponent, Value)
        return _power_from_number(float(base), exponent)
    raised = call("exp", call("log", absolute(base)) * exponent)
    if isinstance(exponent, Value):
        is_whole = emit("eq", call("floor", exponent), exponent)
        half = exponent * 0.5
        is_odd = is_whole & emit("ne", call("floor", half), half)
        raised = where(sign_bit(base) & is_odd, -raised, raised)
        raised = where(_is_negative(base) & ~is_whole, NAN, raised)
        raised = where(emit("eq", exponent, 0.0) | emit("eq", base, 1.0), 1.0, raised)
        return raised
    return raised if exponent.is_integer() else where(_is_negative(base), NAN, raised)


def _is_negative(base: Value) -> Value:
    """Whether a fractional power is undefined; -inf has one, as in C."""
    return (base < 0.0) & (base > -INFINITY)


def _power_from_number(base: float, exponent: Value) -> Value:
    if base == 1.0:
        return where(emit("eq", exponent, exponent), 1.0, 1.0)
    if base > 0.0 and math.isfinite(base):
        return call("exp", exponent * math.log(base))
    spread = exponent * 0.0 + base
    return _general_power(spread, exponent)
