"""Damage on disk reads as a miss, is set aside, is told, and takes nothing else along."""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from npu_autokernel.cache import Artifact, KernelRecord, SqliteStore, StoreUnavailable
from npu_autokernel.cache.sqlite.quarantine import quarantine_row
from npu_autokernel.cache.sqlite.scan import DamagedRowFound, SourceTable
from npu_autokernel.cache.store_folder import StoreFolder
from tests.cache.store_records import make_attempt, make_kernel, make_memory, make_value

KERNELS = [make_kernel(bucket=str(number)) for number in range(3)]


def fill(folder: Path) -> None:
    """Make a store with all kinds of records, all of it in the database file itself."""
    store = SqliteStore(folder)
    for kernel in KERNELS:
        store.put_kernel(kernel)
    store.append_attempt(make_attempt())
    store.put_memory(make_memory(values=(make_value(),)))
    store.close()


def run_sql(folder: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(folder / "store.db", isolation_level=None)) as db:
        return db.execute(statement, values).fetchall()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "store")
    return tmp_path / "store"


class TestDamagedRow:
    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE kernels SET candidate = replace(candidate, 'def', 'dab') WHERE bucket = '1'",
            "UPDATE kernels SET candidate = CAST(x'ff' AS TEXT) WHERE bucket = '1'",
            "UPDATE kernels SET verdict = replace(verdict, 'ok', 'no') WHERE bucket = '1'",
            "UPDATE kernels SET measurement = 'not json' WHERE bucket = '1'",
            "UPDATE kernels SET requires = '[]' WHERE bucket = '1'",
            "UPDATE kernels SET proof_key = '{}' WHERE bucket = '1'",
            "UPDATE kernels SET state = 'imported' WHERE bucket = '1'",
            "UPDATE kernels SET state = x'00' WHERE bucket = '1'",
            "UPDATE kernels SET row_digest = '' WHERE bucket = '1'",
            "UPDATE kernels SET created_at = 'soon' WHERE bucket = '1'",
            "UPDATE kernels SET bucket = '1 ' WHERE bucket = '1'",
            "UPDATE artifacts SET data = x'0102' WHERE kernel_id = 2 AND ordinal = 0",
            "UPDATE artifacts SET data = 7 WHERE kernel_id = 2 AND ordinal = 0",
            "UPDATE artifacts SET name = 'other' WHERE kernel_id = 2 AND ordinal = 0",
            "DELETE FROM artifacts WHERE kernel_id = 2 AND ordinal = 1",
            "DELETE FROM artifacts WHERE kernel_id = 2",
        ],
    )
    def test_a_damaged_kernel_reads_as_a_miss_and_is_moved(self, folder: Path, damage: str) -> None:
        run_sql(folder, damage)
        store = SqliteStore(folder)
        found = store.get_kernels(KERNELS[0].proof_digest)
        assert found == (KERNELS[0], KERNELS[2])
        (finding,) = store.findings
        assert (finding.code, finding.subject) == ("store.corrupt_row", "kernels/2")
        assert finding.fixed
        assert store.stats().quarantined == 1
        assert store.check() == ()

    def test_an_artifact_of_another_kernel_is_not_taken(self, folder: Path) -> None:
        store = SqliteStore(folder)
        other = make_kernel(bucket="1", artifacts=(Artifact("program", b"evil"),))
        store.put_kernel(other)
        run_sql(
            folder,
            "UPDATE artifacts SET data = (SELECT data FROM artifacts WHERE kernel_id = "
            "(SELECT id FROM kernels WHERE bucket = '1')) WHERE kernel_id = 1 AND ordinal = 0",
        )
        assert store.get_kernels(other.proof_digest) == (other, KERNELS[2])

    def test_a_damaged_attempt_or_item_reads_as_absent(self, folder: Path) -> None:
        run_sql(folder, "UPDATE attempts SET body = x'00'")
        run_sql(folder, "UPDATE memory_items SET body = replace(body, 'longer', 'shorter')")
        store = SqliteStore(folder)
        assert store.list_attempts() == ()
        assert store.list_memory() == ()
        assert [finding.code for finding in store.findings] == ["store.corrupt_row"] * 2
        assert store.get_kernels(KERNELS[0].proof_digest) == tuple(KERNELS)

    def test_an_attempt_in_the_place_of_another_is_not_taken(self, folder: Path) -> None:
        store = SqliteStore(folder)
        store.append_attempt(make_attempt(ordinal=1, at=6.0))
        run_sql(folder, "UPDATE attempts SET body = (SELECT body FROM attempts WHERE id = 2)")
        assert store.list_attempts() == (make_attempt(ordinal=1, at=6.0),)

    def test_a_good_row_is_never_moved(self, folder: Path) -> None:
        """Between the read that met the damage and the move, another may have repaired it."""
        tables: list[SourceTable] = ["kernels", "attempts", "memory_items"]
        for table in tables:
            found = DamagedRowFound(table, 1, "it was damaged a moment ago")
            with closing(sqlite3.connect(folder / "store.db", isolation_level=None)) as db:
                assert not quarantine_row(db, found, now=0.0)
        store = SqliteStore(folder)
        assert store.stats().quarantined == 0
        assert len(store.list_kernels()) == 3

    def test_a_damaged_value_counts_as_never_learned(self, folder: Path) -> None:
        run_sql(folder, "UPDATE memory_values SET value = 'much', signature = '{'")
        store = SqliteStore(folder)
        assert store.list_memory() == (make_memory(),)
        run_sql(folder, "UPDATE memory_values SET signature = '[]'")
        store.update_values(["practice/rows"], "draft", (), 1.0, 0.5)
        (value,) = store.list_memory()[0].values
        assert (value.value, value.count) == (0.5, 1)

    def test_check_tells_all_damage_and_fixes_it_when_asked(self, folder: Path) -> None:
        run_sql(folder, "UPDATE kernels SET verdict = '{}' WHERE bucket = '0'")
        run_sql(folder, "UPDATE attempts SET body = x'00'")
        store = SqliteStore(folder)
        told = store.check()
        assert sorted(finding.subject for finding in told) == ["attempts/1", "kernels/1"]
        assert not any(finding.fixed for finding in told)
        assert store.stats().quarantined == 0
        fixed = store.check(fix=True)
        assert len(fixed) == 2 and all(finding.fixed for finding in fixed)
        assert store.stats().quarantined == 2
        assert store.check() == ()

    def test_an_export_leaves_damaged_rows_out(self, folder: Path, tmp_path: Path) -> None:
        run_sql(folder, "UPDATE kernels SET verdict = '{}' WHERE bucket = '0'")
        SqliteStore(folder).export_to(tmp_path / "file")
        assert SqliteStore(tmp_path / "other").import_from(tmp_path / "file").kernels == 2


