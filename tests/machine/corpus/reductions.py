"""Reductions along one or two axes, and what is built on them: softmax, norms, losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Draw, Tolerance, Value, Values, blank

Oracle = Callable[[torch.Tensor], torch.Tensor]
Tensors = Mapping[str, torch.Tensor]


@triton.jit
def sum_rows_in_parts(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    partial = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        partial += tl.load(x + row * columns + offsets, mask=offsets < columns, other=0.0)
    tl.store(out + row, tl.sum(partial, 0))


@triton.jit
def sum_axis(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    value = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    total = tl.sum(value, AXIS)
    if AXIS == 1:
        tl.store(out + row, total, mask=row < rows)
    else:
        tl.store(out + tl.program_id(0) * columns + column, total, mask=column < columns)


@triton.jit
def extreme_axis(
    x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    value = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    spread = tl.max(value, AXIS) - tl.min(value, AXIS)
    if AXIS == 1:
        tl.store(out + row, spread, mask=row < rows)
    else:
        tl.store(out + tl.program_id(0) * columns + column, spread, mask=column < columns)


@triton.jit
def sum_two_axes(x, out, COUNT: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    plane = tl.arange(0, COUNT)[:, None, None] * ROWS * COLUMNS
    row = tl.arange(0, ROWS)[None, :, None] * COLUMNS
    value = tl.load(x + plane + row + tl.arange(0, COLUMNS)[None, None, :])
    tl.store(out + tl.arange(0, COLUMNS), tl.sum(tl.sum(value, 0), 0))


@triton.jit
def smallest_and_largest(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=0.0)
    tl.store(out + row * 2, tl.min(value, 0))
    tl.store(out + row * 2 + 1, tl.max(value, 0))


@triton.jit
def times(left, right):
    return left * right


@triton.jit
def multiply_all(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=1.0)
    tl.store(out + row, tl.reduce(value, 0, times))


@triton.jit
def xor_all(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=0)
    tl.store(out + row, tl.xor_sum(value, 0))


@triton.jit
def largest_index(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    lowest = -float("inf")
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=lowest)
    tl.store(out + row, tl.argmax(value, 0))


@triton.jit
def smallest_index_of_rows(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    pointers = x + row[:, None] * columns + column[None, :]
    value = tl.load(pointers, mask=inside, other=float("inf"))
    tl.store(out + row, tl.argmin(value, 1), mask=row < rows)


@triton.jit
def softmax_row(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=-float("inf"))
    weight = tl.exp(value - tl.max(value, 0))
    tl.store(out + row * columns + offsets, weight / tl.sum(weight, 0), mask=inside)


@triton.jit
def softmax_rows(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    offsets = row[:, None] * columns + column[None, :]
    value = tl.load(x + offsets, mask=inside, other=-float("inf")).to(tl.float32)
    weight = tl.exp(value - tl.max(value, 1)[:, None])
    share = weight / tl.sum(weight, 1)[:, None]
    tl.store(out + offsets, share.to(out.dtype.element_ty), mask=inside)


@triton.jit
def softmax_in_parts(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        value = tl.load(x + row * columns + offsets, mask=inside, other=-float("inf"))
        larger = tl.maximum(largest, tl.max(value, 0))
        total = total * tl.exp(largest - larger) + tl.sum(tl.exp(value - larger), 0)
        largest = larger
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        value = tl.load(x + row * columns + offsets, mask=inside, other=0.0)
        tl.store(out + row * columns + offsets, tl.exp(value - largest) / total, mask=inside)


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(value, 0) / columns
    centred = tl.where(inside, value - mean, 0.0)
    variance = tl.sum(centred * centred, 0) / columns
    scale = tl.load(weight + offsets, mask=inside)
    shift = tl.load(bias + offsets, mask=inside)
    result = centred * tl.rsqrt(variance + epsilon) * scale + shift
    tl.store(out + row * columns + offsets, result, mask=inside)


@triton.jit
def rms_norm(x, weight, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0).to(tl.float32)
    size = tl.rsqrt(tl.sum(value * value, 0) / columns + epsilon)
    result = value * size * tl.load(weight + offsets, mask=inside).to(tl.float32)
    tl.store(out + row * columns + offsets, result.to(out.dtype.element_ty), mask=inside)


@triton.jit
def group_norm(
    x, weight, bias, out, channels, area, groups, epsilon,
    CHANNELS: tl.constexpr, AREA: tl.constexpr,
):  # fmt: skip
    width = channels // groups
    channel = tl.arange(0, CHANNELS)
    pixel = tl.arange(0, AREA)
    first = tl.program_id(1) * width
    inside = (channel[:, None] < width) & (pixel[None, :] < area)
    image = tl.program_id(0) * channels * area
    offsets = image + (first + channel[:, None]) * area + pixel[None, :]
    value = tl.load(x + offsets, mask=inside, other=0.0)
    count = width * area
    mean = tl.sum(tl.sum(value, 1), 0) / count
    centred = tl.where(inside, value - mean, 0.0)
    variance = tl.sum(tl.sum(centred * centred, 1), 0) / count
    scale = tl.load(weight + first + channel, mask=channel < width)
    shift = tl.load(bias + first + channel, mask=channel < width)
    result = centred * tl.rsqrt(variance + epsilon) * scale[:, None] + shift[:, None]
    tl.store(out + offsets, result, mask=inside)


@triton.jit
def cross_entropy(x, target, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=-float("inf"))
    largest = tl.max(value, 0)
    log_total = largest + tl.log(tl.sum(tl.exp(value - largest), 0))
    wanted = tl.load(x + row * columns + tl.load(target + row))
    tl.store(out + row, log_total - wanted)


@triton.jit
def multiply_by_vector(a, x, out, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for start in range(0, columns, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        inside = column < columns
        matrix = tl.load(
            a + row[:, None] * columns + column[None, :], mask=inside[None, :], other=0.0
        )
        vector = tl.load(x + column, mask=inside, other=0.0)
        total += tl.sum(matrix * vector[None, :], 1)
    tl.store(out + row, total)


@triton.jit
def mean_and_deviation(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    value = tl.load(x + row * columns + offsets, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(value, 0) / columns
    centred = tl.where(inside, value - mean, 0.0)
    tl.store(out + row * 2, mean)
    tl.store(out + row * 2 + 1, tl.sqrt(tl.sum(centred * centred, 0) / columns))


@triton.jit
def sum_squares_widened(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + offsets, mask=offsets < columns, other=0).to(tl.int32)
    tl.store(out + row, tl.sum(value * value, 0))


def draw_matrix(draw: Draw, shape: tuple[int, int], dtype: str) -> torch.Tensor:
    if dtype in ("fp32", "fp16", "bf16"):
        return draw.normal(shape, dtype)
    return draw.integers(shape, -50, 50, dtype)


def widen(values: torch.Tensor) -> torch.Tensor:
    return values.double() if values.is_floating_point() else values.long()


def by_row(
    name: str,
    function: Any,
    dtypes: str,
    oracle: Oracle,
    *,
    columns: int,
    block: int = 1024,
    rows: int = 3,
    results_per_row: int | None = None,
    make: Callable[[Draw, tuple[int, int], str], torch.Tensor] = draw_matrix,
    tolerance: Tolerance | None = None,
) -> CorpusKernel:
    """An entry for a kernel (x, out, columns, BLOCK) with one program per row of x.

    `dtypes` are those of x and out. `results_per_row` is the row length of out, None for `columns`.
    """
    source, target = dtypes.split()

    def make_values(draw: Draw) -> Values:
        out = blank((rows, results_per_row or columns), target)
        return {"x": make(draw, (rows, columns), source), "out": out, "columns": columns}

    return CorpusKernel(
        name=name,
        function=function,
        signature={"x": f"*{source}", "out": f"*{target}", "columns": "i32"},
        grid=(rows,),
        make_values=make_values,
        oracle=lambda x, out, columns: {"out": oracle(widen(x))},
        constants={"BLOCK": block},
        tolerance=tolerance,
    )


def by_tile(
    name: str,
    function: Any,
    dtypes: str,
    oracle: Oracle,
    *,
    shape: tuple[int, int],
    tile: tuple[int, int],
    result_count: int,
    tolerance: Tolerance | None = None,
    **constants: int,
) -> CorpusKernel:
    """An entry for a kernel (x, out, rows, columns, ROWS, COLUMNS, ...) with a program per tile."""
    source, target = dtypes.split()
    rows, columns = shape

    def make_values(draw: Draw) -> Values:
        values = draw_matrix(draw, shape, source)
        return {"x": values, "out": blank(result_count, target), "rows": rows, "columns": columns}

    return CorpusKernel(
        name=name,
        function=function,
        signature={"x": f"*{source}", "out": f"*{target}", "rows": "i32", "columns": "i32"},
        grid=(-(-rows // tile[0]),),
        make_values=make_values,
        oracle=lambda x, **rest: {"out": oracle(widen(x))},
        constants={"ROWS": tile[0], "COLUMNS": tile[1], **constants},
        tolerance=tolerance,
    )


def sum_tiles(tile_rows: int) -> Oracle:
    """Column sums of each run of `tile_rows` rows."""
    return lambda x: torch.stack([part.sum(0) for part in x.split(tile_rows)])


def spread(x: torch.Tensor) -> torch.Tensor:
    return x.amax(1) - x.amin(1)


def spread_tiles(tile_rows: int) -> Oracle:
    """Column spreads of each run of `tile_rows` rows, a short one padded by zeros."""

    def compute(x: torch.Tensor) -> torch.Tensor:
        padded = torch.nn.functional.pad(x, (0, 0, 0, -len(x) % tile_rows))
        return torch.stack([part.amax(0) - part.amin(0) for part in padded.split(tile_rows)])

    return compute


def with_zeros(reduce: Oracle) -> Oracle:
    """`reduce` over rows padded by a zero, as the kernel's masked load gives."""
    return lambda x: reduce(torch.nn.functional.pad(x, (0, 1)))


