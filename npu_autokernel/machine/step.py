"""Step: a run seen in the middle, after one instruction of one core.

`execute` calls its `on_step` with one after each instruction, in the order of issue. The arguments
are the caller's own arrays and hold what was written so far; memories and flags of the core that
stands still are read through the step. An exception that `on_step` raises ends the run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Flag:
    """A flag of a core, set `count` times more often than it was waited for."""

    set_pipe: str
    wait_pipe: str
    event: int
    count: int


@dataclass(frozen=True)
class Access:
    """Elements that an instruction reads or writes.

    `place` is `ub`, `l1`, `l0c`, `lock`, `workspace` or `arg0`, by the order of the arguments. The
    first element starts at `first_bit` of it and has `bits` bits; strides are in bits too.
    """

    place: str
    is_write: bool
    is_atomic: bool
    first_bit: int
    bits: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One instruction that a core has issued: its line in the dump, its pipe, opcode and operands.

    `source_line` is the line of the Triton source that it was compiled from, 0 if not known.
    `core` is `cube`, `vector0` or `vector1`. With interleaved pipes it may not have run yet.
    """

    core: str
    block: int
    line: int
    source_line: int
    pipe: str
    opcode: str
    operands: str
    native: Any = field(repr=False, compare=False)

    def read_memory(self, space: str, first_byte: int, size_bytes: int) -> bytes:
        """Bytes of the core's `ub`, `l1` or `l0c`.

        Raises ValueError outside of the memory, and once the core has gone on.
        """
        data: bytes = self.native.read_memory(space, first_byte, size_bytes)
        return data

    def list_accesses(self) -> tuple[Access, ...]:
        """What the instruction reads and writes, temporary buffers and padding too.

        Raises ValueError once the core has gone on.
        """
        return tuple(Access(*access) for access in self.native.list_accesses())

    def unit_flag(self) -> str:
        """How a product and fixpipe hand over their tile: `disabled`, `without update` (wait for
        the other one), or `with update` (and release it).

        Raises ValueError once the core has gone on.
        """
        name: str = self.native.unit_flag()
        return name

    def list_flags(self) -> tuple[Flag, ...]:
        """The flags that are set; raises ValueError once the core has gone on."""
        return tuple(Flag(*flag) for flag in self.native.list_flags())

    def __str__(self) -> str:
        source = f" (src {self.source_line})" if self.source_line else ""
        where = f"block {self.block} {self.core} line {self.line}{source}"
        return f"{where}: {self.pipe} {self.opcode} {self.operands}".rstrip()


OnStep = Callable[[Step], None]
