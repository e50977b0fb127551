"""Connections to one SQLite file: one per thread, none across a fork.

``use`` gives a thread its connection for one transaction.  It opens a new one for a new thread,
and when the file behind the old one was moved to quarantine.  SQLite keeps the locks of a file in
process memory, and a forked child would inherit the memory without the locks; so all connections
are closed before a fork, once no transaction is running, and opened again when they are asked for.

Settings: WAL lets readers go on while one process writes.  ``synchronous = NORMAL`` loses nothing
when a process dies and never damages the file; a power cut may take back the last writes, which
a store of things that can be made again does not mind, and a write costs no disk flush.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from npu_autokernel.cache.errors import CLOSED, READ_ONLY, StoreUnavailable
from npu_autokernel.cache.sqlite.schema import prepare_schema, read_version
from npu_autokernel.cache.sqlite.transaction import tells_damage
from npu_autokernel.cache.store_folder import StoreFolder, translate_os_error

BUSY_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class _Connection:
    db: sqlite3.Connection
    inode: int
    thread: threading.Thread


class DamagedFile(Exception):
    """SQLite found the file ``inode`` damaged."""

    def __init__(self, inode: int, message: str) -> None:
        super().__init__(message)
        self.inode = inode


class Connections:
    """The open connections of one store in this process."""

    def __init__(self, folder: StoreFolder) -> None:
        """Raises StoreUnavailable if the folder may not be used."""
        self._folder = folder
        self._open: dict[tuple[int, int], _Connection] = {}
        self._gate = threading.Condition()
        self._running = 0
        self._holding = False
        self._closed = False
        folder.prepare()
        self.read_only = not folder.is_writable()
        _ALL.add(self)

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """Give the calling thread its connection.

        Raises StoreUnavailable, DamagedFile, or what else sqlite3 raises.
        """
        with self._gate:
            self._gate.wait_for(lambda: not self._holding)
            self._running += 1
        try:
            connection = self._find_or_open()
            with _damage_told(connection.inode):
                yield connection.db
        finally:
            with self._gate:
                self._running -= 1
                self._gate.notify_all()

    def set_aside(self, damaged: DamagedFile) -> str | None:
        """Move a damaged file to quarantine, so that the next use makes a fresh one.

        Returns its place in the folder, or None if another process moved it before.  Raises
        StoreUnavailable.
        """
        try:
            with self._folder.lock(BUSY_TIMEOUT_S):
                target = self._folder.set_aside(damaged.inode)
        except OSError as error:
            raise translate_os_error(error) from error
        return str(target.relative_to(self._folder.root)) if target else None

    def close(self) -> None:
        self._closed = True
        with self._gate:
            self._close_idle()

    def hold_for_fork(self) -> None:
        """Wait until no transaction runs, close all connections and let none be opened."""
        self._gate.acquire()
        self._holding = True
        self._close_idle()

    def resume_after_fork(self) -> None:
        self._holding = False
        self._gate.notify_all()
        self._gate.release()

    def restart_in_child(self) -> None:
        self._gate = threading.Condition()
        self._running = 0
        self._holding = False

    def _close_idle(self) -> None:
        if self._gate.wait_for(lambda: self._running == 0, timeout=BUSY_TIMEOUT_S):
            for place in list(self._open):
                self._forget(place)

    def _find_or_open(self) -> _Connection:
        if self._closed:
            raise StoreUnavailable(CLOSED, "the store was closed")
        place = (os.getpid(), threading.get_ident())
        connection = self._open.get(place)
        if connection and self._is_current(connection):
            return connection
        with self._gate:
            self._forget_unusable(place)
        self._open[place] = open_connection(self._folder, self.read_only)
        return self._open[place]

    def _is_current(self, connection: _Connection) -> bool:
        """A thread's number may be that of an ended thread; a file may have been moved."""
        return (
            connection.thread is threading.current_thread()
            and connection.inode == self._folder.read_inode()
        )

    def _forget_unusable(self, own_place: tuple[int, int]) -> None:
        for place, connection in list(self._open.items()):
            if place == own_place or not connection.thread.is_alive():
                self._forget(place)

    def _forget(self, place: tuple[int, int]) -> None:
        """Close a connection, unless it is of the process that this one was forked from."""
        if place[0] == os.getpid():
            with suppress(sqlite3.Error):
                self._open.pop(place).db.close()


def open_connection(folder: StoreFolder, read_only: bool) -> _Connection:
    """Open the database, made or migrated if need be.

    Raises StoreUnavailable, DamagedFile, or what else sqlite3 raises.
    """
    try:
        if read_only:
            return _open_read_only(folder)
        folder.prepare()  # somebody may have removed it since, or let others in
        with folder.lock(BUSY_TIMEOUT_S):
            folder.create_database()
            return _connect(folder, "mode=rw")
    except OSError as error:
        raise translate_os_error(error) from error


def _open_read_only(folder: StoreFolder) -> _Connection:
    if not folder.database.exists():
        raise StoreUnavailable(READ_ONLY, f"{folder.root} is read-only and has no store in it")
    log, _ = folder.log_files
    if log.exists() and log.stat().st_size:
        return _connect(folder, "mode=ro")
    # With no log beside it the file is complete, and SQLite could not make a log here to read it.
    return _connect(folder, "mode=ro&immutable=1")


def _connect(folder: StoreFolder, mode: str) -> _Connection:
    inode = folder.read_inode()
    uri = f"{folder.database.absolute().as_uri()}?{mode}"
    db = sqlite3.connect(
        uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        with _damage_told(inode):
            _set_up(db, writable=mode == "mode=rw")
    except BaseException:
        db.close()
        raise
    return _Connection(db, inode, threading.current_thread())


def _set_up(db: sqlite3.Connection, writable: bool) -> None:
    # A damaged text must come through as text, to be caught by its digest.
    db.text_factory = lambda data: data.decode("utf-8", "replace")
    for pragma in ("foreign_keys = ON", "trusted_schema = OFF", "cell_size_check = ON"):
        db.execute(f"PRAGMA {pragma}")
    db.execute("PRAGMA synchronous = NORMAL")
    if writable:
        prepare_schema(db)
    elif read_version(db) == 0:
        raise StoreUnavailable(READ_ONLY, "the store is read-only and was never filled")


@contextmanager
def _damage_told(inode: int) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if tells_damage(error):
            raise DamagedFile(inode, str(error)) from error
        raise


_ALL: weakref.WeakSet[Connections] = weakref.WeakSet()
_fork_lock = threading.Lock()  # two threads may fork at once
_held: list[Connections] = []


def _before_fork() -> None:
    _fork_lock.acquire()
    _held.extend(_ALL)
    for connections in _held:
        connections.hold_for_fork()


def _after_fork_in_parent() -> None:
    while _held:
        _held.pop().resume_after_fork()
    _fork_lock.release()


def _after_fork_in_child() -> None:
    while _held:
        _held.pop().restart_in_child()
    _fork_lock.release()


os.register_at_fork(
    before=_before_fork,
    after_in_parent=_after_fork_in_parent,
    after_in_child=_after_fork_in_child,
)
