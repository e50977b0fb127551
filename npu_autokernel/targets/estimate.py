"""A plan's machine estimate: its launches' timings added up, and what limits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npu_autokernel.machine.timing import PIPES, Timing
from npu_autokernel.measurement import Bottleneck

# A pipe that the slowest core keeps busy for this share of its time is what limits it.
BUSY_SHARE = 0.6
LAUNCH_SHARE = 0.5
IMBALANCE = 1.3

_LIMITS_OF_PIPES: dict[str, Bottleneck] = {
    "mte2": "bandwidth",
    "mte3": "bandwidth",
    "fixpipe": "bandwidth",
    "vector": "vector",
    "scalar": "scalar",
    "cube": "cube",
    "mte1": "cube",
}


@dataclass(frozen=True)
class MachineEstimate:
    """Latency of a plan in microseconds, its traffic, busy time per pipe, and the bottleneck class."""

    latency_us: float
    clock_version: str
    bottleneck: Bottleneck
    accuracy_class: str
    bytes_read: int
    bytes_written: int
    pipe_busy_us: tuple[tuple[str, float], ...]


def add_timings(timings: Sequence[Timing]) -> MachineEstimate:
    """The estimate of launches that run one after the other; the longest one decides what limits them."""
    longest = max(timings, key=lambda timing: timing.latency_us)
    return MachineEstimate(
        latency_us=sum(timing.latency_us for timing in timings),
        clock_version=longest.clock_version,
        bottleneck=find_bottleneck(longest),
        accuracy_class=longest.accuracy_class,
        bytes_read=sum(timing.bytes_read for timing in timings),
        bytes_written=sum(timing.bytes_written for timing in timings),
        pipe_busy_us=tuple(
            (pipe, sum(_measure_busy(timing, pipe) for timing in timings)) for pipe in PIPES
        ),
    )


def find_bottleneck(timing: Timing) -> Bottleneck:
    """What limits a launch: its launch cost, uneven cores, the busiest pipe, memory shared by all, or waiting."""
    if timing.launch_us > LAUNCH_SHARE * timing.latency_us:
        return "launch"
    if timing.imbalance > IMBALANCE:
        return "imbalance"
    busiest = timing.busiest_pipe
    if _measure_busy(timing, busiest) >= BUSY_SHARE * timing.core_us:
        return _LIMITS_OF_PIPES[busiest]
    if timing.shared_us >= BUSY_SHARE * timing.core_us:
        return "bandwidth"
    return "sync"


def _measure_busy(timing: Timing, pipe: str) -> float:
    return max(dict(timing.vector.pipe_busy_us)[pipe], dict(timing.cube.pipe_busy_us)[pipe])  # type: ignore[index]
