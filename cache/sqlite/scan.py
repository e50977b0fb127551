"""Reading whole tables or parts of them, with the damaged rows sorted out.

Each function runs inside the caller's transaction and returns the good records and the damaged
rows it met; the caller reports those and moves them to quarantine.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from npu_autokernel.cache.errors import CORRUPT_ROW, Finding
from npu_autokernel.cache.memory import MemoryKind, MemoryRecord
from npu_autokernel.cache.records import AttemptRecord, KernelRecord, KernelSummary, RecordKind
from npu_autokernel.cache.sqlite.memory import list_values
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
SourceTable = Literal["kernels", "attempts", "memory_items"]


@dataclass(frozen=True)
class DamagedRowFound:
    """Which row is damaged, and how."""

    table: SourceTable
    row_id: int
    reason: str

    def to_finding(self, fixed: bool) -> Finding:
        return Finding(CORRUPT_ROW, f"{self.table}/{self.row_id}", self.reason, fixed)


@dataclass
class Scan(Generic[Record]):
    """Good records and damaged rows."""

    records: list[Record] = field(default_factory=list)
    damaged: list[DamagedRowFound] = field(default_factory=list)

    def take(self, table: SourceTable, row_id: int, read: Callable[..., Record], *row: Any) -> None:
        """Build one more record with ``read``, or note the damage."""
        try:
            self.records.append(read(*row))
        except DamagedRow as error:
            self.damaged.append(DamagedRowFound(table, row_id, str(error)))


def scan_kernels(db: sqlite3.Connection, proof_digest: str) -> Scan[KernelRecord]:
    return _scan_kernels(db, "proof_digest = ?", proof_digest)


def scan_summaries(db: sqlite3.Connection) -> Scan[KernelSummary]:
    scan: Scan[KernelSummary] = Scan()
    for row in db.execute(f"{SUMMARIES} ORDER BY last_used_at DESC, id DESC"):
        scan.take("kernels", row[0], read_summary, row)
    return scan


def scan_attempts(
    db: sqlite3.Connection, task_digest: str | None = None, episode_id: str | None = None
) -> Scan[AttemptRecord]:
    wanted = {"task_digest": task_digest, "episode_id": episode_id}
    asked = {column: value for column, value in wanted.items() if value is not None}
    condition = " AND ".join(f"{column} = ?" for column in asked) or "1"
    return _scan_attempts(db, condition, *asked.values())


def scan_memory(db: sqlite3.Connection, kind: MemoryKind | None = None) -> Scan[MemoryRecord]:
    return _scan_memory(db, "1") if kind is None else _scan_memory(db, "kind = ?", kind)


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


def list_proof_digests(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT DISTINCT proof_digest FROM kernels ORDER BY proof_digest")
    return [digest for (digest,) in rows]


def is_damaged(db: sqlite3.Connection, table: SourceTable, row_id: int) -> bool:
    """Tell whether a row is there and damaged."""
    scans: dict[SourceTable, Callable[..., Scan[Any]]] = {
        "kernels": _scan_kernels,
        "attempts": _scan_attempts,
        "memory_items": _scan_memory,
    }
    return bool(scans[table](db, f"{table}.id = ?", row_id).damaged)


def _scan_kernels(db: sqlite3.Connection, condition: str, *values: Any) -> Scan[KernelRecord]:
    scan: Scan[KernelRecord] = Scan()
    rows = db.execute(f"{KERNELS} WHERE {condition} {KERNELS_ORDER}", values)
    for group in group_kernel_rows(rows):
        scan.take("kernels", group[0][0], read_kernel, group)
    return scan


def _scan_attempts(db: sqlite3.Connection, condition: str, *values: Any) -> Scan[AttemptRecord]:
    scan: Scan[AttemptRecord] = Scan()
    query = f"SELECT id, digest, body FROM attempts WHERE {condition} ORDER BY at, id"
    for row_id, digest, body in db.execute(query, values):
        scan.take("attempts", row_id, read_attempt, digest, body)
    return scan


def _scan_memory(db: sqlite3.Connection, condition: str, *values: Any) -> Scan[MemoryRecord]:
    scan: Scan[MemoryRecord] = Scan()
    learned = list_values(db)
    query = (
        f"SELECT id, item_id, body, row_digest FROM memory_items WHERE {condition} ORDER BY item_id"
    )
    for row_id, item_id, body, seal in db.execute(query, values):
        scan.take(
            "memory_items", row_id, read_memory, item_id, body, seal, learned.get(item_id, [])
        )
    return scan
