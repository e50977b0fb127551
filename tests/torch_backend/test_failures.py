"""Whatever goes wrong on our side, the model gives eager's answer and one warning says what to do."""

from __future__ import annotations

import importlib.metadata
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from npu_autokernel.errors import BadOptionError, CacheMissError, UnknownOptionError
from npu_autokernel.targets.machine_target import PreparedKernel
from npu_autokernel.torch_backend import cutting, graph_compiler, region_builder
from npu_autokernel.torch_backend.entry import npu_autokernel
from npu_autokernel.torch_backend.region_report import last_report


def function(x):
    return torch.exp(x * 0.25) + 1.0


def check(compiled) -> None:
    x = torch.randn(11, 13)
    torch.testing.assert_close(compiled(x), function(x))


def list_refusals(reports) -> list[str]:
    regions = [region for report in reports for region in report.regions]
    return [region.refusal.code if region.refusal else "kernel" for region in regions]


def raise_error(*arguments, **keywords):
    raise ZeroDivisionError("a bug")


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (graph_compiler, "get_session"),
        (graph_compiler, "partition_graph"),
        (graph_compiler, "assemble_graph"),
        (graph_compiler, "publish_report"),
        (cutting, "read_region"),
        (region_builder, "KernelShelf"),
        (region_builder, "RegionCall"),
    ],
)
def test_an_error_of_ours_while_compiling(
    compile_model, warnings, monkeypatch, module, name
) -> None:
    monkeypatch.setattr(module, name, raise_error)
    check(compile_model(function))
    (warning,) = warnings()
    assert "ZeroDivisionError: a bug" in warning
    assert "region.internal_error" in warning


def test_a_chip_without_a_clock_has_eagers_answer(compile_model, warnings, reports) -> None:
    check(compile_model(function, soc="Ascend950PR_9589"))
    (warning,) = warnings()
    assert "no calibrated costs for Ascend950PR_9589" in warning
    assert "NPU_AUTOKERNEL_SOC" in warning
    assert list_refusals(reports) == ["machine.no_estimate"]


def test_a_chip_without_a_clock_is_said_in_mode_cached_too(compile_model, reports) -> None:
    check(compile_model(function, soc="Ascend950PR_9589", mode="cached"))
    assert list_refusals(reports) == ["machine.no_estimate"]


def test_a_kernel_that_raises_while_it_runs(compile_model, warnings, reports, monkeypatch) -> None:
    compiled = compile_model(function)
    check(compiled)
    assert list_refusals(reports) == ["kernel"]
    monkeypatch.setattr(PreparedKernel, "run", raise_error)
    check(compiled)
    check(compiled)
    (warning,) = warnings()
    assert "region.run_failed" in warning
    assert list_refusals(reports) == ["region.run_failed"]
    assert last_report().regions[0].origin == "eager"


