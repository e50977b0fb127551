"""What lanes outside the extents hold, so that reductions need a mask only where they must.

Each masked load is given a fill (`other`). A fill is carried through arithmetic on known numbers; where the operand
of a reduction then holds its neutral element outside the extents, no select is printed. Fills are chosen greedily:
for each reduction in order, the first of 0, -inf, +inf, 1 on the loads not yet settled that makes its operand
neutral.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from npu_autokernel.tile.dtypes import compute_dtype, integer_limits
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.program import Compute, Load, Number, Reduce, TileProgram

_FOLDED: dict[str, Callable[..., Number]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "abs": abs,
    "max": max,
    "min": min,
    "to_float32": float,
    "exp": lambda x: math.exp(x) if x < 88.0 else math.inf,
}


@dataclass(frozen=True)
class Padding:
    """The fill of each load, and the reductions whose operand is neutral outside the extents."""

    others: Mapping[str, Number]
    neutral: frozenset[str]

    def is_neutral(self, step: Reduce) -> bool:
        return step.name in self.neutral


def neutral_element(op: str, dtype: str) -> Number:
    """What leaves a reduction unchanged."""
    if op in ("sum", "prod"):
        number = 0 if op == "sum" else 1
        return float(number) if dtype == "float32" else number
    if dtype == "float32":
        return -math.inf if op == "max" else math.inf
    if dtype == "bool":
        return op == "min"
    low, high = integer_limits(dtype)
    return low if op == "max" else high


def print_number(number: Number) -> str:
    """A number as Triton source; infinities and NaN through `float`."""
    if isinstance(number, float) and not math.isfinite(number):
        return f'float("{number}")'
    return repr(number)


def find_padding(program: TileProgram, layout: KernelLayout) -> Padding:
    """Fills for the loads of `program`, and where they spare a select."""
    others = {
        load.name: _default_fill(load) for load in program.loads if layout.tile_axes_of(load.name)
    }
    tiled_reduced = set(layout.tile_axes(axis.name for axis in program.reduced_axes))
    spanning = frozenset(name for name in others if tiled_reduced <= set(layout.tile_axes_of(name)))
    settled: set[str] = set()
    neutral: set[str] = set()
    for step in program.reductions:
        wanted = neutral_element(step.op, step.dtype)
        sources = _list_source_loads(program, step.operand)
        free = [name for name in sources if name not in settled and name in spanning]
        chosen = _choose_fills(program, others, free, spanning, step, wanted)
        if chosen is not None:
            others = chosen
            neutral.add(step.name)
            settled.update(sources)
    return Padding(others, frozenset(neutral))


def _default_fill(load: Load) -> Number:
    if load.dtype == "bool":
        return False
    return 0.0 if compute_dtype(load.dtype) == "float32" else 0


def _choose_fills(
    program: TileProgram,
    others: Mapping[str, Number],
    free: list[str],
    spanning: frozenset[str],
    step: Reduce,
    wanted: Number,
) -> dict[str, Number] | None:
    candidates: list[dict[str, Number]] = [dict(others)]
    loads = {load.name: load for load in program.loads}
    for fill in (-math.inf, math.inf, 1.0, wanted):
        candidates += [
            {**others, name: fill} for name in free if compute_dtype(loads[name].dtype) == "float32"
        ]
    candidates += [{**others, name: wanted} for name in free if loads[name].dtype == step.dtype]
    for candidate in candidates:
        held = _evaluate(program, candidate, spanning).get(step.operand)
        if held is not None and held == wanted:
            return candidate
    return None


def _list_source_loads(program: TileProgram, name: str) -> list[str]:
    steps = {step.name: step for step in program.steps}
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        step = steps.get(current)
        if step is None:
            found[current] = None
        elif isinstance(step, Compute):
            waiting += [operand for operand in step.operands if isinstance(operand, str)]
    return list(found)


def _evaluate(
    program: TileProgram, others: Mapping[str, Number], spanning: frozenset[str]
) -> dict[str, Number]:
    """What lanes outside the reduced extents hold, for the values of which that is known.

    Only loads that span all reduced axes of the tile (`spanning`) hold their fill there.
    """
    held: dict[str, Number] = {name: others[name] for name in spanning}
    maxima: dict[str, str] = {}
    for step in program.steps:
        if isinstance(step, Reduce):
            if step.op == "max":
                maxima[step.name] = step.operand
            continue
        number = _fold(step, held, maxima)
        if number is not None:
            held[step.name] = number
    return held


def _fold(step: Compute, held: Mapping[str, Number], maxima: Mapping[str, str]) -> Number | None:
    if step.op == "sub" and isinstance(step.operands[0], str):
        left, right = step.operands
        is_maximum = isinstance(right, str) and maxima.get(right) == left
        if is_maximum and isinstance(left, str) and held.get(left) == -math.inf:
            # -inf minus the row's maximum: NaN only where the whole row is -inf, and so is NaN anyway.
            return -math.inf
    if step.op not in _FOLDED:
        return None
    operands = [held.get(item) if isinstance(item, str) else item for item in step.operands]
    if any(not isinstance(item, (int, float)) for item in operands):
        return None
    number = _FOLDED[step.op](*operands)
    return None if isinstance(number, float) and math.isnan(number) else number
