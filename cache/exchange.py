"""One file that carries records from store to store, whichever database is behind them.

The file is gzip over lines of canonical JSON: a header, one record a line, and a last line with
the sha256 of all lines before it.  It is not signed: whoever imports it proves the kernels again.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path
from typing import IO

from npu_autokernel.cache.canonical import CanonicalError, canonical_json, parse_canonical
from npu_autokernel.cache.errors import EXCHANGE, RECORD_VERSION, ExchangeRefused, RecordRefusal
from npu_autokernel.cache.memory import MemoryRecord
from npu_autokernel.cache.records import AttemptRecord, Json, KernelRecord
from npu_autokernel.cache.store_folder import translate_os_error

FORMAT = "npu_autokernel.store/1"
_HEADER = canonical_json({"format": FORMAT}).encode() + b"\n"

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
    digest = hashlib.sha256(_HEADER)
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0, filename="") as out:
        out.write(_HEADER)
        for record in records:
            line = canonical_json(record.to_json()).encode() + b"\n"
            digest.update(line)
            out.write(line)
        out.write(_make_end(digest.hexdigest()))


def _make_end(sha256: str) -> bytes:
    return canonical_json({"sha256": sha256}).encode() + b"\n"


def read_export(path: Path) -> Iterator[AnyRecord]:
    """Yield the records of an exported file, one at a time, once its digest was checked.

    Raises ExchangeRefused, also in the middle: use the records in a transaction.
    """
    try:
        with gzip.open(path, "rb") as file:
            _check_lines(file)
        with gzip.open(path, "rb") as file:
            for line, _ in islice(pairwise(file), 1, None):  # no header, no end
                yield _read_record(parse_canonical(line.decode()))
    except (OSError, EOFError, zlib.error, CanonicalError, UnicodeDecodeError) as error:
        raise ExchangeRefused(EXCHANGE, f"{path}: {error}") from error


def _check_lines(lines: Iterable[bytes]) -> None:
    first, last = b"", b""
    digest = hashlib.sha256()
    for line, following in pairwise(lines):
        digest.update(line)
        first, last = first or line, following
    if first != _HEADER:
        raise ExchangeRefused(EXCHANGE, f"the file is no {FORMAT}")
    if last != _make_end(digest.hexdigest()):
        raise ExchangeRefused(EXCHANGE, "the file does not match its digest")


def _read_record(document: Json) -> AnyRecord:
    schema = document.get("schema") if isinstance(document, dict) else None
    reader = _READERS.get(str(schema))
    if reader is None:
        raise ExchangeRefused(RECORD_VERSION, f"unknown record schema {schema!r}")
    record = reader(document)
    if isinstance(record, RecordRefusal):
        raise ExchangeRefused(record.code, record.message)
    return record
