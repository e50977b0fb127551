"""TracedLaunch: one launch with the clock's timing of it, the dump and the source it came from."""

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
    `l0c` of a core are used. `source_lines` has the line of the Triton source by line of the dump,
    and is empty if the dump has no locations; `source` is that source, empty if it is not at hand.
    """

    name: str
    grid: tuple[int, ...]
    dump: str
    footprint_bytes: tuple[tuple[str, int], ...]
    timing: Timing
    source_lines: tuple[int, ...] = ()
    source: str = ""

    def find_source_line(self, line: int) -> int:
        """The line of the source that a line of the dump was compiled from, 0 if not known."""
        return self.source_lines[line] if 0 < line < len(self.source_lines) else 0

    def find_source_text(self, source_line: int) -> str:
        """That line of the source, or an empty string."""
        lines = self.source.splitlines()
        return lines[source_line - 1].strip() if 0 < source_line <= len(lines) else ""


def trace_launch(
    program: Program, grid: tuple[int, ...], dump: str, timing: Timing, source: str = ""
) -> TracedLaunch:
    return TracedLaunch(
        name=program.entry_name,
        grid=grid,
        dump=dump,
        footprint_bytes=program.footprint_bytes,
        timing=timing,
        source_lines=program.source_lines,
        source=source,
    )


def find_op_name(dump_line: str) -> str:
    """`vadd` of `"hivm.hir.vadd"(%1, ...`, or an empty string for a line without an op."""
    found = _OP_NAME.search(dump_line)
    return found.group(1) if found else ""
