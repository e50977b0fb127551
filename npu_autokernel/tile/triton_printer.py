"""TileProgram + Schedule -> Triton source and launch plan.

The source has one kernel:

    values that no tile changes
    for tile in range(program_id, tiles, num_programs):       a persistent loop over the cores
        indices and masks of the tile, loads, steps
        for start in range(0, extent, COLUMNS):               once per phase, only if reduced axes are looped
            ...
        stores

Steps that are used once are printed inside their user. Text is a function of program and schedule alone.
"""

from __future__ import annotations

from npu_autokernel.candidate import (
    Candidate,
    KernelLaunch,
    LaunchArgument,
    LaunchPlan,
    Provenance,
)
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.tile.dtypes import TRITON_TYPES
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.kernel_writer import write_body
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule

HEADER = "import triton\nimport triton.language as tl\n"
BLOCK_NAMES = ("ROWS", "COLUMNS")


def print_candidate(program: TileProgram, schedule: Schedule, task: KernelTask) -> Candidate:
    """The candidate of `program` under `schedule` for `task` (whose specs give the arguments' types)."""
    layout = KernelLayout(program, schedule)
    source = print_source(layout)
    plan = LaunchPlan(
        launches=(_plan_launch(layout, task),),
        output_fills=(None,) * len(task.outputs),
        requires=_list_requirements(layout),
    )
    return Candidate(
        language="triton",
        source=source,
        plan=plan,
        schedule=schedule.to_pairs(),
        compiler_options=(("multi_buffer", schedule.multi_buffer),),
        provenance=Provenance("built-in"),
    )


def print_source(layout: KernelLayout) -> str:
    """The whole module: imports, combine functions of reductions, the kernel."""
    body = write_body(layout)
    parameters = [argument.parameter for argument in _list_arguments(layout)]
    constants = [f"{name}: tl.constexpr" for name, _ in _list_constants(layout)]
    signature = ", ".join([*parameters, *constants])
    name = layout.program.name
    head = f"def {name}({signature}):"
    if len(head) > 100:
        head = f"def {name}(\n    {signature},\n):"
    combine = ""
    if any(step.op == "prod" for step in layout.program.reductions):
        combine = "@triton.jit\ndef multiply(left, right):\n    return left * right\n\n\n"
    lines = "".join(f"    {line}\n" for line in body)
    return f"{HEADER}\n\n{combine}@triton.jit\n{head}\n{lines}"


def _plan_launch(layout: KernelLayout, task: KernelTask) -> KernelLaunch:
    del task
    return KernelLaunch(
        entry=layout.program.name,
        grid=(_grid_expression(layout), "1", "1"),
        arguments=_list_arguments(layout),
        constants=_list_constants(layout),
    )


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
    return tuple(arguments)


def _list_constants(layout: KernelLayout) -> tuple[tuple[str, int], ...]:
    names = BLOCK_NAMES[-len(layout.tiled_axes) :] if layout.tiled_axes else ()
    return tuple(
        (name, layout.schedule.blocks[axis])
        for name, axis in zip(names, layout.tiled_axes, strict=True)
    )


def _grid_expression(layout: KernelLayout) -> str:
    """`min(num_cores, tiles)`: one program per core, fewer where there are fewer tiles."""
    counts = []
    for axis in layout.program.kept_axes:
        block = layout.schedule.blocks.get(axis.name, 1)
        counts.append(f"ceildiv({axis.extent}, {block})" if block > 1 else f"({axis.extent})")
    return f"min(num_cores, {' * '.join(counts)})" if counts else "1"


def _list_requirements(layout: KernelLayout) -> tuple[str, ...]:
    requires = layout.program.requires
    if layout.schedule.reduction != "whole":
        return requires
    blocks = layout.schedule.blocks
    return requires + tuple(
        f"{axis.extent} <= {blocks[axis.name]}" for axis in layout.program.reduced_axes
    )
