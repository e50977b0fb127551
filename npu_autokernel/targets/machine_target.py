"""The machine as a target: CPU tensors in, outputs written in place.

`prepare` decodes the programs once. The first run at a shape resolves everything that depends on sizes: conditions,
grids, size arguments, scratch. Later runs at that shape only look up addresses, fill and launch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from npu_autokernel.candidate import LaunchPlan
from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.graph.binding import Input, concretise, get_dtype, measure_reach
from npu_autokernel.graph.task import KernelTask, TensorSpec
from npu_autokernel.launch_sizes import (
    bind_sizes,
    evaluate_grid,
    find_unmet_condition,
    fold_constants,
)
from npu_autokernel.machine import (
    ExecutionOptions,
    GlobalBuffer,
    MachineFault,
    Program,
    execute,
    load_program,
)
from npu_autokernel.machine.soc import SocTable, get_soc
from npu_autokernel.machine.timing import Timing
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import SizeExpressionError, evaluate_size
from npu_autokernel.targets.estimate import MachineEstimate, add_timings
from npu_autokernel.targets.launch_arguments import LaunchRecipe, make_recipe

MOST_KEPT_SHAPES = 256
DEFAULT_OPTIONS = ExecutionOptions()
TIMING_OPTIONS = ExecutionOptions(functional=False, timing=True, step_limit=1 << 24)
MOST_TIMED_BLOCKS = 192


class MachineTarget:
    """Prepares proven kernels, and candidates in the worker, for the simulated chip `soc_name`."""

    def __init__(self, soc_name: str) -> None:
        self.soc = get_soc(soc_name)

    def prepare(
        self, task: KernelTask, plan: LaunchPlan, kernels: Sequence[CompiledKernel]
    ) -> PreparedKernel | Refusal:
        """Decode the programs of a plan's launches; fails with `machine.parse_error` or `machine.unsupported_op`."""
        programs: dict[str, Program] = {}
        for kernel in kernels:
            if kernel.text not in programs:
                program = load_program(kernel.text)
                if isinstance(program, MachineFault):
                    return explain_fault(program)
                programs[kernel.text] = program
        decoded = tuple(programs[kernel.text] for kernel in kernels)
        return PreparedKernel(task, plan, tuple(kernels), decoded, self.soc)


@dataclass(frozen=True)
class _ShapedLaunch:
    """One launch at one shape."""

    program: Program
    grid: tuple[int, int, int]
    recipe: LaunchRecipe


@dataclass(frozen=True)
class _ShapedPlan:
    """The whole plan at one shape: launches, scratch (elements, dtype, fill), bytes each buffer reaches."""

    launches: tuple[_ShapedLaunch, ...]
    scratch: tuple[tuple[int, torch.dtype, float | None], ...]
    reach_bytes: Mapping[str, tuple[int, ...]]
    fills: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class TimedLaunch:
    """One launch of a plan with the clock's timing of it."""

    program: Program
    grid: tuple[int, int, int]
    timing: Timing


