"""Kernels of images and signals: pooling, resizing, unfolding, padding, stencils."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch.nn import functional

from tests.machine.corpus.entry import FILL, CorpusKernel, Expected, Tolerance
from tests.machine.corpus.fixed import fixed, normal, out


@triton.jit
def pool(
    x, out, height, width, out_height, out_width, BLOCK: tl.constexpr, SIZE: tl.constexpr,
    STEP: tl.constexpr, PAD: tl.constexpr, AVERAGE: tl.constexpr,
):  # fmt: skip
    plane = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    inside = place < out_height * out_width
    lowest: tl.constexpr = 0.0 if AVERAGE else -float("inf")
    result = tl.full((BLOCK,), lowest, tl.float32)
    for down in range(SIZE):
        for right in range(SIZE):
            y = place // out_width * STEP - PAD + down
            z = place % out_width * STEP - PAD + right
            known = inside & (y >= 0) & (y < height) & (z >= 0) & (z < width)
            value = tl.load(x + (plane * height + y) * width + z, mask=known, other=lowest)
            result = result + value if AVERAGE else tl.maximum(result, value)
    if AVERAGE:
        result = result / (SIZE * SIZE)
    tl.store(out + plane * out_height * out_width + place, result, mask=inside)


@triton.jit
def double_nearest(x, out, height, width, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < height * width * 4
    source = place // (width * 2) // 2 * width + place % (width * 2) // 2
    tl.store(out + place, tl.load(x + source, mask=inside), mask=inside)


@triton.jit
def resize_bilinear(x, out, height, width, out_height, out_width, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    inside = place < out_height * out_width
    y = (place // out_width).to(tl.float32) * ((height - 1) * 1.0 / (out_height - 1))
    z = (place % out_width).to(tl.float32) * ((width - 1) * 1.0 / (out_width - 1))
    top = tl.floor(y).to(tl.int32)
    left = tl.floor(z).to(tl.int32)
    bottom = tl.minimum(top + 1, height - 1)
    right = tl.minimum(left + 1, width - 1)
    down = y - top
    across = z - left
    upper = tl.load(x + top * width + left, mask=inside, other=0.0) * (1 - across)
    upper += tl.load(x + top * width + right, mask=inside, other=0.0) * across
    lower = tl.load(x + bottom * width + left, mask=inside, other=0.0) * (1 - across)
    lower += tl.load(x + bottom * width + right, mask=inside, other=0.0) * across
    tl.store(out + place, upper * (1 - down) + lower * down, mask=inside)


@triton.jit
def unfold(x, out, height, width, out_height, out_width, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    plane = row // (SIZE * SIZE)
    down = row // SIZE % SIZE
    place = tl.arange(0, BLOCK)
    inside = place < out_height * out_width
    y = plane * height + place // out_width + down
    value = tl.load(x + y * width + place % out_width + row % SIZE, mask=inside)
    tl.store(out + row * out_height * out_width + place, value, mask=inside)


@triton.jit
def pad_with(x, out, rows, columns, margin, value, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    known = (row >= margin) & (row < rows + margin)
    known = known & (column >= margin) & (column < columns + margin)
    inner = tl.load(x + (row - margin) * columns + column - margin, mask=known, other=value)
    width = columns + 2 * margin
    tl.store(out + row * width + column, inner, mask=column < width)


@triton.jit
def join_columns(x, y, out, left, right, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    first = tl.load(x + row * left + column, mask=column < left, other=0)
    second = tl.load(y + row * right + column - left,
                     mask=(column >= left) & (column < left + right), other=0)  # fmt: skip
    both = tl.where(column < left, first, second)
    tl.store(out + row * (left + right) + column, both, mask=column < left + right)


@triton.jit
def difference_of_neighbours(x, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0) + 1
    column = 1 + tl.arange(0, BLOCK)
    inside = column < width - 1
    here = x + row * width + column
    sides = tl.load(here - 1, mask=inside) + tl.load(here + 1, mask=inside)
    ends = tl.load(here - width, mask=inside) + tl.load(here + width, mask=inside)
    centre = tl.load(here, mask=inside)
    tl.store(out + row * width + column, sides + ends - 4 * centre, mask=inside)


@triton.jit
def convolve_causally(x, weight, bias, out, length, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    place = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32) + tl.load(bias + channel)
    for tap in tl.static_range(SIZE):
        before = place + tap - (SIZE - 1)
        known = (before >= 0) & (before < length)
        value = tl.load(x + channel * length + before, mask=known, other=0.0)
        total += value * tl.load(weight + channel * SIZE + tap)
    tl.store(out + channel * length + place, total * tl.sigmoid(total), mask=place < length)


def pooling(average: bool, size: int, step: int, pad: int) -> CorpusKernel:
    out_height, out_width = ((side + 2 * pad - size) // step + 1 for side in (9, 11))
    function = functional.avg_pool2d if average else functional.max_pool2d
    sizes = {"height": 9, "width": 11, "out_height": out_height, "out_width": out_width}
    return fixed(
        f"pool_{'average' if average else 'largest'}_{size}_{step}", pool,
        {"x": "*fp32", "out": "*fp32"} | dict.fromkeys(sizes, "i32"),
        {"x": normal((2, 9, 11)), "out": out((2, out_height, out_width)), **sizes},
        lambda x, **rest: {"out": function(x[None].double(), size, step, pad)[0]},
        grid=(2,), BLOCK=128, SIZE=size, STEP=step, PAD=pad, AVERAGE=average,
    )  # fmt: skip


def expect_differences(x: torch.Tensor, **rest: object) -> Expected:
    wide = x.double()
    result = torch.full_like(wide, FILL)
    sides = wide[1:-1, :-2] + wide[1:-1, 2:] + wide[:-2, 1:-1] + wide[2:, 1:-1]
    result[1:-1, 1:-1] = sides - 4 * wide[1:-1, 1:-1]
    return {"out": result}


def expect_convolved(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, **rest: object
) -> Expected:
    padded = functional.pad(x.double(), (3, 0))[None]
    total = functional.conv1d(padded, weight.double()[:, None], bias.double(), groups=3)[0]
    return {"out": total * total.sigmoid()}


def padding(margin: int) -> CorpusKernel:
    return fixed(
        f"pad_with_{margin}", pad_with,
        {"x": "*fp32", "out": "*fp32", "rows": "i32", "columns": "i32", "margin": "i32",
         "value": "fp32"},
        {"x": normal((5, 20)), "out": out((5 + 2 * margin, 20 + 2 * margin)), "rows": 5,
         "columns": 20, "margin": margin, "value": 1.5},
        lambda x, **rest: {"out": functional.pad(x, (margin,) * 4, value=1.5)},
        grid=(5 + 2 * margin,), BLOCK=32,
    )  # fmt: skip


def sized(**sizes: int) -> tuple[dict[str, str], dict[str, int]]:
    return {"x": "*fp32", "out": "*fp32"} | dict.fromkeys(sizes, "i32"), sizes


NEAREST, NEAREST_SIZES = sized(height=7, width=9)
BILINEAR, BILINEAR_SIZES = sized(height=5, width=6, out_height=7, out_width=9)
UNFOLD, UNFOLD_SIZES = sized(height=6, width=8, out_height=4, out_width=6)
LOOSE = Tolerance(1e-4, 1e-5)

KERNELS: tuple[CorpusKernel, ...] = (
    pooling(True, 2, 2, 0), pooling(True, 3, 2, 1), pooling(False, 3, 1, 1),
    fixed("double_nearest", double_nearest, NEAREST,
          {"x": normal((7, 9)), "out": out(7 * 9 * 4), **NEAREST_SIZES},
          lambda x, **rest: {"out": x.repeat_interleave(2, 0).repeat_interleave(2, 1)},
          grid=(2,), BLOCK=128),
    fixed("resize_bilinear", resize_bilinear, BILINEAR,
          {"x": normal((5, 6)), "out": out(63), **BILINEAR_SIZES},
          lambda x, **rest: {"out": functional.interpolate(
              x[None, None].double(), (7, 9), mode="bilinear", align_corners=True)},
          tolerance=LOOSE, BLOCK=64),
    fixed("unfold", unfold, UNFOLD,
          {"x": normal((2, 6, 8)), "out": out(18 * 24), **UNFOLD_SIZES},
          lambda x, **rest: {"out": functional.unfold(x[None], 3)[0]}, grid=(18,), SIZE=3,
          BLOCK=32),
    padding(0), padding(3),
    *(
        fixed(f"join_columns_{dtype}", join_columns,
              {"x": f"*{dtype}", "y": f"*{dtype}", "out": f"*{dtype}", "left": "i32",
               "right": "i32"},
              {"x": normal((3, 11), dtype, 20), "y": normal((3, 18), dtype, 20),
               "out": out((3, 29), dtype), "left": 11, "right": 18},
              lambda x, y, **rest: {"out": torch.cat([x, y], 1)}, grid=(3,), BLOCK=32)
        for dtype in ("fp32", "i8", "fp16")
    ),
    fixed("difference_of_neighbours", difference_of_neighbours,
          {"x": "*fp32", "out": "*fp32", "width": "i32"},
          {"x": normal((6, 40)), "out": out((6, 40)), "width": 40}, expect_differences,
          grid=(4,), BLOCK=64),
    fixed("convolve_causally", convolve_causally,
          {**dict.fromkeys(("x", "weight", "bias", "out"), "*fp32"), "length": "i32"},
          {"x": normal((3, 70)), "weight": normal((3, 4)), "bias": normal(3),
           "out": out((3, 70)), "length": 70}, expect_convolved, grid=(3, 2),
          tolerance=LOOSE, SIZE=4, BLOCK=64),
)  # fmt: skip
