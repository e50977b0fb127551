"""Kernels over rows as streams: reductions, softmax, normalisations; and transposition.

A tile of rows, or of a part of long rows, is loaded, worked on and stored, with the barriers between
dependent operations that compiled kernels have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.calibration.streams_vector import (
    ELEMENT_BYTES,
    OPERATIONS,
    SCALAR_OPS_PER_TILE,
    issue_operation,
    share_out,
    split_with_events,
)

Blocks = list[list[Stream]]
TILE_BUDGET_BYTES = 32 << 10  # of one operand in UB, for a derived number of rows
REDUCTIONS = ("reduce_sum", "reduce_max")
ROW_OPERATIONS = (*OPERATIONS, *REDUCTIONS)
WORKS: Mapping[str, tuple[str, ...]] = {
    "sum": ("reduce_sum",),
    "max": ("reduce_max",),
    "softmax": ("reduce_max", "sub", "exp", "reduce_sum", "div"),
    "layernorm": ("reduce_sum", "sub", "mul", "reduce_sum", "mul", "mul", "add"),
    "rmsnorm": ("mul", "reduce_sum", "mul", "mul"),
}
ONE_RESULT = ("sum", "max")


def _tile(params: Mapping[str, Any], buffer: int, rows: int, columns: int, first_column: int,
          row_elements: int) -> GmTile:  # fmt: skip
    width = ELEMENT_BYTES[params["dtype"]]
    tile = GmTile()
    tile.buffer, tile.rows = buffer, rows
    tile.row_bytes, tile.row_stride = columns * width, row_elements * width
    tile.first_byte = params["first_row"] * row_elements * width + first_column * width
    tile.loop_strides = [params["tile_rows"] * row_elements * width, columns * width]
    return tile


def _issue_rows(stream: Stream, params: Mapping[str, Any], names: tuple[str, ...], rows: int,
                columns: int) -> None:  # fmt: skip
    upcasts = params["upcast"] and ELEMENT_BYTES[params["dtype"]] == 2
    dtype = "float32" if upcasts else params["dtype"]
    casts = ("cast",) if upcasts else ()
    for name in (*casts, *names, *casts):
        if name in REDUCTIONS:
            stream.reduce(name.removeprefix("reduce_"), dtype, rows, columns)
        else:
            issue_operation(stream, name, dtype, rows * columns, params["conflict"])
        stream.barrier("vector")


def _issue_part(
    stream: Stream, params: Mapping[str, Any], rows: int, piece: tuple[int, int],
    events: tuple[int, int], is_last: bool,
) -> None:  # fmt: skip
    """A tile of rows, or a part of it. Only the last pass does all the work and stores."""
    first, columns = piece
    stream.scalar(SCALAR_OPS_PER_TILE)
    stream.wait_flag("vector", "mte2", *events)
    stream.load(_tile(params, 0, rows, columns, first, params["row_elements"]))
    stream.set_flag("mte2", "vector", *events)
    stream.wait_flag("mte2", "vector", *events)
    stream.wait_flag("mte3", "vector", *events)
    names = params["operations"] if is_last else params["operations"][:1]
    _issue_rows(stream, params, names, rows, columns)
    stream.set_flag("vector", "mte2", *events)
    stream.set_flag("vector", "mte3", *events)
    stream.wait_flag("vector", "mte3", *events)
    if is_last and not params["one_result"]:
        stream.store(_tile(params, 1, rows, columns, first, params["columns"]))
    stream.set_flag("mte3", "vector", *events)


def _issue_tile(
    stream: Stream, params: Mapping[str, Any], rows: int, events: tuple[int, int]
) -> None:
    """All passes over a tile of rows. Buffers alternate from tile to tile, or within rows that are cut."""
    columns, tile_columns = params["columns"], params["tile_columns"]
    for number in range(params["passes"]):
        is_last = number == params["passes"] - 1
        if tile_columns >= columns:
            _issue_part(stream, params, rows, (0, columns), events, is_last)
            continue
        walk = split_with_events(0, columns, tile_columns, params["buffers"])
        for first, extent, pieces, within in walk:
            stream.begin_loop(pieces)
            _issue_part(stream, params, rows, (first, extent), within, is_last)
            stream.end_loop()
    if params["one_result"]:
        stream.store(_tile(params, 1, 1, rows, 0, 1))


def _derive(params: Mapping[str, Any]) -> dict[str, Any]:
    full = dict(params)
    width = ELEMENT_BYTES[params["dtype"]]
    work = params["work"]
    full["operations"] = tuple(params["operations"] or WORKS[work])
    full["one_result"] = params["operations"] is None and work in ONE_RESULT
    full["tile_columns"] = params["tile_columns"] or min(params["columns"], 8192)
    row_bytes = full["tile_columns"] * width
    full["tile_rows"] = params["tile_rows"] or max(1, TILE_BUDGET_BYTES // row_bytes)
    full["row_elements"] = (params["row_stride"] or params["columns"] * width) // width
    splits = full["tile_columns"] < params["columns"]
    full["passes"] = params["passes"] or (2 if splits and not full["one_result"] else 1)
    return full


def build_rows(params: Mapping[str, Any]) -> Blocks:
    """Rows shared out over the cores; each tile of rows is walked `passes` times."""
    full = _derive(params)
    blocks: Blocks = []
    for first_row, last_row in share_out(params["rows"], params["cores"], params["imbalance"], 1):
        stream = Stream()
        for buffer in range(params["buffers"]):
            stream.set_flag("vector", "mte2", buffer)
            stream.set_flag("mte3", "vector", buffer)
        walk = split_with_events(first_row, last_row, full["tile_rows"], params["buffers"])
        for piece_first, rows, tiles, events in walk:
            stream.begin_loop(tiles)
            _issue_tile(stream, {**full, "first_row": piece_first}, rows, events)
            stream.end_loop()
        stream.barrier("all")
        blocks.append([stream])
    return blocks


def _matrix_tile(buffer: int, corner: tuple[int, int], extent: tuple[int, int], columns: int,
                 width: int) -> GmTile:  # fmt: skip
    tile = GmTile()
    tile.buffer, tile.rows = buffer, extent[0]
    tile.row_bytes, tile.row_stride = extent[1] * width, columns * width
    tile.first_byte = (corner[0] * columns + corner[1]) * width
    return tile


def _tiles(params: Mapping[str, Any]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(corner, extent) of each tile of the matrix."""
    for row in range(0, params["rows"], params["tile_rows"]):
        for column in range(0, params["columns"], params["tile_columns"]):
            yield (
                (row, column),
                (
                    min(params["tile_rows"], params["rows"] - row),
                    min(params["tile_columns"], params["columns"] - column),
                ),
            )


