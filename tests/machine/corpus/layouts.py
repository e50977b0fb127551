"""One tile of a product: every layout of both operands, types in and out, sizes off the tiles."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.machine.corpus.entry import EXACT, CorpusKernel
from tests.machine.corpus.fixed import Source, fixed, normal, out, whole
from tests.machine.corpus.matmul import TOLERANCES, Expected, Sizes


@triton.jit
def multiply_tile(
    a, b, c, rows, columns, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
    FLIP_A: tl.constexpr, FLIP_B: tl.constexpr, SUM: tl.constexpr,
):  # fmt: skip
    row, column, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    if FLIP_A:
        inside = (depth[:, None] < inner) & (row[None, :] < rows)
        left = tl.trans(tl.load(a + depth[:, None] * rows + row[None, :], mask=inside, other=0))
    else:
        inside = (row[:, None] < rows) & (depth[None, :] < inner)
        left = tl.load(a + row[:, None] * inner + depth[None, :], mask=inside, other=0)
    if FLIP_B:
        inside = (column[:, None] < columns) & (depth[None, :] < inner)
        at = column[:, None] * inner + depth[None, :]
        right = tl.trans(tl.load(b + at, mask=inside, other=0))
    else:
        inside = (depth[:, None] < inner) & (column[None, :] < columns)
        right = tl.load(b + depth[:, None] * columns + column[None, :], mask=inside, other=0)
    result = tl.dot(left, right, input_precision="ieee", out_dtype=SUM).to(c.dtype.element_ty)
    written = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] * columns + column[None, :], result, mask=written)


@triton.jit
def multiply_by_strides(
    a, b, c, rows, columns, inner, step_a, step_b, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    """Both operands are read along their first axis; the result is written by columns."""
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        depth = start + tl.arange(0, K)
        left_inside = (row[:, None] < rows) & (depth[None, :] < inner)
        right_inside = (depth[:, None] < inner) & (column[None, :] < columns)
        left = tl.load(a + row[:, None] + depth[None, :] * step_a, mask=left_inside, other=0.0)
        right = tl.load(b + depth[:, None] + column[None, :] * step_b, mask=right_inside, other=0.0)
        total = tl.dot(left, right, total)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] + column[None, :] * rows, total, mask=inside)


@triton.jit
def multiply_block_pointers(
    a, b, c, rows, columns, inner,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, FLIP_B: tl.constexpr,
):  # fmt: skip
    first_row, first_column = tl.program_id(0) * M, tl.program_id(1) * N
    left = tl.make_block_ptr(a, (rows, inner), (inner, 1), (first_row, 0), (M, K), (1, 0))
    if FLIP_B:
        right = tl.make_block_ptr(
            b, (inner, columns), (1, inner), (0, first_column), (K, N), (0, 1)
        )
    else:
        right = tl.make_block_ptr(
            b, (inner, columns), (columns, 1), (0, first_column), (K, N), (1, 0)
        )
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, inner, K):
        x = tl.load(left, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(right, boundary_check=(0, 1), padding_option="zero")
        total = tl.dot(x, y, total)
        left = tl.advance(left, (0, K))
        right = tl.advance(right, (K, 0))
    target = tl.make_block_ptr(
        c, (rows, columns), (columns, 1), (first_row, first_column), (M, N), (1, 0)
    )
    tl.store(target, total.to(c.dtype.element_ty), boundary_check=(0, 1))


def operand(rows: int, columns: int, dtype: str) -> Source:
    shape = (rows, columns)
    return whole(shape, -90, 90, dtype) if dtype == "i8" else normal(shape, dtype)


def flipped(values: torch.Tensor, flip: bool) -> torch.Tensor:
    return values.double().T if flip else values.double()


def make_tile(dtypes: str, sizes: Sizes, layout: str, padded: bool = True) -> CorpusKernel:
    """`layout` has an N or a T (stored transposed) for each operand."""
    source, target = dtypes.split()
    rows, columns, inner = sizes
    flips = [letter == "T" for letter in layout]

    def oracle(a: torch.Tensor, b: torch.Tensor, **rest: object) -> Expected:
        return {"c": flipped(a, flips[0]) @ flipped(b, flips[1])}

    numbers = {"rows": rows, "columns": columns, "inner": inner}
    tile = [1 << (size - 1).bit_length() if padded else size for size in sizes]
    return fixed(
        f"tile_{source}_{target}_{layout}_{rows}_{columns}_{inner}", multiply_tile,
        {"a": f"*{source}", "b": f"*{source}", "c": f"*{target}"} | dict.fromkeys(numbers, "i32"),
        {
            "a": operand(inner, rows, source) if flips[0] else operand(rows, inner, source),
            "b": operand(columns, inner, source) if flips[1] else operand(inner, columns, source),
            "c": out((rows, columns), target), **numbers,
        },
        oracle, tolerance=TOLERANCES.get(target, EXACT), M=tile[0], N=tile[1], K=tile[2],
        FLIP_A=flips[0], FLIP_B=flips[1], SUM=tl.int32 if source == "i8" else tl.float32,
    )  # fmt: skip


def make_strides() -> CorpusKernel:
    rows, columns, inner = 45, 70, 50
    numbers = {
        "rows": rows, "columns": columns, "inner": inner, "step_a": rows, "step_b": inner,
    }  # fmt: skip
    return fixed(
        "multiply_by_strides", multiply_by_strides,
        {"a": "*fp16", "b": "*fp16", "c": "*fp32"} | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((inner, rows), "fp16"), "b": normal((columns, inner), "fp16"),
            "c": out((columns, rows)), **numbers,
        },
        lambda a, b, **rest: {"c": (a.double().T @ b.double().T).T}, grid=(2, 3),
        tolerance=TOLERANCES["fp32"], M=32, N=32, K=32,
    )  # fmt: skip


def make_blocks(name: str, dtype: str, flip: bool, rows: int = 45, inner: int = 70) -> CorpusKernel:
    columns = 50
    numbers = {"rows": rows, "columns": columns, "inner": inner}
    return fixed(
        name, multiply_block_pointers,
        {"a": f"*{dtype}", "b": f"*{dtype}", "c": "*fp32"} | dict.fromkeys(numbers, "i32"),
        {
            "a": normal((rows, inner), dtype),
            "b": normal((columns, inner) if flip else (inner, columns), dtype),
            "c": out((rows, columns)), **numbers,
        },
        lambda a, b, **rest: {"c": a.double() @ flipped(b, flip)}, grid=(2, 2),
        tolerance=TOLERANCES["fp32"], M=32, N=32, K=32, FLIP_B=flip,
    )  # fmt: skip


KERNELS: tuple[CorpusKernel, ...] = (
    make_tile("fp16 fp32", (17, 33, 40), "TN"),
    make_tile("bf16 fp32", (1, 15, 17), "TT"),
    make_tile("fp32 fp32", (17, 33, 40), "NT"),
    make_tile("fp32 fp32", (1, 15, 17), "TT"),
    make_tile("fp32 fp32", (48, 80, 24), "TN", padded=False),
    make_tile("i8 i32", (17, 33, 40), "TT"),
    make_tile("i8 i32", (1, 15, 17), "NN"),
    make_tile("i8 i32", (48, 80, 24), "NT", padded=False),
    make_tile("fp16 bf16", (30, 70, 50), "NT"),
    make_tile("fp32 fp16", (30, 70, 50), "NN"),
    make_tile("i8 i64", (16, 32, 32), "NN"),
    make_strides(),
    make_blocks("multiply_block_pointers", "fp16", flip=False),
    make_blocks("multiply_block_pointers_flipped", "fp32", flip=True),
)
