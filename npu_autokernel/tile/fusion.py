"""The partitioner's cheap oracle: which ops can share one kernel. It looks at names, shapes and dtypes, drafts nothing.

Ops share a kernel when they share one full iteration shape and at most one set of reduced dimensions. Pointwise
work on a reduction's results (with or without the reduced dimensions) belongs to it as well. A merge that is allowed
here can still be refused by `draft_program`; the region then runs in eager.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.tile.dtypes import SUPPORTED_DTYPES
from npu_autokernel.tile.losses import LOSS_LOWERINGS
from npu_autokernel.tile.lowering import list_dimensions
from npu_autokernel.tile.normalisation import NORMALISATION_LOWERINGS
from npu_autokernel.tile.ops import find_lowering
from npu_autokernel.tile.reduction import REDUCTION_LOWERINGS
from npu_autokernel.tile.softmax import SOFTMAX_LOWERINGS

Shape = tuple[Hashable, ...]
Reduced = frozenset[int]


@dataclass(frozen=True)
class NodeTraits:
    """What fusion asks of an op or of a group of ops.

    `shape` is the full iteration shape without leading ones. `reduced` are the reduced dimensions counted from the
    right (-1 is the last), `groups` the number of parts that channels are split in (group norm). `kept_shapes` are
    the shapes of reduced results.
    """

    shape: Shape
    reduced: Reduced = frozenset()
    groups: int = 0
    kept_shapes: frozenset[Shape] = frozenset()

    @property
    def is_reduction(self) -> bool:
        return bool(self.reduced) or self.groups > 0


def describe_node(
    target: str,
    operand_shapes: Sequence[Sequence[Hashable]],
    result_shapes: Sequence[Sequence[Hashable]],
    arguments: Sequence[Any],
    dtypes: Sequence[str],
    keywords: Mapping[str, Any] = MappingProxyType({}),
) -> NodeTraits | Refusal:
    """The traits of one op, or why no drafter writes it.

    `arguments` are the positional arguments, `keywords` the named ones; tensors in them may be any object. `dtypes`
    are the names of the dtypes of all tensor operands and results.
    """
    if find_lowering(target) is None:
        return refuse("draft.unsupported_op", op=target)
    for dtype in dtypes:
        if dtype not in SUPPORTED_DTYPES:
            return refuse("draft.unsupported_dtype", op=target, dtype=dtype)
    name = target.split(".")[1]
    find_reduced = _FINDERS.get(name)
    if find_reduced is None or _is_binary_extremum(name, operand_shapes):
        return NodeTraits(_strip(result_shapes[0]))
    full = max(operand_shapes, key=len)
    if _is_without_reduction(name, arguments, keywords):
        return NodeTraits(_strip(result_shapes[0]))
    positions, groups = find_reduced(arguments, keywords, len(full))
    return _describe_reduction(tuple(full), positions, groups)


def merge_traits(left: NodeTraits, right: NodeTraits) -> NodeTraits | None:
    """The traits of two groups in one kernel, or None where they cannot share one."""
    if not left.is_reduction and not right.is_reduction:
        return left if left.shape == right.shape else None
    if left.is_reduction and right.is_reduction:
        is_alike = (left.shape, left.reduced, left.groups) == (
            right.shape,
            right.reduced,
            right.groups,
        )
        return left if is_alike else None
    reduction, pointwise = (left, right) if left.is_reduction else (right, left)
    fits = pointwise.shape == reduction.shape or pointwise.shape in reduction.kept_shapes
    return reduction if fits else None


def _strip(shape: Sequence[Hashable]) -> Shape:
    """The shape without leading ones, which broadcasting ignores."""
    start = 0
    while start < len(shape) and shape[start] == 1:
        start += 1
    return tuple(shape[start:])


def _describe_reduction(full: Shape, positions: Sequence[int], groups: int) -> NodeTraits:
    rank = len(full)
    reduced = frozenset(position - rank for position in positions if full[position] != 1)
    kept = [size for position, size in enumerate(full) if position not in positions]
    with_ones = [1 if position in positions else size for position, size in enumerate(full)]
    shapes = {_strip(kept), _strip(with_ones)}
    if groups:
        shapes = {_strip((full[0], groups))}
    return NodeTraits(_strip(full), reduced, groups, frozenset(shapes))


def _is_binary_extremum(name: str, operand_shapes: Sequence[Sequence[Hashable]]) -> bool:
    return name in ("max", "min") and len(operand_shapes) == 2


Finder = Callable[[Sequence[Any], Mapping[str, Any], int], tuple[list[int], int]]


def _find_argument(position: int) -> Finder:
    """Reductions whose `dim` is positional argument `position`."""

    def find(
        arguments: Sequence[Any], keywords: Mapping[str, Any], rank: int
    ) -> tuple[list[int], int]:
        dim = arguments[position] if len(arguments) > position else keywords.get("dim")
        return list_dimensions(dim, rank), 0

    return find


def _find_trailing(
    arguments: Sequence[Any], keywords: Mapping[str, Any], rank: int
) -> tuple[list[int], int]:
    """Layer and RMS norm: as many trailing dimensions as the normalised shape has."""
    shape = arguments[1] if len(arguments) > 1 else keywords["normalized_shape"]
    return list(range(rank - len(shape), rank)), 0


def _find_group(
    arguments: Sequence[Any], keywords: Mapping[str, Any], rank: int
) -> tuple[list[int], int]:
    group = arguments[6] if len(arguments) > 6 else keywords["group"]
    return list(range(2, rank)), int(group)


def _find_batch(
    arguments: Sequence[Any], keywords: Mapping[str, Any], rank: int
) -> tuple[list[int], int]:
    return [position for position in range(rank) if position != 1], 0


def _find_loss(
    arguments: Sequence[Any], keywords: Mapping[str, Any], rank: int
) -> tuple[list[int], int]:
    return list(range(rank)), 0


def _is_without_reduction(name: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Losses with reduction `none`, batch norm with running statistics."""
    if name in LOSS_LOWERINGS:
        return bool((arguments[2] if len(arguments) > 2 else keywords.get("reduction", 1)) == 0)
    if name in _BATCH_NORMS:
        # Momentum and eps follow it; overload `no_stats` lacks the two arguments before it.
        return not (arguments[-3] if len(arguments) > 5 else keywords.get("training", False))
    return False


_SECOND_DIM = ("linalg_vector_norm", "norm", "_softmax_backward_data", "_log_softmax_backward_data")
_BATCH_NORMS = {
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_functional",
    "native_batch_norm",
}

_FINDERS: dict[str, Finder] = {
    **{name: _find_argument(1) for name in (*REDUCTION_LOWERINGS, *SOFTMAX_LOWERINGS)},
    **{name: _find_argument(2) for name in _SECOND_DIM},
    **{name: _find_loss for name in LOSS_LOWERINGS},
    **{
        name: _find_trailing
        for name in NORMALISATION_LOWERINGS
        if name.endswith(("layer_norm", "rms_norm"))
    },
    "native_group_norm": _find_group,
    **{name: _find_batch for name in _BATCH_NORMS},
}