def xor_oracle(x: torch.Tensor) -> torch.Tensor:
    result = torch.zeros(len(x), dtype=x.dtype)
    for column in x.T:
        result = result ^ column
    return result


def moments(x: torch.Tensor) -> torch.Tensor:
    return torch.stack([x.mean(1), x.std(1, correction=0)], 1)


def softmax(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, 1)


def make_layer_norm(dtype: str, columns: int, block: int) -> CorpusKernel:
    def make_values(draw: Draw) -> Values:
        return {
            "x": draw.normal((3, columns), dtype),
            "weight": draw.normal(columns),
            "bias": draw.normal(columns),
            "out": blank((3, columns), dtype),
            "columns": columns,
            "epsilon": 1e-5,
        }

    def expect(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, **rest: Value) -> Tensors:
        normal = torch.nn.functional.layer_norm(
            x.double(), (columns,), weight.double(), bias.double(), 1e-5
        )
        return {"out": normal}

    signature = {"x": f"*{dtype}", "weight": "*fp32", "bias": "*fp32", "out": f"*{dtype}"}
    signature |= {"columns": "i32", "epsilon": "fp32"}
    name = f"layer_norm_{dtype}_{columns}"
    return CorpusKernel(name, layer_norm, signature, (3,), make_values, expect, {"BLOCK": block})


