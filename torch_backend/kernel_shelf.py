"""The kernels at hand for one region: which of them runs for given sizes, and what a miss does.

Any proven kernel of the region's proof key may run where its conditions hold; the one tuned for
the nearest sizes is taken. On a miss, mode `sync` has the built-in drafter write and prove one
now, and mode `cached` leaves the region in eager. What failed once is not tried again: within the
process it is remembered, between processes the store's attempts tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from npu_autokernel.errors import CacheMissError
from npu_autokernel.graph.key import ProofKey, make_tuning_bucket
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.settings import Settings
from npu_autokernel.size_expression import evaluate_condition
from npu_autokernel.torch_backend.attempt_log import make_listener
from npu_autokernel.torch_backend.notice import warn_refusal
from npu_autokernel.torch_backend.policy import RegionLabel, find_pin, judge_kernel
from npu_autokernel.torch_backend.region_report import KernelOrigin
from npu_autokernel.torch_backend.session import Session
from npu_autokernel.torch_backend.synthesis import recall_failure, synthesise_kernel

if TYPE_CHECKING:
    from npu_autokernel.cache import KernelRecord
    from npu_autokernel.targets.machine_target import PreparedKernel


@dataclass(frozen=True)
class ChosenKernel:
    """A kernel ready on the target, and the record it came from."""

    kernel: Any
    record: KernelRecord
    origin: KernelOrigin

    @property
    def measurement(self) -> Measurement:
        return Measurement.from_json(self.record.measurement)


class KernelShelf:
    """The kernels of one region's proof key.

    `records` are those in the store, unless given, and grow when a miss is synthesised; the new
    kernel's candidate digest then goes to `drafted`.
    """

    def __init__(
        self,
        session: Session,
        settings: Settings,
        label: RegionLabel,
        key: ProofKey,
        task: KernelTask,
        drafted: set[str],
        records: Sequence[KernelRecord] | None = None,
    ) -> None:
        self.session = session
        self.settings = settings
        self.label = label
        self.key = key
        self.task = task
        self.drafted = drafted
        self.records = list(session.load_kernels(key.digest) if records is None else records)

    def choose(self, symbols: Mapping[str, int]) -> ChosenKernel | Refusal:
        """The kernel for `symbols`, or why the region runs in eager there.

        Raises CacheMissError on a miss that the settings forbid.
        """
        task = replace(self.task, hints=tuple(symbols.items()))
        fitting = self._list_fitting(task, symbols)
        if not fitting:
            made = self._handle_miss(task)
            if isinstance(made, Refusal):
                return made
            fitting = [made]
        outcomes = (self._make_ready(record, symbols) for record in fitting)
        refusal = None
        for outcome in outcomes:
            if isinstance(outcome, ChosenKernel):
                return outcome
            refusal = refusal or outcome
        assert refusal is not None
        return refusal

    def find_kernel(self, symbols: Mapping[str, int]) -> Any:
        """What `choose` gives, as the binder wants it: the kernel itself, or a Refusal."""
        chosen = self.choose(symbols)
        return chosen.kernel if isinstance(chosen, ChosenKernel) else chosen

    def _list_fitting(self, task: KernelTask, symbols: Mapping[str, int]) -> list[KernelRecord]:
        """Records whose conditions hold, those tuned for the nearest sizes first."""
        pin = find_pin(self.label, self.settings)
        bucket = make_tuning_bucket(task)
        fitting = [
            record
            for record in self.records
            if all(evaluate_condition(text, symbols) for text in record.requires)
            and (pin is None or record.candidate_digest.startswith(pin))
        ]
        return sorted(fitting, key=lambda record: _measure_distance(record.bucket, bucket))

    def _make_ready(
        self, record: KernelRecord, symbols: Mapping[str, int]
    ) -> ChosenKernel | Refusal:
        measurement = Measurement.from_json(record.measurement)
        source = str(record.candidate.get("source", ""))
        refusal = judge_kernel(self.label, measurement, source, self.settings)
        if refusal is not None:
            return refusal
        kernel: PreparedKernel | Refusal = self.session.prepare(self.task, record)
        if isinstance(kernel, Refusal):
            return kernel
        unfit = kernel.check_sizes(symbols)
        if unfit is not None:
            return unfit
        is_new = record.candidate_digest in self.drafted
        return ChosenKernel(kernel, record, "drafted" if is_new else "store")

    def _handle_miss(self, task: KernelTask) -> KernelRecord | Refusal:
        pin = find_pin(self.label, self.settings)
        if pin is not None:
            return refuse("region.pin", detail=pin)
        known = recall_failure(self.session, task, self.key, self.settings)
        if known is not None:
            return known
        if self.settings.assert_cache_hit:
            raise CacheMissError(self.key.digest[:16], ", ".join(self.label.ops))
        if not get_soc(self.session.soc).is_timed:
            refusal = refuse("machine.no_estimate", detail=self.session.soc)
            warn_refusal("No kernel can be written", refusal)
            return refusal
        if self.settings.mode == "cached":
            return refuse("region.miss")
        listener = make_listener(self.settings, self.label.index)
        record = synthesise_kernel(self.session, task, self.key, self.settings, listener)
        if not isinstance(record, Refusal):
            self.records.append(record)
            self.drafted.add(record.candidate_digest)
        return record


def _measure_distance(bucket: str, wanted: str) -> int:
    """How many powers of two lie between two tuning buckets of one proof key, over all symbols."""
    tuned, asked = _read_bucket(bucket), _read_bucket(wanted)
    return sum(abs(asked[name] - tuned.get(name, 0)) for name in asked)


def _read_bucket(bucket: str) -> dict[str, int]:
    pairs = (item.split(":") for item in bucket.split())
    return {name: int(exponent) for name, exponent in pairs}
