"""How long our imports take on top of torch's: `python benchmarks/import_time.py`.

Each module is imported in a fresh process in which torch is loaded already; the median of
`--runs` counts. Printed in milliseconds, beside the limit that we hold ourselves to.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

# What is imported, and its limit in milliseconds on top of torch.
LIMITS_MS = {
    "npu_autokernel": 50,
    "npu_autokernel.autoload": 10,
    "npu_autokernel.settings": 50,
    "npu_autokernel.torch_backend.entry": 50,
}
CODE = """
import time
import torch
start = time.perf_counter()
import {module}
print((time.perf_counter() - start) * 1e3)
"""


def time_import(module: str) -> float:
    """Milliseconds to import `module` in a fresh process after torch."""
    command = [sys.executable, "-c", CODE.format(module=module)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    for module, limit_ms in LIMITS_MS.items():
        median_ms = statistics.median(time_import(module) for _ in range(runs))
        verdict = "ok" if median_ms <= limit_ms else "TOO SLOW"
        print(f"{module:40} {median_ms:7.1f} ms of {limit_ms} ms  {verdict}")


if __name__ == "__main__":
    main()
