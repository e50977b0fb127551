"""One file that carries records from store to store, whichever database is behind them.

The file is gzip over lines of canonical JSON: a header, one record a line, and a last line with
the number of records and the sha256 of all lines before it.  It is not signed: whoever imports
it proves the kernels again.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from npu_autokernel.cache.canonical import CanonicalError, canonical_json, parse_canonical
from npu_autokernel.cache.errors import EXCHANGE, ExchangeRefused, RecordRefusal
from npu_autokernel.cache.memory import MemoryRecord
from npu_autokernel.cache.records import AttemptRecord, Json, KernelRecord
from npu_autokernel.cache.store_folder import translate_os_error

FORMAT = "npu_autokernel.store/1"

AnyRecord = KernelRecord | AttemptRecord | MemoryRecord

_READERS = {
    KernelRecord.SCHEMA: KernelRecord.from_json,
    AttemptRecord.SCHEMA: AttemptRecord.from_json,
    MemoryRecord.SCHEMA: MemoryRecord.from_json,
}


def write_export(path: Path, records: Iterable[AnyRecord]) -> None:
    """Write ``records`` to ``path``, whole or not at all.  Raises StoreUnavailable."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                _write_lines(file, records)
            os.replace(name, path)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(name)
            raise
    except OSError as error:
        raise translate_os_error(error) from error


def _write_lines(file: IO[bytes], records: Iterable[AnyRecord]) -> None:
    digest = hashlib.sha256()
    count = 0
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0, filename="") as out:
        for document in _list_documents(records):
            line = canonical_json(document).encode() + b"\n"
            digest.update(line)
            out.write(line)
            count += 1
        end = {"records": count - 1, "sha256": digest.hexdigest()}
        out.write(canonical_json(end).encode() + b"\n")


def _list_documents(records: Iterable[AnyRecord]) -> Iterator[Json]:
    yield {"format": FORMAT}
    for record in records:
        yield record.to_json()


def read_export(path: Path) -> Iterator[AnyRecord]:
    """Yield the records of an exported file, one at a time.

    The file's digest is known to be right only when the last record has been taken, so use the
    records in a transaction.  Raises ExchangeRefused.
    """
    try:
        with gzip.open(path, "rb") as file:
            yield from _read_lines(file)
    except (OSError, EOFError, zlib.error, CanonicalError, UnicodeDecodeError) as error:
        raise ExchangeRefused(EXCHANGE, f"{path}: {error}") from error


def _read_lines(file: Iterable[bytes]) -> Iterator[AnyRecord]:
    lines = iter(file)
    digest = hashlib.sha256()
    header = next(lines, b"")
    if header != canonical_json({"format": FORMAT}).encode() + b"\n":
        raise ExchangeRefused(EXCHANGE, f"the file does not begin with {FORMAT}")
    digest.update(header)
    for count, line in enumerate(lines):
        document = parse_canonical(line.decode())
        if "schema" not in document:
            _check_end(document, {"records": count, "sha256": digest.hexdigest()}, lines)
            return
        yield _read_record(document)
        digest.update(line)
    raise ExchangeRefused(EXCHANGE, "the file ends too early")


def _read_record(document: Json) -> AnyRecord:
    reader = _READERS.get(document["schema"])
    if reader is None:
        raise ExchangeRefused(EXCHANGE, f"unknown record schema {document['schema']!r}")
    record = reader(document)
    if isinstance(record, RecordRefusal):
        raise ExchangeRefused(record.code, record.message)
    return record


def _check_end(found: Json, expected: Json, rest: Iterator[bytes]) -> None:
    if found != expected:
        raise ExchangeRefused(EXCHANGE, "the file does not match its digest")
    if next(rest, None) is not None:
        raise ExchangeRefused(EXCHANGE, "the file goes on after its end")
