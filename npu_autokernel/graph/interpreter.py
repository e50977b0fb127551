"""Walks a task op by op with real values: the one loop under the eager reference and the golden.

What a value is and how an op is computed is the caller's: `compute(op, arguments, keywords)` gets arguments with
values, sizes and dtypes in place, and returns one value or a tuple of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from npu_autokernel.graph.binding import get_dtype
from npu_autokernel.graph.task import (
    ArgumentValue,
    DTypeArg,
    KernelTask,
    OpCall,
    SizeArg,
    ValueRef,
)
from npu_autokernel.size_expression import evaluate_size

Compute = Callable[[OpCall, list[Any], dict[str, Any]], Any]


def interpret(
    task: KernelTask, inputs: Sequence[Any], symbols: Mapping[str, int], compute: Compute
) -> tuple[Any, ...]:
    """The outputs of `task`. Values are dropped after their last use."""
    values: dict[str, Any] = {f"x{position}": value for position, value in enumerate(inputs)}
    last_uses = _list_last_uses(task)
    for op in task.ops:
        arguments = [resolve_argument(item, values, symbols) for item in op.arguments]
        keywords = {name: resolve_argument(item, values, symbols) for name, item in op.keywords}
        values[op.name] = compute(op, arguments, keywords)
        for name in last_uses.get(op.name, ()):
            del values[name]
    return tuple(_select(output.value, values) for output in task.outputs)


def resolve_argument(
    argument: ArgumentValue, values: Mapping[str, Any], symbols: Mapping[str, int]
) -> Any:
    """The argument with values, numbers and torch dtypes in place of references."""
    if isinstance(argument, ValueRef):
        return _select(argument, values)
    if isinstance(argument, SizeArg):
        return evaluate_size(argument.expression, symbols)
    if isinstance(argument, DTypeArg):
        return get_dtype(argument.name)
    if isinstance(argument, tuple):
        return [resolve_argument(item, values, symbols) for item in argument]
    return argument


def list_refs(op: OpCall) -> list[ValueRef]:
    """The values an op reads, in order."""
    pending: list[ArgumentValue] = [*op.arguments, *(value for _, value in op.keywords)]
    refs = []
    while pending:
        argument = pending.pop(0)
        if isinstance(argument, ValueRef):
            refs.append(argument)
        elif isinstance(argument, tuple):
            pending[:0] = argument
    return refs


def _select(ref: ValueRef, values: Mapping[str, Any]) -> Any:
    value = values[ref.name]
    return value if ref.item is None else value[ref.item]


def _list_last_uses(task: KernelTask) -> dict[str, list[str]]:
    """Per op, the values that nothing reads after it."""
    last_reader: dict[str, str] = {}
    for op in task.ops:
        for ref in list_refs(op):
            last_reader[ref.name] = op.name
    kept = {output.value.name for output in task.outputs}
    uses: dict[str, list[str]] = {}
    for name, reader in last_reader.items():
        if name not in kept:
            uses.setdefault(reader, []).append(name)
    return uses
