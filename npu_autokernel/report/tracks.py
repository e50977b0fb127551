"""Tracks: the recorded instructions of a launch, by core and pipe, each with the time it takes there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from npu_autokernel.machine.timing import PIPES, Pipe, TimelineEvent
from npu_autokernel.report.traced_launch import TracedLaunch

# Times are sums of floats: two that should be equal may differ by less than this.
TOLERANCE_US = 1e-6


@dataclass
class Track:
    """One pipe of one core: its instructions by start. `process` and `thread` count from 1."""

    process: int
    thread: int
    events: list[TimelineEvent] = field(default_factory=list)
    starts_us: list[float] = field(default_factory=list)

    def find_before(self, time_us: float) -> TimelineEvent | None:
        """The last instruction that started before `time_us`."""
        position = bisect_left(self.starts_us, time_us - TOLERANCE_US)
        return self.events[position - 1] if position else None

    def find_from(self, time_us: float) -> TimelineEvent | None:
        """The first instruction that started at `time_us` or later."""
        position = bisect_left(self.starts_us, time_us - TOLERANCE_US)
        return self.events[position] if position < len(self.events) else None

    def measure(self, event: TimelineEvent) -> float:
        """Microseconds until the pipe takes its next instruction, or until the data are there if
        that is earlier."""
        position = bisect_right(self.starts_us, event.start_us)
        following = self.starts_us[position : position + 1]
        return min([event.end_us, *following]) - event.start_us


Tracks = dict[tuple[str, Pipe], Track]


def lay_tracks(launch: TracedLaunch) -> Tracks:
    """A process per core in the order of their names, a thread per pipe."""
    cores = sorted({event.core for event in launch.timing.events})
    tracks: Tracks = {}
    for event in sorted(launch.timing.events, key=lambda event: event.start_us):
        process, thread = cores.index(event.core) + 1, PIPES.index(event.pipe) + 1
        track = tracks.setdefault((event.core, event.pipe), Track(process, thread))
        track.events.append(event)
        track.starts_us.append(event.start_us)
    return tracks