class PreparedKernel:
    """A plan with decoded programs. Runs at any sizes for which it holds."""

    def __init__(
        self,
        task: KernelTask,
        plan: LaunchPlan,
        kernels: tuple[CompiledKernel, ...],
        programs: tuple[Program, ...],
        soc: SocTable,
    ) -> None:
        self._task = task
        self._plan = plan
        self._kernels = kernels
        self._programs = programs
        self._soc = soc
        self._shapes: dict[tuple[int, ...], _ShapedPlan | Refusal] = {}

    def check_sizes(self, symbols: Mapping[str, int]) -> Refusal | None:
        """Why the kernel cannot run at these sizes (`launch.requirement`, `launch.grid`), or None."""
        shaped = self._find_shape(symbols)
        return shaped if isinstance(shaped, Refusal) else None

    def run(
        self,
        inputs: Sequence[Input],
        symbols: Mapping[str, int],
        outputs: Sequence[torch.Tensor],
        options: ExecutionOptions = DEFAULT_OPTIONS,
        scratch_byte: int | None = None,
    ) -> Refusal | None:
        """Run the plan on CPU tensors; `outputs` are written in place.

        Inputs and outputs must have the sizes and strides of the task's specs. With `scratch_byte`, scratch buffers
        without a fill start full of that byte. Returns why the kernel does not hold at these sizes (`launch.*`) or
        what stopped the machine (`machine.*`); outputs are then undefined.
        """
        shaped = self._find_shape(symbols)
        if isinstance(shaped, Refusal):
            return shaped
        for index, value in shaped.fills:
            outputs[index].fill_(value)
        scratch = [_allocate(*buffer, scratch_byte) for buffer in shaped.scratch]
        tensors = {"input": inputs, "output": outputs, "scratch": scratch}
        for launch in shaped.launches:
            arguments = _fill_arguments(launch.recipe, tensors, shaped.reach_bytes)
            report = execute(launch.program, launch.grid, arguments, soc=self._soc, options=options)
            if report.fault is not None:
                return explain_fault(report.fault, options)
        return None

    def estimate(self, symbols: Mapping[str, int]) -> MachineEstimate | Refusal:
        """The clock's estimate at these sizes, as `time_launches` has it."""
        timed = self.time_launches(symbols)
        if isinstance(timed, Refusal):
            return timed
        return add_timings([launch.timing for launch in timed])

    def time_launches(
        self, symbols: Mapping[str, int], record_events: bool = False
    ) -> tuple[TimedLaunch, ...] | Refusal:
        """The clock's timing of each launch, without functional work; a large grid is sampled.

        Buffers are full of zeros and host scalars are 1: work that depends on data is timed for that.
        """
        shaped = self._find_shape(symbols)
        if isinstance(shaped, Refusal):
            return shaped
        buffers = {
            kind: [torch.zeros(size, dtype=torch.uint8) for size in sizes]
            for kind, sizes in shaped.reach_bytes.items()
        }
        timed: list[TimedLaunch] = []
        for launch in shaped.launches:
            arguments = _fill_arguments(launch.recipe, buffers, shaped.reach_bytes, host_scalar=1)
            blocks = _sample_blocks(math.prod(launch.grid))
            options = replace(TIMING_OPTIONS, blocks=blocks, record_events=record_events)
            report = execute(launch.program, launch.grid, arguments, soc=self._soc, options=options)
            if report.fault is not None:
                return explain_fault(report.fault, options)
            assert report.timing is not None
            timed.append(TimedLaunch(launch.program, launch.grid, report.timing))
        return tuple(timed)

    def _find_shape(self, symbols: Mapping[str, int]) -> _ShapedPlan | Refusal:
        identity = tuple(symbols.values())
        shaped = self._shapes.get(identity)
        if shaped is None:
            if len(self._shapes) >= MOST_KEPT_SHAPES:
                self._shapes.clear()
            shaped = self._shapes[identity] = self._shape(symbols)
        return shaped

    def _shape(self, symbols: Mapping[str, int]) -> _ShapedPlan | Refusal:
        sizes = bind_sizes(self._task, symbols, self._soc)
        try:
            return self._check_holds(sizes) or self._resolve(sizes)
        except SizeExpressionError as error:
            return refuse("launch.requirement", condition=str(error))

    def _check_holds(self, sizes: Mapping[str, int]) -> Refusal | None:
        unmet = find_unmet_condition(self._plan, sizes)
        if unmet is not None:
            return refuse("launch.requirement", condition=unmet)
        for launch, kernel in zip(self._plan.launches, self._kernels, strict=True):
            for (name, now), (_, then) in zip(
                fold_constants(launch, sizes), kernel.constants, strict=True
            ):
                if now != then:
                    return refuse("launch.requirement", condition=f"{name} == {then}")
        return None

    def _resolve(self, sizes: Mapping[str, int]) -> _ShapedPlan | Refusal:
        launches: list[_ShapedLaunch] = []
        for launch, kernel, program in zip(
            self._plan.launches, self._kernels, self._programs, strict=True
        ):
            grid = evaluate_grid(launch, sizes)
            if isinstance(grid, Refusal):
                return grid
            recipe = make_recipe(launch, kernel.parameters, sizes)
            launches.append(_ShapedLaunch(program, grid, recipe))
        scratch = tuple(
            (evaluate_size(buffer.element_count, sizes), get_dtype(buffer.dtype), buffer.fill)
            for buffer in self._plan.scratch
        )
        if any(count < 0 for count, _, _ in scratch):
            return refuse("launch.requirement", condition="no scratch buffer of negative size")
        fills = enumerate(self._plan.output_fills)
        return _ShapedPlan(
            tuple(launches),
            scratch,
            self._measure_buffers(sizes, scratch),
            tuple((index, fill) for index, fill in fills if fill is not None),
        )

    def _measure_buffers(
        self, sizes: Mapping[str, int], scratch: Sequence[tuple[int, torch.dtype, float | None]]
    ) -> dict[str, tuple[int, ...]]:
        outputs = [output.spec for output in self._task.outputs]
        return {
            "input": tuple(_measure_bytes(spec, sizes) for spec in self._task.inputs),
            "output": tuple(_measure_bytes(spec, sizes) for spec in outputs),
            "scratch": tuple(count * dtype.itemsize for count, dtype, _ in scratch),
        }


