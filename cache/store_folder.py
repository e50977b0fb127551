"""The folder a store lives in: where its files are, and who may have touched them.

What is in the store is permission to run a kernel, so a folder or file that another user owns or
may write to is refused.  All paths are relative to the folder, which may be moved as a whole.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from npu_autokernel.cache.errors import BUSY, DISK_FULL, IO, OWNER, READ_ONLY, StoreUnavailable

_LOCK_POLL_S = 0.01
_OS_CODES = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EFBIG: DISK_FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
}


@dataclass(frozen=True)
class StoreFolder:
    """The files of one store."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "store.db"

    @property
    def log_files(self) -> tuple[Path, Path]:
        """SQLite's write-ahead log and its index, which belong to the database file."""
        return self.root / "store.db-wal", self.root / "store.db-shm"

    @property
    def quarantine(self) -> Path:
        return self.root / "quarantine"

    def is_writable(self) -> bool:
        effective = os.access in os.supports_effective_ids
        places = [self.root, *([self.database] if self.database.exists() else [])]
        return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)

    def prepare(self) -> None:
        """Make the folder, private to this user, if it is missing, and check who owns what.

        Raises StoreUnavailable.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_private(self.root, stat.S_ISDIR)
            for file in (self.database, *self.log_files):
                if os.path.lexists(file):
                    _check_private(file, stat.S_ISREG)
        except OSError as error:
            raise translate_os_error(error) from error

    def create_database(self) -> None:
        """Make an empty, private database file if there is none.

        One already there is not even opened: closing it would drop the locks that SQLite holds
        on it for other threads of this process.
        """
        with suppress(FileExistsError):
            os.close(os.open(self.database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode=0o600))

    def read_inode(self) -> int:
        """Return which file is the database now; 0 if there is none."""
        try:
            return self.database.stat().st_ino
        except FileNotFoundError:
            return 0

    def measure_bytes(self) -> int:
        """Return what the database with its log takes on disk."""
        files = (self.database, *self.log_files)
        return sum(file.stat().st_size for file in files if file.exists())

    def count_quarantined(self) -> int:
        """Return how many damaged databases were moved away."""
        return sum(1 for _ in self.quarantine.glob("*.db"))

    @contextmanager
    def lock(self, timeout_s: float) -> Iterator[None]:
        """Keep other processes from opening, migrating or moving the database meanwhile.

        The kernel frees the lock of a process that dies.  Raises StoreUnavailable.
        """
        flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self.root / "store.lock", flags, 0o600)
        try:
            _wait_for_lock(descriptor, timeout_s)
            yield
        finally:
            os.close(descriptor)

    def set_aside(self, inode: int) -> Path | None:
        """Move a damaged database with its log into quarantine; call it under ``lock``.

        Does nothing and returns None if the database is no longer the file ``inode``: another
        process was faster.  The log goes first, so it never lies beside a fresh database.
        """
        if self.read_inode() != inode:
            return None
        self.quarantine.mkdir(mode=0o700, exist_ok=True)
        target = self._find_free_name()
        for suffix in ("-wal", "-shm", ""):
            source = self.root / f"store.db{suffix}"
            if source.exists():
                os.replace(source, f"{target}{suffix}")
        return target

    def _find_free_name(self) -> Path:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        taken = {file.name for file in self.quarantine.iterdir()}
        serial = 0
        while f"{stamp}-{serial}.db" in taken:
            serial += 1
        return self.quarantine / f"{stamp}-{serial}.db"


def translate_os_error(error: OSError) -> StoreUnavailable:
    code = _OS_CODES.get(error.errno or 0, IO)
    return StoreUnavailable(code, f"{error.filename or 'store'}: {error.strerror or error}")


def _check_private(path: Path, is_kind: Callable[[int], bool]) -> None:
    found = path.stat() if is_kind is stat.S_ISDIR else path.lstat()
    if not is_kind(found.st_mode):
        raise StoreUnavailable(OWNER, f"{path} is not of the kind of file it should be")
    if found.st_uid != os.geteuid():
        raise StoreUnavailable(OWNER, f"{path} belongs to user {found.st_uid}")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise StoreUnavailable(OWNER, f"{path} may be written by others")


def _wait_for_lock(descriptor: int, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                message = f"store.lock was held for {timeout_s} s"
                raise StoreUnavailable(BUSY, message) from None
            time.sleep(_LOCK_POLL_S)
