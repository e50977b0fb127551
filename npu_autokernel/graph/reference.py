"""The eager reference: the task's ops run one by one by torch on the CPU, in their own dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from npu_autokernel.graph.binding import Input, get_dtype, read_extents
from npu_autokernel.graph.interpreter import interpret
from npu_autokernel.graph.op_kinds import resolve_target
from npu_autokernel.graph.task import KernelTask, OpCall, TensorSpec


def run_reference(task: KernelTask, inputs: Sequence[Input]) -> tuple[torch.Tensor, ...]:
    """The outputs as eager torch computes them; dtypes are the specs', strides are eager's own.

    Raises ValueError where `inputs` do not have the task's count and ranks.
    """
    with torch.no_grad():
        return interpret(task, inputs, read_extents(task, inputs), compute_eagerly)


def compute_eagerly(op: OpCall, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """One op by torch, with results in the dtypes that the task promises."""
    value = call_overload(op, arguments, keywords)
    if not isinstance(value, (tuple, list)):
        return _promise_dtype(value, op.results[0])
    return tuple(map(_promise_dtype, value, op.results))


def call_overload(op: OpCall, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """One op by torch; ops that the CPU does not have in the asked form are rewritten to their meaning."""
    rewrite = _CPU_FORMS.get(op.target)
    if rewrite is not None:
        arguments = rewrite(arguments)
    return resolve_target(op.target)(*arguments, **keywords)


def _promise_dtype(value: torch.Tensor, spec: TensorSpec) -> torch.Tensor:
    """A number that comes as a 0-d tensor promotes otherwise than the number itself; the task decides."""
    return value.to(get_dtype(spec.dtype))


def _convert_before_softmax(arguments: list[Any]) -> list[Any]:
    """half_to_float computes in float32 what was float16, which the CPU has as two ops only."""
    source, dim, half_to_float = arguments
    return [source.to(torch.float32) if half_to_float else source, dim, False]


_CPU_FORMS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "aten._softmax.default": _convert_before_softmax,
    "aten._log_softmax.default": _convert_before_softmax,
}
