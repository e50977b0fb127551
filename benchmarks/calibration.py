"""The clock against measurements: `python -m benchmarks.calibration`.

Prints, in this order: every documented value beside the machine estimate, the median error of each
class, whether documented before/after pairs keep their order, the error of each source when the
constants are fitted without it, and the documented rows that no stream can state. `--quick` leaves
out the errors per source, which run every case once per constant.

`--cases FILE.json [--chip NAME]` does the first two for cases of your own, `--kinds [NAME]` lists what
a case can say, `--vector-fits` sets the clock beside a vendor's tables of vector instructions.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median

import numpy as np

from npu_autokernel.errors import AutokernelError
from npu_autokernel.machine.calibration.cases import (
    load_cases,
    load_not_expressed,
    load_ordered_pairs,
    read_case_file,
)
from npu_autokernel.machine.calibration.fit import (
    fit_constants,
    leave_one_source_out,
    measure_sensitivity,
)
from npu_autokernel.machine.calibration.instruction_fits import (
    FitComparison,
    compare_instruction_fits,
)
from npu_autokernel.machine.calibration.kinds import KINDS, Kind
from npu_autokernel.machine.calibration.run import (
    Comparison,
    check_order,
    compare_case,
    median_errors,
)
from npu_autokernel.machine.clock_constants import CONSTANTS
from npu_autokernel.machine.soc import CLOCK_VERSION

TARGETS = {"vector": 0.03, "copy": 0.06, "cube": 0.03, "whole": 0.08}
ALL = "all"  # kinds


def list_comparison_lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The table of all measured values, as Markdown."""
    yield "| case | chip | class | metric | measured | estimate | error | variant |"
    yield "|---|---|---|---|--:|--:|--:|---|"
    for item in comparisons:
        measured = item.measured
        known = "" if measured.value is None else f"{measured.value:.6g}"
        error = "" if measured.value is None else f"{item.error:+.1%}"
        yield (
            f"| {_escape(item.case.id)} | {item.case.chip} | {measured.accuracy} | {measured.metric} "
            f"| {known} | {item.predicted:.4g} | {error} "
            f"| {_escape(item.case.variant)} |"
        )


def _escape(text: str) -> str:
    """For a cell of a table."""
    return text.replace("|", "/")


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


def list_kind_lines(kind: Kind) -> Iterator[str]:
    """What a kind of case takes."""
    yield f"{kind.name}: {kind.summary}"
    for param in kind.params:
        unit = f" [{param.unit}]" if param.unit else ""
        yield f"  {param.name}{unit}: {param.meaning}"
        yield f"      {param.describe_values()}; {param.describe_default()}"
    yield ""


def list_fit_lines(comparisons: Sequence[FitComparison]) -> Iterator[str]:
    """Throughput of vector instructions, as Markdown."""
    yield "| instruction | types | vendor | clock | deviation | why |"
    yield "|---|---|--:|--:|--:|---|"
    for item in comparisons:
        fit = item.fit
        clock = "" if item.elements_per_cycle is None else f"{item.elements_per_cycle:.1f}"
        deviation = "" if item.deviation is None else f"{item.deviation:+.0%}"
        yield (
            f"| {fit.instruction} | {fit.types} | {fit.elements_per_cycle:.1f} | {clock} "
            f"| {deviation} | {item.reason} |"
        )


def print_vector_fits() -> None:
    comparisons = tuple(compare_instruction_fits())
    print_lines("Vector instructions, elements a cycle", list_fit_lines(comparisons))
    deviations = [abs(item.deviation) for item in comparisons if item.deviation is not None]
    close = sum(deviation <= 0.05 for deviation in deviations)
    print(
        f"\n{len(deviations)} of {len(comparisons)} expressed; median deviation "
        f"{median(deviations):.1%}, {close} within 5%"
    )


def print_own_cases(path: Path, chip: str | None) -> None:
    comparisons = [item for case in read_case_file(path, chip) for item in compare_case(case)]
    title = f"Machine estimates (clock {CLOCK_VERSION}) of {path.name}"
    print_lines(title, list_comparison_lines(comparisons))
    print_lines("Median absolute error by class", list_median_lines(comparisons))


def print_documented(quick: bool, fit: bool) -> None:
    comparisons = [item for case in load_cases() for item in compare_case(case)]
    title = f"Machine estimates (clock {CLOCK_VERSION}) against documented measurements"
    print_lines(title, list_comparison_lines(comparisons))
    print_lines("Median absolute error by class", list_median_lines(comparisons))
    print_order(comparisons)
    if not quick:
        print_sources(fit)
    print_not_expressed()


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The clock against measurements.")
    parser.add_argument("--quick", action="store_true", help="leave out the errors per source")
    parser.add_argument("--fit", action="store_true", help="also print where a fit would move")
    parser.add_argument("--chip", help="with --cases: the chip of all of them")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--cases", metavar="FILE", help="a JSON list of your own cases")
    what.add_argument("--kinds", nargs="?", const=ALL, metavar="NAME", help="what a case can say")
    what.add_argument("--vector-fits", action="store_true", help="vector instructions one by one")
    options = parser.parse_args(arguments)
    if options.kinds not in (None, ALL, *KINDS):
        parser.error(f"unknown kind {options.kinds!r}; there are {', '.join(KINDS)}")
    if options.cases == "":
        parser.error("--cases '': no such file")
    if options.chip is not None and options.cases is None:
        parser.error("--chip goes with --cases")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_options(arguments)
    if options.kinds is not None:
        kinds = list(KINDS.values()) if options.kinds == ALL else [KINDS[options.kinds]]
        print("\n".join(line for kind in kinds for line in list_kind_lines(kind)))
    elif options.vector_fits:
        print_vector_fits()
    elif options.cases is not None:
        try:
            print_own_cases(Path(options.cases), options.chip)
        except AutokernelError as error:
            print(error, file=sys.stderr)
            return 2
    else:
        print_documented(options.quick, options.fit)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word
    sys.exit(main())
