"""Entries for kernels that run once on buffers of fixed size: buffers in order, then constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Union

import torch

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, Value, Values, blank

# A type to draw values for, a value, or how to draw it.
Source = Union[Value, Callable[[Draw], Value]]


def fixed(
    name: str,
    function: Any,
    types: Mapping[str, str],
    values: Mapping[str, Source],
    oracle: Callable[..., Mapping[str, torch.Tensor]],
    *,
    grid: tuple[int, ...] = (1,),
    tolerance: Tolerance | None = None,
    **constants: int | float | bool,
) -> CorpusKernel:
    """`types` maps parameters to Triton types; `values` to numbers or to functions of a Draw."""

    def make_values(draw: Draw) -> Values:
        return {key: value(draw) if callable(value) else value for key, value in values.items()}

    return CorpusKernel(name, function, types, grid, make_values, oracle, constants, tolerance)


def out(shape: Any, dtype: str = "fp32", spare: int = 64) -> Callable[[Draw], torch.Tensor]:
    return lambda draw: blank(shape, dtype, spare)


def normal(shape: Any, dtype: str = "fp32", scale: float = 1.0) -> Callable[[Draw], torch.Tensor]:
    return lambda draw: draw.normal(shape, dtype, scale)


def uniform(
    shape: Any, low: float, high: float, dtype: str = "fp32"
) -> Callable[[Draw], torch.Tensor]:
    return lambda draw: draw.uniform(shape, low, high, dtype)


def whole(shape: Any, low: int, high: int, dtype: str = "i32") -> Callable[[Draw], torch.Tensor]:
    return lambda draw: draw.integers(shape, low, high, dtype)
