"""Fitting the clock's constants to the calibration rows, and what each source contributes.

The fit works on logarithms of predicted over measured, linear in relative changes of the constants
around the current ones. Large errors count by their size, not its square: rows that the clock's form
cannot reach do not bend the constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from npu_autokernel.machine.calibration.cases import Case
from npu_autokernel.machine.calibration.run import Comparison, compare_case
from npu_autokernel.machine.clock_constants import CONSTANTS, SOURCES, ClockConstants

STEP = 0.05  # relative change for the derivatives
ROUNDS = 30  # of reweighting
FLOOR = 0.02  # errors below this count alike


def list_fitted_constants() -> tuple[str, ...]:
    return tuple(name for name, source in SOURCES.items() if source.fitted_on)


@dataclass(frozen=True)
class Sensitivity:
    """Log errors of all measured values, and how they move with each fitted constant.

    `errors` has one entry per comparison, `slopes` one row per comparison and one column per name.
    """

    comparisons: tuple[Comparison, ...]
    names: tuple[str, ...]
    errors: np.ndarray
    slopes: np.ndarray


def _log_errors(comparisons: Iterable[Comparison]) -> np.ndarray:
    return np.log1p([item.error for item in comparisons])


def _compare_all(cases: Sequence[Case], constants: ClockConstants) -> tuple[Comparison, ...]:
    compared = (item for case in cases for item in compare_case(case, constants))
    return tuple(item for item in compared if item.measured.value is not None)


def measure_sensitivity(
    cases: Sequence[Case],
    constants: ClockConstants = CONSTANTS,
    on_progress: Callable[[str], None] = lambda name: None,
) -> Sensitivity:
    """Runs every case once for the current constants and once per fitted constant."""
    names = list_fitted_constants()
    comparisons = _compare_all(cases, constants)
    errors = _log_errors(comparisons)
    columns = []
    for name in names:
        on_progress(name)
        changed = replace(constants, **{name: getattr(constants, name) * (1 + STEP)})
        columns.append((_log_errors(_compare_all(cases, changed)) - errors) / np.log1p(STEP))
    return Sensitivity(comparisons, names, errors, np.stack(columns, axis=1))


def _row_weights(sensitivity: Sensitivity) -> np.ndarray:
    """Each constant is decided by the rows it names; rows that no constant names do not count."""
    chosen = {row for name in sensitivity.names for row in SOURCES[name].fitted_on}
    return np.array([float(item.case.id in chosen) for item in sensitivity.comparisons])


def solve_changes(sensitivity: Sensitivity, weights: np.ndarray) -> np.ndarray:
    """Relative changes (logarithms) of the constants that make the weighted absolute errors least."""
    changes = np.zeros(len(sensitivity.names))
    ridge = 1e-3 * np.eye(len(changes))
    for _ in range(ROUNDS):
        left = np.abs(sensitivity.errors + sensitivity.slopes @ changes)
        scaled = weights / np.maximum(left, FLOOR)
        normal = sensitivity.slopes.T @ (scaled[:, None] * sensitivity.slopes) + ridge
        changes = np.linalg.solve(normal, -sensitivity.slopes.T @ (scaled * sensitivity.errors))
    return changes


def fit_constants(
    sensitivity: Sensitivity, constants: ClockConstants = CONSTANTS
) -> ClockConstants:
    """One step of the fit, at most a quarter up or down for each constant."""
    changes = np.clip(solve_changes(sensitivity, _row_weights(sensitivity)), -0.25, 0.25)
    return replace(
        constants,
        **{
            name: getattr(constants, name) * float(np.exp(change))
            for name, change in zip(sensitivity.names, changes, strict=True)
        },
    )


def leave_one_source_out(sensitivity: Sensitivity) -> dict[str, np.ndarray]:
    """Source group to the errors of its values when the constants are fitted without it."""
    groups = np.array([item.case.source_group for item in sensitivity.comparisons])
    weights = _row_weights(sensitivity)
    left_out: dict[str, np.ndarray] = {}
    for group in dict.fromkeys(groups.tolist()):
        changes = solve_changes(sensitivity, weights * (groups != group))
        shifted = sensitivity.errors + sensitivity.slopes @ changes
        left_out[group] = np.expm1(shifted[groups == group])
    return left_out
