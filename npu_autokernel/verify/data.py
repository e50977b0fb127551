"""Test data: seeded input tensors from TensorSpecs, and output buffers that start as poison.

Every value set is a way to fill a tensor; which sets a proof uses is decided in `cases.py`. Tensors are views of a
flat storage filled as a whole, so strides, expanded dimensions and gaps come out as the spec says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from npu_autokernel.graph.binding import concretise, get_dtype, measure_reach
from npu_autokernel.graph.task import KernelTask, OpCall, TensorSpec

SPECIAL_SHARE = 0.02
INTEGER_DIVISIONS = frozenset({"aten.div", "aten.floor_divide", "aten.fmod", "aten.remainder"})
POISONS = (0xFF, 0xA5)  # bytes; 0xFF makes NaN in every floating dtype


@dataclass(frozen=True)
class PoisonedOutput:
    """An output view, the storage behind it with gaps and margins, and the byte it was filled with."""

    view: torch.Tensor
    storage: torch.Tensor
    poison: int


def make_inputs(
    task: KernelTask, symbols: Mapping[str, int], values: str, seed: int
) -> list[torch.Tensor]:
    """One tensor per input of the task, filled by the value set `values` from `seed`.

    A task that divides integers gets none that are 0, for which eager raises. Raises KeyError for an unknown set.
    """
    generator = torch.Generator().manual_seed(seed)
    fill = VALUE_SETS[values]
    if any(_divides_integers(op) for op in task.ops):
        fill = _without_zeros(fill)
    return [_make_tensor(spec, symbols, fill, generator) for spec in task.inputs]


def count_storage(spec: TensorSpec, symbols: Mapping[str, int]) -> int:
    """Elements from the first to the last that a tensor of `spec` reaches; 0 for an empty one."""
    sizes, strides = concretise(spec, symbols)
    return 0 if 0 in sizes else measure_reach(sizes, strides)


def make_poisoned_output(
    spec: TensorSpec, symbols: Mapping[str, int], poison: int, fill: float | None
) -> PoisonedOutput:
    """An output buffer full of poison bytes, or of `fill` where the plan asks for a fill."""
    sizes, strides = concretise(spec, symbols)
    dtype = get_dtype(spec.dtype)
    count = count_storage(spec, symbols)
    data = torch.full((count * dtype.itemsize,), poison, dtype=torch.uint8)
    storage = data.view(dtype)
    view = storage.as_strided(sizes, strides)
    if fill is not None:
        view.fill_(fill)
    return PoisonedOutput(view, storage, poison)


def _make_tensor(
    spec: TensorSpec, symbols: Mapping[str, int], fill: _Fill, generator: torch.Generator
) -> torch.Tensor:
    sizes, strides = concretise(spec, symbols)
    flat = fill(count_storage(spec, symbols), get_dtype(spec.dtype), generator)
    return flat.as_strided(sizes, strides)


def _divides_integers(op: OpCall) -> bool:
    packet = op.target.rsplit(".", 1)[0]
    return packet in INTEGER_DIVISIONS and "int" in op.results[0].dtype


_Fill = Callable[[int, torch.dtype, torch.Generator], torch.Tensor]


def _fill_normal(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    if dtype == torch.bool:
        return torch.rand(count, generator=generator) < 0.5
    if not dtype.is_floating_point:
        low = 0 if dtype == torch.uint8 else -100
        return torch.randint(low, 101, (count,), generator=generator, dtype=dtype)
    return torch.randn(count, generator=generator).to(dtype)


def _fill_floats(
    make: Callable[[int, torch.dtype, torch.Generator], torch.Tensor],
) -> _Fill:
    """A fill for floats; integers and bools stay as in the normal set."""

    def fill(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
        if not dtype.is_floating_point:
            return _fill_normal(count, dtype, generator)
        return make(count, dtype, generator).to(dtype)

    return fill


def _without_zeros(fill: _Fill) -> _Fill:
    def fill_without_zeros(
        count: int, dtype: torch.dtype, generator: torch.Generator
    ) -> torch.Tensor:
        values = fill(count, dtype, generator)
        is_integer = not dtype.is_floating_point and dtype != torch.bool
        return values.masked_fill(values == 0, 1) if is_integer else values

    return fill_without_zeros


def _make_wide(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    # Beyond 88.7 the exponential overflows float32: a softmax needs its maximum.
    return torch.rand(count, generator=generator) * 200.0 - 100.0


def _make_shifted(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    # Half dtypes cannot hold a spread of 1 around 1e4; 100 is the same trial for them.
    mean = 1e4 if dtype == torch.float32 else 100.0
    return torch.randn(count, generator=generator) + mean


def _make_tiny(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    return torch.randn(count, generator=generator) * 1e-3


def _fill_positive(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    """Bools are all True: else `all` of them would never be."""
    if dtype == torch.bool:
        return torch.ones(count, dtype=dtype)
    if not dtype.is_floating_point:
        return torch.randint(1, 101, (count,), generator=generator, dtype=dtype)
    return (torch.rand(count, generator=generator) * 0.9 + 0.05).to(dtype)


def _make_equal(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    return torch.full((count,), float(torch.randn((), generator=generator)))


def _fill_extreme(count: int, dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    """Integers over their whole range with both ends; floats with infinities, NaN and signed zeros."""
    if dtype == torch.bool:
        return _fill_normal(count, dtype, generator)
    if dtype.is_floating_point:
        specials = torch.tensor([float("inf"), float("-inf"), float("nan"), 0.0, -0.0])
        return _sprinkle(torch.randn(count, generator=generator), specials, generator).to(dtype)
    limits = torch.iinfo(dtype)
    whole = torch.randint(limits.min, limits.max, (count,), generator=generator, dtype=torch.int64)
    ends = torch.tensor([limits.min, limits.max, 0, 1], dtype=torch.int64)
    return _sprinkle(whole, ends, generator).to(dtype)


def _sprinkle(
    base: torch.Tensor, specials: torch.Tensor, generator: torch.Generator
) -> torch.Tensor:
    """A share of the elements becomes special, and each special value is there once if there is room."""
    chosen = torch.rand(base.shape, generator=generator) < SPECIAL_SHARE
    picks = torch.randint(0, len(specials), base.shape, generator=generator)
    values = torch.where(chosen, specials[picks], base)
    places = torch.randperm(len(values), generator=generator)[: len(specials)]
    if len(values) >= 4 * len(specials):
        values[places] = specials
    return values


VALUE_SETS: Mapping[str, _Fill] = {
    "normal": _fill_normal,
    "wide": _fill_floats(_make_wide),
    "shifted": _fill_floats(_make_shifted),
    "tiny": _fill_floats(_make_tiny),
    "positive": _fill_positive,
    "equal": _fill_floats(_make_equal),
    "extreme": _fill_extreme,
}
