"""The commit log: every instruction of a tiny kernel, word for word, and the bound on lines."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from npu_autokernel.machine import ExecutionOptions, RunReport, execute
from tests.machine.test_clock_timing import DUMPS, SOC, load_dump, run_softmax


def run_matmul(**options: object) -> RunReport:
    a, b = np.ones((50, 40), np.float16), np.ones((40, 70), np.float16)
    bias, result = np.ones(70, np.float32), np.zeros((50, 70), np.float16)
    return execute(
        load_dump("matmul_bias_square"), (1, 2), [a, b, bias, result, 50, 70, 40], soc=SOC,
        options=ExecutionOptions(**options),  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_log_of_a_vector_kernel(check_golden: Callable[[str, str], None]) -> None:
    log = run_softmax(2, 1, log_lines=1000).log
    check_golden("machine/softmax.log", "".join(f"{line}\n" for line in log))


def test_the_log_of_a_mix_kernel(check_golden: Callable[[str, str], None]) -> None:
    log = run_matmul(blocks=(1,), log_lines=1000).log
    check_golden("machine/matmul_bias_square.log", "".join(f"{line}\n" for line in log))


def test_the_bound_on_lines_holds_and_the_rest_is_counted() -> None:
    everything = run_softmax(2, 1, log_lines=1000).log
    some = run_softmax(2, 1, log_lines=5).log
    assert some[:5] == everything[:5]
    assert some[5:] == (f"and {len(everything) - 5} more instructions",)


def test_no_log_unless_asked_for() -> None:
    assert run_softmax(2, 1).log == ()


def test_logging_changes_no_time() -> None:
    assert (
        run_softmax(4, 2, timing=True, log_lines=3).timing == run_softmax(4, 2, timing=True).timing
    )


def test_each_logged_line_is_a_line_of_the_dump() -> None:
    dump = (DUMPS / "row_softmax.mlir").read_text(encoding="utf-8").splitlines()
    for line in run_softmax(2, 1, log_lines=1000).log:
        number, opcode = int(line.split(" line ")[1].split()[0]), line.split()[6]
        op = opcode.replace("scalar_", "")
        assert f'.{op}"' in dump[number - 1], line
