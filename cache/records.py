"""The records of the store: a verified kernel, an attempt, a lease.

Candidates, verdicts, measurements and keys are opaque here: JSON documents as
``parse_canonical`` returns them.  Digests are derived from the documents and never given, so a
record cannot disagree with its own digest.  ``to_json`` writes the record's schema version;
``from_json`` returns a RecordRefusal, not an exception, for a document it does not understand.
Memory items are in ``memory.py``.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

from npu_autokernel.cache.canonical import digest_json
from npu_autokernel.cache.errors import RECORD_INVALID, RECORD_VERSION, RecordRefusal

Json = Any
KernelState = Literal["proven", "imported"]
RecordKind = Literal["kernels", "attempts", "memory"]
RECORD_KINDS: tuple[RecordKind, ...] = ("kernels", "attempts", "memory")

Built = TypeVar("Built")


@dataclass(frozen=True)
class Artifact:
    """One named file that belongs to a kernel, such as its compiled program."""

    name: str
    data: bytes = field(repr=False)

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def to_json(self) -> Json:
        text = base64.b64encode(self.data).decode("ascii")
        return {"name": self.name, "sha256": self.sha256, "base64": text}

    @classmethod
    def build(cls, document: Json) -> Artifact:
        """Raises ValueError, KeyError or TypeError on a damaged document."""
        text = take(document, "base64", str)
        artifact = cls(take(document, "name", str), base64.b64decode(text, validate=True))
        if artifact.sha256 != document["sha256"]:
            raise ValueError(f"artifact {artifact.name!r} does not match its sha256")
        return artifact


@dataclass(frozen=True, order=True)
class KernelId:
    """What tells two stored kernels apart."""

    proof_digest: str
    bucket: str
    candidate_digest: str


@dataclass(frozen=True)
class KernelRecord:
    """A kernel that was proven here, or imported and not yet proven here.

    ``requires`` holds size conditions as text, which only the binder reads.  Times are seconds
    since the epoch.
    """

    SCHEMA = "kernel/1"

    proof_key: Json
    bucket: str
    candidate: Json
    artifacts: tuple[Artifact, ...]
    verdict: Json
    measurement: Json
    requires: tuple[str, ...]
    provenance: Json
    created_at: float
    last_used_at: float
    state: KernelState = "proven"

    @cached_property
    def proof_digest(self) -> str:
        return digest_json(self.proof_key)

    @cached_property
    def candidate_digest(self) -> str:
        return digest_json(self.candidate)

    @property
    def identity(self) -> KernelId:
        return KernelId(self.proof_digest, self.bucket, self.candidate_digest)

    def to_json(self) -> Json:
        return {
            "schema": self.SCHEMA,
            "proof_key": self.proof_key,
            "bucket": self.bucket,
            "candidate": self.candidate,
            "artifacts": [artifact.to_json() for artifact in self.artifacts],
            "verdict": self.verdict,
            "measurement": self.measurement,
            "requires": list(self.requires),
            "provenance": self.provenance,
            "created_at": self.created_at,
            "last_used_at": self.last_used_at,
            "state": self.state,
        }

    @classmethod
    def from_json(cls, document: Json) -> KernelRecord | RecordRefusal:
        return build_record(document, cls.SCHEMA, cls._build)

    @classmethod
    def _build(cls, document: Json) -> KernelRecord:
        return cls(
            proof_key=document["proof_key"],
            bucket=take(document, "bucket", str),
            candidate=document["candidate"],
            artifacts=tuple(map(Artifact.build, take(document, "artifacts", list))),
            verdict=document["verdict"],
            measurement=document["measurement"],
            requires=take_texts(document, "requires"),
            provenance=document["provenance"],
            created_at=take_number(document, "created_at"),
            last_used_at=take_number(document, "last_used_at"),
            state=check_state(document["state"]),
        )


@dataclass(frozen=True)
class KernelSummary:
    """A stored kernel without its candidate and artifacts: what a listing needs.

    ``size_bytes`` is what the kernel takes in the store, compressed.
    """

    identity: KernelId
    proof_key: Json
    verdict: Json
    measurement: Json
    requires: tuple[str, ...]
    provenance: Json
    created_at: float
    last_used_at: float
    state: KernelState
    size_bytes: int


@dataclass(frozen=True)
class AttemptRecord:
    """One step of an episode: what was tried, what the verifier saw, what it had been told.

    ``ordinal`` counts the attempts of the episode; ``memory_items`` are ids of the items in the
    context.  ``measurement`` is None for an attempt that was never timed.
    """

    SCHEMA = "attempt/1"

    task_digest: str
    episode_id: str
    stage: str
    ordinal: int
    candidate: Json
    verdict: Json
    measurement: Json | None
    memory_items: tuple[str, ...]
    at: float

    @cached_property
    def digest(self) -> str:
        return digest_json(self.to_json())

    def to_json(self) -> Json:
        return {
            "schema": self.SCHEMA,
            "task_digest": self.task_digest,
            "episode_id": self.episode_id,
            "stage": self.stage,
            "ordinal": self.ordinal,
            "candidate": self.candidate,
            "verdict": self.verdict,
            "measurement": self.measurement,
            "memory_items": list(self.memory_items),
            "at": self.at,
        }

    @classmethod
    def from_json(cls, document: Json) -> AttemptRecord | RecordRefusal:
        return build_record(document, cls.SCHEMA, cls._build)

    @classmethod
    def _build(cls, document: Json) -> AttemptRecord:
        return cls(
            task_digest=take(document, "task_digest", str),
            episode_id=take(document, "episode_id", str),
            stage=take(document, "stage", str),
            ordinal=take(document, "ordinal", int),
            candidate=document["candidate"],
            verdict=document["verdict"],
            measurement=document["measurement"],
            memory_items=take_texts(document, "memory_items"),
            at=take_number(document, "at"),
        )


@dataclass(frozen=True)
class LeaseRecord:
    """The right to synthesise one key, held by one owner until ``expires_at``.

    ``token`` tells this holding from every other; ``boot_id``, ``pid`` and ``pid_started``
    name the process, so that others on the same host see when it is dead (see ``lease.py``).
    """

    key: str
    owner: str
    token: str
    boot_id: str
    pid: int
    pid_started: str
    acquired_at: float
    expires_at: float


def build_record(
    document: Json, schema: str, build: Callable[[Json], Built]
) -> Built | RecordRefusal:
    """Build a record from its JSON document, or say why it cannot be."""
    found = document.get("schema") if isinstance(document, dict) else None
    if found != schema:
        return RecordRefusal(RECORD_VERSION, f"schema {found!r} is not {schema!r}")
    try:
        return build(document)
    except (KeyError, TypeError, ValueError) as error:
        return RecordRefusal(RECORD_INVALID, f"{schema}: {type(error).__name__}: {error}")


def take(document: Json, name: str, kind: type[Built]) -> Built:
    """Return a field of the exact type ``kind``; raises KeyError or TypeError."""
    value = document[name]
    if type(value) is not kind:
        raise TypeError(f"{name} is {type(value).__name__}, not {kind.__name__}")
    return value


def take_number(document: Json, name: str) -> float:
    """Return a field that is a finite number; raises KeyError, TypeError or ValueError."""
    value = document[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is {type(value).__name__}, not a number")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, not {value}")
    return float(value)


def take_texts(document: Json, name: str) -> tuple[str, ...]:
    """Return a field that is a list of strings; raises KeyError or TypeError."""
    texts = tuple(take(document, name, list))
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"{name} holds something that is no text")
    return texts


def check_state(state: Json) -> KernelState:
    """Return ``state`` if a kernel can be in it; raises ValueError."""
    if state not in ("proven", "imported"):
        raise ValueError(f"unknown kernel state {state!r}")
    return "proven" if state == "proven" else "imported"
