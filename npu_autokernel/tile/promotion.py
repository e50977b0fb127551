"""How a pointwise op of the table becomes steps: align the operands, promote them, apply the row's expression.

Promotion, before the expression sees its operands:
    result    to the dtype of the op's result; narrow integers and bools are computed in int32
    bits      to the dtype of the op's result, as it is
    float     to float32 (or the result's 16-bit float, which is held in float32)
    operands  to the operands' common dtype, narrow integers and bools to int32
    bool      to bool
    none      left alone
The expression's own result is converted to the dtype of the op's result afterwards; integers wrap there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from npu_autokernel.graph.task import OpCall
from npu_autokernel.tile.dtypes import compute_dtype, dtype_of_number, is_float, promote_dtypes
from npu_autokernel.tile.expression import Value, convert
from npu_autokernel.tile.lowering import LoweringContext, finish

Promotion = Literal["result", "bits", "float", "operands", "bool", "none"]
NARROW_DTYPES = ("bool", "uint8", "int8", "int16")


@dataclass(frozen=True)
class PointwiseRule:
    """One row: how operands are promoted and the expression over them."""

    promotion: Promotion
    expression: Callable[..., Value]


def lower_pointwise(
    rule: PointwiseRule, context: LoweringContext, op: OpCall, *arguments: Any, **keywords: Any
) -> Value:
    """Align the operands, promote them, apply the row's expression, convert to the op's result."""
    operands = [item for item in (*arguments, *keywords.values()) if isinstance(item, Value)]
    dimensions = context.axes.align([operand.dimensions for operand in operands])
    dtype = _choose_dtype(rule.promotion, op, [*arguments, *keywords.values()])
    arguments = tuple(_promote(item, dtype) for item in arguments)
    keywords = {name: _promote(item, dtype) for name, item in keywords.items()}
    return finish(rule.expression(*arguments, **keywords), op, 0, dimensions)


def _choose_dtype(promotion: Promotion, op: OpCall, operands: Sequence[Any]) -> str | None:
    if promotion == "none":
        return None
    if promotion == "bool":
        return "bool"
    result = op.results[0].dtype
    if promotion == "bits":
        return result
    if promotion == "float":
        return result if is_float(result) else "float32"
    common = result if promotion == "result" else _common_dtype(operands)
    return "int32" if common in NARROW_DTYPES else common


def _common_dtype(operands: Sequence[Any]) -> str:
    values = [item for item in operands if isinstance(item, Value)]
    numbers = [item for item in operands if isinstance(item, (bool, int, float))]
    strong = [value.dtype for value in values if value.dimensions]
    weak = [value.dtype for value in values if not value.dimensions]
    return promote_dtypes(promote_weak(strong, weak), [dtype_of_number(item) for item in numbers])


def promote_weak(strong: Sequence[str], weak: Sequence[str]) -> list[str]:
    """The dtype of tensors with dimensions and 0-d tensors together, as a list of at most one."""
    return [promote_dtypes(strong, weak)] if strong or weak else []


def _promote(item: Any, dtype: str | None) -> Any:
    if dtype is None:
        return item
    if isinstance(item, Value):
        return convert(item, dtype)
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        if compute_dtype(dtype) == "float32":
            return float(item)
        return bool(item) if dtype == "bool" else item
    if isinstance(item, bool) and compute_dtype(dtype) != "bool":
        return int(item)
    return item
