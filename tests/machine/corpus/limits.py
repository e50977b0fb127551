"""What must not pass: kernels that the tool chain refuses, and launches that the machine stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
import triton
import triton.language as tl
import triton.language.extra.ascend.libdevice as libdevice

from tests.machine.corpus import elementwise, matmul, reductions, scans_and_sorts
from tests.machine.corpus.entry import CorpusKernel, Probe
from tests.machine.corpus.fixed import fixed, normal, out


@triton.jit
def combine_softmax(largest_a, total_a, largest_b, total_b):
    largest = tl.maximum(largest_a, largest_b)
    return largest, total_a * tl.exp(largest_a - largest) + total_b * tl.exp(largest_b - largest)


@triton.jit
def reduce_pairs(x, out, BLOCK: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    ones = tl.full((BLOCK,), 1.0, tl.float32)
    largest, total = tl.reduce((value, ones), 0, combine_softmax)
    tl.store(out, largest)
    tl.store(out + 1, total)


@triton.jit
def sort_columns(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + offsets, tl.sort(tl.load(x + offsets), 0))


@triton.jit
def floating_remainder(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, libdevice.fmod(tl.load(x + offsets), tl.load(y + offsets)))


@triton.jit
def arc_tangent_of_ratio(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, libdevice.atan2(tl.load(x + offsets), tl.load(y + offsets)))


@triton.jit
def divide_towards_zero(x, y, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, libdevice.div_rz(tl.load(x + offsets), tl.load(y + offsets)))


@triton.jit
def store_without_mask(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x) + tl.zeros((BLOCK,), tl.float32))


@triton.jit
def load_far_away(x, out, distance, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + distance + offsets))


@triton.jit
def never_end(x, out):
    value = tl.load(x)
    while value > 0.0:
        value = value + 1.0
        tl.store(out, value)


def types(*dtypes: str, **numbers: str) -> dict[str, str]:
    """x [, y], out with these dtypes, then numbers."""
    names = ("x", "out") if len(dtypes) == 2 else ("x", "y", "out")
    return {name: f"*{dtype}" for name, dtype in zip(names, dtypes, strict=True)} | numbers


def once_types(source: str, target: str) -> dict[str, str]:
    return {"a": f"*{source}", "b": f"*{source}", "c": f"*{target}"}


def product_types(source: str, target: str, *numbers: str) -> dict[str, str]:
    return once_types(source, target) | dict.fromkeys(
        numbers or ("rows", "columns", "inner"), "i32"
    )


def tile(rows: int, columns: int, inner: int, **more: Any) -> dict[str, Any]:
    return {"M": rows, "N": columns, "K": inner, **more}


COUNT = {"count": "i32"}
BIAS = {"a": "*fp16", "b": "*fp16", "bias": "*fp32", "c": "*fp16"}
BIAS |= dict.fromkeys(("rows", "columns", "inner"), "i32")
UNMASKED = product_types("fp16", "fp32", "columns", "inner")

PROBES: tuple[Probe, ...] = (
    Probe(
        "ub_block_65536", elementwise.exponential, types("fp32", "fp32", **COUNT),
        "compile.ub_overflow", {"BLOCK": 65536},
    ),
    Probe(
        "ub_block_65536_to_bf16", elementwise.exponential, types("fp32", "bf16", **COUNT),
        "compile.ub_overflow", {"BLOCK": 65536},
    ),
    Probe(
        "ub_softmax_64x1024", reductions.softmax_rows,
        types("fp32", "fp32", rows="i32", columns="i32"), "compile.ub_overflow",
        {"ROWS": 64, "COLUMNS": 1024},
    ),
    Probe(
        "ub_gelu_tile_128x256", matmul.multiply_add_bias, BIAS, "compile.ub_overflow",
        tile(128, 256, 64, GELU=True),
    ),
    Probe(
        "ub_gelu_tile_256x128", matmul.multiply_add_bias, BIAS, "compile.ub_overflow",
        tile(256, 128, 64, GELU=True),
    ),
    Probe(
        "l0c_tile_256x256", matmul.multiply, product_types("fp16", "fp32"),
        "compile.l0c_overflow", tile(256, 256, 64),
    ),
    Probe(
        "l1_depth_2048", matmul.multiply_unmasked, UNMASKED, "compile.l1_overflow",
        tile(128, 128, 2048),
    ),
    Probe(
        "l1_rows_512", matmul.multiply_unmasked, UNMASKED, "compile.l1_overflow",
        tile(512, 16, 512),
    ),
    Probe(
        "block_of_two_million", elementwise.count_up, {"out": "*i32", **COUNT},
        "compile.tensor_too_large", {"BLOCK": 1 << 21},
    ),
    Probe(
        "multiply_matrices_fp64", matmul.multiply, product_types("fp64", "fp64"),
        "compile.unsupported_dtype", tile(16, 16, 16),
    ),
    Probe(
        "exponential_fp64", elementwise.exponential, types("fp64", "fp64", **COUNT),
        "compile.unsupported_dtype", {"BLOCK": 256},
    ),
    *(
        Probe(
            f"multiply_{dtype}", elementwise.multiply, types(dtype, dtype, dtype, **COUNT),
            "compile.unsupported_dtype", {"BLOCK": 256},
        )
        for dtype in ("fp64", "fp8e5", "fp8e4nv")
    ),
    Probe(
        "cast_fp32_to_fp8", elementwise.exponential, types("fp32", "fp8e4nv", **COUNT),
        "compile.unsupported_dtype", {"BLOCK": 256},
    ),
    Probe(
        "cast_fp32_to_fp64", elementwise.exponential, types("fp32", "fp64", **COUNT),
        "compile.unsupported_dtype", {"BLOCK": 256},
    ),
    Probe(
        "multiply_matrices_fp8", matmul.multiply_once, once_types("fp8e5", "fp32"),
        "compile.unsupported_dtype", tile(32, 32, 32, PRECISION="hf32"),
    ),
    Probe(
        "multiply_matrices_tf32", matmul.multiply_once, once_types("fp32", "fp32"),
        "compile.unsupported_op", tile(32, 32, 32, PRECISION="tf32"),
    ),
    Probe(
        "sort_i32", scans_and_sorts.sort_rows, types("i32", "i32"), "compile.unsupported_dtype",
        {"ROWS": 8, "COLUMNS": 64, "DESCENDING": False},
    ),
    Probe(
        "sort_columns", sort_columns, types("fp32", "fp32"), "compile.unsupported_op",
        {"ROWS": 8, "COLUMNS": 64},
    ),
    Probe(
        "reduce_pairs", reduce_pairs, types("fp32", "fp32"), "compile.unsupported_op",
        {"BLOCK": 64},
    ),
    *(
        Probe(
            kernel.fn.__name__, kernel, types("fp32", "fp32", "fp32"), "compile.unsupported_op",
            {"BLOCK": 64},
        )
        for kernel in (floating_remainder, arc_tangent_of_ratio, divide_towards_zero)
    ),
)  # fmt: skip


@dataclass(frozen=True)
class FaultyLaunch:
    """A launch that must end with the fault `code`; the entry's oracle is not asked."""

    entry: CorpusKernel
    code: str
    step_limit: int = 1 << 40

    def __str__(self) -> str:
        return self.entry.name


