"""How doubt spreads: which elements of a result depend on elements that were left out.

A mask is a bool tensor of the operand's shape (True: left out) or None. Pointwise ops pass doubt on element by
element, reductions and row-wise ops to the whole row, and an op of which nothing is known to every element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import torch

from npu_autokernel.graph.dimensions import list_reduced_dims
from npu_autokernel.graph.op_kinds import classify_op, name_packet, resolve_target
from npu_autokernel.graph.task import OpCall

Mask = Union[torch.Tensor, None]

_ROW_NORMS = frozenset(("native_layer_norm", "layer_norm", "_fused_rms_norm", "rms_norm"))


def spread_masks(
    op: OpCall, masks: Sequence[Mask], bound: dict[str, Any], shapes: Sequence[torch.Size]
) -> list[Mask]:
    """The masks of the results of `op` from those of its tensor operands, in order.

    `bound` are its arguments by the schema's names, `shapes` the results' shapes.
    """
    if all(mask is None for mask in masks):
        return [None] * len(shapes)
    overload = resolve_target(op.target)
    kind, packet = classify_op(overload), name_packet(overload)
    if op.target == "aten.where.self":
        return [_select_branch(bound["condition"], masks).expand(shapes[0])]
    if kind == "pointwise":
        return [_join(masks).expand(shape) for shape in shapes]
    if kind == "view" and masks[0] is not None:
        arguments = [value for name, value in bound.items() if name != "self"]
        return [overload(masks[0], *arguments)]
    if kind == "reduction" and masks[0] is not None:
        return [_reduce(masks[0], list_reduced_dims(bound, masks[0].dim()), bound)] * len(shapes)
    if kind == "rowwise":
        rows = _join(masks).expand(shapes[0])
        dim = int(bound["dim"])
        return [rows.any(dim, keepdim=True).expand(shapes[0]) if rows.dim() else rows] * len(shapes)
    if packet in _ROW_NORMS and masks[0] is not None and not any_mask(masks[1:]):
        rows = _reduce_trailing(masks[0], len(bound["normalized_shape"]))
        return [rows.expand(shape) for shape in shapes]
    return [torch.ones(shape, dtype=torch.bool) for shape in shapes]


def any_mask(masks: Sequence[Mask]) -> bool:
    """True if something is left out."""
    return any(mask is not None for mask in masks)


def join_masks(first: Mask, second: Mask) -> Mask:
    """Left out by either."""
    if first is None or second is None:
        return second if first is None else first
    return first | second


def _join(masks: Sequence[Mask]) -> torch.Tensor:
    joined: Mask = None
    for mask in masks:
        joined = join_masks(joined, mask)
    assert joined is not None
    return joined


def _select_branch(condition: torch.Tensor, masks: Sequence[Mask]) -> torch.Tensor:
    """`where` depends on its condition and on the branch that was taken."""
    in_doubt, *branches = (torch.tensor(False) if mask is None else mask for mask in masks)
    chosen, other = (*branches, torch.tensor(False), torch.tensor(False))[:2]
    return in_doubt | torch.where(condition.to(torch.bool), chosen, other)


def _reduce(mask: torch.Tensor, dims: frozenset[int], bound: dict[str, Any]) -> torch.Tensor:
    if not dims:
        return mask
    return torch.any(mask, dim=sorted(dims), keepdim=bool(bound.get("keepdim", False)))


def _reduce_trailing(mask: torch.Tensor, count: int) -> torch.Tensor:
    return torch.any(mask, dim=list(range(mask.dim() - count, mask.dim())), keepdim=True)
