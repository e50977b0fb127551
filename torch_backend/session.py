"""What one process shares between its compilations: store, target, worker pool, kernels at hand.

All of it is opened when it is first needed: the store at the first region, the target at the
first hit, the worker pool at the first miss. A forked child has sessions of its own.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from npu_autokernel.cache.errors import StoreUnavailable
from npu_autokernel.candidate import Candidate
from npu_autokernel.graph.key import ProofKey, make_proof_key
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.settings import Settings, default_store_path
from npu_autokernel.torch_backend.notice import describe_error, forget_notices, warn_once
from npu_autokernel.torch_backend.region_report import forget_reports

if TYPE_CHECKING:
    from npu_autokernel.cache import KernelRecord, Store
    from npu_autokernel.verify.worker import VerifierPool

_region_numbers: Iterator[int] = itertools.count()
_graph_numbers: Iterator[int] = itertools.count()
_sessions: dict[tuple[Any, ...], Session] = {}


@dataclass
class Session:
    """The shared things for one store, chip and target, and what was worked out with them.

    `loaded` maps a proof digest to its stored kernels. `prepared` maps (proof digest, candidate
    digest) to what the target made of a kernel, or why it could not. `drafts` maps a proof digest
    to why the drafter cannot write the task, or None. `refused` maps a key and bucket to why
    synthesis failed.
    """

    store_path: Path
    soc: str
    target_name: str
    workers: int
    loaded: dict[str, tuple[KernelRecord, ...]] = field(default_factory=dict)
    prepared: dict[tuple[str, str], Any] = field(default_factory=dict)
    refused: dict[str, Refusal] = field(default_factory=dict)
    drafts: dict[str, Refusal | None] = field(default_factory=dict)
    open_pool: VerifierPool | None = None
    pool_lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @cached_property
    def store(self) -> Store | None:
        """The store, or None if it cannot be opened, which is said once."""
        from npu_autokernel.cache.sqlite.store import SqliteStore

        try:
            return SqliteStore(self.store_path)
        except StoreUnavailable as error:
            self._complain(error)
            return None

    @cached_property
    def toolchain(self) -> tuple[tuple[str, str], ...]:
        from npu_autokernel.toolchain.versions import read_versions

        return read_versions()

    @cached_property
    def target(self) -> Any:
        from npu_autokernel.targets.machine_target import MachineTarget

        return MachineTarget(self.soc)

    @property
    def pool(self) -> VerifierPool:
        """The worker pool, started by whoever asks first; threads may ask at once."""
        from npu_autokernel.verify.worker import VerifierPool

        with self.pool_lock:
            if self.open_pool is None:
                self.open_pool = VerifierPool(self.workers)
            return self.open_pool

    @property
    def device_type(self) -> str:
        """The type of device whose tensors the target's kernels read."""
        return "cpu"

    def make_key(self, task: KernelTask) -> ProofKey:
        return make_proof_key(task, self.soc, self.toolchain)

    def load_kernels(self, proof_digest: str) -> tuple[KernelRecord, ...]:
        """The proven kernels of a key; none where the store cannot be read, which is said once."""
        if proof_digest not in self.loaded:
            records = self._read_kernels(proof_digest)
            if not records:
                return ()  # the next look-up may find what another process has written
            self.loaded[proof_digest] = records
        return self.loaded[proof_digest]

    def add_kernel(self, record: KernelRecord) -> None:
        """Note a kernel that was just proven, and say once if the store did not keep it."""
        try:
            if self.store is not None and record not in self.store.get_kernels(record.proof_digest):
                self.store.put_kernel(record)
        except StoreUnavailable as error:
            warn_once(f"Store {self.store_path}: {error}; kernels serve this process only")
        known = self.loaded.get(record.proof_digest, ())
        others = (item for item in known if item.identity != record.identity)
        self.loaded[record.proof_digest] = (record, *others)

    def _read_kernels(self, proof_digest: str) -> tuple[KernelRecord, ...]:
        if self.store is None:
            return ()
        try:
            records = self.store.get_kernels(proof_digest)
        except StoreUnavailable as error:
            self._complain(error)
            return ()
        for finding in self.store.findings:
            warn_once(f"Store {self.store_path}: {finding.message} [{finding.code}]")
        return tuple(record for record in records if record.state == "proven")

    def prepare(self, task: KernelTask, record: KernelRecord) -> Any:
        """The record's kernel on the target, or a Refusal; regions with one kernel share it."""
        identity = (record.proof_digest, record.candidate_digest)
        if identity not in self.prepared:
            self.prepared[identity] = self._prepare(task, record)
        return self.prepared[identity]

    def _prepare(self, task: KernelTask, record: KernelRecord) -> Any:
        from npu_autokernel.targets.artifacts import unpack_kernels

        try:
            plan = Candidate.from_json(record.candidate).plan
            kernels = unpack_kernels(record.artifacts)
        except (KeyError, TypeError, ValueError) as error:
            return refuse("region.internal_error", detail=f"stored kernel: {describe_error(error)}")
        return self.target.prepare(task, plan, kernels)

    def check_draft(self, task: KernelTask, key: ProofKey) -> Refusal | None:
        """Why the built-in drafter cannot write the task, or None."""
        from npu_autokernel.tile.draft import draft_program

        if key.digest not in self.drafts:
            program = draft_program(task)
            self.drafts[key.digest] = program if isinstance(program, Refusal) else None
        return self.drafts[key.digest]

    def note_use(self, records: Iterable[KernelRecord]) -> None:
        """Tell the store which kernels are used, if it can be written."""
        if self.store is None:
            return
        try:
            self.store.touch([record.identity for record in records])
        except StoreUnavailable:
            return  # a store that is read only serves all the same

    def close(self) -> None:
        """End the worker pool, if it was started, and let go of the store."""
        if self.open_pool is not None:
            self.open_pool.close()
        if self.__dict__.get("store") is not None:
            self.__dict__["store"].close()

    def _complain(self, error: StoreUnavailable) -> None:
        warn_once(f"Store {self.store_path}: {error}; regions without a kernel run in eager")


def get_session(settings: Settings) -> Session:
    """The process's session for these settings, made at first use."""
    path = Path(settings.store).expanduser() if settings.store else default_store_path()
    shared = (path, settings.soc, settings.target, settings.workers)
    return _sessions.setdefault((os.getpid(), *shared), Session(*shared))


def next_region_index() -> int:
    """Numbers of regions in order of compilation in this process."""
    return next(_region_numbers)


def next_graph_index() -> int:
    """Numbers of graphs in order of compilation in this process."""
    return next(_graph_numbers)


def reset_sessions() -> None:
    """As in a fresh process: close what is open, number from 0, say warnings again."""
    global _region_numbers, _graph_numbers
    for session in [item for key, item in _sessions.items() if key[0] == os.getpid()]:
        session.close()
    _sessions.clear()
    _region_numbers, _graph_numbers = itertools.count(), itertools.count()
    forget_notices()
    forget_reports()
