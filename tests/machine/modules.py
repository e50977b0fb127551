"""Writes small HIVM modules for tests, and runs them: one kernel around a body of generic ops."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from npu_autokernel.machine import (
    Argument,
    ExecutionOptions,
    Program,
    RunReport,
    execute,
    load_program,
)
from npu_autokernel.machine.execution import DEFAULT_OPTIONS
from npu_autokernel.machine.soc import get_soc

SOC = get_soc("910B1")
FUNCTION = "hacc.function_kind = #hacc.function_kind"
ELEMENT_BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4}
NUMPY_TYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
}


def memref(shape: str, space: str) -> str:
    return f"memref<{shape}, #hivm.address_space<{space}>>"


def gm(shape: str) -> str:
    """memref type in GM, e.g. gm("8xf32")."""
    return memref(shape, "gm")


def ub(shape: str) -> str:
    return memref(shape, "ub")


def host_function(name: str, role: str, value: int) -> str:
    return f'''  "func.func"() <{{function_type = () -> i64, sym_name = "{name}"}}> ({{
    %t = "arith.constant"() <{{value = {value} : i64}}> : () -> i64
    "func.return"(%t) : (i64) -> ()
  }}) {{{FUNCTION}<HOST>, hacc.host_func_type = #hacc.host_func_type<{role}>}} : () -> ()
'''


def device_function(body: str, arguments: Sequence[str], core: str, name: str) -> str:
    """One kernel; in its body the user arguments are %a0, %a1, ... and the grid is %gx, %gy, %gz."""
    leading = [("%ffts", "i64"), ("%lock", gm("?xi8")), ("%workspace", gm("?xi8"))]
    users = [(f"%a{index}", type_) for index, type_ in enumerate(arguments)]
    trailing = [("%gx", "i32"), ("%gy", "i32"), ("%gz", "i32")]
    everything = leading + users + trailing
    header = ", ".join(f"{value}: {type_}" for value, type_ in everything)
    types = ", ".join(type_ for _, type_ in everything)
    return f'''  "func.func"() <{{function_type = ({types}) -> (), sym_name = "{name}"}}> ({{
  ^bb0({header}):
{body}
    "func.return"() : () -> ()
  }}) {{{FUNCTION}<DEVICE>, hivm.func_core_type = #hivm.func_core_type<{core}>}} : () -> ()
'''


def module(*functions: str) -> str:
    return f'"builtin.module"() ({{\n{"".join(functions)}}}) : () -> ()\n'


def vector_module(body: str, arguments: Sequence[str], name: str = "kernel") -> str:
    return module(
        host_function(f"{name}_task", "infer_task_type_function", 10),
        device_function(body, arguments, "AIV", name),
    )


def cube_module(body: str, arguments: Sequence[str]) -> str:
    return module(
        host_function("kernel_task", "infer_task_type_function", 20),
        device_function(body, arguments, "AIC", "kernel"),
    )


def mix_module(cube: str, vector: str, arguments: Sequence[str], workspace_bytes: int = 0) -> str:
    return module(
        host_function("kernel_task", "infer_task_type_function", 32),
        host_function("kernel_space", "infer_workspace_shape_function", workspace_bytes),
        device_function(cube, arguments, "AIC", "kernel_mix_aic"),
        device_function(vector, arguments, "AIV", "kernel_mix_aiv"),
    )


def locate(text: str, file: str = "kernel.py") -> str:
    """The module with locations as the compiler prints them: each op's line of the source is the
    line it has in the text."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        location = f' loc("{file}":{number}:1)'
        if line.lstrip().startswith("^"):
            line = re.sub(r": ((?:memref<.*?>>|i\d+))", rf": \1{location}", line)
        elif not line.endswith("({"):
            line += location
        lines.append(line)
    return "\n".join(lines) + "\n"


def load(text: str) -> Program:
    program = load_program(text)
    assert isinstance(program, Program), program
    return program


def run(
    text: str,
    arguments: Sequence[Argument],
    grid: Sequence[int] = (1,),
    options: ExecutionOptions = DEFAULT_OPTIONS,
) -> RunReport:
    return execute(load(text), grid, arguments, soc=SOC, options=options)


def run_ok(text: str, arguments: Sequence[Argument], grid: Sequence[int] = (1,)) -> None:
    """Runs with all checks on; fails on a fault."""
    report = run(text, arguments, grid, ExecutionOptions(check_uninitialised=True))
    assert report.fault is None, report.fault


