"""The first schedule of a program, by arithmetic alone.

The column axis is the one that memory is contiguous along, tiles are about 32 KiB, there is one for each core that
the work is worth, and everything fits UB. A reduced axis is held whole in one tile where that fits (one pass over
memory), else looped over (one pass per phase), and shared by cores where the kept axes leave some idle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from npu_autokernel.machine.soc import SocTable
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import evaluate_size
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule, fits_ub, needed_ub_bytes
from npu_autokernel.tile.tiling import (
    MIN_COLUMNS,
    choose_column_axis,
    choose_core_count,
    choose_row_axis,
    count_chunks,
    count_tiles,
    fit_block,
    fit_rows,
    is_transposing,
    may_split,
)

TILE_BYTES = 32 << 10
# Chunks are gathered in blocks of their own.
LOOPED_TILE_BYTES = 16 << 10
LOOPED_COLUMNS = 4096
LOOPED_KEPT_COLUMNS = 512
PARTIAL_TILE_BYTES = 32 << 10


def start_schedule(
    program: TileProgram, symbols: Mapping[str, int], soc: SocTable
) -> Schedule | Refusal:
    """A good first schedule for the extents given by `symbols`; refuses where no tile fits UB."""
    extents = {axis.name: evaluate_size(axis.extent, symbols) for axis in program.axes}
    if not extents:
        return Schedule("", 1, None, 1, "none")
    schedule = _choose_tiles(program, extents, soc)
    cores = choose_core_count(program, extents, soc)
    if isinstance(schedule, Refusal) or cores >= soc.vector_cores:
        return schedule
    return replace(schedule, programs=cores)


def _choose_tiles(
    program: TileProgram, extents: Mapping[str, int], soc: SocTable
) -> Schedule | Refusal:
    column_axis = choose_column_axis(program, extents)
    row_axis = choose_row_axis(program, column_axis)
    if program.reduced_axes:
        whole = _start_whole(program, extents, column_axis, row_axis, soc)
        if whole is not None:
            return whole
        return _start_looped(program, extents, column_axis, row_axis, soc)
    schedule = Schedule(column_axis, MIN_COLUMNS, row_axis, 1, "none")
    if row_axis is not None and is_transposing(program, column_axis, row_axis):
        return _start_square(program, schedule, soc)
    return _grow(program, extents, schedule, soc)


def _start_square(program: TileProgram, schedule: Schedule, soc: SocTable) -> Schedule:
    """Square tiles: the chip transposes them by blocks, other forms element by element."""
    for size in (64, 32):
        square = replace(schedule, rows=size, columns=size)
        if fits_ub(program, square, soc):
            return square
    return replace(schedule, rows=MIN_COLUMNS, columns=MIN_COLUMNS)


def _start_whole(
    program: TileProgram,
    extents: Mapping[str, int],
    column_axis: str,
    row_axis: str | None,
    soc: SocTable,
) -> Schedule | None:
    """Reduced axes whole in the tile, if they are all tiled and fit; kept tiled axes grow to fill it."""
    reduced = {axis.name for axis in program.reduced_axes}
    if not reduced <= {column_axis, row_axis}:
        return None
    columns = fit_block(extents[column_axis]) if column_axis in reduced else MIN_COLUMNS
    rows = fit_rows(extents[row_axis]) if row_axis in reduced and row_axis is not None else 1
    schedule = Schedule(column_axis, columns, row_axis, rows, "whole")
    if not fits_ub(program, schedule, soc):
        schedule = replace(schedule, multi_buffer=False)
    if not fits_ub(program, schedule, soc):
        return None
    grown = _grow(program, extents, schedule, soc)
    return grown if isinstance(grown, Schedule) else None


def _start_looped(
    program: TileProgram,
    extents: Mapping[str, int],
    column_axis: str,
    row_axis: str | None,
    soc: SocTable,
) -> Schedule | Refusal:
    is_reduced = program.find_axis(column_axis).is_reduced
    widest = LOOPED_COLUMNS if is_reduced else LOOPED_KEPT_COLUMNS
    columns = min(fit_block(extents[column_axis]), widest)
    schedule = Schedule(column_axis, columns, row_axis, 1, "looped")
    while schedule.columns > MIN_COLUMNS and not fits_ub(program, schedule, soc):
        schedule = replace(schedule, columns=fit_block(schedule.columns // 2))
    grown = _grow(program, extents, schedule, soc)
    return _split(program, extents, grown, soc) if isinstance(grown, Schedule) else grown


def _split(
    program: TileProgram, extents: Mapping[str, int], schedule: Schedule, soc: SocTable
) -> Schedule:
    """Share the reduced axis with the most chunks among the cores that the kept axes leave idle."""
    chunks = count_chunks(program, extents, schedule.blocks)
    axis = max(chunks, key=lambda name: chunks[name])
    kept = [schedule.blocks.get(axis.name, 1) for axis in program.kept_axes]
    parts = min(
        choose_core_count(program, extents, soc) // count_tiles(program, extents, schedule.blocks),
        chunks[axis],
        PARTIAL_TILE_BYTES // (4 * max(kept, default=1)),
    )
    if parts < 2 or not may_split(program, schedule.blocks):
        return schedule
    return replace(schedule, reduction="split", split_axis=axis, parts=parts)


def _grow(
    program: TileProgram, extents: Mapping[str, int], schedule: Schedule, soc: SocTable
) -> Schedule | Refusal:
    """Double columns, then rows, while tiles stay below 32 KiB, fit UB and leave work for every core."""
    if not fits_ub(program, schedule, soc):
        needed = needed_ub_bytes(program, schedule)
        detail = f"{needed} of {soc.ub_bytes} bytes of UB"
        return refuse("draft.no_schedule", detail=detail)
    for field in ("columns", "rows"):
        while (larger := _double(program, extents, schedule, field)) is not None:
            if not _is_worth_growing(program, extents, larger, field, soc):
                break
            schedule = larger
    return schedule


def _double(
    program: TileProgram, extents: Mapping[str, int], schedule: Schedule, field: str
) -> Schedule | None:
    axis = schedule.column_axis if field == "columns" else schedule.row_axis
    if axis is None:
        return None
    block = schedule.columns if field == "columns" else schedule.rows
    is_whole = program.find_axis(axis).is_reduced and schedule.reduction == "whole"
    if is_whole or block >= extents[axis]:
        return None
    if field == "columns":
        widest = fit_block(extents[axis])
        if schedule.reduction == "looped" and not program.find_axis(axis).is_reduced:
            widest = min(widest, LOOPED_KEPT_COLUMNS)
        return replace(schedule, columns=min(block * 2, widest)) if block < widest else None
    return replace(schedule, rows=block * 2)


def _is_worth_growing(
    program: TileProgram, extents: Mapping[str, int], larger: Schedule, field: str, soc: SocTable
) -> bool:
    limit = LOOPED_TILE_BYTES if larger.reduction == "looped" else TILE_BYTES
    if larger.rows * larger.columns * 4 > limit or not fits_ub(program, larger, soc):
        return False
    axis = larger.column_axis if field == "columns" else larger.row_axis
    if axis is not None and program.find_axis(axis).is_reduced:
        return True
    cores = choose_core_count(program, extents, soc)
    return count_tiles(program, extents, larger.blocks) >= cores
