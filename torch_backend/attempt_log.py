"""What is said and dumped of each candidate while a kernel is written.

The debug ladder: 1 decisions, 2 a line per candidate with its gate times, 3 its source, 4 the
compiler's output.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from npu_autokernel.settings import Settings
from npu_autokernel.torch_backend.dump import dump_attempt
from npu_autokernel.torch_backend.notice import LOGGER

if TYPE_CHECKING:
    from npu_autokernel.agent.attempts import Attempt


def make_listener(settings: Settings, index: int) -> Callable[[Attempt], None]:
    """A function for `agent.episode` that hears of each attempt for region `index`."""
    count = 0

    def hear(attempt: Attempt) -> None:
        nonlocal count
        _log_attempt(settings.debug, index, attempt)
        dump_attempt(settings, index, count, attempt)
        count += 1

    return hear


def _log_attempt(level: int, index: int, attempt: Attempt) -> None:
    if level >= 2:
        LOGGER.debug("r%d %s", index, describe_attempt(attempt))
    if level >= 3:
        LOGGER.debug("r%d source\n%s", index, attempt.candidate.source)
    if level >= 4:
        for kernel in attempt.reply.kernels:
            LOGGER.debug("r%d launch %s\n%s", index, kernel.entry, kernel.text)


def describe_attempt(attempt: Attempt) -> str:
    """One line: stage, verdict, estimate, and the seconds that each gate took."""
    verdict, measurement = attempt.reply.verdict, attempt.reply.measurement
    estimate = f"{measurement.latency_us:.1f} us (machine estimate) " if measurement else ""
    gates = " ".join(f"{gate} {seconds:.2f}s" for gate, seconds in verdict.gate_times_s)
    return f"{attempt.stage}: {verdict.message} {estimate}[{verdict.reason}] {gates}".rstrip()