class Body:
    """Lines of a kernel body: constants, UB buffers laid out one after the other, transfers, ops."""

    def __init__(self, prefix: str = "v") -> None:
        self.lines: list[str] = []
        self._prefix = prefix
        self._next_byte = 0
        self._next_name = 0

    def new_name(self) -> str:
        self._next_name += 1
        return f"%{self._prefix}{self._next_name}"

    def emit(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def value(
        self, op: str, operands: str, operand_types: str, result: str, props: str = ""
    ) -> str:
        """An op with one result; returns its name."""
        name = self.new_name()
        self.emit(f'{name} = "{op}"({operands}) <{{{props}}}> : ({operand_types}) -> {result}')
        return name

    def constant(self, value: int | float | str, type_: str) -> str:
        return self.value("arith.constant", "", "", type_, f"value = {value} : {type_}")

    def pointer(self, address: int, shape: str, space: str = "ub") -> str:
        """An on-chip buffer at a byte address."""
        return self.value(
            "hivm.hir.pointer_cast",
            self.constant(address, "i64"),
            "i64",
            memref(shape, space),
            "operandSegmentSizes = array<i32: 1, 0>",
        )

    def buffer(self, shape: str) -> str:
        """A UB buffer at the next free 32-byte block."""
        *sizes, element = shape.split("x")
        count = int(np.prod([int(size) for size in sizes]))
        size = -(-count // 8) if element == "i1" else count * ELEMENT_BYTES[element]
        address = self._next_byte
        self._next_byte += -(-size // 32) * 32
        return self.pointer(address, shape)

    def reinterpret(self, source: str, shape: str, offset: int = 0) -> str:
        """A GM argument seen as a contiguous memref of a static shape."""
        *dims, element = shape.split("x")
        sizes = [int(size) for size in dims]
        strides = [1] * len(sizes)
        for dim in range(len(sizes) - 1, 0, -1):
            strides[dim - 1] = strides[dim] * sizes[dim]
        properties = (
            "operandSegmentSizes = array<i32: 1, 0, 0, 0>, "
            f"static_offsets = array<i64: {offset}>, "
            f"static_sizes = array<i64: {', '.join(map(str, sizes))}>, "
            f"static_strides = array<i64: {', '.join(map(str, strides))}>"
        )
        return self.value(
            "memref.reinterpret_cast", source, gm("?x" + element), gm(shape), properties
        )

    def subview(
        self,
        source: str,
        source_type: str,
        result_type: str,
        offsets: Sequence[int],
        sizes: Sequence[int],
        strides: Sequence[int],
    ) -> str:
        def array(numbers: Sequence[int]) -> str:
            return f"array<i64: {', '.join(map(str, numbers))}>"

        properties = (
            "operandSegmentSizes = array<i32: 1, 0, 0, 0>, "
            f"static_offsets = {array(offsets)}, static_sizes = {array(sizes)}, "
            f"static_strides = {array(strides)}"
        )
        return self.value("memref.subview", source, source_type, result_type, properties)

    def load(self, argument: str, shape: str, offset: int = 0) -> str:
        """A fresh UB buffer filled from GM."""
        buffer = self.buffer(shape)
        source = self.reinterpret(argument, shape, offset)
        self.op(
            "load",
            f"{source}, {buffer}",
            f"{gm(shape)}, {ub(shape)}",
            "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>",
        )
        return buffer

    def store(self, buffer: str, argument: str, shape: str, properties: str = "") -> None:
        target = self.reinterpret(argument, shape)
        self.op("store", f"{buffer}, {target}", f"{ub(shape)}, {gm(shape)}", properties)

    def op(self, name: str, operands: str, types: str, properties: str = "") -> None:
        """A hivm op without results."""
        self.emit(f'"hivm.hir.{name}"({operands}) <{{{properties}}}> : ({types}) -> ()')

    def elementwise(
        self,
        name: str,
        sources: Sequence[tuple[str, str]],
        target: tuple[str, str],
        extra: str = "",
    ) -> None:
        """`sources` and `target` are (value, type); `extra` further properties."""
        operands = ", ".join(value for value, _ in [*sources, target])
        types = ", ".join(type_ for _, type_ in [*sources, target])
        segments = f"operandSegmentSizes = array<i32: {len(sources)}, 1, 0>"
        self.op(name, operands, types, f"{segments}{', ' + extra if extra else ''}")

    def flag(self, kind: str, source: str, target: str, event: int = 0) -> None:
        """kind `set` or `wait`; pipes without the PIPE_ prefix."""
        self.op(
            f"{kind}_flag",
            "",
            "",
            f"set_pipe = #hivm.pipe<PIPE_{source}>, wait_pipe = #hivm.pipe<PIPE_{target}>, "
            f"static_event_id = #hivm.event<EVENT_ID{event}>",
        )

    def text(self) -> str:
        return "\n".join(self.lines)
