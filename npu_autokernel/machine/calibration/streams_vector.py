"""Vector kernels as streams: loops of one operation, block copies, elementwise over whole tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream

ELEMENT_BYTES = {
    "float16": 2, "bfloat16": 2, "float32": 4, "hfloat32": 4, "int8": 1, "int16": 2, "int32": 4,
    "int64": 8,
}  # fmt: skip
SHARE_ALIGNMENT = 256  # elements; a core's share starts on whole lines
SCALAR_OPS_PER_TILE = 20  # address arithmetic and queue handling around one tile
WITH_NUMBER = ("adds", "muls", "maxs", "mins", "cmps")  # a number as second input
ONE_INPUT = (
    "exp", "ln", "abs", "sqrt", "rsqrt", "rec", "relu", "not", "cast", "copy", "shl", "shr", "sort",
    "transpose", "flip", "broadcast", "scan", *WITH_NUMBER,
)  # fmt: skip
TWO_INPUTS = (
    "add", "sub", "mul", "div", "max", "min", "and", "or", "xor", "cmp", "sel", "gather",
    "interleave",
)  # fmt: skip
OPERATIONS = (*ONE_INPUT, *TWO_INPUTS)
FLOAT_TYPES = ("float32", "float16", "bfloat16")
OF_FLOATS = ("exp", "ln", "sqrt", "rsqrt", "rec", "div")
OF_INTEGERS = ("shl", "shr")

# UB addresses of two inputs and a result by the conflict that they make. All lie in one bank.
CONFLICTS: Mapping[str, tuple[int, int, int]] = {
    "none": (0x0, 0x4100, 0x8000),  # inputs half a period of the bank groups apart
    "reads": (0x0, 0x4000, 0x8000),  # the inputs meet
    "write": (0x0, 0x4100, 0x8020),  # the result meets the reads
    "both": (0x0, 0x4000, 0x8020),
}

Blocks = list[list[Stream]]


def split(first: int, last: int, base: int) -> Iterator[tuple[int, int, int]]:
    """(first, extent, count) of the full pieces of [first, last), then of the rest."""
    full, rest = divmod(last - first, base)
    if full:
        yield first, base, full
    if rest:
        yield first + full * base, rest, 1


def share_out(total: int, cores: int, imbalance: float, unit: int) -> Iterator[tuple[int, int]]:
    """(first, last) of each core, in whole units: the first core's share is `imbalance` times the mean."""
    units = -(-total // unit)
    first_share = units if cores == 1 else min(units, round(units / cores * imbalance))
    position = 0
    for core in range(cores):
        others = (units - first_share) * core // max(1, cores - 1)
        last = min(total, (first_share + others) * unit)
        yield position, last
        position = last


def split_with_events(
    first: int, last: int, base: int, buffers: int
) -> Iterator[tuple[int, int, int, tuple[int, int]]]:
    """As `split`, with (first event, period) of the buffers that the pieces take in turn."""
    taken = 0
    for piece_first, extent, pieces in split(first, last, base):
        yield piece_first, extent, pieces, (taken % buffers, buffers if pieces > 1 else 1)
        taken += pieces


def make_row(buffer: int, first_byte: int, row_bytes: int, loop_strides: list[int]) -> GmTile:
    tile = GmTile()
    tile.buffer, tile.first_byte = buffer, first_byte
    tile.row_bytes, tile.row_stride = row_bytes, row_bytes
    tile.loop_strides = loop_strides
    return tile


def build_vector_loop(params: Mapping[str, Any]) -> Blocks:
    """`calls` times one operation over the same UB addresses, on every core."""
    first, second, result = CONFLICTS[params["conflict"]]
    addresses = params["inputs"]
    if addresses is None:
        addresses = [first] if params["operation"] in ONE_INPUT else [first, second]
    stream = Stream()
    stream.begin_loop(params["calls"])
    stream.vector(
        _opcode_of(params["operation"]), params["dtype"], params["elements"], list(addresses),
        result if params["result"] is None else params["result"],
        params["result_dtype"] or "", _block_strides(params, len(addresses)),
    )  # fmt: skip
    if params["barriers"]:
        stream.barrier("vector")
    stream.end_loop()
    return [[stream]] * params["cores"]


def _block_strides(params: Mapping[str, Any], input_count: int) -> list[int]:
    strides = params["input_block_stride"], params["result_block_stride"]
    return [] if strides == (1, 1) else [strides[0]] * input_count + [strides[1]]


def build_block_copy(params: Mapping[str, Any]) -> Blocks:
    """Tiles rearranged in UB by block copies, on every core."""
    stream = Stream()
    stream.begin_loop(params["tiles_per_core"])
    stream.copy_blocks(params["rows"], params["row_blocks"], params["block_stride"])
    stream.end_loop()
    return [[stream]] * params["cores"]


def _opcode_of(name: str) -> str:
    return name.removesuffix("s") if name in WITH_NUMBER else name


def issue_operation(stream: Stream, name: str, dtype: str, elements: int, conflict: str) -> None:
    """One elementwise operation on UB tiles whose addresses make the conflict named."""
    first, second, result = CONFLICTS[conflict]
    inputs = [first] if name in ONE_INPUT else [first, second]
    stream.vector(_opcode_of(name), dtype, elements, inputs, result)


def _issue_tile(
    stream: Stream, params: Mapping[str, Any], first_byte: int, tile: int, events: tuple[int, int]
) -> None:
    """Load, compute and store one tile, moving on with the innermost loop."""
    width = ELEMENT_BYTES[params["dtype"]]
    inputs, outputs = params["inputs"], params["outputs"]
    strides = [0, params["tile"] * width]
    stream.scalar(params["scalar_ops_per_tile"])
    stream.wait_flag("vector", "mte2", *events)
    for buffer in range(inputs):
        stream.load(make_row(buffer, first_byte, tile * width, strides))
    stream.set_flag("mte2", "vector", *events)
    stream.wait_flag("mte2", "vector", *events)
    stream.wait_flag("mte3", "vector", *events)
    _issue_work(stream, params, tile)
    stream.set_flag("vector", "mte2", *events)
    stream.set_flag("vector", "mte3", *events)
    stream.wait_flag("vector", "mte3", *events)
    for buffer in range(inputs, inputs + outputs):
        stream.store(make_row(buffer, first_byte, tile * width, strides), params["atomic"])
    stream.set_flag("mte3", "vector", *events)


def _issue_work(stream: Stream, params: Mapping[str, Any], tile: int) -> None:
    if params["scalar"]:
        # Each input read and each output written per element, by the scalar pipe.
        stream.set_flag("vector", "scalar")
        stream.wait_flag("vector", "scalar")
        stream.scalar_access("ub", (params["inputs"] + params["outputs"]) * tile)
        return
    for name in params["operations"]:
        issue_operation(stream, name, params["dtype"], tile, params["conflict"])
        if params["barriers"]:
            stream.barrier("vector")


def build_elementwise(params: Mapping[str, Any]) -> Blocks:
    """A whole tensor, shared out over the cores, `passes` times, tile by tile."""
    width = ELEMENT_BYTES[params["dtype"]]
    blocks: Blocks = []
    shares = share_out(params["elements"], params["cores"], params["imbalance"], SHARE_ALIGNMENT)
    for first, last in shares:
        stream = Stream()
        stream.scalar(round(params["scalar_start_us"] * params["clock_mhz"]))
        for buffer in range(params["buffers"]):
            stream.set_flag("vector", "mte2", buffer)
            stream.set_flag("mte3", "vector", buffer)
        stream.begin_loop(params["passes"])
        pieces = split_with_events(first, last, params["tile"], params["buffers"])
        for piece_first, tile, tiles, events in pieces:
            stream.begin_loop(tiles)
            first_byte = params["offset_bytes"] + piece_first * width
            _issue_tile(stream, params, first_byte, tile, events)
            stream.end_loop()
        stream.end_loop()
        stream.barrier("all")
        blocks.append([stream])
    return blocks


def build_add(params: Mapping[str, Any]) -> Blocks:
    """z = x + y, with the addition repeated `adds` times a tile."""
    return build_elementwise({**params, "operations": ["add"] * params["adds"]})
