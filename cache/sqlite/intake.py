"""Records that come from elsewhere: from an export, or out of a damaged file.

What the store already has is kept as it is.  An imported kernel was proven by somebody else, so
it is only ``imported`` here; a salvaged one still matches its digests and keeps its state.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from npu_autokernel.cache.memory import MemoryRecord
from npu_autokernel.cache.records import AttemptRecord, KernelId, KernelRecord
from npu_autokernel.cache.sqlite.rows import insert_attempt, insert_kernel, upsert_memory
from npu_autokernel.cache.sqlite.scan import (
    AnyRecord,
    list_proof_digests,
    scan_attempts,
    scan_kernels,
    scan_memory,
)
from npu_autokernel.cache.sqlite.upkeep import bump_generation
from npu_autokernel.cache.store import ImportReport

Found = TypeVar("Found")


def import_records(
    db: sqlite3.Connection, records: Iterable[AnyRecord], now: float
) -> ImportReport:
    """Take in the records of an export; see ``Store.import_from``."""
    new: Counter[str] = Counter()
    for record in records:
        if isinstance(record, KernelRecord):
            record = replace(record, state="imported", last_used_at=now)
        new[record.SCHEMA if _insert_missing(db, record) else "kept"] += 1
    if new[KernelRecord.SCHEMA]:
        bump_generation(db)
    return ImportReport(
        kernels=new[KernelRecord.SCHEMA],
        attempts=new[AttemptRecord.SCHEMA],
        memory=new[MemoryRecord.SCHEMA],
        kept=new["kept"],
    )


def salvage(path: Path, db: sqlite3.Connection) -> int:
    """Copy every undamaged record that can still be read from ``path``; returns how many."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as damaged:
        damaged.text_factory = lambda data: data.decode("utf-8", "replace")
        saved = sum(_insert_missing(db, record) for record in _read_what_is_left(damaged))
    bump_generation(db)
    return saved


def _read_what_is_left(damaged: sqlite3.Connection) -> Iterator[AnyRecord]:
    yield from _try_list(lambda: scan_memory(damaged).records)
    yield from _try_list(lambda: scan_attempts(damaged).records)
    for digest in _try_list(lambda: list_proof_digests(damaged)):
        yield from _try_list(partial(_list_kernels, damaged, digest))


def _list_kernels(damaged: sqlite3.Connection, proof_digest: str) -> list[KernelRecord]:
    return scan_kernels(damaged, proof_digest).records


def _try_list(read: Callable[[], list[Found]]) -> list[Found]:
    try:
        return read()
    except (sqlite3.Error, UnicodeDecodeError):
        return []


def _insert_missing(db: sqlite3.Connection, record: AnyRecord) -> bool:
    """Write a record unless the store has one of its identity; tells whether it did."""
    if isinstance(record, AttemptRecord):
        return insert_attempt(db, record)
    if isinstance(record, KernelRecord):
        missing = not _has_kernel(db, record.identity)
        if missing:
            insert_kernel(db, record)
        return missing
    found = db.execute("SELECT 1 FROM memory_items WHERE item_id = ?", (record.item_id,))
    missing = found.fetchone() is None
    if missing:
        upsert_memory(db, record)
    return missing


def _has_kernel(db: sqlite3.Connection, identity: KernelId) -> bool:
    found = db.execute(
        "SELECT 1 FROM kernels WHERE proof_digest = ? AND bucket = ? AND candidate_digest = ?",
        (identity.proof_digest, identity.bucket, identity.candidate_digest),
    )
    return found.fetchone() is not None
