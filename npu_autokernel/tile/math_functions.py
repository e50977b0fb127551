"""Elementary functions in float32 out of the chip's few: exp, log, sqrt, division, rounding, and polynomials.

The compiler's own expansions of tanh, expm1, log1p, atan and round are not used: they lose all relative accuracy
near 0, are off at infinity, or round halves away from zero. These forms stay within about 3e-7 relative of float64
on the whole line unless said otherwise. Coefficients of asin, atan, erfc, sinh and tanh on their central
intervals are the single-precision ones published in the Cephes library (S. L. Moshier).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from npu_autokernel.tile.expression import Number, Value, call, emit, maximum, where

INFINITY = float("inf")
NAN = float("nan")
LN_2 = math.log(2.0)
SQRT_HALF = math.sqrt(0.5)
# 1.5 * 2^23: adding and subtracting it rounds a float32 below 2^22 to an integer, halves to even.
_ROUNDING_BIAS = 12582912.0
_INTEGRAL_FROM = 4194304.0


def evaluate_polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    """Horner's form; the highest power comes first."""
    result: Value | Number = coefficients[0]
    for coefficient in coefficients[1:]:
        result = x * result + coefficient if isinstance(result, float) else result * x + coefficient
    assert isinstance(result, Value)
    return result


def absolute(x: Value) -> Value:
    return call("abs", x)


def sign_like(magnitude: Value, x: Value) -> Value:
    """`magnitude` with the sign of `x`; a NaN in `x` leaves the magnitude."""
    return where(x < zero_of(x), -magnitude, magnitude)


def zero_of(x: Value) -> Number:
    return 0.0 if x.held_dtype == "float32" else 0


def reciprocal(x: Value) -> Value:
    return 1.0 / x


def is_nan(x: Value) -> Value:
    return emit("ne", x, x)


def is_infinite(x: Value) -> Value:
    return emit("eq", absolute(x), INFINITY)


def truncate(x: Value) -> Value:
    return where(x < 0.0, call("ceil", x), call("floor", x))


def round_half_even(x: Value) -> Value:
    return where(absolute(x) < _INTEGRAL_FROM, (x + _ROUNDING_BIAS) - _ROUNDING_BIAS, x)


def sigmoid(x: Value) -> Value:
    return 1.0 / (call("exp", -x) + 1.0)


def expm1(x: Value) -> Value:
    """exp(x) - 1; a Taylor polynomial below 0.5, where the difference would cancel."""
    coefficients = [1.0 / math.factorial(power) for power in range(9, 0, -1)]
    return where(absolute(x) < 0.5, evaluate_polynomial(x, coefficients) * x, call("exp", x) - 1.0)


def log1p(x: Value) -> Value:
    """log(1 + x) with the rounding error of 1 + x divided out; -1 gives -inf."""
    shifted = x + 1.0
    difference = shifted - 1.0
    corrected = call("log", shifted) * (x / difference)
    is_exact = emit("eq", difference, 0.0) | emit("eq", absolute(x), INFINITY)
    return where(is_exact, where(x < -1.0, NAN, x), corrected)


def tanh(x: Value) -> Value:
    size = absolute(x)
    square = x * x
    central = evaluate_polynomial(
        square,
        (
            -5.70498872745e-3,
            2.06390887954e-2,
            -5.37397155531e-2,
            1.33314422036e-1,
            -3.33332819422e-1,
        ),
    )
    outer = 1.0 - 2.0 / (call("exp", size * 2.0) + 1.0)
    return where(size < 0.625, central * square * x + x, sign_like(outer, x))


def sinh(x: Value) -> Value:
    size = absolute(x)
    square = x * x
    central = evaluate_polynomial(square, (2.03721912945e-4, 8.33028376239e-3, 1.66667160211e-1))
    root = call("exp", size * 0.5)
    outer = root * 0.5 * root - 0.5 / root / root
    return where(size <= 1.0, central * square * x + x, sign_like(outer, x))


def cosh(x: Value) -> Value:
    root = call("exp", absolute(x) * 0.5)
    return root * 0.5 * root + 0.5 / root / root


def asinh(x: Value) -> Value:
    size = absolute(x)
    small = log1p(size + size * size / (call("sqrt", size * size + 1.0) + 1.0))
    large = call("log", size) + LN_2
    return sign_like(where(size > 1e9, large, small), x)


