"""Schedule: how a TileProgram is cut into tiles. Frozen, with named fields; moves turn one legal schedule into another.

`start_schedule` picks by arithmetic: the column axis is the one that memory is contiguous along, tiles are about
32 KiB, there is one for each core that the work is worth, and everything fits UB. A reduced axis is held whole in one
tile where that fits (one pass over memory), else looped over (one pass per phase).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

from npu_autokernel.machine.soc import SocTable
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import evaluate_size
from npu_autokernel.tile.program import TileProgram
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
from npu_autokernel.tile.ub_budget import estimate_ub_bytes

Reduction = Literal["none", "whole", "looped", "split"]
ScheduleField = str | int | bool | None

TILE_BYTES = 32 << 10
# Chunks are gathered in blocks of their own.
LOOPED_TILE_BYTES = 16 << 10
LOOPED_COLUMNS = 4096
LOOPED_KEPT_COLUMNS = 512
PARTIAL_TILE_BYTES = 32 << 10
DEFAULT_PARTS = 16
MAX_TILE_ELEMENTS = 1 << 20


@dataclass(frozen=True)
class Schedule:
    """Tile sizes in elements, the two tiled axes, how reduced axes are covered, and double buffering.

    `whole`: each reduced axis lies in one tile (its block is at least its extent). `looped`: reduced axes are
    walked in chunks, once per phase. `split`: so too, but `parts` programs share the chunks of `split_axis`, and
    there is one launch per phase.
    """

    column_axis: str
    columns: int
    row_axis: str | None
    rows: int
    reduction: Reduction
    multi_buffer: bool = True
    split_axis: str | None = None
    parts: int = 1

    @property
    def blocks(self) -> dict[str, int]:
        """Elements per tiled axis, rows before columns."""
        rows = {self.row_axis: self.rows} if self.row_axis is not None else {}
        return {**rows, self.column_axis: self.columns}

    def to_pairs(self) -> tuple[tuple[str, str | int | bool], ...]:
        """Sorted (name, value) pairs, as a Candidate keeps them; no row axis is an empty text."""
        pairs = {name: "" if value is None else value for name, value in asdict(self).items()}
        return tuple(sorted(pairs.items()))


@dataclass(frozen=True)
class Move:
    """A named, reversible change of a schedule: fields with their new values, and the old ones to undo it."""

    name: str
    changes: tuple[tuple[str, ScheduleField], ...]
    undo: tuple[tuple[str, ScheduleField], ...]

    def inverse(self) -> Move:
        return Move(f"undo_{self.name}", self.undo, self.changes)


def start_schedule(
    program: TileProgram, symbols: Mapping[str, int], soc: SocTable
) -> Schedule | Refusal:
    """A good first schedule for the extents given by `symbols`; refuses where no tile fits UB."""
    extents = {axis.name: evaluate_size(axis.extent, symbols) for axis in program.axes}
    if not extents:
        return Schedule("", 1, None, 1, "none")
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


def needed_ub_bytes(program: TileProgram, schedule: Schedule) -> int:
    """The estimate of UB for the schedule's tiles, in bytes."""
    is_chunked = schedule.reduction in ("looped", "split")
    return estimate_ub_bytes(program, schedule.blocks, schedule.multi_buffer, is_chunked)


def fits_ub(program: TileProgram, schedule: Schedule, soc: SocTable) -> bool:
    """Whether the estimate of the schedule's tiles stays within UB."""
    needed = needed_ub_bytes(program, schedule)
    return needed <= soc.ub_bytes and schedule.rows * schedule.columns <= MAX_TILE_ELEMENTS


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


def list_moves(program: TileProgram, schedule: Schedule) -> tuple[Move, ...]:
    """The moves that lead from `schedule` to another legal form; whether its tiles fit UB is not asked here."""
    moves = [
        *_list_size_moves(program, schedule, "columns", schedule.column_axis, MIN_COLUMNS),
        *_list_size_moves(program, schedule, "rows", schedule.row_axis, 1),
        _make_move(
            "disable_multi_buffer" if schedule.multi_buffer else "enable_multi_buffer",
            schedule,
            multi_buffer=not schedule.multi_buffer,
        ),
    ]
    moves += _list_reduction_moves(program, schedule)
    if schedule.row_axis is not None:
        swapped: dict[str, ScheduleField] = {
            "column_axis": schedule.row_axis,
            "row_axis": schedule.column_axis,
            "columns": max(schedule.rows, MIN_COLUMNS),
            "rows": schedule.columns,
        }
        moves.append(_make_move("swap_axes", schedule, **swapped))
    return tuple(moves)


def _list_reduction_moves(program: TileProgram, schedule: Schedule) -> list[Move]:
    """Other ways to cover the reduced axes, and more or fewer parts."""
    moves = []
    reduced = [axis.name for axis in program.reduced_axes]
    if schedule.reduction == "whole":
        moves.append(_make_move("loop_reduction", schedule, reduction="looped"))
    if schedule.reduction == "looped" and set(reduced) <= set(schedule.blocks):
        moves.append(_make_move("whole_reduction", schedule, reduction="whole"))
    if schedule.reduction == "looped" and may_split(program, schedule.blocks):
        changes: dict[str, ScheduleField] = {
            "reduction": "split",
            "split_axis": reduced[0],
            "parts": DEFAULT_PARTS,
        }
        moves.append(_make_move("split_reduction", schedule, **changes))
    if schedule.reduction == "split":
        changes = {"reduction": "looped", "split_axis": None, "parts": 1}
        moves.append(_make_move("join_reduction", schedule, **changes))
        moves.append(_make_move("double_parts", schedule, parts=schedule.parts * 2))
        if schedule.parts >= 4:
            moves.append(_make_move("halve_parts", schedule, parts=schedule.parts // 2))
    return moves


def _list_size_moves(
    program: TileProgram, schedule: Schedule, field: str, axis: str | None, least: int
) -> list[Move]:
    if axis is None or not program.axes:
        return []
    block: int = getattr(schedule, field)
    moves = []
    is_whole = program.find_axis(axis).is_reduced and schedule.reduction == "whole"
    if not is_whole and block // 2 >= least:
        moves.append(_make_move(f"halve_{field}", schedule, **{field: block // 2}))
    if schedule.rows * schedule.columns * 2 <= MAX_TILE_ELEMENTS:
        moves.append(_make_move(f"double_{field}", schedule, **{field: block * 2}))
    return moves


def _make_move(name: str, schedule: Schedule, **changes: ScheduleField) -> Move:
    undo = {field: getattr(schedule, field) for field in changes}
    return Move(name, tuple(sorted(changes.items())), tuple(sorted(undo.items())))


def apply_move(schedule: Schedule, move: Move) -> Schedule:
    """The schedule after `move`; `apply_move(apply_move(s, m), m.inverse()) == s` for a move listed for `s`."""
    return replace(schedule, **dict(move.changes))  # type: ignore[arg-type]
