"""A region: a group of nodes as a graph of its own, with its inputs and outputs in a fixed order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from torch import nn
from torch.fx import Graph, GraphModule, Node
from torch.fx._lazy_graph_module import _LazyGraphModule

from npu_autokernel.torch_backend.eager_reasons import is_getitem, name_op


@dataclass(frozen=True)
class Region:
    """Nodes of the outer graph, what they read from outside, and what the outside reads of them."""

    nodes: tuple[Node, ...]
    inputs: tuple[Node, ...]
    outputs: tuple[Node, ...]

    @property
    def ops(self) -> tuple[str, ...]:
        return tuple(name_op(node) for node in self.nodes if not is_getitem(node))

    @cached_property
    def module(self) -> GraphModule:
        """The region alone: placeholders for its inputs, a tuple of its outputs.

        Its code is generated at the first call: most regions never run in eager.
        """
        graph = Graph()
        copies = {node: _copy_placeholder(graph, node) for node in self.inputs}
        for node in self.nodes:
            copies[node] = graph.node_copy(node, copies.__getitem__)
        graph.output(tuple(copies[node] for node in self.outputs))
        return _LazyGraphModule(nn.Module(), graph)


def make_region(nodes: Sequence[Node]) -> Region:
    """The region of `nodes`, which are in the graph's order and closed under selections."""
    inside = set(nodes)
    inputs = dict.fromkeys(
        source for node in nodes for source in node.all_input_nodes if source not in inside
    )
    outputs = [
        node
        for node in nodes
        if not _is_tuple(node) and any(user not in inside for user in node.users)
    ]
    return Region(tuple(nodes), tuple(inputs), tuple(outputs))


def _is_tuple(node: Node) -> bool:
    return isinstance(node.meta.get("val"), (tuple, list))


def _copy_placeholder(graph: Graph, node: Node) -> Node:
    placeholder = graph.placeholder(node.name)
    placeholder.meta["val"] = node.meta.get("val")
    return placeholder
