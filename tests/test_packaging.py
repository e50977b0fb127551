"""What a stranger installs: every module under one name, versions that agree, a set-up that stops in time."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
NAME = "npu-autokernel"
SOURCE_TREES = ("npu_autokernel", "cache", "torch_backend", "examples")


def read_requirements() -> list[Requirement]:
    return [Requirement(text) for text in importlib.metadata.requires(NAME) or []]


def read_constraints() -> list[Requirement]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_every_source_file_is_built_under_the_projects_name(tmp_path: Path) -> None:
    # A copy, for setuptools writes beside setup.py.
    for tree in SOURCE_TREES:
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("*.so"))
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tmp_path / file)
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", "built"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    built = {str(path.relative_to(tmp_path / "built")) for path in tmp_path.glob("built/**/*.py")}
    asked = {
        os.path.join("" if tree == "npu_autokernel" else "npu_autokernel", path.relative_to(ROOT))
        for tree in SOURCE_TREES
        for path in (ROOT / tree).rglob("*.py")
    }
    assert built == asked
    assert (tmp_path / "built/npu_autokernel/py.typed").is_file()
    assert [path.name for path in (tmp_path / "built").iterdir()] == ["npu_autokernel"]


def test_entry_points_load() -> None:
    groups = {"console_scripts", "torch_dynamo_backends", "torch.backends"}
    points = [
        point
        for point in importlib.metadata.distribution(NAME).entry_points
        if point.group in groups
    ]
    assert {point.group for point in points} == groups
    for point in points:
        assert callable(point.load())


def test_constraints_meet_what_the_project_requires() -> None:
    pinned = {item.name: str(item.specifier).removeprefix("==") for item in read_constraints()}
    required = {item.name: item for item in read_requirements() if item.name != NAME}
    unpinned = {"torch-npu", "tomli", "wheel"}
    assert required.keys() - pinned.keys() <= unpinned
    for name, version in pinned.items():
        assert name in required, f"constraints.txt pins {name}, which nothing requires"
        assert required[name].specifier.contains(version)


def test_the_compiler_is_an_extra_only_where_it_has_wheels() -> None:
    compiler = [item for item in read_requirements() if item.name == "triton-ascend"]
    assert compiler
    for item in compiler:
        assert item.marker is not None
        served = {
            version: item.marker.evaluate({"python_version": version, "extra": "ascend"})
            for version in ("3.10", "3.11", "3.12", "3.13")
        }
        assert served == {"3.10": True, "3.11": True, "3.12": False, "3.13": False}


def list_tracked_files() -> list[Path]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.splitlines()]


def test_no_file_names_an_index_host() -> None:
    host = re.compile(r"(?:index-url|find-links)[ =]+[\"']?(?:https?|file):|py" + r"pi\.org")
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in list_tracked_files()}
    assert [str(path) for path, text in texts.items() if host.search(text)] == []


def run_set_up(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "tools/set_up.sh"), str(folder)],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_set_up_without_a_python_says_which_it_needs(tmp_path: Path) -> None:
    shim = tmp_path / "python3.11"
    shim.write_text("#!/bin/sh\necho 'no such version' >&2\nexit 127\n")
    shim.chmod(0o755)
    done = run_set_up(tmp_path / "environment", PYTHON=str(shim))
    assert done.returncode == 1
    assert "No Python 3.10 to 3.13" in done.stderr
    assert not (tmp_path / "environment").exists()


@pytest.fixture
def others_environment(tmp_path: Path) -> Path:
    """A virtual environment that somebody made, with a foreign triton in it."""
    folder = tmp_path / "environment"
    command = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(command, check=True, timeout=60)
    site = next(folder.glob("lib/python*/site-packages"))
    metadata = site / "triton-3.4.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: triton\nVersion: 3.4.0\n")
    return folder


def test_set_up_leaves_somebody_elses_foreign_triton_and_stops(others_environment: Path) -> None:
    done = run_set_up(others_environment)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "foreign triton" in done.stderr
    assert list(others_environment.glob("lib/python*/site-packages/triton-3.4.0.dist-info"))
