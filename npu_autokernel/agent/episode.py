"""One episode: draft until feasible, refine for latency, prove the fastest, keep it.

    draft   propose, screen, repair by rule, until a candidate passes the screen
    refine  propose from the fastest so far, screen, as long as the budget lasts
    prove   the fastest to full depth; if it fails, the next one
    keep    the proven kernel, its verdict, measurement and artifacts go to the store

The budget counts screens and seconds. A lease per key lets one process of many do the work.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from npu_autokernel.agent.attempts import Attempt, Stage
from npu_autokernel.agent.journal import Journal
from npu_autokernel.agent.proposer import BuiltInProposer, ProposalContext, Proposer
from npu_autokernel.cache.records import KernelRecord
from npu_autokernel.cache.store import Store
from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.key import ProofKey, make_proof_key, make_tuning_bucket
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.launch_sizes import bind_sizes
from npu_autokernel.machine.soc import SocTable, get_soc
from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import evaluate_size
from npu_autokernel.targets.artifacts import pack_kernels
from npu_autokernel.toolchain.versions import read_versions
from npu_autokernel.verify.request import Depth, VerifyReply, VerifyRequest
from npu_autokernel.verify.worker import VerifierPool

SCREEN_LIMIT_S = 20.0
PROVE_LIMIT_S = 90.0
PROOFS_TRIED = 3

OnEvent = Callable[[Attempt], None]


@dataclass(frozen=True)
class Budget:
    """How much an episode may spend before it proves the best it has: screens, and seconds."""

    screens: int = 24
    seconds: float = 20.0


@dataclass(frozen=True)
class EpisodeResult:
    """The proven kernel, or why there is none; the attempts in order; the winner's measurement."""

    record: KernelRecord | None
    refusal: Refusal | None
    attempts: tuple[Attempt, ...] = ()
    measurement: Measurement | None = None


def synthesise(
    task: KernelTask,
    *,
    soc_name: str,
    pool: VerifierPool,
    store: Store | None,
    budget: Budget | None = None,
    proposer: Proposer | None = None,
    on_event: OnEvent | None = None,
) -> EpisodeResult:
    """Write, prove and keep a kernel for `task` at its hinted sizes.

    Takes the key's lease itself; where another process holds it, waits for that one's kernel. `on_event` gets each
    attempt as it ends. Raises UnknownSocError.
    """
    budget = budget or Budget()
    if not get_soc(soc_name).is_timed:
        return EpisodeResult(None, refuse("machine.no_estimate", detail=soc_name))
    key = make_proof_key(task, soc_name, read_versions())
    journal = Journal(store, task, key)
    try:
        found = journal.acquire(timeout_s=budget.seconds + PROVE_LIMIT_S)
        if found is not None:
            measurement = Measurement.from_json(found.measurement)
            return EpisodeResult(found, None, (), measurement)
        episode = _Episode(task, key, pool, journal, proposer or BuiltInProposer(), on_event)
        return episode.run(budget)
    finally:
        journal.release()


class _Episode:
    """The running episode: its attempts so far and what it works with."""

    def __init__(
        self,
        task: KernelTask,
        key: ProofKey,
        pool: VerifierPool,
        journal: Journal,
        proposer: Proposer,
        on_event: OnEvent | None,
    ) -> None:
        self.task = task
        self.key = key
        self.pool = pool
        self.journal = journal
        self.proposer = proposer
        self.on_event = on_event
        self.soc = get_soc(key.soc)
        self.attempts: list[Attempt] = []

    def run(self, budget: Budget) -> EpisodeResult:
        refusal = self.search(budget)
        proven = self.prove()
        if proven is None:
            return EpisodeResult(None, self.explain_failure(refusal), tuple(self.attempts))
        record = make_record(self.task, self.key, proven, self.journal.episode_id, self.soc)
        self.journal.keep_kernel(record)
        return EpisodeResult(record, None, tuple(self.attempts), proven.reply.measurement)

    def search(self, budget: Budget) -> Refusal:
        """Draft, then refine; returns why it stopped."""
        deadline = time.monotonic() + budget.seconds
        while len(self.attempts) < budget.screens and time.monotonic() < deadline:
            context = ProposalContext(dict(self.task.hints), self.soc, tuple(self.attempts))
            stage: Stage = "refine" if context.best else "draft"
            candidate = self.proposer.propose(self.task, stage, context)
            if isinstance(candidate, Refusal):
                return candidate
            self.try_candidate(stage, candidate, "screen", SCREEN_LIMIT_S)
        return refuse("region.budget")

    def prove(self) -> Attempt | None:
        """The fastest candidate that passes a proof, or None."""
        feasible = [attempt for attempt in self.attempts if attempt.is_feasible]
        ranked = sorted(feasible, key=lambda attempt: attempt.latency_us)
        for attempt in ranked[:PROOFS_TRIED]:
            proof = self.try_candidate("prove", attempt.candidate, "prove", PROVE_LIMIT_S)
            if proof.is_feasible:
                return proof
        return None

    def try_candidate(
        self, stage: Stage, candidate: Candidate, depth: Depth, limit_s: float
    ) -> Attempt:
        request = VerifyRequest(self.task, candidate, depth, self.key.soc, limit_s=limit_s)
        attempt = Attempt(stage, candidate, self.pool.verify(request))
        self.attempts.append(attempt)
        self.journal.note_attempt(attempt)
        if self.on_event is not None:
            self.on_event(attempt)
        return attempt

    def explain_failure(self, refusal: Refusal) -> Refusal:
        """The last verdict says more than the end of the search; without attempts the proposer's word stands."""
        failed = [attempt for attempt in self.attempts if not attempt.is_feasible]
        if not failed:
            return refusal
        verdict = failed[-1].reply.verdict
        return Refusal(verdict.reason, verdict.evidence)


def make_record(
    task: KernelTask, key: ProofKey, proven: Attempt, episode_id: str, soc: SocTable
) -> KernelRecord:
    """The record of a proven kernel."""
    reply: VerifyReply = proven.reply
    assert reply.measurement is not None
    now = time.time()
    provenance = proven.candidate.provenance
    return KernelRecord(
        proof_key=key.to_json(),
        bucket=make_tuning_bucket(task),
        candidate=proven.candidate.to_json(),
        artifacts=pack_kernels(reply.kernels),
        verdict=reply.verdict.to_json(),
        measurement=reply.measurement.to_json(),
        requires=list_conditions(task, proven.candidate, soc),
        provenance={
            "proposer": provenance.proposer,
            "episode": episode_id,
            "hints": [list(pair) for pair in task.hints],
        },
        created_at=now,
        last_used_at=now,
    )


def list_conditions(task: KernelTask, candidate: Candidate, soc: SocTable) -> tuple[str, ...]:
    """When the compiled kernel may run: the plan's conditions, and size constants as they were folded.

    `num_cores` is replaced by its value, so that the conditions speak of the task's symbols alone.
    """
    sizes = bind_sizes(task, dict(task.hints), soc)
    folded = [
        f"{value} == {evaluate_size(value, sizes)}"
        for launch in candidate.plan.launches
        for _, value in launch.constants
        if isinstance(value, str)
    ]
    conditions = dict.fromkeys((*candidate.plan.requires, *folded))
    cores = str(sizes["num_cores"])
    return tuple(re.sub(r"\bnum_cores\b", cores, text) for text in conditions)
