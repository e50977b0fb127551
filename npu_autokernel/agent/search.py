"""Which schedule moves to try first: those that act on what limits the kernel. One table.

The search is a hill-climb: from the fastest schedule so far, the first move that was not tried yet. A faster
candidate becomes the place to go on from; when no move is left untried the search is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from npu_autokernel.measurement import Measurement
from npu_autokernel.tile.schedule import Move

# Bottleneck class -> moves by name, most promising first. Others follow in the drafter's order.
PREFERRED_MOVES: Mapping[str, tuple[str, ...]] = {
    "bandwidth": ("double_columns", "enable_multi_buffer", "double_rows", "whole_reduction"),
    "vector": ("double_columns", "double_rows", "enable_multi_buffer"),
    "scalar": ("double_columns", "double_rows", "whole_reduction", "swap_axes"),
    "sync": ("double_rows", "double_columns", "enable_multi_buffer"),
    "imbalance": ("halve_rows", "halve_columns"),
    "launch": ("double_rows", "double_columns"),
    "capacity": ("halve_columns", "halve_rows", "loop_reduction"),
    "cube": ("double_rows", "double_columns"),
}


def order_moves(moves: Sequence[Move], measurement: Measurement | None) -> list[Move]:
    """`moves`, those that the bottleneck asks for first."""
    preferred = PREFERRED_MOVES.get(measurement.bottleneck, ()) if measurement else ()
    ranks = {name: rank for rank, name in enumerate(preferred)}
    return sorted(moves, key=lambda move: ranks.get(move.name, len(ranks)))
