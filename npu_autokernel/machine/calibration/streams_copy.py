"""Copies from or to global memory as streams: a matrix, or slices of it, moved tile by tile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.calibration.streams_vector import share_out, split

Blocks = list[list[Stream]]
PATHS = ("ub", "l1", "nd2nz", "store")


def _move_tiles(
    stream: Stream, params: Mapping[str, Any], rows: int, tile_bytes: int, first_byte: int,
    levels: list[int],
) -> None:  # fmt: skip
    tile = GmTile()
    tile.first_byte = params["offset_bytes"] + first_byte
    tile.rows, tile.row_bytes = rows, tile_bytes
    tile.row_stride = params["row_stride"]
    tile.loop_strides = levels
    if params["path"] == "ub":
        stream.load(tile)
    elif params["path"] == "store":
        stream.store(tile, params["atomic"])
    else:
        stream.load_l1(tile, params["path"] == "nd2nz")


def _move_own_rows(stream: Stream, params: Mapping[str, Any], first: int, last: int) -> None:
    """A core moves the rows [first, last): slice by slice, each slice `passes` times."""
    slice_bytes = params["row_bytes"] // params["slices"]
    stream.begin_loop(params["slices"])
    stream.begin_loop(params["passes"])
    _move_rows(stream, params, (first, last), slice_bytes, [slice_bytes, 0])
    stream.end_loop()
    stream.end_loop()


def _move_rows(
    stream: Stream, params: Mapping[str, Any], bounds: tuple[int, int], row_bytes: int,
    outer: list[int],
) -> None:  # fmt: skip
    """Tile by tile, the tiles of a row first. `outer`: strides of the loops around."""
    stride = params["row_stride"]
    for first_row, rows, row_tiles in split(*bounds, params["tile_rows"]):
        stream.begin_loop(row_tiles)
        for first, tile_bytes, tiles in split(0, row_bytes, params["tile_bytes"]):
            stream.begin_loop(tiles)
            levels = [*outer, rows * stride, tile_bytes]
            _move_tiles(stream, params, rows, tile_bytes, first_row * stride + first, levels)
            stream.end_loop()
        stream.end_loop()


def _move_all_rows(stream: Stream, params: Mapping[str, Any], core: int) -> None:
    """Every core moves everything; rotated, each starts at another row tile."""
    row_tiles = -(-params["rows"] // params["tile_rows"])
    turn = core * row_tiles // params["cores"] if params["order"] == "rotated" else 0
    first = turn * params["tile_rows"]
    stream.begin_loop(params["passes"])
    for bounds in ((first, params["rows"]), (0, first)):
        _move_rows(stream, params, bounds, params["row_bytes"], [0])
    stream.end_loop()


def build_copy(params: Mapping[str, Any]) -> Blocks:
    """Copies alone, back to back: loads to UB or L1, or stores from UB."""
    blocks: Blocks = []
    shares = share_out(params["rows"], params["cores"], params["imbalance"], params["tile_rows"])
    for core, (first_row, last_row) in enumerate(shares):
        stream = Stream()
        if params["order"] == "own":
            _move_own_rows(stream, params, first_row, last_row)
        else:
            _move_all_rows(stream, params, core)
        stream.barrier("all")
        blocks.append([stream])
    return blocks
