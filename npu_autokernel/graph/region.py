"""Turns a region of an FX graph into a KernelTask: trace, unify dimensions, name symbols, write specs.

The region holds functional ATen or prims ops with FakeTensors in `meta["val"]`. A 0-d CPU tensor or a number among
its placeholders is a host scalar, unless it is an integer that is some tensor input's extent: that is a size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import fx

from npu_autokernel.graph.admission import hint_size, is_host_scalar
from npu_autokernel.graph.family import classify_family
from npu_autokernel.graph.op_kinds import name_target
from npu_autokernel.graph.strides import (
    choose_index_bits,
    classify_output_strides,
    classify_strides,
    dense_strides,
    measure_span,
)
from npu_autokernel.graph.symbols import RegionSymbols
from npu_autokernel.graph.task import (
    ArgumentValue,
    DTypeArg,
    KernelTask,
    OpCall,
    SizeArg,
    TaskOutput,
    TensorSpec,
    ValueRef,
)
from npu_autokernel.graph.trace import TracedOp, TracedRegion, trace_region
from npu_autokernel.reasons import Refusal, refuse

_FLOATS = ("float32", "float16", "bfloat16")


class RegionTask(NamedTuple):
    """A task and, for each of its inputs, the position of the region's placeholder."""

    task: KernelTask
    input_order: tuple[int, ...]


def build_task(region: fx.GraphModule) -> KernelTask | Refusal:
    """The canonical task of `region`, or why it has none."""
    built = read_region(region)
    return built if isinstance(built, Refusal) else built.task


def read_region(region: fx.GraphModule) -> RegionTask | Refusal:
    """The canonical task of `region` with the order of its inputs, or why it has none."""
    traced = trace_region(region)
    if isinstance(traced, Refusal):
        return traced
    task = _Builder(traced).build()
    if isinstance(task, Refusal):
        return task
    placeholders = [node for node in region.graph.nodes if node.op == "placeholder"]
    positions = {node: position for position, node in enumerate(placeholders)}
    return RegionTask(task, tuple(positions[node] for node in traced.inputs))


class _Builder:
    """Writes the specs and calls of one traced region once its dimensions are named."""

    def __init__(self, traced: TracedRegion) -> None:
        self.traced = traced
        self.symbols = RegionSymbols(traced)

    def build(self) -> KernelTask | Refusal:
        unknown = self.symbols.find_unknown()
        if unknown is not None:
            return refuse("region.symbol", op="region", detail=unknown)
        inputs = tuple(self._write_input(node) for node in self.traced.inputs)
        ops = tuple(self._write_op(op) for op in self.traced.ops)
        outputs = []
        for node in self.traced.outputs:
            output = self._write_output(node)
            if isinstance(output, Refusal):
                return output
            outputs.append(output)
        specs = [*inputs, *(output.spec for output in outputs)]
        return KernelTask(
            inputs=inputs,
            ops=ops,
            outputs=tuple(outputs),
            family=classify_family(ops),
            numerics=classify_numerics(specs),
            index_bits=self._count_index_bits(),
            hints=self.symbols.list_hints(),
        )

    def _write_input(self, node: fx.Node) -> TensorSpec:
        value = node.meta["val"]
        if not isinstance(value, torch.Tensor):
            is_integer = isinstance(value, (int, torch.SymInt))
            return TensorSpec("int64" if is_integer else "float64", (), (), True)
        sizes = self.symbols.name_sizes(self.traced.refs[node])
        extents, strides = _list_hints(value.shape), _list_hints(value.stride())
        expressions = classify_strides(extents, sizes, strides, self.symbols.add_stride)
        return TensorSpec(name_dtype(value.dtype), sizes, expressions, is_host_scalar(value))

    def _write_op(self, op: TracedOp) -> OpCall:
        sizes = self.symbols.list_size_arguments(op)
        keywords = tuple((name, self._write_argument(value)) for name, value in op.call.keywords)
        arguments = tuple(
            sizes.get(argument.name) or self._write_argument(value)
            for argument, value in zip(
                op.call.op._schema.arguments, op.call.arguments, strict=False
            )
        )
        results = tuple(
            self._write_result(ref, value)
            for ref, value in zip(op.list_refs(), op.results, strict=True)
        )
        return OpCall(op.name, name_target(op.call.op), arguments, keywords, results)

    def _write_argument(self, value: Any) -> ArgumentValue:
        if isinstance(value, fx.Node):
            return self.traced.refs.get(value) or self._write_size(value.meta["val"])
        if isinstance(value, torch.dtype):
            return DTypeArg(name_dtype(value))
        if isinstance(value, (tuple, list)):
            return tuple(self._write_argument(item) for item in value)
        return value  # type: ignore[no-any-return]

    def _write_size(self, size: int | torch.SymInt) -> ArgumentValue:
        return SizeArg(self.symbols.express(size)) if isinstance(size, torch.SymInt) else size

    def _write_result(self, ref: ValueRef, value: torch.Tensor) -> TensorSpec:
        sizes = self.symbols.name_sizes(ref)
        return TensorSpec(name_dtype(value.dtype), sizes, dense_strides(sizes))

    def _write_output(self, node: fx.Node) -> TaskOutput | Refusal:
        value, ref = node.meta["val"], self.traced.refs[node]
        sizes = self.symbols.name_sizes(ref)
        extents, strides = _list_hints(value.shape), _list_hints(value.stride())
        expressions = classify_output_strides(extents, sizes, strides)
        if expressions is None:
            detail = f"its result has sizes {extents} and strides {strides}"
            return refuse("draft.unsupported_layout", op=str(node.target), detail=detail)
        return TaskOutput(ref, TensorSpec(name_dtype(value.dtype), sizes, expressions))

    def _count_index_bits(self) -> int:
        values = [node.meta["val"] for node in self.traced.inputs]
        values += [value for op in self.traced.ops for value in op.results]
        spans = (
            measure_span(_list_hints(value.shape), _list_hints(value.stride()))
            for value in values
            if isinstance(value, torch.Tensor)
        )
        return choose_index_bits(spans)


def classify_numerics(specs: Sequence[TensorSpec]) -> str:
    """The widest floating dtype among `specs`, host scalars aside; `exact` if there is none."""
    dtypes = {spec.dtype for spec in specs if not spec.is_host_scalar}
    return next((dtype for dtype in _FLOATS if dtype in dtypes), "exact")


def name_dtype(dtype: torch.dtype) -> str:
    """`float16` for torch.float16."""
    return str(dtype)[len("torch.") :]


def _list_hints(sizes: Sequence[int | torch.SymInt]) -> tuple[int, ...]:
    return tuple(hint_size(size) for size in sizes)
