"""How much of the corpus compiles for the 950 and runs as its oracle says: `python benchmarks/ascend950.py`.

Every corpus kernel (or those named) is compiled by bishengir-compile-a5, decoded, and run with all checks on. Printed:
each kernel that does not get through, with why, then a row per family; `--inventory` adds how many kernels and
occurrences each op has in the dumps. docs/ascend950.md keeps both. The exit code is 1 if a result is wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from npu_autokernel.machine import ExecutionOptions, MachineFault, load_program
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal
from tests.machine.corpus import choose_kernels
from tests.machine.corpus.compiling import compile_entry
from tests.machine.corpus.entry import CorpusKernel
from tests.machine.corpus.running import copy_values, draw_values, find_differences, launch

SOC_NAME = "Ascend950PR_9589"
CHECKED = ExecutionOptions(check_uninitialised=True, check_races=True)
OP_NAME = re.compile(r'^ *(?:%[^=]*= )?"([\w.]+)"\(', re.MULTILINE)
OUTCOMES = ("right", "refused", "faulty", "wrong", "not compiled")


def try_kernel(entry: CorpusKernel, ops: dict[str, Counter[str]]) -> tuple[str, str]:
    """An outcome of OUTCOMES and why; counts the dump's ops."""
    dump = compile_entry(entry, SOC_NAME)
    if isinstance(dump, Refusal):
        return "not compiled", dump.message
    ops[entry.name] = Counter(OP_NAME.findall(dump.text))
    program = load_program(dump.text)
    if isinstance(program, MachineFault):
        return "refused", str(program)
    for seed in (0, 1):
        before = draw_values(entry, seed)
        after = copy_values(before)
        fault = launch(program, entry, after, CHECKED, get_soc(SOC_NAME)).fault
        if fault is not None:
            return "refused" if fault.code == "machine.unsupported_op" else "faulty", str(fault)
        differences = find_differences(entry, before, after)
        if differences:
            return "wrong", differences[0]
    return "right", ""


def print_families(families: dict[str, Counter[str]]) -> None:
    print(f"\n{'family':20}" + "".join(f"{outcome:>14}" for outcome in OUTCOMES))
    for family, counts in families.items():
        print(f"{family:20}" + "".join(f"{counts[outcome]:14}" for outcome in OUTCOMES))
    total = sum(families.values(), Counter[str]())
    print(f"{'all':20}" + "".join(f"{total[outcome]:14}" for outcome in OUTCOMES))


def print_inventory(ops: dict[str, Counter[str]]) -> None:
    kernels = Counter(name for counts in ops.values() for name in counts)
    occurrences = sum(ops.values(), Counter[str]())
    print(f"\n{'op':40}{'kernels':>8}{'times':>8}")
    for name in sorted(occurrences):
        print(f"{name:40}{kernels[name]:8}{occurrences[name]:8}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", help="names of corpus kernels; all without")
    parser.add_argument("--inventory", action="store_true", help="count the ops of the dumps")
    chosen = parser.parse_args(arguments)
    try:
        entries = choose_kernels(chosen.kernels)
    except ValueError as error:
        parser.error(str(error))
    ops: dict[str, Counter[str]] = {}
    families: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        outcome, why = try_kernel(entry, ops)
        families[entry.function.fn.__module__.split(".")[-1]][outcome] += 1
        if outcome != "right":
            print(f"{entry.name}: {outcome}: {why[:200]}", flush=True)
    print_families(families)
    if chosen.inventory:
        print_inventory(ops)
    return any(counts["wrong"] for counts in families.values())


if __name__ == "__main__":
    sys.exit(main())
