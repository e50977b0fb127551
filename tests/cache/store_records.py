"""Records, and a clock, for the tests of the store."""

from __future__ import annotations

from typing import Any

from npu_autokernel.cache import Artifact, AttemptRecord, KernelRecord, MemoryRecord, MemoryValue


def make_kernel(**changes: Any) -> KernelRecord:
    fields: dict[str, Any] = {
        "proof_key": {"ops": ["aten.add"], "dtypes": ["float32"], "rank": 2},
        "bucket": "10,12",
        "candidate": {"language": "triton", "source": "def kernel(): ..."},
        "artifacts": (Artifact("program", b"\x00\x01" * 500), Artifact("source", b"text")),
        "verdict": {"gate": "time", "code": "ok", "share": 0.25},
        "measurement": {"latency_us": 12.5, "provenance": "machine"},
        "requires": ("n % 16 == 0",),
        "provenance": {"proposer": "built-in"},
        "created_at": 100.0,
        "last_used_at": 100.0,
    }
    return KernelRecord(**{**fields, **changes})


def make_attempt(**changes: Any) -> AttemptRecord:
    fields: dict[str, Any] = {
        "task_digest": "task",
        "episode_id": "episode",
        "stage": "draft",
        "ordinal": 0,
        "candidate": {"source": "x = 1"},
        "verdict": {"code": "compile.ub_overflow"},
        "measurement": None,
        "memory_items": ("practice/rows",),
        "at": 5.0,
    }
    return AttemptRecord(**{**fields, **changes})


def make_memory(**changes: Any) -> MemoryRecord:
    fields: dict[str, Any] = {
        "item_id": "practice/rows",
        "kind": "practice",
        "trigger": {"code": "time.slow"},
        "rationale": "A longer inner axis moves more bytes per instruction.",
        "action": {"move": "rows_per_program", "by": 2},
        "test": {"task": "softmax"},
        "syntax": "tl.load rows block",
        "hardware": ("mte2", "vector"),
        "provenance": {"made_by": "seed"},
    }
    return MemoryRecord(**{**fields, **changes})


def make_value(**changes: Any) -> MemoryValue:
    fields: dict[str, Any] = {"stage": "draft", "signature": ("softmax",), "value": 0.5}
    return MemoryValue(**{**fields, "count": 2, "wins": 1, **changes})


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