def make_rms_norm(dtype: str, columns: int, block: int) -> CorpusKernel:
    def make_values(draw: Draw) -> Values:
        return {
            "x": draw.normal((3, columns), dtype),
            "weight": draw.normal(columns, dtype),
            "out": blank((3, columns), dtype),
            "columns": columns,
            "epsilon": 1e-6,
        }

    def expect(x: torch.Tensor, weight: torch.Tensor, **rest: Value) -> Tensors:
        value = x.double()
        size = (value.square().mean(1, keepdim=True) + 1e-6).rsqrt()
        return {"out": value * size * weight.double()}

    signature = {name: f"*{dtype}" for name in ("x", "weight", "out")}
    signature |= {"columns": "i32", "epsilon": "fp32"}
    name = f"rms_norm_{dtype}_{columns}"
    return CorpusKernel(name, rms_norm, signature, (3,), make_values, expect, {"BLOCK": block})


def make_group_norm() -> CorpusKernel:
    images, channels, area, groups = 2, 12, 200, 2

    def make_values(draw: Draw) -> Values:
        return {
            "x": draw.normal((images, channels, area)),
            "weight": draw.normal(channels),
            "bias": draw.normal(channels),
            "out": blank((images, channels, area)),
            "channels": channels,
            "area": area,
            "groups": groups,
            "epsilon": 1e-5,
        }

    def expect(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, **rest: Value) -> Tensors:
        normal = torch.nn.functional.group_norm(
            x.double(), groups, weight.double(), bias.double(), 1e-5
        )
        return {"out": normal}

    signature = {name: "*fp32" for name in ("x", "weight", "bias", "out")}
    signature |= {"channels": "i32", "area": "i32", "groups": "i32", "epsilon": "fp32"}
    constants = {"CHANNELS": 8, "AREA": 256}
    return CorpusKernel(
        "group_norm", group_norm, signature, (images, groups), make_values, expect, constants
    )


