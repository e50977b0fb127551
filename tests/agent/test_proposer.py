"""The built-in proposer: deterministic, never the same schedule twice, and it says when it is through."""

from __future__ import annotations

import torch

from npu_autokernel.agent.attempts import Attempt
from npu_autokernel.agent.proposer import BuiltInProposer, ProposalContext
from npu_autokernel.candidate import Candidate
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.verdict import Verdict
from npu_autokernel.verify.reply import reply_passed, reply_refused
from npu_autokernel.verify.request import VerifyReply
from tests.contracts import MEASUREMENT
from tests.graph.tracing import build

TASK = build(lambda x, y: torch.relu(x + y), torch.randn(64, 1000), torch.randn(1000))
SOC = get_soc("Ascend910B1")
PASSED = reply_passed("screen", {}, (), MEASUREMENT, ())


def run_episode(replies: list[VerifyReply]) -> list[Candidate]:
    """The candidates proposed while the verifier answers with `replies`."""
    proposer = BuiltInProposer()
    attempts: tuple[Attempt, ...] = ()
    candidates = []
    for reply in replies:
        context = ProposalContext(dict(TASK.hints), SOC, attempts)
        stage = "refine" if context.best else "draft"
        candidate = proposer.propose(TASK, stage, context)  # type: ignore[arg-type]
        if isinstance(candidate, Refusal):
            break
        candidates.append(candidate)
        attempts += (Attempt(stage, candidate, reply),)  # type: ignore[arg-type]
    return candidates


def test_the_same_verdicts_give_the_same_candidates() -> None:
    assert run_episode([PASSED] * 6) == run_episode([PASSED] * 6)


def test_no_schedule_is_proposed_twice() -> None:
    candidates = run_episode([PASSED] * 12)
    assert len({candidate.schedule for candidate in candidates}) == len(candidates) > 3


def test_candidates_name_their_proposer_and_parent() -> None:
    first, second = run_episode([PASSED] * 2)
    assert (first.provenance.proposer, first.provenance.parent) == ("built-in", None)
    assert second.provenance.parent == first.digest()


def test_a_failure_is_repaired_by_rule() -> None:
    overflow = refuse("compile.ub_overflow", needed_bits=5 * 1572864, available_bits=1572864)
    first, second = run_episode([reply_refused(overflow, "screen"), PASSED])

    def count(candidate: Candidate) -> int:
        schedule = dict(candidate.schedule)
        return int(schedule["rows"]) * int(schedule["columns"])

    assert count(second) == count(first) // 8


def test_a_failure_without_a_rule_ends_the_draft() -> None:
    proposer = BuiltInProposer()
    context = ProposalContext(dict(TASK.hints), SOC)
    candidate = proposer.propose(TASK, "draft", context)
    assert isinstance(candidate, Candidate)
    verdict = Verdict("match.input_mutated", "match", "screen", "")
    failed = Attempt("draft", candidate, VerifyReply(verdict))
    refusal = proposer.propose(TASK, "draft", ProposalContext(dict(TASK.hints), SOC, (failed,)))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, dict(refusal.evidence)) == ("draft.exhausted", {"stage": "draft"})
