"""ATen ops in float64: how each op of a task is computed for the golden.

Floating operands are float64 already, integers and bools are in their own dtypes. The rule for all ops: dtype
arguments that name a floating dtype become float64, and the result is float64 where the task promises a floating
dtype, else the promised dtype. The table holds the ops whose meaning depends on the dtype they were asked in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from npu_autokernel.graph.binding import get_dtype
from npu_autokernel.graph.op_kinds import classify_op, name_packet, resolve_target
from npu_autokernel.graph.reference import call_overload
from npu_autokernel.graph.task import OpCall

COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))

Results = tuple[torch.Tensor, ...]
SourceDtypes = tuple[torch.dtype, ...]


def compute_golden(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], dtypes: SourceDtypes
) -> Results:
    """The results of one op in float64.

    `dtypes` are the dtypes that the task gives the tensor operands, in order.
    """
    prepare = _PREPARATIONS.get(name_packet(resolve_target(op.target)))
    if prepare is not None:
        arguments, keywords = prepare(op, arguments, keywords, dtypes)
    if op.target == "aten._to_copy.default":
        return (_convert(arguments[0], dtypes, keywords.get("dtype")),)
    arguments = [_widen_dtype(item) for item in _widen_integers(op, arguments)]
    keywords = {name: _widen_dtype(value) for name, value in keywords.items()}
    values = _call(op, arguments, keywords)
    return tuple(
        item.to(_hold_dtype(get_dtype(spec.dtype)))
        for item, spec in zip(values, op.results, strict=True)
    )


def _call(op: OpCall, arguments: list[Any], keywords: dict[str, Any]) -> tuple[Any, ...]:
    parameters = _SCALED_NORMS.get(name_packet(resolve_target(op.target)))
    if parameters is not None:
        return _scale_after(op, arguments, keywords, parameters)
    value = call_overload(op, arguments, keywords)
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _scale_after(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], parameters: int
) -> tuple[Any, ...]:
    """A norm over channels, then weight and bias, which are the two arguments from `parameters` on.

    torch's processor code folds mean and weight into one bias per channel. Where the weight is infinite that is NaN
    and no property of the op.
    """
    plain = list(arguments)
    plain[parameters : parameters + 2] = [None, None]
    result, *statistics = call_overload(op, plain, keywords)
    weight, bias = (_align_channels(item, result) for item in arguments[parameters:][:2])
    result = result if weight is None else result * weight
    return (result if bias is None else result + bias, *statistics)


def _align_channels(parameter: torch.Tensor | None, result: torch.Tensor) -> torch.Tensor | None:
    return None if parameter is None else parameter.view(-1, *[1] * (result.dim() - 2))


def widen(value: Any) -> Any:
    """An input as the golden holds it: floating tensors in float64, all else as it is."""
    if isinstance(value, torch.Tensor) and value.dtype.is_floating_point:
        return value.to(torch.float64)
    return value


def round_to(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Values of `dtype`, held in float64 if it is floating."""
    return value.to(dtype).to(_hold_dtype(dtype))


def _hold_dtype(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype.is_floating_point else dtype


def _convert(value: Any, dtypes: SourceDtypes, dtype: torch.dtype | None) -> torch.Tensor:
    """An explicit conversion: rounds where it loses digits, as far as the task knows them."""
    tensor = value if isinstance(value, torch.Tensor) else torch.tensor(value)
    if dtype is None or (dtypes and _keeps_digits(dtypes[0], dtype)):
        return tensor
    return round_to(tensor, dtype)


def _keeps_digits(source: torch.dtype, target: torch.dtype) -> bool:
    if not (source.is_floating_point and target.is_floating_point):
        return False
    return torch.promote_types(source, target) == target


def _widen_dtype(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return _hold_dtype(value)
    return value


def _widen_integers(op: OpCall, arguments: list[Any]) -> list[Any]:
    """Integer operands of an op with a floating result become float64, or torch would round to float32."""
    tensors = [item for item in arguments if isinstance(item, torch.Tensor)]
    is_floating = get_dtype(op.results[0].dtype).is_floating_point
    has_floating = any(item.dtype.is_floating_point for item in tensors)
    kind = classify_op(resolve_target(op.target))
    if not is_floating or has_floating or kind not in ("pointwise", "reduction") or not tensors:
        return arguments
    if op.target.startswith("aten.where."):
        return arguments
    return [
        item.to(torch.float64) if isinstance(item, torch.Tensor) else item for item in arguments
    ]


_Prepared = tuple[list[Any], dict[str, Any]]


def _round_reduced(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], dtypes: SourceDtypes
) -> _Prepared:
    """`dtype=` of a reduction converts the operand first: that rounds where it is narrower."""
    dtype = keywords.get("dtype")
    if dtype is None or not isinstance(arguments[0], torch.Tensor):
        return arguments, keywords
    return [_convert(arguments[0], dtypes, dtype), *arguments[1:]], keywords


def _round_scalar(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], dtypes: SourceDtypes
) -> _Prepared:
    """A comparison with a number happens in the tensor's dtype, so the number is rounded to it."""
    return [
        round_number(item, dtypes[0]) if isinstance(item, float) else item for item in arguments
    ], keywords


def round_number(number: float, dtype: torch.dtype) -> float:
    """`number` as a value of `dtype`; unchanged if `dtype` is no floating dtype."""
    return float(torch.tensor(number, dtype=dtype)) if dtype.is_floating_point else number


def _fill_limits(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], dtypes: SourceDtypes
) -> _Prepared:
    """nan_to_num replaces infinities by the limits of the dtype it was asked in."""
    if not dtypes[0].is_floating_point:
        return arguments, keywords
    limits = torch.finfo(dtypes[0])
    source, nan, high, low = (*arguments, None, None, None)[:4]
    high = limits.max if high is None else high
    low = limits.min if low is None else low
    return [source, nan, high, low], keywords


def _keep_wide(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], dtypes: SourceDtypes
) -> _Prepared:
    """half_to_float is no conversion here: the operand is float64 already."""
    return [*arguments[:2], False], keywords


def _fill_epsilon(
    op: OpCall, arguments: list[Any], keywords: dict[str, Any], dtypes: SourceDtypes
) -> _Prepared:
    """rms_norm without eps takes that of the dtype it computes in: float32 for the chip's floats."""
    source, shape, weight, eps = (*arguments, None, None)[:4]
    return [source, shape, weight, _FLOAT32_EPS if eps is None else eps], keywords


# Norms over channels, by the position of weight and bias.
_SCALED_NORMS = {
    "native_group_norm": 1,
    "_native_batch_norm_legit": 1,
    "_native_batch_norm_legit_functional": 1,
    "_native_batch_norm_legit_no_training": 1,
    "native_batch_norm": 1,
}

_FLOAT32_EPS = torch.finfo(torch.float32).eps

_PREPARATIONS: dict[str, Callable[..., _Prepared]] = {
    **dict.fromkeys(("sum", "mean", "prod", "nansum", "linalg_vector_norm"), _round_reduced),
    **dict.fromkeys(("cumsum", "cumprod"), _round_reduced),
    **dict.fromkeys(COMPARISONS, _round_scalar),
    **dict.fromkeys(("_softmax", "_log_softmax"), _keep_wide),
    "nan_to_num": _fill_limits,
    "_fused_rms_norm": _fill_epsilon,
    "rms_norm": _fill_epsilon,
}
