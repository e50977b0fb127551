"""Runs calibration cases through the clock and compares what it says with what was measured."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from npu_autokernel.errors import CalibrationCaseError
from npu_autokernel.machine.calibration.case_fields import Measured
from npu_autokernel.machine.calibration.cases import Case, OrderedPair
from npu_autokernel.machine.calibration.kinds import KINDS
from npu_autokernel.machine.calibration.metrics import METRICS, TIMES
from npu_autokernel.machine.clock_constants import CONSTANTS, ClockConstants
from npu_autokernel.machine.timing import Timing, simulate

CLOSE = 1.02  # measured times that differ by less are equal


@dataclass(frozen=True)
class Comparison:
    """One number beside what the clock says."""

    case: Case
    measured: Measured
    predicted: float

    @property
    def error(self) -> float:
        """Signed share of the measured value; not a number where nothing was measured."""
        if self.measured.value is None:
            return math.nan
        return self.predicted / self.measured.value - 1.0


def time_case(case: Case, constants: ClockConstants = CONSTANTS) -> Timing:
    """What the clock says about one case, or about one of its `repeat` equal parts."""
    kind, soc = KINDS[case.kind], case.soc
    params = {**case.params, "clock_mhz": soc.clock_mhz, "cube_cores": soc.cube_cores}
    return simulate(
        kind.builder(params),
        kind.use(params),
        soc,
        constants=constants,
        loads_bypass_l2=params["bypass_l2"],
        stores_bypass_l2=params["bypass_l2_stores"],
    )


def compare_case(case: Case, constants: ClockConstants = CONSTANTS) -> tuple[Comparison, ...]:
    """Each measured value beside the estimate; CalibrationCaseError if nothing runs that it counts."""
    timing = time_case(case, constants)
    return tuple(
        Comparison(case, measured, _read_metric(case, measured.metric, timing))
        for measured in case.measured
    )


def _read_metric(case: Case, metric: str, timing: Timing) -> float:
    predicted = METRICS[metric](timing)
    if predicted == 0:
        detail = f"{metric} cannot be compared: this {case.kind} does nothing that it counts"
        raise CalibrationCaseError(f"case {case.id!r}", detail)
    return predicted * (case.repeat if metric in TIMES else 1)


def median_errors(comparisons: Iterable[Comparison]) -> dict[str, tuple[float, int]]:
    """Class of accuracy to (median absolute error, number of measured values)."""
    errors: dict[str, list[float]] = {}
    for comparison in comparisons:
        if comparison.measured.value is None:
            continue
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
        if (slower.measured.value or 0.0) > CLOSE * (faster.measured.value or 0.0):
            order[pair] = slower.predicted > faster.predicted
    return order
