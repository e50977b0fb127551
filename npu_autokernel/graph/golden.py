"""The golden: what a region's outputs are in real arithmetic, as nearly as float64 can say.

Every op runs in float64; explicit conversions round to their dtype, and integers and bools stay exact. If the region
has an op that jumps (a comparison, a rounding, an index of a maximum), eager runs beside it op by op: where the
margin to the jump is within eager's own error the element is left out, and what depends on it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from npu_autokernel.graph.arguments import bind_arguments
from npu_autokernel.graph.binding import Input, get_dtype, read_extents
from npu_autokernel.graph.golden_ops import Results, compute_golden, widen
from npu_autokernel.graph.interpreter import interpret
from npu_autokernel.graph.left_out import Mask, any_mask, join_masks, spread_masks
from npu_autokernel.graph.margins import Operand, estimate_slack, find_agreement, find_margin
from npu_autokernel.graph.op_kinds import (
    gives_tuple,
    name_packet,
    resolve_target,
)
from npu_autokernel.graph.reference import compute_eagerly
from npu_autokernel.graph.task import KernelTask, OpCall, TensorSpec

# These ask of each element whether it is zero, before they reduce.
_TRUTH_REDUCTIONS = frozenset(("any", "all", "count_nonzero"))


@dataclass(frozen=True)
class GoldenResult:
    """`outputs` in float64 (integers and bools exact); `keep` is False where an element is left out, None if none is.

    `left_out_share` is the largest share of one output that is left out, 0 to 1.
    """

    outputs: tuple[torch.Tensor, ...]
    keep: tuple[torch.Tensor | None, ...]
    left_out_share: float


@dataclass(frozen=True)
class _Value:
    """A value in both worlds: the golden, eager's (None where nobody asks for margins), and what is left out.

    Inputs and integers are exact; for all else eager's error decides.
    """

    golden: torch.Tensor
    eager: torch.Tensor | None
    dtype: torch.dtype
    is_exact: bool
    left_out: Mask = None

    def as_operand(self) -> Operand:
        if self.is_exact or self.eager is None:
            return Operand(self.golden, None, self.dtype)
        slack = estimate_slack(self.golden, self.eager, self.dtype)
        return Operand(self.golden, slack, self.dtype)


def run_golden(task: KernelTask, inputs: Sequence[Input]) -> GoldenResult:
    """The golden outputs of `task` for these inputs, on the CPU.

    Raises ValueError where `inputs` do not have the task's count and ranks.
    """
    needs_eager = any(_jumps(op) for op in task.ops)
    values = [_admit(value, spec) for value, spec in zip(inputs, task.inputs, strict=True)]

    def compute(op: OpCall, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return _compute(op, arguments, keywords, needs_eager)

    with torch.no_grad():
        outputs = interpret(task, values, read_extents(task, inputs), compute)
    masks = [output.left_out for output in outputs]
    shares = [0.0 if mask is None else int(mask.count_nonzero()) / mask.numel() for mask in masks]
    return GoldenResult(
        outputs=tuple(output.golden for output in outputs),
        keep=tuple(None if not share else ~mask for mask, share in zip(masks, shares, strict=True)),
        left_out_share=max(shares, default=0.0),
    )


def _jumps(op: OpCall) -> bool:
    overload = resolve_target(op.target)
    packet = name_packet(overload)
    return packet in _TRUTH_REDUCTIONS or find_margin(packet, overload._overloadname) is not None


def _admit(value: Input, spec: TensorSpec) -> Any:
    """An input is exact; a number stays one."""
    if not isinstance(value, torch.Tensor):
        return value
    return _Value(widen(value), value, get_dtype(spec.dtype), is_exact=True)


def _compute(op: OpCall, arguments: list[Any], keywords: dict[str, Any], needs_eager: bool) -> Any:
    operands = _list_values([*arguments, *keywords.values()])
    goldens = compute_golden(
        op,
        _map_values(arguments, _get_golden),
        _map_values(keywords, _get_golden),
        tuple(operand.dtype for operand in operands),
    )
    eagers: Sequence[torch.Tensor | None] = [None] * len(goldens)
    if needs_eager:
        eager_arguments = _map_values(arguments, _get_eager)
        eager = compute_eagerly(op, eager_arguments, _map_values(keywords, _get_eager))
        eagers = eager if isinstance(eager, (tuple, list)) else (eager,)
    masks = _find_left_out(op, arguments, keywords, operands, goldens)
    results = tuple(
        _Value(golden, eager, get_dtype(spec.dtype), _is_integer(spec), mask)
        for golden, eager, spec, mask in zip(goldens, eagers, op.results, masks, strict=True)
    )
    return results if gives_tuple(resolve_target(op.target)) else results[0]


def _find_left_out(
    op: OpCall,
    arguments: list[Any],
    keywords: dict[str, Any],
    operands: list[_Value],
    goldens: Results,
) -> list[Mask]:
    overload = resolve_target(op.target)
    packet = name_packet(overload)
    masks = [operand.left_out for operand in operands]
    margin = find_margin(packet, overload._overloadname)
    near: Mask = None
    if margin is not None:
        near = margin(_map_values(arguments, _as_operand), _map_values(keywords, _as_operand))
    elif op.target == "aten.where.self" and masks[0] is not None:
        masks[0] = masks[0] & ~find_agreement(operands[1].as_operand(), operands[2].as_operand())
    elif packet in _TRUTH_REDUCTIONS:
        truth = find_margin("logical_not", "default")
        assert truth is not None
        masks[0] = join_masks(masks[0], truth([operands[0].as_operand()], {}))
    if near is not None and not near.any():
        near = None
    if near is None and not any_mask(masks):
        return [None] * len(goldens)
    bound = bind_arguments(
        overload, tuple(_map_values(arguments, _get_golden)), _map_values(keywords, _get_golden)
    )
    spread = spread_masks(op, masks, bound, [golden.shape for golden in goldens])
    # Of several results only the last, the index, jumps: the value of a maximum is continuous.
    spread[-1] = join_masks(spread[-1], near)
    return spread


def _is_integer(spec: TensorSpec) -> bool:
    return not get_dtype(spec.dtype).is_floating_point


def _list_values(arguments: Sequence[Any]) -> list[_Value]:
    values = []
    for argument in arguments:
        if isinstance(argument, _Value):
            values.append(argument)
        elif isinstance(argument, list):
            values.extend(_list_values(argument))
    return values


def _map_values(arguments: Any, convert: Any) -> Any:
    if isinstance(arguments, dict):
        return {name: _map_values(value, convert) for name, value in arguments.items()}
    if isinstance(arguments, list):
        return [_map_values(value, convert) for value in arguments]
    return convert(arguments) if isinstance(arguments, _Value) else arguments


def _get_golden(value: _Value) -> torch.Tensor:
    return value.golden


def _get_eager(value: _Value) -> torch.Tensor | None:
    return value.eager


def _as_operand(value: _Value) -> Operand:
    return value.as_operand()
