"""Breakpoints: lines of the dump, lines of the Triton source, and names of instructions."""

from __future__ import annotations

from collections.abc import Iterable

from npu_autokernel.machine import Program, Step

SOURCE_PREFIX = "source:"


class Breakpoints:
    """Where a run stops, and which of these places it never came to."""

    def __init__(self, program: Program, places: Iterable[str]) -> None:
        """Raises ValueError for a place that no instruction of the dump has."""
        self._program = program
        self._places: list[str] = []
        self._met: set[str] = set()
        for place in places:
            self.add(place)

    def __bool__(self) -> bool:
        return bool(self._places)

    def add(self, place: str) -> None:
        """Raises ValueError for a place that no instruction of the dump has."""
        if place.startswith(SOURCE_PREFIX):
            self._check_source(place)
        elif place.removeprefix("-").isdecimal():
            self._check_line(int(place))
        else:
            self._check_opcode(place)
        if place not in self._places:
            self._places.append(place)

    def meet(self, step: Step) -> bool:
        """Whether the instruction is at one of the places."""
        here = {str(step.line), step.opcode, f"{SOURCE_PREFIX}{step.source_line}"}
        met = here.intersection(self._places)
        self._met |= met
        return bool(met)

    def list_unmet(self) -> list[str]:
        """The places that no instruction was at so far, in the order they were given."""
        return [place for place in self._places if place not in self._met]

    def _check_source(self, place: str) -> None:
        if not any(self._program.source_lines):
            raise ValueError(f"the dump has no locations, so there is no {place}")
        lines = {self._program.find_source_line(line) for line, _ in self._program.instructions}
        if place.removeprefix(SOURCE_PREFIX) not in {str(line) for line in lines if line}:
            raise ValueError(f"no instruction of the dump comes from {place}")

    def _check_line(self, number: int) -> None:
        lines = sorted({line for line, _ in self._program.instructions})
        if number not in lines:
            after = next((line for line in lines if line > number > 0), None)
            hint = f"; the next one is in line {after}" if after else ""
            raise ValueError(f"no instruction is in line {number} of the dump{hint}")

    def _check_opcode(self, name: str) -> None:
        names = sorted({opcode for _, opcode in self._program.instructions})
        if name not in names:
            raise ValueError(f"the dump has no instruction {name!r}, only {', '.join(names)}")
