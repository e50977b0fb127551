"""Vector kernels as streams: loops of one operation, block copies, elementwise over whole tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream

ELEMENT_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "int8": 1, "int32": 4}
SHARE_ALIGNMENT = 256  # elements; a core's share starts on whole lines
SCALAR_OPS_PER_TILE = 20  # address arithmetic and queue handling around one tile
# Operations named with an s take a number as second input.
ONE_INPUT = {"exp", "ln", "abs", "sqrt", "cast", "muls", "adds", "maxs", "mins"}

Blocks = list[list[Stream]]


def split(first: int, last: int, base: int) -> Iterator[tuple[int, int, int]]:
    """(first, extent, count) of the full pieces of [first, last), then of the rest."""
    full, rest = divmod(last - first, base)
    if full:
        yield first, base, full
    if rest:
        yield first + full * base, rest, 1


def make_row(buffer: int, first_byte: int, row_bytes: int, loop_strides: list[int]) -> GmTile:
    tile = GmTile()
    tile.buffer, tile.first_byte = buffer, first_byte
    tile.row_bytes, tile.row_stride = row_bytes, row_bytes
    tile.loop_strides = loop_strides
    return tile


def build_vector_loop(params: Mapping[str, Any]) -> Blocks:
    """`calls` times one operation over the same UB addresses on one core."""
    stream = Stream()
    stream.begin_loop(params["calls"])
    stream.vector(
        params["operation"], params["dtype"], params["elements"], params["inputs"], params["result"]
    )
    stream.end_loop()
    return [[stream]]


def build_block_copy(params: Mapping[str, Any]) -> Blocks:
    """Tiles rearranged in UB by block copies, on every core."""
    stream = Stream()
    stream.begin_loop(params["tiles_per_core"])
    stream.copy_blocks(params["rows"], params["row_blocks"], params["block_stride"])
    stream.end_loop()
    return [[stream]] * params["cores"]


# UB addresses of two inputs and a result by the conflict that they make. All lie in one bank.
CONFLICTS: Mapping[str, tuple[int, int, int]] = {
    "none": (0x0, 0x4100, 0x8000),  # inputs half a period of the bank groups apart
    "reads": (0x0, 0x4000, 0x8000),  # the inputs meet
    "write": (0x0, 0x4100, 0x8020),  # the result meets the reads
    "both": (0x0, 0x4000, 0x8020),
}


def issue_operation(stream: Stream, name: str, dtype: str, elements: int, conflict: str) -> None:
    """One elementwise operation on UB tiles whose addresses make the conflict named."""
    first, second, result = CONFLICTS[conflict]
    one_input = name in ONE_INPUT
    base = name.removesuffix("s") if name in ("muls", "adds", "maxs", "mins") else name
    stream.vector(base, dtype, elements, [first] if one_input else [first, second], result)


def _issue_tile(stream: Stream, params: Mapping[str, Any], first: int, tile: int) -> None:
    """Load, compute and store one tile at `first` elements, moving on with the loop."""
    width = ELEMENT_BYTES[params["dtype"]]
    buffers = params["buffers"]
    inputs = params.get("inputs", 2)
    strides = [params["tile"] * width]
    stream.scalar(SCALAR_OPS_PER_TILE)
    stream.wait_flag("vector", "mte2", 0, buffers)
    for buffer in range(inputs):
        stream.load(make_row(buffer, first * width, tile * width, strides))
    stream.set_flag("mte2", "vector", 0, buffers)
    stream.wait_flag("mte2", "vector", 0, buffers)
    stream.wait_flag("mte3", "vector", 0, buffers)
    _issue_work(stream, params, tile)
    stream.set_flag("vector", "mte2", 0, buffers)
    stream.set_flag("vector", "mte3", 0, buffers)
    stream.wait_flag("vector", "mte3", 0, buffers)
    stream.store(make_row(inputs, first * width, tile * width, strides))
    stream.set_flag("mte3", "vector", 0, buffers)


def _issue_work(stream: Stream, params: Mapping[str, Any], tile: int) -> None:
    if params.get("scalar"):
        # Two reads, the sum and a write per element, by the scalar pipe.
        stream.set_flag("vector", "scalar")
        stream.wait_flag("vector", "scalar")
        stream.scalar_access("ub", 3 * tile)
        return
    for name in params["operations"]:
        issue_operation(stream, name, params["dtype"], tile, params["conflict"])


def build_elementwise(params: Mapping[str, Any]) -> Blocks:
    """A whole tensor, split evenly over the cores, tile by tile with one or two buffers."""
    share = -(-params["elements"] // params["cores"] // SHARE_ALIGNMENT) * SHARE_ALIGNMENT
    blocks: Blocks = []
    for core in range(params["cores"]):
        first = core * share
        owned = min(share, params["elements"] - first)
        stream = Stream()
        start_us = params.get("scalar_start_us", 0.0)
        stream.scalar(round(start_us * params["clock_mhz"]))
        for buffer in range(params["buffers"]):
            stream.set_flag("vector", "mte2", buffer)
            stream.set_flag("mte3", "vector", buffer)
        for piece_first, tile, count in split(first, first + owned, params["tile"]):
            stream.begin_loop(count)
            _issue_tile(stream, params, piece_first, tile)
            stream.end_loop()
        stream.barrier("all")
        blocks.append([stream])
    return blocks


def build_add(params: Mapping[str, Any]) -> Blocks:
    """z = x + y, with the addition repeated `adds` times a tile."""
    return build_elementwise({**params, "operations": ["add"] * params["adds"]})
