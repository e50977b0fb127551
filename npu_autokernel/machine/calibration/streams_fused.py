"""Kernels that use cube and vector cores together as streams; they meet in global memory.

One cube core and its vector cores exchange tiles through slots of a workspace: the cube core writes a
slot and raises a flag, the vector cores read it, work, and raise a flag back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from npu_autokernel.machine._native import Stream
from npu_autokernel.machine.calibration.streams_matmul import (
    Rectangle,
    accumulate_block,
    make_tile,
    owned_ranges,
    with_grid,
)
from npu_autokernel.machine.calibration.streams_vector import issue_operation, split

Blocks = list[list[Stream]]
FILLED, TAKEN = 0, 1  # cross-core flags
WORKSPACE, RESULT, ATTENDED = 3, 2, 4  # buffers
MIB = 1 << 20
# x * scale, then gelu by its exponential form, on fp32 tiles.
DEQUANT_GELU = (
    "cast", "mul", "mul", "mul", "muls", "add", "muls", "exp", "adds", "div", "cast",
)  # fmt: skip


def _vector_step(
    stream: Stream, params: Mapping[str, Any], rows: int, columns: int, first_byte: int
) -> None:
    """Take half a slot, work on it, store the result; loads run ahead of the work by one tile."""
    out_bytes = params["out_bytes"]
    stream.cross_wait("mte2", FILLED)
    stream.wait_flag("vector", "mte2", 0, 2)
    stream.load(make_tile(WORKSPACE, first_byte, rows, columns * 4, columns * 4, []))
    stream.set_flag("mte2", "vector", 0, 2)
    stream.cross_set("mte2", TAKEN)
    stream.wait_flag("mte2", "vector", 0, 2)
    stream.wait_flag("mte3", "vector")
    for name in params["operations"]:
        issue_operation(stream, name, "float32", rows * columns, params["conflict"])
    stream.set_flag("vector", "mte2", 0, 2)
    stream.set_flag("vector", "mte3")
    stream.wait_flag("vector", "mte3")
    stream.store(make_tile(RESULT, first_byte // 2, rows, columns * out_bytes, columns * out_bytes,
                           [rows * columns * out_bytes]))  # fmt: skip
    stream.set_flag("mte3", "vector")


def _cube_stream(params: Mapping[str, Any], owned: Rectangle, slot: int) -> Stream:
    stream = Stream()
    for buffer in range(params["l1_buffers"]):
        stream.set_flag("mte1", "mte2", buffer)
    stream.set_flag("fixpipe", "cube")
    m_first, m_last, n_first, n_last = owned
    for n_piece in split(n_first, n_last, params["base_n"]):
        for m_piece in split(m_first, m_last, params["base_m"]):
            m_extent, n_extent = m_piece[1], n_piece[1]
            stream.begin_loop(m_piece[2])
            stream.begin_loop(n_piece[2])
            stream.wait_flag("fixpipe", "cube")
            accumulate_block(stream, params, m_piece, n_piece)
            stream.set_flag("cube", "fixpipe")
            stream.wait_flag("cube", "fixpipe")
            stream.cross_wait("fixpipe", TAKEN)
            stream.fixpipe(make_tile(WORKSPACE, slot, m_extent, n_extent * 4, n_extent * 4, []), 4)
            stream.set_flag("fixpipe", "cube")
            stream.cross_set("fixpipe", FILLED)
            stream.end_loop()
            stream.end_loop()
    return stream


def _vector_stream(params: Mapping[str, Any], owned: Rectangle, slot: int, sub_core: int) -> Stream:
    stream = Stream()
    stream.set_flag("vector", "mte2", 0)
    stream.set_flag("vector", "mte2", 1)
    stream.set_flag("mte3", "vector")
    for _ in range(params["depth"]):
        stream.cross_set("mte2", TAKEN)
    m_first, m_last, n_first, n_last = owned
    for _, n_extent, n_count in split(n_first, n_last, params["base_n"]):
        for _, m_extent, m_count in split(m_first, m_last, params["base_m"]):
            rows = -(-m_extent // params["vector_cores"])
            stream.begin_loop(m_count * n_count)
            first_byte = slot + sub_core * rows * n_extent * 4
            _vector_step(stream, params, rows, n_extent, first_byte)
            stream.end_loop()
    return stream


def build_matmul_then_vector(params: Mapping[str, Any]) -> Blocks:
    """A matmul whose blocks go through vector operations on one or two vector cores."""
    full = with_grid(params)
    blocks: Blocks = []
    slot_bytes = params["base_m"] * params["base_n"] * 4
    for block, owned in enumerate(owned_ranges(full)):
        slot = block * slot_bytes * 2
        streams = [_cube_stream(full, owned, slot)]
        streams += [_vector_stream(full, owned, slot, sub) for sub in range(params["vector_cores"])]
        blocks.append(streams)
    return blocks


SCORES, WEIGHTS, PARTIAL = 0, 1, 2  # cross-core flags of attention


@dataclass(frozen=True)
class Run:
    """Blocks of query rows, one after the other, of one head that attend to as many key tiles."""

    head: int
    first_block: int  # over all heads
    blocks: int
    tiles: int


def _attend_keys(
    stream: Stream, params: Mapping[str, Any], first_byte: int, level: list[int]
) -> None:
    """scores = Q K^T for one tile of keys; Q stays in L1."""
    rows, keys, head = params["base_m"], params["base_n"], params["head"]
    stream.wait_flag("mte1", "mte2", 0)
    stream.load_l1(make_tile(1, first_byte, keys, head * 2, head * 2, level))
    stream.set_flag("mte2", "mte1", 0)
    stream.wait_flag("mte2", "mte1", 0)
    stream.wait_flag("fixpipe", "cube", 0)
    stream.matmul("float16", rows, head, keys)
    stream.set_flag("mte1", "mte2", 0)
    stream.set_flag("cube", "fixpipe", 0)
    stream.wait_flag("cube", "fixpipe", 0)
    stream.fixpipe(make_tile(WORKSPACE, params["workspace"], rows, keys * 4, keys * 4, []), 4)
    stream.set_flag("fixpipe", "cube", 0)
    stream.cross_set("fixpipe", SCORES)


def _weigh_values(
    stream: Stream, params: Mapping[str, Any], first_byte: int, level: list[int]
) -> None:
    """partial = P V for one tile of keys, once the vector cores have written P."""
    rows, keys, head = params["base_m"], params["base_n"], params["head"]
    stream.wait_flag("mte1", "mte2", 1)
    stream.load_l1(make_tile(2, first_byte, keys, head * 2, head * 2, level))
    stream.cross_wait("mte2", WEIGHTS)
    stream.load_l1(make_tile(WORKSPACE, params["workspace"] + MIB, rows, keys * 2, keys * 2, []))
    stream.set_flag("mte2", "mte1", 1)
    stream.wait_flag("mte2", "mte1", 1)
    stream.wait_flag("fixpipe", "cube", 1)
    stream.matmul("float16", rows, keys, head)
    stream.set_flag("mte1", "mte2", 1)
    stream.set_flag("cube", "fixpipe", 1)
    stream.wait_flag("cube", "fixpipe", 1)
    stream.fixpipe(
        make_tile(WORKSPACE, params["workspace"] + 2 * MIB, rows, head * 4, head * 4, []), 4
    )
    stream.set_flag("fixpipe", "cube", 1)
    stream.cross_set("fixpipe", PARTIAL)


def _attention_cube(params: Mapping[str, Any], runs: Sequence[Run]) -> Stream:
    """The scores of later tiles are computed before the values of this one are weighed."""
    stream = Stream()
    tile_bytes = params["base_n"] * params["head"] * 2
    query_bytes = params["base_m"] * params["head"] * 2
    for event in (0, 1):
        stream.set_flag("mte1", "mte2", event)
        stream.set_flag("fixpipe", "cube", event)
    for run in runs:
        keys_byte = run.head * params["keys"] * params["head"] * 2
        ahead = min(params["preload"], run.tiles)
        stream.begin_loop(run.blocks)
        stream.load_l1(make_tile(0, run.first_block * query_bytes, params["base_m"],
                                 params["head"] * 2, params["head"] * 2, [query_bytes]))  # fmt: skip
        stream.begin_loop(ahead)
        _attend_keys(stream, params, keys_byte, [0, tile_bytes])
        stream.end_loop()
        stream.begin_loop(run.tiles - ahead)
        _attend_keys(stream, params, keys_byte + ahead * tile_bytes, [0, tile_bytes])
        _weigh_values(stream, params, keys_byte, [0, tile_bytes])
        stream.end_loop()
        stream.begin_loop(ahead)
        last = keys_byte + (run.tiles - ahead) * tile_bytes
        _weigh_values(stream, params, last, [0, tile_bytes])
        stream.end_loop()
        stream.end_loop()
    return stream


def _soften_scores(stream: Stream, rows: int, keys: int, first_byte: int) -> None:
    """Running maximum, exponentials and their sum, written back as fp16 weights."""
    elements = rows * keys
    stream.cross_wait("mte2", SCORES)
    stream.wait_flag("vector", "mte2", 0, 2)
    stream.load(make_tile(WORKSPACE, first_byte, rows, keys * 4, keys * 4, []))
    stream.set_flag("mte2", "vector", 0, 2)
    stream.wait_flag("mte2", "vector", 0, 2)
    stream.reduce("max", "float32", rows, keys)
    for name in ("muls", "sub", "exp"):
        issue_operation(stream, name, "float32", elements, "reads")
    stream.reduce("sum", "float32", rows, keys)
    stream.wait_flag("mte3", "vector", 0)
    issue_operation(stream, "cast", "float32", elements, "reads")
    stream.set_flag("vector", "mte2", 0, 2)
    stream.set_flag("vector", "mte3", 0)
    stream.wait_flag("vector", "mte3", 0)
    stream.store(make_tile(WORKSPACE, first_byte + MIB, rows, keys * 2, keys * 2, []))
    stream.set_flag("mte3", "vector", 0)
    stream.cross_set("mte3", WEIGHTS)


def _accumulate_partial(stream: Stream, rows: int, head: int, first_byte: int) -> None:
    """The running result is rescaled and the partial one added."""
    stream.cross_wait("mte2", PARTIAL)
    stream.wait_flag("vector", "mte2", 2)
    stream.load(make_tile(WORKSPACE, first_byte + 2 * MIB, rows, head * 4, head * 4, []))
    stream.set_flag("mte2", "vector", 2)
    stream.wait_flag("mte2", "vector", 2)
    for name in ("mul", "add"):
        issue_operation(stream, name, "float32", rows * head, "reads")
    stream.set_flag("vector", "mte2", 2)


def _store_result(stream: Stream, params: Mapping[str, Any], rows: int, first_byte: int) -> None:
    stream.set_flag("vector", "mte3", 1)
    stream.wait_flag("vector", "mte3", 1)
    row_bytes = params["head"] * 2
    stream.store(
        make_tile(ATTENDED, first_byte, rows, row_bytes, row_bytes, [2 * rows * row_bytes])
    )


def _attention_vector(params: Mapping[str, Any], runs: Sequence[Run], sub_core: int) -> Stream:
    stream = Stream()
    rows = params["base_m"] // 2
    first_byte = params["workspace"] + sub_core * MIB // 2
    for event in (0, 1, 2):
        stream.set_flag("vector", "mte2", event)
    stream.set_flag("mte3", "vector", 0)
    for run in runs:
        ahead = min(params["preload"], run.tiles)
        stream.begin_loop(run.blocks)
        stream.begin_loop(ahead)
        _soften_scores(stream, rows, params["base_n"], first_byte)
        stream.end_loop()
        stream.begin_loop(run.tiles - ahead)
        _soften_scores(stream, rows, params["base_n"], first_byte)
        _accumulate_partial(stream, rows, params["head"], first_byte)
        stream.end_loop()
        stream.begin_loop(ahead)
        _accumulate_partial(stream, rows, params["head"], first_byte)
        stream.end_loop()
        result = (2 * run.first_block + sub_core) * rows * params["head"] * 2
        _store_result(stream, params, rows, result)
        stream.end_loop()
    return stream


def _runs_of(params: Mapping[str, Any], core: int, cores: int) -> Iterator[Run]:
    """What a core owns: blocks that lie together; causal ones, of unequal length, in turn."""
    per_head = -(-params["rows"] // params["base_m"])
    total = params["heads"] * per_head
    tiles = -(-params["keys"] // params["base_n"])
    if params["causal"]:
        for block in range(core, total, cores):
            seen = (block % per_head + 1) * params["base_m"]
            own = min(tiles, -(-seen // params["base_n"]))
            yield Run(block // per_head, block, 1, own)
        return
    first, last = core * total // cores, (core + 1) * total // cores
    while first < last:
        upto = min(last, (first // per_head + 1) * per_head)
        yield Run(first // per_head, first, upto - first, tiles)
        first = upto


def build_flash_attention(params: Mapping[str, Any]) -> Blocks:
    """Blocks of `base_m` query rows of all heads are dealt to the cores, keys pass in tiles."""
    row_blocks = params["heads"] * -(-params["rows"] // params["base_m"])
    cores = min(params["cores"] or params["cube_cores"], row_blocks)
    blocks: Blocks = []
    for core in range(cores):
        full = {**params, "workspace": 4 * MIB * core}
        runs = tuple(_runs_of(params, core, cores))
        blocks.append([_attention_cube(full, runs), _attention_vector(full, runs, 0),
                       _attention_vector(full, runs, 1)])  # fmt: skip
    return blocks
