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
_CANONICAL_TARGETS = {
    # A number in the place of a tensor means the same in both overloads.
    "aten.add.Scalar": _aten.add.Tensor,
    "aten.sub.Scalar": _aten.sub.Tensor,
    "aten.mul.Scalar": _aten.mul.Tensor,
    "aten.div.Scalar": _aten.div.Tensor,
    # Full reductions are reductions over all dimensions.
    "aten.sum.default": _aten.sum.dim_IntList,
    "aten.mean.default": _aten.mean.dim,
    "aten.any.default": _aten.any.dims,
    "aten.all.default": _aten.all.dims,
    "prims.convert_element_type.default": _aten._to_copy.default,
}


class CanonicalCall(NamedTuple):
    """An op with positional and keyword arguments in canonical form; leaves are still the graph's own."""

    op: OpOverload
    arguments: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...]


def canonicalise_call(
    op: OpOverload,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    source: torch.Tensor | None = None,
) -> CanonicalCall:
    """The canonical form of `op(*args, **kwargs)`; `source` is its first tensor operand, real or fake."""
    bound = bind_arguments(op, args, kwargs)
    op, bound = _spell_canonically(op, bound, source)
    positional, keywords = [], []
    for argument in op._schema.arguments:
        if argument.name in _PLACEMENT:
            continue
        value = _unify_number(bound[argument.name], str(argument.type))
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
    op: OpOverload, bound: dict[str, Any], source: torch.Tensor | None
) -> tuple[OpOverload, dict[str, Any]]:
    rank = 0 if source is None else source.dim()
    canonical = _CANONICAL_TARGETS.get(name_target(op), op)
    if canonical is not op:
        bound = _rebind(canonical, bound)
        op = canonical
    if source is not None and bound.get("dtype") == source.dtype and _ignores_own_dtype(op, source):
        bound = bound | {"dtype": None}
    if op is _aten._to_copy.default and bound["dtype"] is None:
        return _aten.clone.default, {"self": bound["self"]}
    if classify_op(op) in ("reduction", "rowwise") and "dim" in bound:
        bound = bound | {"dim": _canonicalise_dim(bound["dim"], rank, _is_list(op, "dim"))}
    return op, bound


def _rebind(op: OpOverload, bound: dict[str, Any]) -> dict[str, Any]:
    """The arguments of another spelling under the names of `op`: the first is the same, others go by name."""
    first = op._schema.arguments[0].name
    kwargs = {first: next(iter(bound.values()))} | bound
    return bind_arguments(op, (), kwargs)


def _ignores_own_dtype(op: OpOverload, source: torch.Tensor) -> bool:
    """True where a dtype argument equal to the operand's changes nothing."""
    is_conversion = op is _aten._to_copy.default
    return is_conversion or (classify_op(op) == "reduction" and source.is_floating_point())


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
