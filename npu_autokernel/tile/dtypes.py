"""Dtypes on the way through a kernel: what is stored, what is computed in, and how operands are promoted.

16-bit floats are computed in float32 and rounded at stores and explicit conversions. Python numbers and 0-d
tensors follow PyTorch's rules of type promotion: they lift the category, never the width.
"""

from __future__ import annotations

from collections.abc import Sequence

FLOATS = ("float16", "bfloat16", "float32")
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
SUPPORTED_DTYPES = (*FLOATS, *INTEGERS, "bool")

TRITON_TYPES = {
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint8": "u8",
    "bool": "i1",
}
ITEM_BYTES = {
    "float32": 4,
    "float16": 2,
    "bfloat16": 2,
    "int64": 8,
    "int32": 4,
    "int16": 2,
    "int8": 1,
    "uint8": 1,
    "bool": 1,
}
_INTEGER_BITS = {"int8": 8, "uint8": 8, "int16": 16, "int32": 32, "int64": 64}


def is_float(dtype: str) -> bool:
    return dtype in FLOATS or dtype == "float64"


def compute_dtype(dtype: str) -> str:
    """The dtype in which a value of `dtype` is held while computing; float64 stands for a Python float."""
    return "float32" if is_float(dtype) else dtype


def dtype_of_number(number: bool | int | float) -> str:
    if isinstance(number, bool):
        return "bool"
    return "int64" if isinstance(number, int) else "float32"


def promote_dtypes(tensors: Sequence[str], weak: Sequence[str]) -> str:
    """Common dtype of `tensors` (dtypes of values with dimensions) and `weak` ones (0-d values, numbers)."""
    strong = _promote_all(tensors)
    loose = _promote_all(weak)
    if strong is None or loose is None:
        return strong or loose or "float32"
    return loose if _category(loose) > _category(strong) else strong


def integer_limits(dtype: str) -> tuple[int, int]:
    """Least and greatest value of an integer dtype."""
    bits = _INTEGER_BITS[dtype]
    if dtype == "uint8":
        return 0, 255
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _category(dtype: str) -> int:
    if dtype == "bool":
        return 0
    return 2 if is_float(dtype) else 1


def _promote_all(dtypes: Sequence[str]) -> str | None:
    result: str | None = None
    for dtype in dtypes:
        result = dtype if result is None else _promote_pair(result, dtype)
    return result


def _promote_pair(left: str, right: str) -> str:
    if left == right:
        return left
    if _category(left) != _category(right):
        return max(left, right, key=_category)
    if is_float(left):
        if "float64" in (left, right):
            return "float64"
        return "float32"
    if "uint8" in (left, right):
        other = right if left == "uint8" else left
        return "int16" if other == "int8" else other
    return max(left, right, key=_INTEGER_BITS.__getitem__)
