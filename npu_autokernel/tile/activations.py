"""Expressions of activation functions."""

from __future__ import annotations

import math

from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.arithmetic import scale
from npu_autokernel.tile.expression import Number, Value, call, maximum, minimum, where

SQRT_2_OVER_PI = math.sqrt(2.0 / math.pi)
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def gelu_cdf(x: Value) -> Value:
    """The normal distribution function: what exact GELU multiplies by."""
    return (call("erf", x * mf.SQRT_HALF) + 1.0) * 0.5


# log of the normal distribution's upper tail on [0, 13], highest power first: fitted so that a * exp(polynomial)
# stays within 6e-8 of a * tail(a). The first coefficient is negative, so the tail vanishes beyond.
_LOG_TAIL = (
    -1.1716932704075589e-06,
    1.7385269529738266e-05,
    -7.932620792416856e-05,
    -0.00022418287699110806,
    0.005083244759589434,
    -0.036538850516080856,
    -0.31823447346687317,
    -0.7978978753089905,
    -0.6931464076042175,
)
_TAIL_END = 16.0


def gelu(x: Value, approximate: str = "none") -> Value:
    """x times the normal distribution function.

    Exact GELU is max(x, 0) - |x| * tail(|x|): nothing cancels, and the tail is one polynomial and one exp, a third
    less work than through the chip's erf.
    """
    if approximate == "none":
        size = mf.absolute(minimum(x, _TAIL_END))
        tail = call("exp", mf.evaluate_polynomial(size, _LOG_TAIL))
        return maximum(x, 0.0) - size * tail
    inner = (x * x * 0.044715 + 1.0) * x * SQRT_2_OVER_PI
    return x * mf.sigmoid(inner * 2.0)


def softplus(x: Value, beta: Number = 1, threshold: Number = 20) -> Value:
    scaled = scale(x, beta)
    smooth = mf.log1p(call("exp", scaled))
    return where(scaled > threshold, x, smooth if beta == 1 else smooth / float(beta))


def log_sigmoid(x: Value) -> Value:
    return minimum(x, 0.0) - mf.log1p(call("exp", -mf.absolute(x)))


def elu(x: Value, alpha: Number = 1.0, scale: Number = 1.0, input_scale: Number = 1.0) -> Value:
    inner = x if input_scale == 1 else x * input_scale
    negative = mf.expm1(inner) * (alpha * scale)
    return where(x > 0.0, x if scale == 1 else x * scale, negative)


def hard_tanh(x: Value, min_val: Number = -1.0, max_val: Number = 1.0) -> Value:
    return minimum(maximum(x, min_val), max_val)


def hard_sigmoid(x: Value) -> Value:
    return minimum(maximum(x + 3.0, 0.0), 6.0) * (1.0 / 6.0)
