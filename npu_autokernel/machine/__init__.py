"""The Ascend machine: executes what the compiler emitted, with real data.

`load_program` decodes a dump once, `execute` launches it on buffers of the caller's. Failures are
values: a `MachineFault` instead of a program, or in the report. `soc` holds the chip tables. The
native part is under `csrc`: the decoder, the interpreter of the scalar pipe, one function per op.
"""

from __future__ import annotations

from npu_autokernel.machine.execution import (
    Argument,
    Counters,
    ExecutionOptions,
    GlobalBuffer,
    RunReport,
    execute,
)
from npu_autokernel.machine.fault import CoreName, MachineFault
from npu_autokernel.machine.program import Program, ProgramArgument, load_program
from npu_autokernel.machine.step import Flag, Step

__all__ = [
    "Argument",
    "CoreName",
    "Counters",
    "ExecutionOptions",
    "Flag",
    "GlobalBuffer",
    "MachineFault",
    "Program",
    "ProgramArgument",
    "RunReport",
    "Step",
    "execute",
    "load_program",
]
