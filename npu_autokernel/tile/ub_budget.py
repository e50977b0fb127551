"""How much UB a program needs under a schedule: known before anything is compiled.

Counted in bytes for one tile: the buffers of loads (twice with double buffering), and the largest set of further
values alive at once with the scratch of the primitives' expansions. A step writes into the buffer of an operand that
dies there, but the compiler keeps values alive longer than that, much longer around selects. The overheads are what
kernels of all families needed when they were compiled with growing tiles until they lost double buffering. An
overflow that remains is repaired by the agent.
"""

from __future__ import annotations

from collections.abc import Mapping

from npu_autokernel.tile.dtypes import ITEM_BYTES
from npu_autokernel.tile.primitives import PRIMITIVES
from npu_autokernel.tile.program import Compute, Reduce, Step, TileProgram

BLOCK_BYTES = 32
# Indices and masks of the tile, constants, one-element blocks.
RESERVED_BYTES = 4 << 10
VALUE_OVERHEAD = 1.2
SELECT_OVERHEAD = 1.9


def estimate_ub_bytes(
    program: TileProgram, blocks: Mapping[str, int], is_multi_buffered: bool, is_chunked: bool
) -> int:
    """Bytes of UB for tiles of `blocks` (elements per tiled axis; other axes count 1).

    With `is_chunked` reductions gather chunks in blocks of their own.
    """
    copies = 2 if is_multi_buffered else 1
    loads = sum(
        copies * tile_bytes(program.axes_of[load.name], blocks, load.dtype)
        for load in program.loads
        if not load.is_host_scalar
    )
    chunks = _chunk_bytes(program, blocks) if is_chunked else 0
    has_selects = any(isinstance(step, Compute) and step.op == "where" for step in program.steps)
    overhead = SELECT_OVERHEAD if has_selects else VALUE_OVERHEAD
    return loads + chunks + int(overhead * _peak_values(program, blocks)) + RESERVED_BYTES


def _chunk_bytes(program: TileProgram, blocks: Mapping[str, int]) -> int:
    """The blocks in which the reductions of one phase gather their chunks, for the worst phase."""
    by_phase: dict[int, int] = {}
    reduced = frozenset(axis.name for axis in program.reduced_axes)
    for step in program.reductions:
        phase = program.phase_of[step.operand]
        size = tile_bytes(program.axes_of[step.operand] | reduced, blocks, step.dtype)
        by_phase[phase] = by_phase.get(phase, 0) + size
    return max(by_phase.values(), default=0)


def tile_bytes(axes: frozenset[str], blocks: Mapping[str, int], dtype: str) -> int:
    """Bytes of one tile that varies over `axes`; rows are padded to 32 bytes."""
    sizes = [size for name, size in blocks.items() if name in axes]
    if not sizes:
        return BLOCK_BYTES
    row = -(-sizes[-1] * ITEM_BYTES[dtype] // BLOCK_BYTES) * BLOCK_BYTES
    for size in sizes[:-1]:
        row *= size
    return row


def _peak_values(program: TileProgram, blocks: Mapping[str, int]) -> int:
    """The most bytes that values other than float32 loads hold at once; buffers of dying loads are used again."""
    last_use = _find_last_uses(program)
    buffers = {
        load.name: tile_bytes(program.axes_of[load.name], blocks, load.dtype)
        for load in program.loads
        if not load.is_host_scalar
    }
    alive = _converted_loads(program, blocks)
    buffers.update(alive)
    peak = sum(alive.values())
    for position, step in enumerate(program.steps):
        size = tile_bytes(program.axes_of[step.name], blocks, step.dtype)
        dying = [name for name in _operands(step) if last_use.get(name) == position]
        reused = next((name for name in dying if buffers.get(name) == size), None)
        buffers[step.name] = size
        alive[step.name] = 0 if reused is not None and reused not in alive else size
        held = sum(alive.values()) - (alive.get(reused, 0) if reused else 0)
        peak = max(peak, held + _scratch_bytes(program, step, blocks))
        for name in dying:
            alive.pop(name, None)
    return peak


def _converted_loads(program: TileProgram, blocks: Mapping[str, int]) -> dict[str, int]:
    """16-bit floats are held once more, in float32; bools pass through float16 and float32 on their way to a mask."""
    return {
        load.name: tile_bytes(program.axes_of[load.name], blocks, "float32")
        for load in program.loads
        if load.dtype in ("float16", "bfloat16", "bool") and not load.is_host_scalar
    }


def _operands(step: Step) -> list[str]:
    if isinstance(step, Reduce):
        return [step.operand]
    return [operand for operand in step.operands if isinstance(operand, str)]


def _find_last_uses(program: TileProgram) -> dict[str, int]:
    result: dict[str, int] = {}
    for position, step in enumerate(program.steps):
        result.update((operand, position) for operand in _operands(step))
    for store in program.stores:
        if isinstance(store.value, str):
            result[store.value] = len(program.steps)
    return result


def _scratch_bytes(program: TileProgram, step: Step, blocks: Mapping[str, int]) -> int:
    if isinstance(step, Reduce):
        return tile_bytes(program.axes_of[step.operand], blocks, "float32") // 2
    tiles = PRIMITIVES[step.op].scratch_tiles if step.op in PRIMITIVES else 0.0
    return int(tiles * tile_bytes(program.axes_of[step.name], blocks, "float32"))
