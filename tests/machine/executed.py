"""The instructions that a run executes in program order, with the bytes that each touches."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from npu_autokernel.machine.step import Access, Step

UNIT_FLAG = 4
SCALAR = ("scalar_load", "scalar_store")
DMA_BLOCK_BYTES = 32
EVENT = re.compile(r"event (\d+)")


@dataclass(frozen=True)
class ByteAccess:
    """Bytes [first, last) of a memory; `place` names the core too, except for GM."""

    place: str
    first: int
    last: int
    kind: str  # "read", "write" or "update", which is an atomic one


@dataclass(frozen=True)
class Executed:
    """One executed instruction.

    `argument`: which event of a matmul macro a flag is, 0 to 3, or UNIT_FLAG for a product and a
    fixpipe with their unit flag on.
    """

    core: str
    line: int
    pipe: str
    opcode: str
    operands: str
    argument: int | None
    accesses: tuple[ByteAccess, ...]
    unit_flag: str = "disabled"

    @property
    def lane(self) -> tuple[str, str]:
        return self.core, self.pipe

    @property
    def flag(self) -> tuple[str, str]:
        """What a set and a wait have in common: the core and its pipes, or the cross-core flag."""
        event = EVENT.search(self.operands)
        assert event
        if self.opcode.startswith("block"):
            return "across", event.group(1)
        return self.core, self.operands

    @property
    def tile(self) -> int:
        """Where the tile of L0C starts that a product fills, or fixpipe takes."""
        return min(access.first for access in self.accesses if access.place.endswith(" l0c"))

    def __str__(self) -> str:
        return f"{self.core} {self.pipe} {self.opcode}@{self.line}"


class Recorder:
    """Collects executed instructions; `execute` takes it as `on_step`.

    `macro_lines`: the lines of the dump that are products.
    """

    def __init__(self, macro_lines: Collection[int] = ()) -> None:
        self._run: list[Executed] = []
        self._macro_lines = macro_lines
        self._loads = 0
        self._scalar: dict[tuple[str, str], list[Executed]] = defaultdict(list)

    def __call__(self, step: Step) -> None:
        executed = Executed(
            step.core,
            step.line,
            step.pipe,
            step.opcode,
            step.operands,
            self._find_argument(step),
            tuple(_read_accesses(step)),
            step.unit_flag(),
        )
        if step.opcode in SCALAR:
            self._scalar[step.core, step.opcode].append(executed)
            return
        self._close_scalar(step.core)
        self._run.append(executed)

    def finish(self) -> list[Executed]:
        for core in sorted({core for core, _ in self._scalar}):
            self._close_scalar(core)
        return self._run

    def _close_scalar(self, core: str) -> None:
        """Loads, and stores, of S that nothing comes between count as one instruction each."""
        for opcode in SCALAR:
            executed = self._scalar.pop((core, opcode), [])
            if executed:
                accesses = _join([access for each in executed for access in each.accesses])
                self._run.append(replace(executed[0], accesses=accesses))

    def _find_argument(self, step: Step) -> int | None:
        """A macro's flags come around its loads: wait 0, load a, set 2, wait 1, load b, set 3."""
        if step.unit_flag() != "disabled":
            self._loads = 0
            return UNIT_FLAG
        if step.line not in self._macro_lines:
            return None
        if step.opcode in ("l0_load_a", "l0_load_b"):
            self._loads += 1
        elif step.opcode == "mmad":
            self._loads = 0
        is_set = step.opcode == "set_flag"
        return self._loads + is_set if is_set or step.opcode == "wait_flag" else None


def _read_accesses(step: Step) -> Iterator[ByteAccess]:
    if step.opcode.startswith("block_"):
        return
    for access in step.list_accesses():
        is_on_chip = access.place in ("ub", "l1", "l0c")
        place = f"{step.core} {access.place}" if is_on_chip else access.place
        kind = "update" if access.is_atomic else "write" if access.is_write else "read"
        for first, last in find_byte_runs(access):
            if step.opcode == "load" and access.is_write:
                last += -(last - first) % DMA_BLOCK_BYTES
            yield ByteAccess(place, first, last, kind)


def _join(accesses: Sequence[ByteAccess]) -> tuple[ByteAccess, ...]:
    """Accesses of one kind, neighbours joined."""
    joined: list[ByteAccess] = []
    for access in sorted(set(accesses), key=lambda each: (each.place, each.first)):
        last = joined[-1] if joined else None
        if last and last.place == access.place and last.last >= access.first:
            joined[-1] = replace(last, last=max(last.last, access.last))
        else:
            joined.append(access)
    return tuple(joined)


def find_byte_runs(access: Access) -> list[tuple[int, int]]:
    """The bytes of all elements, neighbours joined where the strides say so."""
    if 0 in access.sizes:
        return []
    first, run = access.first_bit, access.bits
    dims = []
    for size, stride in zip(access.sizes, access.strides, strict=True):
        first += min(0, stride * (size - 1))
        if size > 1 and stride != 0:
            dims.append((abs(stride), size))
    outer = []
    for stride, size in sorted(dims):
        if stride == run and not outer:
            run *= size
        else:
            outer.append(range(0, stride * size, stride))
    starts = (first + sum(steps) for steps in product(*outer))
    return sorted({(start // 8, -(-(start + run) // 8)) for start in starts})
