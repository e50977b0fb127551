"""KernelTask -> TileProgram: lower each op, resolve the iteration space, drop what is not used, check the stores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_autokernel.graph.task import (
    ArgumentValue,
    DTypeArg,
    KernelTask,
    OpCall,
    TensorSpec,
    ValueRef,
)
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.tile.dtypes import SUPPORTED_DTYPES
from npu_autokernel.tile.expression import LoweringError, Value, with_dimensions
from npu_autokernel.tile.lowering import LoweringContext
from npu_autokernel.tile.ops import find_lowering
from npu_autokernel.tile.program import Load, Reduce, Step, Store, TileProgram
from npu_autokernel.tile.space import AxisTable, Space, coalesce, place_strides, resolve_space

MAX_NAME_LENGTH = 40


def draft_program(task: KernelTask) -> TileProgram | Refusal:
    """The tile program of `task`, or why no drafter writes one."""
    refusal = _check_task(task)
    if refusal is not None:
        return refusal
    context = LoweringContext(AxisTable(dict(task.hints)))
    try:
        values = _lower_ops(task, context)
        return _assemble(task, context, values)
    except LoweringError as error:
        return refuse(error.code, **error.evidence)


def _check_task(task: KernelTask) -> Refusal | None:
    name = task.ops[0].target if task.ops else "region"
    if task.index_bits != 32:
        return refuse("draft.unsupported_layout", op=name, detail="more than 2^31 - 1 elements")
    for spec in task.inputs:
        if spec.dtype not in SUPPORTED_DTYPES and not spec.is_host_scalar:
            return refuse("draft.unsupported_dtype", op=name, dtype=spec.dtype)
        if "0" in spec.sizes:
            return refuse("region.zero_size", op=name)
    for op in task.ops:
        for spec in op.results:
            if not _is_computable(spec):
                return refuse("draft.unsupported_dtype", op=op.target, dtype=spec.dtype)
    for output in task.outputs:
        if output.spec.dtype not in SUPPORTED_DTYPES:
            return refuse("draft.unsupported_dtype", op=name, dtype=output.spec.dtype)
        if "0" in output.spec.sizes:
            return refuse("region.zero_size", op=name)
    return None


def _is_computable(spec: TensorSpec) -> bool:
    return spec.dtype in SUPPORTED_DTYPES or (spec.dtype == "float64" and not spec.sizes)


def _lower_ops(task: KernelTask, context: LoweringContext) -> dict[str, tuple[Value, ...]]:
    values: dict[str, tuple[Value, ...]] = {
        f"x{number}": (context.add_input(number, spec),) for number, spec in enumerate(task.inputs)
    }
    for op in task.ops:
        values[op.name] = _lower_op(op, context, values)
    return values


def _lower_op(
    op: OpCall, context: LoweringContext, values: Mapping[str, tuple[Value, ...]]
) -> tuple[Value, ...]:
    lowering = find_lowering(op.target)
    if lowering is None:
        raise LoweringError("draft.unsupported_op", op=op.target)
    arguments = [_resolve_argument(argument, values) for argument in op.arguments]
    keywords = {name: _resolve_argument(argument, values) for name, argument in op.keywords}
    try:
        lowered = lowering(context, op, *arguments, **keywords)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise LoweringError("draft.unsupported_argument", op=op.target, detail=str(error)) from None
    return lowered if isinstance(lowered, tuple) else (lowered,)


def _resolve_argument(argument: ArgumentValue, values: Mapping[str, tuple[Value, ...]]) -> Any:
    if isinstance(argument, ValueRef):
        return values[argument.name][argument.item or 0]
    if isinstance(argument, DTypeArg):
        return argument.name
    if isinstance(argument, tuple):
        return tuple(_resolve_argument(item, values) for item in argument)
    return argument


def _assemble(
    task: KernelTask, context: LoweringContext, values: Mapping[str, tuple[Value, ...]]
) -> TileProgram:
    outputs = [values[output.value.name][output.value.item or 0] for output in task.outputs]
    space = resolve_space(context.axes)
    stores = tuple(
        _make_store(number, output.spec, value, context, space)
        for number, (output, value) in enumerate(zip(task.outputs, outputs, strict=True))
    )
    steps = _drop_unused_steps(context.steps.steps, stores)
    loads = _place_loads(context, space, steps, stores)
    axes, loads, stores = coalesce(space.axes, loads, stores)
    requires = tuple(dict.fromkeys(context.axes.requires))
    program = TileProgram(name_kernel(task), axes, loads, steps, stores, requires)
    _check_stores(program)
    return program


def _make_store(
    number: int, spec: TensorSpec, value: Value, context: LoweringContext, space: Space
) -> Store:
    if len(value.dimensions) != len(spec.sizes):
        value = with_dimensions(value, context.axes.add_dimensions(spec.sizes))
    strides = place_strides(context.axes, space, value.dimensions, spec.strides)
    present = {
        leaf
        for axis in value.dimensions
        if axis is not None
        for leaf in context.axes.leaves_of(axis)
    }
    axes = tuple(
        axis.name for axis, leaf in zip(space.axes, space.leaves, strict=True) if leaf in present
    )
    return Store(number, value.operand, spec.dtype, axes, strides)


def _drop_unused_steps(steps: list[Step], stores: tuple[Store, ...]) -> tuple[Step, ...]:
    wanted = {store.value for store in stores if isinstance(store.value, str)}
    kept: list[Step] = []
    for step in reversed(steps):
        if step.name in wanted:
            kept.append(step)
            wanted.update(list_operand_names(step))
    return tuple(reversed(kept))


def list_operand_names(step: Step) -> tuple[str, ...]:
    """Names of the loads and steps that `step` uses."""
    if isinstance(step, Reduce):
        return (step.operand,)
    return tuple(operand for operand in step.operands if isinstance(operand, str))


def _place_loads(
    context: LoweringContext, space: Space, steps: tuple[Step, ...], stores: tuple[Store, ...]
) -> tuple[Load, ...]:
    used = {name for step in steps for name in list_operand_names(step)}
    used |= {store.value for store in stores if isinstance(store.value, str)}
    loads: list[Load] = []
    for load, dimensions, strides in context.inputs:
        if load.name not in used:
            continue
        if not load.is_host_scalar:
            placed = place_strides(context.axes, space, dimensions, strides)
            load = Load(load.name, load.input, load.dtype, placed)
        loads.append(load)
    return tuple(loads)


def _check_stores(program: TileProgram) -> None:
    every = {axis.name for axis in program.axes}
    kept = {axis.name for axis in program.kept_axes}
    for store in program.stores:
        if set(store.axes) not in (every, kept):
            raise LoweringError(
                "draft.not_fusible", detail=f"output {store.output} has another shape than the rest"
            )


def name_kernel(task: KernelTask) -> str:
    """A readable entry name of at most 40 characters, from the ops' names."""
    words = list(dict.fromkeys(_short_name(op.target) for op in task.ops))
    name = "_".join(words) or task.family
    kept = len(words)
    while len(name) > MAX_NAME_LENGTH and kept > 1:
        kept -= 1
        name = "_".join(words[:kept]) + f"_and_{len(words) - kept}_more"
    name = name[:MAX_NAME_LENGTH]
    return name if name[0].isalpha() else f"k_{name}"[:MAX_NAME_LENGTH]


def _short_name(target: str) -> str:
    parts = target.split(".")
    return (parts[1] if len(parts) > 1 else parts[0]).strip("_")
