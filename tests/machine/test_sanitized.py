"""The machine under AddressSanitizer and UBSan: whatever the dump says, it ends in an outcome.

A stand-alone driver (csrc/driver.cpp) runs the compiler's dumps and damaged copies of them
(csrc/damage.cpp) with checks, orders of the pipes and the clock on and off. It is built once, in
build/sanitized. To look at a copy that failed: machine_driver --seed SEED --show COPY FILE.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from npu_autokernel.reasons import list_reasons

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "sanitized"
DUMPS = sorted((Path(__file__).parent / "dumps").glob("*.mlir"))
# Two of the 950's: a reduction with predicates, and one with narrow lanes.
DUMPS += [
    Path(__file__).parent / "dumps/950" / f"{name}.mlir"
    for name in ("sum_rows_odd", "cast_fp32_to_i8_1024")
]
# No dump needs more than its buffers of 64 KiB and the memories of three cores.
SANITIZERS = {
    "ASAN_OPTIONS": "max_allocation_size_mb=512:hard_rss_limit_mb=2048",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
COPIES = 400
RUN_TIMEOUT_S = 120  # a run takes seconds; more is a hang


def find_program(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found, f"{name} is not installed"
    return found


def run(command: list[str], timeout_s: int) -> str:
    """Standard output; fails with all that was printed if the process does."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=timeout_s, env={**os.environ, **SANITIZERS}
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[:8000]}"
    return done.stdout


@pytest.fixture(scope="module")
def driver() -> str:
    BUILD.mkdir(parents=True, exist_ok=True)
    configure = [find_program("cmake"), "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja"]
    configure += [
        "-DNPU_AUTOKERNEL_SANITIZE=ON",
        f"-DCMAKE_MAKE_PROGRAM={find_program('ninja')}",
    ]
    with (BUILD / ".lock").open("w") as lock:  # two test runs may share the folder
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(configure, 60)
        run([find_program("cmake"), "--build", str(BUILD), "--target", "machine_driver"], 900)
    return str(BUILD / "machine_driver")


def list_outcomes(driver: str, dump: Path, copies: int, seed: int) -> list[str]:
    command = [driver, "--copies", str(copies), "--seed", str(seed), str(dump)]
    lines = run(command, RUN_TIMEOUT_S).splitlines()
    return [line.rpartition(": ")[2] for line in lines]


@pytest.mark.timeout(1200)  # the build
def test_the_driver_is_sanitized(driver: str) -> None:
    done = subprocess.run(
        [driver], env={"ASAN_OPTIONS": "help=1"}, capture_output=True, text=True, timeout=60
    )
    assert "AddressSanitizer" in done.stderr


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_whole_dumps_run_with_every_choice_of_options(driver: str, dump: Path) -> None:
    outcomes = [list_outcomes(driver, dump, 0, seed) for seed in range(6)]
    assert outcomes == [["ok"]] * 6


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_damaged_dumps_end_in_an_outcome(driver: str, dump: Path) -> None:
    outcomes = Counter(list_outcomes(driver, dump, COPIES, seed=17))
    assert outcomes.total() == COPIES + 1
    known = {reason.code for reason in list_reasons()}
    assert {code for code in outcomes if code.startswith("machine.")} <= known
    # The damage reaches further than the parser, and some of it does no harm.
    assert len(outcomes) >= 4 and outcomes["ok"] > COPIES // 50
