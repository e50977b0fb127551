"""Softmax and its relatives: the maximum is subtracted first, so no exponential overflows."""

from __future__ import annotations

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.expression import Value, call, convert, emit, where
from npu_autokernel.tile.lowering import Lowering, LoweringContext, finish


def lower_softmax(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    dim: int,
    half_to_float: bool | str | None = False,
) -> Value:
    axes, _ = context.reduced_dimensions(x, dim, True)
    value = convert(x, "float32")
    high = context.reduce("max", value, axes)
    raised = call("exp", value - high)
    total = context.reduce("sum", raised, axes)
    return finish(raised * (1.0 / total), op, 0, x.dimensions)


def lower_safe_softmax(
    context: LoweringContext, op: OpCall, x: Value, dim: int, dtype: str | None = None
) -> Value:
    """Softmax that is 0 along rows that are all -inf."""
    axes, _ = context.reduced_dimensions(x, dim, True)
    value = convert(x, "float32")
    high = context.reduce("max", value, axes)
    shift = where(emit("eq", high, -mf.INFINITY), 0.0, high)
    raised = call("exp", value - shift)
    total = context.reduce("sum", raised, axes)
    scaled = raised * (1.0 / where(emit("eq", total, 0.0), 1.0, total))
    return finish(scaled, op, 0, x.dimensions)


def lower_log_softmax(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    dim: int,
    half_to_float: bool | str | None = False,
) -> Value:
    axes, _ = context.reduced_dimensions(x, dim, True)
    value = convert(x, "float32")
    shifted = value - context.reduce("max", value, axes)
    total = context.reduce("sum", call("exp", shifted), axes)
    return finish(shifted - call("log", total), op, 0, x.dimensions)


def lower_softmax_gradient(
    context: LoweringContext, op: OpCall, gradient: Value, output: Value, dim: int, input_dtype: str
) -> Value:
    dimensions = context.axes.align([gradient.dimensions, output.dimensions])
    axes, _ = context.reduced_dimensions(output, dim, True)
    weight = convert(output, "float32")
    slope = convert(gradient, "float32")
    total = context.reduce("sum", slope * weight, axes)
    return finish((slope - total) * weight, op, 0, dimensions)


def lower_log_softmax_gradient(
    context: LoweringContext, op: OpCall, gradient: Value, output: Value, dim: int, input_dtype: str
) -> Value:
    dimensions = context.axes.align([gradient.dimensions, output.dimensions])
    axes, _ = context.reduced_dimensions(output, dim, True)
    slope = convert(gradient, "float32")
    total = context.reduce("sum", slope, axes)
    return finish(slope - call("exp", convert(output, "float32")) * total, op, 0, dimensions)


SOFTMAX_LOWERINGS: dict[str, Lowering] = {
    "_softmax": lower_softmax,
    "softmax": lower_softmax,
    "_safe_softmax": lower_safe_softmax,
    "_log_softmax": lower_log_softmax,
    "log_softmax": lower_log_softmax,
    "_softmax_backward_data": lower_softmax_gradient,
    "_log_softmax_backward_data": lower_log_softmax_gradient,
}
