"""Launches: arguments and options in, a report out. Buffers are read and written in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from npu_autokernel.machine import _native
from npu_autokernel.machine.clock_constants import CONSTANTS
from npu_autokernel.machine.fault import MachineFault, fault_from_native
from npu_autokernel.machine.program import Program
from npu_autokernel.machine.soc import SocTable
from npu_autokernel.machine.step import OnStep, Step
from npu_autokernel.machine.timing import Timing, read_timing

MIB = 1024 * 1024


@dataclass(frozen=True)
class GlobalBuffer:
    """Memory of the caller's: the address of its first byte, and its size. It must outlive the run."""

    pointer: int
    size_bytes: int


Argument = Union[np.ndarray, GlobalBuffer, int, float]


@dataclass(frozen=True)
class ExecutionOptions:
    """How to run.

    functional: move and compute data; off, only the scalar pipe runs.
    check_uninitialised: fault when what nothing wrote, or anything computed from it, is stored to an
        argument or decides what the scalar pipe does; up to twice the time.
    check_races: fault when nothing orders two accesses to the same bytes, one of them a write;
        several times slower, in program order only.
    interleaving_seed: run the pipes of each core in a random order that the flags allow; None is
        program order.
    overlapped: with an interleaving seed, run instructions of V, MTE2, MTE3 and FIX in another
        order too, where no barrier of their pipe is between them, and clobber temporary buffers;
        not on the 950.
    blocks: the block indices to run, ascending; None runs all.
    poison_seed: contents of on-chip memory at the start of each block: 0 is all bytes 0xff.
    step_limit: loop iterations per core in one launch, `machine.step_limit` beyond.
    guard_bytes: how far outside of a buffer a read gives poison instead of a fault.
    timing: let the clock watch; with `blocks` it takes the rest of the grid to be alike.
    record_events: keep the timeline of the first block.
    log_lines: keep a line for each of the first so many instructions.
    """

    functional: bool = True
    check_uninitialised: bool = False
    check_races: bool = False
    interleaving_seed: int | None = None
    overlapped: bool = False
    blocks: tuple[int, ...] | None = None
    poison_seed: int = 0
    step_limit: int = 1 << 40
    guard_bytes: int = 2 * MIB
    timing: bool = False
    record_events: bool = False
    log_lines: int = 0


DEFAULT_OPTIONS = ExecutionOptions()


@dataclass(frozen=True)
class Counters:
    """Work done: bytes moved, instructions per pipe, elements read outside of their buffer."""

    gm_bytes_read: int
    gm_bytes_written: int
    guard_reads: int
    scalar_ops: int
    instructions: Mapping[str, int]


NO_WORK = Counters(0, 0, 0, 0, {})


@dataclass(frozen=True)
class RunReport:
    """What came of a launch. After a fault the buffers hold whatever was written before it.

    `timing` is the clock's machine estimate, if it was asked for and nothing failed. `log` holds the
    instructions in the order of issue, if lines of it were asked for, and how many more there were.
    """

    fault: MachineFault | None
    counters: Counters
    blocks_run: int
    timing: Timing | None = None
    log: tuple[str, ...] = ()


def execute(
    program: Program,
    grid: Sequence[int],
    arguments: Sequence[Argument],
    *,
    soc: SocTable,
    options: ExecutionOptions = DEFAULT_OPTIONS,
    on_step: OnStep | None = None,
) -> RunReport:
    """Run a launch of one to three grid extents on user arguments in the kernel's order.

    The machine adds workspace, locks and the grid. The GIL is released. Everything the kernel does
    wrong is a fault in the report, as is timing on a chip that the clock cannot time. `on_step` is
    called after each instruction; what it raises ends the run. Raises ValueError for an array that
    is not contiguous and for a race check of interleaved pipes, TypeError for an argument of
    another kind.
    """
    if options.check_races and options.interleaving_seed is not None:
        raise ValueError("races are checked in program order: give no interleaving seed")
    if options.timing and (program.is_register_based or not soc.is_timed):
        chip = "code of the Ascend950" if soc.is_timed else f"Ascend{soc.name}"
        return RunReport(MachineFault("machine.no_estimate", chip), NO_WORK, 0)
    extents = tuple(int(extent) for extent in grid) + (1,) * (3 - len(grid))
    document = _native.execute(
        program.native,
        extents,
        [_pass_argument(argument) for argument in arguments],
        soc,
        {**_pass_options(options), "on_step": on_step and _pass_step(on_step)},
    )
    fault = document["fault"]
    return RunReport(
        fault=None if fault is None else fault_from_native(fault),
        counters=Counters(**document["counters"]),
        blocks_run=document["blocks_run"],
        timing=None if document["timing"] is None else read_timing(document["timing"]),
        log=_read_log(*document["log"]) if options.log_lines else (),
    )


def _pass_step(on_step: OnStep) -> Callable[..., None]:
    return lambda *fields: on_step(Step(*fields))


def _read_log(lines: list[str], instruction_count: int) -> tuple[str, ...]:
    left_out = instruction_count - len(lines)
    return (*lines, f"and {left_out} more instructions") if left_out else tuple(lines)


def _pass_argument(argument: Argument) -> tuple[int, int] | int | float:
    if isinstance(argument, GlobalBuffer):
        return (argument.pointer, argument.size_bytes)
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise ValueError("an array argument must be C-contiguous")
        return (argument.ctypes.data, argument.nbytes)
    if isinstance(argument, (bool, int, float, np.generic)):
        return argument.item() if isinstance(argument, np.generic) else argument
    raise TypeError(f"cannot pass {type(argument).__name__} to a kernel")


def _pass_options(options: ExecutionOptions) -> dict[str, Any]:
    return {
        "functional": options.functional,
        "check_uninitialised": options.check_uninitialised,
        "check_races": options.check_races,
        "interleaving_seed": options.interleaving_seed,
        "overlapped": options.overlapped,
        "blocks": list(options.blocks or ()),
        "poison_seed": options.poison_seed,
        "step_limit": options.step_limit,
        "guard_bytes": options.guard_bytes,
        "timing": CONSTANTS if options.timing else None,
        "record_events": options.record_events,
        "log_lines": options.log_lines,
    }
