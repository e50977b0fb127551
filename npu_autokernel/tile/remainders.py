"""Remainders and integer division, exactly: the chip itself divides everything through float32."""

from __future__ import annotations

import struct

from npu_autokernel.tile.expression import Value, call, emit, where
from npu_autokernel.tile.math_functions import (
    INFINITY,
    absolute,
    call_bits,
    is_infinite,
    sign_like,
)


def _product_error(x: Value, y: Value | float, product: Value) -> Value:
    """x * y - product, exactly (Dekker): halves of 12 bits multiply without rounding."""
    x_high, x_low = _split_mantissa(x)
    y_high, y_low = _split_mantissa(y) if isinstance(y, Value) else _split_number(y)
    return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def _split_mantissa(x: Value) -> tuple[Value, Value]:
    high = emit("float32_of_bits", call_bits(x) & -4096, dtype="float32")
    return high, x - high


def _split_number(number: float) -> tuple[float, float]:
    bits = struct.unpack("<i", struct.pack("<f", number))[0] & -4096
    high = struct.unpack("<f", struct.pack("<i", bits))[0]
    return high, number - high


def float_modulo(x: Value, y: Value | float) -> Value:
    """fmod(x, y): two exact steps, right for quotients up to 2^46; the sign is that of x."""
    size = absolute(y) if isinstance(y, Value) else abs(y)
    rest = absolute(x)
    for _ in range(2):
        quotient = call("floor", rest / size)
        product = quotient * size
        rest = (rest - product) - _product_error(quotient, size, product)
        rest = where(rest < 0.0, rest + size, rest)
    rest = where(rest >= size, rest - size, rest)
    if isinstance(size, Value):
        rest = where(is_infinite(size) & (absolute(x) < INFINITY), absolute(x), rest)
    elif size == INFINITY:
        rest = absolute(x)
    return sign_like(rest, x)


def integer_floor_divide(x: Value, y: Value | int) -> tuple[Value, Value]:
    """Quotient rounded down and the rest of int32 values, exactly.

    The chip divides integers through float32, so its quotient can be off by some hundreds; the rest, exact in
    wrapping arithmetic, is divided again and the last unit is settled by comparison.
    """
    quotient = emit("floordiv", x, y)
    quotient = quotient + emit("floordiv", x - quotient * y, y)
    rest = x - quotient * y
    is_low = _has_other_sign(rest, y)
    quotient = where(is_low, quotient - 1, quotient)
    rest = x - quotient * y
    is_high = _reaches(rest, y)
    quotient = where(is_high, quotient + 1, quotient)
    return quotient, x - quotient * y


def _has_other_sign(rest: Value, divisor: Value | int) -> Value:
    if isinstance(divisor, int):
        return rest < 0 if divisor > 0 else rest > 0
    return emit("ne", rest, 0) & ((rest < 0) ^ (divisor < 0))


def _reaches(rest: Value, divisor: Value | int) -> Value:
    """Whether the rest, of the divisor's sign, is not smaller; no value is negated, so -2^31 is no exception."""
    if isinstance(divisor, int):
        return rest >= divisor if divisor > 0 else rest <= divisor
    return ((divisor > 0) & (rest >= divisor)) | ((divisor < 0) & (rest <= divisor))
