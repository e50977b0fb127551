"""The clock against documented measurements: `python -m benchmarks.calibration`.

Prints, in this order: every measured value beside the machine estimate, the median error of each
class, whether documented before/after pairs keep their order, the error of each source when the
constants are fitted without it, and the documented rows that no stream can state. `--quick` leaves
out the errors per source, which run every case once per constant.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

import numpy as np

from npu_autokernel.machine.calibration.cases import (
    load_cases,
    load_not_expressed,
    load_ordered_pairs,
)
from npu_autokernel.machine.calibration.fit import (
    fit_constants,
    leave_one_source_out,
    measure_sensitivity,
)
from npu_autokernel.machine.calibration.run import (
    Comparison,
    check_order,
    compare_case,
    median_errors,
)
from npu_autokernel.machine.clock_constants import CONSTANTS
from npu_autokernel.machine.soc import CLOCK_VERSION

TARGETS = {"vector": 0.03, "copy": 0.06, "cube": 0.03, "whole": 0.08}


def list_comparison_lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The table of all measured values, as Markdown."""
    yield "| case | chip | class | metric | measured | estimate | error | variant |"
    yield "|---|---|---|---|--:|--:|--:|---|"
    for item in comparisons:
        measured = item.measured
        yield (
            f"| {item.case.id} | {item.case.chip} | {measured.accuracy} | {measured.metric} "
            f"| {measured.value:.6g} | {item.predicted:.4g} | {item.error:+.1%} "
            f"| {item.case.variant.replace('|', '/')} |"
        )


def list_median_lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The medians per class beside what they should be, as Markdown."""
    yield "| class | median absolute error | values | target |"
    yield "|---|--:|--:|--:|"
    for name, (error, count) in median_errors(comparisons).items():
        target = f"{TARGETS[name]:.0%}" if name in TARGETS else ""
        yield f"| {name} | {error:.1%} | {count} | {target} |"


def print_lines(title: str, lines: Iterable[str]) -> None:
    print(f"\n{title}\n")
    print("\n".join(lines))


def print_order(comparisons: Sequence[Comparison]) -> None:
    order = check_order(load_ordered_pairs(), comparisons)
    print(f"\nOrder of documented pairs: {sum(order.values())} of {len(order)} right")
    for pair, right in order.items():
        print(f"  {'ok   ' if right else 'WRONG'} {pair.slower} > {pair.faster}  {pair.why}")


def print_not_expressed() -> None:
    print("\nDocumented rows not expressed")
    for case_id, reason in load_not_expressed().items():
        print(f"  {case_id}  {reason}")


def print_sources(show_fit: bool) -> None:
    sensitivity = measure_sensitivity(load_cases())
    print("\nMedian error of a source when the constants are fitted without it (linearised)")
    for group, errors in leave_one_source_out(sensitivity).items():
        print(f"  {group:28} {np.median(np.abs(errors)):6.1%}  of {len(errors):3} values")
    if show_fit:
        fitted = asdict(fit_constants(sensitivity))
        print("\nOne step of the fit from the current constants")
        for name in sensitivity.names:
            print(f"  {name:30} {getattr(CONSTANTS, name):10.4g} -> {fitted[name]:10.4g}")


def main() -> None:
    parser = argparse.ArgumentParser(description="The clock against documents.")
    parser.add_argument("--quick", action="store_true", help="leave out the errors per source")
    parser.add_argument("--fit", action="store_true", help="also print where a fit would move")
    options = parser.parse_args()
    comparisons = [item for case in load_cases() for item in compare_case(case)]
    title = f"Machine estimates (clock {CLOCK_VERSION}) against documented measurements"
    print_lines(title, list_comparison_lines(comparisons))
    print_lines("Median absolute error by class", list_median_lines(comparisons))
    print_order(comparisons)
    if not options.quick:
        print_sources(options.fit)
    print_not_expressed()


if __name__ == "__main__":
    main()
