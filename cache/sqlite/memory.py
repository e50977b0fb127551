"""The value memory in the SQLite store; each function runs inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Any

from npu_autokernel.cache.canonical import canonical_json
from npu_autokernel.cache.memory import MemoryValue, Signature, back_off
from npu_autokernel.cache.sqlite.rows import read_value, store_value

_COLUMNS = "stage, signature, value, count, wins"


def update_values(
    db: sqlite3.Connection,
    item_ids: Collection[str],
    stage: str,
    signature: Signature,
    reward: float,
    alpha: float,
) -> None:
    for item_id in dict.fromkeys(item_ids):
        if _has_item(db, item_id):
            for form in back_off(signature):
                value = _load_value(db, item_id, stage, form)
                store_value(db, item_id, value.learn(reward, alpha))


def list_values(db: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of all learned values, by item id."""
    values: dict[str, list[tuple[Any, ...]]] = {}
    for item_id, *row in db.execute(f"SELECT item_id, {_COLUMNS} FROM memory_values"):
        values.setdefault(item_id, []).append(tuple(row))
    return values


def _has_item(db: sqlite3.Connection, item_id: str) -> bool:
    found = db.execute("SELECT 1 FROM memory_items WHERE item_id = ?", (item_id,))
    return found.fetchone() is not None


def _load_value(
    db: sqlite3.Connection, item_id: str, stage: str, signature: Signature
) -> MemoryValue:
    row = db.execute(
        f"SELECT {_COLUMNS} FROM memory_values WHERE item_id = ? AND stage = ? AND signature = ?",
        (item_id, stage, canonical_json(signature)),
    ).fetchone()
    try:
        return read_value(row) if row else MemoryValue(stage, signature)
    except (TypeError, ValueError):
        return MemoryValue(stage, signature)
