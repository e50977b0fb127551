"""The store in one SQLite file, shared by all processes of a host.

``SqliteStore`` keeps the contract of ``store.Store``.  Every method is one transaction, run by
``_run``: it takes the thread's connection, begins, works, commits, and turns what SQLite reports
into StoreUnavailable.  A damaged file is moved to quarantine, what can be read of it is copied
into a fresh one, and the work is done again there; a damaged row is moved to the quarantine table
and left out of the answer.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from npu_autokernel.cache.errors import CORRUPT_FILE, Finding, StoreUnavailable
from npu_autokernel.cache.exchange import read_export, write_export
from npu_autokernel.cache.explain import NearKey, rank_nearest
from npu_autokernel.cache.memory import MemoryKind, MemoryRecord, Signature, check_reward
from npu_autokernel.cache.records import (
    RECORD_KINDS,
    AttemptRecord,
    Json,
    KernelId,
    KernelRecord,
    KernelSummary,
    LeaseRecord,
    RecordKind,
)
from npu_autokernel.cache.sqlite import leases, memory, upkeep
from npu_autokernel.cache.sqlite.connections import Connections, DamagedFile
from npu_autokernel.cache.sqlite.intake import import_records, salvage
from npu_autokernel.cache.sqlite.quarantine import quarantine_row
from npu_autokernel.cache.sqlite.rows import (
    delete_kernel,
    insert_attempt,
    insert_kernel,
    upsert_memory,
)
from npu_autokernel.cache.sqlite.scan import (
    AnyRecord,
    DamagedRowFound,
    Scan,
    scan_attempts,
    scan_in_parts,
    scan_kernels,
    scan_memory,
    scan_summaries,
)
from npu_autokernel.cache.sqlite.transaction import Begin, run_transaction, translate_error
from npu_autokernel.cache.store import ImportReport, PruneReport, StoreStats
from npu_autokernel.cache.store_folder import StoreFolder

_FIRST_POLL_S = 0.01
_LAST_POLL_S = 0.25

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]


class SqliteStore:
    """A ``Store`` in ``folder``, made if it is missing.

    ``clock`` returns seconds since the epoch.  Raises StoreUnavailable if the folder may not or
    cannot be used.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = StoreFolder(Path(folder))
        self._clock = clock
        self._findings: list[Finding] = []
        self._connections = Connections(self._folder)
        self.generation()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._findings)

    def generation(self) -> int:
        return self._read(upkeep.read_generation)

    # Kernels

    def get_kernels(self, proof_digest: str) -> tuple[KernelRecord, ...]:
        return self._read_records(lambda db: scan_kernels(db, proof_digest))

    def put_kernel(self, record: KernelRecord) -> None:
        def work(db: sqlite3.Connection) -> None:
            insert_kernel(db, record)
            upkeep.bump_generation(db)

        self._write(work)

    def touch(self, identities: Iterable[KernelId]) -> None:
        wanted = tuple(identities)
        now = self._clock()
        if self._read(lambda db: upkeep.list_unnoted(db, wanted, now)):
            self._write(lambda db: upkeep.note_use(db, wanted, now))

    def list_kernels(self) -> tuple[KernelSummary, ...]:
        return self._read_records(scan_summaries)

    def delete_kernel(self, identity: KernelId) -> bool:
        def work(db: sqlite3.Connection) -> bool:
            found = delete_kernel(db, identity)
            if found:
                upkeep.bump_generation(db)
            return found

        return self._write(work)

    def nearest_keys(self, proof_key: Json, limit: int = 3) -> tuple[NearKey, ...]:
        keys = {item.identity.proof_digest: item.proof_key for item in self.list_kernels()}
        return rank_nearest(proof_key, keys.items(), limit)

    # Attempts and memory

    def append_attempt(self, record: AttemptRecord) -> None:
        self._write(lambda db: insert_attempt(db, record))

    def list_attempts(
        self, task_digest: str | None = None, episode_id: str | None = None
    ) -> tuple[AttemptRecord, ...]:
        return self._read_records(lambda db: scan_attempts(db, task_digest, episode_id))

    def put_memory(self, record: MemoryRecord) -> None:
        self._write(lambda db: upsert_memory(db, record))

    def delete_memory(self, item_id: str) -> bool:
        statement = "DELETE FROM memory_items WHERE item_id = ?"
        return self._write(lambda db: db.execute(statement, (item_id,)).rowcount > 0)

    def list_memory(self, kind: MemoryKind | None = None) -> tuple[MemoryRecord, ...]:
        return self._read_records(lambda db: scan_memory(db, kind))

    def update_values(
        self,
        item_ids: Collection[str],
        stage: str,
        signature: Signature,
        reward: float,
        alpha: float,
    ) -> None:
        check_reward(signature, reward)
        self._write(lambda db: memory.update_values(db, item_ids, stage, signature, reward, alpha))

    # Leases

    def acquire_lease(self, key: str, owner: str, ttl_s: float) -> LeaseRecord | None:
        return self._write(lambda db: leases.acquire_lease(db, key, owner, ttl_s, self._clock()))

    def renew(self, lease: LeaseRecord, ttl_s: float) -> LeaseRecord | None:
        return self._write(lambda db: leases.renew_lease(db, lease, ttl_s, self._clock()))

    def release(self, lease: LeaseRecord) -> bool:
        return self._write(lambda db: leases.release_lease(db, lease))

    def wait_for(self, key: str, timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        poll_s = _FIRST_POLL_S
        while self._read(lambda db: leases.is_held(db, key, self._clock())):
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return False
            time.sleep(min(poll_s, left_s))
            poll_s = min(2 * poll_s, _LAST_POLL_S)
        return True

    # The store as a whole

    def stats(self) -> StoreStats:
        records = self._read(upkeep.count_records)
        return replace(
            records,
            location=str(self._folder.root),
            read_only=self._connections.read_only,
            quarantined=records.quarantined + self._folder.count_quarantined(),
            size_bytes=self._folder.measure_bytes(),
        )

    def check(self, fix: bool = False) -> tuple[Finding, ...]:
        met_before = len(self._findings)
        damaged_file = self._read(upkeep.check_structure)
        damaged_rows = self._read(upkeep.list_damaged_rows)
        stale_leases = self._run(
            lambda db: upkeep.remove_stale_leases(db, self._clock(), fix),
            "BEGIN IMMEDIATE" if fix else "BEGIN",
        )
        if not fix:
            damage = [found.to_finding(fixed=False) for found in damaged_rows]
            return (*self._findings[met_before:], *damaged_file, *damage, *stale_leases)
        self._quarantine_rows(damaged_rows)
        if damaged_file:
            self._replace_file(DamagedFile(self._folder.read_inode(), damaged_file[0].message))
        return (*self._findings[met_before:], *stale_leases)

    def prune(self, max_bytes: int) -> PruneReport:
        report = self._write(lambda db: upkeep.prune(db, max_bytes))
        self._give_back_space()
        return report

    def clear(self, kinds: Collection[RecordKind] = RECORD_KINDS) -> None:
        self._write(lambda db: upkeep.delete_records(db, kinds))
        self._give_back_space()

    def export_to(self, path: Path, kinds: Collection[RecordKind] = RECORD_KINDS) -> None:
        damaged: list[DamagedRowFound] = []

        def list_records(db: sqlite3.Connection) -> Iterable[AnyRecord]:
            for scan in scan_in_parts(db, kinds):
                damaged.extend(scan.damaged)
                yield from scan.records

        self._read(lambda db: write_export(Path(path), list_records(db)))
        self._quarantine_rows(damaged)

    def import_from(self, path: Path) -> ImportReport:
        return self._write(lambda db: import_records(db, read_export(Path(path)), self._clock()))

    def close(self) -> None:
        self._connections.close()

    # Transactions

    def _read(self, work: Work[Result]) -> Result:
        return self._run(work, "BEGIN")

    def _write(self, work: Work[Result]) -> Result:
        return self._run(work, "BEGIN IMMEDIATE")

    def _run(self, work: Work[Result], begin: Begin) -> Result:
        try:
            return self._run_once(work, begin)
        except DamagedFile as damaged:
            self._replace_file(damaged)
        try:
            return self._run_once(work, begin)
        except DamagedFile as damaged:
            raise StoreUnavailable(CORRUPT_FILE, f"{self._folder.database}: {damaged}") from damaged

    def _run_once(self, work: Work[Result], begin: Begin) -> Result:
        try:
            with self._connections.use() as db:
                return run_transaction(db, work, begin)
        except sqlite3.Error as error:
            raise translate_error(error, self._folder.database) from error

    def _read_records(self, scan: Work[Scan[Result]]) -> tuple[Result, ...]:
        found = self._read(scan)
        self._quarantine_rows(found.damaged)
        return tuple(found.records)

    # Damage

    def _quarantine_rows(self, damaged: Sequence[DamagedRowFound]) -> None:
        """Move damaged rows away; where that fails they are read as absent all the same."""
        for found in damaged:
            fixed = False
            with suppress(StoreUnavailable):
                fixed = self._write(partial(quarantine_row, found=found, now=self._clock()))
            self._tell(found.to_finding(fixed))

    def _tell(self, finding: Finding) -> None:
        if finding not in self._findings:
            self._findings.append(finding)

    def _replace_file(self, damaged: DamagedFile) -> None:
        """Move the damaged file to quarantine and save what can be read of it."""
        if self._connections.read_only:
            raise StoreUnavailable(CORRUPT_FILE, f"{self._folder.database}: {damaged}")
        place = self._connections.set_aside(damaged)
        if place is None:
            return
        try:
            saved = self._run_once(
                lambda db: salvage(self._folder.root / place, db), "BEGIN IMMEDIATE"
            )
        except (DamagedFile, StoreUnavailable):
            saved = 0
        message = f"{damaged}; moved to {place}, {saved} records were saved"
        self._tell(Finding(CORRUPT_FILE, self._folder.database.name, message, fixed=True))

    def _give_back_space(self) -> None:
        """Shrink the file; another process in the middle of a read may put that off."""
        with suppress(sqlite3.OperationalError), self._connections.use() as db:
            upkeep.give_back_space(db)
