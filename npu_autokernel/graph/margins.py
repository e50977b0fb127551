"""Where an op jumps: elements whose operand is so near a discontinuity that rounding decides the result.

`estimate_slack` says how far a value may be from the golden for reasons of rounding alone, from what eager itself
did. Each row of the table gives, for a discontinuous op, the elements of the result whose margin is within that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

import torch

from npu_autokernel.graph.golden_ops import COMPARISONS
from npu_autokernel.graph.op_kinds import list_names

# Digits that a correct kernel may lose in one op, in units of the dtype's epsilon.
_UNITS = {torch.float32: 8.0, torch.float16: 1.0, torch.bfloat16: 1.0, torch.float64: 8.0}


@dataclass(frozen=True)
class Operand:
    """A golden operand with its slack: how far eager may be, None where it is exact."""

    tensor: torch.Tensor
    slack: torch.Tensor | None
    dtype: torch.dtype

    @property
    def is_floating(self) -> bool:
        return self.tensor.dtype.is_floating_point

    def measure_slack(self) -> torch.Tensor:
        return torch.zeros((), dtype=torch.float64) if self.slack is None else self.slack


Argument = Union[Operand, int, float, bool, str, torch.dtype, list[Any], None]
Margin = Callable[[list[Argument], dict[str, Argument]], Union[torch.Tensor, None]]


def estimate_slack(golden: torch.Tensor, eager: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """How far a correct result in `dtype` may be from `golden`, per element, judged by eager's own error.

    It is eager's error there, plus its mean error, plus the rounding of one op; and nothing where the golden is a
    value of `dtype` (eager hit it), since a correctly rounded op cannot miss it.
    """
    wide = eager.to(torch.float64)
    is_hit = wide == golden
    error = (wide - golden).abs_()
    mean = error.mean()
    rounding = golden.abs().mul_(_UNITS[dtype] * torch.finfo(dtype).eps)
    if not mean.isfinite():
        is_hit |= golden.isnan() & wide.isnan()
        finite = error[error.isfinite()]
        mean = finite.mean() if finite.numel() else torch.zeros((), dtype=torch.float64)
        error.masked_fill_(error.isnan(), torch.inf)
        rounding.masked_fill_(rounding.isnan(), torch.inf)
    return error.add_(mean).add_(rounding).masked_fill_(is_hit, 0.0)


def find_margin(packet: str, overload: str) -> Margin | None:
    """The row of an op, or None for an op that is continuous."""
    return _MARGINS.get(f"{packet}.{overload}") or _MARGINS.get(packet)


def find_agreement(first: Operand, second: Operand) -> torch.Tensor:
    """Elements where two operands are one value within their slack, so that a choice between them is no jump."""
    difference = (first.tensor - second.tensor).abs()
    return difference <= first.measure_slack() + second.measure_slack()


def _is_near(distance: torch.Tensor, *operands: Operand) -> torch.Tensor | None:
    """Elements whose distance to a jump is within the operands' slack; None if all are exact."""
    slacks = [operand.slack for operand in operands if operand.slack is not None]
    if not slacks:
        return None
    total = slacks[0]
    for slack in slacks[1:]:
        total = total + slack
    return ~(distance.abs() > total) & (total > 0)  # a distance of NaN is near


def _compare(arguments: list[Argument], keywords: dict[str, Argument]) -> torch.Tensor | None:
    """A comparison jumps where its sides meet; a number that the dtype cannot hold has slack too."""
    if not _list_floating(arguments):
        return None
    left, right = (_as_operand(item, arguments) for item in arguments)
    return _is_near(left.tensor - right.tensor, left, right)


def _as_operand(item: Argument, arguments: list[Argument]) -> Operand:
    if isinstance(item, Operand):
        return item
    number = torch.tensor(float(item), dtype=torch.float64)  # type: ignore[arg-type]
    dtype = next(other.dtype for other in arguments if isinstance(other, Operand))
    if not dtype.is_floating_point:
        return Operand(number, None, dtype)
    rounded = number.to(dtype).to(torch.float64)
    missed = (rounded - number).abs()
    return Operand(rounded, missed if missed > 0 else None, dtype)


def _step_at_integers(
    arguments: list[Argument], keywords: dict[str, Argument]
) -> torch.Tensor | None:
    """floor, ceil, trunc and conversion to an integer jump at integers."""
    source = arguments[0]
    if not isinstance(source, Operand) or not source.is_floating:
        return None
    return _is_near(source.tensor - source.tensor.round(), source)


def _step_at_halves(
    arguments: list[Argument], keywords: dict[str, Argument]
) -> torch.Tensor | None:
    """round jumps half way between the multiples of 10^-decimals."""
    source = arguments[0]
    if not isinstance(source, Operand) or not source.is_floating:
        return None
    decimals = keywords.get("decimals", 0)
    scale = 10.0**decimals if isinstance(decimals, int) else 1.0
    scaled = source.tensor * scale
    return _is_near((scaled - scaled.floor() - 0.5) / scale, source)


def _step_at_zero(arguments: list[Argument], keywords: dict[str, Argument]) -> torch.Tensor | None:
    """Truth of a float, and its sign, jump at zero; with two operands (logical_and), at each one's."""
    near = None
    for source in _list_floating(arguments):
        found = _is_near(source.tensor, source)
        if found is not None:
            near = found if near is None else near | found
    return near


