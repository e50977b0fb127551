"""Does the launch plan fit its task and its source? Pure checks on data; nothing is imported or executed."""

from __future__ import annotations

from collections.abc import Iterator

from npu_autokernel.candidate import Candidate, KernelLaunch, LaunchArgument, LaunchPlan
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import SizeExpressionError, evaluate_condition, list_names
from npu_autokernel.toolchain.bishengir import OPTION_FLAGS
from npu_autokernel.verify.gates.source_text import SourceOutline

# Triton's element types by torch dtype; the first is the usual one.
ELEMENT_TYPES = {
    "float32": ("fp32",),
    "float16": ("fp16",),
    "bfloat16": ("bf16",),
    "int64": ("i64",),
    "int32": ("i32",),
    "int16": ("i16",),
    "int8": ("i8",),
    "uint8": ("u8",),
    "bool": ("i1", "i8", "u8"),
}
SIZE_TYPES = frozenset({"i32", "i64"})
NUMBER_TYPES = frozenset({"fp32", "fp16", "bf16", "i64", "i32", "i16", "i8", "i1"})


def check_plan(candidate: Candidate, task: KernelTask, outline: SourceOutline) -> Refusal | None:
    """`source.entry_missing` or `source.plan_invalid` with the first mistake, or None."""
    for launch in candidate.plan.launches:
        if launch.entry not in outline.functions:
            return refuse("source.entry_missing", entry=launch.entry)
    detail = next(_list_mistakes(candidate, task, outline), None)
    return None if detail is None else refuse("source.plan_invalid", detail=detail)


def _list_mistakes(candidate: Candidate, task: KernelTask, outline: SourceOutline) -> Iterator[str]:
    plan = candidate.plan
    if not plan.launches:
        yield "it launches nothing"
    for name, _ in candidate.compiler_options:
        if name not in OPTION_FLAGS:
            yield f"unknown compiler option {name}"
    yield from _check_buffers(plan, task)
    yield from _check_sizes(plan, task)
    for launch in plan.launches:
        yield from _check_parameters(launch, outline.functions[launch.entry])
        for argument in launch.arguments:
            yield from _check_argument(argument, plan, task)
    yield from _check_all_outputs_passed(plan, task)


def _check_buffers(plan: LaunchPlan, task: KernelTask) -> Iterator[str]:
    if len(plan.output_fills) != len(task.outputs):
        yield f"{len(plan.output_fills)} output fills for {len(task.outputs)} outputs"
    for buffer in plan.scratch:
        if buffer.dtype not in ELEMENT_TYPES:
            yield f"scratch dtype {buffer.dtype}"


def _check_sizes(plan: LaunchPlan, task: KernelTask) -> Iterator[str]:
    known = set(task.symbols) | {"num_cores"}
    texts = [buffer.element_count for buffer in plan.scratch]
    for launch in plan.launches:
        texts += launch.grid
        texts += [str(item.value) for item in launch.arguments if item.kind == "size"]
        texts += [value for _, value in launch.constants if isinstance(value, str)]
    for text in texts:
        yield from _check_size(text, known)
    for condition in plan.requires:
        try:
            evaluate_condition(condition, dict.fromkeys(known, 1))
        except SizeExpressionError as error:
            yield f"condition {condition!r}: {error}"


def _check_size(text: str, known: set[str]) -> Iterator[str]:
    try:
        unknown = list_names(text) - known
    except SizeExpressionError as error:
        yield str(error)
        return
    if unknown:
        yield f"unknown size {min(unknown)} in {text!r}"


def _check_parameters(launch: KernelLaunch, parameters: tuple[str, ...]) -> Iterator[str]:
    given = [argument.parameter for argument in launch.arguments]
    given += [name for name, _ in launch.constants]
    if sorted(given) != sorted(parameters):
        yield f"{launch.entry} takes {', '.join(parameters)}; the plan gives {', '.join(given)}"


def _check_argument(argument: LaunchArgument, plan: LaunchPlan, task: KernelTask) -> Iterator[str]:
    if argument.kind in ("input", "output", "scratch", "host_scalar"):
        yield from _check_buffer_argument(argument, plan, task)
    elif argument.kind == "size":
        if argument.type not in SIZE_TYPES:
            yield f"size {argument.parameter} of type {argument.type}"
    elif argument.kind == "number":
        yield from _check_number(argument)
    elif argument.kind in ("seed", "offset"):
        yield f"{argument.kind} of {argument.parameter}: the task draws no random numbers"
    else:
        yield f"argument kind {argument.kind}"


def _check_buffer_argument(
    argument: LaunchArgument, plan: LaunchPlan, task: KernelTask
) -> Iterator[str]:
    dtypes = {
        "input": tuple(spec.dtype for spec in task.inputs),
        "host_scalar": tuple(spec.dtype for spec in task.inputs),
        "output": tuple(output.spec.dtype for output in task.outputs),
        "scratch": tuple(buffer.dtype for buffer in plan.scratch),
    }[argument.kind]
    index = argument.value
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(dtypes):
        yield f"{argument.parameter} takes {argument.kind} {index}, which does not exist"
        return
    if argument.kind in ("input", "host_scalar"):
        is_host_scalar = task.inputs[index].is_host_scalar
        if is_host_scalar != (argument.kind == "host_scalar"):
            yield f"{argument.parameter} takes input {index} as {argument.kind}"
            return
    yield from _check_type(argument, dtypes[index])


def _check_type(argument: LaunchArgument, dtype: str) -> Iterator[str]:
    if argument.kind == "host_scalar":
        if argument.type not in NUMBER_TYPES:
            yield f"{argument.parameter} of type {argument.type}"
        return
    allowed = tuple(f"*{element}" for element in ELEMENT_TYPES.get(dtype, ()))
    if argument.type not in allowed:
        yield f"{argument.parameter} of type {argument.type} for {dtype}"


def _check_number(argument: LaunchArgument) -> Iterator[str]:
    value = argument.value
    is_float = argument.type.startswith(("fp", "bf"))
    fits = not isinstance(value, str) and (is_float or float(value).is_integer())
    if argument.type not in NUMBER_TYPES or not fits or value != value:
        yield f"number {argument.parameter} = {value!r} of type {argument.type}"


def _check_all_outputs_passed(plan: LaunchPlan, task: KernelTask) -> Iterator[str]:
    passed = {
        argument.value
        for launch in plan.launches
        for argument in launch.arguments
        if argument.kind == "output"
    }
    for index in range(len(task.outputs)):
        if index not in passed:
            yield f"no launch is given output {index}"
