"""Measurement: how long a kernel takes, where that number comes from, and the bounds to read it against."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

MEASUREMENT_SCHEMA = 1

Provenance = Literal["machine", "device"]
Bottleneck = Literal[
    "bandwidth", "vector", "scalar", "cube", "capacity", "sync", "imbalance", "launch"
]


@dataclass(frozen=True)
class Bound:
    """A latency bound in microseconds, without and with the cost of launching."""

    without_launch_us: float
    with_launch_us: float


@dataclass(frozen=True)
class Measurement:
    """Latency of one candidate at one shape.

    `clock_version` names the constants behind a machine estimate (empty on a device). `pipe_busy_us` is the busy
    time per pipe of the slowest core. `roofline` is the physical bound of the fused task; `expert_eager` runs
    every op of the task alone at the bandwidth the chip achieves.
    """

    latency_us: float
    provenance: Provenance
    clock_version: str
    soc: str
    bottleneck: Bottleneck
    accuracy_class: str
    bytes_read: int
    bytes_written: int
    flops: int
    roofline: Bound
    expert_eager: Bound
    pipe_busy_us: tuple[tuple[str, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        document = asdict(self)
        document["schema"] = MEASUREMENT_SCHEMA
        document["pipe_busy_us"] = dict(self.pipe_busy_us)
        return document

    @staticmethod
    def from_json(document: dict[str, Any]) -> Measurement:
        """Inverse of `to_json`; raises ValueError for another schema, TypeError for unknown fields."""
        fields = dict(document)
        if fields.pop("schema") != MEASUREMENT_SCHEMA:
            raise ValueError(f"measurement schema is not {MEASUREMENT_SCHEMA}")
        fields["roofline"] = Bound(**fields["roofline"])
        fields["expert_eager"] = Bound(**fields["expert_eager"])
        fields["pipe_busy_us"] = tuple(fields["pipe_busy_us"].items())
        return Measurement(**fields)
