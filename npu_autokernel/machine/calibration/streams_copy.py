"""Copies from global memory as streams: a matrix, or slices of it, read tile by tile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.calibration.streams_vector import split

Blocks = list[list[Stream]]


def _load_tiles(
    stream: Stream, params: Mapping[str, Any], first_byte: int, levels: list[int]
) -> None:
    tile = GmTile()
    tile.first_byte = first_byte
    tile.rows, tile.row_bytes = params["tile_rows"], params["tile_bytes"]
    tile.row_stride = params["row_stride"]
    tile.loop_strides = levels
    if params["path"] == "ub":
        stream.load(tile)
    else:
        stream.load_l1(tile)


def _read_own_rows(stream: Stream, params: Mapping[str, Any], core: int) -> None:
    """Each core reads its share of the rows: slice by slice, each slice `passes` times."""
    slice_bytes = params["row_bytes"] // params["slices"]
    step = params["tile_rows"] * params["row_stride"]
    row_tiles = params["rows"] // params["tile_rows"]
    first_tile = core * row_tiles // params["cores"]
    last_tile = (core + 1) * row_tiles // params["cores"]
    for loop in (params["slices"], params["passes"], last_tile - first_tile):
        stream.begin_loop(loop)
    for first, tile_bytes, count in split(0, slice_bytes, params["tile_bytes"]):
        stream.begin_loop(count)
        strides = [slice_bytes, 0, step, tile_bytes]
        piece = {**params, "tile_bytes": tile_bytes}
        _load_tiles(stream, piece, first_tile * step + first, strides)
        stream.end_loop()
    for _ in range(3):
        stream.end_loop()


def _read_all_rows(stream: Stream, params: Mapping[str, Any], core: int) -> None:
    """Every core reads everything; rotated, each starts at another row tile."""
    row_tiles = params["rows"] // params["tile_rows"]
    step = params["tile_rows"] * params["row_stride"]
    turn = core * row_tiles // params["cores"] if params["order"] == "rotated" else 0
    for first, count in ((turn, row_tiles - turn), (0, turn)):
        stream.begin_loop(count)
        stream.begin_loop(params["row_bytes"] // params["tile_bytes"])
        _load_tiles(stream, params, first * step, [step, params["tile_bytes"]])
        stream.end_loop()
        stream.end_loop()


def build_copy(params: Mapping[str, Any]) -> Blocks:
    """Loads alone, back to back, to UB or (as fractals) to L1."""
    blocks: Blocks = []
    for core in range(params["cores"]):
        stream = Stream()
        if params["order"] == "own":
            _read_own_rows(stream, params, core)
        else:
            _read_all_rows(stream, params, core)
        stream.barrier("all")
        blocks.append([stream])
    return blocks
