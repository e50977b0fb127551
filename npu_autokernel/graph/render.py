"""A task as text, the form in which `explain` shows it:

    normalisation, float32, 32-bit indices, s0=4 s1=8
    x0: float32[s0, s1]
    x1: float16[s1] strides (t0)
    v0 = aten.add.Tensor(x0, x1, alpha=2): float32[s0, s1]
    return v0: float32[s0, s1]

Strides are shown where a tensor is not contiguous.
"""

from __future__ import annotations

from npu_autokernel.graph.strides import dense_strides
from npu_autokernel.graph.task import (
    ArgumentValue,
    DTypeArg,
    KernelTask,
    OpCall,
    SizeArg,
    TensorSpec,
    ValueRef,
)


def render_task(task: KernelTask) -> str:
    """The text of `task`, a line each for its head, inputs, ops and outputs, with a final newline."""
    lines = [_render_head(task)]
    lines += [f"x{number}: {render_spec(spec)}" for number, spec in enumerate(task.inputs)]
    lines += [render_op(op) for op in task.ops]
    outputs = (f"{_render(item.value)}: {render_spec(item.spec)}" for item in task.outputs)
    lines += [f"return {output}" for output in outputs]
    return "\n".join(lines) + "\n"


def render_op(op: OpCall) -> str:
    """`v0 = aten.add.Tensor(x0, x1, alpha=2): float32[s0, s1]`."""
    arguments = [_render(argument) for argument in op.arguments]
    arguments += [f"{name}={_render(value)}" for name, value in op.keywords]
    results = ", ".join(_render_shape(spec) for spec in op.results)
    return f"{op.name} = {op.target}({', '.join(arguments)}): {results}"


def render_spec(spec: TensorSpec) -> str:
    """`float32[s0, s1]`, with strides where the tensor is not contiguous."""
    if spec.is_host_scalar:
        return f"{spec.dtype} host scalar"
    contiguous = dense_strides(spec.sizes)
    pairs = zip(spec.sizes, spec.strides, contiguous, strict=True)
    if all(size == "1" or stride == dense for size, stride, dense in pairs):
        return _render_shape(spec)
    return f"{_render_shape(spec)} strides ({', '.join(spec.strides)})"


def _render_head(task: KernelTask) -> str:
    head = f"{task.family}, {task.numerics}, {task.index_bits}-bit indices"
    hints = " ".join(f"{name}={value}" for name, value in task.hints)
    return f"{head}, {hints}" if hints else head


def _render_shape(spec: TensorSpec) -> str:
    return f"{spec.dtype}[{', '.join(spec.sizes)}]"


def _render(argument: ArgumentValue) -> str:
    if isinstance(argument, ValueRef):
        return argument.name if argument.item is None else f"{argument.name}.{argument.item}"
    if isinstance(argument, DTypeArg):
        return argument.name
    if isinstance(argument, SizeArg):
        return argument.expression
    if isinstance(argument, tuple):
        return "[" + ", ".join(_render(item) for item in argument) + "]"
    return repr(argument)
