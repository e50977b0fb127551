"""explain, prebuild, verify and doctor on a small model, with the real compiler and machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from npu_autokernel.cache import Artifact, KernelRecord, SqliteStore
from npu_autokernel.cli.main import main

MODELS = "tests.cli.small_models"

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which `prebuild` has written the kernel of `make_rows`."""
    folder = tmp_path_factory.mktemp("commands") / "store"
    result = invoke("prebuild", f"{MODELS}:make_rows", "--workers", "1", folder=folder)
    assert result.exit_code == 0, result.output
    assert "1 regions, 1 kernels to write" in result.output
    assert "written  mul, _softmax: " in result.output
    return folder


@pytest.fixture(autouse=True)
def keep_every_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPU_AUTOKERNEL_POLICY", "all")


def invoke(*arguments: str, folder: Path) -> Result:
    torch._dynamo.reset()
    return CliRunner().invoke(main, [*arguments, "--store", str(folder)])


def read_kernel(folder: Path) -> KernelRecord:
    store = SqliteStore(folder)
    (summary,) = store.list_kernels()
    (record,) = store.get_kernels(summary.identity.proof_digest)
    return record


def test_explain_shows_a_hit(folder: Path) -> None:
    result = invoke("explain", f"{MODELS}:make_rows", folder=folder)
    assert result.exit_code == 0, result.output
    assert "1 regions, 1 with a kernel" in result.output
    assert "from the store" in result.output
    assert "machine estimate (Ascend910B1, clock" in result.output


def test_trace_of_a_stored_kernel_is_at_the_sizes_of_its_measurement(
    folder: Path, tmp_path: Path
) -> None:
    record = read_kernel(folder)
    path = tmp_path / "trace.json"
    result = invoke("trace", record.proof_digest[:12], "--output", str(path), folder=folder)
    assert result.exit_code == 0, result.output
    latency = f"{record.measurement['latency_us']:.2f} us  machine estimate (Ascend910B1, clock"
    assert latency in result.output
    assert f"limited by  {record.measurement['bottleneck']}" in result.output
    assert '"ph": "X"' in path.read_text(encoding="utf-8")
    # The store has the source, so its lines are quoted.
    assert "busiest source lines of the first block" in result.output
    assert "tl.store(" in result.output and '"source": "' in path.read_text(encoding="utf-8")


def test_trace_of_an_image_that_cannot_be_read_says_what_to_do(
    folder: Path, tmp_path: Path
) -> None:
    record = read_kernel(folder)
    renamed = tuple(Artifact(f"old-{item.name}", item.data) for item in record.artifacts)
    SqliteStore(tmp_path / "other").put_kernel(replace(record, artifacts=renamed))
    result = invoke("trace", record.proof_digest[:12], folder=tmp_path / "other")
    assert result.exit_code == 1
    assert "npu-autokernel verify" in result.output


def test_explain_names_the_field_in_which_a_miss_differs(folder: Path) -> None:
    output = invoke("explain", f"{MODELS}:make_other_rows", folder=folder).output
    assert "[region.miss]" in output
    assert "asked 3, stored 2" in output.replace(".0", "")


def test_explain_writes_nothing(folder: Path) -> None:
    generation = SqliteStore(folder).generation()
    invoke("explain", f"{MODELS}:make_other_rows", folder=folder)
    assert SqliteStore(folder).generation() == generation


def test_explain_says_why_an_op_stays_in_eager(folder: Path) -> None:
    output = invoke("explain", f"{MODELS}:make_product", folder=folder).output
    assert "1 x mm: " in output
    assert "[region.cube]" in output


def test_prebuild_has_nothing_left_to_do(folder: Path) -> None:
    result = invoke("prebuild", f"{MODELS}:make_rows", folder=folder)
    assert result.exit_code == 0
    assert "0 kernels to write" in result.output


def test_a_wrong_factory_is_one_line(folder: Path) -> None:
    result = invoke("explain", f"{MODELS}:make_nothing", folder=folder)
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "no function make_nothing" in result.output


def test_verify_proves_imported_kernels(folder: Path, tmp_path: Path) -> None:
    SqliteStore(folder).export_to(tmp_path / "kernels")
    other = tmp_path / "other"
    SqliteStore(other).import_from(tmp_path / "kernels")
    assert read_kernel(other).state == "imported"
    result = invoke("verify", "--imported", "--workers", "1", folder=other)
    assert result.exit_code == 0, result.output
    assert "1 kernels to prove" in result.output
    assert read_kernel(other).state == "proven"


def test_verify_deletes_a_kernel_that_fails(folder: Path, tmp_path: Path) -> None:
    record = read_kernel(folder)
    source = record.candidate["source"]
    assert "tl.exp(" in source
    wrong = {**record.candidate, "source": source.replace("tl.exp(", "tl.abs(")}
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(replace(record, candidate=wrong))
    result = invoke("verify", "--workers", "1", folder=tmp_path / "store")
    assert result.exit_code == 1
    assert "[match.mismatch]" in result.output
    assert store.list_kernels() == ()


def test_verify_leaves_other_versions_alone(folder: Path, tmp_path: Path) -> None:
    record = read_kernel(folder)
    versions = {**record.proof_key["toolchain"], "torch": "2.6.0"}
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(replace(record, proof_key={**record.proof_key, "toolchain": versions}))
    result = invoke("verify", folder=tmp_path / "store")
    assert "0 kernels to prove, 1 of other versions" in result.output
    assert len(store.list_kernels()) == 1


def test_doctor_finds_a_sound_environment(folder: Path) -> None:
    result = invoke("doctor", folder=folder)
    assert result.exit_code == 0, result.output
    assert "a kernel was written, compiled, run and proven" in result.output
    assert "1 proven kernels" in result.output


def test_doctor_stops_at_a_foreign_triton(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("npu_autokernel.cli.checks.find_foreign_triton", lambda: "triton 3.4.0")
    result = invoke("doctor", "--quick", folder=folder)
    assert result.exit_code == 1
    assert "BROKEN triton folder  triton 3.4.0 writes the folder triton/" in result.output
    assert "pip uninstall triton" in result.output


def test_doctor_says_what_is_wrong_with_the_settings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPU_AUTOKERNEL_SOC", "Ascend310")
    result = invoke("doctor", "--quick", folder=folder)
    assert result.exit_code == 1
    assert "BROKEN settings       Unknown SoC 'Ascend310'. Known: Ascend910B1, " in result.output


def test_doctor_says_that_a_chip_cannot_be_timed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPU_AUTOKERNEL_SOC", "Ascend950PR_9589")
    result = invoke("doctor", "--quick", folder=folder)
    assert result.exit_code == 1
    assert "BROKEN target         The clock has no calibrated costs" in result.output


def test_doctor_says_that_a_store_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir(mode=0o777)
    (tmp_path / "store").chmod(0o777)
    result = invoke("doctor", "--quick", folder=tmp_path / "store")
    assert result.exit_code == 1
    assert "BROKEN store" in result.output
