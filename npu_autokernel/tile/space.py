"""From the dimensions of a task's values to the axes of one iteration space.

1. Each dimension with an extent of 2 or more is an axis number; ATen's alignment of operands unifies numbers.
2. `resolve` orders the axes by the order in which every value has its dimensions, and marks the reduced ones.
3. `coalesce` joins neighbours that every access traverses alike, so that tiles become long.

A dimension may be split in two (`split`), as group norm does with the channels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from npu_autokernel.size_expression import evaluate_size
from npu_autokernel.tile.expression import Dimensions, LoweringError
from npu_autokernel.tile.program import Axis, Load, Store
from npu_autokernel.tile.sizes import multiply_sizes


class AxisTable:
    """Axis numbers with their extents, unified as operands meet (a union-find), and the splits among them."""

    def __init__(self, hints: Mapping[str, int]) -> None:
        self.hints = hints
        self.extents: list[str] = []
        self.parents: list[int] = []
        self.parts: dict[int, tuple[int, int]] = {}
        self.orders: list[tuple[int, ...]] = []
        self.reductions: list[tuple[int, ...]] = []
        self.requires: list[str] = []

    def add(self, extent: str) -> int | None:
        """A new axis of `extent`, or None for an extent of 1."""
        if extent == "1":
            return None
        self.extents.append(multiply_sizes(extent))
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def add_dimensions(self, sizes: Sequence[str]) -> Dimensions:
        dimensions = tuple(self.add(size) for size in sizes)
        self.note_order(dimensions)
        return dimensions

    def find(self, axis: int) -> int:
        while self.parents[axis] != axis:
            axis = self.parents[axis]
        return axis

    def unify(self, left: int, right: int) -> int:
        """Make two axes one; raises LoweringError where their splits disagree.

        ATen only lets equal extents meet. Where they are spelled differently, that is noted in `requires`.
        """
        left, right = self.find(left), self.find(right)
        if left == right:
            return left
        if self.extents[left] != self.extents[right]:
            self.requires.append(f"{self.extents[left]} == {self.extents[right]}")
        if right in self.parts and left in self.parts:
            for one, other in zip(self.parts[left], self.parts[right], strict=True):
                self.unify(one, other)
        elif right in self.parts:
            self.parts[left] = self.parts[right]
        self.parents[right] = left
        return left

    def align(self, shapes: Sequence[Dimensions]) -> Dimensions:
        """Dimensions of the broadcast of `shapes`, aligned at the right as ATen does."""
        rank = max((len(shape) for shape in shapes), default=0)
        result: list[int | None] = [None] * rank
        for shape in shapes:
            for position, axis in enumerate(shape, start=rank - len(shape)):
                if axis is None:
                    continue
                known = result[position]
                result[position] = axis if known is None else self.unify(known, axis)
        self.note_order(result)
        return tuple(result)

    def split(
        self, axis: int, outer_extent: str, inner_extent: str
    ) -> tuple[int | None, int | None]:
        """Split an axis in an outer and an inner part; raises LoweringError if it was split otherwise."""
        root = self.find(axis)
        if outer_extent == "1" or inner_extent == "1":
            return (None, root) if outer_extent == "1" else (root, None)
        if root not in self.parts:
            outer, inner = self.add(outer_extent), self.add(inner_extent)
            assert outer is not None and inner is not None
            self.parts[root] = (outer, inner)
        outer, inner = self.parts[root]
        if self.extents[self.find(outer)] != multiply_sizes(outer_extent):
            raise LoweringError("draft.not_fusible", detail="one dimension is grouped in two ways")
        return outer, inner

    def note_order(self, dimensions: Iterable[int | None]) -> None:
        self.orders.append(tuple(axis for axis in dimensions if axis is not None))

    def mark_reduced(self, axes: Iterable[int]) -> None:
        """Note the axes of one reduction, outermost first; `find_reduced` compares them."""
        self.reductions.append(tuple(axes))

    def find_reduced(self) -> frozenset[int]:
        """The unsplit axes that are reduced: all reductions must reduce the same; raises LoweringError otherwise.

        Reductions of operands that never met have axes of their own; they are made one where the asked extents agree.
        """
        if not self.reductions:
            return frozenset()
        first, *others = self.reductions
        for other in others:
            if self._leaves(first) == self._leaves(other):
                continue
            if self._leaves(first) & self._leaves(other) or not self._are_alike(first, other):
                detail = "reductions over different dimensions"
                raise LoweringError("draft.not_fusible", detail=detail)
            for left, right in zip(first, other, strict=True):
                self.unify(left, right)
        return self._leaves(first)

    def _are_alike(self, left: Sequence[int], right: Sequence[int]) -> bool:
        extents = [[self._hinted_extent(axis) for axis in axes] for axes in (left, right)]
        return extents[0] == extents[1]

    def _hinted_extent(self, axis: int) -> int:
        return evaluate_size(self.extents[self.find(axis)], self.hints)

    def leaves_of(self, axis: int) -> tuple[int, ...]:
        """The unsplit axes that make up `axis`, outermost first."""
        root = self.find(axis)
        if root not in self.parts:
            return (root,)
        return tuple(leaf for part in self.parts[root] for leaf in self.leaves_of(part))

    def _leaves(self, axes: Iterable[int]) -> frozenset[int]:
        return frozenset(leaf for axis in axes for leaf in self.leaves_of(axis))

    def ordered_leaves(self) -> list[int]:
        """All unsplit axes, outermost first; raises LoweringError if values order them in two ways."""
        chains = [
            tuple(leaf for axis in order for leaf in self.leaves_of(axis)) for order in self.orders
        ]
        waiting = list(dict.fromkeys(leaf for chain in chains for leaf in chain))
        ordered: list[int] = []
        while waiting:
            ready = next((leaf for leaf in waiting if _is_first(leaf, chains, ordered)), None)
            if ready is None:
                detail = "operands have their dimensions in different orders"
                raise LoweringError("draft.not_fusible", detail=detail)
            waiting.remove(ready)
            ordered.append(ready)
        return ordered


def _is_first(leaf: int, chains: Sequence[tuple[int, ...]], done: Sequence[int]) -> bool:
    for chain in chains:
        if leaf in chain and any(other not in done for other in chain[: chain.index(leaf)]):
            return False
    return True


@dataclass(frozen=True)
class Space:
    """The resolved axes and the axis number that stands for each."""

    axes: tuple[Axis, ...]
    leaves: tuple[int, ...]


def resolve_space(table: AxisTable) -> Space:
    """Order the axes and name them `a0`, `a1`, ... from the outermost; raises LoweringError."""
    reduced = table.find_reduced()
    leaves = table.ordered_leaves()
    axes = tuple(
        Axis(f"a{position}", table.extents[leaf], leaf in reduced)
        for position, leaf in enumerate(leaves)
    )
    return Space(axes, tuple(leaves))


def place_strides(
    table: AxisTable, space: Space, dimensions: Dimensions, strides: Sequence[str]
) -> tuple[str, ...]:
    """One stride per axis of the space for a tensor with `dimensions` and `strides`; `0` where it has no such axis.

    Raises LoweringError for a tensor that has one axis twice (a diagonal).
    """
    placed: dict[int, str] = {}
    for axis, stride in zip(dimensions, strides, strict=True):
        if axis is None:
            continue
        step = multiply_sizes(stride)
        for leaf in reversed(table.leaves_of(axis)):
            if leaf in placed:
                raise LoweringError(
                    "draft.not_fusible", detail="a tensor is used along its diagonal"
                )
            placed[leaf] = step
            step = multiply_sizes(step, table.extents[leaf])
    return tuple(placed.get(leaf, "0") for leaf in space.leaves)


def coalesce(
    axes: Sequence[Axis], loads: Sequence[Load], stores: Sequence[Store]
) -> tuple[tuple[Axis, ...], tuple[Load, ...], tuple[Store, ...]]:
    """Join neighbouring axes that all accesses traverse as one; names are given anew."""
    axes, loads, stores = tuple(axes), tuple(loads), tuple(stores)
    position = len(axes) - 2
    while position >= 0:
        accesses = [load.strides for load in loads if load.strides]
        accesses += [store.strides for store in stores]
        if _can_join(axes[position], axes[position + 1], position, accesses, stores):
            joined = replace(
                axes[position],
                extent=multiply_sizes(axes[position].extent, axes[position + 1].extent),
            )
            axes = (*axes[:position], joined, *axes[position + 2 :])
            loads = tuple(replace(load, strides=_drop(load.strides, position)) for load in loads)
            stores = tuple(
                replace(store, strides=_drop(store.strides, position)) for store in stores
            )
        position -= 1
    renamed = {axis.name: f"a{number}" for number, axis in enumerate(axes)}
    stores = tuple(
        replace(store, axes=tuple(renamed[name] for name in store.axes if name in renamed))
        for store in stores
    )
    return tuple(replace(axis, name=renamed[axis.name]) for axis in axes), loads, stores


def _can_join(
    outer: Axis,
    inner: Axis,
    position: int,
    accesses: Sequence[tuple[str, ...]],
    stores: Sequence[Store],
) -> bool:
    if outer.is_reduced != inner.is_reduced:
        return False
    if any((outer.name in store.axes) != (inner.name in store.axes) for store in stores):
        return False
    return all(
        strides[position] == multiply_sizes(strides[position + 1], inner.extent)
        for strides in accesses
    )


def _drop(strides: tuple[str, ...], position: int) -> tuple[str, ...]:
    return (*strides[:position], *strides[position + 1 :]) if strides else strides
