"""Upkeep of the SQLite store: note use, count, check, prune; inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import astuple
from itertools import accumulate

from npu_autokernel.cache.errors import CORRUPT_FILE, STALE_LEASE, Finding
from npu_autokernel.cache.records import RECORD_KINDS, KernelId, RecordKind
from npu_autokernel.cache.sqlite.leases import list_stale_leases
from npu_autokernel.cache.sqlite.scan import DamagedRowFound, scan_in_parts
from npu_autokernel.cache.sqlite.schema import read_version
from npu_autokernel.cache.store import PruneReport, StoreStats

USE_RESOLUTION_S = 60.0  # noting every use would make each start of a process write
_IDENTITY = "proof_digest = ? AND bucket = ? AND candidate_digest = ?"


def bump_generation(db: sqlite3.Connection) -> None:
    db.execute(
        "INSERT INTO meta (name, value) VALUES ('generation', 1)"
        " ON CONFLICT (name) DO UPDATE SET value = value + 1"
    )


def read_generation(db: sqlite3.Connection) -> int:
    row = db.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()
    return int(row[0]) if row else 0


def list_unnoted(
    db: sqlite3.Connection, identities: Iterable[KernelId], now: float
) -> list[KernelId]:
    """Return the kernels whose last noted use is long enough ago to be noted again."""
    query = f"SELECT 1 FROM kernels WHERE {_IDENTITY} AND last_used_at < ?"
    before = now - USE_RESOLUTION_S
    return [item for item in identities if db.execute(query, (*astuple(item), before)).fetchone()]


def note_use(db: sqlite3.Connection, identities: Iterable[KernelId], now: float) -> None:
    """See ``Store.touch``."""
    due = list_unnoted(db, identities, now)
    update = f"UPDATE kernels SET last_used_at = ? WHERE {_IDENTITY}"
    db.executemany(update, [(now, *astuple(item)) for item in due])


def count_records(db: sqlite3.Connection) -> StoreStats:
    """Count what the tables hold; the file behind them is not looked at."""

    def count(table: str, condition: str = "1") -> int:
        (rows,) = db.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()
        return int(rows)

    return StoreStats(
        location="",
        schema_version=read_version(db),
        generation=read_generation(db),
        read_only=False,
        proven_kernels=count("kernels", "state = 'proven'"),
        imported_kernels=count("kernels", "state = 'imported'"),
        attempts=count("attempts"),
        memory_items=count("memory_items"),
        leases=count("leases"),
        quarantined=count("quarantine"),
        size_bytes=0,
    )


def list_damaged_rows(db: sqlite3.Connection) -> list[DamagedRowFound]:
    return [found for scan in scan_in_parts(db, RECORD_KINDS) for found in scan.damaged]


def check_structure(db: sqlite3.Connection) -> list[Finding]:
    """Check pages, indices and references; what is found here is damage of the file."""
    lines = [line for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    orphans = db.execute("PRAGMA foreign_key_check").fetchall()
    lines += [f"a row of {child} refers to no row of {parent}" for child, _, parent, _ in orphans]
    return [Finding(CORRUPT_FILE, "store.db", line, fixed=False) for line in lines]


def remove_stale_leases(db: sqlite3.Connection, now: float, fix: bool) -> list[Finding]:
    """Tell the leases that nobody holds any more and, with ``fix``, delete them."""
    stale = list_stale_leases(db, now)
    if fix:
        db.executemany("DELETE FROM leases WHERE token = ?", [(lease.token,) for lease in stale])
    return [
        Finding(STALE_LEASE, lease.key, f"left behind by {lease.owner}", fixed=fix)
        for lease in stale
    ]


def prune(db: sqlite3.Connection, max_bytes: int) -> PruneReport:
    """See ``Store.prune``."""
    total = sum(_count_bytes(db, table) for table in ("kernels", "attempts"))
    attempts, freed = _delete_until(db, "attempts", "at, id", total - max_bytes)
    kernels, more = _delete_until(db, "kernels", "last_used_at, id", total - freed - max_bytes)
    if kernels:
        bump_generation(db)
    return PruneReport(kernels, attempts, freed + more, total - freed - more)


def give_back_space(db: sqlite3.Connection) -> None:
    """Shrink the file by what was deleted; runs outside a transaction."""
    db.execute("PRAGMA incremental_vacuum").fetchall()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def delete_records(db: sqlite3.Connection, kinds: Collection[RecordKind]) -> None:
    """See ``Store.clear``."""
    tables = {"kernels": "kernels", "attempts": "attempts", "memory": "memory_items"}
    for kind in kinds:
        db.execute(f"DELETE FROM {tables[kind]}")
    if "kernels" in kinds:
        bump_generation(db)


def _count_bytes(db: sqlite3.Connection, table: str) -> int:
    (size_bytes,) = db.execute(f"SELECT coalesce(sum(size_bytes), 0) FROM {table}").fetchone()
    return int(size_bytes)


def _delete_until(
    db: sqlite3.Connection, table: str, order: str, excess_bytes: int
) -> tuple[int, int]:
    """Delete rows in order until ``excess_bytes`` went; returns (rows, bytes) deleted."""
    if excess_bytes <= 0:
        return 0, 0
    query = f"SELECT id, CAST(size_bytes AS INTEGER) FROM {table} ORDER BY {order}"
    rows = db.execute(query).fetchall()
    sums = list(accumulate(size_bytes for _, size_bytes in rows))
    count = min(len(rows), 1 + sum(freed < excess_bytes for freed in sums))
    db.executemany(f"DELETE FROM {table} WHERE id = ?", [(row[0],) for row in rows[:count]])
    return count, sums[count - 1] if count else 0
