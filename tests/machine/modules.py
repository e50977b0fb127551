"""Writes small HIVM modules for tests: one vector kernel around a body of generic-form ops."""

from __future__ import annotations

from collections.abc import Sequence

GM = "#hivm.address_space<gm>"
UB = "#hivm.address_space<ub>"


def gm(shape: str) -> str:
    """memref type in GM, e.g. gm("8xf32")."""
    return f"memref<{shape}, {GM}>"


def ub(shape: str) -> str:
    return f"memref<{shape}, {UB}>"


def vector_module(body: str, arguments: Sequence[str], name: str = "kernel") -> str:
    """A module of one vector kernel.

    `arguments` are the user arguments' types; in the body they are %a0, %a1, ... and the grid is
    %gx, %gy, %gz.
    """
    leading = [("%ffts", "i64"), ("%lock", gm("?xi8")), ("%workspace", gm("?xi8"))]
    users = [(f"%a{index}", type_) for index, type_ in enumerate(arguments)]
    trailing = [("%gx", "i32"), ("%gy", "i32"), ("%gz", "i32")]
    everything = leading + users + trailing
    header = ", ".join(f"{value}: {type_}" for value, type_ in everything)
    types = ", ".join(type_ for _, type_ in everything)
    return f'''"builtin.module"() ({{
  "func.func"() <{{function_type = () -> i8, sym_name = "{name}_infer_task_type_function"}}> ({{
    %t = "arith.constant"() <{{value = 10 : i8}}> : () -> i8
    "func.return"(%t) : (i8) -> ()
  }}) {{hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>}} : () -> ()
  "func.func"() <{{function_type = ({types}) -> (), sym_name = "{name}"}}> ({{
  ^bb0({header}):
{body}
    "func.return"() : () -> ()
  }}) {{hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>}} : () -> ()
}}) : () -> ()
'''


class Body:
    """Lines of a kernel body: constants, UB buffers laid out one after the other, transfers, ops."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._next_byte = 0
        self._next_name = 0

    def _name(self) -> str:
        self._next_name += 1
        return f"%v{self._next_name}"

    def emit(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def constant(self, value: str, type_: str) -> str:
        name = self._name()
        self.emit(f'{name} = "arith.constant"() <{{value = {value} : {type_}}}> : () -> {type_}')
        return name

    def buffer(self, shape: str, size_bytes: int) -> str:
        """A UB buffer at the next free 32-byte block."""
        address = self.constant(str(self._next_byte), "i64")
        self._next_byte += -(-size_bytes // 32) * 32
        name = self._name()
        self.emit(
            f'{name} = "hivm.hir.pointer_cast"({address}) '
            f"<{{operandSegmentSizes = array<i32: 1, 0>}}> : (i64) -> {ub(shape)}"
        )
        return name

    def whole(self, argument: str, shape: str) -> str:
        """A GM argument seen as a contiguous memref of a static shape."""
        sizes = [int(size) for size in shape.split("x")[:-1]]
        strides = [1] * len(sizes)
        for dim in range(len(sizes) - 1, 0, -1):
            strides[dim - 1] = strides[dim] * sizes[dim]
        element = shape.split("x")[-1]
        name = self._name()
        self.emit(
            f'{name} = "memref.reinterpret_cast"({argument}) <{{operandSegmentSizes = '
            f"array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = "
            f"array<i64: {', '.join(map(str, sizes))}>, static_strides = "
            f"array<i64: {', '.join(map(str, strides))}>}}> : ({gm('?x' + element)}) -> {gm(shape)}"
        )
        return name

    def load(self, argument: str, buffer: str, shape: str) -> None:
        source = self.whole(argument, shape)
        self.emit(
            f'"hivm.hir.load"({source}, {buffer}) <{{operandSegmentSizes = '
            f"array<i32: 1, 1, 0, 0, 0, 0>}}> : ({gm(shape)}, {ub(shape)}) -> ()"
        )

    def store(self, buffer: str, argument: str, shape: str, attributes: str = "") -> None:
        target = self.whole(argument, shape)
        self.emit(
            f'"hivm.hir.store"({buffer}, {target}) <{{{attributes}}}> : '
            f"({ub(shape)}, {gm(shape)}) -> ()"
        )

    def op(self, name: str, operands: str, types: str, properties: str = "") -> None:
        """A hivm op without results."""
        self.emit(f'"hivm.hir.{name}"({operands}) <{{{properties}}}> : ({types}) -> ()')

    def text(self) -> str:
        return "\n".join(self.lines)
