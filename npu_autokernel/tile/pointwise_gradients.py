"""Gradients of activations, as ATen spells them: same table form and promotion as `pointwise`."""

from __future__ import annotations

import math
from typing import Any

from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.activations import SQRT_2_OVER_PI, gelu_cdf
from npu_autokernel.tile.expression import Number, Value, call, where
from npu_autokernel.tile.promotion import PointwiseRule


def _gelu_gradient(gradient: Value, x: Value, approximate: str = "none") -> Value:
    if approximate == "none":
        density = call("exp", x * x * -0.5) * (1.0 / math.sqrt(2.0 * math.pi))
        return gradient * (gelu_cdf(x) + x * density)
    inner = (x * x * 0.044715 + 1.0) * x * SQRT_2_OVER_PI
    share = mf.sigmoid(inner * 2.0)
    slope = (x * x * (3.0 * 0.044715) + 1.0) * (2.0 * SQRT_2_OVER_PI)
    return gradient * (share + x * share * (1.0 - share) * slope)


def _silu_gradient(gradient: Value, x: Value) -> Value:
    share = mf.sigmoid(x)
    return gradient * share * ((1.0 - share) * x + 1.0)


def _elu_gradient(
    gradient: Value, alpha: Number, scale: Number, input_scale: Number, is_result: bool, x: Value
) -> Value:
    """`x` is the activation's result or its input, as `is_result` says."""
    if is_result:
        negative = (x + alpha * scale) * input_scale
    else:
        negative = call("exp", x * input_scale) * (alpha * scale * input_scale)
    return gradient * where(x <= 0.0, negative, x * 0.0 + scale)


def _softplus_gradient(gradient: Value, x: Value, beta: Number, threshold: Number) -> Value:
    scaled = x * beta
    return where(scaled > threshold, gradient, gradient * mf.sigmoid(scaled))


def _between(gradient: Value, x: Value, low: Number, high: Number) -> Value:
    return where((x > low) & (x < high), gradient, 0.0)


def _hardswish_gradient(gradient: Value, x: Value) -> Value:
    middle = gradient * (x * (1.0 / 3.0) + 0.5)
    return where(x <= -3.0, 0.0, where(x < 3.0, middle, gradient))


def _leaky_gradient(gradient: Value, x: Value, slope: Number, is_result: bool) -> Value:
    return where(x > 0.0, gradient, gradient * slope)


_ROWS: tuple[tuple[str, Any], ...] = (
    ("gelu_backward", _gelu_gradient),
    ("silu_backward", _silu_gradient),
    ("sigmoid_backward", lambda gradient, output: gradient * (1.0 - output) * output),
    ("tanh_backward", lambda gradient, output: gradient * (1.0 - output * output)),
    ("threshold_backward", lambda gradient, x, threshold: where(x <= threshold, 0.0, gradient)),
    ("leaky_relu_backward", _leaky_gradient),
    ("elu_backward", _elu_gradient),
    ("softplus_backward", _softplus_gradient),
    ("hardtanh_backward", _between),
    ("hardsigmoid_backward", lambda g, x: _between(g * (1.0 / 6.0), x, -3.0, 3.0)),
    ("hardswish_backward", _hardswish_gradient),
    (
        "logit_backward",
        lambda g, x, eps=None: (
            g / (x * (1.0 - x))
            if eps is None
            else where((x >= eps) & (x <= 1.0 - eps), g / (x * (1.0 - x)), 0.0)
        ),
    ),
)

GRADIENT_RULES = {name: PointwiseRule("result", expression) for name, expression in _ROWS}
