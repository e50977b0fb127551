"""Which stored kernel serves which sizes, and that a failure is not paid for twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from npu_autokernel.agent import episode
from npu_autokernel.agent.attempts import Attempt
from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.key import make_tuning_bucket
from npu_autokernel.graph.region import build_task
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.settings import load_settings
from npu_autokernel.torch_backend.entry import npu_autokernel
from npu_autokernel.torch_backend.kernel_shelf import ChosenKernel, KernelShelf
from npu_autokernel.torch_backend.policy import RegionLabel
from npu_autokernel.torch_backend.session import get_session
from npu_autokernel.torch_backend.synthesis import recall_failure, synthesise_kernel
from npu_autokernel.verify.reply import reply_refused


def make_task(*shape: int):
    return build_task(make_fx(lambda x: (torch.exp(x * 0.25) + 1.0,))(torch.ones(shape)))


@pytest.fixture
def settings(shared_store):
    options = {"store": str(shared_store), "policy": "all", "budget_screens": 1}
    return load_settings(options, {})


@pytest.fixture
def record(settings):
    """A proven kernel of `make_task`."""
    session, task = get_session(settings), make_task(11, 13)
    records = session.load_kernels(session.make_key(task).digest)
    return (
        records[0]
        if records
        else synthesise_kernel(session, task, session.make_key(task), settings)
    )


def make_shelf(settings, records) -> KernelShelf:
    session, task = get_session(settings), make_task(11, 13)
    key = session.make_key(task)
    label = RegionLabel(0, ("aten.mul.Tensor", "aten.exp.default"), key.digest)
    return KernelShelf(session, settings, label, key, task, set(), records)


def choose(shelf: KernelShelf, extent: int) -> ChosenKernel | Refusal:
    (name,) = shelf.task.symbols[:1]
    others = {other: 13 for other in shelf.task.symbols[1:]}
    return shelf.choose({name: extent, **others})


def test_the_kernel_tuned_for_the_nearest_sizes_is_taken(settings, record) -> None:
    task = make_task(11, 13)

    def tune(extent: int):
        hints = ((task.hints[0][0], extent), *task.hints[1:])
        bucket = make_tuning_bucket(replace(task, hints=hints))
        return replace(record, bucket=bucket, provenance={"tuned": extent})

    shelf = make_shelf(settings, [tune(4), tune(64), tune(1024)])
    tuned = [choose(shelf, extent).record.provenance["tuned"] for extent in (5, 100, 5000)]
    assert tuned == [4, 64, 1024]


def test_a_kernel_whose_conditions_do_not_hold_is_passed_over(settings, record) -> None:
    name = make_task(11, 13).symbols[0]
    small = replace(record, requires=(f"{name} <= 16",), provenance={"for": "small"})
    large = replace(record, requires=(f"{name} > 16",), provenance={"for": "large"})
    shelf = make_shelf(settings, [small, large])
    assert choose(shelf, 16).record.provenance == {"for": "small"}
    assert choose(shelf, 17).record.provenance == {"for": "large"}


def test_a_pin_takes_that_kernel_or_none(settings, record) -> None:
    digest = record.candidate_digest
    pinned = make_shelf(replace(settings, pin=(("exp", digest[:12]),)), [record])
    assert choose(pinned, 11).record.candidate_digest == digest
    missing = make_shelf(replace(settings, pin=(("exp", "0000"),)), [record])
    assert choose(missing, 11).code == "region.pin"


def test_a_damaged_kernel_is_refused_and_no_exception(settings, record) -> None:
    damaged = replace(record, artifacts=(), candidate={**record.candidate, "schema": 99})
    assert choose(make_shelf(settings, [damaged]), 11).code == "region.internal_error"


def test_an_empty_budget_is_told_as_such(settings, tmp_path) -> None:
    tight = replace(settings, store=str(tmp_path / "store"), budget_seconds=1e-9)
    assert choose(make_shelf(tight, []), 11).code == "region.budget"


def test_a_failure_is_remembered_by_the_store_until_the_budget_changes(
    settings, record, tmp_path, monkeypatch
) -> None:
    runs = []

    def fail(task, **_):
        runs.append(task)
        refusal = refuse("match.not_written", output=0, elements=3)
        reply = reply_refused(refusal, "prove")
        attempt = Attempt("prove", Candidate.from_json(record.candidate), reply)
        return episode.EpisodeResult(None, refusal, (attempt,))

    monkeypatch.setattr(episode, "synthesise", fail)
    ours = replace(settings, store=str(tmp_path / "store"))
    for _ in range(2):
        assert choose(make_shelf(ours, []), 11).code == "match.not_written"
        npu_autokernel.reset()  # as a new process would start
    assert len(runs) == 1
    session, task = get_session(ours), make_task(11, 13)
    more = replace(ours, budget_screens=9)
    assert recall_failure(session, task, session.make_key(task), ours) is not None
    npu_autokernel.reset()
    session = get_session(more)
    assert recall_failure(session, task, session.make_key(task), more) is None
