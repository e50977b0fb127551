"""CorpusKernel: a Triton kernel with everything needed to compile, launch and judge it.

Inputs are drawn once per seed; an output buffer starts as a recognisable fill and is longer than
what the kernel may write. The oracle says what the written buffers hold afterwards. Everything
else, inputs and the rest of outputs, must not change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

import torch

DTYPES = {
    "fp32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "i1": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "u16": torch.uint16,
    "u32": torch.uint32,
    "u64": torch.uint64,
}
FILL = 77

Value = Union[torch.Tensor, int, float]
Values = Mapping[str, Value]
Expected = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class Tolerance:
    """Limits of |actual - expected| <= absolute + relative * |expected|."""

    relative: float
    absolute: float


# A few roundings of the output type; sums and transcendental functions in float32 stay below.
TOLERANCES = {
    torch.float32: Tolerance(1e-5, 2e-6),
    torch.float16: Tolerance(1.5e-3, 1e-4),
    torch.bfloat16: Tolerance(1.2e-2, 1e-3),
}
EXACT = Tolerance(0.0, 0.0)


class Draw:
    """Seeded contents of argument buffers."""

    def __init__(self, seed: int) -> None:
        self._generator = torch.Generator().manual_seed(seed)

    def normal(self, shape: Any, dtype: str = "fp32", scale: float = 1.0) -> torch.Tensor:
        values = torch.randn(shape, generator=self._generator) * scale
        return values.to(DTYPES[dtype])

    def uniform(self, shape: Any, low: float, high: float, dtype: str = "fp32") -> torch.Tensor:
        values = torch.rand(shape, generator=self._generator) * (high - low) + low
        return values.to(DTYPES[dtype])

    def integers(self, shape: Any, low: int, high: int, dtype: str = "i32") -> torch.Tensor:
        """From `low` up to, not including, `high`."""
        shape = (shape,) if isinstance(shape, int) else shape
        values = torch.randint(low, high, shape, generator=self._generator)
        return values.to(DTYPES[dtype])

    def permutation(self, count: int, dtype: str = "i32") -> torch.Tensor:
        return torch.randperm(count, generator=self._generator).to(DTYPES[dtype])


def blank(shape: Any, dtype: str = "fp32", spare: int = 64) -> torch.Tensor:
    """An output buffer: as many elements as `shape` and `spare` more, all of value FILL."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    count = int(torch.Size(shape).numel())
    return torch.full((count + spare,), FILL).to(DTYPES[dtype])


@dataclass(frozen=True)
class CorpusKernel:
    """A kernel and its oracle.

    `signature` maps run-time parameters to Triton types, in order. `make_values` gives one value
    per parameter. `oracle` gets these by name and returns the expected contents of the buffers
    written; an expectation shorter than its buffer says that the rest keeps its contents.
    `options` are the compiler's.
    """

    name: str
    function: Any
    signature: Mapping[str, str]
    grid: tuple[int, ...]
    make_values: Callable[[Draw], Values]
    oracle: Callable[..., Mapping[str, torch.Tensor]]
    constants: Mapping[str, int | float | bool] = field(default_factory=dict)
    tolerance: Tolerance | None = None
    options: Mapping[str, int | bool] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Miscompilation:
    """`entry` computes something else than its oracle: what is wrong, and what comes out.

    `as_emitted` is the oracle of the emitted code, or the code of the fault that ends its run.
    """

    entry: CorpusKernel
    fault: str
    as_emitted: Union[Callable[..., Expected], str]

    def __str__(self) -> str:
        return self.entry.name


@dataclass(frozen=True)
class Probe:
    """A kernel that the tool chain must refuse with the reason `code`."""

    name: str
    function: Any
    signature: Mapping[str, str]
    code: str
    constants: Mapping[str, int | float | bool] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name