def test_a_store_that_cannot_be_made(compile_model, warnings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    check(compile_model(function, store=str(tmp_path / "file" / "store"), mode="cached"))
    assert len(warnings()) == 1
    assert "file/store" in warnings()[0]


def test_a_store_that_is_no_database(compile_model, warnings, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir(mode=0o700)
    (folder / "store.db").write_bytes(b"nonsense" * 1000)
    (folder / "store.db").chmod(0o600)
    check(compile_model(function, store=str(folder), mode="cached"))
    assert any("store.corrupt_file" in warning for warning in warnings())


def test_a_store_of_a_newer_version(compile_model, warnings, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    check(compile_model(function, store=str(folder), mode="cached"))
    npu_autokernel.reset()
    torch._dynamo.reset()
    with sqlite3.connect(folder / "store.db") as database:
        database.execute("PRAGMA user_version = 9999")
    check(compile_model(function, store=str(folder), mode="cached"))
    assert any("store.foreign_version" in warning for warning in warnings())


def test_a_store_that_others_may_write_to(compile_model, warnings, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    folder.chmod(0o777)
    check(compile_model(function, store=str(folder), mode="cached"))
    assert any("store.owner" in warning for warning in warnings())


def test_a_store_that_is_full(tmp_path: Path) -> None:
    """The kernel is written and used, and the next process is said to need it again."""
    script = """
import resource, sys, torch
from npu_autokernel.torch_backend.entry import npu_autokernel
from npu_autokernel.torch_backend.region_report import last_report
from npu_autokernel.torch_backend.session import get_session
from npu_autokernel.settings import load_settings
assert get_session(load_settings()).store is not None
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
function = lambda x: torch.cos(x) * 3.0
x = torch.randn(5, 7)
got = torch.compile(function, backend=npu_autokernel)(x)
torch.testing.assert_close(got, function(x))
print(last_report().regions[0].origin)
"""
    variables = {"STORE": str(tmp_path / "store"), "POLICY": "all", "BUDGET_SCREENS": "1"}
    environment = {f"NPU_AUTOKERNEL_{name}": value for name, value in variables.items()}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "drafted\n", done.stderr
    assert done.stderr.count("kernels serve this process only") == 1


def test_a_missing_compiler(compile_model, warnings, reports, monkeypatch, tmp_path: Path) -> None:
    version = importlib.metadata.version

    def lose_the_front_end(name: str) -> str:
        if name == "triton-ascend":
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", lose_the_front_end)
    check(compile_model(function, store=str(tmp_path / "store")))
    (warning,) = warnings()
    assert "npu-autokernel doctor" in warning
    assert list_refusals(reports) == ["compile.missing"]


def test_a_miss_in_mode_cached_and_the_hit_after_it_was_written(
    compile_model, reports, tmp_path: Path
) -> None:
    store = str(tmp_path / "store")
    check(compile_model(function, store=store, mode="cached"))
    torch._dynamo.reset()
    check(compile_model(function, store=store))
    torch._dynamo.reset()
    check(compile_model(function, store=store, mode="cached"))
    assert list_refusals(reports) == ["region.miss", "kernel", "kernel"]
    origins = [report.regions[0].origin for report in reports]
    assert origins == ["eager", "drafted", "store"]


def test_a_miss_where_misses_are_forbidden_reaches_the_user(compile_model, tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with pytest.raises(CacheMissError, match="prebuild"):
        check(compile_model(function, store=store, assert_cache_hit=True))
    torch._dynamo.reset()
    check(compile_model(lambda x: function(x) @ x.t() if False else function(x), store=store))


def test_work_that_no_drafter_serves_is_no_miss(compile_model, tmp_path: Path) -> None:
    compiled = compile_model(
        lambda x: torch.cdist(x, x), store=str(tmp_path / "store"), assert_cache_hit=True
    )
    x = torch.randn(3, 4)
    torch.testing.assert_close(compiled(x), torch.cdist(x, x))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"modee": "sync"}, UnknownOptionError, "Did you mean 'mode'"),
        ({"policy": "most"}, BadOptionError, "auto, all"),
    ],
)
def test_a_wrong_option_reaches_the_user(compile_model, options, error, text) -> None:
    with pytest.raises(error, match=text):
        compile_model(function, **options)(torch.ones(3))


def test_the_switch_off_gives_the_graph_back_untouched() -> None:
    graph = torch.fx.symbolic_trace(function)
    assert npu_autokernel(graph, [torch.ones(3)], options={"enabled": False}) is graph


def test_torchs_own_mode_is_accepted() -> None:
    compiled = torch.compile(function, backend=npu_autokernel, mode="reduce-overhead")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NPU_AUTOKERNEL_MODE", "cached")
        check(compiled)


def test_controls_keep_regions_in_eager(compile_model, reports) -> None:
    for options in ({"ban": "exp"}, {"regions": "1000000:"}, {"pin": "exp=0000"}):
        torch._dynamo.reset()
        check(compile_model(function, **options))
    assert "region.banned" in list_refusals(reports)
    assert "region.pin" in list_refusals(reports)
    assert [op.refusal.code for op in reports[0].eager_ops] == ["region.banned"]


def test_a_policy_that_finds_no_profit_keeps_eager(compile_model, reports, monkeypatch) -> None:
    monkeypatch.setattr("npu_autokernel.torch_backend.policy.MARGIN", 0.0)
    check(compile_model(function, policy="auto"))
    assert list_refusals(reports) == ["region.not_profitable"]


def test_the_first_call_runs_the_kernels_too(compile_model, monkeypatch) -> None:
    from npu_autokernel.targets.machine_target import PreparedKernel

    runs = []
    run = PreparedKernel.run

    def count(self, *arguments, **keywords):
        runs.append(self)
        return run(self, *arguments, **keywords)

    monkeypatch.setattr(PreparedKernel, "run", count)
    compile_model(lambda x: torch.softmax(x * 2, -1))(torch.randn(8, 16))
    assert len(runs) == 1


def test_under_a_dispatch_mode_the_mode_sees_the_ops(compile_model) -> None:
    from torch.utils.flop_counter import FlopCounterMode

    compiled = compile_model(lambda x: torch.exp(x @ x))
    x = torch.randn(4, 4)
    compiled(x)
    with FlopCounterMode(display=False) as counter:
        compiled(x)
    assert counter.get_total_flops() == 2 * 4**3


def test_a_forked_child_compiles_with_things_of_its_own(compile_model) -> None:
    check(compile_model(function))
    torch._dynamo.reset()
    child = os.fork()
    if child == 0:
        try:
            check(compile_model(function))
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
