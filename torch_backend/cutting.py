"""From a group of nodes to pieces that one kernel can hold, each with its task and key.

The fusion oracle is cheap and may be too hopeful. Where the whole group has no task, or no
drafter can write it, the longest front that a kernel can hold is cut off, then the rest in the
same way; a single op that no kernel can hold is a piece without a task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch.fx import Node

from npu_autokernel.graph.key import ProofKey
from npu_autokernel.graph.region import RegionTask, read_region
from npu_autokernel.reasons import Refusal
from npu_autokernel.torch_backend.eager_reasons import is_getitem
from npu_autokernel.torch_backend.notice import refuse_error
from npu_autokernel.torch_backend.region import Region, make_region
from npu_autokernel.torch_backend.session import Session

Unit = tuple[Node, ...]


@dataclass(frozen=True)
class Piece:
    """A region with its task and proof key, or why it has no task."""

    region: Region
    task: RegionTask | Refusal
    key: ProofKey | None = None


def cut_group(session: Session, group: Sequence[Node]) -> list[Piece]:
    """The pieces of `group`, in order; none where nobody reads its results."""
    region = make_region(group)
    if not region.outputs:
        return []
    try:
        return _cut(session, _list_units(group))
    except Exception as error:
        return [Piece(region, refuse_error(error))]


def _cut(session: Session, units: list[Unit]) -> list[Piece]:
    pieces: list[Piece] = []
    while units:
        piece, count = _find_longest(session, units)
        pieces.append(piece)
        units = units[count:]
    return pieces


def _find_longest(session: Session, units: list[Unit]) -> tuple[Piece, int]:
    """The longest piece from the front that a kernel can hold; else the first unit alone."""
    whole = _inspect(session, units)
    if len(units) == 1 or not isinstance(whole.task, Refusal):
        return whole, len(units)
    best, longest, shortest_bad = _inspect(session, units[:1]), 1, len(units)
    while shortest_bad - longest > 1:
        middle = (longest + shortest_bad) // 2
        piece = _inspect(session, units[:middle])
        if isinstance(piece.task, Refusal):
            shortest_bad = middle
        else:
            best, longest = piece, middle
    return best, longest


def _inspect(session: Session, units: list[Unit]) -> Piece:
    """The piece of `units`; the drafter is asked only where the store has no kernel."""
    region = make_region([node for unit in units for node in unit])
    built = read_region(region.module)
    if isinstance(built, Refusal):
        return Piece(region, built)
    key = session.make_key(built.task)
    if session.load_kernels(key.digest):
        return Piece(region, built, key)
    return Piece(region, session.check_draft(built.task, key) or built, key)


def _list_units(group: Sequence[Node]) -> list[Unit]:
    """An op with the selections of its results, which follow it, is one unit."""
    units: list[Unit] = []
    for node in group:
        if is_getitem(node):
            units[-1] = (*units[-1], node)
        else:
            units.append((node,))
    return units
