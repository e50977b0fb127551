"""Damaged rows of the SQLite store: found, told, and moved out of the way.

A row is moved in its own transaction, after the read that met it, and only if it still is the
row that was read.  The quarantine table keeps what was in it, bytes as hex, for whoever wants to
know what happened.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from npu_autokernel.cache.canonical import canonical_json
from npu_autokernel.cache.errors import CORRUPT_ROW, Finding

SourceTable = Literal["kernels", "attempts", "memory_items"]

_KEY_AND_SEAL: dict[SourceTable, tuple[str, str]] = {
    "kernels": ("proof_digest", "row_digest"),
    "attempts": ("digest", "digest"),
    "memory_items": ("item_id", "row_digest"),
}


@dataclass(frozen=True)
class DamagedRowFound:
    """Which row is damaged; ``seal`` is its stored digest."""

    table: SourceTable
    row_id: int
    seal: str
    reason: str

    def to_finding(self, fixed: bool) -> Finding:
        return Finding(CORRUPT_ROW, f"{self.table}/{self.row_id}", self.reason, fixed)


def quarantine_row(db: sqlite3.Connection, found: DamagedRowFound, now: float) -> bool:
    """Move a damaged row into the quarantine table; False if it is gone or was replaced."""
    key, seal = _KEY_AND_SEAL[found.table]
    where = f"FROM {found.table} WHERE id = ? AND {seal} IS ?"
    cursor = db.execute(f"SELECT {key}, * {where}", (found.row_id, found.seal))
    row = cursor.fetchone()
    if row is None:
        return False
    columns = [column[0] for column in cursor.description[1:]]
    payload = dict(zip(columns, map(_to_text, row[1:]), strict=True))
    db.execute(
        "INSERT INTO quarantine (source, key, reason, payload, at) VALUES (?,?,?,?,?)",
        (found.table, str(row[0]), found.reason, canonical_json(payload), now),
    )
    db.execute(f"DELETE {where}", (found.row_id, found.seal))
    return True


def _to_text(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value
