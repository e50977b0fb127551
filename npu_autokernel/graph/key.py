"""The key of a kernel: which kernels may run for a task (proof key) and which schedule suits it (tuning bucket).

Keys are data: the proof key is a readable document beside its digest, so a miss can be explained field by field.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from npu_autokernel.cache.canonical import digest_json
from npu_autokernel.graph.task import KernelTask

KEY_SCHEMA = 1


@dataclass(frozen=True)
class ProofKey:
    """Everything a proof depends on. A proven kernel runs for any task with an equal proof key.

    `task` is the task's document without its hints; extent classes (0, 1, two or more) and stride classes are in
    it, since 0, 1 and expanded dimensions are literals there and all else is a symbol. No alignment is assumed:
    the compiler is given no divisibility hints, so kernels hold for every extent.
    """

    task: dict[str, Any]
    soc: str
    toolchain: tuple[tuple[str, str], ...]

    @cached_property
    def digest(self) -> str:
        return digest_json(self.to_json())

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": KEY_SCHEMA,
            "task": self.task,
            "soc": self.soc,
            "toolchain": dict(self.toolchain),
        }


def make_proof_key(task: KernelTask, soc: str, toolchain: tuple[tuple[str, str], ...]) -> ProofKey:
    """The proof key of `task` on `soc` with the versions of the tool chain (name, version), sorted."""
    document = task.to_json()
    document["symbols"] = [name for name, _ in document.pop("hints")]
    return ProofKey(document, soc, tuple(sorted(toolchain)))


def make_tuning_bucket(task: KernelTask) -> str:
    """The bucket of the hinted extents: `s0:7 s1:9` for floor(log2) of each; strides do not count."""
    return " ".join(
        f"{name}:{value.bit_length() - 1}" for name, value in task.hints if name.startswith("s")
    )
