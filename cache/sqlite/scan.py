"""Reading whole tables or parts of them, with the damaged rows sorted out.

Each function runs inside the caller's transaction and returns the good records and the damaged
rows it met; the caller reports and moves those.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from npu_autokernel.cache.memory import MemoryKind, MemoryRecord
from npu_autokernel.cache.records import AttemptRecord, KernelRecord, KernelSummary, RecordKind
from npu_autokernel.cache.sqlite.memory import list_items
from npu_autokernel.cache.sqlite.quarantine import DamagedRowFound, SourceTable
from npu_autokernel.cache.sqlite.rows import (
    KERNELS,
    KERNELS_ORDER,
    SUMMARIES,
    DamagedRow,
    group_kernel_rows,
    read_attempt,
    read_kernel,
    read_memory,
    read_summary,
)

Record = TypeVar("Record")
AnyRecord = KernelRecord | AttemptRecord | MemoryRecord


@dataclass
class Scan(Generic[Record]):
    """Good records and damaged rows."""

    records: list[Record] = field(default_factory=list)
    damaged: list[DamagedRowFound] = field(default_factory=list)


def scan_kernels(db: sqlite3.Connection, proof_digest: str) -> Scan[KernelRecord]:
    scan: Scan[KernelRecord] = Scan()
    rows = db.execute(f"{KERNELS} WHERE proof_digest = ? {KERNELS_ORDER}", (proof_digest,))
    for group in group_kernel_rows(rows):
        try:
            scan.records.append(read_kernel(group))
        except DamagedRow as error:
            scan.damaged.append(_describe("kernels", group[0][0], group[0][13], error))
    return scan


def scan_summaries(db: sqlite3.Connection) -> Scan[KernelSummary]:
    scan: Scan[KernelSummary] = Scan()
    for row in db.execute(f"{SUMMARIES} ORDER BY last_used_at DESC, id DESC"):
        try:
            scan.records.append(read_summary(row))
        except DamagedRow as error:
            scan.damaged.append(_describe("kernels", row[0], row[13], error))
    return scan


def scan_attempts(
    db: sqlite3.Connection, task_digest: str | None = None, episode_id: str | None = None
) -> Scan[AttemptRecord]:
    scan: Scan[AttemptRecord] = Scan()
    wanted = {"task_digest": task_digest, "episode_id": episode_id}
    asked = {column: value for column, value in wanted.items() if value is not None}
    condition = " AND ".join(f"{column} = :{column}" for column in asked) or "1"
    query = f"SELECT id, digest, body FROM attempts WHERE {condition} ORDER BY at, id"
    for row_id, digest, body in db.execute(query, asked):
        try:
            scan.records.append(read_attempt(digest, body))
        except DamagedRow as error:
            scan.damaged.append(_describe("attempts", row_id, digest, error))
    return scan


def scan_memory(db: sqlite3.Connection, kind: MemoryKind | None = None) -> Scan[MemoryRecord]:
    scan: Scan[MemoryRecord] = Scan()
    for row_id, item_id, body, seal, values in list_items(db, kind):
        try:
            scan.records.append(read_memory(item_id, body, seal, values))
        except DamagedRow as error:
            scan.damaged.append(_describe("memory_items", row_id, seal, error))
    return scan


def list_proof_digests(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT DISTINCT proof_digest FROM kernels ORDER BY proof_digest")
    return [digest for (digest,) in rows]


def scan_in_parts(db: sqlite3.Connection, kinds: Iterable[RecordKind]) -> Iterator[Scan[Any]]:
    """Read all records of the given kinds, the kernels of one proof key at a time."""
    kinds = tuple(kinds)
    if "memory" in kinds:
        yield scan_memory(db)
    if "attempts" in kinds:
        yield scan_attempts(db)
    if "kernels" in kinds:
        for proof_digest in list_proof_digests(db):
            yield scan_kernels(db, proof_digest)


def _describe(table: SourceTable, row_id: int, seal: str, error: DamagedRow) -> DamagedRowFound:
    return DamagedRowFound(table, row_id, seal, str(error))