def build_transpose(params: Mapping[str, Any]) -> Blocks:
    """The tiles of a matrix, dealt to the cores in turn, each transposed in UB."""
    width, buffers = ELEMENT_BYTES[params["dtype"]], params["buffers"]
    streams = [Stream() for _ in range(params["cores"])]
    for stream in streams:
        for buffer in range(buffers):
            stream.set_flag("vector", "mte2", buffer)
            stream.set_flag("mte3", "vector", buffer)
    for index, (corner, extent) in enumerate(_tiles(params)):
        stream = streams[index % len(streams)]
        event = index // len(streams) % buffers
        stream.scalar(SCALAR_OPS_PER_TILE)
        stream.wait_flag("vector", "mte2", event)
        stream.load(_matrix_tile(0, corner, extent, params["columns"], width))
        stream.set_flag("mte2", "vector", event)
        stream.wait_flag("mte2", "vector", event)
        stream.wait_flag("mte3", "vector", event)
        stream.vector("transpose", params["dtype"], extent[0] * extent[1], [0x0], 0x8000)
        stream.set_flag("vector", "mte2", event)
        stream.set_flag("vector", "mte3", event)
        stream.wait_flag("vector", "mte3", event)
        stream.store(_matrix_tile(1, corner[::-1], extent[::-1], params["rows"], width))
        stream.set_flag("mte3", "vector", event)
    for stream in streams:
        stream.barrier("all")
    return [[stream] for stream in streams]
