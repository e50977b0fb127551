"""Arithmetic of tiles: which axes to tile, which block covers an extent, how many tiles and chunks that makes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from npu_autokernel.machine.soc import SocTable
from npu_autokernel.tile.dtypes import ITEM_BYTES
from npu_autokernel.tile.program import TileProgram

MIN_COLUMNS = 16
# What one core achieves on wide tiles: bytes of memory per cycle, cycles of a step per 256-byte repeat.
CORE_BYTES_PER_CYCLE = 60.0
STEP_CYCLES_PER_REPEAT = 2.0


def choose_column_axis(program: TileProgram, extents: Mapping[str, int]) -> str:
    """The axis along which most memory is contiguous: accesses of the whole space count, those of a part hardly.

    A store counts twice, a short axis less, and ties go to the innermost.
    """
    accesses = [(item.strides, 1.0) for item in program.loads if item.strides]
    accesses += [(item.strides, 2.0) for item in program.stores]

    def score(position: int) -> tuple[float, int]:
        total = sum(
            weight * (1.0 if "0" not in strides else 0.05)
            for strides, weight in accesses
            if strides[position] == "1"
        )
        return total * min(extents[program.axes[position].name], MIN_COLUMNS), position

    return program.axes[max(range(len(program.axes)), key=score)].name


def choose_row_axis(program: TileProgram, column_axis: str) -> str | None:
    """The second tiled axis: the innermost other one, reduced before kept so that its walk is a vector walk."""
    others = [axis for axis in program.axes if axis.name != column_axis]
    reduced = [axis for axis in others if axis.is_reduced]
    return (reduced or others)[-1].name if others else None


def is_transposing(program: TileProgram, column_axis: str, row_axis: str) -> bool:
    """Whether an access is contiguous along the rows."""
    names = [axis.name for axis in program.axes]
    row, column = names.index(row_axis), names.index(column_axis)
    accesses = [load.strides for load in program.loads if load.strides]
    accesses += [store.strides for store in program.stores]
    return any(strides[row] == "1" and strides[column] not in ("0", "1") for strides in accesses)


def fit_block(extent: int) -> int:
    """The least block of at least `extent` that is a multiple of an eighth of the next power of two, and of 16.

    At most an eighth of a tile lies idle, and near extents share a block.
    """
    power = 1 << max(extent - 1, MIN_COLUMNS - 1).bit_length()
    step = max(power // 8, MIN_COLUMNS)
    return -(-extent // step) * step


def fit_rows(extent: int) -> int:
    """The least number of rows of at least `extent` that is a multiple of an eighth of the next power of two."""
    power = 1 << max(extent - 1, 0).bit_length()
    step = max(power // 8, 1)
    return -(-extent // step) * step


def count_tiles(program: TileProgram, extents: Mapping[str, int], blocks: Mapping[str, int]) -> int:
    """How many tiles the kept axes make."""
    tiles = 1
    for axis in program.kept_axes:
        tiles *= -(-extents[axis.name] // blocks.get(axis.name, 1))
    return tiles


def count_chunks(
    program: TileProgram, extents: Mapping[str, int], blocks: Mapping[str, int]
) -> dict[str, int]:
    """How many chunks each reduced axis is walked in."""
    return {
        axis.name: -(-extents[axis.name] // blocks.get(axis.name, 1))
        for axis in program.reduced_axes
    }


def may_split(program: TileProgram, blocks: Mapping[str, int]) -> bool:
    """Partial results are loaded as blocks of parts by one kept axis, so at most one kept axis is tiled."""
    return sum(axis.name in blocks for axis in program.kept_axes) <= 1


def choose_core_count(program: TileProgram, extents: Mapping[str, int], soc: SocTable) -> int:
    """How many cores to start: each costs launch time, so small work is left to few.

    Launch cost grows linearly with the cores, work shrinks with them; the sum is least at the root of their ratio.
    """
    per_core_us = (soc.launch_vector_us - soc.launch_one_core_us) / (soc.vector_cores - 1)
    ideal = math.sqrt(_estimate_core_us(program, extents, soc) / per_core_us)
    return max(1, min(soc.vector_cores, round(ideal)))


def _estimate_core_us(program: TileProgram, extents: Mapping[str, int], soc: SocTable) -> float:
    """Time of one core alone: moving all tensors once and computing all steps, as if nothing overlapped."""
    moved = sum(
        ITEM_BYTES[load.dtype] * _count_elements(program.axes_of[load.name], extents)
        for load in program.loads
        if not load.is_host_scalar
    )
    moved += sum(
        ITEM_BYTES[store.dtype] * _count_elements(store.axes, extents) for store in program.stores
    )
    repeats = sum(
        _count_elements(program.axes_of[step.name], extents) * 4 / soc.vector_repeat_bytes
        for step in program.steps
    )
    cycles = moved / CORE_BYTES_PER_CYCLE + repeats * STEP_CYCLES_PER_REPEAT
    return cycles / soc.clock_mhz


def _count_elements(axes: Iterable[str], extents: Mapping[str, int]) -> int:
    return math.prod(extents[name] for name in axes)
