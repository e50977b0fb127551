"""One transaction, and what SQLite's errors mean for the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

from npu_autokernel.cache.errors import BUSY, DISK_FULL, IO, READ_ONLY, StoreUnavailable

Begin = Literal["BEGIN", "BEGIN IMMEDIATE"]
Result = TypeVar("Result")

# SQLite's own texts; its error numbers reach Python from 3.11 on only.
_CODES = {
    "readonly database": READ_ONLY,
    "database or disk is full": DISK_FULL,
    "disk I/O error": IO,
    "unable to open database file": IO,
    "is locked": BUSY,
    "locking protocol": BUSY,
}
_DAMAGE = (
    "malformed",
    "file is not a database",
    "unsupported file format",
    "no such table",
    "no such column",
)


def run_transaction(
    db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Result], begin: Begin
) -> Result:
    """Do ``work`` whole or not at all.

    A writer says so at its begin: upgrading later fails at once when another process writes.
    """
    db.execute(begin)
    try:
        result = work(db)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            with suppress(sqlite3.Error):  # the first error is the one to tell
                db.execute("ROLLBACK")
        raise
    return result


def tells_damage(error: Exception) -> bool:
    """Tell whether an error means a damaged file.

    Its tables were there when it was made, so a missing one is damage; so is a message of
    SQLite's that cannot be decoded, as it quotes a name out of the file.
    """
    return isinstance(error, UnicodeDecodeError) or any(text in str(error) for text in _DAMAGE)


def translate_error(error: sqlite3.Error, database: Path) -> Exception:
    """Return what to raise: StoreUnavailable, or the error itself if it is a bug of ours."""
    for text, code in _CODES.items():
        if text in str(error):
            return StoreUnavailable(code, f"{database}: {error}")
    return error
