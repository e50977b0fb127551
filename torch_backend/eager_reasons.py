"""Which ops stay in eager whatever a drafter can write, and why.

Asked before the drafter's own table: views move no data, random ops must draw as eager draws,
mutation is order, matrix work has no drafter yet, mere constants and mere movement of data gain
nothing, and a kernel reads dense strided tensors of the target's device only.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch.fx import Node

from npu_autokernel.graph.admission import describe_unusual_kind, has_hint, hint_size
from npu_autokernel.reasons import Refusal, refuse

_CUBE_OPS = frozenset(
    {
        "_grouped_mm",
        "_scaled_mm",
        "addbmm",
        "addmm",
        "addmv",
        "baddbmm",
        "bmm",
        "conv2d",
        "convolution",
        "convolution_backward",
        "dot",
        "mm",
        "mv",
        "_convolution",
        "_efficient_attention_forward",
        "_scaled_dot_product_efficient_attention",
        "_scaled_dot_product_flash_attention",
        "_scaled_dot_product_flash_attention_for_cpu",
        "_scaled_dot_product_flash_attention_for_cpu_backward",
        "_scaled_dot_product_fused_attention_overrideable",
    }
)

# Views that do not say so, since autograd made sure that nobody writes through them.
_UNDECLARED_VIEWS = frozenset({"_reshape_alias", "_unsafe_view"})

# A constant that no drafter writes; those that one writes fuse with what reads them.
_CONSTANT_OPS = frozenset({"arange", "eye", "linspace", "logspace", "tril_indices", "triu_indices"})

_MOVEMENT_OPS = frozenset(
    {
        "_unsafe_index",
        "cat",
        "constant_pad_nd",
        "embedding",
        "flip",
        "gather",
        "index",
        "index_select",
        "repeat",
        "roll",
        "stack",
    }
)

# Ops that act only through their arguments; others may act on the outside unseen.
_PURE_NAMESPACES = ("aten", "prims")

_UNSERVED_DTYPES = frozenset({torch.float64, torch.complex32, torch.complex64, torch.complex128})


class _OpFacts(NamedTuple):
    """What an overload's schema and tags say of it."""

    is_random: bool
    is_mutation: bool
    is_view: bool
    is_cube: bool
    is_constant: bool
    is_movement: bool


def is_getitem(node: Node) -> bool:
    """Whether `node` selects one result of another node."""
    return node.target is operator.getitem


def is_compute(node: Node) -> bool:
    """Whether `node` is an op on tensors: no placeholder, selection or arithmetic on sizes."""
    if node.op != "call_function" or is_getitem(node):
        return False
    return any(True for _ in list_tensors(node)) or _is_opaque(node)


def is_random(node: Node) -> bool:
    """Whether `node` draws from the random number generator."""
    return _is_aten(node) and _describe_op(node.target).is_random


def is_ordered(node: Node) -> bool:
    """Whether `node` must keep its place among all such nodes: it draws random numbers or acts."""
    return is_random(node) or is_barrier(node)


def is_barrier(node: Node) -> bool:
    """Whether nothing may be moved across `node`: it writes to memory or acts on the outside."""
    if node.op != "call_function" or is_getitem(node):
        return False
    target: Any = node.target
    if _is_aten(node) and target.namespace in _PURE_NAMESPACES:
        return _describe_op(target).is_mutation
    return not is_random(node) and node.is_impure()


def is_constant(node: Node) -> bool:
    """Whether `node` gives tensors, or selects one, and nothing that it reads is a tensor."""
    sources = [node.all_input_nodes[0]] if is_getitem(node) else [node]
    return not any(list_values(item) for source in sources for item in source.all_input_nodes)


def is_scalar(node: Node) -> bool:
    """Whether every tensor that `node` reads and gives is a single number, without dimensions."""
    return all(tensor.dim() == 0 for tensor in list_tensors(node))


def name_op(node: Node) -> str:
    """The ATen overload of `node`, as `aten.add.Tensor`."""
    return (
        str(node.target) if _is_aten(node) else getattr(node.target, "__name__", str(node.target))
    )


def list_tensors(node: Node) -> Iterator[torch.Tensor]:
    """The fake tensors that `node` reads, and those of its results that somebody reads."""
    for source in node.all_input_nodes:
        yield from list_values(source)
    selections = [user for user in node.users if is_getitem(user)]
    for giver in selections or (node,):
        yield from list_values(giver)


def list_values(node: Node) -> list[torch.Tensor]:
    """All fake tensors that `node` gives."""
    value = node.meta.get("val")
    values = value if isinstance(value, (tuple, list)) else (value,)
    return [item for item in values if isinstance(item, torch.Tensor)]


def explain_eager(node: Node, device_type: str) -> Refusal | None:
    """Why the op of `node` stays in eager on a target that serves `device_type`, or None."""
    op = name_op(node)
    if not _is_aten(node) or "val" not in node.meta:  # an assertion gives no value
        return refuse("draft.unsupported_op", op=op)
    facts = _describe_op(node.target)
    if facts.is_cube:
        return refuse("region.cube", op=op)
    if facts.is_random:
        return refuse("region.random", op=op)
    if facts.is_mutation:
        return refuse("region.mutation", op=op)
    if facts.is_view:
        return refuse("region.view", op=op)
    if facts.is_constant:
        return refuse("region.constant", op=op)
    if facts.is_movement:
        return refuse("region.movement", op=op)
    refusals = (_explain_tensor(op, tensor, device_type) for tensor in list_tensors(node))
    return next((refusal for refusal in refusals if refusal is not None), None)


def _explain_tensor(op: str, tensor: torch.Tensor, device_type: str) -> Refusal | None:
    kind = describe_unusual_kind(tensor)
    if kind:
        return refuse("region.tensor_kind", op=op, detail=kind)
    if tensor.device.type != device_type:
        return refuse("region.device", op=op, device=str(tensor.device))
    if tensor.dtype in _UNSERVED_DTYPES and tensor.dim() > 0:
        return refuse("draft.unsupported_dtype", op=op, dtype=str(tensor.dtype)[6:])
    if not all(map(has_hint, tensor.shape)):
        return refuse("region.tensor_kind", op=op, detail="data-dependently sized")
    if any(hint_size(size) == 0 for size in tensor.shape):
        return refuse("region.zero_size", op=op)
    return None


def _is_aten(node: Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload)


def _is_opaque(node: Node) -> bool:
    return isinstance(node.target, (torch._ops.OpOverload, torch._ops.HigherOrderOperator))


@lru_cache(maxsize=4096)
def _describe_op(op: Any) -> _OpFacts:
    returns, name = op._schema.returns, op.overloadpacket.__name__
    return _OpFacts(
        is_random=torch.Tag.nondeterministic_seeded in op.tags,
        is_mutation=op._schema.is_mutable,
        is_view=name in _UNDECLARED_VIEWS or any(item.alias_info is not None for item in returns),
        is_cube=name in _CUBE_OPS,
        is_constant=name in _CONSTANT_OPS,
        is_movement=name in _MOVEMENT_OPS,
    )
