"""Products as models use them: grouped and routed, packed weights, gates, adapters, convolutions,
states that are carried along.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import CorpusKernel, Tolerance, Value
from tests.machine.corpus.fixed import fixed, normal, out, uniform, whole
from tests.machine.corpus.matmul import TOLERANCES, Expected, product


@triton.jit
def multiply_groups(
    a, b, c, bounds, groups, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    """Rows [bounds[g], bounds[g + 1]) of a times matrix g of b."""
    column = tl.program_id(0) * N + tl.arange(0, N)
    for group in range(0, groups):
        end = tl.load(bounds + group + 1)
        for first in range(tl.load(bounds + group), end, M):
            row = first + tl.arange(0, M)
            total = tl.zeros((M, N), tl.float32)
            for start in range(0, inner, K):
                depth = start + tl.arange(0, K)
                left_inside = (row[:, None] < end) & (depth[None, :] < inner)
                right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
                left_at = a + row[:, None] * inner + depth[None, :]
                right_at = b + (group * inner + depth)[:, None] * columns + column[None, :]
                left = tl.load(left_at, mask=left_inside, other=0.0)
                right = tl.load(right_at, mask=right_inside, other=0.0)
                total = tl.dot(left, right, total)
            written = (row[:, None] < end) & (column[None, :] < columns)
            target = c + row[:, None] * columns + column[None, :]
            tl.store(target, total.to(tl.float16), mask=written)


@triton.jit
def multiply_routed(
    a, b, c, tokens, experts, columns, inner, count,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    """Each tile of rows is a list of tokens for one expert; `count` stands for no token."""
    token = tl.load(tokens + tl.program_id(0) * M + tl.arange(0, M))
    expert = tl.load(experts + tl.program_id(0))
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (token[:, None] < count) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + token[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right_at = b + (expert * inner + depth)[:, None] * columns + column[None, :]
        total = tl.dot(left, tl.load(right_at, mask=right_inside, other=0.0), total)
    written = (token[:, None] < count) & (column[None, :] < columns)
    tl.store(c + token[:, None] * columns + column[None, :], total.to(tl.float16), mask=written)


@triton.jit
def multiply_slices(
    a, b, c, rows, columns, inner,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SLICES: tl.constexpr,
):  # fmt: skip
    """Every SLICES-th step along k; another kernel adds the parts."""
    part = tl.program_id(2)
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(part * K, inner, K * SLICES):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right_at = b + depth[:, None] * columns + column[None, :]
        total = tl.dot(left, tl.load(right_at, mask=right_inside, other=0.0), total)
    target = c + (part * rows + row)[:, None] * columns + column[None, :]
    tl.store(target, total)


@triton.jit
def multiply_packed(
    a, b, scale, zero, c, rows, columns, inner,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    """Eight weights of four bits in one int32, along k."""
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    factor = tl.load(scale + column, mask=column < columns, other=1.0)
    shift = tl.load(zero + column, mask=column < columns, other=0.0)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        packed_at = b + (depth // 8)[:, None] * columns + column[None, :]
        packed = tl.load(packed_at, mask=right_inside, other=0)
        weight = ((packed >> ((depth % 8) * 4)[:, None]) & 15).to(tl.float32)
        total = tl.dot(left, ((weight - shift[None, :]) * factor[None, :]).to(tl.float16), total)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] * columns + column[None, :], total.to(tl.float16), mask=inside)


@triton.jit
def multiply_scaled_integers(
    a, b, row_scale, column_scale, c, rows, columns, inner,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.int32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0)
        right = tl.load(b + depth[:, None] * columns + column[None, :], mask=right_inside, other=0)
        total = tl.dot(left, right, total, out_dtype=tl.int32)
    by_row = tl.load(row_scale + row, mask=row < rows, other=0.0)
    by_column = tl.load(column_scale + column, mask=column < columns, other=0.0)
    value = total.to(tl.float32) * by_row[:, None] * by_column[None, :]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] * columns + column[None, :], value.to(tl.float16), mask=inside)


@triton.jit
def multiply_gated(
    x, gate, up, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    gates = tl.zeros((M, N), tl.float32)
    values = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(x + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        at = depth[:, None] * columns + column[None, :]
        gates = tl.dot(left, tl.load(gate + at, mask=right_inside, other=0.0), gates)
        values = tl.dot(left, tl.load(up + at, mask=right_inside, other=0.0), values)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    result = gates * tl.sigmoid(gates) * values
    target = c + row[:, None] * columns + column[None, :]
    tl.store(target, result.to(tl.float16), mask=inside)


@triton.jit
def multiply_adapted(
    x, weight, down, up, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, R: tl.constexpr
):
    row, column = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    depth, rank = tl.arange(0, K), tl.arange(0, R)
    values = tl.load(x + row * K + depth[None, :])
    result = tl.dot(values, tl.load(weight + depth[:, None] * N + column))
    narrow = tl.dot(values, tl.load(down + depth[:, None] * R + rank[None, :])).to(tl.float16)
    result += 0.5 * tl.dot(narrow, tl.load(up + rank[:, None] * N + column))
    tl.store(c + row * N + column, result.to(tl.float16))


@triton.jit
def multiply_and_normalise(
    a, b, scale, shift, c, rows, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=left_inside, other=0.0)
        right_at = b + depth[:, None] * N + column[None, :]
        total = tl.dot(left, tl.load(right_at, mask=depth[:, None] < inner, other=0.0), total)
    centred = total - (tl.sum(total, 1) / N)[:, None]
    deviation = tl.sqrt(tl.sum(centred * centred, 1) / N + 1e-5)
    result = centred / deviation[:, None] * tl.load(scale + column) + tl.load(shift + column)
    tl.store(c + row[:, None] * N + column[None, :], result, mask=row[:, None] < rows)


@triton.jit
def convolve_places(
    x, weight, out, height, width, channels, features, out_height, out_width,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
    STRIDE: tl.constexpr, DILATION: tl.constexpr, PADDING: tl.constexpr,
):  # fmt: skip
    """3x3, the places of the result in one row of rows."""
    place = tl.program_id(0) * M + tl.arange(0, M)
    feature = tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for down in range(3):
        for right in range(3):
            y = place // out_width * STRIDE + down * DILATION - PADDING
            z = place % out_width * STRIDE + right * DILATION - PADDING
            inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
            inside = inside & (place < out_height * out_width)
            for start in range(0, channels, K):
                depth = start + tl.arange(0, K)
                pixels = tl.load(
                    x + (y * width + z)[:, None] * channels + depth[None, :],
                    mask=inside[:, None] & (depth[None, :] < channels),
                    other=0.0,
                )
                filters = tl.load(
                    weight
                    + ((down * 3 + right) * channels + depth)[:, None] * features
                    + feature[None, :],
                    mask=(depth[:, None] < channels) & (feature[None, :] < features),
                    other=0.0,
                )
                total = tl.dot(pixels, filters, total)
    written = (place[:, None] < out_height * out_width) & (feature[None, :] < features)
    tl.store(out + place[:, None] * features + feature[None, :], total, mask=written)


@triton.jit
def decay_chunks(x, b, c, step, out, length, T: tl.constexpr, D: tl.constexpr, S: tl.constexpr):
    """Within chunks of T: out[i] = sum over j <= i of exp(steps of (j, i]) (c[i] . b[j]) x[j]."""
    place, depth, state = tl.arange(0, T), tl.arange(0, D), tl.arange(0, S)
    for start in range(0, length, T):
        row = start + place
        inside = row < length
        grown = tl.cumsum(tl.load(step + row, mask=inside, other=0.0), 0)
        at = row[:, None] * S + state[None, :]
        reads = tl.load(c + at, mask=inside[:, None], other=0.0)
        writes = tl.load(b + at, mask=inside[:, None], other=0.0)
        values = tl.load(x + row[:, None] * D + depth[None, :], mask=inside[:, None], other=0.0)
        fading = tl.exp(grown[:, None] - grown[None, :])
        fading = tl.where(place[:, None] >= place[None, :], fading, 0.0)
        weight = (tl.dot(reads, tl.trans(writes)) * fading).to(tl.float16)
        target = out + row[:, None] * D + depth[None, :]
        tl.store(target, tl.dot(weight, values), mask=inside[:, None])


def unpack(packed: torch.Tensor) -> torch.Tensor:
    nibbles = torch.stack([packed.long() >> 4 * place & 15 for place in range(8)], 1)
    return nibbles.reshape(-1, packed.shape[1])


def expect_packed(
    a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor, zero: torch.Tensor, **rest: Value
) -> Expected:
    return {"c": product(a, ((unpack(b) - zero) * scale).half())}


def expect_routed(
    a: torch.Tensor,
    b: torch.Tensor,
    tokens: torch.Tensor,
    experts: torch.Tensor,
    count: int,
    **rest: Value,
) -> Expected:
    result = torch.zeros(count, b.shape[2], dtype=torch.float64)
    for tile, expert in zip(tokens.split(8), experts.tolist(), strict=True):
        chosen = tile[tile < count].long()
        result[chosen] = product(a[chosen], b[expert])
    return {"c": result}


def expect_slices(a: torch.Tensor, b: torch.Tensor, **rest: Value) -> Expected:
    part = torch.arange(a.shape[1]) // 32 % 3
    return {"c": torch.stack([product(a[:, part == i], b[part == i]) for i in range(3)])}


def expect_decay(
    x: torch.Tensor, b: torch.Tensor, c: torch.Tensor, step: torch.Tensor, **rest: Value
) -> Expected:
    parts = []
    for chunk in torch.arange(len(x)).split(32):
        grown = step[chunk].double().cumsum(0)
        fading = torch.exp(grown[:, None] - grown).tril()
        parts.append(product(c[chunk], b[chunk].T) * fading @ x[chunk].double())
    return {"out": torch.cat(parts)}


def make_groups() -> CorpusKernel:
    bounds = torch.tensor([0, 20, 20, 75], dtype=torch.int32)
    numbers = {"groups": 3, "columns": 50, "inner": 40}
    return fixed(
        "multiply_groups", multiply_groups,
        {"a": "*fp16", "b": "*fp16", "c": "*fp16", "bounds": "*i32"}
        | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((75, 40), "fp16"), "b": normal((3, 40, 50), "fp16"),
            "c": out((75, 50), "fp16"), "bounds": bounds, **numbers,
        },
        lambda a, b, **rest: {
            "c": torch.cat([product(part, b[i]) for i, part in enumerate(a.split([20, 0, 55]))])
        },
        grid=(2,), tolerance=TOLERANCES["fp16"], M=32, N=32, K=32,
    )  # fmt: skip


def make_routed() -> CorpusKernel:
    none = 9
    tokens = [0, 3, 5, *[none] * 5, 1, 2, 4, 6, 7, 8, none, none]
    numbers = {"columns": 40, "inner": 32, "count": none}
    return fixed(
        "multiply_routed", multiply_routed,
        {"a": "*fp16", "b": "*fp16", "c": "*fp16", "tokens": "*i32", "experts": "*i32"}
        | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((none, 32), "fp16"), "b": normal((2, 32, 40), "fp16"),
            "c": out((none, 40), "fp16"), "tokens": torch.tensor(tokens, dtype=torch.int32),
            "experts": torch.tensor([1, 0], dtype=torch.int32), **numbers,
        },
        expect_routed, grid=(2, 1), tolerance=TOLERANCES["fp16"], M=8, N=64, K=32,
    )  # fmt: skip


def make_slices() -> CorpusKernel:
    numbers = {"rows": 64, "columns": 32, "inner": 250}
    return fixed(
        "multiply_slices", multiply_slices,
        {"a": "*fp16", "b": "*fp16", "c": "*fp32"} | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((64, 250), "fp16"), "b": normal((250, 32), "fp16"),
            "c": out((3, 64, 32)), **numbers,
        },
        expect_slices, grid=(2, 1, 3), tolerance=TOLERANCES["fp32"], M=32, N=32, K=32, SLICES=3,
    )  # fmt: skip


def make_packed() -> CorpusKernel:
    numbers = {"rows": 40, "columns": 48, "inner": 64}
    return fixed(
        "multiply_packed", multiply_packed,
        {"a": "*fp16", "b": "*i32", "scale": "*fp32", "zero": "*fp32", "c": "*fp16"}
        | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((40, 64), "fp16"), "b": whole((8, 48), -(1 << 31), (1 << 31) - 1),
            "scale": uniform(48, 0.01, 0.1), "zero": uniform(48, 4, 9),
            "c": out((40, 48), "fp16"), **numbers,
        },
        expect_packed, grid=(2, 1), tolerance=Tolerance(3e-3, 2e-2), M=32, N=64, K=32,
    )  # fmt: skip


def make_scaled_integers() -> CorpusKernel:
    numbers = {"rows": 45, "columns": 50, "inner": 70}
    return fixed(
        "multiply_scaled_integers", multiply_scaled_integers,
        {"a": "*i8", "b": "*i8", "row_scale": "*fp32", "column_scale": "*fp32", "c": "*fp16"}
        | dict.fromkeys(numbers, "i32"),
        {
            "a": whole((45, 70), -100, 100, "i8"), "b": whole((70, 50), -100, 100, "i8"),
            "row_scale": uniform(45, 0.001, 0.01), "column_scale": uniform(50, 0.001, 0.01),
            "c": out((45, 50), "fp16"), **numbers,
        },
        lambda a, b, row_scale, column_scale, **rest: {
            "c": product(a, b) * row_scale.double()[:, None] * column_scale.double()
        },
        grid=(2, 1), tolerance=TOLERANCES["fp16"], M=32, N=64, K=32,
    )  # fmt: skip


def make_gated() -> CorpusKernel:
    numbers = {"rows": 50, "columns": 70, "inner": 90}
    return fixed(
        "multiply_gated", multiply_gated,
        {"x": "*fp16", "gate": "*fp16", "up": "*fp16", "c": "*fp16"}
        | dict.fromkeys(numbers, "i32"),
        {
            "x": normal((50, 90), "fp16"), "gate": normal((90, 70), "fp16", 0.2),
            "up": normal((90, 70), "fp16", 0.2), "c": out((50, 70), "fp16"), **numbers,
        },
        lambda x, gate, up, **rest: {
            "c": torch.nn.functional.silu(product(x, gate)) * product(x, up)
        },
        grid=(1, 2), tolerance=Tolerance(3e-3, 2e-2), M=64, N=64, K=32,
    )  # fmt: skip


def make_adapted() -> CorpusKernel:
    rows, columns, inner, rank = 32, 48, 64, 16

    def oracle(
        x: torch.Tensor, weight: torch.Tensor, down: torch.Tensor, up: torch.Tensor, c: torch.Tensor
    ) -> Expected:
        return {"c": product(x, weight) + 0.5 * product(product(x, down).half(), up)}

    return fixed(
        "multiply_adapted", multiply_adapted,
        dict.fromkeys(("x", "weight", "down", "up", "c"), "*fp16"),
        {
            "x": normal((rows, inner), "fp16"), "weight": normal((inner, columns), "fp16"),
            "down": normal((inner, rank), "fp16"), "up": normal((rank, columns), "fp16", 0.2),
            "c": out((rows, columns), "fp16"),
        },
        oracle, tolerance=Tolerance(4e-3, 4e-2), M=rows, N=columns, K=inner, R=rank,
    )  # fmt: skip


def make_normalised() -> CorpusKernel:
    numbers = {"rows": 45, "inner": 70}
    return fixed(
        "multiply_and_normalise", multiply_and_normalise,
        {"a": "*fp16", "b": "*fp16", "scale": "*fp32", "shift": "*fp32", "c": "*fp32"}
        | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((45, 70), "fp16"), "b": normal((70, 64), "fp16"), "scale": normal(64),
            "shift": normal(64), "c": out((45, 64)), **numbers,
        },
        lambda a, b, scale, shift, **rest: {
            "c": torch.nn.functional.layer_norm(
                product(a, b), (64,), scale.double(), shift.double()
            )
        },
        grid=(2,), tolerance=Tolerance(1e-4, 1e-4), M=32, N=64, K=32,
    )  # fmt: skip


def make_convolution(stride: int, dilation: int, padding: int) -> CorpusKernel:
    height, width, channels, features = 11, 13, 20, 24

    def extent(size: int) -> int:
        return (size + 2 * padding - 2 * dilation - 1) // stride + 1

    def oracle(x: torch.Tensor, weight: torch.Tensor, **rest: Value) -> Expected:
        image = x.double().permute(2, 0, 1)[None]
        filters = weight.double().permute(3, 2, 0, 1)
        result = torch.nn.functional.conv2d(
            image, filters, stride=stride, dilation=dilation, padding=padding
        )
        return {"out": result[0].permute(1, 2, 0)}

    numbers = {
        "height": height, "width": width, "channels": channels, "features": features,
        "out_height": extent(height), "out_width": extent(width),
    }  # fmt: skip
    shape = (extent(height), extent(width), features)
    return fixed(
        f"convolve_places_{stride}_{dilation}_{padding}", convolve_places,
        {"x": "*fp16", "weight": "*fp16", "out": "*fp32"} | dict.fromkeys(numbers, "i32"),
        {
            "x": normal((height, width, channels), "fp16"),
            "weight": normal((3, 3, channels, features), "fp16", 0.3), "out": out(shape), **numbers,
        },
        oracle, grid=(-(-shape[0] * shape[1] // 32),), tolerance=TOLERANCES["fp32"],
        M=32, N=32, K=16, STRIDE=stride, DILATION=dilation, PADDING=padding,
    )  # fmt: skip


def make_decay() -> CorpusKernel:
    length, depth, state = 50, 32, 16
    return fixed(
        "decay_chunks", decay_chunks,
        {"x": "*fp16", "b": "*fp16", "c": "*fp16", "step": "*fp32", "out": "*fp32", "length": "i32"},
        {
            "x": normal((length, depth), "fp16"), "b": normal((length, state), "fp16"),
            "c": normal((length, state), "fp16"), "step": uniform(length, -0.3, 0.0),
            "out": out((length, depth)), "length": length,
        },
        expect_decay, tolerance=Tolerance(5e-3, 3e-2), T=32, D=depth, S=state,
    )  # fmt: skip


KERNELS: tuple[CorpusKernel, ...] = (
    make_groups(),
    make_routed(),
    make_slices(),
    make_packed(),
    make_scaled_integers(),
    make_gated(),
    make_adapted(),
    make_normalised(),
    make_convolution(2, 1, 1),
    make_convolution(1, 2, 2),
    make_decay(),
)
