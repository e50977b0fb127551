"""Verdict: what the verifier says of one candidate, as a value a person or a model can act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from npu_autokernel.reasons import explain_reason

VERDICT_SCHEMA = 1


@dataclass(frozen=True)
class Mismatch:
    """One element that is wrong: output number, index, the golden value and what the kernel gave."""

    output: int
    index: tuple[int, ...]
    expected: float
    got: float


@dataclass(frozen=True)
class Verdict:
    """Which gate decided, why, in one sentence, with evidence.

    `reason` is a code of `reasons.py` (`ok` when every gate passed). `evidence` holds numbers parsed from a
    message or measured (`needed_bits`, `available_bits`, `max_error`, ...), and where it happened: `line` (of a
    front-end error) and `source_line` (of a fault) count lines of the source, `source_text` is the latter,
    `dump_line` counts lines of the compiler's dump. `gate_times_s` is the time spent per gate, in seconds. `depth`
    is `screen` or `prove`.
    """

    reason: str
    gate: str
    depth: str
    message: str
    evidence: tuple[tuple[str, int | float | str], ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    gate_times_s: tuple[tuple[str, float], ...] = ()

    @property
    def is_ok(self) -> bool:
        return self.reason == "ok"

    def advice(self) -> str:
        """What to do about it, from the table of reasons."""
        return explain_reason(self.reason).advice

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": VERDICT_SCHEMA,
            "reason": self.reason,
            "gate": self.gate,
            "depth": self.depth,
            "message": self.message,
            "evidence": dict(self.evidence),
            "mismatches": [
                [item.output, list(item.index), item.expected, item.got] for item in self.mismatches
            ],
            "gate_times_s": dict(self.gate_times_s),
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> Verdict:
        """Inverse of `to_json`; raises ValueError for another schema, KeyError for a missing field."""
        if document["schema"] != VERDICT_SCHEMA:
            raise ValueError(f"verdict schema {document['schema']} is not {VERDICT_SCHEMA}")
        return Verdict(
            reason=document["reason"],
            gate=document["gate"],
            depth=document["depth"],
            message=document["message"],
            evidence=tuple(document["evidence"].items()),
            mismatches=tuple(
                Mismatch(output, tuple(index), expected, got)
                for output, index, expected, got in document["mismatches"]
            ),
            gate_times_s=tuple(document["gate_times_s"].items()),
        )
