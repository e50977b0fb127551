"""Entries for kernels that map `count` elements in blocks of BLOCK, the last partly masked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, Value, Values, blank

Maker = Callable[[Draw, int, str], torch.Tensor]


def draw_any(draw: Draw, count: int, dtype: str) -> torch.Tensor:
    if dtype in ("fp32", "fp16", "bf16"):
        return draw.normal(count, dtype, scale=2.0)
    if dtype == "i1":
        return draw.integers(count, 0, 2, dtype)
    return draw.integers(count, 0 if dtype[0] == "u" else -60, 60, dtype)


def between(low: float, high: float) -> Maker:
    return lambda draw, count, dtype: draw.uniform(count, low, high, dtype)


def integers(low: int, high: int) -> Maker:
    return lambda draw, count, dtype: draw.integers(count, low, high, dtype)


def pointwise(
    name: str,
    function: Any,
    inputs: str,
    output: str,
    oracle: Callable[..., torch.Tensor],
    *,
    block: int = 1024,
    count: int | None = None,
    numbers: Mapping[str, tuple[str, float]] | None = None,
    makers: Mapping[str, Maker] | None = None,
    tolerance: Tolerance | None = None,
    programs: int | None = None,
) -> CorpusKernel:
    """An entry for a kernel (inputs..., out, count, numbers..., BLOCK).

    `inputs` are the types of the input buffers, separated by blanks. `oracle` gets the inputs,
    floats as float64 and integers as int64, and the numbers.
    """
    types = inputs.split()
    names = function.arg_names[: len(types)]
    total = count or 2 * block + block // 2 + 3
    scalars = dict(numbers or {})
    signature = {key: f"*{type_}" for key, type_ in zip(names, types, strict=True)}
    signature |= {"out": f"*{output}", "count": "i32"}
    signature |= {key: type_ for key, (type_, _) in scalars.items()}

    def make_values(draw: Draw) -> Values:
        chosen = makers or {}
        values: dict[str, Value] = {
            key: chosen.get(key, draw_any)(draw, total, type_)
            for key, type_ in zip(names, types, strict=True)
        }
        values |= {"out": blank(total, output), "count": total}
        return values | {key: number for key, (_, number) in scalars.items()}

    def expect(out: torch.Tensor, count: int, **values: Any) -> dict[str, torch.Tensor]:
        arguments = [_widen(values[key]) for key in [*names, *scalars]]
        return {"out": oracle(*arguments)}

    return CorpusKernel(
        name=name,
        function=function,
        signature=signature,
        grid=(programs or -(-total // block),),
        make_values=make_values,
        oracle=expect,
        constants={"BLOCK": block},
        tolerance=tolerance,
    )


def _widen(value: Value) -> Value:
    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool:
        return value
    return value.to(torch.float64 if value.is_floating_point() else torch.int64)
