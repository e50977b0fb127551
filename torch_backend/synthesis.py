"""A miss in mode `sync`: the built-in drafter writes and proves a kernel, and failures are remembered.

An episode takes the key's lease and keeps its winner in the store by itself. A failure is kept
here, so that it is not paid for again: in the process by key and bucket, and in the store as one
more attempt, filed under the key (which names the tool chain), our version and the budget; a
change of any of these lets the next process try again, and `prebuild` always does.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from npu_autokernel import __version__
from npu_autokernel.cache.errors import StoreUnavailable
from npu_autokernel.cache.records import AttemptRecord
from npu_autokernel.graph.key import ProofKey, make_tuning_bucket
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.settings import Settings
from npu_autokernel.toolchain.discovery import find_toolchain
from npu_autokernel.torch_backend.notice import warn_refusal
from npu_autokernel.torch_backend.session import Session

if TYPE_CHECKING:
    from npu_autokernel.agent.episode import OnEvent
    from npu_autokernel.cache import KernelRecord

FAILED_STAGE = "failed"

# Trouble of this machine, chip or moment: it says nothing about the kernel, and the user should know.
_TROUBLE = ("worker.", "compile.timeout", "machine.no_estimate")


def recall_failure(
    session: Session, task: KernelTask, key: ProofKey, settings: Settings
) -> Refusal | None:
    """Why synthesis for this key and bucket failed before, or None if it never did."""
    place = _name_place(task, key)
    if place not in session.refused and session.store is not None:
        with suppress(StoreUnavailable):
            for attempt in session.store.list_attempts(place, _name_trial(settings)):
                verdict = attempt.verdict
                session.refused[place] = Refusal(
                    verdict["reason"], tuple(sorted(verdict["evidence"].items()))
                )
    return session.refused.get(place)


def synthesise_kernel(
    session: Session,
    task: KernelTask,
    key: ProofKey,
    settings: Settings,
    on_event: OnEvent | None = None,
) -> KernelRecord | Refusal:
    """A proven kernel for `task`, kept in the store; or why there is none, which is remembered.

    `on_event` hears of each attempt as it ends.
    """
    toolchain = find_toolchain(session.soc)
    if isinstance(toolchain, Refusal):
        warn_refusal("No kernel can be written", toolchain)
        return toolchain
    from npu_autokernel.agent.episode import Budget, synthesise

    budget = Budget(screens=settings.budget_screens, seconds=settings.budget_seconds)
    result = synthesise(
        task,
        soc_name=session.soc,
        pool=session.pool,
        store=session.store,
        budget=budget,
        on_event=on_event,
    )
    if result.record is not None:
        session.add_kernel(result.record)
        return result.record
    refusal = result.refusal or refuse("region.budget")
    session.refused[_name_place(task, key)] = refusal
    if refusal.code.startswith(_TROUBLE):
        warn_refusal("No kernel could be written", refusal)
    elif result.attempts:
        _file_failure(session, task, key, settings, result.attempts[-1])
    return refusal


def _file_failure(
    session: Session, task: KernelTask, key: ProofKey, settings: Settings, attempt: Any
) -> None:
    if session.store is None:
        return
    record = AttemptRecord(
        task_digest=_name_place(task, key),
        episode_id=_name_trial(settings),
        stage=FAILED_STAGE,
        ordinal=0,
        candidate=attempt.candidate.to_json(),
        verdict=attempt.reply.verdict.to_json(),
        measurement=None,
        memory_items=(),
        at=time.time(),
    )
    with suppress(StoreUnavailable):
        session.store.append_attempt(record)


def _name_place(task: KernelTask, key: ProofKey) -> str:
    return f"{key.digest}/{make_tuning_bucket(task)}"


def _name_trial(settings: Settings) -> str:
    return f"{FAILED_STAGE}/{__version__}/{settings.budget_screens}"
