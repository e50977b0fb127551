"""What each pointwise ATen op means, as a table: name, how operands are promoted, and a short expression.

Promotion, before the expression sees its operands:
    result    to the dtype of the op's result; 8- and 16-bit integers and bools are computed in int32 and wrap at the end
    bits      to the dtype of the op's result, as it is
    float     to float32 (or the result's 16-bit float, which is held in float32)
    operands  to the operands' common dtype, narrow integers and bools to int32
    bool      to bool
    none      left alone
The expression's own result is converted to the dtype of the op's result afterwards. Gradients of activations are
in `pointwise_gradients`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.dtypes import compute_dtype, dtype_of_number, is_float, promote_dtypes
from npu_autokernel.tile.expression import (
    LoweringError,
    Number,
    Value,
    call,
    convert,
    emit,
    maximum,
    minimum,
    where,
)
from npu_autokernel.tile.lowering import LoweringContext, finish

Promotion = Literal["result", "bits", "float", "operands", "bool", "none"]
Operand = Any
SQRT_2_OVER_PI = math.sqrt(2.0 / math.pi)
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946
NARROW_DTYPES = ("bool", "uint8", "int8", "int16")
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}


@dataclass(frozen=True)
class PointwiseRule:
    """One row: how operands are promoted and the expression over them."""

    promotion: Promotion
    expression: Callable[..., Value]


def lower_pointwise(
    rule: PointwiseRule, context: LoweringContext, op: OpCall, *arguments: Any, **keywords: Any
) -> Value:
    """Align the operands, promote them, apply the row's expression, convert to the op's result."""
    operands = [item for item in (*arguments, *keywords.values()) if isinstance(item, Value)]
    dimensions = context.axes.align([operand.dimensions for operand in operands])
    dtype = _choose_dtype(rule.promotion, op, [*arguments, *keywords.values()])
    arguments = tuple(_promote(item, dtype) for item in arguments)
    keywords = {name: _promote(item, dtype) for name, item in keywords.items()}
    return finish(rule.expression(*arguments, **keywords), op, 0, dimensions)


def _choose_dtype(promotion: Promotion, op: OpCall, operands: Sequence[Any]) -> str | None:
    if promotion == "none":
        return None
    if promotion == "bool":
        return "bool"
    result = op.results[0].dtype
    if promotion == "bits":
        return result
    if promotion == "float":
        return result if is_float(result) else "float32"
    common = result if promotion == "result" else _common_dtype(operands)
    return "int32" if common in NARROW_DTYPES else common


def _common_dtype(operands: Sequence[Any]) -> str:
    values = [item for item in operands if isinstance(item, Value)]
    numbers = [item for item in operands if isinstance(item, (bool, int, float))]
    strong = [value.dtype for value in values if value.dimensions]
    weak = [value.dtype for value in values if not value.dimensions]
    return promote_dtypes(promote_weak(strong, weak), [dtype_of_number(item) for item in numbers])


def promote_weak(strong: Sequence[str], weak: Sequence[str]) -> list[str]:
    """The dtype of tensors with dimensions and 0-d tensors together, as a list of at most one."""
    return [promote_dtypes(strong, weak)] if strong or weak else []


def _promote(item: Any, dtype: str | None) -> Any:
    if dtype is None:
        return item
    if isinstance(item, Value):
        return convert(item, dtype)
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        if compute_dtype(dtype) == "float32":
            return float(item)
        return bool(item) if dtype == "bool" else item
    if isinstance(item, bool) and compute_dtype(dtype) != "bool":
        return int(item)
    return item


def _add(x: Operand, y: Operand, alpha: Number = 1) -> Value:
    return x + scale(y, alpha) if isinstance(x, Value) else scale(y, alpha) + x


def _subtract(x: Operand, y: Operand, alpha: Number = 1) -> Value:
    return x - scale(y, alpha)


def scale(value: Operand, factor: Number) -> Operand:
    """`value * factor`, without a step where the factor is 1."""
    return value if factor == 1 else value * factor


def _divide(x: Operand, y: Operand, rounding_mode: str | None = None) -> Value:
    if rounding_mode is None:
        return _true_divide(x, y)
    if _held(x, y) != "float32":
        return _divide_integers(x, y, rounding_mode)
    if rounding_mode == "trunc":
        return mf.truncate(_true_divide(x, y))
    return _floor_divide_floats(x, y)


def _true_divide(x: Operand, y: Operand) -> Value:
    if isinstance(y, float) and y != 0.0 and math.frexp(abs(y))[0] == 0.5:
        return x * (1.0 / y)
    return x / y


def _held(*operands: Operand) -> str:
    return next(item.held_dtype for item in operands if isinstance(item, Value))


def _floor_divide(x: Operand, y: Operand) -> Value:
    return _divide(x, y, "floor")


def _divide_integers(x: Operand, y: Operand, rounding_mode: str) -> Value:
    quotient, rest = mf.integer_floor_divide(*_check_integers(x, y))
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
    rest = mf.float_modulo(x, y)
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


def _modulo(x: Operand, y: Operand) -> Value:
    """fmod: the rest has the sign of x."""
    if _held(x, y) == "float32":
        x = x if isinstance(x, Value) else convert_number_like(x, y)
        return mf.float_modulo(x, y)
    x, y = _check_integers(x, y)
    _, rest = mf.integer_floor_divide(x, y)
    return where(emit("ne", rest, 0) & ((x < 0) ^ (rest < 0)), rest - y, rest)


def _remainder(x: Operand, y: Operand) -> Value:
    """remainder: the rest has the sign of y."""
    if _held(x, y) == "float32":
        x, y = _as_values(x, y)
        rest = mf.float_modulo(x, y)
        return where(emit("ne", rest, 0.0) & ((rest < 0.0) ^ (y < 0.0)), rest + y, rest)
    return mf.integer_floor_divide(*_check_integers(x, y))[1]


def _power(base: Operand, exponent: Operand) -> Value:
    if _held(base, exponent) == "float32":
        return mf.power(base, exponent)
    if isinstance(exponent, int) and exponent >= 0 and isinstance(base, Value):
        return mf.integer_power(base, exponent)
    raise LoweringError("draft.unsupported_argument", op="aten.pow", detail="integer powers")


def _clamp(x: Value, min: Operand = None, max: Operand = None) -> Value:
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


def gelu_cdf(x: Value) -> Value:
    """The normal distribution function: what exact GELU multiplies by."""
    return (call("erf", x * mf.SQRT_HALF) + 1.0) * 0.5


def _gelu(x: Value, approximate: str = "none") -> Value:
    if approximate == "none":
        return x * gelu_cdf(x)
    inner = (x * x * 0.044715 + 1.0) * x * SQRT_2_OVER_PI
    return x * mf.sigmoid(inner * 2.0)


def _softplus(x: Value, beta: Number = 1, threshold: Number = 20) -> Value:
    scaled = scale(x, beta)
    smooth = mf.log1p(call("exp", scaled))
    return where(scaled > threshold, x, smooth if beta == 1 else smooth / float(beta))


def log_sigmoid(x: Value) -> Value:
    return minimum(x, 0.0) - mf.log1p(call("exp", -mf.absolute(x)))


def _elu(x: Value, alpha: Number = 1.0, scale: Number = 1.0, input_scale: Number = 1.0) -> Value:
    inner = x if input_scale == 1 else x * input_scale
    negative = mf.expm1(inner) * (alpha * scale)
    return where(x > 0.0, x if scale == 1 else x * scale, negative)


def _hardtanh(x: Value, min_val: Number = -1.0, max_val: Number = 1.0) -> Value:
    return minimum(maximum(x, min_val), max_val)


def hard_sigmoid(x: Value) -> Value:
    return minimum(maximum(x + 3.0, 0.0), 6.0) * (1.0 / 6.0)


def _round(x: Value, decimals: int = 0) -> Value:
    if decimals:
        raise LoweringError("draft.unsupported_argument", op="aten.round", detail="decimals")
    return x if x.held_dtype != "float32" else mf.round_half_even(x)


def _float_only(function: Callable[[Value], Value]) -> Callable[[Value], Value]:
    """For rounding: integers are whole already."""
    return lambda x: function(x) if x.held_dtype == "float32" else x


def _sign(x: Value) -> Value:
    zero = mf.zero_of(x)
    one = 1.0 if x.held_dtype == "float32" else 1
    return where(x > zero, *_alike(x, one, where(x < zero, *_alike(x, -one, zero))))


def _alike(x: Value, chosen: Operand, other: Operand) -> tuple[Operand, Operand]:
    """A pair for `where` whose dtype is that of x."""
    return convert_number_like(chosen, x), other


def _nan_test(kind: Callable[[Value], Value], otherwise: bool) -> Callable[[Value], Value]:
    def test(x: Value) -> Value:
        if x.held_dtype == "float32":
            return kind(x)
        return Value(x.steps, otherwise, "bool")

    return test


def _nan_to_num(x: Value, nan: Operand = None, posinf: Operand = None, neginf: Operand = None) -> Value:
    if x.held_dtype != "float32":
        return x
    largest = LARGEST[x.dtype]
    high = largest if posinf is None else posinf
    low = -largest if neginf is None else neginf
    finite = where(emit("eq", x, mf.INFINITY), high, where(emit("eq", x, -mf.INFINITY), low, x))
    return where(mf.is_nan(x), nan or 0.0, finite)


def _lerp(start: Value, end: Value, weight: Operand) -> Value:
    if not isinstance(weight, Value):
        return start + (end - start) * weight if abs(weight) < 0.5 else end - (end - start) * (1 - weight)
    near = start + weight * (end - start)
    return where(mf.absolute(weight) < 0.5, near, end - (end - start) * (1.0 - weight))


def _xlogy(x: Operand, y: Operand) -> Value:
    x, y = _as_values(x, y)
    product = where(emit("eq", x, 0.0), 0.0, x * call("log", y))
    return where(mf.is_nan(y), mf.NAN, product)


def _logit(x: Value, eps: Number | None = None) -> Value:
    if eps is not None:
        x = minimum(maximum(x, eps), 1.0 - eps)
    return call("log", x / (1.0 - x))


def _hypot(x: Value, y: Value) -> Value:
    """Scaled by the larger side so that squares neither overflow nor vanish."""
    high, low = maximum(mf.absolute(x), mf.absolute(y)), minimum(mf.absolute(x), mf.absolute(y))
    ratio = low / where(emit("eq", high, 0.0), 1.0, high)
    result = high * call("sqrt", ratio * ratio + 1.0)
    return where(mf.is_infinite(x) | mf.is_infinite(y), mf.INFINITY, result)


def _heaviside(x: Value, values: Value) -> Value:
    return where(emit("eq", x, 0.0), values, where(x > 0.0, 1.0, 0.0))


def _sinc(x: Value) -> Value:
    angle = x * math.pi
    return where(emit("eq", x, 0.0), 1.0, call("sin", angle) / angle)


def _exp2(x: Value) -> Value:
    """2 to the fractional part by the chip, to the whole part by two exact scalings."""
    whole = call("floor", minimum(maximum(x, -200.0), 200.0))
    half = call("floor", whole * 0.5)
    fraction = call("exp", (x - whole) * mf.LN_2)
    return fraction * _two_to(half) * _two_to(whole - half)


def _two_to(whole: Value) -> Value:
    bits = (emit("to_int32", whole, dtype="int32") + 127) << 23
    return emit("float32_of_bits", bits, dtype="float32")


def _identity(x: Value, **_: Any) -> Value:
    return x


def _unary(op: str) -> Callable[[Value], Value]:
    return lambda x: emit(op, x)


def _compare(op: str) -> Callable[[Operand, Operand], Value]:
    return lambda x, y: emit(op, x, y)


_ROWS: tuple[tuple[str, Promotion, Callable[..., Any]], ...] = (
    # arithmetic
    ("add", "result", _add),
    ("sub", "result", _subtract),
    ("rsub", "result", lambda x, y, alpha=1: y - scale(x, alpha)),
    ("mul", "result", lambda x, y: emit("mul", x, y)),
    ("div", "result", _divide),
    ("true_divide", "float", _true_divide),
    ("floor_divide", "result", _floor_divide),
    ("fmod", "result", _modulo),
    ("remainder", "result", _remainder),
    ("neg", "result", lambda x: -x),
    ("abs", "result", mf.absolute),
    ("square", "result", lambda x: x * x),
    ("reciprocal", "float", mf.reciprocal),
    ("addcmul", "result", lambda x, a, b, value=1: x + scale(a * b, value)),
    ("addcdiv", "result", lambda x, a, b, value=1: x + scale(a / b, value)),
    ("lerp", "result", _lerp),
    ("maximum", "result", maximum),
    ("minimum", "result", minimum),
    ("fmax", "result", lambda x, y: where(mf.is_nan(x), y, where(mf.is_nan(y), x, maximum(x, y)))),
    ("fmin", "result", lambda x, y: where(mf.is_nan(x), y, where(mf.is_nan(y), x, minimum(x, y)))),
    ("clamp", "result", _clamp),
    ("clamp_min", "result", lambda x, min: maximum(x, min)),
    ("clamp_max", "result", lambda x, max: minimum(x, max)),
    ("sign", "result", _sign),
    ("sgn", "result", _sign),
    ("pow", "result", _power),
    ("hypot", "result", _hypot),
    ("copysign", "float", mf.copy_sign),
    # exponentials and logarithms
    ("exp", "float", _unary("exp")),
    ("exp2", "float", _exp2),
    ("expm1", "float", mf.expm1),
    ("log", "float", _unary("log")),
    ("log2", "float", _unary("log2")),
    ("log10", "float", lambda x: call("log", x) * (1.0 / math.log(10.0))),
    ("log1p", "float", mf.log1p),
    ("logaddexp", "float", mf.log_add_exp),
    ("xlogy", "float", _xlogy),
    ("logit", "float", _logit),
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
    ("sinc", "float", _sinc),
    # rounding
    ("floor", "result", _float_only(_unary("floor"))),
    ("ceil", "result", _float_only(_unary("ceil"))),
    ("trunc", "result", _float_only(mf.truncate)),
    ("round", "result", _round),
    ("frac", "result", lambda x: x - mf.truncate(x)),
    # activations
    ("relu", "result", lambda x: maximum(x, mf.zero_of(x))),
    ("relu6", "result", lambda x: _hardtanh(x, 0.0, 6.0)),
    ("sigmoid", "float", mf.sigmoid),
    ("silu", "result", lambda x: x * mf.sigmoid(x)),
    ("gelu", "result", _gelu),
    ("softplus", "result", _softplus),
    ("mish", "result", lambda x: x * mf.tanh(_softplus(x))),
    ("elu", "result", _elu),
    ("selu", "result", lambda x: _elu(x, SELU_ALPHA, SELU_SCALE)),
    ("celu", "result", lambda x, alpha=1.0: _elu(x, alpha, 1.0, 1.0 / alpha)),
    ("leaky_relu", "result", lambda x, negative_slope=0.01: where(x > 0.0, x, x * negative_slope)),
    ("_prelu_kernel", "result", lambda x, weight: where(x > 0.0, x, x * weight)),
    ("hardtanh", "result", _hardtanh),
    ("hardsigmoid", "result", hard_sigmoid),
    ("hardswish", "result", lambda x: x * hard_sigmoid(x)),
    ("hardshrink", "result", lambda x, lambd=0.5: where((x >= -lambd) & (x <= lambd), 0.0, x)),
    (
        "softshrink",
        "result",
        lambda x, lambd=0.5: where(
            x > lambd, x - lambd, where(x < -lambd, x + lambd, x * 0.0)
        ),
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
    ("heaviside", "result", _heaviside),
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


def lower_where(
    context: LoweringContext, op: OpCall, condition: Value, chosen: Operand, other: Operand
) -> Value:
    """torch.where: the condition is a bool, the branches are converted to the result's dtype."""
    operands = [item for item in (condition, chosen, other) if isinstance(item, Value)]
    dimensions = context.axes.align([operand.dimensions for operand in operands])
    dtype = op.results[0].dtype
    branches = [
        item if isinstance(item, Value) else context.constant(item, dtype) for item in (chosen, other)
    ]
    chosen, other = (convert(item, dtype) for item in branches)
    if not isinstance(chosen.operand, str) and not isinstance(other.operand, str):
        chosen = convert_number_like(chosen.operand, chosen)
    return finish(where(convert(condition, "bool"), chosen, other), op, 0, dimensions)


