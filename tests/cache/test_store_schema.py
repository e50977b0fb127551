"""An older file becomes a current one whole or not at all, and released steps never change."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from npu_autokernel.cache import SqliteStore, StoreUnavailable
from npu_autokernel.cache.sqlite import schema
from tests.cache.store_records import make_kernel

ADD_COLUMN = "ALTER TABLE kernels ADD COLUMN note TEXT; CREATE TABLE extra (x)"


def append_step(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Be a later version of the code, which knows one more step."""
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    monkeypatch.setattr(schema, "SCHEMA_VERSION", len(schema.MIGRATIONS))


def read_schema(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "store.db")) as db:
        rows = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        return [sql for (sql,) in rows]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(make_kernel())
    store.close()
    return tmp_path / "store"


def test_the_tables_are_the_released_ones(
    folder: Path, check_golden: Callable[[str, str], None]
) -> None:
    check_golden("cache/schema.sql", ";\n\n".join(read_schema(folder)) + ";\n")


def test_an_older_file_is_migrated_with_what_it_holds(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_step(monkeypatch, ADD_COLUMN)
    store = SqliteStore(folder)
    assert store.get_kernels(make_kernel().proof_digest) == (make_kernel(),)
    store.close()
    assert "CREATE TABLE extra (x)" in read_schema(folder)
    monkeypatch.undo()
    with pytest.raises(StoreUnavailable) as caught:
        SqliteStore(folder)
    assert caught.value.code == "store.foreign_version"


def test_a_step_that_fails_leaves_the_older_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_schema(folder)
    append_step(monkeypatch, f"{ADD_COLUMN}; CREATE TABLE kernels (x)")
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        SqliteStore(folder)
    assert read_schema(folder) == before
    monkeypatch.undo()
    store = SqliteStore(folder)
    assert store.get_kernels(make_kernel().proof_digest) == (make_kernel(),)
