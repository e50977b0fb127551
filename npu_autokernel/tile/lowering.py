"""What a lowering works with: the values so far, the axes so far, and how ATen aligns and reduces dimensions.

A lowering is a function `(context, call, *arguments, **keywords)` that returns a Value or a tuple of them, one per
result of the op. Its tensor arguments arrive as Values, everything else as Python values. What it cannot do right
it raises as LoweringError; `draft` turns that into a Refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from npu_autokernel.graph.task import OpCall, SizeArg, TensorSpec
from npu_autokernel.tile.expression import (
    Dimensions,
    LoweringError,
    StepList,
    Value,
    convert,
    reduce,
    size_value,
    with_dimensions,
)
from npu_autokernel.tile.program import Load
from npu_autokernel.tile.sizes import multiply_sizes
from npu_autokernel.tile.space import AxisTable

Lowered = Union[Value, tuple[Value, ...]]
Lowering = Callable[..., Lowered]


@dataclass
class LoweringContext:
    """The program under construction: steps, axes, loads and their dimensions and strides."""

    axes: AxisTable
    steps: StepList = field(default_factory=StepList)
    inputs: list[tuple[Load, Dimensions, tuple[str, ...]]] = field(default_factory=list)

    def add_input(self, number: int, spec: TensorSpec) -> Value:
        """The value of task input `number`."""
        dimensions = self.axes.add_dimensions(spec.sizes)
        load = Load(f"x{number}", number, spec.dtype, (), spec.is_host_scalar)
        self.inputs.append((load, dimensions, spec.strides))
        return Value(self.steps, load.name, spec.dtype, dimensions)

    def constant(
        self, number: int | float | bool, dtype: str, dimensions: Dimensions = ()
    ) -> Value:
        return convert(Value(self.steps, number, "float32", dimensions), dtype)

    def reduced_dimensions(
        self, value: Value, axes: Sequence[int] | int | None, keepdim: bool
    ) -> tuple[tuple[int, ...], Dimensions]:
        """The axes that a reduction over dimensions `axes` (None or empty: all) reduces, and the result's dimensions.

        Marks the axes as reduced, so a second set of reduced dimensions raises LoweringError.
        """
        rank = len(value.dimensions)
        chosen = list_dimensions(axes, rank)
        reduced = tuple(
            axis for position in chosen if (axis := value.dimensions[position]) is not None
        )
        if reduced:
            self.axes.mark_reduced(reduced)
        kept = [
            None if position in chosen else axis for position, axis in enumerate(value.dimensions)
        ]
        if not keepdim:
            kept = [axis for position, axis in enumerate(kept) if position not in chosen]
        self.axes.note_order(kept)
        return reduced, tuple(kept)

    def reduce(self, op: str, value: Value, axes: Sequence[int]) -> Value:
        """`value` reduced over `axes` (axis numbers); over no axis it is the value itself."""
        return reduce(op, value) if axes else value

    def count(self, like: Value, axes: Sequence[int]) -> Value:
        """The number of elements along `axes`, as a number in float32."""
        return size_value(like, self.count_expression(axes))

    def count_expression(self, axes: Sequence[int]) -> str:
        return multiply_sizes(*(self.axes.extents[self.axes.find(axis)] for axis in axes))


def list_dimensions(axes: Sequence[int] | int | None, rank: int) -> list[int]:
    """The dimensions that a `dim` argument names, as positions; None and an empty list mean all."""
    if axes is None or (not isinstance(axes, int) and not len(axes)):
        return list(range(rank))
    named = [axes] if isinstance(axes, int) else axes
    return sorted({axis % rank if rank else 0 for axis in named} & set(range(max(rank, 0))))


def finish(value: Value, call: OpCall, result: int, dimensions: Dimensions) -> Value:
    """`value` as result number `result` of `call`: converted to its dtype and given its dimensions."""
    dtype = call.results[result].dtype
    return with_dimensions(convert(value, dtype), dimensions)


def require_int(argument: Any, op: str, name: str) -> int:
    """An integer argument that is known when drafting; raises LoweringError for one that depends on sizes."""
    if isinstance(argument, SizeArg) or not isinstance(argument, int):
        raise LoweringError("draft.unsupported_argument", op=op, detail=f"{name} is not a number")
    return argument
