"""What kind of op an ATen overload is: the few facts of its semantics that this floor needs.

`resolve_target` turns a task's op name into the overload, from the `aten` and `prims` namespaces only, so a task
read from a file cannot reach anything else. `classify_op` sorts overloads by how elements of the result depend on
elements of the operands; dimension rules, the golden's left-out masks and the family are all read from it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import torch
from torch._ops import OpOverload

OpKind = Literal[
    "pointwise", "creation", "reduction", "rowwise", "normalisation", "view", "random", "other"
]


def list_names(text: str) -> frozenset[str]:
    """The names in a line of words: how the tables of this floor are written."""
    return frozenset(text.split())


_NAMESPACES = ("aten", "prims")

# Pointwise by meaning, though torch does not tag them so.
_POINTWISE = list_names(
    "_to_copy where copy lift_fresh_copy zeros_like ones_like full_like fill floor_divide"
    " _prelu_kernel convert_element_type clone"
)
_CREATION = list_names("full zeros ones empty scalar_tensor")
_REDUCTIONS = list_names(
    "sum nansum mean amax amin aminmax prod var std var_mean std_mean any all argmax argmin"
    " linalg_vector_norm norm logsumexp max min count_nonzero"
)
# Each row (all elements along `dim`) depends on the same row of the operands, and shapes are kept.
_ROWWISE = list_names(
    "_softmax _log_softmax softmax log_softmax _softmax_backward_data _log_softmax_backward_data"
    " cumsum cumprod cummax cummin logcumsumexp"
)
_NORMALISATIONS = list_names(
    "native_layer_norm layer_norm native_group_norm group_norm _fused_rms_norm rms_norm"
    " _native_batch_norm_legit _native_batch_norm_legit_functional native_batch_norm"
    " _native_batch_norm_legit_no_training"
)


@lru_cache(maxsize=1024)
def resolve_target(target: str) -> OpOverload:
    """The overload named `namespace.op.overload`.

    Raises ValueError for a namespace other than aten and prims, or an op that this torch does not have.
    """
    parts = target.split(".")
    if len(parts) != 3 or parts[0] not in _NAMESPACES:
        raise ValueError(f"{target!r} names no op of {' or '.join(_NAMESPACES)}")
    namespace, packet, overload = parts
    try:
        op = getattr(getattr(getattr(torch.ops, namespace), packet), overload)
    except AttributeError:
        raise ValueError(f"torch {torch.__version__} has no op {target!r}") from None
    if not isinstance(op, OpOverload):
        raise ValueError(f"{target!r} names no overload")
    return op


def name_target(op: OpOverload) -> str:
    """Inverse of `resolve_target`: `aten.add.Tensor`."""
    return str(op)


def name_packet(op: OpOverload) -> str:
    """The op's name without namespace and overload: `add`."""
    return op._schema.name.split("::")[1]


def gives_tuple(op: OpOverload) -> bool:
    """True for an op with several results, or a list of them."""
    returns = op._schema.returns
    return len(returns) > 1 or "List" in str(returns[0].type)


@lru_cache(maxsize=1024)
def classify_op(op: OpOverload) -> OpKind:
    """How the result's elements depend on the operands' elements."""
    packet = name_packet(op)
    if torch.Tag.nondeterministic_seeded in op.tags:
        return "random"
    if packet in _NORMALISATIONS:
        return "normalisation"
    if packet in _ROWWISE:
        return "rowwise"
    if packet in _REDUCTIONS and op._overloadname != "other":
        return "reduction"
    if packet in _CREATION:
        return "creation"
    if torch.Tag.pointwise in op.tags or packet in _POINTWISE:
        return "pointwise"
    return "view" if op.is_view else "other"
