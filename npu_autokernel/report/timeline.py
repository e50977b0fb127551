"""The timeline of launches in the Trace Event format, which Perfetto and chrome://tracing open.

A process per launch and core, a track per pipe. A slice lasts until its pipe takes the next
instruction, or until its data are there if that is earlier; flags are arrows from the instruction
that set them to the first one that waited. Times are microseconds of the first block with the
memory to itself; launches follow each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from npu_autokernel.machine.timing import PIPES, Pipe, TimelineEvent
from npu_autokernel.report.traced_launch import TracedLaunch, find_op_name

TraceEvent = dict[str, Any]

OP_TEXT_CHARACTERS = 300
# Times are sums of floats: two that should be equal may differ by less than this.
TOLERANCE_US = 1e-6


@dataclass
class _Track:
    """One pipe of one core: its instructions by start."""

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

    def find_next_start(self, event: TimelineEvent) -> float:
        position = bisect_right(self.starts_us, event.start_us)
        return self.starts_us[position] if position < len(self.starts_us) else float("inf")


_Tracks = dict[tuple[str, Pipe], _Track]


def make_timeline(launches: Sequence[TracedLaunch], soc_name: str) -> dict[str, Any]:
    """The document that goes into a .json file."""
    events: list[TraceEvent] = []
    origin_us = 0.0
    for number, launch in enumerate(launches):
        origin = origin_us + launch.timing.launch_us
        events += _list_launch_events(launch, number, origin)
        origin_us += launch.timing.latency_us
    version = launches[0].timing.clock_version if launches else ""
    return {
        "displayTimeUnit": "ns",
        "otherData": {
            "times": f"machine estimate ({soc_name}, clock {version})",
            "shows": "the first block of each launch, with the memory to itself",
        },
        "traceEvents": events,
    }


def _list_launch_events(
    launch: TracedLaunch, number: int, origin_us: float
) -> Iterator[TraceEvent]:
    tracks = _lay_tracks(launch, first_process=number * 4 + 1)
    yield from _list_names(launch, tracks)
    lines = launch.dump.splitlines()
    for track in tracks.values():
        for event in track.events:
            yield _make_slice(event, track, lines, origin_us)
    yield from _list_flows(launch, tracks, f"{number}.", origin_us)


def _lay_tracks(launch: TracedLaunch, first_process: int) -> _Tracks:
    cores = sorted({event.core for event in launch.timing.events})
    tracks: _Tracks = {}
    for event in sorted(launch.timing.events, key=lambda event: event.start_us):
        process = first_process + cores.index(event.core)
        thread = PIPES.index(event.pipe) + 1
        track = tracks.setdefault((event.core, event.pipe), _Track(process, thread))
        track.events.append(event)
        track.starts_us.append(event.start_us)
    return tracks


def _list_names(launch: TracedLaunch, tracks: _Tracks) -> Iterator[TraceEvent]:
    for process, core in sorted({(track.process, core) for (core, _), track in tracks.items()}):
        name = f"{launch.name}: {core}, block 0 of {launch.timing.blocks}"
        yield _make_name("process_name", process, 0, name)
    for (_, pipe), track in tracks.items():
        yield _make_name("thread_name", track.process, track.thread, pipe)


def _make_name(kind: str, process: int, thread: int, name: str) -> TraceEvent:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _make_slice(
    event: TimelineEvent, track: _Track, lines: Sequence[str], origin_us: float
) -> TraceEvent:
    text = lines[event.line - 1].strip() if 0 < event.line <= len(lines) else ""
    end_us = min(event.end_us, track.find_next_start(event))
    return {
        "ph": "X",
        "name": find_op_name(text) or f"line {event.line}",
        "cat": event.pipe,
        "pid": track.process,
        "tid": track.thread,
        "ts": origin_us + event.start_us,
        "dur": end_us - event.start_us,
        "args": {
            "line": event.line,
            "op": text[:OP_TEXT_CHARACTERS],
            "done_after_us": event.end_us - event.start_us,
        },
    }


def _list_flows(
    launch: TracedLaunch, tracks: _Tracks, prefix: str, origin_us: float
) -> Iterator[TraceEvent]:
    """Pairs of start and finish; none for a flag that no instruction set or waited for."""
    for number, flag in enumerate(launch.timing.flags):
        setting = tracks.get((flag.set_core, flag.set_pipe))
        waiting = tracks.get((flag.wait_core, flag.wait_pipe))
        before = setting.find_before(flag.set_us) if setting else None
        after = waiting.find_from(flag.passed_us) if waiting else None
        if setting is None or waiting is None or before is None or after is None:
            continue
        for phase, track, event in (("s", setting, before), ("f", waiting, after)):
            flow = {
                "ph": phase,
                "name": f"event {flag.event}",
                "cat": "flag",
                "id": f"{prefix}{number}",
                "pid": track.process,
                "tid": track.thread,
                "ts": origin_us + event.start_us,
                "args": {"line": flag.line},
            }
            yield {**flow, "bp": "e"} if phase == "f" else flow
