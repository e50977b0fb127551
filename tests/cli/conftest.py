"""A store with two proven kernels that differ in one argument, and a way to run commands on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from npu_autokernel.cache import Artifact, KernelRecord, SqliteStore, canonical_json
from npu_autokernel.cli.main import main
from npu_autokernel.graph.key import make_proof_key, make_tuning_bucket
from npu_autokernel.graph.task import KernelTask
from tests.contracts import CANDIDATE, COMPILED_KERNEL, MEASUREMENT, TASK, VERDICT

TOOLCHAIN = (("ascendnpu-ir", "1.2.0"), ("torch", "2.13.0"), ("triton-ascend", "3.2.0"))

RunCommand = Callable[..., Result]


def make_record(task: KernelTask, used_at: float) -> KernelRecord:
    image = canonical_json(COMPILED_KERNEL.to_json()).encode()
    return KernelRecord(
        proof_key=make_proof_key(task, "Ascend910B1", TOOLCHAIN).to_json(),
        bucket=make_tuning_bucket(task),
        candidate=CANDIDATE.to_json(),
        artifacts=(Artifact("kernel0.json", image),),
        verdict=replace(VERDICT, reason="ok", message="All gates passed.").to_json(),
        measurement=MEASUREMENT.to_json(),
        requires=CANDIDATE.plan.requires,
        provenance={"proposer": "built-in"},
        created_at=used_at,
        last_used_at=used_at,
    )


@pytest.fixture
def store_folder(tmp_path: Path) -> Path:
    scaled = replace(TASK.ops[0], keywords=(("alpha", 3),))
    other = replace(TASK, ops=(scaled, *TASK.ops[1:]))
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(make_record(TASK, 2e9))
    store.put_kernel(make_record(other, 1e9))
    store.close()
    return tmp_path / "store"


@pytest.fixture
def run_command(store_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunCommand]:
    """`run_command("cache", "ls")` on the store, with no other settings."""
    monkeypatch.setenv("NPU_AUTOKERNEL_STORE", str(store_folder))
    monkeypatch.delenv("NPU_AUTOKERNEL_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(store_folder / "none"))

    def run(*arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(main, list(arguments), input=answer)

    yield run
