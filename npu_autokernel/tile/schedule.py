"""Schedule: how a TileProgram is cut into tiles. Frozen, with named fields; moves turn one legal schedule into another.

`start.start_schedule` picks the first one. Moves are what the agent searches over, and what memory items name.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Literal

from npu_autokernel.machine.soc import SocTable
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.tiling import (
    MIN_COLUMNS,
    may_split,
)
from npu_autokernel.tile.ub_budget import estimate_ub_bytes

Reduction = Literal["none", "whole", "looped", "split"]
ScheduleField = str | int | bool | None

DEFAULT_PARTS = 16
MAX_TILE_ELEMENTS = 1 << 20


@dataclass(frozen=True)
class Schedule:
    """Tile sizes in elements, the two tiled axes, how reduced axes are covered, and double buffering.

    `whole`: each reduced axis lies in one tile (its block is at least its extent). `looped`: reduced axes are
    walked in chunks, once per phase. `split`: so too, but `parts` programs share the chunks of `split_axis`, and
    there is one launch per phase. `programs` bounds the programs of a launch below the number of cores.
    """

    column_axis: str
    columns: int
    row_axis: str | None
    rows: int
    reduction: Reduction
    multi_buffer: bool = True
    split_axis: str | None = None
    parts: int = 1
    programs: int | None = None

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


def needed_ub_bytes(program: TileProgram, schedule: Schedule) -> int:
    """The estimate of UB for the schedule's tiles, in bytes."""
    is_chunked = schedule.reduction in ("looped", "split")
    return estimate_ub_bytes(program, schedule.blocks, schedule.multi_buffer, is_chunked)


def fits_ub(program: TileProgram, schedule: Schedule, soc: SocTable) -> bool:
    """Whether the estimate of the schedule's tiles stays within UB."""
    needed = needed_ub_bytes(program, schedule)
    return needed <= soc.ub_bytes and schedule.rows * schedule.columns <= MAX_TILE_ELEMENTS


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
    if schedule.programs is not None:
        moves.append(_make_move("use_all_cores", schedule, programs=None))
        moves.append(_make_move("double_programs", schedule, programs=schedule.programs * 2))
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