def _convert(arguments: list[Argument], keywords: dict[str, Argument]) -> torch.Tensor | None:
    """A conversion of a float jumps if it is to an integer, or to bool. Out of range it has no defined value."""
    dtype = keywords.get("dtype")
    source = arguments[0]
    if not isinstance(dtype, torch.dtype) or dtype.is_floating_point:
        return None
    if dtype == torch.bool or not isinstance(source, Operand) or not source.is_floating:
        return _step_at_zero(arguments, keywords) if dtype == torch.bool else None
    limits = torch.iinfo(dtype)
    undefined = ~((source.tensor >= limits.min) & (source.tensor <= limits.max))
    near = _step_at_integers(arguments, keywords)
    return undefined if near is None else near | undefined


def _divide(arguments: list[Argument], keywords: dict[str, Argument]) -> torch.Tensor | None:
    """Rounded division and remainders jump where the quotient is an integer.

    A quotient that is exactly one is safe when both operands are exact.
    """
    if "rounding_mode" in keywords and keywords["rounding_mode"] is None:
        return None
    floating = _list_floating(arguments[:2])
    if not floating:
        return None
    left, right = (_as_operand(item, arguments) for item in arguments[:2])
    quotient = left.tensor / right.tensor
    slack = (left.measure_slack() + quotient.abs() * right.measure_slack()) / right.tensor.abs()
    distance = (quotient - quotient.round()).abs()
    is_safe = (distance == 0) & (slack == 0)
    rounding = torch.finfo(floating[0].dtype).eps * quotient.abs()
    return (distance <= slack + rounding) & ~is_safe


def _pick_extreme(largest: bool) -> Margin:
    """The index of an extreme jumps where the two best of a row are as near as their slack."""

    def find(arguments: list[Argument], keywords: dict[str, Argument]) -> torch.Tensor | None:
        floating = _list_floating(arguments[:1])
        if not floating or floating[0].slack is None:
            return None
        tensor = floating[0].tensor
        slack = floating[0].slack.expand_as(tensor)
        dim, keepdim = (*arguments[1:], None, False)[:2]
        if not isinstance(dim, int):
            tensor, slack, dim = tensor.reshape(-1), slack.reshape(-1), 0
        if tensor.dim() == 0 or tensor.shape[dim] < 2:
            return None
        near = _is_gap_small(tensor, slack, dim, largest)
        return near.unsqueeze(dim) if keepdim and near.dim() < tensor.dim() else near

    return find


def _is_gap_small(
    tensor: torch.Tensor, slack: torch.Tensor, dim: int, largest: bool
) -> torch.Tensor:
    best = tensor.topk(2, dim=dim, largest=largest)
    first, second = best.values.unbind(dim)
    allowed = slack.gather(dim, best.indices).sum(dim)
    return ((first - second).abs() <= allowed) & (allowed > 0)


def _step_at(position: int, *knots: float, names: tuple[int, ...] = ()) -> Margin:
    """A gradient with kinks: operand `position` against numbers, or against arguments by position."""

    def find(arguments: list[Argument], keywords: dict[str, Argument]) -> torch.Tensor | None:
        source = arguments[position]
        if not isinstance(source, Operand) or source.slack is None:
            return None
        limits = [*knots, *(arguments[index] for index in names if index < len(arguments))]
        near = torch.zeros_like(source.tensor, dtype=torch.bool)
        for limit in limits:
            near |= (source.tensor - float(limit)).abs() <= source.slack  # type: ignore[arg-type]
        return near & (source.slack > 0)

    return find


def _step_at_threshold(
    arguments: list[Argument], keywords: dict[str, Argument]
) -> torch.Tensor | None:
    """hardshrink jumps where the magnitude meets its threshold, 0.5 unless given."""
    (source,) = _list_floating(arguments[:1])
    threshold = float(arguments[1]) if len(arguments) > 1 else 0.5  # type: ignore[arg-type]
    return _is_near(source.tensor.abs() - threshold, source)


def _list_floating(arguments: list[Argument]) -> list[Operand]:
    return [item for item in arguments if isinstance(item, Operand) and item.is_floating]


_MARGINS: dict[str, Margin] = {
    **dict.fromkeys(COMPARISONS, _compare),
    **dict.fromkeys(list_names("floor ceil trunc frac"), _step_at_integers),
    "round": _step_at_halves,
    **dict.fromkeys(list_names("sign sgn heaviside signbit"), _step_at_zero),
    **dict.fromkeys(list_names("logical_not logical_and logical_or logical_xor"), _step_at_zero),
    **dict.fromkeys(list_names("remainder fmod floor_divide"), _divide),
    "div.Tensor_mode": _divide,
    "div.Scalar_mode": _divide,
    "_to_copy": _convert,
    **dict.fromkeys(list_names("argmax max.dim"), _pick_extreme(largest=True)),
    **dict.fromkeys(list_names("argmin min.dim"), _pick_extreme(largest=False)),
    "threshold_backward": _step_at(1, names=(2,)),
    "hardtanh_backward": _step_at(1, names=(2, 3)),
    "leaky_relu_backward": _step_at(1, 0.0),
    "hardsigmoid_backward": _step_at(1, -3.0, 3.0),
    "hardswish_backward": _step_at(1, -3.0, 3.0),
    "hardshrink": _step_at_threshold,
}
