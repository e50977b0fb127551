"""Damaged rows of the SQLite store moved out of the way.

A row is moved in its own transaction, after the read that met it, and only if it is still
damaged: another process may have written a good one in its place.  The quarantine table keeps
what was in it, bytes as hex, for whoever wants to know what happened.
"""

from __future__ import annotations

import sqlite3

from npu_autokernel.cache.canonical import canonical_json
from npu_autokernel.cache.sqlite.scan import DamagedRowFound, is_damaged


def quarantine_row(db: sqlite3.Connection, found: DamagedRowFound, now: float) -> bool:
    """Move a damaged row into the quarantine table; False if it is gone or was replaced."""
    if not is_damaged(db, found.table, found.row_id):
        return False
    cursor = db.execute(f"SELECT * FROM {found.table} WHERE id = ?", (found.row_id,))
    columns = [column[0] for column in cursor.description]
    payload = dict(zip(columns, map(_to_text, cursor.fetchone()), strict=True))
    db.execute(
        "INSERT INTO quarantine (source, row_id, reason, payload, at) VALUES (?,?,?,?,?)",
        (found.table, found.row_id, found.reason, canonical_json(payload), now),
    )
    db.execute(f"DELETE FROM {found.table} WHERE id = ?", (found.row_id,))
    return True


def _to_text(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value
