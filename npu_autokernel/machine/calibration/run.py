"""Runs calibration cases through the clock and compares what it says with what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from npu_autokernel.machine.calibration.cases import Case, Measured, OrderedPair
from npu_autokernel.machine.calibration.streams_copy import build_copy
from npu_autokernel.machine.calibration.streams_fused import (
    build_flash_attention,
    build_matmul_then_vector,
)
from npu_autokernel.machine.calibration.streams_matmul import build_matmul
from npu_autokernel.machine.calibration.streams_vector import (
    Blocks,
    build_add,
    build_block_copy,
    build_elementwise,
    build_vector_loop,
)
from npu_autokernel.machine.clock_constants import CONSTANTS, ClockConstants
from npu_autokernel.machine.soc import CoreUse
from npu_autokernel.machine.timing import Timing, simulate

Builder = Callable[[Mapping[str, Any]], Blocks]

BUILDERS: Mapping[str, tuple[Builder, CoreUse]] = {
    "vector_loop": (build_vector_loop, "vector"),
    "block_copy": (build_block_copy, "vector"),
    "add": (build_add, "vector"),
    "elementwise": (build_elementwise, "vector"),
    "copy": (build_copy, "vector"),
    "matmul": (build_matmul, "cube"),
    "matmul_then_vector": (build_matmul_then_vector, "mix"),
    "flash_attention": (build_flash_attention, "mix"),
}


def _pipe_mean(pipe: str) -> Callable[[Timing], float]:
    return lambda timing: max(
        dict(cores.mean_pipe_busy_us)[pipe]  # type: ignore[index]
        for cores in (timing.vector, timing.cube)
    )


METRICS: Mapping[str, Callable[[Timing], float]] = {
    "latency_us": lambda timing: timing.latency_us,
    "core_us": lambda timing: timing.core_us,
    "core_ticks": lambda timing: timing.alone_us * 50.0,
    "mean_vector_us": _pipe_mean("vector"),
    "mean_mte2_us": _pipe_mean("mte2"),
    "mean_mte3_us": _pipe_mean("mte3"),
    "mean_cube_us": _pipe_mean("cube"),
}


CLOSE = 1.02  # measured times that differ by less are equal


@dataclass(frozen=True)
class Comparison:
    """One measured number beside what the clock says."""

    case: Case
    measured: Measured
    predicted: float

    @property
    def error(self) -> float:
        """Signed share of the measured value."""
        return self.predicted / self.measured.value - 1.0


def time_case(case: Case, constants: ClockConstants = CONSTANTS) -> Timing:
    """What the clock says about one case, or about one of its `repeat` equal parts.

    Raises KeyError for a kind without a builder.
    """
    builder, use = BUILDERS[case.kind]
    soc = case.soc
    params = {**case.params, "clock_mhz": soc.clock_mhz, "cube_cores": soc.cube_cores}
    if params.get("path") == "l1":
        use = "cube"
    bypass = bool(params.get("bypass_l2", False))
    return simulate(builder(params), use, soc, constants=constants, loads_bypass_l2=bypass)


def compare_case(case: Case, constants: ClockConstants = CONSTANTS) -> tuple[Comparison, ...]:
    timing = time_case(case, constants)
    repeat = case.params.get("repeat", 1)
    return tuple(
        Comparison(case, measured, METRICS[measured.metric](timing) * repeat)
        for measured in case.measured
    )


def median_errors(comparisons: Iterable[Comparison]) -> dict[str, tuple[float, int]]:
    """Class of accuracy to (median absolute error, number of measured values)."""
    errors: dict[str, list[float]] = {}
    for comparison in comparisons:
        errors.setdefault(comparison.measured.accuracy, []).append(abs(comparison.error))
    return {name: (median(values), len(values)) for name, values in errors.items()}


def check_order(
    pairs: Iterable[OrderedPair], comparisons: Iterable[Comparison]
) -> dict[OrderedPair, bool]:
    """Whether the clock, too, says that the slower case of each pair is the slower one.

    Pairs that were measured within `CLOSE` of each other have no order.
    """
    first: dict[str, Comparison] = {}
    for comparison in comparisons:
        first.setdefault(comparison.case.id, comparison)
    order: dict[OrderedPair, bool] = {}
    for pair in pairs:
        slower, faster = first[pair.slower], first[pair.faster]
        if slower.measured.value > CLOSE * faster.measured.value:
            order[pair] = slower.predicted > faster.predicted
    return order