class TestDamagedFile:
    def reopen(self, folder: Path) -> SqliteStore:
        """Open a damaged store and use it: whatever the damage, that works."""
        store = SqliteStore(folder)
        found = store.get_kernels(KERNELS[0].proof_digest)
        assert set(kernel.bucket for kernel in found) <= {"0", "1", "2"}
        assert all(kernel == KERNELS[int(kernel.bucket)] for kernel in found)
        new = make_kernel(bucket="new")
        store.put_kernel(new)
        assert new in store.get_kernels(new.proof_digest)
        return store

    @pytest.mark.parametrize("content", [b"garbage", b"garbage" * 5000, b"SQLite format 3\0" * 99])
    def test_a_file_of_garbage_is_moved_aside(self, folder: Path, content: bytes) -> None:
        (folder / "store.db").write_bytes(content)
        store = self.reopen(folder)
        (finding,) = store.findings
        assert (finding.code, finding.fixed) == ("store.corrupt_file", True)
        (kept,) = (folder / "quarantine").glob("*.db")
        assert kept.read_bytes() == content
        assert store.stats().quarantined == 1

    @pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
    def test_a_truncated_file_is_survived(self, folder: Path, share: float) -> None:
        database = folder / "store.db"
        content = database.read_bytes()
        database.write_bytes(content[: int(len(content) * share)])
        store = self.reopen(folder)
        store.check(fix=True)
        assert store.check() == ()

    def test_an_emptied_file_is_an_empty_store(self, folder: Path) -> None:
        (folder / "store.db").write_bytes(b"")
        assert self.reopen(folder).stats().proven_kernels == 1

    @pytest.mark.parametrize("seed", range(25))
    def test_flipped_bytes_never_give_a_wrong_record(self, folder: Path, seed: int) -> None:
        generator = random.Random(seed)
        database = folder / "store.db"
        content = bytearray(database.read_bytes())
        for _ in range(generator.choice([1, 10, 100])):
            content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
        content[:100] = database.read_bytes()[:100]  # the header has tests of its own
        database.write_bytes(content)
        store = self.reopen(folder)
        assert store.list_attempts() in ((), (make_attempt(),))
        assert [item.rationale for item in store.list_memory()] in (
            [],
            [make_memory().rationale],
        )
        store.check(fix=True)
        assert store.check() == ()

    def test_what_can_be_read_of_a_damaged_file_is_saved(self, folder: Path) -> None:
        (page,) = run_sql(folder, "SELECT rootpage FROM sqlite_master WHERE name = 'attempts'")[0]
        database = folder / "store.db"
        content = bytearray(database.read_bytes())
        content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
        database.write_bytes(content)
        store = SqliteStore(folder)
        assert store.list_attempts() == ()
        (finding,) = store.findings
        assert "4 records were saved" in finding.message
        assert store.get_kernels(KERNELS[0].proof_digest) == tuple(KERNELS)
        assert store.list_memory() == (make_memory(values=(make_value(),)),)

    def test_what_only_the_log_holds_is_saved_too(self, folder: Path) -> None:
        (page,) = run_sql(folder, "SELECT rootpage FROM sqlite_master WHERE name = 'attempts'")[0]
        late = make_kernel(bucket="late")
        child = os.fork()
        if child == 0:
            SqliteStore(folder).put_kernel(late)
            os._exit(0)  # without closing, so the log is not copied into the file
        assert os.waitpid(child, 0)[1] == 0
        with (folder / "store.db").open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"\xff" * 4096)
        store = SqliteStore(folder)
        assert store.list_attempts() == ()
        assert "5 records were saved" in store.findings[0].message
        assert store.get_kernels(late.proof_digest) == (*KERNELS, late)

    def test_a_file_that_was_replaced_meanwhile_is_not_moved(self, folder: Path) -> None:
        files = StoreFolder(folder)
        damaged = files.read_inode()
        assert files.set_aside(damaged) is not None
        SqliteStore(folder).put_kernel(KERNELS[0])
        assert files.set_aside(damaged) is None
        assert SqliteStore(folder).stats().proven_kernels == 1

    def test_a_store_that_is_open_goes_on_in_the_fresh_file(self, folder: Path) -> None:
        open_before = SqliteStore(folder)
        (folder / "store.db-wal").unlink(missing_ok=True)
        (folder / "store.db").write_bytes(b"garbage" * 5000)
        SqliteStore(folder).put_kernel(KERNELS[0])
        assert open_before.get_kernels(KERNELS[0].proof_digest) == (KERNELS[0],)

    def test_the_log_of_a_damaged_file_is_not_read_into_the_fresh_one(
        self, folder: Path, tmp_path: Path
    ) -> None:
        writer = SqliteStore(folder)
        writer.delete_kernel(KERNELS[0].identity)
        log = (folder / "store.db-wal").read_bytes()
        assert log
        writer.close()
        (folder / "store.db-wal").write_bytes(log)
        (folder / "store.db").write_bytes(b"garbage" * 5000)
        assert self.reopen(folder).check() == ()

    def test_a_newer_schema_is_refused_and_not_touched(self, folder: Path) -> None:
        run_sql(folder, "PRAGMA user_version = 99")
        before = (folder / "store.db").read_bytes()
        with pytest.raises(StoreUnavailable, match="99") as caught:
            SqliteStore(folder)
        assert caught.value.code == "store.foreign_version"
        assert (folder / "store.db").read_bytes() == before
        assert not (folder / "quarantine").exists()

    @pytest.mark.parametrize("statement", ["CREATE TABLE mine (x)", "PRAGMA user_version = 1"])
    def test_a_database_of_another_program_is_not_touched(
        self, tmp_path: Path, statement: str
    ) -> None:
        (tmp_path / "store").mkdir(mode=0o700)
        run_sql(tmp_path / "store", statement)
        (tmp_path / "store" / "store.db").chmod(0o600)
        before = (tmp_path / "store" / "store.db").read_bytes()
        with pytest.raises(StoreUnavailable) as caught:
            SqliteStore(tmp_path / "store")
        assert caught.value.code == "store.foreign_version"
        assert (tmp_path / "store" / "store.db").read_bytes() == before


def test_a_store_may_be_moved(folder: Path, tmp_path: Path) -> None:
    folder.rename(tmp_path / "moved")
    found: tuple[KernelRecord, ...] = SqliteStore(tmp_path / "moved").get_kernels(
        KERNELS[0].proof_digest
    )
    assert found == tuple(KERNELS)
