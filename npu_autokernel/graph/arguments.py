"""Canonical arguments of one op: what was written in different ways becomes one text.

Arguments are bound to the op's schema; trailing defaults are dropped and keyword-only arguments sorted by name.
Placement (device, layout, memory format, pinning) is dropped: the result's spec carries it. Dimensions of
reductions and row-wise ops are counted from the front and sorted; a few ops have one canonical spelling.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch._ops import OpOverload

from npu_autokernel.graph.op_kinds import classify_op, name_target

_PLACEMENT = frozenset(("device", "layout", "memory_format", "pin_memory", "non_blocking"))

_aten = torch.ops.aten
# Full reductions are reductions over all dimensions.
_WITH_DIMENSIONS = {
    "aten.sum.default": _aten.sum.dim_IntList,
    "aten.mean.default": _aten.mean.dim,
    "aten.any.default": _aten.any.dims,
    "aten.all.default": _aten.all.dims,
}


class CanonicalCall(NamedTuple):
    """An op with positional and keyword arguments in canonical form; leaves are still the graph's own."""

    op: OpOverload
    arguments: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...]


def canonicalise_call(
    op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], rank: int
) -> CanonicalCall:
    """The canonical form of `op(*args, **kwargs)`; `rank` is the rank of its first tensor operand."""
    op, args, kwargs = _spell_canonically(op, args, kwargs, rank)
    bound = bind_arguments(op, args, kwargs)
    if classify_op(op) in ("reduction", "rowwise") and "dim" in bound:
        bound["dim"] = _canonicalise_dim(bound["dim"], rank, _is_list(op, "dim"))
    positional, keywords = [], []
    for argument in op._schema.arguments:
        value = _unify_number(bound[argument.name], str(argument.type))
        if argument.name in _PLACEMENT:
            continue
        is_default = argument.has_default_value() and _same(value, argument.default_value)
        if not argument.kwarg_only:
            positional.append((value, is_default))
        elif not is_default:
            keywords.append((argument.name, value))
    while positional and positional[-1][1]:
        positional.pop()
    return CanonicalCall(op, tuple(value for value, _ in positional), tuple(sorted(keywords)))


def bind_arguments(op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Each argument of the schema by name, in the schema's order, with defaults filled in."""
    bound = {}
    for position, argument in enumerate(op._schema.arguments):
        if position < len(args):
            bound[argument.name] = args[position]
        else:
            bound[argument.name] = kwargs.get(argument.name, argument.default_value)
    return bound


def _spell_canonically(
    op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], rank: int
) -> tuple[OpOverload, tuple[Any, ...], dict[str, Any]]:
    target = name_target(op)
    if target == "prims.convert_element_type.default":
        bound = bind_arguments(op, args, kwargs)
        return _aten._to_copy.default, (bound["a"],), {"dtype": bound["dtype"]}
    if target in _WITH_DIMENSIONS:
        return _WITH_DIMENSIONS[target], (*args, list(range(rank))), kwargs
    return op, args, kwargs


def _canonicalise_dim(dim: Any, rank: int, is_list: bool) -> Any:
    if dim is None or (is_list and not isinstance(dim, int) and not dim):
        return tuple(range(rank)) if is_list else None
    if not is_list:
        return dim % max(rank, 1)
    dims = (dim,) if isinstance(dim, int) else dim
    return tuple(sorted(item % max(rank, 1) for item in dims))


def _is_list(op: OpOverload, name: str) -> bool:
    return any(item.name == name and "List" in str(item.type) for item in op._schema.arguments)


def _unify_number(value: Any, type_name: str) -> Any:
    """Integers where the schema says float become floats; lists become tuples, a lone int a list."""
    if isinstance(value, int) and not isinstance(value, bool) and type_name.endswith("float"):
        return float(value)
    if type(value) is int and "List" in type_name:
        return (value,)
    return tuple(value) if isinstance(value, list) else value


def _same(value: Any, default: Any) -> bool:
    if isinstance(default, list):
        default = tuple(default)
    return type(value) is type(default) and value == default
