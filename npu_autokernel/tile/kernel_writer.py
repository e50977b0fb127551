"""Writes the bodies of Triton kernels: the loop over tiles, the loops over chunks of reduced axes, the stores.

A schedule makes one kernel, or, where a reduction is split over cores, one per phase and one or two that finish
(`list_stages`). Steps are written by `step_writer`, accesses by `access_text`, partial results by `partials`; this
file owns the order of things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from npu_autokernel.tile.access_text import print_store
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.padding import neutral_element, print_number
from npu_autokernel.tile.partials import print_partial_store
from npu_autokernel.tile.program import Axis, Reduce, SizeOperand, Store
from npu_autokernel.tile.step_writer import StepWriter

INDENT = "    "


@dataclass(frozen=True)
class Stage:
    """One kernel: the phases of reductions it computes, the stores it makes, and whether parts share its work."""

    suffix: str
    phases: tuple[int, ...]
    stores: tuple[Store, ...]
    is_split: bool = False


def list_stages(layout: KernelLayout) -> tuple[Stage, ...]:
    """The kernels of a schedule in the order of their launches."""
    program = layout.program
    phases = sorted({program.phase_of[step.operand] for step in program.reductions})
    if layout.schedule.reduction != "split":
        return (Stage("", tuple(phases), program.stores),)
    stages = [Stage(f"_part{phase}", (phase,), (), True) for phase in phases]
    kept = tuple(store for store in program.stores if layout.store_level(store) < 2)
    full = tuple(store for store in program.stores if layout.store_level(store) == 2)
    if kept:
        stages.append(Stage("_finish", (), kept))
    if full:
        stages.append(Stage("_spread", (), full, True))
    return tuple(stages)


def write_body(layout: KernelLayout, stage: Stage) -> list[str]:
    """All lines of a kernel's body, without the indentation of the function."""
    writer = StepWriter(layout)
    writer.lines[0] += _whole_axis_lines(layout)
    if layout.looped_axes:
        _write_phases(writer, stage)
    for store in stage.stores:
        if layout.store_level(store) < 2:
            writer.lines[1].append(_store_text(writer, store))
    outside, inside, _ = writer.lines
    if any(re.search(r"\bparts\b", line) for line in inside):
        outside.insert(0, "parts = tl.arange(0, PARTS)")
    if not layout.program.kept_axes and not stage.is_split:
        return [*outside, *inside]
    setup, head, decoding = _tile_loop(layout, stage)
    return [*setup, *outside, head, *(INDENT + line for line in (*decoding, *inside))]


def _whole_axis_lines(layout: KernelLayout) -> list[str]:
    """Indices of reduced axes that lie whole in the tile."""
    if layout.schedule.reduction != "whole":
        return []
    lines = [line for axis in layout.program.reduced_axes for line in layout.index_lines(axis, "")]
    return lines + layout.joint_mask_lines(level=0)


def _tile_loop(layout: KernelLayout, stage: Stage) -> tuple[list[str], str, list[str]]:
    """Lines before the loop over tiles, its head, and the decoding of the tile number into indices.

    The parts of a split reduction are the innermost digit of a tile number.
    """
    setup: list[str] = []
    digits: list[tuple[Axis | None, str]] = []
    for axis in layout.program.kept_axes:
        count = layout.size_text(axis.extent)
        if axis.name in layout.tiled_axes:
            extent, count = count, f"{layout.index_name(axis.name)}_tiles"
            setup.append(f"{count} = tl.cdiv({extent}, {layout.block_name(axis.name)})")
        digits.append((axis, count))
    if stage.is_split:
        digits.append((None, "PARTS"))
    tiles = " * ".join(count for _, count in digits)
    head = f"for tile in range(tl.program_id(0), {tiles}, tl.num_programs(0)):"
    return setup, head, _decode_tile(layout, digits)


def _decode_tile(layout: KernelLayout, digits: list[tuple[Axis | None, str]]) -> list[str]:
    """Scalar division and remainder, the innermost digit first."""
    lines: list[str] = []
    rest = "tile"
    for position in range(len(digits) - 1, -1, -1):
        axis, count = digits[position]
        number = f"{rest} % {count}" if position else rest
        if axis is None:
            lines.append(f"part = {number}")
        elif axis.name in layout.tiled_axes:
            lines += layout.index_lines(axis, f"{number} * {layout.block_name(axis.name)}")
        else:
            lines.append(f"{layout.index_name(axis.name)} = {number}")
        rest = f"{rest} // {count}"
        if position > 1:
            lines.append(f"rest = {rest}")
            rest = "rest"
    return lines + layout.joint_mask_lines(level=1)


def _write_phases(writer: StepWriter, stage: Stage) -> None:
    """One loop over the chunks for the reductions of each phase, one for the stores that span reduced axes."""
    program = writer.program
    for phase in stage.phases:
        steps = [step for step in program.reductions if program.phase_of[step.operand] == phase]
        _write_reduction_loop(writer, steps, stage)
    stores = [store for store in stage.stores if writer.layout.store_level(store) == 2]
    if stores:
        writer.open_loop()
        writer.lines[2] += [_store_text(writer, store) for store in stores]
        writer.lines[1] += _wrap_chunks(writer.layout, writer.lines[2], stage)


def _write_reduction_loop(writer: StepWriter, steps: list[Reduce], stage: Stage) -> None:
    """Gather chunks in one block per reduction, and reduce that block after the loop."""
    writer.open_loop()
    layout = writer.layout
    for step in steps:
        update = _accumulate(step, writer.reduction_operand(step))
        writer.lines[2].append(update)
        shape = layout.shape_text(writer.reduction_axes(step))
        neutral = print_number(neutral_element(step.op, step.dtype))
        start = f"{step.name}_chunks = tl.full({shape}, {neutral}, tl.{step.dtype})"
        writer.lines[1].append(start)
    writer.lines[1] += _wrap_chunks(layout, writer.lines[2], stage)
    for step in steps:
        writer.lines[1].append(f"{step.name} = {writer.reduce_text(step, f'{step.name}_chunks')}")
        writer.known[1].add(step.name)
        if stage.is_split:
            writer.lines[1].append(print_partial_store(layout, step))


def _accumulate(step: Reduce, operand: str) -> str:
    chunks = f"{step.name}_chunks"
    if step.op in ("sum", "prod"):
        return f"{chunks} {'+' if step.op == 'sum' else '*'}= {operand}"
    function = "tl.maximum" if step.op == "max" else "tl.minimum"
    return f"{chunks} = {function}({chunks}, {operand}, propagate_nan=tl.PropagateNan.ALL)"


def _wrap_chunks(layout: KernelLayout, lines: list[str], stage: Stage) -> list[str]:
    """`lines` inside one `for` per looped axis; an axis without a block is walked one by one.

    The chunks of the split axis are dealt out to the parts in turn.
    """
    body = [*layout.joint_mask_lines(level=2), *lines]
    for axis in reversed(layout.looped_axes):
        index, extent = layout.index_name(axis.name), layout.size_text(axis.extent)
        is_split = stage.is_split and axis.name == layout.schedule.split_axis
        if axis.name in layout.tiled_axes:
            start, block = f"{index}_start", layout.block_name(axis.name)
            first, step = (f"part * {block}", f"PARTS * {block}") if is_split else ("0", block)
            head = f"for {start} in range({first}, {extent}, {step}):"
            body = [*layout.index_lines(axis, start), *body]
        else:
            bounds = f"part, {extent}, PARTS" if is_split else f"0, {extent}"
            head = f"for {index} in range({bounds}):"
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
