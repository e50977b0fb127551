"""Reductions over any dimensions: sums, means, extrema with and without indices, variance, norms, any and all.

All are made of sum, product, maximum and minimum over the reduced axes. Variance takes two passes (the mean first,
then squared distances), which loses nothing where mean and spread differ by orders of magnitude. Extrema propagate
NaN and their index is the first one, as on the CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.expression import (
    LoweringError,
    Number,
    Value,
    call,
    convert,
    emit,
    where,
)
from npu_autokernel.tile.lowering import Lowered, Lowering, LoweringContext, finish
from npu_autokernel.tile.powers import power
from npu_autokernel.tile.program import SizeOperand

Dims = Sequence[int] | int | None
NO_INDEX = 2**31 - 1


def lower_sum(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: str | None = None,
) -> Value:
    """Floats add in float32, integers in int64 (as the result), bools are counted in int32."""
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    held = "int32" if x.dtype == "bool" else op.results[0].dtype
    return finish(context.reduce("sum", convert(x, held), axes), op, 0, dimensions)


def lower_mean(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: str | None = None,
) -> Value:
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    return finish(mean_over(context, convert(x, op.results[0].dtype), axes), op, 0, dimensions)


def mean_over(context: LoweringContext, x: Value, axes: Sequence[int]) -> Value:
    """The mean of `x` over `axes`."""
    total = context.reduce("sum", x, axes)
    return total / context.count(x, axes) if axes else total


def variance_over(
    context: LoweringContext, x: Value, axes: Sequence[int], correction: int
) -> tuple[Value, Value]:
    """Variance and mean over `axes`; the divisor is the count less `correction`, at least 0."""
    mean = mean_over(context, x, axes)
    distance = x - mean
    total = context.reduce("sum", distance * distance, axes)
    count = context.count_expression(axes)
    divisor = count if correction == 0 else f"max({count} - {correction}, 0)"
    if not axes:
        divisor = str(max(1 - correction, 0))
    return emit("div", total, Value(x.steps, SizeOperand(divisor), "float32")), mean


def running_mean(mean: Value, inverse: Value) -> Value:
    """The mean as torch's running formula gives it: NaN for a row that holds an infinity.

    `inverse`, a reciprocal root of variance plus something positive, is NaN in exactly those rows.
    """
    return mean + (inverse - inverse)


def _correction(op: OpCall, unbiased: bool, correction: Any) -> int:
    if correction is None:
        return 1 if unbiased else 0
    if isinstance(correction, (int, float)) and float(correction).is_integer():
        return int(correction)
    raise LoweringError("draft.unsupported_argument", op=op.target, detail="correction")


def lower_variance(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    dim: Dims = None,
    unbiased: bool = True,
    keepdim: bool = False,
    correction: Any = None,
) -> Lowered:
    """var, std, var_mean and std_mean."""
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    variance, mean = variance_over(
        context, convert(x, "float32"), axes, _correction(op, unbiased, correction)
    )
    name = op.target.split(".")[1]
    spread = call("sqrt", variance) if name.startswith("std") else variance
    first = finish(spread, op, 0, dimensions)
    if not name.endswith("_mean"):
        return first
    mean = running_mean(mean, call("rsqrt", variance + 1.0))
    return first, finish(mean, op, 1, dimensions)


def extremum_over(context: LoweringContext, kind: str, x: Value, axes: Sequence[int]) -> Value:
    """Maximum or minimum over `axes`, NaN where any element is; bools are ordered as 0 and 1."""
    if x.held_dtype == "bool":
        x = convert(x, "int32")
    extremum = context.reduce(kind, x, axes)
    if x.held_dtype != "float32" or not axes:
        return extremum
    has_nan = context.reduce("max", where(mf.is_nan(x), 1.0, 0.0), axes)
    return where(has_nan > 0.0, mf.NAN, extremum)


def index_over(context: LoweringContext, x: Value, extremum: Value, axes: Sequence[int]) -> Value:
    """The first index over `axes` at which `x` is its extremum, or NaN if there is one."""
    if not axes:
        return Value(x.steps, 0, "int32")
    if x.held_dtype == "bool":
        x = convert(x, "int32")
    is_hit = emit("eq", x, extremum)
    if x.held_dtype == "float32":
        is_hit = is_hit | mf.is_nan(x)
    index = Value(x.steps, x.steps.add_compute("index", (), "int32"), "int32")
    return context.reduce("min", where(is_hit, index, NO_INDEX), axes)


def lower_extremum(
    context: LoweringContext, op: OpCall, x: Value, dim: Dims = None, keepdim: bool = False
) -> Lowered:
    """amax, amin, and max or min: alone over all dimensions, with indices over one."""
    kind = "max" if "max" in op.target.split(".")[1] else "min"
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    extremum = extremum_over(context, kind, x, axes)
    values = finish(extremum, op, 0, dimensions)
    if len(op.results) == 1:
        return values
    return values, finish(index_over(context, x, extremum, axes), op, 1, dimensions)


def lower_max(
    context: LoweringContext, op: OpCall, x: Value, other: Any = None, keepdim: bool = False
) -> Lowered:
    """max and min: of two tensors, or a reduction."""
    if isinstance(other, Value):
        dimensions = context.axes.align([x.dimensions, other.dimensions])
        dtype = op.results[0].dtype
        kind = op.target.split(".")[1]
        return finish(emit(kind, convert(x, dtype), convert(other, dtype)), op, 0, dimensions)
    return lower_extremum(context, op, x, other, keepdim)


def lower_extremum_index(
    context: LoweringContext, op: OpCall, x: Value, dim: Dims = None, keepdim: bool = False
) -> Value:
    """argmax and argmin."""
    kind = op.target.split(".")[1][3:]
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    extremum = extremum_over(context, kind, x, axes)
    return finish(index_over(context, x, extremum, axes), op, 0, dimensions)


def lower_aminmax(
    context: LoweringContext, op: OpCall, x: Value, dim: Dims = None, keepdim: bool = False
) -> Lowered:
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    return tuple(
        finish(extremum_over(context, kind, x, axes), op, number, dimensions)
        for number, kind in enumerate(("min", "max"))
    )


def lower_any_all(
    context: LoweringContext, op: OpCall, x: Value, dim: Dims = None, keepdim: bool = False
) -> Value:
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    kind = "max" if op.target.split(".")[1] == "any" else "min"
    found = where(convert(x, "bool"), 1.0, 0.0)
    return finish(context.reduce(kind, found, axes) > 0.5, op, 0, dimensions)


def lower_product(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: str | None = None,
) -> Value:
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    value = convert(x, op.results[0].dtype)
    if value.held_dtype == "int64":
        raise LoweringError("draft.unsupported_dtype", op=op.target, dtype="int64")
    return finish(context.reduce("prod", value, axes), op, 0, dimensions)


def lower_logsumexp(
    context: LoweringContext, op: OpCall, x: Value, dim: Dims = None, keepdim: bool = False
) -> Value:
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    value = convert(x, "float32")
    high = context.reduce("max", value, axes)
    shift = where(mf.is_infinite(high), 0.0, high)
    total = context.reduce("sum", call("exp", value - shift), axes)
    return finish(call("log", total) + shift, op, 0, dimensions)


def lower_vector_norm(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    ord: Number = 2,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: str | None = None,
) -> Value:
    axes, dimensions = context.reduced_dimensions(x, dim, keepdim)
    size = mf.absolute(convert(x, "float32"))
    return finish(
        _norm_over(context, size, float(2 if ord is None else ord), axes), op, 0, dimensions
    )


def _norm_over(context: LoweringContext, size: Value, order: float, axes: Sequence[int]) -> Value:
    if order == mf.INFINITY:
        return extremum_over(context, "max", size, axes)
    if order == -mf.INFINITY:
        return extremum_over(context, "min", size, axes)
    if order == 0.0:
        return context.reduce("sum", where(emit("ne", size, 0.0), 1.0, 0.0), axes)
    if order == 1.0:
        return context.reduce("sum", size, axes)
    total = context.reduce("sum", power(size, order), axes)
    return power(total, 1.0 / order)


REDUCTION_LOWERINGS: dict[str, Lowering] = {
    "sum": lower_sum,
    "mean": lower_mean,
    "var": lower_variance,
    "std": lower_variance,
    "var_mean": lower_variance,
    "std_mean": lower_variance,
    "amax": lower_extremum,
    "amin": lower_extremum,
    "max": lower_max,
    "min": lower_max,
    "aminmax": lower_aminmax,
    "argmax": lower_extremum_index,
    "argmin": lower_extremum_index,
    "any": lower_any_all,
    "all": lower_any_all,
    "prod": lower_product,
    "logsumexp": lower_logsumexp,
    "linalg_vector_norm": lower_vector_norm,
    "norm": lower_vector_norm,
}
