"""Matrix multiplications as streams: base blocks through L1, L0 and the cube, written by fixpipe.

`core_m` x `core_n` is what one core owns, `base_m` x `base_n` the block accumulated in L0C, `k_step`
the depth of one load into L1 and `base_k` that of one multiplication. With two L1 buffers the next
load runs while this one is multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.calibration.streams_vector import (
    ELEMENT_BYTES,
    split,
    split_with_events,
)

Blocks = list[list[Stream]]
Piece = tuple[int, int, int]  # first, extent, count
Rectangle = tuple[int, int, int, int]  # first m, last m, first n, last n
SCALAR_OPS_PER_STEP = 20
FRACTAL_BYTES = 32  # of one row of a fractal


def make_tile(
    buffer: int, first_byte: int, rows: int, row_bytes: int, row_stride: int, strides: list[int]
) -> GmTile:
    tile = GmTile()
    tile.buffer, tile.first_byte, tile.rows = buffer, first_byte, rows
    tile.row_bytes, tile.row_stride, tile.loop_strides = row_bytes, row_stride, strides
    return tile


def _load_rows(
    stream: Stream, buffer: int, along: int, rows: Piece, k_piece: Piece, row_bytes: int, width: int
) -> None:
    """Rows of k: an operand whose inner axis is k. `along`: the loop level that walks the rows."""
    strides = [0, 0, k_piece[1] * width]
    strides[along] = rows[1] * row_bytes
    first_byte = rows[0] * row_bytes + k_piece[0] * width
    stream.load_l1(make_tile(buffer, first_byte, rows[1], k_piece[1] * width, row_bytes, strides))


def _load_columns(
    stream: Stream, buffer: int, along: int, columns: Piece, k_piece: Piece, row_bytes: int,
    width: int,
) -> None:  # fmt: skip
    """Rows of m or n: an operand whose outer axis is k."""
    strides = [0, 0, k_piece[1] * row_bytes]
    strides[along] = columns[1] * width
    first_byte = k_piece[0] * row_bytes + columns[0] * width
    stream.load_l1(
        make_tile(buffer, first_byte, k_piece[1], columns[1] * width, row_bytes, strides)
    )


def _load_fractals(
    stream: Stream, params: Mapping[str, Any], columns: Piece, k_piece: Piece, width: int
) -> None:
    """B stored as fractals: per 32 bytes of columns, rows of k one behind the other."""
    of_fractal = FRACTAL_BYTES // width
    stride = params["k"] * FRACTAL_BYTES
    first_byte = columns[0] // of_fractal * stride + k_piece[0] * FRACTAL_BYTES
    fractals = -(-columns[1] // of_fractal)
    strides = [0, fractals * stride, k_piece[1] * FRACTAL_BYTES]
    tile = make_tile(1, first_byte, fractals, k_piece[1] * FRACTAL_BYTES, stride, strides)
    stream.load_l1(tile, False)


def load_operands(
    stream: Stream, params: Mapping[str, Any], m_piece: Piece, n_piece: Piece, k_piece: Piece
) -> None:
    """Both operand tiles of one k step into L1, inside loops over m, n and k."""
    width = ELEMENT_BYTES[params["dtype"]]
    k, m, n = params["k"] * width, params["m"] * width, params["n"] * width
    if params["a_transposed"]:
        _load_columns(stream, 0, 0, m_piece, k_piece, m, width)
    else:
        _load_rows(stream, 0, 0, m_piece, k_piece, k, width)
    if params["b_fractals"]:
        _load_fractals(stream, params, n_piece, k_piece, width)
    elif params["b_transposed"]:
        _load_rows(stream, 1, 1, n_piece, k_piece, k, width)
    else:
        _load_columns(stream, 1, 1, n_piece, k_piece, n, width)


def accumulate_block(
    stream: Stream, params: Mapping[str, Any], m_piece: Piece, n_piece: Piece
) -> None:
    """The k steps of one base block: load into L1, multiply, release."""
    base_k, k_step = params["base_k"], min(params["k_step"], params["k"])
    pieces = split_with_events(0, params["k"], k_step, params["l1_buffers"])
    for k_first, depth, steps, events in pieces:
        stream.begin_loop(steps)
        stream.scalar(SCALAR_OPS_PER_STEP)
        stream.wait_flag("mte1", "mte2", *events)
        load_operands(stream, params, m_piece, n_piece, (k_first, depth, steps))
        stream.set_flag("mte2", "mte1", *events)
        stream.wait_flag("mte2", "mte1", *events)
        for first in range(0, depth, base_k):
            stream.matmul(params["dtype"], m_piece[1], min(base_k, depth - first), n_piece[1])
        stream.set_flag("mte1", "mte2", *events)
        stream.end_loop()


def _multiply_blocks(
    stream: Stream, params: Mapping[str, Any], m_piece: Piece, n_piece: Piece
) -> None:
    """All base blocks of one size: loops over m, n and k steps."""
    stream.begin_loop(m_piece[2])
    stream.begin_loop(n_piece[2])
    stream.wait_flag("fixpipe", "cube", 0, 1)
    accumulate_block(stream, params, m_piece, n_piece)
    _write_block(stream, params, m_piece, n_piece)
    stream.end_loop()
    stream.end_loop()


def _write_block(stream: Stream, params: Mapping[str, Any], m_piece: Piece, n_piece: Piece) -> None:
    """With the unit flag the write-out follows the last multiplication fractal by fractal."""
    width = params["out_bytes"]
    row = params["n"] * width
    m_first, m_extent, _ = m_piece
    n_first, n_extent, _ = n_piece
    if params["unit_flag"]:
        stream.set_flag("fixpipe", "cube", 0, 1)
    stream.set_flag("cube", "fixpipe")
    stream.wait_flag("cube", "fixpipe")
    stream.fixpipe(make_tile(2, m_first * row + n_first * width, m_extent, n_extent * width, row,
                             [m_extent * row, n_extent * width]), width)  # fmt: skip
    if not params["unit_flag"]:
        stream.set_flag("fixpipe", "cube", 0, 1)


def grid_of(params: Mapping[str, Any], cores: int) -> tuple[int, int]:
    """(core_m, core_n) in whole base blocks that gives the busiest core least; a tie to the squarest."""
    m_blocks = -(-params["m"] // params["base_m"])
    n_blocks = -(-params["n"] // params["base_n"])

    def load_of(m_cores: int) -> tuple[int, int]:
        m_share, n_share = -(-m_blocks // m_cores), -(-n_blocks // (cores // m_cores))
        return m_share * n_share, m_share * params["base_m"] + n_share * params["base_n"]

    m_cores = min((split for split in range(1, cores + 1) if cores % split == 0), key=load_of)
    n_cores = cores // m_cores
    return -(-m_blocks // m_cores) * params["base_m"], -(-n_blocks // n_cores) * params["base_n"]


def with_grid(params: Mapping[str, Any]) -> dict[str, Any]:
    """What one core owns, derived where the case does not say."""
    core_m, core_n = grid_of(params, params["cores"] or params["cube_cores"])
    full = dict(params)
    full["core_m"] = params["core_m"] or core_m
    full["core_n"] = params["core_n"] or core_n
    return full


def owned_ranges(params: Mapping[str, Any]) -> Iterator[Rectangle]:
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
    full = with_grid(params)
    blocks: Blocks = []
    for m_first, m_last, n_first, n_last in owned_ranges(full):
        stream = Stream()
        stream.scalar(round(full["scalar_start_us"] * full["clock_mhz"]))
        for buffer in range(full["l1_buffers"]):
            stream.set_flag("mte1", "mte2", buffer)
        stream.set_flag("fixpipe", "cube")
        for round_first, round_last in _m_rounds(m_first, m_last, full["l2_rounds"]):
            for n_piece in split(n_first, n_last, full["base_n"]):
                for m_piece in split(round_first, round_last, full["base_m"]):
                    _multiply_blocks(stream, full, m_piece, n_piece)
        stream.barrier("all")
        blocks.append([stream])
    return blocks
