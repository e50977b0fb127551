"""Rows of the SQLite store: records in, checked records out.

A row carries a digest over everything that decides what a kernel does or whether it may run.
Reading checks it, so a flipped bit is a DamagedRow and never a wrong kernel.  Times of last use
and learned values change too often for that and do no harm.
"""

from __future__ import annotations

import math
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from npu_autokernel.cache.canonical import (
    canonical_json,
    digest_json,
    digest_text,
    parse_canonical,
)
from npu_autokernel.cache.errors import RecordRefusal
from npu_autokernel.cache.memory import MemoryRecord, MemoryValue, check_signature
from npu_autokernel.cache.records import (
    Artifact,
    AttemptRecord,
    KernelId,
    KernelRecord,
    KernelSummary,
    check_state,
)

Row = tuple[Any, ...]

ZLIB_LEVEL = 1  # opening a kernel is on the way of every start; more would cost, and gain little

_SUMMARY_COLUMNS = (
    "id, proof_digest, bucket, candidate_digest, proof_key, verdict, measurement, requires,"
    " provenance, state, created_at, last_used_at, size_bytes, row_digest"
)
SUMMARIES = f"SELECT {_SUMMARY_COLUMNS} FROM kernels"
KERNELS = f"""
    SELECT {_SUMMARY_COLUMNS}, candidate, artifacts.name, sha256, data
    FROM kernels LEFT JOIN artifacts ON kernel_id = kernels.id
"""
KERNELS_ORDER = "ORDER BY bucket, created_at DESC, kernels.id, ordinal"


class DamagedRow(Exception):
    """A row does not hold what was written to it."""


def insert_kernel(db: sqlite3.Connection, record: KernelRecord) -> None:
    """Write a kernel over the one of the same identity."""
    delete_kernel(db, record.identity)
    blobs = [zlib.compress(artifact.data, ZLIB_LEVEL) for artifact in record.artifacts]
    texts = [
        canonical_json(document)
        for document in (
            record.proof_key,
            record.verdict,
            record.measurement,
            record.requires,
            record.provenance,
        )
    ]
    candidate = canonical_json(record.candidate)
    size_bytes = sum(map(len, blobs)) + len(candidate) + sum(map(len, texts))
    names = [(artifact.name, artifact.sha256) for artifact in record.artifacts]
    seal = _seal(record.bucket, texts, candidate, record.state, float(record.created_at), names)
    cursor = db.execute(
        "INSERT INTO kernels (proof_digest, bucket, candidate_digest, proof_key, verdict,"
        " measurement, requires, provenance, state, created_at, last_used_at, size_bytes,"
        " row_digest, candidate) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            record.proof_digest,
            record.bucket,
            record.candidate_digest,
            *texts,
            record.state,
            record.created_at,
            record.last_used_at,
            size_bytes,
            seal,
            candidate,
        ),
    )
    db.executemany(
        "INSERT INTO artifacts (kernel_id, ordinal, name, sha256, data) VALUES (?,?,?,?,?)",
        [
            (cursor.lastrowid, ordinal, *name, blob)
            for ordinal, (name, blob) in enumerate(zip(names, blobs, strict=True))
        ],
    )


def delete_kernel(db: sqlite3.Connection, identity: KernelId) -> bool:
    cursor = db.execute(
        "DELETE FROM kernels WHERE proof_digest = ? AND bucket = ? AND candidate_digest = ?",
        (identity.proof_digest, identity.bucket, identity.candidate_digest),
    )
    return cursor.rowcount > 0


def group_kernel_rows(rows: Iterable[Row]) -> list[list[Row]]:
    """Put the rows of ``KERNELS``, one per artifact, together per kernel."""
    return [list(group) for _, group in groupby(rows, key=itemgetter(0))]


def read_kernel(rows: Sequence[Row]) -> KernelRecord:
    """Build a kernel from its rows; raises DamagedRow."""
    try:
        return _read_kernel(rows)
    except (TypeError, ValueError, AttributeError, zlib.error) as error:
        raise DamagedRow(str(error)) from error


def _read_kernel(rows: Sequence[Row]) -> KernelRecord:
    summary = read_summary(rows[0])
    row_digest, candidate = rows[0][13:15]
    found = [row[15:] for row in rows if row[15] is not None]
    names = [(name, sha256) for name, sha256, _ in found]
    texts, state, created_at = rows[0][4:9], rows[0][9], rows[0][10]
    if _seal(summary.identity.bucket, texts, candidate, state, created_at, names) != row_digest:
        raise DamagedRow("the row does not match its digest")
    if digest_text(candidate) != summary.identity.candidate_digest:
        raise DamagedRow("the candidate does not match its digest")
    return KernelRecord(
        proof_key=summary.proof_key,
        bucket=summary.identity.bucket,
        candidate=parse_canonical(candidate),
        artifacts=tuple(_read_artifact(*parts) for parts in found),
        verdict=summary.verdict,
        measurement=summary.measurement,
        requires=summary.requires,
        provenance=summary.provenance,
        created_at=summary.created_at,
        last_used_at=summary.last_used_at,
        state=summary.state,
    )


