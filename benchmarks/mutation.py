"""How many lost synchronisations the machine's checks notice: `python benchmarks/mutation.py`.

Every flag, barrier and cross-core flag that a kernel of the corpus executes is taken out, also the
events inside of products: alone, and together with all that answer it. Two oracles that know
nothing of the checks tell what is lost (tests/machine/mutation_study.py): the mutant's pipes run in
`--seeds` random orders, and the dependences of the kernel as compiled are asked for anew.

Printed per kernel, for each kind of loss: mutants that are reported, of how many; and by name those
that are not reported although something is lost, or reported although nothing is. The end sums up.
The exit code is 1 if there is one of these, or if a kernel as compiled is reported or depends on
the order of its pipes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import choose_kernels
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.mutation_study import KINDS, prepare_runs, study_mutants

GROUPS = {10: "vector", 20: "cube", 31: "mix", 32: "mix"}


@dataclass(frozen=True)
class Row:
    """One kernel: findings as (kind of loss, reported), those to look at, and how it is itself.

    `harmless`: what can be taken out without a loss, by its kind.
    """

    name: str
    group: str
    findings: list[tuple[str, bool]]
    odd: list[str]
    codes: dict[str, int]
    harmless: dict[str, int]
    is_reported: bool
    depends_on_order: bool
    seconds: float


def study(entry: CorpusKernel, seeds: int) -> Row:
    start = time.perf_counter()
    program, dump = load_entry(entry), compile_entry(entry)
    assert isinstance(dump, HivmDump)
    runs = prepare_runs(entry, program)
    findings = list(study_mutants(runs, program, dump.text, seeds))
    return Row(
        name=entry.name,
        group=GROUPS[program.task_type],
        findings=[(found.kind, found.reported is not None) for found in findings],
        odd=[str(found) for found in findings if found.is_odd],
        codes=dict(Counter(found.reported for found in findings if found.reported)),
        harmless=dict(Counter(f.mutant.family for f in findings if f.kind == "nothing")),
        is_reported=runs.ask_machine(program) is not None,
        depends_on_order=runs.find_difference(program, seeds) is not None,
        seconds=time.perf_counter() - start,
    )


def count_kinds(findings: Sequence[tuple[str, bool]]) -> str:
    counts = Counter(findings)
    cells = []
    for kind in KINDS:
        reported, missed = counts[kind, True], counts[kind, False]
        cells.append(f"{reported:5} of {reported + missed:5}")
    return " ".join(f"{cell:>15}" for cell in cells)


def print_row(row: Row) -> None:
    note = "  REPORTED AS COMPILED" * row.is_reported + "  DEPENDS ON ORDER" * row.depends_on_order
    print(f"{row.name:32} {count_kinds(row.findings)} {row.seconds:7.1f} s{note}")
    for line in row.odd:
        print(f"    {line}")
    sys.stdout.flush()


def print_summary(rows: Sequence[Row], seeds: int) -> None:
    for group in sorted({row.group for row in rows}):
        of_group = [row for row in rows if row.group == group]
        findings = [found for row in of_group for found in row.findings]
        print(f"{len(of_group):4} {group:27} {count_kinds(findings)}")
    print(f"{len(rows):4} {'all':27} {count_kinds([f for row in rows for f in row.findings])}")
    reported = sum(row.is_reported for row in rows)
    depend = sum(row.depends_on_order for row in rows)
    print(
        f"as compiled: {reported} of {len(rows)} kernels reported, {depend} depend on the order of "
        f"their pipes ({seeds} orders each)"
    )
    print("reports: " + join_counts([row.codes for row in rows]))
    print("without a loss: " + join_counts([row.harmless for row in rows]))


def join_counts(counts: Sequence[dict[str, int]]) -> str:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return ", ".join(f"{name} {count}" for name, count in total.most_common())


def read_rows(path: Path | None) -> list[Row]:
    if path is None or not path.exists():
        return []
    rows = [Row(**json.loads(line)) for line in path.read_text().splitlines()]
    return [
        Row(**{**asdict(row), "findings": [(kind, seen) for kind, seen in row.findings]})
        for row in rows
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--kernels", nargs="*", help="names; all without it")
    parser.add_argument("--record", type=Path, help="a file of rows: those in it are not run again")
    options = parser.parse_args(arguments)
    try:
        entries = choose_kernels(options.kernels or ())
    except ValueError as error:
        parser.error(str(error))
    torch.set_num_threads(1)  # buffers are small, copies and comparisons many
    rows = read_rows(options.record)
    known = {row.name for row in rows}
    print(f"{'kernel':32} " + " ".join(f"{kind:>15}" for kind in KINDS))
    for entry in entries:
        if entry.name in known:
            continue
        row = study(entry, options.seeds)
        print_row(row)
        rows.append(row)
        if options.record:
            with options.record.open("a") as file:
                file.write(json.dumps(asdict(row)) + "\n")
    print_summary(rows, options.seeds)
    return int(any(row.odd or row.is_reported or row.depends_on_order for row in rows))


if __name__ == "__main__":
    sys.exit(main())