def make_cross_entropy(target_type: str) -> CorpusKernel:
    rows, columns = 4, 900

    def make_values(draw: Draw) -> Values:
        return {
            "x": draw.normal((rows, columns)),
            "target": draw.integers(rows, 0, columns, target_type),
            "out": blank(rows),
            "columns": columns,
        }

    def expect(x: torch.Tensor, target: torch.Tensor, **rest: Value) -> Tensors:
        loss = torch.nn.functional.cross_entropy(x.double(), target.long(), reduction="none")
        return {"out": loss}

    signature = {"x": "*fp32", "target": f"*{target_type}", "out": "*fp32", "columns": "i32"}
    name = f"cross_entropy_{target_type}_target"
    constants = {"BLOCK": 1024}
    return CorpusKernel(name, cross_entropy, signature, (rows,), make_values, expect, constants)


def make_matrix_vector(dtype: str, tile: tuple[int, int], columns: int) -> CorpusKernel:
    rows = 2 * tile[0]

    def make_values(draw: Draw) -> Values:
        matrix = draw.normal((rows, columns), dtype)
        return {
            "a": matrix,
            "x": draw.normal(columns, dtype),
            "out": blank(rows),
            "columns": columns,
        }

    def expect(a: torch.Tensor, x: torch.Tensor, **rest: Value) -> Tensors:
        return {"out": a.double() @ x.double()}

    signature = {"a": f"*{dtype}", "x": f"*{dtype}", "out": "*fp32", "columns": "i32"}
    return CorpusKernel(
        f"multiply_by_vector_{dtype}", multiply_by_vector, signature, (2,), make_values, expect,
        {"ROWS": tile[0], "COLUMNS": tile[1]},
        Tolerance(2e-3, 2e-2) if dtype == "fp16" else Tolerance(1e-5, 1e-5),
    )  # fmt: skip


def make_plane_sum() -> CorpusKernel:
    shape = (4, 6, 48)

    def make_values(draw: Draw) -> Values:
        return {"x": draw.normal(shape), "out": blank(shape[2])}

    return CorpusKernel(
        "sum_two_axes", sum_two_axes, {"x": "*fp32", "out": "*fp32"}, (1,), make_values,
        lambda x, out: {"out": x.double().sum((0, 1))},
        dict(zip(("COUNT", "ROWS", "COLUMNS"), shape, strict=True)),
    )  # fmt: skip


SUMS = (
    by_row(
        "sum_rows_in_parts", sum_rows_in_parts, "fp32 fp32", lambda x: x.sum(1), columns=5700,
        results_per_row=1, tolerance=Tolerance(1e-5, 1e-4),
    ),
    by_row(
        "sum_rows_in_parts_fp16", sum_rows_in_parts, "fp16 fp32", lambda x: x.sum(1),
        columns=1500, block=512, results_per_row=1, tolerance=Tolerance(1e-5, 1e-4),
    ),
    by_tile(
        "sum_rows", sum_axis, "fp32 fp32", lambda x: x.sum(1), shape=(37, 100), tile=(16, 128),
        result_count=37, AXIS=1,
    ),
    by_tile(
        "sum_columns", sum_axis, "fp32 fp32", sum_tiles(16), shape=(37, 100), tile=(16, 128),
        result_count=300, AXIS=0,
    ),
    by_tile(
        "sum_rows_fp16", sum_axis, "fp16 fp16", lambda x: x.sum(1), shape=(37, 100),
        tile=(16, 128), result_count=37, AXIS=1, tolerance=Tolerance(5e-3, 5e-2),
    ),
    by_tile(
        "sum_rows_odd", sum_axis, "fp32 fp32", lambda x: x.sum(1), shape=(11, 61), tile=(5, 61),
        result_count=11, AXIS=1,
    ),
    by_tile(
        "sum_columns_odd", sum_axis, "fp32 fp32", sum_tiles(5), shape=(11, 61), tile=(5, 61),
        result_count=183, AXIS=0,
    ),
    by_tile(
        "sum_columns_i32", sum_axis, "i32 i32", sum_tiles(8), shape=(20, 70), tile=(8, 128),
        result_count=210, AXIS=0,
    ),
    by_row(
        "sum_squares_widened_i8", sum_squares_widened, "i8 i32", lambda x: (x * x).sum(1),
        columns=200, block=256, results_per_row=1,
    ),
    by_row(
        "sum_squares_widened_i16", sum_squares_widened, "i16 i32", lambda x: (x * x).sum(1),
        columns=900, results_per_row=1,
    ),
    make_plane_sum(),
    make_matrix_vector("fp32", (16, 256), 1500),
    make_matrix_vector("fp16", (8, 128), 300),
)  # fmt: skip

