"""Writes small kernels of the cube: tiles of L1 and L0C, products, ways out."""

from __future__ import annotations

from tests.machine.modules import Body, cube_module, gm, memref

SUM_TYPE = {"f16": "f32", "bf16": "f32", "f32": "f32", "i8": "i32"}
BLOCK = {"f16": 16, "bf16": 16, "f32": 8, "i8": 32}


def round_up(value: int, step: int) -> int:
    return -(-value // step) * step


def fractals(rows: int, columns: int, element: str, width: int) -> str:
    return f"{-(-columns // width)}x{-(-rows // 16)}x16x{width}x{element}"


class CubeBody(Body):
    """L1 from the bottom up; one L0C tile."""

    def __init__(self) -> None:
        super().__init__("c")
        self._next_l1 = 0

    def load_l1(self, argument: str, rows: int, columns: int, element: str, tile_rows: int = 0):
        shape = fractals(max(rows, tile_rows), columns, element, BLOCK[element])
        type_ = memref(shape, "cbuf")
        tile = self.pointer(self._next_l1, shape, "cbuf")
        self._next_l1 += 64 * 1024
        source_shape = f"{rows}x{columns}x{element}"
        source = self.reinterpret(argument, source_shape)
        self.op(
            "nd2nz",
            f"{source}, {tile}",
            f"{gm(source_shape)}, {type_}",
            "dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>",
        )
        return tile, type_

    def load_bias(self, argument: str, columns: int, element: str = "f32"):
        shape = f"1x{columns}x{element}"
        tile = self.pointer(self._next_l1, shape, "cbuf")
        self._next_l1 += 1024
        self.op(
            "load",
            f"{self.reinterpret(argument, shape)}, {tile}",
            f"{gm(shape)}, {memref(shape, 'cbuf')}",
            "init_out_buffer = false, may_implicit_transpose_with_last_axis = false, "
            "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>",
        )
        return tile, memref(shape, "cbuf")

    def sums(self, rows: int, columns: int, element: str = "f32", address: int = 0):
        shape = fractals(rows, columns, element, 16)
        return self.pointer(address, shape, "cc"), memref(shape, "cc")

    def multiply(
        self,
        a,
        b,
        sums,
        shape: tuple[int, int, int],
        clear: bool,
        extra: str = "",
        bias=None,
        unit_flags: tuple[str, ...] = (),
    ):
        """`unit_flags`: the conditions of the modes in `extra`."""
        m, k, n = (self.constant(extent, "index") for extent in shape)
        flag = self.constant("true" if clear else "false", "i1")
        operands = f"{a[0]}, {b[0]}, {flag}, {m}, {k}, {n}, {sums[0]}"
        types = f"{a[1]}, {b[1]}, i1, index, index, index, {sums[1]}"
        for condition in unit_flags:
            operands, types = f"{operands}, {condition}", f"{types}, i1"
        if bias is not None:
            operands, types = f"{operands}, {bias[0]}", f"{types}, {bias[1]}"
        counts = f"{len(unit_flags)}, {0 if bias is None else 1}"
        segments = f"operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, {counts}>"
        self.op("mmadL1", operands, types, f"{segments}{extra}")

    def write_back(self, sums, argument: str, shape: str, extra: str = "") -> None:
        target = self.reinterpret(argument, shape)
        properties = (
            "dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>"
        )
        self.op("fixpipe", f"{sums[0]}, {target}", f"{sums[1]}, {gm(shape)}", properties + extra)


def product_module(
    shape: tuple[int, int, int],
    element: str,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    turns: int = 1,
    out: str = "",
    tile_rows: int = 0,
    extra_multiply: str = "",
    extra_write: str = "",
) -> str:
    m, k, n = shape
    body = CubeBody()
    a = body.load_l1("%a0", k if transpose_a else m, m if transpose_a else k, element, tile_rows)
    b = body.load_l1("%a1", n if transpose_b else k, k if transpose_b else n, element)
    sum_shape = fractals(m, n, SUM_TYPE[element], 16)
    sums = (body.pointer(0, sum_shape, "cc"), memref(sum_shape, "cc"))
    flags = (", a_transpose" if transpose_a else "") + (", b_transpose" if transpose_b else "")
    for turn in range(turns):
        body.multiply(a, b, sums, shape, turn == 0, flags + extra_multiply)
    result = out or SUM_TYPE[element]
    body.write_back(sums, "%a2", f"{m}x{n}x{result}", extra_write)
    return cube_module(body.text(), [gm(f"?x{element}")] * 2 + [gm(f"?x{result}")])
