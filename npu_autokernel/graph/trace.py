"""Reads a region of an FX graph: its ops in canonical order, with canonical calls and canonical names.

Ops are ordered by a depth-first walk from the outputs, so the order in which a graph was written leaves no mark and
dead ops are gone. Inputs are `x0`, `x1`, ... by first use, results `v0`, `v1`, ...; `getitem` becomes the item of a
ValueRef. Sizes computed inside the graph (`sym_size`, integer arithmetic) are leaves, known by their expression.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import fx

from npu_autokernel.graph.admission import get_expression, refuse_devices, refuse_node
from npu_autokernel.graph.arguments import CanonicalCall, canonicalise_call
from npu_autokernel.graph.task import ValueRef
from npu_autokernel.reasons import Refusal, refuse


@dataclass(frozen=True)
class TracedOp:
    """One op: its name, its canonical call (leaves are fx nodes) and the fake tensors it gives."""

    name: str
    call: CanonicalCall
    results: tuple[torch.Tensor, ...]
    gives_tuple: bool

    def list_refs(self) -> list[ValueRef]:
        """The names of its results."""
        if not self.gives_tuple:
            return [ValueRef(self.name)]
        return [ValueRef(self.name, item) for item in range(len(self.results))]


@dataclass(frozen=True)
class TracedRegion:
    """`inputs` are placeholders in order of first use, `outputs` the output nodes in the region's order."""

    inputs: tuple[fx.Node, ...]
    ops: tuple[TracedOp, ...]
    outputs: tuple[fx.Node, ...]
    refs: dict[fx.Node, ValueRef]


def trace_region(region: fx.GraphModule) -> TracedRegion | Refusal:
    """Read `region`, or say why a node of it cannot be part of a kernel."""
    outputs = _list_outputs(region)
    if isinstance(outputs, Refusal):
        return outputs
    reachable = _list_reachable(outputs)
    refusals = (refuse_node(node) for node in reachable)
    refusal = next((item for item in refusals if item), None) or refuse_devices(reachable)
    if refusal is not None:
        return refusal
    calls = {node: _canonicalise_node(node) for node in reachable if _is_op(node)}
    input_sizes = _list_input_sizes(reachable)
    inputs: list[fx.Node] = []
    ops: list[TracedOp] = []
    refs: dict[fx.Node, ValueRef] = {}
    for node in _order_nodes(outputs, calls):
        if node in calls:
            ops.append(_trace_op(f"v{len(ops)}", node, calls[node]))
            refs[node] = ValueRef(ops[-1].name)
        elif node.target is operator.getitem:
            source, item = cast("tuple[fx.Node, int]", node.args)
            refs[node] = ValueRef(refs[source].name, item)
        elif _is_input(node, input_sizes):
            refs[node] = ValueRef(f"x{len(inputs)}")
            inputs.append(node)
        elif not _is_known_size(node, input_sizes):
            detail = str(node.meta["val"])
            return refuse("region.symbol", op=str(node.target), detail=detail)
    return TracedRegion(tuple(inputs), tuple(ops), outputs, refs)


def list_leaves(value: Any) -> Iterator[fx.Node]:
    """The fx nodes in an argument, in order."""
    if isinstance(value, fx.Node):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from list_leaves(item)


def list_call_leaves(call: CanonicalCall) -> list[fx.Node]:
    """The fx nodes in a call's arguments, in canonical order."""
    return [*list_leaves(call.arguments), *list_leaves([value for _, value in call.keywords])]


def _list_outputs(region: fx.GraphModule) -> tuple[fx.Node, ...] | Refusal:
    (output,) = (node for node in region.graph.nodes if node.op == "output")
    values = output.args[0] if isinstance(output.args[0], (tuple, list)) else (output.args[0],)
    for value in values:
        if not isinstance(value, fx.Node) or not isinstance(value.meta["val"], torch.Tensor):
            return refuse("region.tensor_kind", op="output", detail="non-tensor")
        if value.op == "placeholder":
            return refuse("region.view", op="output")
    return tuple(values)


def _list_reachable(outputs: tuple[fx.Node, ...]) -> list[fx.Node]:
    seen = dict.fromkeys(outputs)
    pending = list(outputs)
    while pending:
        node = pending.pop()
        if _is_size(node):
            continue
        for source in node.all_input_nodes:
            if source not in seen:
                seen[source] = None
                pending.append(source)
    return list(seen)


def _is_op(node: fx.Node) -> bool:
    return node.op == "call_function" and node.target is not operator.getitem and not _is_size(node)


def _is_size(node: fx.Node) -> bool:
    return isinstance(node.meta.get("val"), (int, torch.SymInt))


def _is_input(node: fx.Node, input_sizes: frozenset[Any]) -> bool:
    return node.op == "placeholder" and not _is_known_size(node, input_sizes)


def _is_known_size(node: fx.Node, input_sizes: frozenset[Any]) -> bool:
    """True for an integer that is constant, or follows from the sizes of the tensor inputs."""
    value = node.meta["val"]
    if isinstance(value, int):
        return node.op != "placeholder"
    return isinstance(value, torch.SymInt) and get_expression(value).free_symbols <= input_sizes


def _list_input_sizes(nodes: list[fx.Node]) -> frozenset[Any]:
    """The sympy symbols that are, alone, an extent of a tensor input."""
    values = [node.meta["val"] for node in nodes if node.op == "placeholder"]
    extents = [size for value in values if isinstance(value, torch.Tensor) for size in value.shape]
    expressions = [get_expression(size) for size in extents if isinstance(size, torch.SymInt)]
    return frozenset(expression for expression in expressions if expression.is_Symbol)


def _canonicalise_node(node: fx.Node) -> CanonicalCall:
    values = (leaf.meta["val"] for leaf in list_leaves(node.args))
    source = next((value for value in values if isinstance(value, torch.Tensor)), None)
    return canonicalise_call(node.target, node.args, node.kwargs, source)  # type: ignore[arg-type]


def _trace_op(name: str, node: fx.Node, call: CanonicalCall) -> TracedOp:
    value = node.meta["val"]
    gives_tuple = isinstance(value, (tuple, list))
    return TracedOp(name, call, tuple(value) if gives_tuple else (value,), gives_tuple)


def _order_nodes(
    outputs: tuple[fx.Node, ...], calls: dict[fx.Node, CanonicalCall]
) -> Iterator[fx.Node]:
    """Each node after its operands, depth first from the outputs."""

    def list_sources(node: fx.Node) -> list[fx.Node]:
        if node in calls:
            return list_call_leaves(calls[node])
        return [node.args[0]] if node.target is operator.getitem else []  # type: ignore[list-item]

    done: set[fx.Node] = set()
    pending = [(node, False) for node in reversed(outputs)]
    while pending:
        node, is_left = pending.pop()
        if node in done:
            continue
        if is_left:
            done.add(node)
            yield node
            continue
        pending.append((node, True))
        pending.extend((source, False) for source in reversed(list_sources(node)))
