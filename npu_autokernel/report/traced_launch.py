"""TracedLaunch: one launch with the clock's timing of it, and the dump it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from npu_autokernel.machine import Program
from npu_autokernel.machine.timing import Timing

_OP_NAME = re.compile(r'"(?:[a-z_]+\.)+([A-Za-z0-9_]+)"\(')


@dataclass(frozen=True)
class TracedLaunch:
    """A launch that was timed with `record_events`.

    `dump` is the text the program was decoded from; `footprint_bytes` says how far up `ub`, `l1` and
    `l0c` of a core are used.
    """

    name: str
    grid: tuple[int, ...]
    dump: str
    footprint_bytes: tuple[tuple[str, int], ...]
    timing: Timing


def trace_launch(
    program: Program, grid: tuple[int, ...], dump: str, timing: Timing
) -> TracedLaunch:
    return TracedLaunch(program.entry_name, grid, dump, program.footprint_bytes, timing)


def find_op_name(dump_line: str) -> str:
    """`vadd` of `"hivm.hir.vadd"(%1, ...`, or an empty string for a line without an op."""
    found = _OP_NAME.search(dump_line)
    return found.group(1) if found else ""
