"""Attempts of an episode: what was proposed, what the verifier saw, and their record in the store."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from npu_autokernel.cache.records import AttemptRecord
from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.verify.request import VerifyReply

Stage = Literal["draft", "refine", "prove"]


@dataclass(frozen=True)
class Attempt:
    """One candidate and the verifier's reply to it."""

    stage: Stage
    candidate: Candidate
    reply: VerifyReply

    @property
    def is_feasible(self) -> bool:
        return self.reply.verdict.is_ok

    @property
    def latency_us(self) -> float:
        """The estimate, or infinity for a candidate that was never timed."""
        measurement = self.reply.measurement
        return measurement.latency_us if measurement and self.is_feasible else float("inf")


def record_attempt(
    task: KernelTask, episode_id: str, ordinal: int, attempt: Attempt
) -> AttemptRecord:
    """The attempt as the store keeps it."""
    measurement = attempt.reply.measurement
    return AttemptRecord(
        task_digest=task.digest(),
        episode_id=episode_id,
        stage=attempt.stage,
        ordinal=ordinal,
        candidate=attempt.candidate.to_json(),
        verdict=attempt.reply.verdict.to_json(),
        measurement=measurement.to_json() if measurement else None,
        memory_items=attempt.candidate.provenance.memory_items,
        at=time.time(),
    )
