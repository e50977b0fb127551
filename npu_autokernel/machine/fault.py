"""MachineFault: what stopped the machine, as a value with a stable code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OP_TEXT_CHARACTERS = 120


@dataclass(frozen=True)
class CoreName:
    """Which core of which block: `kind` is `cube` or `vector`, `sub_core` 0 or 1 in mix kernels."""

    kind: str
    sub_core: int
    block: int


@dataclass(frozen=True)
class MachineFault:
    """Why a program was not loaded, or a launch stopped.

    `code` is one of reasons.py's `machine.*` codes. `line` and `column` count from 1 in the dump,
    0 where there is none; `op_text` is that line. `source_line` is the line of the Triton source
    that it was compiled from, 0 where the dump has no locations. `bytes` is the half-open range
    concerned, relative to the argument or on-chip memory that `message` names.
    """

    code: str
    message: str
    op_text: str = ""
    line: int = 0
    column: int = 0
    core: CoreName | None = None
    bytes: tuple[int, int] = (0, 0)
    source_line: int = 0

    @property
    def place(self) -> str:
        """`source line 12, dump line 88`, without what is not known."""
        source = f"source line {self.source_line}" if self.source_line else ""
        dump = f"dump line {self.line}" if self.line else ""
        return ", ".join(filter(None, (source, dump)))

    @property
    def op_excerpt(self) -> str:
        """The text of the op, cut between words and marked so where it is long."""
        text = self.op_text.strip()
        if len(text) <= OP_TEXT_CHARACTERS:
            return text
        head = text[:OP_TEXT_CHARACTERS]
        return f"{head.rpartition(' ')[0] or head} ..."

    def __str__(self) -> str:
        where = ": ".join(filter(None, (self.place, self.op_excerpt)))
        return f"{self.code}: {self.message}" + (f" ({where})" if self.line else "")


def fault_from_native(document: dict[str, Any]) -> MachineFault:
    core = document["core"]
    return MachineFault(
        code=document["code"],
        message=document["message"],
        op_text=document["op_text"],
        line=document["line"],
        column=document["column"],
        core=None if core is None else CoreName(*core),
        bytes=document["bytes"],
        source_line=document["source_line"],
    )
