"""The kinds of calibration cases: what they accept, and that their times behave as kernels do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.errors import CalibrationCaseError
from npu_autokernel.machine.calibration.cases import load_cases, read_case
from npu_autokernel.machine.calibration.kind_params import CUBE_TYPES, VECTOR_TYPES
from npu_autokernel.machine.calibration.kinds import KINDS
from npu_autokernel.machine.calibration.run import time_case
from npu_autokernel.machine.calibration.streams_copy import PATHS
from npu_autokernel.machine.calibration.streams_rows import WORKS
from npu_autokernel.machine.calibration.streams_vector import CONFLICTS, ELEMENT_BYTES
from npu_autokernel.machine.soc import PARTS, get_soc
from npu_autokernel.machine.timing import Timing

TIMED_CHIPS = tuple(name for name, part in PARTS.items() if part.is_timed)
ROUNDING = 1.005  # shares of whole lines and rows
MASK_US = 0.2  # rows that do not fill a repeat pay for masks
LATENCY_US = 0.12  # of the last load, by whether its first line was read before
LAUNCH_US = 15.0  # launch overhead grows with the cores by less

Params = Mapping[str, Any]
SMALLEST: Mapping[str, Params] = {
    "vector_loop": {"operation": "add", "dtype": "float32", "elements": 64, "calls": 1},
    "block_copy": {"tiles_per_core": 1, "rows": 8, "row_blocks": 8, "block_stride": 9, "cores": 1},
    "add": {"dtype": "float16", "elements": 1000, "cores": 1, "tile": 256},
    "elementwise": {"dtype": "float16", "elements": 1000, "cores": 1, "tile": 256},
    "copy": {
        "rows": 8, "row_bytes": 512, "row_stride": 512, "tile_rows": 4, "tile_bytes": 512,
        "cores": 1, "path": "ub",
    },
    "rows": {"rows": 8, "columns": 100, "dtype": "float16", "cores": 1},
    "transpose": {"rows": 40, "columns": 50, "dtype": "float16", "cores": 1},
    "matmul": {"m": 16, "k": 16, "n": 16, "dtype": "float16"},
    "matmul_then_vector": {"m": 16, "k": 16, "n": 16, "dtype": "float16"},
    "flash_attention": {"rows": 16, "keys": 16, "head": 16},
    "cube_loop": {"operation": "multiply", "dtype": "float16", "m": 16, "calls": 1},
    "scalar_loop": {"calls": 1, "operations": 1},
    "handshake": {"calls": 1},
    "empty": {"cores": 1},
}  # fmt: skip


def run(kind: str, params: Params, chip: str = "910B1") -> Timing:
    return time_case(read_case({"id": "x", "kind": kind, "chip": chip, "params": params}, "test"))


def test_every_kind_has_a_smallest_case() -> None:
    assert set(SMALLEST) == set(KINDS)


@pytest.mark.parametrize("chip", TIMED_CHIPS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_runs_on_every_chip(kind: str, chip: str) -> None:
    timing = run(kind, SMALLEST[kind], chip)
    assert 0 < timing.core_us < 100
    assert timing.latency_us > timing.core_us


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_a_kind_can_say_changes_no_other_kind(kind: str) -> None:
    """Each parameter at its default is what the case is without it."""
    defaults = {
        param.name: param.default
        for param in KINDS[kind].params
        if not param.is_required and param.default is not None
    }
    full = {**defaults, **SMALLEST[kind]}
    assert run(kind, full) == run(kind, SMALLEST[kind])


DTYPES = st.sampled_from(VECTOR_TYPES)
CORES = st.sampled_from([1, 2, 7, 20, 40, 48])


@st.composite
def elementwise_cases(draw: st.DrawFn) -> dict[str, Any]:
    dtype = draw(DTYPES)
    return {
        "dtype": dtype,
        "elements": 256 * draw(st.integers(1, 1 << 13)),  # whole repeats: a part of one costs more
        "cores": draw(CORES),
        "tile": draw(st.sampled_from([512, 4096, 16384])) // ELEMENT_BYTES[dtype] * 2,
        "buffers": draw(st.sampled_from([1, 2, 4])),
        "inputs": draw(st.integers(1, 4)),
        "conflict": draw(st.sampled_from(list(CONFLICTS))),
        "bypass_l2": draw(st.booleans()),
    }


@settings(max_examples=40, deadline=None)
@given(case=elementwise_cases())
def test_elementwise_kernels_behave(case: dict[str, Any]) -> None:
    timing = run("elementwise", case)

    def time(**changed: Any) -> float:
        return run("elementwise", {**case, **changed}).core_us

    assert timing.core_us <= ROUNDING * time(elements=2 * case["elements"])
    assert timing.core_us <= ROUNDING * time(operations=["add", "mul"])
    assert timing.core_us <= ROUNDING * time(buffers=1)
    assert timing.core_us <= ROUNDING * time(imbalance=2.0)
    assert time(conflict="none") <= ROUNDING * time(conflict="reads")
    assert time(conflict="none") <= ROUNDING * time(conflict="write")
    assert time(conflict="reads") <= ROUNDING * time(conflict="both")
    assert time(offset_bytes=0) <= ROUNDING * time(offset_bytes=34)
    assert timing.bytes_read == case["inputs"] * case["elements"] * ELEMENT_BYTES[case["dtype"]]


@settings(max_examples=25, deadline=None)
@given(case=elementwise_cases())
def test_more_cores_cost_no_more_than_their_launch(case: dict[str, Any]) -> None:
    few = run("elementwise", {**case, "cores": 1})
    many = run("elementwise", {**case, "cores": 48})
    assert many.core_us <= ROUNDING * few.core_us
    assert many.latency_us <= few.latency_us + LAUNCH_US


@settings(max_examples=25, deadline=None)
@given(case=elementwise_cases(), passes=st.integers(2, 3))
def test_what_l2_holds_is_read_faster_again(case: dict[str, Any], passes: int) -> None:
    again = {**case, "passes": passes}
    kept = run("elementwise", {**again, "bypass_l2": False})
    passed = run("elementwise", {**again, "bypass_l2": True})
    assert kept.core_us <= ROUNDING * passed.core_us


@st.composite
def copy_cases(draw: st.DrawFn) -> dict[str, Any]:
    tile_bytes = draw(st.sampled_from([32, 128, 512, 2048]))
    return {
        "rows": draw(st.sampled_from([64, 480, 1000])),
        "row_bytes": tile_bytes * draw(st.integers(1, 6)),
        "row_stride": 1 << 14,
        "tile_rows": draw(st.sampled_from([1, 16, 64])),
        "tile_bytes": tile_bytes,
        "cores": draw(st.sampled_from([1, 3, 24])),
        "path": draw(st.sampled_from(PATHS)),
        "order": draw(st.sampled_from(["own", "same", "rotated"])),
    }


@settings(max_examples=50, deadline=None)
@given(case=copy_cases())
def test_copies_behave(case: dict[str, Any]) -> None:
    timing = run("copy", case)

    def time(**changed: Any) -> float:
        return run("copy", {**case, **changed}).core_us

    assert timing.core_us <= ROUNDING * time(rows=2 * case["rows"])
    assert timing.core_us <= ROUNDING * time(passes=2)
    unaligned_us = time(row_stride=(1 << 14) + 34)
    assert timing.core_us <= ROUNDING * unaligned_us + LATENCY_US
    if case["cores"] == 1:  # with more of them, shorter tiles are shared out more evenly
        assert timing.core_us <= ROUNDING * time(tile_rows=1)
    assert time(bypass_l2=False, passes=2) <= ROUNDING * time(bypass_l2=True, passes=2)
    if case["order"] == "own":
        assert timing.bytes_read + timing.bytes_written == case["rows"] * case["row_bytes"]
    if case["path"] == "store":
        assert timing.core_us <= ROUNDING * time(atomic=True)
    if case["order"] != "own":
        assert time(order="rotated") <= ROUNDING * time(order="same")


@st.composite
def matmul_cases(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "m": draw(st.integers(1, 700)),
        "k": draw(st.integers(1, 700)),
        "n": draw(st.integers(1, 700)),
        "dtype": draw(st.sampled_from(CUBE_TYPES)),
        "cores": draw(st.sampled_from([1, 4, 24])),
        "base_m": draw(st.sampled_from([32, 128])),
        "base_n": draw(st.sampled_from([64, 256])),
        "k_step": draw(st.sampled_from([64, 256])),
        "a_transposed": draw(st.booleans()),
        "b_transposed": draw(st.booleans()),
    }


@settings(max_examples=40, deadline=None)
@given(case=matmul_cases())
def test_matmuls_behave(case: dict[str, Any]) -> None:
    timing = run("matmul", case)

    def time(**changed: Any) -> float:
        return run("matmul", {**case, **changed}).core_us

    assert timing.core_us <= ROUNDING * time(k=2 * case["k"])
    assert timing.core_us <= ROUNDING * time(l1_buffers=1)
    assert timing.core_us <= ROUNDING * time(out_bytes=4)
    assert time(unit_flag=True) <= 1.01 * time(unit_flag=False)
    width = ELEMENT_BYTES[case["dtype"]]
    assert timing.bytes_read >= (case["m"] + case["n"]) * case["k"] * width
    assert timing.bytes_written == case["m"] * case["n"] * 2


def test_large_tiles_beat_small_ones_on_the_same_matrix() -> None:
    shape = {"m": 4096, "k": 4096, "n": 4096, "dtype": "float16"}
    small = run("matmul", {**shape, "base_m": 64, "base_n": 64})
    large = run("matmul", {**shape, "base_m": 128, "base_n": 256})
    assert large.core_us < 0.7 * small.core_us


def test_types_of_the_cube_rank_by_their_rate() -> None:
    def cube_us(dtype: str) -> float:
        params = {
            "operation": "multiply", "dtype": dtype, "m": 128, "k": 128, "n": 256, "calls": 1000,
        }  # fmt: skip
        return run("cube_loop", params).cube.mean_busy_us("cube")

    half = cube_us("float16")
    assert cube_us("bfloat16") == half
    assert cube_us("int8") == pytest.approx(half / 2, rel=0.02)
    assert cube_us("hfloat32") == pytest.approx(2 * half, rel=0.02)
    assert cube_us("float32") == pytest.approx(4 * half, rel=0.02)


@pytest.mark.parametrize(("operation", "bytes_per_cycle"), [("load_l0a", 256), ("load_l0b", 128)])
def test_l0_is_loaded_at_documented_rates(operation: str, bytes_per_cycle: float) -> None:
    soc, calls = get_soc("910B1"), 1000
    params = {
        "operation": operation, "dtype": "float16", "m": 64, "k": 128, "n": 64, "calls": calls,
    }  # fmt: skip
    cycles = run("cube_loop", params).cube.mean_busy_us("mte1") * soc.clock_mhz / calls
    assert cycles == pytest.approx(28 + 64 * 128 * 2 / bytes_per_cycle)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(1, 3000),
    columns=st.sampled_from([1, 16, 100, 1024, 20000]),
    dtype=st.sampled_from(["float32", "float16", "bfloat16"]),
    work=st.sampled_from(list(WORKS)),
    cores=CORES,
)
def test_row_kernels_behave(rows: int, columns: int, dtype: str, work: str, cores: int) -> None:
    case = {"rows": rows, "columns": columns, "dtype": dtype, "work": work, "cores": cores}
    timing = run("rows", case)
    more_us = run("rows", {**case, "rows": 2 * rows}).core_us
    assert timing.core_us <= ROUNDING * more_us + MASK_US
    assert timing.core_us <= ROUNDING * run("rows", {**case, "buffers": 1}).core_us
    width = ELEMENT_BYTES[dtype]
    assert timing.bytes_read >= rows * columns * width
    results = rows if work in ("sum", "max") else rows * columns
    assert timing.bytes_written == results * width


@pytest.mark.parametrize("causal", [False, True])
def test_attention_grows_with_keys_rows_and_heads(causal: bool) -> None:
    def time(**changed: Any) -> float:
        case = {"rows": 2048, "keys": 2048, "head": 128, "causal": causal, **changed}
        return run("flash_attention", case).core_us

    assert time() < time(keys=4096 if not causal else 2048, rows=4096)
    assert time() < time(heads=4)
    assert time() <= time(preload=1) * ROUNDING
    assert time(causal=True, heads=12) < 0.75 * time(causal=False, heads=12)


def test_one_vector_core_is_slower_than_two_behind_a_matmul() -> None:
    shape = {"m": 1024, "k": 512, "n": 1024, "dtype": "int8"}
    two = run("matmul_then_vector", {**shape, "vector_cores": 2})
    one = run("matmul_then_vector", {**shape, "vector_cores": 1})
    deep = run("matmul_then_vector", {**shape, "vector_cores": 2, "depth": 4})
    assert deep.core_us <= two.core_us < one.core_us


def test_launches_cost_more_with_more_cores_and_most_for_a_mix() -> None:
    one, vector = run("empty", {"cores": 1}), run("empty", {"cores": 48})
    cube = run("empty", {"cores": 24, "use": "cube"})
    mix = run("empty", {"cores": 24, "use": "mix"})
    assert one.launch_us < vector.launch_us < cube.launch_us < mix.launch_us


def test_a_handshake_costs_a_flag_each_way() -> None:
    trips = 100
    assert run("handshake", {"calls": trips}).core_us == pytest.approx(trips * 2 * 0.5, rel=0.05)


def test_a_matmul_that_its_memories_cannot_hold_is_refused() -> None:
    shape = {"m": 512, "k": 512, "n": 512, "dtype": "float32"}
    for change, memory in (({"base_m": 512}, "L0C"), ({"k_step": 4096, "k": 4096}, "L1")):
        with pytest.raises(CalibrationCaseError, match=memory):
            run("matmul", {**shape, **change})


def test_documented_cases_use_the_kinds_as_anybody_can() -> None:
    assert {case.kind for case in load_cases()} <= set(KINDS)