def _read_artifact(name: str, sha256: str, data: bytes) -> Artifact:
    artifact = Artifact(name, zlib.decompress(data))
    if artifact.sha256 != sha256:
        raise DamagedRow(f"artifact {name!r} does not match its sha256")
    return artifact


def read_summary(row: Row) -> KernelSummary:
    """Build a summary from a row of ``SUMMARIES``; raises DamagedRow."""
    try:
        if digest_text(row[4]) != row[1]:
            raise DamagedRow("the proof key does not match its digest")
        proof_key, verdict, measurement, requires, provenance = map(parse_canonical, row[4:9])
        return KernelSummary(
            identity=KernelId(*row[1:4]),
            proof_key=proof_key,
            verdict=verdict,
            measurement=measurement,
            requires=tuple(requires),
            provenance=provenance,
            created_at=float(row[10]),
            last_used_at=float(row[11]),
            state=check_state(row[9]),
            size_bytes=int(row[12]),
        )
    except (TypeError, ValueError) as error:
        raise DamagedRow(str(error)) from error


def _seal(
    bucket: str,
    texts: Sequence[str],
    candidate: str,
    state: str,
    created_at: float,
    artifacts: Sequence[tuple[str, str]],
) -> str:
    return digest_json([bucket, list(texts), candidate, state, created_at, artifacts])


def insert_attempt(db: sqlite3.Connection, record: AttemptRecord) -> bool:
    """Write an attempt; tells whether it was new."""
    body = zlib.compress(canonical_json(record.to_json()).encode(), ZLIB_LEVEL)
    cursor = db.execute(
        "INSERT OR IGNORE INTO attempts (digest, task_digest, episode_id, at, size_bytes, body)"
        " VALUES (?,?,?,?,?,?)",
        (record.digest, record.task_digest, record.episode_id, record.at, len(body), body),
    )
    return cursor.rowcount > 0


def read_attempt(digest: str, body: bytes) -> AttemptRecord:
    """Build an attempt from its row; raises DamagedRow."""
    try:
        text = zlib.decompress(body).decode()
        if digest_text(text) != digest:
            raise DamagedRow("the attempt does not match its digest")
        record = AttemptRecord.from_json(parse_canonical(text))
    except (TypeError, ValueError, zlib.error) as error:
        raise DamagedRow(str(error)) from error
    if isinstance(record, RecordRefusal):
        raise DamagedRow(record.message)
    return record


def upsert_memory(db: sqlite3.Connection, record: MemoryRecord) -> None:
    """Write an item's content, and those of its values that the store does not have."""
    body = canonical_json(record.content_to_json())
    db.execute(
        "INSERT INTO memory_items (item_id, kind, body, row_digest) VALUES (?,?,?,?)"
        " ON CONFLICT (item_id) DO UPDATE SET kind = excluded.kind, body = excluded.body,"
        " row_digest = excluded.row_digest",
        (record.item_id, record.kind, body, _seal_memory(record.item_id, body)),
    )
    for value in record.values:
        store_value(db, record.item_id, value, "INSERT OR IGNORE")


def read_memory(item_id: str, body: str, row_digest: str, values: list[Row]) -> MemoryRecord:
    """Build an item from its row and the rows of its values; raises DamagedRow."""
    try:
        if _seal_memory(item_id, body) != row_digest:
            raise DamagedRow("the item does not match its digest")
        document = parse_canonical(body)
        document["values"] = [value.to_json() for value in _read_values(values)]
        record = MemoryRecord.from_json(document)
    except (TypeError, ValueError) as error:
        raise DamagedRow(str(error)) from error
    if isinstance(record, RecordRefusal):
        raise DamagedRow(record.message)
    return record


def store_value(
    db: sqlite3.Connection, item_id: str, value: MemoryValue, verb: str = "INSERT OR REPLACE"
) -> None:
    db.execute(
        f"{verb} INTO memory_values (item_id, stage, signature, value, count, wins)"
        " VALUES (?,?,?,?,?,?)",
        (
            item_id,
            value.stage,
            canonical_json(value.signature),
            value.value,
            value.count,
            value.wins,
        ),
    )


def _seal_memory(item_id: str, body: str) -> str:
    return digest_json([item_id, body])


def _read_values(rows: list[Row]) -> list[MemoryValue]:
    """Build the values that make sense; a damaged one is as good as never learned."""
    values = []
    for row in rows:
        try:
            values.append(read_value(row))
        except (TypeError, ValueError):
            continue
    return sorted(values, key=attrgetter("stage", "signature"))


def read_value(row: Row) -> MemoryValue:
    """Build a value from (stage, signature, value, count, wins).

    Raises TypeError or ValueError on a damaged row.
    """
    stage, signature, value, count, wins = row
    if not math.isfinite(value):
        raise ValueError(f"a learned value must be finite, not {value}")
    parts = check_signature(tuple(map(str, parse_canonical(signature))))
    return MemoryValue(str(stage), parts, float(value), int(count), int(wins))
