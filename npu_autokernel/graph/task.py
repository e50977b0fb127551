"""KernelTask: one fused region of a graph, in canonical form, with the sizes it was asked for.

The task is symbolic: each extent of two or more is a symbol (`s0`, `s1`, ... in order of first appearance), so one
task stands for all shapes of a kind. Extents 0 and 1 are literals, and so are those that an op fixes. A stride is
a size expression over the extents, `0` for an expanded dimension, or a symbol of its own (`t0`, ...) where nothing
else fits. `hints` hold the values that were asked for; they choose the schedule and are no part of the proof key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from npu_autokernel.cache.canonical import digest_json

TASK_SCHEMA = 1


@dataclass(frozen=True)
class ValueRef:
    """A value of the task: an input (`x0`, `x1`, ...) or a result (`v0`, ...); `item` selects of several results."""

    name: str
    item: int | None = None


@dataclass(frozen=True)
class DTypeArg:
    """A dtype argument, by its name without `torch.`."""

    name: str


@dataclass(frozen=True)
class SizeArg:
    """An integer argument that depends on the symbols, as a size expression."""

    expression: str


ArgumentValue = Union[
    ValueRef, DTypeArg, SizeArg, tuple["ArgumentValue", ...], int, float, bool, str, None
]


@dataclass(frozen=True)
class TensorSpec:
    """Dtype name, extents and strides (size expressions, strides in elements).

    `is_host_scalar` marks a 0-d CPU tensor whose value is read at launch.
    """

    dtype: str
    sizes: tuple[str, ...]
    strides: tuple[str, ...]
    is_host_scalar: bool = False


@dataclass(frozen=True)
class OpCall:
    """One op: the value it defines, its ATen overload (`aten.add.Tensor`), arguments, and the result's specs.

    `results` has one TensorSpec per result, with the FakeTensor's dtype and sizes.
    """

    name: str
    target: str
    arguments: tuple[ArgumentValue, ...]
    keywords: tuple[tuple[str, ArgumentValue], ...]
    results: tuple[TensorSpec, ...]


@dataclass(frozen=True)
class TaskOutput:
    """One output: which value, and the dtype, sizes and strides that the FakeTensor promises."""

    value: ValueRef
    spec: TensorSpec


@dataclass(frozen=True)
class KernelTask:
    """A fused region in canonical form.

    `family` names the drafter's builder (`elementwise`, `reduction`, `softmax`, `normalisation`, ...).
    `numerics` is the widest floating dtype of inputs and outputs (`float32`, `float16`, `bfloat16`, `exact`).
    `index_bits` is 64 where a tensor has more than 2^31 - 1 elements or a stride range beyond it, else 32.
    `hints` gives each symbol the value asked for.
    """

    inputs: tuple[TensorSpec, ...]
    ops: tuple[OpCall, ...]
    outputs: tuple[TaskOutput, ...]
    family: str
    numerics: str
    index_bits: int
    hints: tuple[tuple[str, int], ...]

    @property
    def symbols(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.hints)

    def digest(self) -> str:
        """Digest of the task with its hints (the proof key, without them, lives in `graph.key`)."""
        return digest_json(self.to_json())

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": TASK_SCHEMA,
            "inputs": [_spec_to_json(spec) for spec in self.inputs],
            "ops": [_op_to_json(op) for op in self.ops],
            "outputs": [
                {"value": _argument_to_json(item.value), "spec": _spec_to_json(item.spec)}
                for item in self.outputs
            ],
            "family": self.family,
            "numerics": self.numerics,
            "index_bits": self.index_bits,
            "hints": [list(pair) for pair in self.hints],
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> KernelTask:
        """Inverse of `to_json`; raises ValueError for another schema, KeyError for a missing field."""
        if document["schema"] != TASK_SCHEMA:
            raise ValueError(f"task schema {document['schema']} is not {TASK_SCHEMA}")
        return KernelTask(
            inputs=tuple(_spec_from_json(spec) for spec in document["inputs"]),
            ops=tuple(_op_from_json(op) for op in document["ops"]),
            outputs=tuple(
                TaskOutput(_ref_from_json(item["value"]), _spec_from_json(item["spec"]))
                for item in document["outputs"]
            ),
            family=document["family"],
            numerics=document["numerics"],
            index_bits=document["index_bits"],
            hints=tuple((name, value) for name, value in document["hints"]),
        )


def _spec_to_json(spec: TensorSpec) -> dict[str, Any]:
    return {
        "dtype": spec.dtype,
        "sizes": list(spec.sizes),
        "strides": list(spec.strides),
        "is_host_scalar": spec.is_host_scalar,
    }


def _spec_from_json(document: dict[str, Any]) -> TensorSpec:
    return TensorSpec(
        document["dtype"],
        tuple(document["sizes"]),
        tuple(document["strides"]),
        document["is_host_scalar"],
    )


def _op_to_json(op: OpCall) -> dict[str, Any]:
    return {
        "name": op.name,
        "target": op.target,
        "arguments": [_argument_to_json(argument) for argument in op.arguments],
        "keywords": {name: _argument_to_json(argument) for name, argument in op.keywords},
        "results": [_spec_to_json(spec) for spec in op.results],
    }


def _op_from_json(document: dict[str, Any]) -> OpCall:
    return OpCall(
        name=document["name"],
        target=document["target"],
        arguments=tuple(_argument_from_json(argument) for argument in document["arguments"]),
        keywords=tuple(
            (name, _argument_from_json(argument))
            for name, argument in sorted(document["keywords"].items())
        ),
        results=tuple(_spec_from_json(spec) for spec in document["results"]),
    )


def _argument_to_json(argument: ArgumentValue) -> Any:
    if isinstance(argument, ValueRef):
        return {"value": argument.name, "item": argument.item}
    if isinstance(argument, DTypeArg):
        return {"dtype": argument.name}
    if isinstance(argument, SizeArg):
        return {"size": argument.expression}
    if isinstance(argument, tuple):
        return [_argument_to_json(item) for item in argument]
    return argument


def _argument_from_json(document: Any) -> ArgumentValue:
    if isinstance(document, list):
        return tuple(_argument_from_json(item) for item in document)
    if not isinstance(document, dict):
        return document  # type: ignore[no-any-return]
    if "dtype" in document:
        return DTypeArg(document["dtype"])
    if "size" in document:
        return SizeArg(document["size"])
    return _ref_from_json(document)


def _ref_from_json(document: dict[str, Any]) -> ValueRef:
    return ValueRef(document["value"], document["item"])
