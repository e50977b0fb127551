"""How many lost synchronisations the machine's checks notice: `python benchmarks/mutation.py`.

Every flag, barrier and cross-core flag of the kernels below is taken out, alone and with its
partner. The oracle knows nothing of the checks: it runs the mutant's pipes in `--seeds` random
orders that its remaining flags allow and compares what is written, bit by bit. Printed per kernel:
mutants, reported ones, those that the oracle tells apart, and by name each that is not reported.
The end sums up; the exit code is 1 if a mutant differs unreported or a kernel as compiled is
reported.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from npu_autokernel.toolchain.bishengir import HivmDump
from tests.machine.corpus import KERNELS
from tests.machine.corpus.compiling import compile_entry, load_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.mutants import Finding, prepare_runs, study_mutants

VECTOR = (
    "add_fp32", "add_i64", "softmax_row", "softmax_rows_fp16", "softmax_in_parts",
    "layer_norm_fp16_700", "group_norm", "update_adamw", "exponential_strided",
    "halve_until_small", "sum_rows_in_parts", "multiply_by_vector_fp32", "cumulative_sum",
    "gather_block_of_rows", "transpose_fp32_32x32", "sort_rows", "accumulate_i64", "exchange",
)  # fmt: skip
CUBE = (
    "multiply_fp16", "multiply_fp32", "multiply_i8", "multiply_transposed", "multiply_persistent",
    "multiply_batches_bf16", "multiply_twice", "multiply_unmasked_128_128_1024",
)  # fmt: skip
MIX = (
    "multiply_add_bias", "multiply_bias_gelu", "multiply_dequantised", "multiply_exponential",
    "sum_product_rows", "softmax_of_product", "convolve", "attend_bf16", "attend_short",
)  # fmt: skip
GROUPS = {"vector": VECTOR, "cube": CUBE, "mix": MIX}


def study(entry: CorpusKernel, seeds: int) -> tuple[list[Finding], bool]:
    """All findings, and whether the kernel as compiled is reported or depends on the order."""
    program = load_entry(entry)
    dump = compile_entry(entry)
    assert isinstance(dump, HivmDump)
    runs = prepare_runs(entry, program)
    is_false = runs.ask_machine(program) is not None
    is_false |= runs.find_difference(program, seeds) is not None
    return list(study_mutants(runs, dump.text, seeds)), is_false


def print_kernel(name: str, findings: Sequence[Finding], is_false: bool, seconds: float) -> None:
    reported = sum(found.reported is not None for found in findings)
    differ = sum(found.differs for found in findings)
    note = "  FALSE REPORT" if is_false else ""
    print(f"{name:32} {len(findings):4} {reported:9} {differ:7} {seconds:7.1f} s{note}", flush=True)
    for found in findings:
        if found.reported is None:
            print(f"    {found}", flush=True)


def print_summary(group: str, findings: Sequence[Finding]) -> None:
    codes = Counter(found.reported for found in findings if found.reported)
    differ = [found for found in findings if found.differs]
    noticed = sum(found.reported is not None for found in differ)
    others = [found for found in findings if not found.differs]
    among_others = sum(found.reported is not None for found in others)
    print(
        f"{group}: {len(findings)} mutants; {noticed} of {len(differ)} that differ are reported, "
        f"and {among_others} of the {len(others)} others; "
        + ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--kernels", nargs="*", help="names; all without it")
    options = parser.parse_args()
    entries = {entry.name: entry for entry in KERNELS}
    failed = False
    print(f"{'kernel':32} {'ops':>4} {'reported':>9} {'differ':>7}")
    for group, names in GROUPS.items():
        of_group: list[Finding] = []
        for name in names:
            if options.kernels and name not in options.kernels:
                continue
            start = time.perf_counter()
            findings, is_false = study(entries[name], options.seeds)
            print_kernel(name, findings, is_false, time.perf_counter() - start)
            failed |= is_false or any(found.differs and not found.reported for found in findings)
            of_group += findings
        print_summary(group, of_group)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
