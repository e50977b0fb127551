"""Writes the body of one Triton kernel: the loop over tiles, the loops over chunks of reduced axes, the stores.

Steps are written by `step_writer`, accesses by `access_text`; this file owns the order of things.
"""

from __future__ import annotations

from npu_autokernel.tile.access_text import print_store
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.padding import neutral_element, print_number
from npu_autokernel.tile.program import Reduce, SizeOperand, Store
from npu_autokernel.tile.step_writer import StepWriter

INDENT = "    "


def write_body(layout: KernelLayout) -> list[str]:
    """All lines of the kernel's body, without the indentation of the function."""
    writer = StepWriter(layout)
    writer.lines[0] += _whole_axis_lines(layout)
    if layout.schedule.reduction == "looped":
        _write_phases(writer)
    for store in layout.program.stores:
        if layout.store_level(store) < 2:
            writer.lines[1].append(_store_text(writer, store))
    outside, inside, _ = writer.lines
    if not layout.program.kept_axes:
        return [*outside, *inside]
    setup, head, decoding = _tile_loop(layout)
    return [*setup, *outside, head, *(INDENT + line for line in (*decoding, *inside))]


def _whole_axis_lines(layout: KernelLayout) -> list[str]:
    """Indices of reduced axes that lie whole in the tile."""
    if layout.schedule.reduction != "whole":
        return []
    lines = [line for axis in layout.program.reduced_axes for line in layout.index_lines(axis, "")]
    return lines + layout.joint_mask_lines(level=0)


def _tile_loop(layout: KernelLayout) -> tuple[list[str], str, list[str]]:
    """Lines before the loop over tiles, its head, and the decoding of the tile number into indices."""
    setup: list[str] = []
    counts: list[str] = []
    for axis in layout.program.kept_axes:
        extent = layout.size_text(axis.extent)
        if axis.name in layout.tiled_axes:
            name = f"{layout.index_name(axis.name)}_tiles"
            setup.append(f"{name} = tl.cdiv({extent}, {layout.block_name(axis.name)})")
            counts.append(name)
        else:
            counts.append(extent)
    head = f"for tile in range(tl.program_id(0), {' * '.join(counts)}, tl.num_programs(0)):"
    return setup, head, _decode_tile(layout, counts)


def _decode_tile(layout: KernelLayout, counts: list[str]) -> list[str]:
    """Scalar division and remainder, the innermost axis first."""
    lines: list[str] = []
    rest = "tile"
    for position in range(len(counts) - 1, -1, -1):
        axis = layout.program.kept_axes[position]
        number = f"{rest} % {counts[position]}" if position else rest
        if axis.name in layout.tiled_axes:
            lines += layout.index_lines(axis, f"{number} * {layout.block_name(axis.name)}")
        else:
            lines.append(f"{layout.index_name(axis.name)} = {number}")
        rest = f"{rest} // {counts[position]}"
        if position > 1:
            lines.append(f"rest = {rest}")
            rest = "rest"
    return lines + layout.joint_mask_lines(level=1)


def _write_phases(writer: StepWriter) -> None:
    """One loop over the chunks for the reductions of each phase, one for the stores that span reduced axes."""
    program = writer.program
    phase_of = {step.name: program.phase_of[step.operand] for step in program.reductions}
    for phase in sorted(set(phase_of.values())):
        steps = [step for step in program.reductions if phase_of[step.name] == phase]
        _write_reduction_loop(writer, steps)
    stores = [store for store in program.stores if writer.layout.store_level(store) == 2]
    if stores:
        writer.open_loop()
        writer.lines[2] += [_store_text(writer, store) for store in stores]
        writer.lines[1] += _wrap_chunks(writer.layout, writer.lines[2])


def _write_reduction_loop(writer: StepWriter, steps: list[Reduce]) -> None:
    """Gather chunks in one block per reduction, and reduce that block after the loop."""
    writer.open_loop()
    for step in steps:
        update = _accumulate(step, writer.reduction_operand(step))
        writer.lines[2].append(update)
        shape = writer.layout.shape_text(writer.reduction_axes(step))
        neutral = print_number(neutral_element(step.op, step.dtype))
        start = f"{step.name}_part = tl.full({shape}, {neutral}, tl.{step.dtype})"
        writer.lines[1].append(start)
    writer.lines[1] += _wrap_chunks(writer.layout, writer.lines[2])
    for step in steps:
        writer.lines[1].append(f"{step.name} = {writer.reduce_text(step, f'{step.name}_part')}")
        writer.known[1].add(step.name)


def _accumulate(step: Reduce, operand: str) -> str:
    part = f"{step.name}_part"
    if step.op in ("sum", "prod"):
        return f"{part} {'+' if step.op == 'sum' else '*'}= {operand}"
    function = "tl.maximum" if step.op == "max" else "tl.minimum"
    return f"{part} = {function}({part}, {operand}, propagate_nan=tl.PropagateNan.ALL)"


def _wrap_chunks(layout: KernelLayout, lines: list[str]) -> list[str]:
    """`lines` inside one `for` per looped axis; an axis without a block is walked one by one."""
    body = [*layout.joint_mask_lines(level=2), *lines]
    for axis in reversed(layout.looped_axes):
        index, extent = layout.index_name(axis.name), layout.size_text(axis.extent)
        if axis.name in layout.tiled_axes:
            start = f"{index}_start"
            head = f"for {start} in range(0, {extent}, {layout.block_name(axis.name)}):"
            body = [*layout.index_lines(axis, start), *body]
        else:
            head = f"for {index} in range(0, {extent}):"
        body = [head, *(INDENT + line for line in body)]
    return body


def _store_text(writer: StepWriter, store: Store) -> str:
    """A store of the value, spread or filled to the tile of the output."""
    layout = writer.layout
    axes = layout.tile_axes(store.axes)
    if isinstance(store.value, SizeOperand) or not isinstance(store.value, str):
        dtype = "int1" if store.dtype == "bool" else store.dtype
        number = writer.operand_text(store.value, axes)
        return print_store(
            layout, store, f"tl.full({layout.shape_text(axes)}, {number}, tl.{dtype})"
        )
    value = writer.operand_text(store.value, axes)
    if layout.tile_axes_of(store.value) != axes:
        value = f"tl.broadcast_to({value}, {layout.shape_text(axes)})"
    return print_store(layout, store, value)
