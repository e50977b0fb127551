"""Stride classes: which strides follow from the extents, which are zero, and which are free.

Dimensions are walked from the smallest stride to the largest. A stride equal to the size of what is inside it is
an expression of the extents; so any permutation of a dense tensor, and the outer dimensions of a sliced one, have
no free stride. An expanded dimension has stride `0`, one of extent 1 as well (it is never stepped), a unit stride
is the literal `1`, and all else is a symbol of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

INT32_LIMIT = 2**31


def classify_strides(
    extents: Sequence[int],
    sizes: Sequence[str],
    strides: Sequence[int],
    name_stride: Callable[[int], str],
) -> tuple[str, ...]:
    """Stride expressions of an input: `extents` and `strides` are numbers, `sizes` the extents' expressions.

    `name_stride(value)` returns a new symbol for a free stride.
    """
    return _walk(extents, sizes, strides, name_stride, lambda stride: "0")


def classify_output_strides(
    extents: Sequence[int], sizes: Sequence[str], strides: Sequence[int]
) -> tuple[str, ...] | None:
    """Stride expressions of an output, exact also where the extent is 1; None if an output is not dense."""
    names: list[int] = []

    def reject(stride: int) -> str:
        names.append(stride)
        return str(stride)

    expressions = _walk(extents, sizes, strides, reject, str)
    expanded = any(
        extent > 1 and stride == 0 for extent, stride in zip(extents, strides, strict=True)
    )
    return None if names or expanded else expressions


def dense_strides(sizes: Sequence[str]) -> tuple[str, ...]:
    """Stride expressions of a contiguous tensor of `sizes`, `0` where the extent is 1."""
    strides = []
    for position, size in enumerate(sizes):
        strides.append("0" if size == "1" else _multiply(sizes[position + 1 :]))
    return tuple(strides)


def measure_span(sizes: Sequence[int], strides: Sequence[int]) -> int:
    """Elements that indices of a tensor must reach: its count, or its stride range where that is more."""
    count, reach = 1, 1
    for size, stride in zip(sizes, strides, strict=True):
        count *= size
        reach += (size - 1) * stride
    return max(count, reach)


def choose_index_bits(spans: Iterable[int]) -> int:
    """64 if one of the spans needs indices beyond int32, else 32."""
    return 64 if any(span >= INT32_LIMIT for span in spans) else 32


def _walk(
    extents: Sequence[int],
    sizes: Sequence[str],
    strides: Sequence[int],
    name_stride: Callable[[int], str],
    name_unstepped: Callable[[int], str],
) -> tuple[str, ...]:
    expressions = [""] * len(extents)
    inside: list[str] = []
    inside_elements = 1
    for dim in sorted(range(len(extents)), key=lambda dim: (strides[dim], -dim)):
        extent, stride = extents[dim], strides[dim]
        if extent == 1:
            dense = stride == inside_elements
            unstepped = name_unstepped(stride)
            expressions[dim] = _multiply(inside) if dense and unstepped != "0" else unstepped
        elif stride == 0:
            expressions[dim] = "0"
        else:
            if stride != inside_elements:
                inside = ["1" if stride == 1 else name_stride(stride)]
            expressions[dim] = _multiply(inside)
            inside = [sizes[dim], *inside]
            inside_elements = stride * extent
    return tuple(expressions)


def _multiply(factors: Sequence[str]) -> str:
    kept = [factor for factor in factors if factor != "1"]
    return " * ".join(kept) or "1"
