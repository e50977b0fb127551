"""The clock watching launches of compiled programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions, Program, RunReport, execute, load_program
from npu_autokernel.machine.soc import CLOCK_VERSION, get_soc
from npu_autokernel.machine.timing import Timing

DUMPS = Path(__file__).parent / "dumps"
SOC = get_soc("910B1")


def load_dump(name: str) -> Program:
    program = load_program((DUMPS / f"{name}.mlir").read_text(encoding="utf-8"))
    assert isinstance(program, Program)
    return program


def run_softmax(rows: int, grid: int, **options: object) -> RunReport:
    x = np.ones((rows, 300), np.float16)
    return execute(
        load_dump("row_softmax"),
        (grid,),
        [x, np.zeros_like(x), rows, 300],
        soc=SOC,
        options=ExecutionOptions(**options),  # type: ignore[arg-type]
    )


def time_softmax(rows: int, grid: int, **options: object) -> Timing:
    timing = run_softmax(rows, grid, timing=True, **options).timing
    assert timing is not None
    return timing


def test_timing_is_only_there_when_asked_for() -> None:
    assert run_softmax(8, 2).timing is None


def test_a_launch_is_timed_and_says_by_which_clock() -> None:
    timing = time_softmax(64, 16)
    assert timing.clock_version == CLOCK_VERSION
    assert timing.use == "vector"
    assert timing.blocks == 16
    assert timing.latency_us == pytest.approx(timing.launch_us + timing.core_us)
    assert timing.vector.busy_us("vector") > 0
    assert timing.bytes_read >= 64 * 300 * 2
    assert timing.bytes_written == 64 * 300 * 2


def test_moving_no_data_changes_no_time() -> None:
    assert time_softmax(64, 16, functional=False) == time_softmax(64, 16)


def test_the_same_launch_takes_the_same_time() -> None:
    assert time_softmax(64, 16) == time_softmax(64, 16)


def test_alike_blocks_may_stand_for_the_others() -> None:
    everything = time_softmax(48 * 16 * 4, 48 * 16)
    sampled = time_softmax(48 * 16 * 4, 48 * 16, blocks=tuple(range(48)))
    assert sampled.blocks == everything.blocks
    assert sampled.latency_us == pytest.approx(everything.latency_us, rel=0.05)


def test_a_sample_knows_that_the_whole_does_not_fit_l2() -> None:
    rows, grid = 1 << 19, 4096
    x = np.zeros((rows, 300), np.float16)
    latencies = []
    for blocks in (None, tuple(range(0, grid, 48))):
        options = ExecutionOptions(timing=True, functional=False, blocks=blocks)
        report = execute(
            load_dump("row_softmax"), (grid,), [x, x, rows, 300], soc=SOC, options=options
        )
        assert report.timing is not None
        assert report.timing.hbm_write_bytes == pytest.approx(x.nbytes, rel=0.05)
        latencies.append(report.timing.latency_us)
    assert latencies[1] == pytest.approx(latencies[0], rel=0.05)


def test_a_fault_has_no_time() -> None:
    x = np.ones((8, 300), np.float16)
    report = execute(
        load_dump("row_softmax"), (0,), [x, x, 8, 300], soc=SOC,
        options=ExecutionOptions(timing=True),
    )  # fmt: skip
    assert report.fault is not None
    assert report.timing is None


def test_a_smaller_chip_takes_longer() -> None:
    x = np.ones((4096, 300), np.float16)
    latencies = []
    for name in ("910B1", "910B4"):
        report = execute(
            load_dump("row_softmax"), (1024,), [x, np.zeros_like(x), 4096, 300], soc=get_soc(name),
            options=ExecutionOptions(timing=True, functional=False),
        )  # fmt: skip
        assert report.timing is not None
        latencies.append(report.timing.latency_us)
    assert latencies[0] < latencies[1]


def test_a_matmul_runs_on_cube_cores_alone() -> None:
    a, b = np.ones((100, 75), np.float16), np.ones((75, 90), np.float16)
    result = np.zeros((100, 90), np.float32)
    report = execute(
        load_dump("matmul"), (2, 2), [a, b, result, 100, 90, 75], soc=SOC,
        options=ExecutionOptions(timing=True),
    )  # fmt: skip
    assert report.timing is not None
    assert report.timing.use == "cube"
    assert report.timing.vector.cores == 0
    assert all(report.timing.cube.busy_us(pipe) > 0 for pipe in ("mte2", "mte1", "cube", "fixpipe"))


def test_a_mix_times_both_kinds_of_cores() -> None:
    a, b = np.ones((50, 40), np.float16), np.ones((40, 70), np.float16)
    bias, result = np.ones(70, np.float32), np.zeros((50, 70), np.float16)
    report = execute(
        load_dump("matmul_bias_square"), (2, 2), [a, b, bias, result, 50, 70, 40], soc=SOC,
        options=ExecutionOptions(timing=True, record_events=True),
    )  # fmt: skip
    assert report.timing is not None
    assert report.timing.use == "mix"
    assert (report.timing.cube.cores, report.timing.vector.cores) == (4, 8)
    assert {event.core for event in report.timing.events} == {"cube", "vector0", "vector1"}
