"""The switches a user has, each in a fresh process: by name, by NPU_AUTOKERNEL, and a warm start."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import torch

from npu_autokernel.torch_backend.entry import npu_autokernel

SCRIPT = """
import sys
import torch
from npu_autokernel.torch_backend.entry import npu_autokernel
from npu_autokernel.torch_backend.region_report import listen_to_reports
from npu_autokernel.autoload import _autoload
_autoload()  # what the entry point does, where the package is installed

def function(x):
    return torch.cos(x) * 3.0

compiled = torch.compile(function{arguments})
with listen_to_reports() as reports:
    for size in (19, 23):
        x = torch.randn(size, 21)
        torch.testing.assert_close(compiled(x), function(x))
print([region.origin for report in reports for region in report.regions])
unwanted = "npu_autokernel.toolchain.triton_ascend npu_autokernel.agent.episode click rich".split()
print([name for name in unwanted if name in sys.modules])
"""


def run_script(arguments: str, store: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "NPU_AUTOKERNEL_STORE": str(store),
        "NPU_AUTOKERNEL_POLICY": "all",
        "NPU_AUTOKERNEL_BUDGET_SCREENS": "1",
        **variables,
    }
    command = [sys.executable, "-c", SCRIPT.format(arguments=arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_one_switch_compiles_an_unnamed_model_and_says_that_it_simulates(tmp_path: Path) -> None:
    cold = run_script("", tmp_path / "store", NPU_AUTOKERNEL="1")
    assert cold.stdout.splitlines()[0] == "['drafted', 'store']"
    assert cold.stderr.count("NPU_AUTOKERNEL=0 turns this off") == 1
    warm = run_script(", backend=npu_autokernel", tmp_path / "store", NPU_AUTOKERNEL_MODE="cached")
    assert warm.stdout.splitlines() == ["['store', 'store']", "[]"]
    assert warm.stderr == ""


def test_torch_finds_the_backend_by_its_name() -> None:
    (entry,) = entry_points(group="torch_dynamo_backends", name="npu_autokernel")
    assert entry.load() is npu_autokernel
    with torch._dynamo.config.patch(suppress_errors=False):
        options = {"mode": "cached", "enabled": True}
        compiled = torch.compile(torch.sin, backend="npu_autokernel", options=options)
        torch.testing.assert_close(compiled(torch.ones(3)), torch.ones(3).sin())


def test_a_reset_numbers_regions_from_the_start(compile_model, reports) -> None:
    for _ in range(2):
        npu_autokernel.reset()
        torch._dynamo.reset()
        compile_model(lambda x: x.exp(), mode="cached")(torch.ones(3, 4))
    assert [report.regions[0].name for report in reports] == ["r0", "r0"]
    assert [report.index for report in reports] == [0, 0]
