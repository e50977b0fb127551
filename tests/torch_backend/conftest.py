"""Compiling through the backend with one store for the whole run, so each kernel is written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from npu_autokernel.torch_backend.entry import npu_autokernel
from npu_autokernel.torch_backend.region_report import GraphReport, listen_to_reports

Compile = Callable[..., Callable[..., Any]]


@pytest.fixture(scope="session")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels") / "store"


@pytest.fixture
def compile_model(shared_store: Path) -> Iterator[Compile]:
    """`compile_model(model, dynamic=..., **options)`: every proven kernel is used, misses are written."""

    def compile_it(model: Callable[..., Any], dynamic: bool | None = None, **options: Any) -> Any:
        chosen = {"store": str(shared_store), "policy": "all", "budget_screens": 1, **options}
        return torch.compile(model, backend=npu_autokernel, dynamic=dynamic, options=chosen)

    torch._dynamo.reset()
    yield compile_it
    torch._dynamo.reset()


@pytest.fixture
def reports() -> Iterator[list[GraphReport]]:
    """What is compiled in this test, graph by graph."""
    with listen_to_reports() as heard:
        yield heard


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The warnings that our logger has given so far in this test."""

    def read() -> list[str]:
        ours = (record for record in caplog.records if record.name.startswith("npu_autokernel"))
        return [record.getMessage() for record in ours if record.levelname == "WARNING"]

    return read
