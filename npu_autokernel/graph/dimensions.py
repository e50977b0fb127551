"""Which dimensions of a region are one dimension: union-find over all values' dims, by the semantics of each op.

Two extents that are equal by coincidence stay apart, so (8, 8) and (8, 16) give the same task. Each op kind has one
rule that yields the pairs of dimensions which the op forces to be equal; an op without a rule pairs all equal
extents of its operands and results, and where a result has a constant extent of its own its operands' extents are
pinned to their numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from npu_autokernel.graph.op_kinds import OpKind

Dims = tuple[int, ...]
Pairs = Iterator[tuple[int, int]]


class ShapedCall(NamedTuple):
    """An op as the rules see it: `operands` and `results` are tuples of dimension numbers of `Dimensions`.

    `tensors` are the operands that are lone tensors by argument position, `bound` all arguments by name.
    """

    kind: OpKind
    packet: str
    operands: tuple[Dims, ...]
    results: tuple[Dims, ...]
    tensors: dict[str, Dims]
    bound: dict[str, Any]


class Dimensions:
    """All dimensions of a region: a number each, its extent, and the classes of those that are one."""

    def __init__(self) -> None:
        self.extents: list[int] = []
        self.pinned: set[int] = set()
        self._labels: list[str] = []
        self._parents: list[int] = []

    def add(self, extents: Sequence[int], labels: Sequence[str]) -> Dims:
        """New dimensions with these extents; a label is the extent as the graph writes it, `8` or `s77`."""
        start = len(self.extents)
        self.extents.extend(extents)
        self._labels.extend(labels)
        self._parents.extend(range(start, start + len(extents)))
        return tuple(range(start, start + len(extents)))

    def find(self, dim: int) -> int:
        """The representative of the class of `dim`: the smallest member."""
        while self._parents[dim] != dim:
            self._parents[dim] = self._parents[self._parents[dim]]
            dim = self._parents[dim]
        return dim

    def unify(self, first: int, second: int) -> None:
        """Make two dimensions one, unless one is broadcast over the other (extents differ) or both are 1."""
        if self.extents[first] != self.extents[second] or self.extents[first] <= 1:
            return
        low, high = sorted((self.find(first), self.find(second)))
        self._parents[high] = low

    def apply(self, call: ShapedCall) -> None:
        """Unify what `call` forces to be equal."""
        rule = _RULES.get(call.kind, _pair_nothing)
        if call.packet in _PACKET_RULES:
            rule = _PACKET_RULES[call.packet]
        elif call.kind not in _RULES:
            self._apply_fallback(call)
            return
        for first, second in rule(call):
            self.unify(first, second)

    def is_pinned(self, dim: int) -> bool:
        """True where the extent must stay the number it is."""
        root = self.find(dim)
        return any(self.find(pinned) == root for pinned in self.pinned)

    def _apply_fallback(self, call: ShapedCall) -> None:
        operand_dims = [dim for value in call.operands for dim in value]
        result_dims = [dim for value in call.results for dim in value]
        for first, second in itertools.combinations([*operand_dims, *result_dims], 2):
            if self._labels[first] == self._labels[second]:
                self.unify(first, second)
        known = {self._labels[dim] for dim in operand_dims} | {"0", "1"}
        own = {self._labels[dim] for dim in result_dims} - known
        if any(label.isdecimal() for label in own):
            self.pinned.update(operand_dims)


def _pair_nothing(call: ShapedCall) -> Pairs:
    return iter(())


def _pair_broadcast(call: ShapedCall) -> Pairs:
    for operand in call.operands:
        for result in call.results:
            yield from zip(reversed(operand), reversed(result), strict=False)


def _pair_reduction(call: ShapedCall) -> Pairs:
    source = call.operands[0]
    reduced = list_reduced_dims(call.bound, len(source))
    kept = [dim for position, dim in enumerate(source) if position not in reduced]
    for result in call.results:
        yield from zip(source if len(result) == len(source) else kept, result, strict=False)


def list_reduced_dims(bound: dict[str, Any], rank: int) -> frozenset[int]:
    """Positions of the dimensions a reduction with these arguments reduces over."""
    dim = bound.get("dim")
    if dim is None or dim == ():
        return frozenset(range(rank))
    dims = (dim,) if isinstance(dim, int) else dim
    return frozenset(item % max(rank, 1) for item in dims)


def _pair_trailing(call: ShapedCall) -> Pairs:
    """Layer and RMS norm: parameters match the last dimensions, statistics the first."""
    source = call.tensors["input"]
    yield from zip(source, call.results[0], strict=True)
    for name in ("weight", "bias"):
        if name in call.tensors:
            yield from zip(reversed(source), reversed(call.tensors[name]), strict=False)
    for statistic in call.results[1:]:
        yield from zip(source, statistic, strict=False)


def _pair_channels(call: ShapedCall) -> Pairs:
    """Group and batch norm: parameters match dimension 1; group statistics have the batch in front."""
    source = call.tensors["input"]
    yield from zip(source, call.results[0], strict=True)
    for name in ("weight", "bias", "running_mean", "running_var"):
        if name in call.tensors:
            yield source[1], call.tensors[name][0]
    for statistic in call.results[1:]:
        if len(statistic) == 2:
            yield source[0], statistic[0]
        elif len(statistic) == 1:
            yield source[1], statistic[0]


def _pair_matrices(call: ShapedCall) -> Pairs:
    """mm, bmm, addmm, baddbmm: rows of the left, columns of the right, shared inner dimension and batch."""
    left, right = call.operands[-2:]
    result = call.results[0]
    yield left[-1], right[-2]
    yield left[-2], result[-2]
    yield right[-1], result[-1]
    for batch in zip(left[:-2], right[:-2], result[:-2], strict=True):
        yield batch[0], batch[1]
        yield batch[0], batch[2]
    for addend in call.operands[:-2]:
        yield from zip(reversed(addend), reversed(result), strict=False)


_RULES: dict[OpKind, Callable[[ShapedCall], Pairs]] = {
    "pointwise": _pair_broadcast,
    "rowwise": _pair_broadcast,
    "creation": _pair_nothing,
    "reduction": _pair_reduction,
}
_PACKET_RULES: dict[str, Callable[[ShapedCall], Pairs]] = {
    "native_layer_norm": _pair_trailing,
    "layer_norm": _pair_trailing,
    "_fused_rms_norm": _pair_trailing,
    "rms_norm": _pair_trailing,
    "native_group_norm": _pair_channels,
    "_native_batch_norm_legit": _pair_channels,
    "_native_batch_norm_legit_functional": _pair_channels,
    "_native_batch_norm_legit_no_training": _pair_channels,
    "native_batch_norm": _pair_channels,
    "mm": _pair_matrices,
    "bmm": _pair_matrices,
    "addmm": _pair_matrices,
    "baddbmm": _pair_matrices,
    "expand": _pair_broadcast,
}
