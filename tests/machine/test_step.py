"""A run seen in the middle: every instruction once, its core's state, and an end on demand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions, Flag, Step, execute
from tests.machine.test_clock_timing import SOC, load_dump

X = np.linspace(-1, 1, 300, dtype=np.float16).reshape(1, 300)


class StopRunError(Exception):
    pass


def run_softmax(on_step: Callable[[Step], None], result: np.ndarray, **options: object) -> None:
    execute(
        load_dump("row_softmax"), (1,), [X, result, 1, 300], soc=SOC, on_step=on_step,
        options=ExecutionOptions(**options),  # type: ignore[arg-type]
    )  # fmt: skip


def test_every_instruction_is_seen_once_in_the_order_of_the_log() -> None:
    steps: list[Step] = []
    run_softmax(steps.append, np.zeros_like(X))
    report = execute(
        load_dump("row_softmax"), (1,), [X, np.zeros_like(X), 1, 300], soc=SOC,
        options=ExecutionOptions(log_lines=1000),
    )  # fmt: skip
    assert len(steps) == len(report.log)
    for step, line in zip(steps, report.log, strict=True):
        assert (step.opcode, f"line {step.line} ") == (
            line.split()[6],
            line[16:][: len(f"line {step.line} ")],
        )
        assert line.endswith(step.operands)


def test_memory_and_flags_are_those_after_the_instruction() -> None:
    seen: list[np.ndarray] = []
    flags: list[tuple[Flag, ...]] = []

    def look(step: Step) -> None:
        if step.opcode == "load":
            seen.append(np.frombuffer(step.read_memory("ub", 0, 600), np.float16))
        if step.opcode == "set_flag":
            flags.append(step.list_flags())

    run_softmax(look, np.zeros_like(X))
    assert np.array_equal(seen[0], X[0])
    assert flags[0] == (Flag("mte3", "vector", 0, 1),)
    assert len(flags[1]) == 2


def test_buffers_hold_what_was_written_before_the_run_was_ended() -> None:
    result = np.zeros_like(X)

    def stop_before_storing(step: Step) -> None:
        assert not result.any()
        if step.opcode == "vdiv":
            raise StopRunError

    with pytest.raises(StopRunError):
        run_softmax(stop_before_storing, result)
    assert not result.any()


def test_a_core_that_went_on_cannot_be_looked_at() -> None:
    steps: list[Step] = []
    run_softmax(steps.append, np.zeros_like(X))
    with pytest.raises(ValueError, match="gone on"):
        steps[0].list_flags()
    with pytest.raises(ValueError, match="gone on"):
        steps[0].read_memory("ub", 0, 4)


@pytest.mark.parametrize("first,size", [(-1, 4), (SOC.ub_bytes, 1), (0, SOC.ub_bytes + 1)])
def test_reading_outside_of_a_memory_is_refused(first: int, size: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        run_softmax(lambda step: step.read_memory("ub", first, size) and None, np.zeros_like(X))
