"""Leases in the SQLite store; each function runs inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, replace
from typing import Any

from npu_autokernel.cache.lease import is_stale, make_lease
from npu_autokernel.cache.records import LeaseRecord

_COLUMNS = "key, owner, token, boot_id, pid, pid_started, acquired_at, expires_at"


def acquire_lease(
    db: sqlite3.Connection, key: str, owner: str, ttl_s: float, now: float
) -> LeaseRecord | None:
    if is_held(db, key, now):
        return None
    lease = make_lease(key, owner, ttl_s, now)
    db.execute(
        f"INSERT OR REPLACE INTO leases ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)", astuple(lease)
    )
    return lease


def renew_lease(
    db: sqlite3.Connection, lease: LeaseRecord, ttl_s: float, now: float
) -> LeaseRecord | None:
    """A lease whose time was up is still its holder's as long as nobody else took it."""
    cursor = db.execute(
        "UPDATE leases SET expires_at = ? WHERE key = ? AND token = ?",
        (now + ttl_s, lease.key, lease.token),
    )
    return replace(lease, expires_at=now + ttl_s) if cursor.rowcount else None


def release_lease(db: sqlite3.Connection, lease: LeaseRecord) -> bool:
    cursor = db.execute("DELETE FROM leases WHERE key = ? AND token = ?", (lease.key, lease.token))
    return cursor.rowcount > 0


def is_held(db: sqlite3.Connection, key: str, now: float) -> bool:
    row = db.execute(f"SELECT {_COLUMNS} FROM leases WHERE key = ?", (key,)).fetchone()
    return row is not None and not is_stale(_read_lease(row), now)


def list_stale_leases(db: sqlite3.Connection, now: float) -> list[LeaseRecord]:
    leases = [_read_lease(row) for row in db.execute(f"SELECT {_COLUMNS} FROM leases")]
    return [lease for lease in leases if is_stale(lease, now)]


def _read_lease(row: tuple[Any, ...]) -> LeaseRecord:
    """Build a lease from its row; the time of a damaged one is up."""
    lease = LeaseRecord(*row)
    if isinstance(lease.expires_at, float) and isinstance(lease.pid, int):
        return lease
    return replace(lease, expires_at=0.0)