def ignore(**values: Any) -> Mapping[str, torch.Tensor]:
    return {}


PAIR = types("fp32", "fp32")

FAULTY_LAUNCHES: tuple[FaultyLaunch, ...] = (
    FaultyLaunch(
        fixed(
            "write_behind_the_end", store_without_mask, PAIR,
            {"x": normal(8), "out": out(100, spare=0)}, ignore, grid=(2,), BLOCK=64,
        ),
        "machine.out_of_bounds_write",
    ),
    FaultyLaunch(
        fixed(
            "read_far_away", load_far_away, {**PAIR, "distance": "i32"},
            {"x": normal(64), "out": out(64), "distance": 1 << 24}, ignore, BLOCK=64,
        ),
        "machine.out_of_bounds_read",
    ),
    FaultyLaunch(
        fixed(
            "read_behind_the_end", load_far_away, {**PAIR, "distance": "i32"},
            {"x": normal(64), "out": out(64), "distance": 8}, ignore, BLOCK=64,
        ),
        "machine.uninitialised_read",
    ),
    FaultyLaunch(
        fixed("never_end", never_end, PAIR, {"x": lambda draw: draw.uniform(8, 1, 2),
              "out": out(8)}, ignore),
        "machine.step_limit",
        step_limit=10_000,
    ),
    FaultyLaunch(
        fixed(
            "too_many_programs", elementwise.exponential, {**PAIR, "count": "i32"},
            {"x": normal(64), "out": out(64), "count": 64}, ignore, grid=(65536,), BLOCK=16,
        ),
        "machine.launch_limit",
    ),
    FaultyLaunch(
        fixed(
            "too_many_rows_for_l0", matmul.multiply_unmasked,
            product_types("fp32", "fp32", "columns", "inner"),
            {"a": normal((2048, 16)), "b": normal((16, 16)), "c": out((2048, 16)), "columns": 16,
             "inner": 16}, ignore, M=2048, N=16, K=16,
        ),
        "machine.l0_trap",
    ),
)  # fmt: skip