def lower_log_sigmoid(context: LoweringContext, op: OpCall, x: Value) -> tuple[Value, ...]:
    """log(sigmoid(x)), and the buffer exp(-|x|) that the CPU keeps for the gradient."""
    value = convert(x, "float32")
    results = (log_sigmoid(value), call("exp", -mf.absolute(value)))
    return tuple(finish(item, op, number, x.dimensions) for number, item in enumerate(results))


def lower_masked_fill(
    context: LoweringContext, op: OpCall, value: Value, mask: Value, fill: Operand
) -> Value:
    return lower_where(context, op, mask, fill, value)


def lower_conversion(
    context: LoweringContext, op: OpCall, value: Value, dtype: str | None = None, **_: Any
) -> Value:
    """An explicit conversion in the graph: rounds to 16 bits where it says so."""
    target = dtype or op.results[0].dtype
    return convert(value, target, is_rounded=True)


def lower_full(
    context: LoweringContext, op: OpCall, size: Sequence[Any], fill: Operand, **_: Any
) -> Value:
    dimensions = context.axes.add_dimensions(op.results[0].sizes)
    return _fill(context, op, fill, dimensions)


def lower_full_like(
    context: LoweringContext, op: OpCall, like: Value, fill: Operand = None, **_: Any
) -> Value:
    constants = {"zeros_like": 0, "ones_like": 1}
    name = op.target.split(".")[1]
    return _fill(context, op, constants.get(name, fill), like.dimensions)


