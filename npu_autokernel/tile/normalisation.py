"""Normalisations: layer, RMS, group, instance (as group) and batch norm, each with the statistics ATen returns.

Statistics take two passes over a row (mean, then variance), never E[x^2] - E[x]^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile.expression import (
    Dimensions,
    LoweringError,
    Value,
    call,
    convert,
    with_dimensions,
)
from npu_autokernel.tile.lowering import Lowered, Lowering, LoweringContext, finish, require_int
from npu_autokernel.tile.program import SizeOperand
from npu_autokernel.tile.reduction import mean_over, running_mean, variance_over

EPSILONS = {"float32": 1.1920928955078125e-07, "float16": 0.0009765625, "bfloat16": 0.0078125}


def lower_layer_norm(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    *_: Any,
) -> Lowered:
    """Result, mean and 1 / standard deviation of native_layer_norm; the result alone of layer_norm."""
    axes, statistics = _normalised_axes(context, x, normalized_shape, weight, bias)
    value = convert(x, "float32")
    variance, mean = variance_over(context, value, axes, 0)
    inverse = call("rsqrt", variance + eps)
    result = finish(_scale((value - mean) * inverse, weight, bias), op, 0, x.dimensions)
    if len(op.results) == 1:
        return result
    mean = running_mean(mean, inverse)
    return result, finish(mean, op, 1, statistics), finish(inverse, op, 2, statistics)


def lower_rms_norm(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None = None,
    eps: float | None = None,
) -> Lowered:
    """rms_norm, and _fused_rms_norm, which also returns 1 / root mean square."""
    axes, statistics = _normalised_axes(context, x, normalized_shape, weight)
    value = convert(x, "float32")
    epsilon = EPSILONS[x.dtype] if eps is None else eps
    inverse = call("rsqrt", mean_over(context, value * value, axes) + epsilon)
    result = finish(_scale(value * inverse, weight, None), op, 0, x.dimensions)
    return result if len(op.results) == 1 else (result, finish(inverse, op, 1, statistics))


def _normalised_axes(
    context: LoweringContext, x: Value, normalized_shape: Sequence[Any], *parameters: Value | None
) -> tuple[tuple[int, ...], Dimensions]:
    """The trailing axes that are normalised, and the dimensions of the statistics (extent 1 there)."""
    count = len(normalized_shape)
    rank = len(x.dimensions)
    trailing = x.dimensions[rank - count :]
    for parameter in parameters:
        if parameter is not None:
            context.axes.align([trailing, parameter.dimensions])
    return context.reduced_dimensions(x, list(range(rank - count, rank)), True)


def _scale(value: Value, weight: Value | None, bias: Value | None) -> Value:
    if weight is not None:
        value = value * convert(weight, "float32")
    return value if bias is None else value + convert(bias, "float32")


def lower_group_norm(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    weight: Value | None,
    bias: Value | None,
    samples: Any,
    channels: Any,
    positions: Any,
    group: Any,
    eps: float,
) -> Lowered:
    """native_group_norm: the channels are split in `group` parts; statistics per sample and group."""
    groups = require_int(group, op.target, "group")
    sample, channel, *space = x.dimensions
    _unify_channels(context, channel, weight, bias)
    outer, inner = _split_channels(context, channel, groups)
    axes = tuple(axis for axis in (inner, *space) if axis is not None)
    if axes:
        context.axes.mark_reduced(axes)
    value = convert(x, "float32")
    variance, mean = variance_over(context, value, axes, 0)
    inverse = call("rsqrt", variance + eps)
    result = finish(_scale((value - mean) * inverse, weight, bias), op, 0, x.dimensions)
    statistics = (sample, outer)
    context.axes.note_order(statistics)
    mean = running_mean(mean, inverse)
    return result, finish(mean, op, 1, statistics), finish(inverse, op, 2, statistics)


def _split_channels(
    context: LoweringContext, channel: int | None, groups: int
) -> tuple[int | None, int | None]:
    if channel is None:
        return None, None
    extent = context.axes.extents[context.axes.find(channel)]
    if groups == 1:
        return None, channel
    context.axes.requires.append(f"{extent} % {groups} == 0")
    return context.axes.split(channel, str(groups), f"{extent} // {groups}")


def _unify_channels(
    context: LoweringContext, channel: int | None, *parameters: Value | None
) -> None:
    for parameter in parameters:
        if parameter is not None and channel is not None:
            context.axes.align([(channel,), parameter.dimensions])


def lower_batch_norm_inference(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    weight: Value | None,
    bias: Value | None,
    mean: Value,
    variance: Value,
    *numbers: Any,
) -> Lowered:
    """Batch norm with running statistics; the statistics it would save are empty tensors, which nobody reads."""
    _unify_channels(context, x.dimensions[1], weight, bias, mean, variance)
    inverse = call("rsqrt", convert(variance, "float32") + float(numbers[-1]))
    value = (convert(x, "float32") - convert(mean, "float32")) * inverse
    result = finish(_scale(value, weight, bias), op, 0, x.dimensions)
    empty = with_dimensions(mean, ())
    return (result, *(empty for _ in op.results[1:]))


def lower_batch_norm(
    context: LoweringContext,
    op: OpCall,
    x: Value,
    weight: Value | None,
    bias: Value | None,
    *rest: Any,
) -> Lowered:
    """Batch norm; in training with saved statistics and, if functional, the new running statistics.

    `rest` is the running mean and variance (overload `no_stats` has none), then training, momentum and eps.
    """
    running_mean, running_variance, training, momentum, eps = (None,) * (5 - len(rest)) + rest
    if not training:
        if running_mean is None or running_variance is None:
            raise LoweringError("draft.unsupported_argument", op=op.target, detail="no statistics")
        return lower_batch_norm_inference(
            context, op, x, weight, bias, running_mean, running_variance, momentum, eps
        )
    channel = x.dimensions[1]
    _unify_channels(context, channel, weight, bias, running_mean, running_variance)
    others = [position for position in range(len(x.dimensions)) if position != 1]
    axes, dimensions = context.reduced_dimensions(x, others, False)
    value = convert(x, "float32")
    variance, mean = variance_over(context, value, axes, 0)
    inverse = call("rsqrt", variance + eps)
    result = finish(_scale((value - mean) * inverse, weight, bias), op, 0, x.dimensions)
    saved = (finish(mean, op, 1, dimensions), finish(inverse, op, 2, dimensions))
    if len(op.results) < 5 or running_mean is None or running_variance is None:
        return (result, *saved)
    moved_mean = _move(running_mean, mean, momentum)
    count = context.count_expression(axes)
    unbiased = variance * Value(x.steps, SizeOperand(count), "float32")
    unbiased = unbiased / Value(x.steps, SizeOperand(f"max({count} - 1, 1)"), "float32")
    moved_variance = _move(running_variance, unbiased, momentum)
    running = (finish(moved_mean, op, 3, dimensions), finish(moved_variance, op, 4, dimensions))
    return (result, *saved, *running)


def _move(running: Value, current: Value, momentum: float) -> Value:
    return convert(running, "float32") * (1.0 - momentum) + current * momentum


NORMALISATION_LOWERINGS: dict[str, Lowering] = {
    "native_layer_norm": lower_layer_norm,
    "layer_norm": lower_layer_norm,
    "rms_norm": lower_rms_norm,
    "_fused_rms_norm": lower_rms_norm,
    "native_group_norm": lower_group_norm,
    "_native_batch_norm_legit_no_training": lower_batch_norm_inference,
    "_native_batch_norm_legit": lower_batch_norm,
    "_native_batch_norm_legit_functional": lower_batch_norm,
    "native_batch_norm": lower_batch_norm,
}
