"""What the drafter's fusion oracle asks of a node: names, shapes and dtypes, read off its fake values."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import torch
from torch.fx import Node

from npu_autokernel.reasons import Refusal
from npu_autokernel.tile.fusion import NodeTraits, describe_node, merge_traits
from npu_autokernel.torch_backend.eager_reasons import list_tensors, list_values, name_op

__all__ = ["describe_fusion", "merge_traits"]

Shape = tuple[Hashable, ...]


def describe_fusion(node: Node) -> NodeTraits | Refusal:
    """The fusion traits of the op of `node`, or why no drafter writes it."""
    operands = [read_shape(item) for source in node.all_input_nodes for item in list_values(source)]
    results = [read_shape(item) for item in list_values(node)]
    dtypes = [_name_dtype(value) for value in list_tensors(node) if not _is_wide_scalar(value)]
    return describe_node(name_op(node), operands, results, node.args, dtypes, node.kwargs)


def read_shape(value: torch.Tensor) -> Shape:
    """Extents as numbers, or as symbolic expressions, which compare by what they say."""
    return tuple(_read_extent(size) for size in value.shape)


def _read_extent(size: Any) -> Hashable:
    extent: Hashable = size.node.expr if isinstance(size, torch.SymInt) else size
    return extent


def _is_wide_scalar(value: torch.Tensor) -> bool:
    """A Python float reaches a graph as a 0-d float64 tensor; a kernel reads it as a number."""
    return value.dim() == 0 and value.dtype == torch.float64


def _name_dtype(value: torch.Tensor) -> str:
    return str(value.dtype)[len("torch.") :]
