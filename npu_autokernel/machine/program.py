"""Program: a dump, decoded once; any number of threads may launch it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from npu_autokernel.machine import _native
from npu_autokernel.machine.fault import MachineFault, fault_from_native


@dataclass(frozen=True)
class ProgramArgument:
    """One user argument: a buffer of `element_type`, or a number of that type."""

    element_type: str
    is_buffer: bool


@dataclass(frozen=True)
class Program:
    """What a dump says about its kernel.

    `task_type` is the compiler's: 10 vector, 20 cube, 31 and 32 mix with one or two vector cores
    per cube core. `workspace_bytes_per_block` and `lock_bytes` are allocated by the machine.
    `is_register_based`: compiled for the 950. `footprint_bytes` says how far up `ub`, `l1` and
    `l0c` are used. `source_lines` has, by line of the dump, the line of the Triton source it was
    compiled from; empty for a dump without locations. `instructions` are lines of the dump with
    what a pipe executes for them, by the names of the log.
    """

    entry_name: str
    task_type: int
    core_kinds: tuple[str, ...]
    arguments: tuple[ProgramArgument, ...]
    workspace_bytes_per_block: int
    lock_bytes: int
    op_count: int
    is_register_based: bool
    footprint_bytes: tuple[tuple[str, int], ...]
    source_lines: tuple[int, ...] = field(repr=False)
    instructions: tuple[tuple[int, str], ...] = field(repr=False)
    native: Any = field(repr=False, compare=False)

    def find_source_line(self, line: int) -> int:
        """The line of the source that a line of the dump was compiled from, 0 if not known."""
        return self.source_lines[line] if 0 < line < len(self.source_lines) else 0


def load_program(text: str) -> Program | MachineFault:
    """Decode the generic, local-scope dump taken before `convert-hivm-to-std`.

    Faults: `machine.parse_error`, `machine.unsupported_op`.
    """
    native = _native.load_program(text)
    if isinstance(native, dict):
        return fault_from_native(native)
    facts = _native.describe_program(native)
    return Program(
        entry_name=facts["entry_name"],
        task_type=facts["task_type"],
        core_kinds=tuple(facts["core_kinds"]),
        arguments=tuple(ProgramArgument(*argument) for argument in facts["arguments"]),
        workspace_bytes_per_block=facts["workspace_bytes_per_block"],
        lock_bytes=facts["lock_bytes"],
        op_count=facts["op_count"],
        is_register_based=facts["is_register_based"],
        footprint_bytes=tuple(facts["footprint_bytes"].items()),
        source_lines=tuple(facts["source_lines"]),
        instructions=tuple(facts["instructions"]),
        native=native,
    )
