"""The demo as a person runs it: two processes, one store."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.timeout(900)
def test_demo_writes_kernels_and_starts_again_from_the_store(tmp_path: Path) -> None:
    store = tmp_path / "store"
    environ = {**os.environ, "NPU_AUTOKERNEL_BUDGET_SCREENS": "1"}
    command = [sys.executable, "-m", "npu_autokernel", "demo", "--store", str(store)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(store) in done.stdout
    counts = re.findall(r"kernels: (\d+) regions written now, (\d+) from the store", done.stdout)
    first, second = ((int(new), int(old)) for new, old in counts)
    assert first[0] > 0
    assert second == (0, first[0] + first[1])
    assert "machine estimate (Ascend910B1, clock" in done.stdout
    assert done.stdout.count("Kernels differ from eager by at most") == 2
