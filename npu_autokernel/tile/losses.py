"""Losses of two operands: a pointwise distance, then nothing, its mean or its sum over everything."""

from __future__ import annotations

from collections.abc import Callable

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile import math_functions as mf
from npu_autokernel.tile.expression import Number, Value, convert, where, with_dimensions
from npu_autokernel.tile.lowering import Lowering, LoweringContext, finish


def _loss(elementwise: Callable[..., Value]) -> Lowering:
    """A pointwise loss of two operands, then none (0), mean (1) or sum (2) over everything."""

    def lower(
        context: LoweringContext,
        op: OpCall,
        x: Value,
        target: Value,
        reduction: int = 1,
        *parameters: Number,
        **named: Number,
    ) -> Value:
        dimensions = context.axes.align([x.dimensions, target.dimensions])
        value = elementwise(convert(x, "float32"), convert(target, "float32"), *parameters, **named)
        if reduction == 0:
            return finish(value, op, 0, dimensions)
        whole = with_dimensions(value, dimensions)
        axes, scalar = context.reduced_dimensions(whole, None, False)
        total = context.reduce("sum", whole, axes)
        if reduction == 1 and axes:
            total = total / context.count(total, axes)
        return finish(total, op, 0, scalar)

    return lower


def _squared_error(x: Value, target: Value) -> Value:
    distance = x - target
    return distance * distance


def _smooth_l1(x: Value, target: Value, beta: Number = 1.0) -> Value:
    distance = mf.absolute(x - target)
    if beta == 0:
        return distance
    return where(distance < beta, distance * distance * (0.5 / beta), distance - 0.5 * beta)


def _huber(x: Value, target: Value, delta: Number = 1.0) -> Value:
    distance = mf.absolute(x - target)
    return where(distance <= delta, distance * distance * 0.5, (distance - 0.5 * delta) * delta)


LOSS_LOWERINGS: dict[str, Lowering] = {
    "mse_loss": _loss(_squared_error),
    "smooth_l1_loss": _loss(_smooth_l1),
    "huber_loss": _loss(_huber),
}
