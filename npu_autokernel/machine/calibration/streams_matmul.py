"""Matrix multiplications as streams: base blocks through L1, L0 and the cube, written by fixpipe.

`core_m` x `core_n` is what one core owns, `base_m` x `base_n` the block accumulated in L0C, `k_step`
the depth of one load into L1 and `base_k` that of one multiplication. With two L1 buffers the next
load runs while this one is multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.calibration.streams_vector import ELEMENT_BYTES, split

Blocks = list[list[Stream]]
SCALAR_OPS_PER_STEP = 20


def make_tile(
    buffer: int, first_byte: int, rows: int, row_bytes: int, row_stride: int, strides: list[int]
) -> GmTile:
    tile = GmTile()
    tile.buffer, tile.first_byte, tile.rows = buffer, first_byte, rows
    tile.row_bytes, tile.row_stride, tile.loop_strides = row_bytes, row_stride, strides
    return tile


def load_operands(
    stream: Stream, params: Mapping[str, Any], m_piece: tuple[int, int, int],
    n_piece: tuple[int, int, int], depth: int, outer: list[int],
) -> None:  # fmt: skip
    """Both operand tiles of one k step into L1. `outer` are strides of loops outside m and n."""
    width = ELEMENT_BYTES[params["dtype"]]
    m_first, m_extent, _ = m_piece
    n_first, n_extent, _ = n_piece
    row_a = params["k"] * width
    stream.load_l1(make_tile(0, m_first * row_a, m_extent, depth * width, row_a,
                             [*outer, m_extent * row_a, 0, depth * width]))  # fmt: skip
    if params["b_transposed"]:
        stream.load_l1(make_tile(1, n_first * row_a, n_extent, depth * width, row_a,
                                 [*outer, 0, n_extent * row_a, depth * width]))  # fmt: skip
    else:
        row_b = params["n"] * width
        stream.load_l1(make_tile(1, n_first * width, depth, n_extent * width, row_b,
                                 [*outer, 0, n_extent * width, depth * row_b]))  # fmt: skip


def multiply_steps(stream: Stream, params: Mapping[str, Any], m: int, n: int, depth: int) -> None:
    for first in range(0, depth, params["base_k"]):
        stream.matmul(params["dtype"], m, min(params["base_k"], depth - first), n)


def _multiply_blocks(
    stream: Stream,
    params: Mapping[str, Any],
    m_piece: tuple[int, int, int],
    n_piece: tuple[int, int, int],
) -> None:
    """All base blocks of one size: loops over m, n and k steps."""
    _, m_extent, m_count = m_piece
    _, n_extent, n_count = n_piece
    buffers = params["l1_buffers"]
    depth = min(params["k_step"], params["k"])
    stream.begin_loop(m_count)
    stream.begin_loop(n_count)
    stream.wait_flag("fixpipe", "cube", 0, 1)
    stream.begin_loop(-(-params["k"] // depth))
    stream.scalar(SCALAR_OPS_PER_STEP)
    stream.wait_flag("mte1", "mte2", 0, buffers)
    load_operands(stream, params, m_piece, n_piece, depth, [])
    stream.set_flag("mte2", "mte1", 0, buffers)
    stream.wait_flag("mte2", "mte1", 0, buffers)
    multiply_steps(stream, params, m_extent, n_extent, depth)
    stream.set_flag("mte1", "mte2", 0, buffers)
    stream.end_loop()
    _write_block(stream, params, m_piece, n_piece)
    stream.end_loop()
    stream.end_loop()


def _write_block(
    stream: Stream,
    params: Mapping[str, Any],
    m_piece: tuple[int, int, int],
    n_piece: tuple[int, int, int],
) -> None:
    """With the unit flag the write-out follows the last multiplication fractal by fractal."""
    width = params["out_bytes"]
    row = params["n"] * width
    m_first, m_extent, _ = m_piece
    n_first, n_extent, _ = n_piece
    if params.get("unit_flag"):
        stream.set_flag("fixpipe", "cube", 0, 1)
    stream.set_flag("cube", "fixpipe")
    stream.wait_flag("cube", "fixpipe")
    stream.fixpipe(make_tile(2, m_first * row + n_first * width, m_extent, n_extent * width, row,
                             [m_extent * row, n_extent * width]), width)  # fmt: skip
    if not params.get("unit_flag"):
        stream.set_flag("fixpipe", "cube", 0, 1)


def owned_ranges(params: Mapping[str, Any]) -> Iterator[tuple[int, int, int, int]]:
    """(first m, last m, first n, last n) of each core."""
    for m_first in range(0, params["m"], params["core_m"]):
        for n_first in range(0, params["n"], params["core_n"]):
            yield (m_first, min(m_first + params["core_m"], params["m"]),
                   n_first, min(n_first + params["core_n"], params["n"]))  # fmt: skip


def _m_rounds(m_first: int, m_last: int, rounds: int) -> Iterator[tuple[int, int]]:
    """The rows of a core in rounds, so that what a round reads fits L2."""
    step = -(-(m_last - m_first) // rounds)
    for first in range(m_first, m_last, step):
        yield first, min(first + step, m_last)


def build_matmul(params: Mapping[str, Any]) -> Blocks:
    """C[m, n] = A[m, k] B[k, n] with the blocks of the result dealt to the cores as rectangles."""
    blocks: Blocks = []
    for m_first, m_last, n_first, n_last in owned_ranges(params):
        stream = Stream()
        stream.scalar(round(params.get("scalar_start_us", 0.0) * params["clock_mhz"]))
        for buffer in range(params["l1_buffers"]):
            stream.set_flag("mte1", "mte2", buffer)
        stream.set_flag("fixpipe", "cube")
        for round_first, round_last in _m_rounds(m_first, m_last, params.get("l2_rounds", 1)):
            for n_piece in split(n_first, n_last, params["base_n"]):
                for m_piece in split(round_first, round_last, params["base_m"]):
                    _multiply_blocks(stream, params, m_piece, n_piece)
        stream.barrier("all")
        blocks.append([stream])
    return blocks
