"""What a case can have measured, read from a timing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from npu_autokernel.machine.timing import Pipe, Timing

TICKS_PER_US = 50.0  # of the system counter that microbenchmarks read


def _pipe_mean(pipe: Pipe) -> Callable[[Timing], float]:
    """Busy time of a pipe, mean over the cores of the kind that uses it more."""
    return lambda timing: max(
        cores.mean_busy_us(pipe) for cores in (timing.vector, timing.cube) if cores.cores
    )


def _moved_tbps(timing: Timing) -> float:
    return (timing.bytes_read + timing.bytes_written) / timing.core_us * 1e-6


METRICS: Mapping[str, Callable[[Timing], float]] = {
    "latency_us": lambda timing: timing.latency_us,
    "core_us": lambda timing: timing.core_us,
    "mean_core_us": lambda timing: max(timing.vector.mean_us, timing.cube.mean_us),
    "launch_us": lambda timing: timing.launch_us,
    "core_ticks": lambda timing: timing.alone_us * TICKS_PER_US,
    "mean_scalar_us": _pipe_mean("scalar"),
    "mean_vector_us": _pipe_mean("vector"),
    "mean_mte1_us": _pipe_mean("mte1"),
    "mean_mte2_us": _pipe_mean("mte2"),
    "mean_mte3_us": _pipe_mean("mte3"),
    "mean_cube_us": _pipe_mean("cube"),
    "mean_fixpipe_us": _pipe_mean("fixpipe"),
    "moved_tbps": _moved_tbps,
}

# Those that grow with the work: equal parts add up.
TIMES = tuple(name for name in METRICS if name != "moved_tbps")
