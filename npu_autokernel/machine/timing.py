"""What the clock says about a launch, as a value.

The clock itself is native (`csrc/clock`): it watches the instructions of a run, or is fed synthetic
streams (`simulate`), and returns a plain report that `read_timing` turns into a `Timing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from npu_autokernel.machine import _native
from npu_autokernel.machine.clock_constants import CONSTANTS, ClockConstants
from npu_autokernel.machine.soc import CLOCK_VERSION, CoreUse, SocTable

Pipe = Literal["scalar", "vector", "mte1", "mte2", "mte3", "cube", "fixpipe"]
PIPES: tuple[Pipe, ...] = ("scalar", "vector", "mte1", "mte2", "mte3", "cube", "fixpipe")
AccuracyClass = Literal["wide", "mixed", "narrow", "tiny"]
# Share by which an estimate of the class may be off, from what the calibration rows show.
EXPECTED_ERRORS: Mapping[str, float] = MappingProxyType(
    {"wide": 0.10, "mixed": 0.20, "narrow": 0.30, "tiny": 0.40}
)


@dataclass(frozen=True)
class CoreTimes:
    """One kind of core: busy times per pipe of the slowest core, and their means over the cores."""

    cores: int
    mean_us: float
    slowest_us: float
    pipe_busy_us: tuple[tuple[Pipe, float], ...]
    mean_pipe_busy_us: tuple[tuple[Pipe, float], ...]

    def busy_us(self, pipe: Pipe) -> float:
        return dict(self.pipe_busy_us)[pipe]

    def mean_busy_us(self, pipe: Pipe) -> float:
        return dict(self.mean_pipe_busy_us)[pipe]


@dataclass(frozen=True)
class Wait:
    """Time that one pipe stood still for another, summed over all cores."""

    pipe: Pipe
    source: Pipe
    us: float


@dataclass(frozen=True)
class TimelineEvent:
    """One instruction of the first block: where it ran, its line in the dump, from when to when."""

    core: str
    pipe: Pipe
    line: int
    start_us: float
    end_us: float


@dataclass(frozen=True)
class TimelineFlag:
    """A flag in the first block, from one pipe to another, perhaps of another core.

    `passed_us` is from when the waiting pipe went on; `line` that of the wait in the dump.
    """

    set_core: str
    set_pipe: Pipe
    set_us: float
    wait_core: str
    wait_pipe: Pipe
    passed_us: float
    event: int
    line: int


@dataclass(frozen=True)
class Timing:
    """A machine estimate of one launch, in microseconds and bytes.

    `latency_us` is the task time: `launch_us` plus `core_us`, the slowest core while all cores share
    the memory. `alone_us` is that core with the memory to itself, `shared_us` what HBM and L2 need
    for the traffic of all cores, `stretch` how much longer its transfers take for that.
    `expected_error` is a share of the latency, by `accuracy_class`.
    """

    latency_us: float
    launch_us: float
    core_us: float
    alone_us: float
    shared_us: float
    stretch: float
    imbalance: float
    blocks: int
    use: CoreUse
    accuracy_class: AccuracyClass
    expected_error: float
    vector: CoreTimes
    cube: CoreTimes
    moved_bytes: tuple[tuple[str, float], ...]
    hbm_read_bytes: tuple[tuple[str, float], ...]
    hbm_write_bytes: float
    l2_hit_bytes: float
    waits: tuple[Wait, ...]
    events: tuple[TimelineEvent, ...] = ()
    flags: tuple[TimelineFlag, ...] = ()
    clock_version: str = CLOCK_VERSION

    @property
    def bytes_read(self) -> int:
        return round(sum(value for path, value in self.moved_bytes if path.startswith("load")))

    @property
    def bytes_written(self) -> int:
        return round(sum(value for path, value in self.moved_bytes if path.startswith("store")))

    @property
    def busiest_pipe(self) -> Pipe:
        """The pipe that the slowest core keeps busy longest; a tie goes to the earlier in PIPES."""
        return max(PIPES, key=lambda pipe: max(self.vector.busy_us(pipe), self.cube.busy_us(pipe)))


def _read_core_times(report: dict[str, Any]) -> CoreTimes:
    return CoreTimes(
        cores=report["cores"],
        mean_us=report["mean_us"],
        slowest_us=report["slowest_us"],
        pipe_busy_us=tuple(report["pipe_busy_us"].items()),
        mean_pipe_busy_us=tuple(report["mean_pipe_busy_us"].items()),
    )


def read_timing(report: dict[str, Any]) -> Timing:
    """The report of the native clock as a value."""
    fields = dict(report)
    for kind in ("vector", "cube"):
        fields[kind] = _read_core_times(fields[kind])
    for paths in ("moved_bytes", "hbm_read_bytes"):
        fields[paths] = tuple(fields[paths].items())
    fields["waits"] = tuple(Wait(*wait) for wait in fields["waits"])
    fields["events"] = tuple(TimelineEvent(*event) for event in fields["events"])
    fields["flags"] = tuple(TimelineFlag(*flag) for flag in fields["flags"])
    return Timing(**fields)


def simulate(
    blocks: Sequence[Sequence[_native.Stream]],
    use: CoreUse,
    soc: SocTable,
    *,
    constants: ClockConstants = CONSTANTS,
    loads_bypass_l2: bool = False,
    stores_bypass_l2: bool = False,
    record_events: bool = False,
) -> Timing:
    """Times synthetic streams: one sequence of streams per block (cube first in a mix).

    `loads_bypass_l2`, `stores_bypass_l2`: transfers of that direction neither find nor leave data
    in L2.

    Raises ValueError if the cores of a block wait for each other for ever.
    """
    report = _native.simulate(
        [list(streams) for streams in blocks],
        use,
        soc,
        constants,
        loads_bypass_l2,
        stores_bypass_l2,
        record_events,
    )
    return read_timing(report)
