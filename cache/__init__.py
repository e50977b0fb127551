"""The store on disk: verified kernels, the value memory, attempts and leases.

The ground floor of the project: it knows no torch and no numpy and imports nothing but the
standard library.  Import it as ``npu_autokernel.cache``.

``store.Store`` is the contract, ``SqliteStore`` keeps it in one file; records are frozen
dataclasses; keys and digests go through canonical JSON.
"""

from __future__ import annotations

from npu_autokernel.cache.canonical import (
    CanonicalError,
    canonical_json,
    digest_json,
    parse_canonical,
    pretty_json,
)
from npu_autokernel.cache.errors import (
    STORE_CODES,
    ExchangeRefused,
    Finding,
    RecordRefusal,
    StoreError,
    StoreUnavailable,
)
from npu_autokernel.cache.explain import Difference, NearKey, list_differences
from npu_autokernel.cache.memory import (
    MemoryKind,
    MemoryRecord,
    MemoryValue,
    Signature,
    back_off,
    find_value,
)
from npu_autokernel.cache.records import (
    RECORD_KINDS,
    Artifact,
    AttemptRecord,
    Json,
    KernelId,
    KernelRecord,
    KernelState,
    KernelSummary,
    LeaseRecord,
    RecordKind,
)
from npu_autokernel.cache.sqlite.store import SqliteStore
from npu_autokernel.cache.store import ImportReport, PruneReport, Store, StoreStats

__all__ = [
    "RECORD_KINDS",
    "STORE_CODES",
    "Artifact",
    "AttemptRecord",
    "CanonicalError",
    "Difference",
    "ExchangeRefused",
    "Finding",
    "ImportReport",
    "Json",
    "KernelId",
    "KernelRecord",
    "KernelState",
    "KernelSummary",
    "LeaseRecord",
    "MemoryKind",
    "MemoryRecord",
    "MemoryValue",
    "NearKey",
    "PruneReport",
    "RecordKind",
    "RecordRefusal",
    "Signature",
    "SqliteStore",
    "Store",
    "StoreError",
    "StoreStats",
    "StoreUnavailable",
    "back_off",
    "canonical_json",
    "digest_json",
    "find_value",
    "list_differences",
    "parse_canonical",
    "pretty_json",
]
