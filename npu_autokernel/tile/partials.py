"""Split reductions: how partial results pass from one launch to the next, through scratch memory.

Each reduction has a scratch buffer of `parts` rows; a row has one element per point of the kept axes, in row-major
order. The launches of one phase fill it, those of later phases load all rows of their tile and reduce them. Nothing
is atomic, so results do not depend on the order of cores.
"""

from __future__ import annotations

from npu_autokernel.candidate import LaunchArgument, ScratchBuffer
from npu_autokernel.tile.dtypes import TRITON_TYPES
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.padding import neutral_element, print_number
from npu_autokernel.tile.program import Axis, Reduce, TileProgram
from npu_autokernel.tile.sizes import multiply_sizes


def kept_strides(program: TileProgram) -> dict[str, str]:
    """For each kept axis the distance of its neighbours in a row of partial results."""
    strides: dict[str, str] = {}
    step = "1"
    for axis in reversed(program.kept_axes):
        strides[axis.name] = step
        step = multiply_sizes(step, axis.extent)
    return strides


def kept_count(program: TileProgram) -> str:
    """Elements of a row of partial results."""
    return multiply_sizes(*(axis.extent for axis in program.kept_axes))


def list_scratch(layout: KernelLayout) -> tuple[ScratchBuffer, ...]:
    """One buffer per reduction, in the program's order."""
    count = multiply_sizes(str(layout.schedule.parts), kept_count(layout.program))
    return tuple(ScratchBuffer(step.dtype, count) for step in layout.program.reductions)


def list_scratch_arguments(layout: KernelLayout) -> tuple[LaunchArgument, ...]:
    return tuple(
        LaunchArgument(f"{step.name}_parts_ptr", "scratch", f"*{TRITON_TYPES[step.dtype]}", number)
        for number, step in enumerate(layout.program.reductions)
    )


def print_partial_store(layout: KernelLayout, step: Reduce) -> str:
    """Store the result of this part."""
    axes = layout.tile_axes_of(step.name)
    terms = [f"{step.name}_parts_ptr", *_part_terms(layout, "part"), *_kept_terms(layout, "")]
    if not axes:
        return f"tl.store({' + '.join([*terms, 'tl.arange(0, 1)'])}, {step.name})"
    return f"tl.store({' + '.join(terms)}, {step.name}, mask={layout.mask_name(axes)})"


def print_combination(layout: KernelLayout, step: Reduce) -> str:
    """Load the results of all parts and reduce them."""
    axes = layout.tile_axes_of(step.name)
    rows, spread = ("parts[:, None]", "[None, :]") if axes else ("parts", "")
    terms = [f"{step.name}_parts_ptr", *_part_terms(layout, rows), *_kept_terms(layout, spread)]
    mask = ""
    if axes:
        neutral = print_number(neutral_element(step.op, step.dtype))
        mask = f", mask={layout.mask_name(axes)}[None, :], other={neutral}"
    keep = "" if axes else ", keep_dims=True"
    loaded = f"tl.load({' + '.join(terms)}{mask})"
    if step.op == "prod":
        return f"tl.reduce({loaded}, 0, multiply{keep})"
    return f"tl.{step.op}({loaded}, 0{keep})"


def _part_terms(layout: KernelLayout, part: str) -> list[str]:
    count = layout.size_text(kept_count(layout.program))
    return [part if count == "1" else f"{part} * {count}"]


def _kept_terms(layout: KernelLayout, spread: str) -> list[str]:
    strides = kept_strides(layout.program)
    return [
        _kept_term(layout, axis, strides[axis.name], spread) for axis in layout.program.kept_axes
    ]


def _kept_term(layout: KernelLayout, axis: Axis, stride: str, spread: str) -> str:
    index = layout.index_name(axis.name)
    if axis.name in layout.tiled_axes:
        index += spread
    return index if stride == "1" else f"{index} * {layout.size_text(stride)}"
