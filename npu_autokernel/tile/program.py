"""TileProgram: what a kernel computes, without a word on tile sizes.

A program is an iteration space (ordered axes, each kept or reduced), loads as structured accesses with one stride
per axis, steps in single assignment (arithmetic in float32, integers or bools, and reductions over all reduced
axes), and stores. `str(program)` is the form that golden tests compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Union

Number = Union[int, float, bool]


@dataclass(frozen=True)
class Axis:
    """One loop of the iteration space: its name, its extent (a size expression), and whether it is reduced."""

    name: str
    extent: str
    is_reduced: bool

    def __str__(self) -> str:
        return f"axis {self.name}: {self.extent} {'reduced' if self.is_reduced else 'kept'}"


@dataclass(frozen=True)
class Load:
    """A tensor read at each point: task input number, storage dtype, one stride (size expression) per axis.

    Stride `0` means that the axis does not matter. A host scalar has no strides: its value is an argument.
    """

    name: str
    input: int
    dtype: str
    strides: tuple[str, ...]
    is_host_scalar: bool = False


@dataclass(frozen=True)
class SizeOperand:
    """A size expression used as a number, such as the count in a mean."""

    expression: str

    def __str__(self) -> str:
        return f"<{self.expression}>"


Operand = Union[str, SizeOperand, int, float, bool]


@dataclass(frozen=True)
class Compute:
    """One pointwise step: `op` names a row of `primitives`; `dtype` is the dtype it computes in.

    `index` has no operands: it is the number of an element among those that are reduced.
    """

    name: str
    op: str
    operands: tuple[Operand, ...]
    dtype: str


@dataclass(frozen=True)
class Reduce:
    """A reduction of `operand` over all reduced axes; `op` is sum, prod, max or min."""

    name: str
    op: str
    operand: str
    dtype: str


@dataclass(frozen=True)
class Store:
    """Task output `output` receives `value`, converted to `dtype`, at one stride per axis.

    `axes` are the axes that the output has: all of them, or all kept ones.
    """

    output: int
    value: Operand
    dtype: str
    axes: tuple[str, ...]
    strides: tuple[str, ...]


Step = Union[Compute, Reduce]


@dataclass(frozen=True)
class TileProgram:
    """Axes from the outermost to the innermost, loads, steps in order, stores; `name` is the kernel's entry name.

    `requires` are conditions on sizes without which the program makes no sense.
    """

    name: str
    axes: tuple[Axis, ...]
    loads: tuple[Load, ...]
    steps: tuple[Step, ...]
    stores: tuple[Store, ...]
    requires: tuple[str, ...] = ()

    @property
    def kept_axes(self) -> tuple[Axis, ...]:
        return tuple(axis for axis in self.axes if not axis.is_reduced)

    @property
    def reduced_axes(self) -> tuple[Axis, ...]:
        return tuple(axis for axis in self.axes if axis.is_reduced)

    @property
    def reductions(self) -> tuple[Reduce, ...]:
        return tuple(step for step in self.steps if isinstance(step, Reduce))

    def find_axis(self, name: str) -> Axis:
        return next(axis for axis in self.axes if axis.name == name)

    @cached_property
    def axes_of(self) -> dict[str, frozenset[str]]:
        """For each load and step, the names of the axes along which its value changes."""
        kept = frozenset(axis.name for axis in self.kept_axes)
        result: dict[str, frozenset[str]] = {}
        for load in self.loads:
            pairs = zip(self.axes, load.strides, strict=False)
            result[load.name] = frozenset(axis.name for axis, stride in pairs if stride != "0")
        for step in self.steps:
            if isinstance(step, Reduce):
                result[step.name] = result[step.operand] & kept
            else:
                names = [operand for operand in step.operands if isinstance(operand, str)]
                own = frozenset(axis.name for axis in self.reduced_axes if step.op == "index")
                result[step.name] = own.union(*(result[name] for name in names))
        return result

    @cached_property
    def phase_of(self) -> dict[str, int]:
        """For each load and step, how many reductions in a row must be finished before it can be computed."""
        result = {load.name: 0 for load in self.loads}
        for step in self.steps:
            if isinstance(step, Reduce):
                result[step.name] = result[step.operand] + 1
            else:
                names = [operand for operand in step.operands if isinstance(operand, str)]
                result[step.name] = max((result[name] for name in names), default=0)
        return result

    def __str__(self) -> str:
        lines = [f"program {self.name}", *(f"requires {text}" for text in self.requires)]
        lines += [str(axis) for axis in self.axes]
        lines += [_print_load(load, self.axes) for load in self.loads]
        lines += [_print_step(step, self.phase_of[step.name]) for step in self.steps]
        lines += [_print_store(store, self.axes) for store in self.stores]
        return "\n".join(lines) + "\n"


def _print_load(load: Load, axes: tuple[Axis, ...]) -> str:
    if load.is_host_scalar:
        return f"{load.name} = host scalar input {load.input} {load.dtype}"
    return (
        f"{load.name} = load input {load.input} {load.dtype} {_print_strides(load.strides, axes)}"
    )


def _print_step(step: Step, phase: int) -> str:
    if isinstance(step, Reduce):
        return (
            f"{step.name} = reduce_{step.op}({step.operand}) : {step.dtype}, ends phase {phase - 1}"
        )
    operands = ", ".join(str(operand) for operand in step.operands)
    return f"{step.name} = {step.op}({operands}) : {step.dtype}"


def _print_store(store: Store, axes: tuple[Axis, ...]) -> str:
    place = _print_strides(store.strides, axes)
    return f"store output {store.output} {store.dtype} {place} = {store.value}"


def _print_strides(strides: tuple[str, ...], axes: tuple[Axis, ...]) -> str:
    pairs = [
        f"{axis.name}: {stride}"
        for axis, stride in zip(axes, strides, strict=True)
        if stride != "0"
    ]
    return f"[{', '.join(pairs)}]"
