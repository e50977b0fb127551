"""A timed launch in some lines of text: how long, what limits it, which lines, who waits for whom."""

from __future__ import annotations

import math
from collections.abc import Iterator

from npu_autokernel.machine.soc import get_soc
from npu_autokernel.machine.timing import PIPES, CoreTimes
from npu_autokernel.report.busy_lines import list_busy_lines
from npu_autokernel.report.traced_launch import TracedLaunch
from npu_autokernel.targets.estimate import find_bottleneck

SHOWN_WAITS = 6
SHOWN_LINES = 8
SOURCE_TEXT_CHARACTERS = 60
PATH_NAMES = {
    "load_ub": "GM -> UB",
    "load_l1": "GM -> L1",
    "store_ub": "UB -> GM",
    "store_l0c": "L0C -> GM",
}


def summarise_launch(launch: TracedLaunch, soc_name: str) -> str:
    """Latency, busy time per pipe, bytes per path, waits and memories of one launch."""
    return "".join(f"{line}\n" for line in _list_lines(launch, soc_name))


def _list_lines(launch: TracedLaunch, soc_name: str) -> Iterator[str]:
    timing = launch.timing
    grid = " x ".join(str(extent) for extent in launch.grid)
    provenance = f"machine estimate ({soc_name}, clock {timing.clock_version})"
    error = f"+-{timing.expected_error:.0%}, as kernels of class {timing.accuracy_class} have"
    yield f"{launch.name}, {math.prod(launch.grid)} blocks ({grid})"
    yield f"  latency     {timing.latency_us:9.2f} us  {provenance}, {error}"
    yield f"    launch    {timing.launch_us:9.2f} us"
    yield f"    core      {timing.core_us:9.2f} us  the slowest core, memory shared by all"
    yield f"    alone     {timing.alone_us:9.2f} us  that core with the memory to itself"
    yield f"  limited by  {find_bottleneck(timing)}"
    yield "  busy on the slowest core"
    for kind, times in (("vector", timing.vector), ("cube", timing.cube)):
        yield from _list_pipes(kind, times)
    yield from _list_lines_of_source(launch)
    yield "  moved by all cores"
    yield from _list_paths(launch)
    yield from _list_waits(launch)
    yield "  used memory of a core"
    for space, size_bytes in launch.footprint_bytes:
        if size_bytes > 0:
            yield _format_memory(space, size_bytes, getattr(get_soc(soc_name), f"{space}_bytes"))


def _list_pipes(kind: str, times: CoreTimes) -> Iterator[str]:
    if not times.cores:
        return
    yield f"    {kind} core  {times.slowest_us:7.2f} us, {times.cores} cores"
    for pipe in PIPES:
        busy_us = times.busy_us(pipe)
        if busy_us > 0:
            share = busy_us / times.slowest_us
            yield f"      {pipe:<8}{busy_us:9.2f} us  {share:4.0%}"


def _list_lines_of_source(launch: TracedLaunch) -> Iterator[str]:
    lines = list_busy_lines(launch)
    if not lines:
        return
    total_us = sum(line.total_us for line in lines)
    yield "  busiest source lines of the first block"
    for line in lines[:SHOWN_LINES]:
        share = line.total_us / total_us if total_us else 0.0
        pipes = ", ".join(f"{pipe} {us:.2f}" for pipe, us in line.pipe_us)
        name = f"line {line.source_line}" if line.source_line else "no line"
        text = launch.find_source_text(line.source_line)[:SOURCE_TEXT_CHARACTERS]
        row = f"    {name:<10}{line.total_us:9.2f} us  {share:4.0%}  {pipes:<26}  {text}"
        yield row.rstrip()
    left_out = len(lines) - SHOWN_LINES
    if left_out > 0:
        yield f"    and {left_out} more lines"


def _list_paths(launch: TracedLaunch) -> Iterator[str]:
    timing = launch.timing
    for path, moved in timing.moved_bytes:
        if moved > 0:
            yield f"    {PATH_NAMES[path]:<10}{_format_bytes(moved):>12}"
    read = sum(size for _, size in timing.hbm_read_bytes)
    yield f"    from HBM  {_format_bytes(read):>12}"
    yield f"    to HBM    {_format_bytes(timing.hbm_write_bytes):>12}"
    yield f"    L2 hits   {_format_bytes(timing.l2_hit_bytes):>12}"


def _list_waits(launch: TracedLaunch) -> Iterator[str]:
    waits = sorted(launch.timing.waits, key=lambda wait: -wait.us)[:SHOWN_WAITS]
    yield "  waits, summed over all cores" if waits else "  no pipe waits for another"
    for wait in waits:
        yield f"    {wait.pipe:<8}for {wait.source:<8}{wait.us:9.2f} us"


def _format_memory(space: str, used_bytes: int, size_bytes: int) -> str:
    used, size = used_bytes / 1024, size_bytes / 1024
    return f"    {space:<4}{used:8.1f} of {size:.0f} KiB  {used / size:4.0%}"


def _format_bytes(size_bytes: float) -> str:
    return f"{size_bytes / 1024:.1f} KiB" if size_bytes >= 1024 else f"{size_bytes:.0f} B"
