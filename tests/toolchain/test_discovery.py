"""Finding the tool chain, and what stands in its way, from distribution metadata alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from npu_autokernel.reasons import Refusal
from npu_autokernel.toolchain import discovery
from npu_autokernel.toolchain.versions import read_versions


def test_the_installed_tool_chain_is_found() -> None:
    toolchain = discovery.find_toolchain()
    assert isinstance(toolchain, discovery.Toolchain)
    assert toolchain.compiler.is_file()


def test_each_family_has_its_compiler() -> None:
    for soc_name, compiler_name in (
        ("Ascend910_9382", "bishengir-compile"),
        ("Ascend950PR_9589", "bishengir-compile-a5"),
        ("950PR_9589", "bishengir-compile-a5"),
    ):
        toolchain = discovery.find_toolchain(soc_name)
        assert isinstance(toolchain, discovery.Toolchain)
        assert toolchain.compiler.name == compiler_name


def test_nothing_heavy_is_imported() -> None:
    script = (
        "import sys\n"
        "from npu_autokernel.toolchain import discovery, versions\n"
        "discovery.find_toolchain(); versions.read_versions()\n"
        "print(sorted({'triton', 'torch', 'numpy'} & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout == "[]\n"


def test_versions_name_what_a_proof_depends_on() -> None:
    assert [name for name, _ in read_versions()] == ["ascendnpu-ir", "torch", "triton-ascend"]


def test_a_foreign_triton_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "triton-3.4.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: triton\nVersion: 3.4.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    refusal = discovery.find_toolchain()
    assert isinstance(refusal, Refusal)
    assert (refusal.code, dict(refusal.evidence)) == (
        "compile.foreign_triton",
        {"detail": "triton 3.4.0"},
    )


def test_without_distributions_the_missing_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    refusal = discovery.find_toolchain()
    assert isinstance(refusal, Refusal)
    assert refusal.code == "compile.missing"
    assert "triton-ascend" in refusal.message


def test_a_compiler_on_path_serves_where_no_distribution_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "bishengir-compile"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert discovery.find_compiler() == compiler