def lower_filled(context: LoweringContext, op: OpCall, size: Sequence[Any], **_: Any) -> Value:
    """zeros, ones."""
    number = 1 if op.target.split(".")[1] == "ones" else 0
    return _fill(context, op, number, context.axes.add_dimensions(op.results[0].sizes))


def lower_scalar_tensor(context: LoweringContext, op: OpCall, number: Operand, **_: Any) -> Value:
    return _fill(context, op, number, ())


def _fill(
    context: LoweringContext, op: OpCall, number: Operand, dimensions: tuple[int | None, ...]
) -> Value:
    dtype = op.results[0].dtype
    if isinstance(number, Value):
        return finish(number, op, 0, dimensions)
    if not isinstance(number, (bool, int, float)):
        raise LoweringError("draft.unsupported_argument", op=op.target, detail="the fill value")
    return context.constant(number, dtype, dimensions)


POINTWISE_LOWERINGS = {
    "where": lower_where,
    "log_sigmoid_forward": lower_log_sigmoid,
    "masked_fill": lower_masked_fill,
    "_to_copy": lower_conversion,
    "to": lower_conversion,
    "convert_element_type": lower_conversion,
    "full": lower_full,
    "full_like": lower_full_like,
    "zeros_like": lower_full_like,
    "ones_like": lower_full_like,
    "fill": lower_full_like,
    "zeros": lower_filled,
    "ones": lower_filled,
    "scalar_tensor": lower_scalar_tensor,
}
