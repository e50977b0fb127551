"""What can be wrong with a store, as stable codes.

``STORE_CODES`` is the whole list.  A failure that keeps a store from being used is raised as
StoreUnavailable, so a caller can go on without a store; a file that cannot be imported is
ExchangeRefused; damage that was met and dealt with is a Finding, a value.
"""

from __future__ import annotations

from dataclasses import dataclass

READ_ONLY = "store.read_only"
OWNER = "store.owner"
FOREIGN_VERSION = "store.foreign_version"
DISK_FULL = "store.disk_full"
IO = "store.io"
BUSY = "store.busy"
CORRUPT_FILE = "store.corrupt_file"
CORRUPT_ROW = "store.corrupt_row"
STALE_LEASE = "store.stale_lease"
RECORD_VERSION = "store.record_version"
RECORD_INVALID = "store.record_invalid"
EXCHANGE = "store.exchange"
CLOSED = "store.closed"

STORE_CODES: dict[str, str] = {
    READ_ONLY: "make the store's folder writable, or name another folder",
    OWNER: "use a folder that you own and that nobody else may write to",
    FOREIGN_VERSION: "upgrade npu_autokernel, or name another folder; the file was not touched",
    DISK_FULL: "free disk space, or prune the store",
    IO: "look at the disk and at the folder's permissions",
    BUSY: "find the process that holds the store's lock for so long",
    CORRUPT_FILE: "nothing: the damaged file was moved to quarantine/ and a fresh one made",
    CORRUPT_ROW: "nothing: the damaged row reads as a miss",
    STALE_LEASE: "nothing: the next process that wants the lease takes it",
    RECORD_VERSION: "upgrade npu_autokernel: the record was written by a newer version",
    RECORD_INVALID: "export the store again: the record is incomplete or damaged",
    EXCHANGE: "export the store again: the file is damaged or is not an export",
    CLOSED: "open the store again: it was closed",
}


class StoreError(Exception):
    """Base of the store's exceptions; ``code`` is a key of STORE_CODES."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} [{code}: {STORE_CODES[code]}]")
        self.code = code
        self.message = message


class StoreUnavailable(StoreError):
    """The store cannot be used, at all or for this operation; nothing was changed by it."""


class ExchangeRefused(StoreError):
    """A file given to ``import_from`` is no undamaged export; nothing was imported."""


@dataclass(frozen=True)
class Finding:
    """Damage that was met: what, where, and whether it has been dealt with."""

    code: str
    subject: str
    message: str
    fixed: bool


@dataclass(frozen=True)
class RecordRefusal:
    """Why a JSON document is no record: of an unknown schema version, or invalid."""

    code: str
    message: str
