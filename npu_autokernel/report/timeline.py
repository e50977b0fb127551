"""The timeline of launches in the Trace Event format, which Perfetto and chrome://tracing open.

A process per launch and core, a track per pipe. A slice is an instruction, with its line of the dump
and the line of the Triton source it comes from. It lasts until its pipe takes the next
instruction, or until its data are there if that is earlier; flags are arrows from the instruction
that set them to the first one that waited. Times are microseconds of the first block with the
memory to itself; launches follow each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from npu_autokernel.machine.timing import TimelineEvent
from npu_autokernel.report.traced_launch import TracedLaunch, find_op_name
from npu_autokernel.report.tracks import Track, Tracks, lay_tracks

TraceEvent = dict[str, Any]

OP_TEXT_CHARACTERS = 300


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
    tracks = lay_tracks(launch)
    for track in tracks.values():
        track.process += number * 4
    yield from _list_names(launch, tracks)
    lines = launch.dump.splitlines()
    sources = {
        line: _describe_source(launch, line)
        for line in {event.line for event in launch.timing.events}
    }
    for track in tracks.values():
        for event in track.events:
            slice_ = _make_slice(event, track, lines, origin_us)
            slice_["args"] |= sources[event.line]
            yield slice_
    yield from _list_flows(launch, tracks, f"{number}.", origin_us)


def _list_names(launch: TracedLaunch, tracks: Tracks) -> Iterator[TraceEvent]:
    for process, core in sorted({(track.process, core) for (core, _), track in tracks.items()}):
        name = f"{launch.name}: {core}, block 0 of {launch.timing.blocks}"
        yield _make_name("process_name", process, 0, name)
    for (_, pipe), track in tracks.items():
        yield _make_name("thread_name", track.process, track.thread, pipe)


def _make_name(kind: str, process: int, thread: int, name: str) -> TraceEvent:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _make_slice(
    event: TimelineEvent, track: Track, lines: Sequence[str], origin_us: float
) -> TraceEvent:
    text = lines[event.line - 1].strip() if 0 < event.line <= len(lines) else ""
    return {
        "ph": "X",
        "name": find_op_name(text) or f"line {event.line}",
        "cat": event.pipe,
        "pid": track.process,
        "tid": track.thread,
        "ts": origin_us + event.start_us,
        "dur": track.measure(event),
        "args": {
            "line": event.line,
            "op": text[:OP_TEXT_CHARACTERS],
            "done_after_us": event.end_us - event.start_us,
        },
    }


def _describe_source(launch: TracedLaunch, line: int) -> dict[str, int | str]:
    """The line of the source and, if that is at hand, its text; nothing where it is not known."""
    source_line = launch.find_source_line(line)
    if not source_line:
        return {}
    text = launch.find_source_text(source_line)
    return {"source_line": source_line, "source": text} if text else {"source_line": source_line}


def _list_flows(
    launch: TracedLaunch, tracks: Tracks, prefix: str, origin_us: float
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