def acosh(x: Value) -> Value:
    excess = x - 1.0
    small = log1p(excess + call("sqrt", excess * excess + excess * 2.0))
    return where(x > 1e9, call("log", x) + LN_2, small)


def atanh(x: Value) -> Value:
    size = absolute(x)
    return sign_like(log1p(size * 2.0 / (1.0 - size)) * 0.5, x)


def tan(x: Value) -> Value:
    return call("sin", x) / call("cos", x)


def atan(x: Value) -> Value:
    """Reduced to |t| <= tan(pi/8) by atan(x) = pi/2 - atan(1/x) and pi/4 + atan((x-1)/(x+1))."""
    size = absolute(x)
    is_large = size > 2.414213562373095
    is_middle = size > 0.4142135623730950
    reduced = where(is_large, -1.0 / size, where(is_middle, (size - 1.0) / (size + 1.0), size))
    offset = where(is_large, math.pi / 2, where(is_middle, math.pi / 4, 0.0))
    square = reduced * reduced
    series = evaluate_polynomial(
        square, (8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1)
    )
    return sign_like(series * square * reduced + reduced + offset, x)


def atan2(y: Value, x: Value) -> Value:
    """The angle of (x, y); signs of zeros count, two infinities give odd multiples of pi/4."""
    both = is_infinite(y) & is_infinite(x)
    ratio = where(both, 1.0, absolute(y) / absolute(x))
    ratio = where(emit("eq", y, 0.0) & emit("eq", x, 0.0), 0.0, ratio)
    angle = atan(ratio)
    angle = where(sign_bit(x), math.pi - angle, angle)
    angle = where(is_nan(x) | is_nan(y), NAN, angle)
    return where(sign_bit(y), -angle, angle)


def _asin_central(size: Value, square: Value) -> Value:
    series = evaluate_polynomial(
        square,
        (4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1),
    )
    return series * square * size + size


def asin(x: Value) -> Value:
    size = absolute(x)
    is_large = size > 0.5
    square = where(is_large, (1.0 - size) * 0.5, size * size)
    base = where(is_large, call("sqrt", square), size)
    central = _asin_central(base, square)
    return sign_like(where(is_large, math.pi / 2 - central * 2.0, central), x)


def acos(x: Value) -> Value:
    size = absolute(x)
    is_large = size > 0.5
    square = where(is_large, (1.0 - size) * 0.5, size * size)
    central = _asin_central(where(is_large, call("sqrt", square), size), square)
    near_one = where(x < 0.0, math.pi - central * 2.0, central * 2.0)
    return where(is_large, near_one, math.pi / 2 - sign_like(central, x))


def erfc(x: Value) -> Value:
    """1 - erf(x) below 1, else exp(-x^2)/x times a polynomial in 1/x^2; relative error up to 5e-6 in the tail."""
    size = absolute(x)
    inverse = 1.0 / maximum(size, 0.5)
    square = inverse * inverse
    middle = evaluate_polynomial(
        square,
        (
            2.326819970068386e-2,
            -1.387039388740657e-1,
            3.687424674597105e-1,
            -5.824733027278666e-1,
            6.210004621745983e-1,
            -4.944515323274145e-1,
            3.404879937665872e-1,
            -2.741127028184656e-1,
            5.638259427386472e-1,
        ),
    )
    far = evaluate_polynomial(
        square,
        (
            -1.047766399936249e1,
            1.297719955372516e1,
            -7.495518717768503,
            2.921019019210786,
            -1.015265279202700,
            4.218463358204948e-1,
            -2.820767439740514e-1,
            5.641895067754075e-1,
        ),
    )
    tail = call("exp", -(size * size)) * inverse * where(size < 2.0, middle, far)
    tail = where(x < 0.0, 2.0 - tail, tail)
    return where(size < 1.0, 1.0 - call("erf", x), tail)


def sign_bit(x: Value) -> Value:
    return call_bits(x) < 0


def call_bits(x: Value) -> Value:
    return emit("bits_of_float32", x, dtype="int32")


def copy_sign(magnitude: Value, x: Value | float) -> Value:
    size = absolute(magnitude)
    if isinstance(x, float):
        return -size if math.copysign(1.0, x) < 0 else size
    return where(sign_bit(x), -size, size)


def log_add_exp(x: Value, y: Value) -> Value:
    """log(exp(x) + exp(y)); equal infinities stay what they are."""
    high = maximum(x, y)
    result = high + log1p(call("exp", -absolute(x - y)))
    return where(emit("eq", x, y) & is_infinite(x), x, result)
