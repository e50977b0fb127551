"""An episode's side of the store: lease, attempts, winner. Without a store, or with a broken one, it does nothing.

A store that fails must never cost the user a kernel: StoreUnavailable is noted once and the episode goes on.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from typing import TypeVar

from npu_autokernel.agent.attempts import Attempt, record_attempt
from npu_autokernel.cache.errors import StoreUnavailable
from npu_autokernel.cache.records import KernelRecord, LeaseRecord
from npu_autokernel.cache.store import Store
from npu_autokernel.graph.key import ProofKey, make_tuning_bucket
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.size_expression import evaluate_condition

LEASE_S = 180.0

Result = TypeVar("Result")


class Journal:
    """One episode in the store. `failure` is the store's message if it could not serve."""

    def __init__(self, store: Store | None, task: KernelTask, key: ProofKey) -> None:
        self.episode_id = uuid.uuid4().hex
        self.failure: str | None = None
        self._store = store
        self._task = task
        self._key = key
        self._bucket = make_tuning_bucket(task)
        self._lease: LeaseRecord | None = None
        self._ordinal = 0

    @property
    def lease_key(self) -> str:
        return f"{self._key.digest}/{self._bucket}"

    def acquire(self, timeout_s: float) -> KernelRecord | None:
        """Take the lease. While another holds it, wait; return its kernel when it has one.

        Returns None with the lease held, or without it where time ran out or there is no store.
        """
        deadline = time.monotonic() + timeout_s
        owner = f"{os.getpid()}/{self.episode_id}"
        while self._store is not None and self.failure is None:
            self._lease = self._ask(
                lambda store: store.acquire_lease(self.lease_key, owner, LEASE_S)
            )
            remaining_s = deadline - time.monotonic()
            if self._lease is not None or remaining_s <= 0:
                break
            self._wait(remaining_s)
            found = self.find_kernel()
            if found is not None:
                return found
        return None

    def _wait(self, timeout_s: float) -> None:
        self._ask(lambda store: store.wait_for(self.lease_key, timeout_s))

    def find_kernel(self) -> KernelRecord | None:
        """A proven kernel of this key and bucket that holds at the asked sizes, or None."""
        records = self._ask(lambda store: store.get_kernels(self._key.digest)) or ()
        symbols = dict(self._task.hints)
        for record in records:
            holds = all(evaluate_condition(text, symbols) for text in record.requires)
            if record.state == "proven" and record.bucket == self._bucket and holds:
                return record
        return None

    def note_attempt(self, attempt: Attempt) -> None:
        """Append an attempt, and keep the lease alive."""
        record = record_attempt(self._task, self.episode_id, self._ordinal, attempt)
        self._ordinal += 1
        self._ask(lambda store: store.append_attempt(record))
        lease = self._lease
        if lease is not None:
            self._lease = self._ask(lambda store: store.renew(lease, LEASE_S)) or lease

    def keep_kernel(self, record: KernelRecord) -> None:
        """Put the winner into the store."""
        self._ask(lambda store: store.put_kernel(record))

    def release(self) -> None:
        """Give the lease back, if it is held."""
        lease, self._lease = self._lease, None
        if lease is not None:
            self._ask(lambda store: store.release(lease))

    def _ask(self, question: Callable[[Store], Result]) -> Result | None:
        if self._store is None or self.failure is not None:
            return None
        try:
            return question(self._store)
        except StoreUnavailable as error:
            self.failure = str(error)
            return None
