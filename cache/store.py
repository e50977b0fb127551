"""The contract of a store, whichever database is behind it.

Every method is atomic: it happens whole or not at all, also when the process is killed, and other
processes see it whole.  What a method wrote survives the end of the process; a power cut may take
back the last writes but never half of one.  Methods may be called from any thread and, in a
forked child, on the store opened by its parent.

Every method raises StoreUnavailable, with a code of ``errors.STORE_CODES``, when the store cannot
serve; the caller then goes on without it.  Damage is no exception: a damaged record reads as
absent, is set aside, and is told in ``findings``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from npu_autokernel.cache.errors import Finding
from npu_autokernel.cache.explain import NearKey
from npu_autokernel.cache.memory import MemoryKind, MemoryRecord, Signature
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


@dataclass(frozen=True)
class StoreStats:
    """How much a store holds; ``size_bytes`` is what it takes on disk."""

    location: str
    schema_version: int
    generation: int
    read_only: bool
    proven_kernels: int
    imported_kernels: int
    attempts: int
    memory_items: int
    leases: int
    quarantined: int
    size_bytes: int


@dataclass(frozen=True)
class PruneReport:
    """What ``prune`` deleted, and the bytes of records that went and that are left."""

    kernels: int
    attempts: int
    freed_bytes: int
    kept_bytes: int


@dataclass(frozen=True)
class ImportReport:
    """How many records of each kind were new, and how many were here already and kept."""

    kernels: int
    attempts: int
    memory: int
    kept: int


class Store(Protocol):
    """See the module's docstring for what holds for every method."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Damage met by this object since it was opened, oldest first."""
        ...

    def generation(self) -> int:
        """Return a number that grows whenever the set of kernels changes, and only then."""
        ...

    def get_kernels(self, proof_digest: str) -> tuple[KernelRecord, ...]:
        """Return the kernels of a proof key in every bucket, by bucket, newest first in one.

        Every digest is checked on the way.  Says nothing about use: call ``touch``.
        """
        ...

    def put_kernel(self, record: KernelRecord) -> None:
        """Keep a kernel; replaces the one of the same identity, if any."""
        ...

    def touch(self, identities: Iterable[KernelId]) -> None:
        """Note that kernels were used now (to the minute); unknown ones are ignored."""
        ...

    def list_kernels(self) -> tuple[KernelSummary, ...]:
        """Return every kernel without candidate and artifacts, the most recently used first."""
        ...

    def delete_kernel(self, identity: KernelId) -> bool:
        """Delete a kernel; tells whether it was there."""
        ...

    def nearest_keys(self, proof_key: Json, limit: int = 3) -> tuple[NearKey, ...]:
        """Return the stored proof keys that differ least from ``proof_key``, and where."""
        ...

    def append_attempt(self, record: AttemptRecord) -> None:
        """Keep an attempt; appending the very same one again changes nothing."""
        ...

    def list_attempts(
        self, task_digest: str | None = None, episode_id: str | None = None
    ) -> tuple[AttemptRecord, ...]:
        """Return the attempts, of one task or episode if named, oldest first."""
        ...

    def put_memory(self, record: MemoryRecord) -> None:
        """Keep an item; replaces the content of the one with its id.

        Values already learned for that id stay; those in ``record`` are added where the store
        has none for the stage and signature.
        """
        ...

    def delete_memory(self, item_id: str) -> bool:
        """Delete an item and its values; tells whether it was there."""
        ...

    def list_memory(self, kind: MemoryKind | None = None) -> tuple[MemoryRecord, ...]:
        """Return the items by id, each with its values by stage and signature."""
        ...

    def update_values(
        self,
        item_ids: Collection[str],
        stage: str,
        signature: Signature,
        reward: float,
        alpha: float,
    ) -> None:
        """Credit a reward to every item of a context: Q + alpha (reward - Q), from Q = 0.

        Each item learns it for the signature and all its cut forms.  Unknown ids are ignored.
        Raises ValueError on a reward that is not finite or a signature that is too long.
        """
        ...

    def acquire_lease(self, key: str, owner: str, ttl_s: float) -> LeaseRecord | None:
        """Return a lease on ``key``, or None while another one holds.

        A lease holds for ``ttl_s`` seconds from its last renewal, unless it is released or its
        process is seen to be dead.  The same owner asking twice gets None too.
        """
        ...

    def renew(self, lease: LeaseRecord, ttl_s: float) -> LeaseRecord | None:
        """Return the lease prolonged to ``ttl_s`` from now, or None if it was lost meanwhile."""
        ...

    def release(self, lease: LeaseRecord) -> bool:
        """Give a lease back; tells whether it was still held."""
        ...

    def wait_for(self, key: str, timeout_s: float) -> bool:
        """Wait until nobody holds a lease on ``key``; False if that took longer."""
        ...

    def stats(self) -> StoreStats:
        """Return how much the store holds."""
        ...

    def check(self, fix: bool = False) -> tuple[Finding, ...]:
        """Read everything and return all damage; with ``fix``, set it aside."""
        ...

    def prune(self, max_bytes: int) -> PruneReport:
        """Delete until kernels and attempts take at most ``max_bytes``.

        Attempts go first, oldest first, then kernels, least recently used first.  Memory items
        stay.
        """
        ...

    def clear(self, kinds: Collection[RecordKind] = RECORD_KINDS) -> None:
        """Delete all records of the given kinds."""
        ...

    def export_to(self, path: Path, kinds: Collection[RecordKind] = RECORD_KINDS) -> None:
        """Write the undamaged records to one file; a file already there is replaced whole."""
        ...

    def import_from(self, path: Path) -> ImportReport:
        """Take in an exported file, all of it or nothing.

        Its kernels become ``imported``, that is, not proven here.  What the store already has
        under the same identity or id is kept as it is.  Raises ExchangeRefused on a file that
        is damaged, of an unknown version, or no export.
        """
        ...

    def close(self) -> None:
        """Let go of the database; every later call raises StoreUnavailable."""
        ...
