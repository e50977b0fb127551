"""What the corpus costs: `python benchmarks/corpus.py [--kernels NAME ...]`.

Per kernel, in milliseconds: compiling, decoding the dump, and one launch (the best of `--runs`):
plain, looking for reads of unwritten memory, and looking for races. The end sums up. Results are
not judged here; tests/machine/test_corpus.py does that.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from npu_autokernel.machine import ExecutionOptions, load_program
from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import choose_kernels
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import copy_values, draw_values, launch

COLUMNS = ("compile", "decode", "run", "unwritten", "races")
MODES = (
    ExecutionOptions(),
    ExecutionOptions(check_uninitialised=True),
    ExecutionOptions(check_races=True),
)


def time_ms(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def measure(entry: CorpusKernel, runs: int) -> list[float]:
    """Milliseconds in the order of COLUMNS."""
    compile_ms = time_ms(lambda: compile_entry(entry))
    dump = compile_entry(entry)
    assert isinstance(dump, HivmDump)
    decode_ms = time_ms(lambda: load_program(dump.text))
    program = load_entry(entry)
    inputs = draw_values(entry, 0)
    figures = [compile_ms, decode_ms]
    for options in MODES:
        values = [copy_values(inputs) for _ in range(runs)]
        figures.append(
            min(time_ms(lambda v=v, o=options: launch(program, entry, v, o)) for v in values)
        )
    return figures


def format_row(name: str, figures: list[float]) -> str:
    return f"{name:40}" + "".join(f"{figure:11.2f}" for figure in figures)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", nargs="*", help="names; all without it")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args(arguments)
    try:
        chosen = choose_kernels(options.kernels or ())
    except ValueError as error:
        parser.error(str(error))
    print(f"{'milliseconds':40}" + "".join(f"{column:>11}" for column in COLUMNS))
    totals = [0.0] * len(COLUMNS)
    for entry in chosen:
        figures = measure(entry, options.runs)
        totals = [total + figure for total, figure in zip(totals, figures, strict=True)]
        print(format_row(entry.name, figures), flush=True)
    print(format_row(f"{len(chosen)} kernels", totals))


if __name__ == "__main__":
    main()
