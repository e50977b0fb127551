"""The sizes a launch plan speaks of: the task's symbols and `num_cores`, folded constants, grids, conditions."""

from __future__ import annotations

from collections.abc import Mapping

from npu_autokernel.candidate import Constant, KernelLaunch, LaunchPlan
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine.soc import SocTable
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import evaluate_condition, evaluate_size

MAX_PROGRAMS = 65535
CUBE_FAMILIES = frozenset({"matmul", "attention", "convolution"})


def count_cores(task: KernelTask, soc: SocTable) -> int:
    """`num_cores` of a task: its cube cores for matrix work, else its vector cores."""
    return soc.cube_cores if task.family in CUBE_FAMILIES else soc.vector_cores


def bind_sizes(task: KernelTask, symbols: Mapping[str, int], soc: SocTable) -> dict[str, int]:
    """The names of size expressions for one shape: `symbols` and `num_cores`."""
    return {**symbols, "num_cores": count_cores(task, soc)}


def fold_constants(
    launch: KernelLaunch, sizes: Mapping[str, int]
) -> tuple[tuple[str, int | float | bool], ...]:
    """The launch's compile-time constants with size expressions evaluated; raises SizeExpressionError."""
    return tuple((name, _fold_constant(value, sizes)) for name, value in launch.constants)


def evaluate_grid(launch: KernelLaunch, sizes: Mapping[str, int]) -> tuple[int, int, int] | Refusal:
    """The grid, or `launch.grid` when it has no program or more than 65535; raises SizeExpressionError."""
    x, y, z = (evaluate_size(text, sizes) for text in launch.grid)
    if min(x, y, z) < 1 or x * y * z > MAX_PROGRAMS:
        return refuse("launch.grid", programs=x * y * z)
    return x, y, z


def find_unmet_condition(plan: LaunchPlan, sizes: Mapping[str, int]) -> str | None:
    """The first condition of `plan.requires` that does not hold, or None; raises SizeExpressionError."""
    return next((text for text in plan.requires if not evaluate_condition(text, sizes)), None)


def _fold_constant(value: Constant, sizes: Mapping[str, int]) -> int | float | bool:
    return evaluate_size(value, sizes) if isinstance(value, str) else value
