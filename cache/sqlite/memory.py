"""The value memory in the SQLite store; each function runs inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Any

from npu_autokernel.cache.canonical import canonical_json
from npu_autokernel.cache.memory import MemoryKind, MemoryValue, Signature, back_off
from npu_autokernel.cache.sqlite.rows import read_value, store_value


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


def list_items(
    db: sqlite3.Connection, kind: MemoryKind | None
) -> list[tuple[int, str, str, str, list[tuple[Any, ...]]]]:
    """Return (row id, item id, body, row digest, rows of values) by item id."""
    values: dict[str, list[tuple[Any, ...]]] = {}
    for item_id, *row in db.execute(
        "SELECT item_id, stage, signature, value, count, wins FROM memory_values"
        " ORDER BY item_id, stage, signature"
    ):
        values.setdefault(item_id, []).append(tuple(row))
    items = db.execute(
        "SELECT id, item_id, body, row_digest FROM memory_items"
        " WHERE ?1 IS NULL OR kind = ?1 ORDER BY item_id",
        (kind,),
    )
    return [(*item, values.get(item[1], [])) for item in items]


def _has_item(db: sqlite3.Connection, item_id: str) -> bool:
    found = db.execute("SELECT 1 FROM memory_items WHERE item_id = ?", (item_id,))
    return found.fetchone() is not None


def _load_value(
    db: sqlite3.Connection, item_id: str, stage: str, signature: Signature
) -> MemoryValue:
    row = db.execute(
        "SELECT stage, signature, value, count, wins FROM memory_values"
        " WHERE item_id = ? AND stage = ? AND signature = ?",
        (item_id, stage, canonical_json(signature)),
    ).fetchone()
    try:
        return read_value(row) if row else MemoryValue(stage, signature)
    except (TypeError, ValueError):
        return MemoryValue(stage, signature)
