"""The graph again, with one call per kernel in the place of its region's ops.

Units keep the order of their last op, producers first. What keeps random ops and writes in order
is in `partition.Flow`; here it is only followed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch.fx import Graph, GraphModule, Node

from npu_autokernel.torch_backend.partition import Flow
from npu_autokernel.torch_backend.region import Region

RegionFunction = Callable[..., Sequence[Any]]
BoxedFunction = Callable[[list[Any]], Any]


def assemble_graph(
    module: GraphModule, flow: Flow, calls: Mapping[Region, RegionFunction]
) -> GraphModule:
    """A copy of `module` in which each region of `calls` is one call of its function.

    A function takes the values of the region's inputs and returns the tuple of its outputs.
    """
    writer = _Writer(flow, calls)
    for position in flow.order_units(writer.region_of):
        writer.write(position)
    return GraphModule(module, writer.graph)


def box_module(module: GraphModule) -> BoxedFunction:
    """A function that takes its inputs in a list, empties it, and frees each after its last use."""
    forward = _compile_boxed(module)

    def run(arguments: list[Any]) -> Any:
        return forward(arguments)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run


def _compile_boxed(module: GraphModule) -> BoxedFunction:
    try:
        from torch.fx.graph import _BoxedCodeGen
    except ImportError:  # before torch 2.8
        return lambda arguments: module.forward(*arguments)
    module.graph.set_codegen(_BoxedCodeGen())
    module.recompile()
    return module.forward


class _Writer:
    """Writes units into a new graph, a region as one call."""

    def __init__(self, flow: Flow, calls: Mapping[Region, RegionFunction]) -> None:
        self.flow = flow
        self.calls = calls
        self.graph = Graph()
        self.copies: dict[Node, Node] = {}
        self.region_of = {flow.position[node]: region for region in calls for node in region.nodes}

    def write(self, position: int) -> None:
        region = self.region_of.get(position)
        if region is not None:
            self._write_call(region)
            return
        for node in self.flow.list_nodes((position,)):
            self.copies[node] = self.graph.node_copy(node, self.copies.__getitem__)

    def _write_call(self, region: Region) -> None:
        arguments = tuple(self.copies[node] for node in region.inputs)
        call = self.graph.call_function(self.calls[region], arguments)
        for index, node in enumerate(region.outputs):
            result = self.graph.call_function(operator.getitem, (call, index))
            result.meta = dict(node.meta)
            self.copies[node] = result
