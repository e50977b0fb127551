"""Expands that broadcasting makes by itself: they would cut a region in two for nothing.

`x / norm.expand_as(x)` is how torch writes `normalize`. The expand is a view, views stay outside of
kernels, and so the norm and the division would be two kernels. Here the division reads the norm
itself; its result has the same values, shape, dtype and strides.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from npu_autokernel.torch_backend.eager_reasons import list_values
from npu_autokernel.torch_backend.traits import read_shape


def fold_broadcasts(graph: Graph) -> None:
    """Let pointwise ops read what was expanded for them, where another operand has the result's shape."""
    for node in list(graph.nodes):
        if node.target is not torch.ops.aten.expand.default:
            continue
        source = node.all_input_nodes[0]
        for user in list(node.users):
            if _broadcasts(user.target) and _can_read(user, node, source):
                user.replace_input_with(node, source)
        if not node.users:
            graph.erase_node(node)


def _broadcasts(target: Any) -> bool:
    """Whether an op broadcasts its operands; gradients of activations may want equal shapes."""
    if not isinstance(target, torch._ops.OpOverload) or target.namespace != "aten":
        return False
    name = target.overloadpacket.__name__
    is_pointwise = torch.Tag.pointwise in target.tags or target is torch.ops.aten.where.self
    return is_pointwise and not target._schema.is_mutable and not name.endswith("_backward")


def _can_read(user: Node, expanded: Node, source: Node) -> bool:
    results, (value,) = list_values(user), list_values(source)
    others = [
        item for node in user.all_input_nodes if node is not expanded for item in list_values(node)
    ]
    if len(results) != 1 or not any(read_shape(o) == read_shape(results[0]) for o in others):
        return False
    # A tensor without dimensions weighs less in promotion than one with.
    return value.dim() > 0 or all(other.dtype == value.dtype for other in others)
