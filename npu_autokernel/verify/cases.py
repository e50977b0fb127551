"""Which shapes and values a candidate is tried on: seeded, and only shapes for which the plan holds.

Screen: the asked shape, scaled down when it is large, and one odd shape. Prove: the asked shape, several odd ones
of different magnitude (primes, powers of two plus or minus one, neighbours of the asked extents), every value set,
and two poisons, so that memory never written and runs that differ are seen.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from npu_autokernel.candidate import LaunchPlan
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.launch_sizes import (
    bind_sizes,
    evaluate_grid,
    find_unmet_condition,
    fold_constants,
)
from npu_autokernel.machine.soc import SocTable
from npu_autokernel.reasons import Refusal
from npu_autokernel.size_expression import SizeExpressionError
from npu_autokernel.verify.data import VALUE_SETS, count_storage
from npu_autokernel.verify.request import Depth

SCREEN_ELEMENTS = 1 << 17
PROVE_ELEMENTS = 1 << 21
ODD_ELEMENTS = 1 << 16
NEAR_ELEMENTS = 1 << 14
MOST_PROGRAMS = 1024  # each costs the machine a fresh on-chip memory
ODD_PROGRAMS = 192
ODD_SHAPES = 6
ODD_TRIALS = 400
EXTENTS: tuple[int, ...] = (
    2,
    3,
    5,
    7,
    13,
    17,
    31,
    33,
    61,
    64,
    97,
    127,
    129,
    251,
    257,
    509,
    513,
    1021,
    1025,
    2039,
)
EXTENTS += (2049, 4093, 8191, 8193, 16381, 32771, 65521)
LONGEST_OF_MANY = EXTENTS.index(4093)  # where there are several extents; many short rows take long


@dataclass(frozen=True)
class Case:
    """One trial: symbol values, value set, seed, with how many poisons it is run, and whether races are looked for."""

    symbols: tuple[tuple[str, int], ...]
    values: str
    seed: int
    poisons: int
    checks_races: bool = False


def list_cases(
    task: KernelTask, plan: LaunchPlan, soc: SocTable, depth: Depth, seed: int
) -> tuple[Case, ...]:
    """The cases for a plan that holds at the asked sizes, the asked shape first."""
    shapes = _Shapes(task, plan, soc)
    draw = random.Random(seed)
    if depth == "screen":
        asked = shapes.scale_asked(SCREEN_ELEMENTS)
        near = shapes.scale_asked(NEAR_ELEMENTS)
        odd = shapes.draw_odd(draw, 1, near, near_share=1.0)
        return _number([(shape, "normal", 1, False) for shape in (asked, *odd)], seed)
    asked = shapes.scale_asked(PROVE_ELEMENTS)
    near = shapes.scale_asked(ODD_ELEMENTS)
    odd = shapes.draw_odd(draw, ODD_SHAPES, near, near_share=0.3)
    middle = sorted(odd, key=shapes.count_elements)[len(odd) // 2] if odd else near
    trials = [(asked, "normal", 2, not odd)]
    trials += [(shape, "normal", 2, True) for shape in odd]
    trials += [(middle, values, 1, False) for values in VALUE_SETS if values != "normal"]
    return _number(trials, seed)


def _number(trials: list[tuple[dict[str, int], str, int, bool]], seed: int) -> tuple[Case, ...]:
    return tuple(
        Case(tuple(symbols.items()), values, seed * 1009 + number, poisons, checks_races)
        for number, (symbols, values, poisons, checks_races) in enumerate(trials)
    )


class _Shapes:
    """The shapes for which one plan holds."""

    def __init__(self, task: KernelTask, plan: LaunchPlan, soc: SocTable) -> None:
        self.task = task
        self.plan = plan
        self.soc = soc
        self.hints = dict(task.hints)
        self.rank = sum(name.startswith("s") for name in self.hints)
        self.constants = self._fold(self.hints)

    def scale_asked(self, element_limit: int) -> dict[str, int]:
        """The asked shape, its longest extents halved until tensors and grids are within the limits."""
        symbols = dict(self.hints)
        while (
            self.count_elements(symbols) > element_limit
            or self.count_programs(symbols) > MOST_PROGRAMS
        ):
            smaller = next(self._halve(symbols), None)
            if smaller is None:
                break
            symbols = smaller
        return symbols

    def draw_odd(
        self, draw: random.Random, count: int, near: Mapping[str, int], near_share: float
    ) -> list[dict[str, int]]:
        """Up to `count` different shapes other than the asked one, in order of drawing.

        A share of the extents are neighbours of those of `near`, the rest is drawn from EXTENTS.
        """
        found: list[dict[str, int]] = []
        for _ in range(ODD_TRIALS):
            if len(found) == count:
                break
            symbols = {
                name: self._draw_extent(draw, name, extent, near_share)
                for name, extent in near.items()
            }
            is_new = symbols != self.hints and symbols not in found
            if is_new and self._is_cheap(symbols) and self.holds(symbols):
                found.append(symbols)
        return found

    def _is_cheap(self, symbols: Mapping[str, int]) -> bool:
        return (
            self.count_elements(symbols) <= ODD_ELEMENTS
            and self.count_programs(symbols) <= ODD_PROGRAMS
        )

    def holds(self, symbols: Mapping[str, int]) -> bool:
        """Whether the compiled plan may run at these sizes."""
        sizes = bind_sizes(self.task, symbols, self.soc)
        try:
            if find_unmet_condition(self.plan, sizes) is not None:
                return False
        except SizeExpressionError:
            return False
        return self.count_programs(symbols) > 0 and self._fold(symbols) == self.constants

    def count_programs(self, symbols: Mapping[str, int]) -> int:
        """Programs of the largest launch; 0 where a launch is not possible."""
        sizes = bind_sizes(self.task, symbols, self.soc)
        try:
            grids = [evaluate_grid(launch, sizes) for launch in self.plan.launches]
        except SizeExpressionError:
            return 0
        if any(isinstance(grid, Refusal) for grid in grids):
            return 0
        return max((math.prod(grid) for grid in grids if isinstance(grid, tuple)), default=0)

    def count_elements(self, symbols: Mapping[str, int]) -> int:
        """Elements of the largest tensor of the task, gaps included."""
        specs = [*self.task.inputs, *(output.spec for output in self.task.outputs)]
        specs += [result for op in self.task.ops for result in op.results]
        return max((count_storage(spec, symbols) for spec in specs), default=0)

    def _halve(self, symbols: dict[str, int]) -> Iterator[dict[str, int]]:
        for name in sorted(symbols, key=lambda name: -symbols[name]):
            if name.startswith("s") and symbols[name] >= 4:
                smaller = {**symbols, name: symbols[name] // 2}
                if self.holds(smaller):
                    yield smaller

    def _draw_extent(self, draw: random.Random, name: str, near: int, near_share: float) -> int:
        if not name.startswith("s"):
            return near + draw.choice((0, 1, 3))
        if draw.random() < near_share:
            return max(2, draw.choice((near - 1, near, near + 1, near // 2 + 1, 2 * near - 1)))
        return draw.choice(EXTENTS if self.rank == 1 else EXTENTS[:LONGEST_OF_MANY])

    def _fold(self, symbols: Mapping[str, int]) -> list[object]:
        sizes = bind_sizes(self.task, symbols, self.soc)
        try:
            return [fold_constants(launch, sizes) for launch in self.plan.launches]
        except SizeExpressionError:
            return []
