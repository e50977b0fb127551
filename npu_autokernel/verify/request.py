"""The worker boundary: what crosses into the worker process and what comes back, both as JSON documents.

Source text, compilers and unproven candidates stay on the worker's side; only values cross.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from npu_autokernel.candidate import Candidate
from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.measurement import Measurement
from npu_autokernel.verdict import Verdict

REQUEST_SCHEMA = 1

Depth = Literal["screen", "prove"]


@dataclass(frozen=True)
class VerifyRequest:
    """One candidate to verify for one task on one SoC, to the given depth.

    `seed` feeds the test data. `limit_s` bounds the whole request in seconds, `limit_bytes` the worker's memory.
    """

    task: KernelTask
    candidate: Candidate
    depth: Depth
    soc: str
    seed: int = 0
    limit_s: float = 60.0
    limit_bytes: int = 8 << 30

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": REQUEST_SCHEMA,
            "task": self.task.to_json(),
            "candidate": self.candidate.to_json(),
            "depth": self.depth,
            "soc": self.soc,
            "seed": self.seed,
            "limit_s": self.limit_s,
            "limit_bytes": self.limit_bytes,
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> VerifyRequest:
        """Inverse of `to_json`; raises ValueError for another schema, KeyError for a missing field."""
        if document["schema"] != REQUEST_SCHEMA:
            raise ValueError(f"request schema {document['schema']} is not {REQUEST_SCHEMA}")
        return VerifyRequest(
            task=KernelTask.from_json(document["task"]),
            candidate=Candidate.from_json(document["candidate"]),
            depth=document["depth"],
            soc=document["soc"],
            seed=document["seed"],
            limit_s=document["limit_s"],
            limit_bytes=document["limit_bytes"],
        )


@dataclass(frozen=True)
class VerifyReply:
    """The verdict, the measurement at the asked shape if the time gate was reached, and the compiled launches."""

    verdict: Verdict
    measurement: Measurement | None = None
    kernels: tuple[CompiledKernel, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": REQUEST_SCHEMA,
            "verdict": self.verdict.to_json(),
            "measurement": self.measurement.to_json() if self.measurement else None,
            "kernels": [kernel.to_json() for kernel in self.kernels],
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> VerifyReply:
        """Inverse of `to_json`; raises ValueError for another schema, KeyError for a missing field."""
        if document["schema"] != REQUEST_SCHEMA:
            raise ValueError(f"reply schema {document['schema']} is not {REQUEST_SCHEMA}")
        measurement = document["measurement"]
        return VerifyReply(
            verdict=Verdict.from_json(document["verdict"]),
            measurement=Measurement.from_json(measurement) if measurement else None,
            kernels=tuple(CompiledKernel.from_json(kernel) for kernel in document["kernels"]),
        )
