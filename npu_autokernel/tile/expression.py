"""Handles with which lowerings write arithmetic: `x * 0.5 * (1.0 + erf(x))` appends steps to a program.

A `Value` is a load or step together with what lowering must know of it: its PyTorch dtype and its dimensions (axis
numbers of `space.AxisTable`, None for an extent of 1). Arithmetic between values ignores dimensions: operands vary
over whatever axes they vary over. Dimensions matter only where ATen aligns operands.
Equal steps are written once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Union

from npu_autokernel.tile.dtypes import compute_dtype, integer_limits
from npu_autokernel.tile.primitives import COMPARISONS
from npu_autokernel.tile.program import Compute, Operand, Reduce, SizeOperand, Step

Number = Union[int, float, bool]
Dimensions = tuple[Union[int, None], ...]


class LoweringError(Exception):
    """A lowering meets something it cannot do right; `code` and `evidence` make the Refusal."""

    def __init__(self, code: str, **evidence: str) -> None:
        super().__init__(code)
        self.code = code
        self.evidence = evidence


@dataclass
class StepList:
    """The steps written so far; an equal step is given its first name again."""

    steps: list[Step] = field(default_factory=list)
    names: dict[tuple[object, ...], str] = field(default_factory=dict)

    def add_compute(self, op: str, operands: tuple[Operand, ...], dtype: str) -> str:
        key = (op, tuple((type(operand), repr(operand)) for operand in operands), dtype)
        if key not in self.names:
            name = f"v{len(self.steps)}"
            self.steps.append(Compute(name, op, operands, dtype))
            self.names[key] = name
        return self.names[key]

    def add_reduce(self, op: str, operand: str, dtype: str) -> str:
        key = ("reduce", op, operand, dtype)
        if key not in self.names:
            name = f"v{len(self.steps)}"
            self.steps.append(Reduce(name, op, operand, dtype))
            self.names[key] = name
        return self.names[key]


@dataclass(frozen=True, eq=False)
class Value:
    """One value of the program. `operand` is a step's or load's name, a number, or a size.

    `dtype` is the PyTorch dtype; the value itself is held in `compute_dtype(dtype)`.
    """

    steps: StepList
    operand: Operand
    dtype: str
    dimensions: Dimensions = ()

    @property
    def held_dtype(self) -> str:
        return compute_dtype(self.dtype)

    def __add__(self, other: Value | Number) -> Value:
        return emit("add", self, other)

    def __radd__(self, other: Number) -> Value:
        return emit("add", other, self)

    def __sub__(self, other: Value | Number) -> Value:
        return emit("sub", self, other)

    def __rsub__(self, other: Number) -> Value:
        return emit("sub", other, self)

    def __mul__(self, other: Value | Number) -> Value:
        return emit("mul", self, other)

    def __rmul__(self, other: Number) -> Value:
        return emit("mul", other, self)

    def __truediv__(self, other: Value | Number) -> Value:
        return emit("div", self, other)

    def __rtruediv__(self, other: Number) -> Value:
        return emit("div", other, self)

    def __neg__(self) -> Value:
        return emit("neg", self)

    def __lt__(self, other: Value | Number) -> Value:
        return emit("lt", self, other)

    def __le__(self, other: Value | Number) -> Value:
        return emit("le", self, other)

    def __gt__(self, other: Value | Number) -> Value:
        return emit("gt", self, other)

    def __ge__(self, other: Value | Number) -> Value:
        return emit("ge", self, other)

    def __and__(self, other: Value | Number) -> Value:
        return emit("and", self, other)

    def __or__(self, other: Value | Number) -> Value:
        return emit("or", self, other)

    def __xor__(self, other: Value | Number) -> Value:
        return emit("xor", self, other)

    def __invert__(self) -> Value:
        return emit("not", self)

    def __lshift__(self, other: Value | Number) -> Value:
        return emit("shl", self, other)

    def __rshift__(self, other: Value | Number) -> Value:
        return emit("shr", self, other)


def emit(op: str, *operands: Value | Number, dtype: str | None = None) -> Value:
    """Append one step; its dtype is that of the first value after a condition, bool for comparisons."""
    values = [operand for operand in operands if isinstance(operand, Value)]
    if dtype is None:
        source = values[0]
        if op == "where":
            source = next((item for item in operands[1:] if isinstance(item, Value)), values[0])
        dtype = "bool" if op in COMPARISONS else source.held_dtype
    raw = [item.operand if isinstance(item, Value) else item for item in operands]
    if op != "constant" and not any(isinstance(operand, (str, SizeOperand)) for operand in raw):
        raw[0] = values[0].steps.add_compute("constant", (raw[0],), values[0].held_dtype)
    name = values[0].steps.add_compute(op, tuple(raw), dtype)
    return Value(values[0].steps, name, dtype)


def call(op: str, value: Value) -> Value:
    """One unary primitive."""
    return emit(op, value)


def where(condition: Value, chosen: Value | Number, other: Value | Number) -> Value:
    """`chosen` where `condition`, else `other`; two numbers make a float32 unless both are ints or bools."""
    if isinstance(chosen, Value) or isinstance(other, Value):
        return emit("where", condition, chosen, other)
    dtype = "int32" if isinstance(chosen, int) and isinstance(other, int) else "float32"
    return emit("where", condition, chosen, other, dtype=dtype)


def maximum(left: Value | Number, right: Value | Number) -> Value:
    return emit("max", left, right)


def minimum(left: Value | Number, right: Value | Number) -> Value:
    return emit("min", left, right)


def reduce(op: str, value: Value, dtype: str | None = None) -> Value:
    """Reduce over all reduced axes."""
    result = dtype or value.held_dtype
    if not isinstance(value.operand, str):
        raise LoweringError("draft.unsupported_argument", op=op, detail="a constant operand")
    return Value(value.steps, value.steps.add_reduce(op, value.operand, result), result)


def size_value(like: Value, expression: str) -> Value:
    """A size of the task as a float32 number."""
    return Value(like.steps, SizeOperand(expression), "float32")


def with_dimensions(value: Value, dimensions: Sequence[int | None]) -> Value:
    return replace(value, dimensions=tuple(dimensions))


def convert(value: Value, dtype: str, *, is_rounded: bool = False) -> Value:
    """Convert as PyTorch does on the CPU: floats truncate towards zero, integers wrap, bool is `!= 0`.

    `is_rounded` marks an explicit conversion in the graph, which rounds to 16 bits; an implicit one need not.
    """
    if isinstance(value.operand, (int, float, bool)):
        return Value(value.steps, _convert_number(value.operand, dtype), dtype, value.dimensions)
    source, target = value.held_dtype, compute_dtype(dtype)
    result = value
    if source != target:
        result = _convert_held(value, source, target)
    if is_rounded and dtype in ("float16", "bfloat16") and value.dtype != dtype:
        result = emit(f"round_to_{dtype}", result)
    return Value(value.steps, result.operand, dtype, value.dimensions)


def _convert_held(value: Value, source: str, target: str) -> Value:
    if target == "bool":
        return emit("ne", value, 0.0 if source == "float32" else 0)
    if source == "bool":
        one, zero = (1.0, 0.0) if target == "float32" else (1, 0)
        chosen = emit(
            "where", value, one, zero, dtype="float32" if target == "float32" else "int32"
        )
        return (
            chosen if target in ("float32", "int32") else emit(f"to_{target}", chosen, dtype=target)
        )
    if source == "float32" and target in ("int8", "int16", "uint8"):
        value = emit("to_int32", value, dtype="int32")
    return emit(f"to_{target}", value, dtype=target)


def _convert_number(number: Number, dtype: str) -> Number:
    if dtype == "bool":
        return bool(number)
    if compute_dtype(dtype) == "float32":
        return float(number)
    low, high = integer_limits(dtype)
    return (int(number) - low) % (high - low + 1) + low
