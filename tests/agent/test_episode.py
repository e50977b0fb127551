"""Episodes with the real worker and store: a kernel is written once, proven, kept, and found by the next process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import torch
import torch.nn.functional as functional

from npu_autokernel.agent.attempts import Attempt, Stage
from npu_autokernel.agent.episode import Budget, list_conditions, synthesise
from npu_autokernel.agent.proposer import BuiltInProposer, ProposalContext
from npu_autokernel.cache.sqlite.store import SqliteStore
from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.key import make_proof_key, make_tuning_bucket
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal
from npu_autokernel.toolchain.versions import read_versions
from npu_autokernel.verify.worker import VerifierPool
from tests.contracts import CANDIDATE, TASK
from tests.graph.tracing import build

SOC = "Ascend910B1"
SMALL = Budget(screens=3, seconds=60.0)
GELU = build(functional.gelu, torch.randn(64, 1000))

RUN_FROM_STORE = """
import sys, torch
from pathlib import Path
from npu_autokernel.cache.sqlite.store import SqliteStore
from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.targets.artifacts import unpack_kernels
from npu_autokernel.targets.machine_target import MachineTarget

(record,) = SqliteStore(Path(sys.argv[1])).get_kernels(sys.argv[2])
document = dict(record.proof_key["task"])
document["hints"] = [[name, 1] for name in document.pop("symbols")]
task = KernelTask.from_json(document)
plan = Candidate.from_json(record.candidate).plan
kernel = MachineTarget(record.proof_key["soc"]).prepare(task, plan, unpack_kernels(record.artifacts))
x = torch.randn(33, 1001)
out = torch.empty_like(x)
assert kernel.run([x], {"s0": 33, "s1": 1001}, [out]) is None
print(float((out - torch.nn.functional.gelu(x)).abs().max()) < 1e-5, "triton" in sys.modules)
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[VerifierPool]:
    with VerifierPool(1) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "store")
    yield opened
    opened.close()


def get_digest(task: KernelTask) -> str:
    return make_proof_key(task, SOC, read_versions()).digest


def test_a_kernel_is_proven_kept_and_served_to_another_process(
    pool: VerifierPool, store: SqliteStore, tmp_path: Path
) -> None:
    seen: list[Attempt] = []
    result = synthesise(
        GELU, soc_name=SOC, pool=pool, store=store, budget=SMALL, on_event=seen.append
    )
    assert result.refusal is None
    assert result.record is not None
    assert result.measurement is not None
    assert result.attempts == tuple(seen)
    assert [attempt.stage for attempt in seen] == ["draft", "refine", "refine", "prove"]
    assert result.measurement.latency_us == min(attempt.latency_us for attempt in seen)
    assert store.get_kernels(get_digest(GELU)) == (result.record,)
    assert len(store.list_attempts(GELU.digest())) == len(seen)
    output = subprocess.run(
        [sys.executable, "-c", RUN_FROM_STORE, str(tmp_path / "store"), get_digest(GELU)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert output == "True False\n"


def test_who_comes_second_waits_and_gets_the_first_one_s_kernel(
    pool: VerifierPool, store: SqliteStore
) -> None:
    task = build(lambda x: x * 3.0, torch.randn(100))
    results = []

    def work() -> None:
        results.append(synthesise(task, soc_name=SOC, pool=pool, store=store, budget=SMALL))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert {result.record.candidate_digest for result in results} == {  # type: ignore[union-attr]
        results[0].record.candidate_digest  # type: ignore[union-attr]
    }
    assert sorted(len(result.attempts) > 0 for result in results) == [False, False, True]


def test_what_cannot_be_drafted_says_why_without_an_attempt(
    pool: VerifierPool, store: SqliteStore
) -> None:
    task = build(torch.mm, torch.randn(8, 8), torch.randn(8, 8))
    result = synthesise(task, soc_name=SOC, pool=pool, store=store, budget=SMALL)
    assert (result.record, result.attempts) == (None, ())
    assert result.refusal is not None
    assert result.refusal.code.startswith("draft.")
    assert store.acquire_lease(f"{get_digest(task)}/{make_tuning_bucket(task)}", "next", 1.0)


def test_a_store_is_not_needed(pool: VerifierPool) -> None:
    result = synthesise(GELU, soc_name=SOC, pool=pool, store=None, budget=Budget(1, 60.0))
    assert result.record is not None


def test_a_store_that_fails_costs_no_kernel(pool: VerifierPool, store: SqliteStore) -> None:
    store.close()
    result = synthesise(GELU, soc_name=SOC, pool=pool, store=store, budget=Budget(1, 60.0))
    assert result.record is not None


def test_without_budget_nothing_is_tried(pool: VerifierPool) -> None:
    result = synthesise(GELU, soc_name=SOC, pool=pool, store=None, budget=Budget(0, 60.0))
    assert result.refusal is not None
    assert (result.refusal.code, result.attempts) == ("region.budget", ())


@dataclass
class CheatingProposer:
    """Adds to the built-in proposer's source something that is wrong where the screen does not look.

    `honest_stages` are the stages in which it does not.
    """

    honest: BuiltInProposer
    honest_stages: tuple[Stage, ...] = ()

    def propose(
        self, task: KernelTask, stage: Stage, context: ProposalContext
    ) -> Candidate | Refusal:
        candidate = self.honest.propose(task, stage, context)
        if stage in self.honest_stages or isinstance(candidate, Refusal):
            return candidate
        flag = "propagate_nan=tl.PropagateNan.ALL)"
        text = candidate.source.replace("tl.maximum(", "tl.minimum(1e30, tl.maximum(", 1)
        return replace(candidate, source=text.replace(flag, flag + ")", 1))


RELU = build(lambda x, y: torch.relu(x) + y, torch.randn(64, 1000), torch.randn(1000))


def test_what_passes_the_screen_but_not_the_proof_is_not_kept(
    pool: VerifierPool, store: SqliteStore
) -> None:
    proposer = CheatingProposer(BuiltInProposer())
    result = synthesise(
        RELU, soc_name=SOC, pool=pool, store=store, budget=Budget(1, 60.0), proposer=proposer
    )
    assert result.record is None
    assert result.refusal is not None
    assert result.refusal.code == "match.nan_pattern"
    assert [attempt.is_feasible for attempt in result.attempts] == [True, False]
    assert store.get_kernels(get_digest(RELU)) == ()


def test_a_candidate_that_fails_the_proof_gives_way_to_the_next(pool: VerifierPool) -> None:
    proposer = CheatingProposer(BuiltInProposer(), honest_stages=("draft",))
    result = synthesise(
        RELU, soc_name=SOC, pool=pool, store=None, budget=Budget(3, 60.0), proposer=proposer
    )
    proofs = [attempt for attempt in result.attempts if attempt.stage == "prove"]
    assert [proof.is_feasible for proof in proofs] == [False] * (len(proofs) - 1) + [True]
    assert result.record is not None
    assert "1e30" not in str(result.record.candidate["source"])


def test_conditions_name_the_sizes_for_which_a_kernel_was_compiled() -> None:
    conditions = list_conditions(TASK, CANDIDATE, get_soc(SOC))
    assert conditions == ("s1 <= 1024", "next_power_of_2(s1) // 2 == 512")
