"""What each pointwise ATen op means, as a table: name, how operands are promoted, and a short expression.

Promotion is explained in `promotion`; longer expressions are in `arithmetic`, `activations` and `math_functions`,
gradients of activations in `pointwise_gradients`. Ops whose operands are promoted one by one (where, conversions,
fills) are in `conversions`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from npu_autokernel.tile import activations as act
from npu_autokernel.tile import arithmetic as arith
from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.expression import Value, call, emit, maximum, minimum, where
from npu_autokernel.tile.promotion import PointwiseRule, Promotion

Operand = Any
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}


def _nan_test(kind: Callable[[Value], Value], otherwise: bool) -> Callable[[Value], Value]:
    def test(x: Value) -> Value:
        if x.held_dtype == "float32":
            return kind(x)
        return Value(x.steps, otherwise, "bool")

    return test


def _nan_to_num(
    x: Value, nan: Operand = None, posinf: Operand = None, neginf: Operand = None
) -> Value:
    if x.held_dtype != "float32":
        return x
    largest = LARGEST[x.dtype]
    high = largest if posinf is None else posinf
    low = -largest if neginf is None else neginf
    finite = where(emit("eq", x, mf.INFINITY), high, where(emit("eq", x, -mf.INFINITY), low, x))
    return where(mf.is_nan(x), nan or 0.0, finite)


def _identity(x: Value, **_: Any) -> Value:
    return x


def _unary(op: str) -> Callable[[Value], Value]:
    return lambda x: emit(op, x)


def _compare(op: str) -> Callable[[Operand, Operand], Value]:
    return lambda x, y: emit(op, x, y)


_ROWS: tuple[tuple[str, Promotion, Callable[..., Any]], ...] = (
    # arithmetic
    ("add", "result", arith.add),
    ("sub", "result", arith.subtract),
    ("rsub", "result", lambda x, y, alpha=1: y - arith.scale(x, alpha)),
    ("mul", "result", lambda x, y: emit("mul", x, y)),
    ("div", "result", arith.divide),
    ("true_divide", "float", arith.true_divide),
    ("floor_divide", "result", arith.floor_divide),
    ("fmod", "result", arith.modulo),
    ("remainder", "result", arith.remainder),
    ("neg", "result", lambda x: -x),
    ("abs", "result", arith.absolute),
    ("square", "result", lambda x: x * x),
    ("reciprocal", "float", mf.reciprocal),
    ("addcmul", "result", lambda x, a, b, value=1: x + arith.scale(a * b, value)),
    ("addcdiv", "result", lambda x, a, b, value=1: x + arith.scale(a / b, value)),
    ("lerp", "result", arith.interpolate),
    ("maximum", "result", maximum),
    ("minimum", "result", minimum),
    ("fmax", "result", lambda x, y: where(mf.is_nan(x), y, where(mf.is_nan(y), x, maximum(x, y)))),
    ("fmin", "result", lambda x, y: where(mf.is_nan(x), y, where(mf.is_nan(y), x, minimum(x, y)))),
    ("clamp", "result", arith.clamp),
    ("clamp_min", "result", lambda x, min: maximum(x, min)),
    ("clamp_max", "result", lambda x, max: minimum(x, max)),
    ("sign", "result", arith.sign),
    ("sgn", "result", arith.sign),
    ("pow", "result", arith.raise_to_power),
    ("hypot", "result", arith.hypotenuse),
    ("copysign", "float", mf.copy_sign),
    # exponentials and logarithms
    ("exp", "float", _unary("exp")),
    ("exp2", "float", arith.exp2),
    ("expm1", "float", mf.expm1),
    ("log", "float", _unary("log")),
    ("log2", "float", _unary("log2")),
    ("log10", "float", lambda x: call("log", x) * (1.0 / math.log(10.0))),
    ("log1p", "float", mf.log1p),
    ("logaddexp", "float", mf.log_add_exp),
    ("xlogy", "float", arith.x_log_y),
    ("logit", "float", arith.logit),
    ("sqrt", "float", _unary("sqrt")),
    ("rsqrt", "float", _unary("rsqrt")),
    ("erf", "float", _unary("erf")),
    ("erfc", "float", mf.erfc),
    # trigonometric and hyperbolic
    ("sin", "float", _unary("sin")),
    ("cos", "float", _unary("cos")),
    ("tan", "float", mf.tan),
    ("asin", "float", mf.asin),
    ("acos", "float", mf.acos),
    ("atan", "float", mf.atan),
    ("atan2", "float", mf.atan2),
    ("sinh", "float", mf.sinh),
    ("cosh", "float", mf.cosh),
    ("tanh", "float", mf.tanh),
    ("asinh", "float", mf.asinh),
    ("acosh", "float", mf.acosh),
    ("atanh", "float", mf.atanh),
    ("sinc", "float", arith.sinc),
    # rounding
    ("floor", "result", arith.on_floats(_unary("floor"))),
    ("ceil", "result", arith.on_floats(_unary("ceil"))),
    ("trunc", "result", arith.on_floats(mf.truncate)),
    ("round", "result", arith.round_decimals),
    ("frac", "result", lambda x: x - mf.truncate(x)),
    # activations
    ("relu", "result", lambda x: maximum(x, mf.zero_of(x))),
    ("relu6", "result", lambda x: act.hard_tanh(x, 0.0, 6.0)),
    ("sigmoid", "float", mf.sigmoid),
    ("silu", "result", lambda x: x * mf.sigmoid(x)),
    ("gelu", "result", act.gelu),
    ("softplus", "result", act.softplus),
    ("mish", "result", lambda x: x * mf.tanh(act.softplus(x))),
    ("elu", "result", act.elu),
    ("selu", "result", lambda x: act.elu(x, act.SELU_ALPHA, act.SELU_SCALE)),
    ("celu", "result", lambda x, alpha=1.0: act.elu(x, alpha, 1.0, 1.0 / alpha)),
    ("leaky_relu", "result", lambda x, negative_slope=0.01: where(x > 0.0, x, x * negative_slope)),
    ("_prelu_kernel", "result", lambda x, weight: where(x > 0.0, x, x * weight)),
    ("hardtanh", "result", act.hard_tanh),
    ("hardsigmoid", "result", act.hard_sigmoid),
    ("hardswish", "result", lambda x: x * act.hard_sigmoid(x)),
    ("hardshrink", "result", lambda x, lambd=0.5: where((x >= -lambd) & (x <= lambd), 0.0, x)),
    (
        "softshrink",
        "result",
        lambda x, lambd=0.5: where(x > lambd, x - lambd, where(x < -lambd, x + lambd, x * 0.0)),
    ),
    ("threshold", "result", lambda x, threshold, value: where(x <= threshold, value, x)),
    # comparisons and tests
    ("eq", "operands", _compare("eq")),
    ("ne", "operands", _compare("ne")),
    ("lt", "operands", _compare("lt")),
    ("le", "operands", _compare("le")),
    ("gt", "operands", _compare("gt")),
    ("ge", "operands", _compare("ge")),
    ("isnan", "none", _nan_test(mf.is_nan, False)),
    ("isinf", "none", _nan_test(mf.is_infinite, False)),
    ("isfinite", "none", _nan_test(lambda x: mf.absolute(x) < mf.INFINITY, True)),
    ("isposinf", "none", _nan_test(lambda x: emit("eq", x, mf.INFINITY), False)),
    ("isneginf", "none", _nan_test(lambda x: emit("eq", x, -mf.INFINITY), False)),
    ("signbit", "none", lambda x: mf.sign_bit(x) if x.held_dtype == "float32" else x < 0),
    ("heaviside", "result", arith.heaviside),
    ("nan_to_num", "result", _nan_to_num),
    # logical and bitwise
    ("logical_and", "bool", _compare("and")),
    ("logical_or", "bool", _compare("or")),
    ("logical_xor", "bool", _compare("xor")),
    ("logical_not", "bool", _unary("not")),
    ("bitwise_and", "bits", _compare("and")),
    ("bitwise_or", "bits", _compare("or")),
    ("bitwise_xor", "bits", _compare("xor")),
    ("bitwise_not", "bits", _unary("not")),
    ("__and__", "bits", _compare("and")),
    ("__or__", "bits", _compare("or")),
    ("__xor__", "bits", _compare("xor")),
    ("bitwise_left_shift", "bits", _compare("shl")),
    ("bitwise_right_shift", "bits", _compare("shr")),
    ("__lshift__", "bits", _compare("shl")),
    ("__rshift__", "bits", _compare("shr")),
    # copies
    ("clone", "none", _identity),
    ("alias", "none", _identity),
    ("detach", "none", _identity),
    ("lift_fresh_copy", "none", _identity),
)

POINTWISE_RULES = {name: PointwiseRule(promotion, function) for name, promotion, function in _ROWS}
