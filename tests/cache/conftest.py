"""Every store there is, for the tests of the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from npu_autokernel.cache import SqliteStore, Store
from tests.cache.store_records import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=[SqliteStore])
def make_store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> Iterator[Callable[[str], Store]]:
    """Open the store of a name; each call makes a new object."""
    opened: list[Store] = []

    def open_one(name: str) -> Store:
        opened.append(request.param(tmp_path / name, clock))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(make_store: Callable[[str], Store]) -> Store:
    return make_store("store")
