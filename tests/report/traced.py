"""Launches for the tests of reports: one made by hand, and real ones timed by the clock."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from npu_autokernel.machine import Argument, ExecutionOptions, Program, execute, load_program
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.machine.timing import (
    PIPES,
    CoreTimes,
    Pipe,
    TimelineEvent,
    TimelineFlag,
    Timing,
    Wait,
)
from npu_autokernel.report.traced_launch import TracedLaunch, trace_launch

DUMPS = Path(__file__).parents[1] / "machine" / "dumps"
SOC_NAME = "Ascend910B1"
DUMP = """"builtin.module"() ({
  "hivm.hir.load"(%1, %2) : (f32, f32) -> ()
  "hivm.hir.vexp"(%2, %2) : (f32, f32) -> ()
}) : () -> ()
"""
SOURCE = """@triton.jit
def attention(q, out):
    tl.store(out, tl.exp(tl.load(q)))
"""
HAND_MADE_EVENTS = (
    TimelineEvent("vector0", "mte2", 2, 0.0, 0.7),
    TimelineEvent("vector0", "mte2", 2, 0.2, 0.9),
    TimelineEvent("vector0", "vector", 3, 0.7, 0.75),
    TimelineEvent("vector0", "vector", 3, 0.9, 1.0),
)
# The third flag was set before any instruction, the fourth is waited for by none.
HAND_MADE_FLAGS = (
    TimelineFlag("vector0", "mte2", 0.7, "vector0", "vector", 0.7, 0, 5),
    TimelineFlag("vector0", "mte2", 0.9, "vector0", "vector", 0.9, 1, 6),
    TimelineFlag("vector0", "mte3", 0.0, "vector0", "vector", 0.7, 2, 7),
    TimelineFlag("vector0", "vector", 1.0, "vector0", "mte3", 1.0, 3, 8),
)


def make_core_times(cores: int, **busy_us: float) -> CoreTimes:
    busy = tuple((pipe, busy_us.get(pipe, 0.0)) for pipe in PIPES)
    return CoreTimes(cores, 9.0 * bool(cores), 10.0 * bool(cores), busy, busy)


def make_launch() -> TracedLaunch:
    """A launch in which every line of the summary has something to say."""
    waiting: Pipe = "vector"
    timing = Timing(
        latency_us=14.5,
        launch_us=2.5,
        core_us=12.0,
        alone_us=10.0,
        shared_us=8.0,
        stretch=1.2,
        imbalance=1.1,
        blocks=20,
        use="mix",
        accuracy_class="mixed",
        expected_error=0.15,
        vector=make_core_times(40, scalar=1.0, vector=7.5, mte2=4.0),
        cube=make_core_times(20, cube=2.5),
        moved_bytes=(("load_ub", 4096.0), ("load_l1", 0.0), ("store_ub", 512.0)),
        hbm_read_bytes=(("load_ub", 2048.0),),
        hbm_write_bytes=512.0,
        l2_hit_bytes=1536.0,
        waits=(Wait(waiting, "mte2", 3.25), Wait("mte3", waiting, 30.0)),
        events=HAND_MADE_EVENTS,
        flags=HAND_MADE_FLAGS,
        clock_version="7",
    )
    footprint = (("ub", 98304), ("l1", 0), ("l0c", 65536))
    return TracedLaunch("attention", (10, 2), DUMP, footprint, timing, (0, 0, 3, 1), SOURCE)


def time_dump(name: str, grid: tuple[int, ...], arguments: list[Argument]) -> TracedLaunch:
    text = (DUMPS / f"{name}.mlir").read_text(encoding="utf-8")
    program = load_program(text)
    assert isinstance(program, Program)
    options = ExecutionOptions(timing=True, record_events=True)
    report = execute(program, grid, arguments, soc=get_soc(SOC_NAME), options=options)
    assert report.timing is not None
    source = (DUMPS / "kernels.py").read_text(encoding="utf-8")
    return trace_launch(program, grid, text, report.timing, source)


def time_softmax() -> TracedLaunch:
    x = np.ones((9, 300), np.float16)
    return time_dump("row_softmax", (3,), [x, np.zeros_like(x), 9, 300])


def time_mix() -> TracedLaunch:
    a, b = np.ones((50, 40), np.float16), np.ones((40, 70), np.float16)
    bias, result = np.ones(70, np.float32), np.zeros((50, 70), np.float16)
    return time_dump("matmul_bias_square", (2, 2), [a, b, bias, result, 50, 70, 40])
