"""A launch's arguments: what is known when a kernel is prepared, per shape, and per call.

A recipe says for each run-time parameter where its value comes from. Numbers and sizes are resolved once per shape;
only addresses and host scalars are looked up on each call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from npu_autokernel.candidate import KernelLaunch, LaunchArgument
from npu_autokernel.size_expression import evaluate_size

BUFFER_KINDS = ("input", "output", "scratch")


@dataclass(frozen=True)
class BufferSlot:
    """Position `index` of a call's arguments is the address of buffer `number` of its kind."""

    index: int
    kind: str
    number: int


@dataclass(frozen=True)
class ScalarSlot:
    """Position `index` takes the value of host scalar input `number`, as a float or an integer."""

    index: int
    number: int
    is_float: bool


@dataclass(frozen=True)
class LaunchRecipe:
    """The arguments of one launch at one shape: known values, and the slots to fill on each call."""

    values: tuple[int | float | None, ...]
    buffers: tuple[BufferSlot, ...]
    scalars: tuple[ScalarSlot, ...]


def make_recipe(
    launch: KernelLaunch, parameters: Sequence[str], sizes: Mapping[str, int]
) -> LaunchRecipe:
    """The recipe for the kernel's run-time `parameters`, in order; raises SizeExpressionError."""
    given = {argument.parameter: argument for argument in launch.arguments}
    ordered = [given[name] for name in parameters]
    return LaunchRecipe(
        values=tuple(_resolve(argument, sizes) for argument in ordered),
        buffers=tuple(
            BufferSlot(index, argument.kind, int(argument.value))
            for index, argument in enumerate(ordered)
            if argument.kind in BUFFER_KINDS
        ),
        scalars=tuple(
            ScalarSlot(index, int(argument.value), is_float_type(argument.type))
            for index, argument in enumerate(ordered)
            if argument.kind == "host_scalar"
        ),
    )


def is_float_type(triton_type: str) -> bool:
    """Whether a scalar of this Triton type is a floating-point number."""
    return triton_type.startswith(("fp", "bf"))


def _resolve(argument: LaunchArgument, sizes: Mapping[str, int]) -> int | float | None:
    if argument.kind == "size":
        return evaluate_size(str(argument.value), sizes)
    if argument.kind == "number":
        is_float = is_float_type(argument.type)
        return float(argument.value) if is_float else int(argument.value)
    return None
