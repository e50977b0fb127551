"""Items of the value memory and the values learned for them.

An item couples a trigger, a rationale, an executable action and a test; it is found along two
embedding axes, its syntax and what limits the hardware.  Its values are learned per stage and
state signature (family, dtype class, bottleneck class).  A signature may be cut on the right,
where less is known: a look-up backs off from right to left, down to the global value ``()``, and
a reward is credited to every one of those cut forms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from npu_autokernel.cache.errors import RecordRefusal
from npu_autokernel.cache.records import Json, build_record, take, take_number, take_texts

MemoryKind = Literal["api", "practice", "repair", "exemplar", "trace"]
Signature = tuple[str, ...]

SIGNATURE_LENGTH = 3


@dataclass(frozen=True)
class MemoryValue:
    """What an item was worth in one stage and state: Q, how often rewarded, how often above 0."""

    stage: str
    signature: Signature
    value: float = 0.0
    count: int = 0
    wins: int = 0

    def learn(self, reward: float, alpha: float) -> MemoryValue:
        """Return the value after one more reward: Q + alpha (reward - Q)."""
        return replace(
            self,
            value=self.value + alpha * (reward - self.value),
            count=self.count + 1,
            wins=self.wins + (reward > 0),
        )

    def to_json(self) -> Json:
        return {
            "stage": self.stage,
            "signature": list(self.signature),
            "value": self.value,
            "count": self.count,
            "wins": self.wins,
        }

    @classmethod
    def build(cls, document: Json) -> MemoryValue:
        """Raises ValueError, KeyError or TypeError on a damaged document."""
        return cls(
            stage=take(document, "stage", str),
            signature=check_signature(take_texts(document, "signature")),
            value=take_number(document, "value"),
            count=take(document, "count", int),
            wins=take(document, "wins", int),
        )


@dataclass(frozen=True)
class MemoryRecord:
    """An item of the value memory.

    ``trigger``, ``action`` and ``test`` are documents of the agent's, opaque here.  ``syntax``
    is the text embedded on the syntactic axis; ``hardware`` the tags on the other.
    """

    SCHEMA = "memory/1"

    item_id: str
    kind: MemoryKind
    trigger: Json
    rationale: str
    action: Json
    test: Json
    syntax: str
    hardware: tuple[str, ...]
    provenance: Json
    values: tuple[MemoryValue, ...] = ()

    def find_value(
        self, stage: str, signature: Signature, min_count: int = 1
    ) -> MemoryValue | None:
        return find_value(self.values, stage, signature, min_count)

    def count_uses(self, stage: str) -> int:
        """Return how often the item was rewarded in ``stage``, in any state."""
        found = find_value(self.values, stage, ())
        return found.count if found else 0

    def to_json(self) -> Json:
        return {**self.content_to_json(), "values": [value.to_json() for value in self.values]}

    def content_to_json(self) -> Json:
        """Return the item without its values, which the store keeps apart."""
        return {
            "schema": self.SCHEMA,
            "item_id": self.item_id,
            "kind": self.kind,
            "trigger": self.trigger,
            "rationale": self.rationale,
            "action": self.action,
            "test": self.test,
            "syntax": self.syntax,
            "hardware": list(self.hardware),
            "provenance": self.provenance,
        }

    @classmethod
    def from_json(cls, document: Json) -> MemoryRecord | RecordRefusal:
        return build_record(document, cls.SCHEMA, cls._build)

    @classmethod
    def _build(cls, document: Json) -> MemoryRecord:
        return cls(
            item_id=take(document, "item_id", str),
            kind=check_kind(document["kind"]),
            trigger=document["trigger"],
            rationale=take(document, "rationale", str),
            action=document["action"],
            test=document["test"],
            syntax=take(document, "syntax", str),
            hardware=take_texts(document, "hardware"),
            provenance=document["provenance"],
            values=tuple(map(MemoryValue.build, document.get("values", []))),
        )


def back_off(signature: Signature) -> tuple[Signature, ...]:
    """Return the signature and its cut forms, most special first, the global ``()`` last."""
    return tuple(signature[:length] for length in range(len(signature), -1, -1))


def find_value(
    values: Iterable[MemoryValue], stage: str, signature: Signature, min_count: int = 1
) -> MemoryValue | None:
    """Return the most special value that was rewarded at least ``min_count`` times.

    None when even the global value of the stage has seen fewer rewards.
    """
    known = {
        value.signature: value
        for value in values
        if value.stage == stage and value.count >= min_count
    }
    return next((known[form] for form in back_off(signature) if form in known), None)


def check_signature(signature: Signature) -> Signature:
    """Return ``signature`` if it has at most three parts; raises ValueError."""
    if len(signature) > SIGNATURE_LENGTH:
        raise ValueError(f"a state signature has at most {SIGNATURE_LENGTH} parts: {signature}")
    return signature


def check_reward(signature: Signature, reward: float) -> None:
    """Raises ValueError if ``reward`` cannot be learned for ``signature``."""
    check_signature(signature)
    if not math.isfinite(reward):
        raise ValueError(f"a reward must be finite, not {reward}")


def check_kind(kind: Json) -> MemoryKind:
    """Return ``kind`` if an item can be of it; raises ValueError."""
    if kind not in get_args(MemoryKind):
        raise ValueError(f"unknown kind of memory item {kind!r}")
    return cast(MemoryKind, kind)
