"""Pointwise ops whose operands are promoted one by one: selection, explicit conversions, constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.activations import log_sigmoid
from npu_autokernel.tile.arithmetic import convert_number_like
from npu_autokernel.tile.expression import LoweringError, Value, call, convert, where
from npu_autokernel.tile.lowering import Lowering, LoweringContext, finish

Operand = Any


def lower_where(
    context: LoweringContext, op: OpCall, condition: Value, chosen: Operand, other: Operand
) -> Value:
    """torch.where: the condition is a bool, the branches are converted to the result's dtype."""
    operands = [item for item in (condition, chosen, other) if isinstance(item, Value)]
    dimensions = context.axes.align([operand.dimensions for operand in operands])
    dtype = op.results[0].dtype
    branches = [
        item if isinstance(item, Value) else context.constant(item, dtype)
        for item in (chosen, other)
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


def lower_copy(
    context: LoweringContext, op: OpCall, target: Value, source: Value, *_: Any, **__: Any
) -> Value:
    """`source` in the shape and dtype of `target`, whose values nobody reads."""
    return finish(source, op, 0, context.axes.align([target.dimensions, source.dimensions]))


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


CONVERSION_LOWERINGS: dict[str, Lowering] = {
    "where": lower_where,
    "log_sigmoid_forward": lower_log_sigmoid,
    "masked_fill": lower_masked_fill,
    "_to_copy": lower_conversion,
    "to": lower_conversion,
    "convert_element_type": lower_conversion,
    "copy": lower_copy,
    "full": lower_full,
    "full_like": lower_full_like,
    "zeros_like": lower_full_like,
    "ones_like": lower_full_like,
    "fill": lower_full_like,
    "zeros": lower_filled,
    "ones": lower_filled,
    "scalar_tensor": lower_scalar_tensor,
}
