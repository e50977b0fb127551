"""TileProgram + Schedule -> Triton source and launch plan.

The source has one kernel, or several that pass partial results on (see `kernel_writer`):

    values that no tile changes
    for tile in range(program_id, tiles, num_programs):       a persistent loop over the cores
        indices and masks of the tile, loads, steps
        for start in range(0, extent, COLUMNS):               once per phase, only if reduced axes are looped over
            ...
        stores

Steps that are used once are printed inside their user. Text is a function of program and schedule alone.
"""

from __future__ import annotations

import re

from npu_autokernel.candidate import (
    Candidate,
    KernelLaunch,
    LaunchArgument,
    LaunchPlan,
    Provenance,
)
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.tile.draft import MAX_NAME_LENGTH
from npu_autokernel.tile.dtypes import TRITON_TYPES
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.kernel_writer import Stage, list_stages, write_body
from npu_autokernel.tile.partials import list_scratch, list_scratch_arguments
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule

HEADER = "import triton\nimport triton.language as tl\n"
MULTIPLY = "@triton.jit\ndef multiply(left, right):\n    return left * right\n"
BLOCK_NAMES = ("ROWS", "COLUMNS")
MAX_HEAD_LENGTH = 100


def print_candidate(program: TileProgram, schedule: Schedule, task: KernelTask) -> Candidate:
    """The candidate of `program`, which was drafted for `task`, under `schedule`."""
    layout = KernelLayout(program, schedule)
    kernels = tuple(_print_kernel(layout, stage) for stage in list_stages(layout))
    is_split = schedule.reduction == "split"
    return Candidate(
        language="triton",
        source=_print_module(program, [text for text, _ in kernels]),
        plan=LaunchPlan(
            launches=tuple(launch for _, launch in kernels),
            scratch=list_scratch(layout) if is_split else (),
            output_fills=(None,) * len(task.outputs),
            requires=_list_requirements(layout),
        ),
        schedule=schedule.to_pairs(),
        compiler_options=(("multi_buffer", schedule.multi_buffer),),
        provenance=Provenance("built-in"),
    )


def _print_module(program: TileProgram, kernels: list[str]) -> str:
    """Imports, the combine function of products, the kernels."""
    parts = [HEADER, *([MULTIPLY] if any(step.op == "prod" for step in program.reductions) else [])]
    return "\n\n".join([*parts, *kernels])


def _print_kernel(layout: KernelLayout, stage: Stage) -> tuple[str, KernelLaunch]:
    """One kernel's text, and its launch with the parameters that the text mentions."""
    body = write_body(layout, stage)
    words = set(re.findall(r"\w+", "\n".join(body)))
    arguments = tuple(item for item in _list_arguments(layout) if item.parameter in words)
    constants = tuple(item for item in _list_constants(layout) if item[0] in words)
    entry = layout.program.name[: MAX_NAME_LENGTH - len(stage.suffix)] + stage.suffix
    signature = [item.parameter for item in arguments]
    signature += [f"{name}: tl.constexpr" for name, _ in constants]
    head = f"def {entry}({', '.join(signature)}):"
    if len(head) > MAX_HEAD_LENGTH:
        head = "\n".join([f"def {entry}(", *(f"    {item}," for item in signature), "):"])
    lines = "".join(f"    {line}\n" for line in body)
    grid = (_grid_expression(layout, stage), "1", "1")
    return f"@triton.jit\n{head}\n{lines}", KernelLaunch(entry, grid, arguments, constants)


def _list_arguments(layout: KernelLayout) -> tuple[LaunchArgument, ...]:
    arguments: list[LaunchArgument] = []
    for load in layout.program.loads:
        if load.is_host_scalar:
            kind = "fp32" if load.dtype == "float64" else TRITON_TYPES[load.dtype]
            kind = "fp32" if kind in ("fp16", "bf16") else kind
            arguments.append(LaunchArgument(f"{load.name}_value", "host_scalar", kind, load.input))
        else:
            pointer = f"*{TRITON_TYPES[load.dtype]}"
            arguments.append(LaunchArgument(f"{load.name}_ptr", "input", pointer, load.input))
    for store in layout.program.stores:
        pointer = f"*{TRITON_TYPES[store.dtype]}"
        arguments.append(LaunchArgument(f"out{store.output}_ptr", "output", pointer, store.output))
    for expression, name in layout.size_parameters.items():
        arguments.append(LaunchArgument(name, "size", "i32", expression))
    if layout.schedule.reduction == "split":
        arguments += list_scratch_arguments(layout)
    return tuple(arguments)


def _list_constants(layout: KernelLayout) -> tuple[tuple[str, int], ...]:
    names = BLOCK_NAMES[-len(layout.tiled_axes) :] if layout.tiled_axes else ()
    blocks = [layout.schedule.blocks[axis] for axis in layout.tiled_axes]
    return (*zip(names, blocks, strict=True), ("PARTS", layout.schedule.parts))


def _grid_expression(layout: KernelLayout, stage: Stage) -> str:
    """`min(num_cores, tiles)`: one program per core, fewer where there are fewer tiles."""
    counts = []
    for axis in layout.program.kept_axes:
        block = layout.schedule.blocks.get(axis.name, 1)
        counts.append(f"ceildiv({axis.extent}, {block})" if block > 1 else f"({axis.extent})")
    if stage.is_split:
        counts.append(str(layout.schedule.parts))
    if not counts:
        return "1"
    bounds = ["num_cores", " * ".join(counts)]
    if layout.schedule.programs is not None:
        bounds.append(str(layout.schedule.programs))
    return f"min({', '.join(bounds)})"


def _list_requirements(layout: KernelLayout) -> tuple[str, ...]:
    requires = layout.program.requires
    if layout.schedule.reduction != "whole":
        return requires
    blocks = layout.schedule.blocks
    return requires + tuple(
        f"{axis.extent} <= {blocks[axis.name]}" for axis in layout.program.reduced_axes
    )
