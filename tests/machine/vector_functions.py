"""Writes vector functions of the 950 for tests, and runs them: UB buffers in, one UB buffer out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from npu_autokernel.machine import ExecutionOptions, Program, RunReport, execute, load_program
from npu_autokernel.machine.soc import get_soc
from tests.machine.modules import Body, device_function, gm, module, ub

SOC = get_soc("950PR_9589")
REGISTER_BYTES = 256
ELEMENT_NAMES = {
    np.dtype(np.int8): "i8",
    np.dtype(np.int16): "i16",
    np.dtype(np.int32): "i32",
    np.dtype(np.int64): "i64",
    np.dtype(np.float16): "f16",
    np.dtype(np.float32): "f32",
}
LOADS = {(8, 8): "NORM", (16, 16): "NORM", (32, 32): "NORM", (64, 32): "NORM"}
LOADS |= {(8, 16): "UNPK_B8", (16, 32): "UNPK_B16", (8, 32): "UNPK4_B8"}
STORES = {(8, 8): "NORM_B8", (16, 16): "NORM_B16", (32, 32): "NORM_B32", (64, 32): "NORM_B64"}
STORES |= {(8, 16): "PK_B16", (16, 32): "PK_B32", (8, 32): "PK4_B32"}


class VectorBody:
    """Lines of a vector function with lanes of `lane_bits`; UB arguments are %p0, %p1, ..."""

    def __init__(self, lane_bits: int = 32) -> None:
        self.lane_bits = lane_bits
        self.lanes = 2048 // lane_bits
        self.lines: list[str] = []
        self._next_name = 0
        self.zero = self.constant(0, "index")

    def vector(self, element: str) -> str:
        return f"vector<{self.lanes}x{element}>"

    def emit(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def constant(self, value: object, type_: str) -> str:
        self._next_name += 1
        name = f"%n{self._next_name}"
        self.emit(f'{name} = "arith.constant"() <{{value = {value} : {type_}}}> : () -> {type_}')
        return name

    def op(
        self,
        name: str,
        operands: Sequence[str],
        operand_types: Sequence[str],
        results: Sequence[str],
        properties: str = "",
        annotations: str = "",
    ) -> str:
        """An ave.hir op; returns the name of its result, or of its pack of results."""
        self._next_name += 1
        result = f"%n{self._next_name}"
        head = "" if not results else f"{result}{f':{len(results)}' if len(results) > 1 else ''} = "
        types = f"({', '.join(results)})" if len(results) != 1 else results[0]
        width = f"element_alignment_bit_width = {self.lane_bits} : i32"
        self.emit(
            f'{head}"ave.hir.{name}"({", ".join(operands)}) <{{{properties}}}> '
            f"{{{', '.join(filter(None, [width, annotations]))}}} : "
            f"({', '.join(operand_types)}) -> {types}"
        )
        return result

    def all_lanes(self, pattern: str = "ALL") -> str:
        return self.op("pge", [], [], [self.vector("i1")], f"pattern = #ave.pge_pattern<{pattern}>")

    def first_lanes(self, count: int) -> str:
        """The predicate of the lanes below `count`."""
        offset, bound = self.constant(0, "index"), self.constant(count, "index")
        return self.op("pltm", [offset, bound], ["index", "index"], [self.vector("i1")])

    def load(self, argument: int, shape: str, pattern: str = "", annotations: str = "") -> str:
        element = shape.split("x")[-1]
        if not pattern:
            pattern = LOADS[(int(element.strip("bif")), self.lane_bits)]
        return self.op(
            "vload",
            [f"%p{argument}", self.zero],
            [ub(shape), "index"],
            [self.vector(element)],
            f"pattern = #ave.load_dist<{pattern}>",
            annotations,
        )

    def store(
        self,
        value: str,
        argument: int,
        shape: str,
        mask: str = "",
        pattern: str = "",
        annotations: str = "",
    ) -> None:
        element = shape.split("x")[-1]
        if not pattern:
            pattern = STORES[(int(element.strip("bif")), self.lane_bits)]
        self.op(
            "masked_store",
            [f"%p{argument}", self.zero, mask or self.all_lanes(), value],
            [ub(shape), "index", self.vector("i1"), self.vector(element)],
            [],
            f"pattern = #ave.store_dist<{pattern}>",
            annotations,
        )

    def masked(
        self, name: str, sources: Sequence[str], element: str, mask: str, properties: str = ""
    ) -> str:
        """An op on vectors of one type and a predicate."""
        types = [self.vector(element)] * len(sources) + [self.vector("i1")]
        return self.op(name, [*sources, mask], types, [self.vector(element)], properties)


def shape_of(array: np.ndarray) -> str:
    return f"{array.size}x{ELEMENT_NAMES[array.dtype]}"


def make_module(body: VectorBody, arrays: Sequence[np.ndarray]) -> str:
    """A kernel that loads all but the last array, calls the function, and stores the last."""
    shapes = [shape_of(array) for array in arrays]
    parameters = ", ".join(f"%p{number}: {ub(shape)}" for number, shape in enumerate(shapes))
    types = ", ".join(ub(shape) for shape in shapes)
    function = (
        f'  "func.func"() <{{function_type = ({types}) -> (), sym_name = "f"}}> ({{\n'
        f"  ^bb0({parameters}):\n" + "\n".join(body.lines) + '\n    "func.return"() : () -> ()\n'
        "  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()\n"
    )
    kernel = Body()
    buffers = [kernel.load(f"%a{number}", shape) for number, shape in enumerate(shapes[:-1])]
    buffers.append(kernel.buffer(shapes[-1]))
    kernel.flag("set", "MTE2", "V")
    kernel.flag("wait", "MTE2", "V")
    kernel.emit(f'"func.call"({", ".join(buffers)}) <{{callee = @f}}> : ({types}) -> ()')
    kernel.flag("set", "V", "MTE3")
    kernel.flag("wait", "V", "MTE3")
    kernel.store(buffers[-1], f"%a{len(arrays) - 1}", shapes[-1])
    arguments = [gm(f"?x{shape.split('x')[-1]}") for shape in shapes]
    return module(function, device_function(kernel.text(), arguments, "AIV", "kernel"))


CHECKED = ExecutionOptions(check_uninitialised=True, check_races=True)


def run(
    body: VectorBody, arrays: Sequence[np.ndarray], options: ExecutionOptions = CHECKED
) -> RunReport:
    """Run on `arrays`; the last one is written."""
    program = load_program(make_module(body, arrays))
    assert isinstance(program, Program), program
    return execute(program, (1,), list(arrays), soc=SOC, options=options)


def run_ok(body: VectorBody, arrays: Sequence[np.ndarray]) -> np.ndarray:
    """The last of `arrays` after a run without a fault."""
    report = run(body, arrays)
    assert report.fault is None, report.fault
    return arrays[-1]
