"""Candidate: what a proposer hands to the verifier, and the launch plan inside it.

A launch plan is data, never host code: scratch buffers and an ordered list of kernel launches. So a candidate
cannot call a library, keep state or look around. Sizes are texts in the language of `size_expression`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from npu_autokernel.cache.canonical import digest_json

CANDIDATE_SCHEMA = 1

ArgumentKind = Literal[
    "input", "output", "scratch", "size", "number", "host_scalar", "seed", "offset"
]
Language = Literal["triton"]
Constant = int | float | bool | str


@dataclass(frozen=True)
class LaunchArgument:
    """One kernel argument.

    `parameter` names the kernel's formal parameter and `type` is its Triton type (`*fp32`, `i32`, `fp32`, ...).
    `value` depends on `kind`: the index of an input, output or scratch buffer (input, output, scratch,
    host_scalar), a size expression (size), or a literal number (number). `seed` and `offset` carry 0.
    """

    parameter: str
    kind: ArgumentKind
    type: str
    value: int | float | str = 0


@dataclass(frozen=True)
class KernelLaunch:
    """One launch: the entry function, three grid size expressions, its arguments and compile-time constants.

    A constant that is a string is a size expression, folded when the kernel is compiled.
    """

    entry: str
    grid: tuple[str, str, str]
    arguments: tuple[LaunchArgument, ...]
    constants: tuple[tuple[str, Constant], ...] = ()


@dataclass(frozen=True)
class ScratchBuffer:
    """Device memory that lives for one call: dtype, number of elements, and what it is filled with first."""

    dtype: str
    element_count: str
    fill: float | None = None


@dataclass(frozen=True)
class LaunchPlan:
    """Scratch buffers, launches in order, the outputs' initial fills, and the sizes for which it holds.

    `output_fills` has one entry per output of the task: None (not written before the first launch) or a number.
    `requires` lists conditions (`s1 <= 4096`) over the task's symbols; the kernel is bound only where all hold.
    """

    launches: tuple[KernelLaunch, ...]
    scratch: tuple[ScratchBuffer, ...] = ()
    output_fills: tuple[float | None, ...] = ()
    requires: tuple[str, ...] = ()


@dataclass(frozen=True)
class Provenance:
    """Who proposed the candidate, from which parent (a digest), with which memory items in sight."""

    proposer: str
    parent: str | None = None
    memory_items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A kernel as proposed: source text, launch plan, the schedule it was printed from, provenance.

    `schedule` and `compiler_options` are sorted (name, value) pairs; they are part of the digest.
    """

    language: Language
    source: str
    plan: LaunchPlan
    schedule: tuple[tuple[str, Constant], ...] = ()
    compiler_options: tuple[tuple[str, Constant], ...] = ()
    provenance: Provenance = field(default_factory=lambda: Provenance("unknown"))

    def digest(self) -> str:
        """Digest of everything that decides what runs: all but the provenance."""
        document = self.to_json()
        del document["provenance"]
        return digest_json(document)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": CANDIDATE_SCHEMA,
            "language": self.language,
            "source": self.source,
            "plan": _plan_to_json(self.plan),
            "schedule": dict(self.schedule),
            "compiler_options": dict(self.compiler_options),
            "provenance": {
                "proposer": self.provenance.proposer,
                "parent": self.provenance.parent,
                "memory_items": list(self.provenance.memory_items),
            },
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> Candidate:
        """Inverse of `to_json`; raises ValueError for another schema, KeyError for a missing field."""
        if document["schema"] != CANDIDATE_SCHEMA:
            raise ValueError(f"candidate schema {document['schema']} is not {CANDIDATE_SCHEMA}")
        provenance = document["provenance"]
        return Candidate(
            language=document["language"],
            source=document["source"],
            plan=_plan_from_json(document["plan"]),
            schedule=tuple(sorted(document["schedule"].items())),
            compiler_options=tuple(sorted(document["compiler_options"].items())),
            provenance=Provenance(
                provenance["proposer"], provenance["parent"], tuple(provenance["memory_items"])
            ),
        )


def _plan_to_json(plan: LaunchPlan) -> dict[str, Any]:
    return {
        "launches": [_launch_to_json(launch) for launch in plan.launches],
        "scratch": [
            {"dtype": buffer.dtype, "element_count": buffer.element_count, "fill": buffer.fill}
            for buffer in plan.scratch
        ],
        "output_fills": list(plan.output_fills),
        "requires": list(plan.requires),
    }


def _launch_to_json(launch: KernelLaunch) -> dict[str, Any]:
    return {
        "entry": launch.entry,
        "grid": list(launch.grid),
        "arguments": [
            {
                "parameter": argument.parameter,
                "kind": argument.kind,
                "type": argument.type,
                "value": argument.value,
            }
            for argument in launch.arguments
        ],
        "constants": [list(pair) for pair in launch.constants],
    }


def _plan_from_json(document: dict[str, Any]) -> LaunchPlan:
    return LaunchPlan(
        launches=tuple(_launch_from_json(launch) for launch in document["launches"]),
        scratch=tuple(ScratchBuffer(**buffer) for buffer in document["scratch"]),
        output_fills=tuple(document["output_fills"]),
        requires=tuple(document["requires"]),
    )


def _launch_from_json(document: dict[str, Any]) -> KernelLaunch:
    grid_x, grid_y, grid_z = document["grid"]
    return KernelLaunch(
        entry=document["entry"],
        grid=(grid_x, grid_y, grid_z),
        arguments=tuple(LaunchArgument(**argument) for argument in document["arguments"]),
        constants=tuple((name, value) for name, value in document["constants"]),
    )
