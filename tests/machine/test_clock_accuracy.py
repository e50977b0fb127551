"""The class of an estimate: what kind of kernel it is says how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from npu_autokernel.machine.calibration.cases import load_cases, read_case
from npu_autokernel.machine.calibration.run import compare_case, time_case
from npu_autokernel.machine.timing import EXPECTED_ERRORS, Timing

ADD = {"dtype": "float32", "elements": 1 << 25, "cores": 48, "tile": 8192}
COPY = {
    "rows": 12288, "row_bytes": 8192, "row_stride": 8192, "tile_rows": 32, "tile_bytes": 2048,
    "cores": 48, "path": "ub",
}  # fmt: skip
ROWS = {"rows": 1 << 15, "columns": 1024, "dtype": "float32", "cores": 48}
MATMUL = {"m": 4096, "k": 4096, "n": 4096, "dtype": "float16"}
ATTENTION = {"rows": 4096, "keys": 4096, "head": 128}


def run(kind: str, params: Mapping[str, Any]) -> Timing:
    return time_case(read_case({"id": "x", "kind": kind, "chip": "910B1", "params": params}, "x"))


@pytest.mark.parametrize(
    ("kind", "params", "expected"),
    [
        ("add", ADD, "wide"),
        ("add", {**ADD, "dtype": "int8", "elements": 1 << 27}, "wide"),
        ("add", {**ADD, "buffers": 1, "conflict": "both"}, "wide"),
        ("add", {**ADD, "bypass_l2": True}, "wide"),
        ("add", {**ADD, "imbalance": 3.0}, "wide"),
        ("add", {**ADD, "tile": 128}, "wide"),
        ("add", {**ADD, "tile": 64}, "narrow"),
        ("add", {**ADD, "elements": 1 << 20}, "tiny"),
        ("add", {**ADD, "elements": 1 << 22, "scalar": True}, "mixed"),
        ("add", {**ADD, "tile": 256, "offset_bytes": 34}, "mixed"),
        ("copy", COPY, "wide"),
        ("copy", {**COPY, "path": "nd2nz", "cores": 24}, "wide"),
        ("copy", {**COPY, "path": "store"}, "wide"),
        ("copy", {**COPY, "row_stride": 8194}, "mixed"),
        ("copy", {**COPY, "row_stride": 8320}, "wide"),
        ("copy", {**COPY, "tile_bytes": 128}, "narrow"),
        ("copy", {**COPY, "rows": 48}, "tiny"),
        ("copy", {**COPY, "rows": 768, "order": "same", "tile_bytes": 512}, "narrow"),
        ("copy", {**COPY, "path": "store", "rows": 32, "passes": 100, "order": "same",
                  "atomic": True}, "narrow"),
        ("rows", ROWS, "wide"),
        ("rows", {**ROWS, "work": "layernorm", "dtype": "bfloat16", "rows": 1 << 16}, "wide"),
        ("rows", {**ROWS, "work": "sum"}, "wide"),
        ("rows", {**ROWS, "columns": 50, "row_stride": 256, "rows": 1 << 19}, "narrow"),
        ("transpose", {"rows": 8192, "columns": 8192, "dtype": "float32", "cores": 48,
                       "tile_rows": 64, "tile_columns": 64}, "narrow"),
        ("matmul", MATMUL, "wide"),
        ("matmul", {**MATMUL, "dtype": "int8", "k_step": 512, "b_transposed": True}, "wide"),
        ("matmul", {**MATMUL, "k_step": 64, "b_transposed": True}, "narrow"),
        ("matmul", {**MATMUL, "n": 4095}, "mixed"),
        ("matmul", {**MATMUL, "m": 128, "n": 128}, "tiny"),
        ("matmul_then_vector", {**MATMUL, "dtype": "int8", "k_step": 512,
                                "b_transposed": True}, "mixed"),
        ("flash_attention", ATTENTION, "mixed"),
    ],
)  # fmt: skip
def test_the_class_follows_the_kernel(kind: str, params: Mapping[str, Any], expected: str) -> None:
    assert run(kind, params).accuracy_class == expected


def test_expected_errors_rise_from_wide_to_tiny() -> None:
    cases = (
        ("add", ADD), ("flash_attention", ATTENTION), ("copy", {**COPY, "tile_bytes": 128}),
        ("copy", {**COPY, "rows": 48}),
    )  # fmt: skip
    timings = [run(kind, params) for kind, params in cases]
    assert [timing.expected_error for timing in timings] == [0.10, 0.20, 0.30, 0.40]
    assert all(
        EXPECTED_ERRORS[timing.accuracy_class] == timing.expected_error for timing in timings
    )


def test_most_documented_tasks_lie_within_their_expected_error() -> None:
    tasks = [case for case in load_cases() if case.measured[0].metric == "latency_us"]
    within = [abs(compare_case(case)[0].error) <= time_case(case).expected_error for case in tasks]
    assert len(within) >= 35
    assert sum(within) / len(within) >= 0.9