EXTREMES = (
    by_row(
        "smallest_and_largest", smallest_and_largest, "fp32 fp32",
        with_zeros(lambda x: torch.stack([x.amin(1), x.amax(1)], 1)), columns=700,
        results_per_row=2,
    ),
    by_row(
        "smallest_and_largest_i32", smallest_and_largest, "i32 i32",
        with_zeros(lambda x: torch.stack([x.amin(1), x.amax(1)], 1)), columns=700,
        results_per_row=2,
    ),
    by_row(
        "smallest_and_largest_fp16", smallest_and_largest, "fp16 fp16",
        lambda x: torch.stack([x.amin(1), x.amax(1)], 1), columns=96, block=96, results_per_row=2,
    ),
    by_tile(
        "extreme_rows", extreme_axis, "fp32 fp32", with_zeros(spread), shape=(21, 90),
        tile=(8, 128), result_count=21, AXIS=1,
    ),
    by_tile(
        "extreme_columns", extreme_axis, "fp32 fp32", spread_tiles(8), shape=(21, 90),
        tile=(8, 128), result_count=270, AXIS=0,
    ),
    by_tile(
        "extreme_rows_i32", extreme_axis, "i32 i32", with_zeros(spread), shape=(21, 90),
        tile=(8, 128), result_count=21, AXIS=1,
    ),
    by_row(
        "multiply_all", multiply_all, "fp32 fp32", lambda x: x.prod(1), columns=700,
        results_per_row=1, make=lambda draw, shape, dtype: draw.uniform(shape, 0.97, 1.03),
    ),
    by_row(
        "xor_all", xor_all, "i32 i32", xor_oracle, columns=700, results_per_row=1,
        make=lambda draw, shape, dtype: draw.integers(shape, -(1 << 31), 1 << 31),
    ),
    by_row(
        "largest_index", largest_index, "fp32 i32", lambda x: x.argmax(1), columns=700,
        results_per_row=1,
    ),
    by_row(
        "largest_index_fp16", largest_index, "fp16 i32", lambda x: x.argmax(1), columns=250,
        block=256, results_per_row=1,
        make=lambda draw, shape, dtype: (
            draw.permutation(shape[0] * shape[1]).to(torch.float16).reshape(shape)
        ),
    ),
    by_tile(
        "smallest_index_of_rows", smallest_index_of_rows, "fp32 i32", lambda x: x.argmin(1),
        shape=(7, 100), tile=(8, 128), result_count=7,
    ),
)  # fmt: skip

SOFTMAXES = (
    by_row("softmax_row", softmax_row, "fp32 fp32", softmax, columns=700),
    by_row("softmax_row_narrow", softmax_row, "fp32 fp32", softmax, columns=33, block=64),
    by_row("softmax_row_full", softmax_row, "fp32 fp32", softmax, columns=4096, block=4096),
    by_tile(
        "softmax_rows_fp16", softmax_rows, "fp16 fp16", softmax, shape=(37, 200), tile=(16, 256),
        result_count=7400,
    ),
    by_tile(
        "softmax_rows_fp32", softmax_rows, "fp32 fp32", softmax, shape=(19, 1000),
        tile=(8, 1024), result_count=19000,
    ),
    by_tile(
        "softmax_rows_bf16", softmax_rows, "bf16 bf16", softmax, shape=(19, 77), tile=(4, 80),
        result_count=1463,
    ),
    by_row("softmax_in_parts", softmax_in_parts, "fp32 fp32", softmax, columns=5700),
    by_row(
        "softmax_in_parts_small", softmax_in_parts, "fp32 fp32", softmax, columns=300, block=128
    ),
)  # fmt: skip

NORMS = (
    make_layer_norm("fp16", 700, 1024),
    make_layer_norm("fp32", 384, 512),
    make_layer_norm("bf16", 130, 136),
    make_rms_norm("bf16", 1900, 2048),
    make_rms_norm("fp16", 768, 1024),
    make_group_norm(),
    make_cross_entropy("i64"),
    make_cross_entropy("i32"),
    by_row(
        "mean_and_deviation_fp16", mean_and_deviation, "fp16 fp32", moments, columns=600,
        results_per_row=2,
    ),
    by_row(
        "mean_and_deviation_bf16", mean_and_deviation, "bf16 fp32", moments, columns=50, block=64,
        results_per_row=2,
    ),
)  # fmt: skip

KERNELS: tuple[CorpusKernel, ...] = (*SUMS, *EXTREMES, *SOFTMAXES, *NORMS)