def explain_fault(fault: MachineFault, options: ExecutionOptions = DEFAULT_OPTIONS) -> Refusal:
    """The fault as a reason, with the lines of source and dump it happened in.

    Evidence: `source_line` of the Triton source and `dump_line`, each where it is known.
    """
    places = {"source_line": fault.source_line, "dump_line": fault.line}
    known = {name: line for name, line in places.items() if line}
    if fault.code == "machine.step_limit":
        return refuse(fault.code, limit=options.step_limit, place=fault.place, **known)
    where = f" ({fault.place}: `{fault.op_excerpt}`)" if fault.op_text else ""
    return refuse(fault.code, detail=fault.message + where, **known)


def _sample_blocks(programs: int) -> tuple[int, ...] | None:
    """Evenly spread blocks of a large grid, both ends among them; None for all of a small one."""
    if programs <= MOST_TIMED_BLOCKS:
        return None
    last = MOST_TIMED_BLOCKS - 1
    return tuple(number * (programs - 1) // last for number in range(MOST_TIMED_BLOCKS))


def _allocate(
    count: int, dtype: torch.dtype, fill: float | None, scratch_byte: int | None
) -> torch.Tensor:
    if fill is not None:
        return torch.full((count,), fill, dtype=dtype)
    if scratch_byte is None:
        return torch.empty(count, dtype=dtype)
    return torch.full((count * dtype.itemsize,), scratch_byte, dtype=torch.uint8).view(dtype)


def _fill_arguments(
    recipe: LaunchRecipe,
    tensors: Mapping[str, Sequence[Input]],
    reach_bytes: Mapping[str, tuple[int, ...]],
    host_scalar: int | None = None,
) -> list[GlobalBuffer | int | float]:
    values: list[GlobalBuffer | int | float] = list(recipe.values)  # type: ignore[arg-type]
    for slot in recipe.buffers:
        tensor = tensors[slot.kind][slot.number]
        assert isinstance(tensor, torch.Tensor)
        size_bytes = reach_bytes[slot.kind][slot.number]
        values[slot.index] = GlobalBuffer(tensor.data_ptr(), size_bytes)
    for scalar in recipe.scalars:
        value = tensors["input"][scalar.number] if host_scalar is None else host_scalar
        number = value.item() if isinstance(value, torch.Tensor) else value
        values[scalar.index] = float(number) if scalar.is_float else int(number)
    return values


def _measure_bytes(spec: TensorSpec, sizes: Mapping[str, int]) -> int:
    extents, strides = concretise(spec, sizes)
    count = 0 if 0 in extents else measure_reach(extents, strides)
    return count * get_dtype(spec.dtype).itemsize
