"""Tables of the SQLite store, and how an older file becomes a current one.

The schema's version is in ``PRAGMA user_version`` and the file carries our application id, so a
file of another program or of a newer version of ours is known and left alone.  To change the
schema, append a step to ``MIGRATIONS``; a step never changes once it was released.
"""

from __future__ import annotations

import sqlite3

from npu_autokernel.cache.errors import FOREIGN_VERSION, StoreUnavailable

APPLICATION_ID = 0x6E70754B  # "npuK"

_CREATE = """
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE kernels (
    id INTEGER PRIMARY KEY,
    proof_digest TEXT NOT NULL,
    bucket TEXT NOT NULL,
    candidate_digest TEXT NOT NULL,
    proof_key TEXT NOT NULL,
    verdict TEXT NOT NULL,
    measurement TEXT NOT NULL,
    requires TEXT NOT NULL,
    provenance TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at REAL NOT NULL,
    last_used_at REAL NOT NULL,
    size_bytes INTEGER NOT NULL,
    row_digest TEXT NOT NULL,
    candidate TEXT NOT NULL,
    UNIQUE (proof_digest, bucket, candidate_digest)
);

CREATE TABLE artifacts (
    kernel_id INTEGER NOT NULL REFERENCES kernels (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (kernel_id, ordinal)
);

CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    task_digest TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    at REAL NOT NULL,
    size_bytes INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX attempts_by_task ON attempts (task_digest);
CREATE INDEX attempts_by_episode ON attempts (episode_id);

CREATE TABLE memory_items (
    id INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    row_digest TEXT NOT NULL
);

CREATE TABLE memory_values (
    item_id TEXT NOT NULL REFERENCES memory_items (item_id) ON DELETE CASCADE,
    stage TEXT NOT NULL,
    signature TEXT NOT NULL,
    value REAL NOT NULL,
    count INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (item_id, stage, signature)
) WITHOUT ROWID;

CREATE TABLE leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    token TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    pid_started TEXT NOT NULL,
    acquired_at REAL NOT NULL,
    expires_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    reason TEXT NOT NULL,
    payload TEXT NOT NULL,
    at REAL NOT NULL
);
"""

MIGRATIONS: tuple[str, ...] = (_CREATE,)  # step i makes version i + 1
SCHEMA_VERSION = len(MIGRATIONS)


def prepare_schema(db: sqlite3.Connection) -> None:
    """Create or migrate the tables in one transaction, if need be.

    The caller makes sure that nobody else opens the file meanwhile.  Raises StoreUnavailable,
    with the file untouched, if it is not ours or of a newer version.
    """
    version = read_version(db)
    if version == SCHEMA_VERSION:
        return
    if version == 0:
        # These two are properties of the file and cannot be set inside a transaction.
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[version:]:
            _run_script(db, step)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def read_version(db: sqlite3.Connection) -> int:
    """Return the schema version of an open file, 0 for an empty one.

    Raises StoreUnavailable if it is another program's or newer than this code.
    """
    (application_id,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application_id == APPLICATION_ID and 1 <= version <= SCHEMA_VERSION:
        return int(version)
    if application_id == APPLICATION_ID:
        raise StoreUnavailable(
            FOREIGN_VERSION, f"the store has schema {version}, this code knows {SCHEMA_VERSION}"
        )
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application_id or version or tables:
        raise StoreUnavailable(FOREIGN_VERSION, "the file is another program's database")
    return 0


def _run_script(db: sqlite3.Connection, script: str) -> None:
    """Run statements one by one: ``executescript`` would commit the open transaction."""
    for statement in script.split(";"):
        if statement.strip():
            db.execute(statement)
