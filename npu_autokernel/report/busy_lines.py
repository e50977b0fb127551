"""Busiest source lines: the recorded instructions of a launch, added up by the line they come from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from npu_autokernel.machine.timing import PIPES, Pipe
from npu_autokernel.report.traced_launch import TracedLaunch
from npu_autokernel.report.tracks import lay_tracks


@dataclass(frozen=True)
class BusyLine:
    """A line of the Triton source and how long it keeps each pipe busy, over the cores of the block.

    `source_line` is 0 for instructions that the compiler added without saying for which line.
    """

    source_line: int
    pipe_us: tuple[tuple[Pipe, float], ...]

    @property
    def total_us(self) -> float:
        return sum(us for _, us in self.pipe_us)


def list_busy_lines(launch: TracedLaunch) -> tuple[BusyLine, ...]:
    """The lines of the first block, busiest first; none for a dump without locations."""
    if not launch.source_lines:
        return ()
    busy_us: dict[int, dict[Pipe, float]] = defaultdict(lambda: defaultdict(float))
    for (_, pipe), track in lay_tracks(launch).items():
        for event in track.events:
            busy_us[launch.find_source_line(event.line)][pipe] += track.measure(event)
    lines = [
        BusyLine(line, tuple((pipe, times[pipe]) for pipe in PIPES if pipe in times))
        for line, times in busy_us.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.total_us, line.source_line)))
