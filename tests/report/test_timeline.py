"""The timeline: events a viewer accepts, in order on each track, with arrows that have both ends."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from npu_autokernel.report.timeline import make_timeline
from npu_autokernel.report.traced_launch import TracedLaunch, find_op_name
from tests.report.traced import (
    SOC_NAME,
    make_launch,
    time_mix,
    time_softmax,
)

FIELDS = {
    "M": {"name", "pid", "tid", "args"},
    "X": {"name", "cat", "pid", "tid", "ts", "dur", "args"},
    "s": {"name", "cat", "id", "pid", "tid", "ts", "args"},
    "f": {"name", "cat", "id", "pid", "tid", "ts", "args", "bp"},
}
LAUNCHES = {
    "hand-made": [make_launch()],
    "vector": [time_softmax()],
    "mix": [time_mix()],
    "two launches": [time_softmax(), time_mix()],
}

Event = dict[str, Any]


def list_events(launches: Sequence[TracedLaunch], phase: str) -> list[Event]:
    events: list[Event] = make_timeline(launches, SOC_NAME)["traceEvents"]
    return [event for event in events if event["ph"] == phase]


@pytest.fixture(params=LAUNCHES)
def launches(request: pytest.FixtureRequest) -> list[TracedLaunch]:
    return LAUNCHES[request.param]


def test_every_event_has_the_fields_of_its_phase(launches: list[TracedLaunch]) -> None:
    document = json.loads(json.dumps(make_timeline(launches, SOC_NAME), allow_nan=False))
    assert document["displayTimeUnit"] == "ns"
    assert document["otherData"]["times"].startswith("machine estimate (Ascend910B1, clock ")
    for event in document["traceEvents"]:
        assert set(event) - {"ph"} == FIELDS[event["ph"]]


def test_slices_of_a_track_follow_each_other(launches: list[TracedLaunch]) -> None:
    tracks: dict[tuple[int, int], list[Event]] = defaultdict(list)
    for event in list_events(launches, "X"):
        tracks[event["pid"], event["tid"]].append(event)
    assert len(tracks) > 1
    for events in tracks.values():
        for event, following in pairwise(events):
            assert event["dur"] >= 0
            assert event["ts"] + event["dur"] <= following["ts"] + 1e-6


def test_every_track_has_a_name(launches: list[TracedLaunch]) -> None:
    names = {
        (event["pid"], event["tid"]): event["args"]["name"] for event in list_events(launches, "M")
    }
    for event in list_events(launches, "X"):
        assert names[event["pid"], event["tid"]] == event["cat"]
        assert "block 0 of" in names[event["pid"], 0]


def test_each_flow_starts_and_ends_once_at_a_slice(launches: list[TracedLaunch]) -> None:
    starts = {event["id"]: event for event in list_events(launches, "s")}
    ends = {event["id"]: event for event in list_events(launches, "f")}
    assert starts.keys() == ends.keys()
    assert len(starts) == len(list_events(launches, "s")) == len(list_events(launches, "f")) > 0
    slices = {(event["pid"], event["tid"], event["ts"]) for event in list_events(launches, "X")}
    for event in [*starts.values(), *ends.values()]:
        assert (event["pid"], event["tid"], event["ts"]) in slices


def test_no_arrow_points_back_in_time(launches: list[TracedLaunch]) -> None:
    ends = {event["id"]: event["ts"] for event in list_events(launches, "f")}
    for start in list_events(launches, "s"):
        assert start["ts"] <= ends[start["id"]]


def test_slices_and_arrows_are_those_of_the_clock() -> None:
    launch = make_launch()
    slices = list_events([launch], "X")
    assert [(event["name"], event["args"]["line"]) for event in slices[:3]] == [
        ("load", 2),
        ("load", 2),
        ("vexp", 3),
    ]
    # The second load starts while the first one's data are on their way.
    assert slices[0]["ts"] == launch.timing.launch_us
    assert slices[0]["dur"] == pytest.approx(0.2)
    assert slices[0]["args"]["done_after_us"] == pytest.approx(0.7)
    arrows = list(zip(list_events([launch], "s"), list_events([launch], "f"), strict=True))
    assert [(start["args"]["line"], start["name"]) for start, _ in arrows] == [
        (5, "event 0"),
        (6, "event 1"),
    ]
    assert arrows[1][1]["ts"] == pytest.approx(launch.timing.launch_us + 0.9)


def test_slices_quote_the_source_where_it_is_known() -> None:
    load, *_, exp = (event["args"] for event in list_events([make_launch()], "X"))
    assert (load["source_line"], load["source"]) == (3, "tl.store(out, tl.exp(tl.load(q)))")
    assert (exp["source_line"], exp["source"]) == (1, "@triton.jit")
    (nameless, *_) = list_events([replace(make_launch(), source="")], "X")
    assert nameless["args"]["source_line"] == 3 and "source" not in nameless["args"]
    (placeless, *_) = list_events([replace(make_launch(), source_lines=())], "X")
    assert "source_line" not in placeless["args"]


def test_slices_of_a_compiled_kernel_quote_their_line() -> None:
    quotes = {event["name"]: event["args"]["source"] for event in list_events([time_mix()], "X")}
    assert quotes["mmadL1"] == "total += tl.dot(left, right)"
    assert quotes["vmax"] == "total = tl.maximum(total, 0.0)"


def test_launches_follow_each_other() -> None:
    first, second = time_softmax(), time_mix()
    slices = list_events([first, second], "X")
    ours = [event["ts"] for event in slices if event["pid"] < 5]
    theirs = [event["ts"] for event in slices if event["pid"] >= 5]
    assert max(ours) < first.timing.latency_us
    assert min(theirs) >= first.timing.latency_us + second.timing.launch_us


def test_flags_between_cores_are_arrows_between_their_tracks() -> None:
    crossing = [flag for flag in time_mix().timing.flags if flag.set_core != flag.wait_core]
    assert {flag.set_core for flag in crossing} == {"cube"}
    assert {flag.wait_core for flag in crossing} == {"vector0", "vector1"}


@pytest.mark.parametrize(
    "line,name",
    [
        ('%3 = "hivm.hir.vadd"(%1, %2) : () -> ()', "vadd"),
        ('"hivm.hir.mmadL1"(%1)', "mmadL1"),
        ("}) : () -> ()", ""),
    ],
)
def test_an_op_is_named_by_its_last_word(line: str, name: str) -> None:
    assert find_op_name(line) == name
