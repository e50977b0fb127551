"""Names for the sizes of a traced region: `s0`, `s1`, ... for its dimension classes, `t0`, ... for free strides.

Symbols are numbered by first appearance in the inputs. A class that no input has is a number, or the expression its
SymInt gives over the inputs' extents. Arguments that are sizes (`normalized_shape`, `HxW`) become expressions too,
so a constant that repeats an extent does not tie the task to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import fx

from npu_autokernel.graph.admission import get_expression, hint_size
from npu_autokernel.graph.arguments import bind_arguments
from npu_autokernel.graph.dimensions import Dimensions, Dims, ShapedCall
from npu_autokernel.graph.op_kinds import classify_op, name_packet
from npu_autokernel.graph.task import ArgumentValue, SizeArg, ValueRef
from npu_autokernel.graph.trace import TracedOp, TracedRegion, list_call_leaves

# Which dimensions' product each entry of a size argument is: (packet, argument) -> groups of dimensions.
_Groups = tuple[Dims, ...]
_SIZE_ARGUMENTS: dict[tuple[str, str], Callable[[ShapedCall], _Groups]] = {}


class RegionSymbols:
    """Dimension classes of a traced region and their names."""

    def __init__(self, traced: TracedRegion) -> None:
        self._traced = traced
        self._dimensions = Dimensions()
        self._dims: dict[ValueRef, Dims] = {}
        self._extents: dict[int, int | torch.SymInt] = {}
        self._names: dict[int, str] = {}
        self._hints: dict[str, int] = {}
        self._stride_hints: dict[str, int] = {}
        self._expressions: dict[Any, str] = {}
        self._calls: dict[str, ShapedCall] = {}
        self._unify()
        self._name_inputs()

    def list_hints(self) -> tuple[tuple[str, int], ...]:
        """Each symbol with the number asked for: extents first, then strides."""
        return (*self._hints.items(), *self._stride_hints.items())

    def add_stride(self, stride: int) -> str:
        """A new symbol for a free stride."""
        name = f"t{len(self._stride_hints)}"
        self._stride_hints[name] = stride
        return name

    def name_sizes(self, ref: ValueRef) -> tuple[str, ...]:
        """The extents of a value as size expressions."""
        return tuple(self._name_dim(dim) for dim in self._dims[ref])

    def express(self, size: int | torch.SymInt) -> str:
        """A size as an expression over the symbols; `?` if it has none (see `find_unknown`)."""
        if not isinstance(size, torch.SymInt):
            return str(size)
        return _print_sympy(get_expression(size), self._expressions) or "?"

    def find_unknown(self) -> str | None:
        """A size that no expression over the symbols gives, as text, or None."""
        sizes = [self._extents[dim] for dims in self._dims.values() for dim in dims]
        leaves = (leaf for op in self._traced.ops for leaf in list_call_leaves(op.call))
        sizes += [leaf.meta["val"] for leaf in leaves if leaf not in self._traced.refs]
        return next((str(size) for size in sizes if self.express(size) == "?"), None)

    def list_size_arguments(self, op: TracedOp) -> dict[str, ArgumentValue]:
        """The arguments of `op` that are sizes by meaning, by name."""
        packet = name_packet(op.call.op)
        sizes: dict[str, ArgumentValue] = {}
        for argument in op.call.op._schema.arguments:
            find_groups = _SIZE_ARGUMENTS.get((packet, argument.name))
            if find_groups is None:
                continue
            items = tuple(self._name_product(dims) for dims in find_groups(self._calls[op.name]))
            is_list = "List" in str(argument.type)
            sizes[argument.name] = items if is_list else items[0]
        return sizes

    def _unify(self) -> None:
        for node in self._traced.inputs:
            self._add_value(self._traced.refs[node], node.meta["val"])
        for op in self._traced.ops:
            for ref, value in zip(op.list_refs(), op.results, strict=True):
                self._add_value(ref, value)
            self._calls[op.name] = call = self._shape_call(op)
            self._dimensions.apply(call)

    def _add_value(self, ref: ValueRef, value: Any) -> None:
        sizes = tuple(value.shape) if isinstance(value, torch.Tensor) else ()
        dims = self._dimensions.add(
            [hint_size(size) for size in sizes], [str(size) for size in sizes]
        )
        self._dims[ref] = dims
        self._extents.update(zip(dims, sizes, strict=True))

    def _shape_call(self, op: TracedOp) -> ShapedCall:
        bound = bind_arguments(op.call.op, op.call.arguments, dict(op.call.keywords))
        return ShapedCall(
            kind=classify_op(op.call.op),
            packet=name_packet(op.call.op),
            operands=tuple(
                self._dims[self._traced.refs[leaf]]
                for leaf in list_call_leaves(op.call)
                if leaf in self._traced.refs
            ),
            results=tuple(self._dims[ref] for ref in op.list_refs()),
            tensors={
                name: self._dims[self._traced.refs[value]]
                for name, value in bound.items()
                if isinstance(value, fx.Node) and value in self._traced.refs
            },
            bound=bound,
        )

    def _name_inputs(self) -> None:
        for node in self._traced.inputs:
            for dim in self._dims[self._traced.refs[node]]:
                name = self._name_input_dim(dim)
                extent = self._extents[dim]
                if isinstance(extent, torch.SymInt):
                    self._expressions.setdefault(get_expression(extent), name)

    def _name_input_dim(self, dim: int) -> str:
        extent = self._dimensions.extents[dim]
        if extent <= 1 or self._dimensions.is_pinned(dim):
            return str(extent)
        root = self._dimensions.find(dim)
        if root not in self._names:
            self._names[root] = f"s{len(self._names)}"
            self._hints[self._names[root]] = extent
        return self._names[root]

    def _name_dim(self, dim: int) -> str:
        root = self._dimensions.find(dim)
        return self._names.get(root) or self.express(self._extents[dim])

    def _name_product(self, dims: Dims) -> ArgumentValue:
        names = [name for name in map(self._name_dim, dims) if name != "1"]
        if all(name.isdecimal() for name in names):
            return math.prod(int(name) for name in names)
        return SizeArg(" * ".join(names))


def _print_sympy(expression: Any, known: dict[Any, str]) -> str | None:
    """A sympy integer expression in the size language; None if it has no form there."""
    if expression in known:
        return known[expression]
    if expression.is_Integer:
        return str(int(expression))
    if expression.is_Pow and expression.exp.is_Integer and expression.exp > 0:
        base = _print_sympy(expression.base, known)
        return base and " * ".join([base] * int(expression.exp))
    operands = [_print_sympy(operand, known) for operand in expression.args]
    texts = [operand for operand in operands if operand is not None]
    if not texts or len(texts) < len(operands):
        return None
    if expression.is_Add:
        return "(" + " + ".join(texts) + ")"
    if expression.is_Mul:
        return " * ".join(texts)
    if type(expression).__name__ in ("FloorDiv", "CleanDiv"):
        return f"(({texts[0]}) // ({texts[1]}))"
    return None


def _find_trailing(call: ShapedCall) -> _Groups:
    count = len(call.bound["normalized_shape"])
    return tuple((dim,) for dim in call.tensors["input"][-count:])


def _find_results(call: ShapedCall) -> _Groups:
    return tuple((dim,) for dim in call.results[0])


_SIZE_ARGUMENTS.update(
    {
        ("native_layer_norm", "normalized_shape"): _find_trailing,
        ("layer_norm", "normalized_shape"): _find_trailing,
        ("_fused_rms_norm", "normalized_shape"): _find_trailing,
        ("rms_norm", "normalized_shape"): _find_trailing,
        ("native_group_norm", "N"): lambda call: (call.tensors["input"][:1],),
        ("native_group_norm", "C"): lambda call: (call.tensors["input"][1:2],),
        ("native_group_norm", "HxW"): lambda call: (call.tensors["input"][2:],),
        ("full", "size"): _find_results,
        ("ones", "size"): _find_results,
        ("zeros", "size"): _find_results,
        ("expand", "size"): _find_results,
        ("view", "size"): _find_results,
    }
)
