"""Loops over parts that load two or three tiles each, so that the compiler buffers them twice."""

from __future__ import annotations

from collections.abc import Callable

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, blank

COUNT = 5000
CONSTANTS = {"BLOCK": 4096, "PART": 1024}


@triton.jit
def add_in_parts(x, y, out, count, BLOCK: tl.constexpr, PART: tl.constexpr):
    for start in range(0, BLOCK, PART):
        offsets = tl.program_id(0) * BLOCK + start + tl.arange(0, PART)
        inside = offsets < count
        sums = tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
        tl.store(out + offsets, sums, mask=inside)


@triton.jit
def blend_in_parts(x, y, weight, out, count, BLOCK: tl.constexpr, PART: tl.constexpr):
    for start in range(0, BLOCK, PART):
        offsets = tl.program_id(0) * BLOCK + start + tl.arange(0, PART)
        inside = offsets < count
        share = tl.load(weight + offsets, mask=inside)
        first, second = tl.load(x + offsets, mask=inside), tl.load(y + offsets, mask=inside)
        tl.store(out + offsets, share * first + (1 - share) * second, mask=inside)


@triton.jit
def multiply_rows_in_parts(x, y, out, columns, BLOCK: tl.constexpr, PART: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros([PART], tl.float32)
    for start in range(0, BLOCK, PART):
        offsets = start + tl.arange(0, PART)
        inside = offsets < columns
        left = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
        sums += left * tl.load(y + row * columns + offsets, mask=inside, other=0.0)
    tl.store(out + row, tl.sum(sums))


@triton.jit
def spread_and_collect(x, places, out, count, BLOCK: tl.constexpr, PART: tl.constexpr):
    """Gathers by an index, in parts; the index is loaded too."""
    for start in range(0, BLOCK, PART):
        offsets = tl.program_id(0) * BLOCK + start + tl.arange(0, PART)
        inside = offsets < count
        place = tl.load(places + offsets, mask=inside, other=0)
        tl.store(out + offsets, tl.load(x + place, mask=inside), mask=inside)


def pointwise_in_parts(
    name: str, function: object, dtype: str, inputs: tuple[str, ...], compute: Callable[..., object]
) -> CorpusKernel:
    def make_values(draw: Draw) -> dict[str, object]:
        values = {each: draw.uniform(COUNT, 0.0, 1.0, dtype) for each in inputs}
        return {**values, "out": blank(COUNT, dtype), "count": COUNT}

    def oracle(out: torch.Tensor, count: int, **values: torch.Tensor) -> dict[str, torch.Tensor]:
        wide = {each: value.to(torch.float32) for each, value in values.items()}
        return {"out": compute(**wide)}

    pointer = f"*{dtype}"
    return CorpusKernel(
        name=name,
        function=function,
        signature={**dict.fromkeys((*inputs, "out"), pointer), "count": "i32"},
        grid=(2,),
        make_values=make_values,
        oracle=oracle,
        constants=CONSTANTS,
        tolerance=Tolerance(4e-3, 1e-3) if dtype == "fp16" else None,
    )


def make_row_products() -> CorpusKernel:
    rows, columns = 3, 3000

    def make_values(draw: Draw) -> dict[str, object]:
        left, right = draw.normal((rows, columns)), draw.normal((rows, columns))
        return {"x": left, "y": right, "out": blank(rows), "columns": columns}

    return CorpusKernel(
        name="multiply_rows_in_parts",
        function=multiply_rows_in_parts,
        signature={"x": "*fp32", "y": "*fp32", "out": "*fp32", "columns": "i32"},
        grid=(rows,),
        make_values=make_values,
        oracle=lambda x, y, **_: {"out": (x.double() * y.double()).sum(1)},
        constants=CONSTANTS,
        tolerance=Tolerance(1e-4, 1e-3),
    )


def make_gather_in_parts() -> CorpusKernel:
    count = 600

    def make_values(draw: Draw) -> dict[str, object]:
        places = draw.permutation(count)
        return {"x": draw.normal(count), "places": places, "out": blank(count), "count": count}

    return CorpusKernel(
        name="spread_and_collect",
        function=spread_and_collect,
        signature={"x": "*fp32", "places": "*i32", "out": "*fp32", "count": "i32"},
        grid=(2,),
        make_values=make_values,
        oracle=lambda x, places, **_: {"out": x[places.long()]},
        constants={"BLOCK": 512, "PART": 128},
    )


def blend(x: torch.Tensor, y: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return weight * x + (1 - weight) * y


KERNELS: tuple[CorpusKernel, ...] = (
    *(
        kernel
        for dtype in ("fp32", "fp16")
        for kernel in (
            pointwise_in_parts(
                f"add_in_parts_{dtype}", add_in_parts, dtype, ("x", "y"), lambda x, y: x + y
            ),
            pointwise_in_parts(
                f"blend_in_parts_{dtype}", blend_in_parts, dtype, ("x", "y", "weight"), blend
            ),
        )
    ),
    make_row_products(),
    make_gather_in_parts(),
)
