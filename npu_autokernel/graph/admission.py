"""What may be part of a region: one check per node, a Refusal with a stable code for everything else.

`refuse_node` looks at one node alone, so the partitioner may ask it about nodes of the whole graph too;
`refuse_devices` looks at the nodes of one region together.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import torch
from torch import fx
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor

from npu_autokernel.graph.op_kinds import classify_op
from npu_autokernel.reasons import Refusal, refuse

_DTYPES = frozenset(
    (
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.bool,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.uint8,
    )
)


def refuse_node(node: fx.Node) -> Refusal | None:
    """Why `node` cannot be part of a region, or None; `meta["val"]` holds its fake value."""
    if node.op == "placeholder":
        return _refuse_value(node.name, node.meta["val"])
    if node.op != "call_function":
        return refuse("draft.unsupported_op", op=f"{node.op} {node.target}")
    value = node.meta["val"]
    if node.target is operator.getitem or isinstance(value, torch.SymInt):
        return _refuse_value(node.name, value)
    op = node.target
    if not isinstance(op, OpOverload) or op.namespace not in ("aten", "prims"):
        return refuse("draft.unsupported_op", op=str(op))
    if op._schema.is_mutable:
        return refuse("region.mutation", op=str(op))
    if classify_op(op) == "random":
        return refuse("region.random", op=str(op))
    if not isinstance(value, (tuple, list)):
        return _refuse_value(str(op), value)
    if not all(isinstance(item, torch.Tensor) for item in value):
        return refuse("region.tensor_kind", op=str(op), detail="missing")
    used = _list_used_items(node)
    refusals = (_refuse_value(str(op), item) for i, item in enumerate(value) if i in used)
    return next((refusal for refusal in refusals if refusal), None)


def refuse_devices(nodes: Iterable[fx.Node]) -> Refusal | None:
    """Why the tensors of a region are not on one device, or None; 0-d CPU tensors are host scalars."""
    device = None
    for node in nodes:
        value = node.meta.get("val")
        if not isinstance(value, torch.Tensor) or is_host_scalar(value):
            continue
        if device is not None and value.device != device:
            return refuse("region.device", op=str(node.target), device=str(value.device))
        device = value.device
    return None


def is_host_scalar(value: object) -> bool:
    """True for what is read at launch: a number, or a 0-d tensor on the CPU."""
    if isinstance(value, torch.Tensor):
        return value.dim() == 0 and value.device.type == "cpu"
    return isinstance(value, (int, float, torch.SymInt, torch.SymFloat))


def _is_real_scalar(value: object) -> bool:
    """A host scalar of any real dtype: float64 too, since the host reads it."""
    is_complex = isinstance(value, torch.Tensor) and value.is_complex()
    return is_host_scalar(value) and not is_complex


def _list_used_items(node: fx.Node) -> frozenset[int]:
    return frozenset(
        user.args[1]  # type: ignore[misc]
        for user in node.users
        if user.target is operator.getitem and user.users
    )


def _refuse_value(op: str, value: Any) -> Refusal | None:
    if isinstance(value, (tuple, list)) or _is_real_scalar(value):
        return None
    if not isinstance(value, torch.Tensor):
        return refuse("region.tensor_kind", op=op, detail=type(value).__name__)
    kind = describe_unusual_kind(value)
    if kind is not None:
        return refuse("region.tensor_kind", op=op, detail=kind)
    if value.dtype not in _DTYPES:
        return refuse("draft.unsupported_dtype", op=op, dtype=str(value.dtype)[len("torch.") :])
    unbacked = [size for size in (*value.shape, *value.stride()) if not has_hint(size)]
    if unbacked:
        return refuse("region.symbol", op=op, detail=str(unbacked[0]))
    if any(hint_size(size) == 0 for size in value.shape):
        return refuse("region.zero_size", op=op)
    return None


def describe_unusual_kind(value: torch.Tensor) -> str | None:
    """`sparse`, `quantised`, ... for a tensor that is not plain, dense and strided; None if it is."""
    if type(value) not in (torch.Tensor, torch.nn.Parameter, FakeTensor):
        return f"{type(value).__name__} subclass"
    if value.layout != torch.strided:
        return str(value.layout)[len("torch.") :]
    if value.is_quantized:
        return "quantised"
    if value.is_neg() or value.is_conj():
        return "lazily negated"
    return None


def has_hint(size: int | torch.SymInt) -> bool:
    """False for a size that depends on data."""
    return not isinstance(size, torch.SymInt) or bool(size.node.has_hint())


def hint_size(size: int | torch.SymInt) -> int:
    """The number a size had when the graph was traced."""
    return int(size.node.hint) if isinstance(size, torch.SymInt) else int(size)


def get_expression(size: int | torch.SymInt) -> Any:
    """The sympy expression of a size that is no plain number."""
    assert isinstance(size, torch.SymInt)
    return size.node.expr
