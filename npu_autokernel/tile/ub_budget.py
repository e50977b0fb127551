"""How much UB a program needs under a schedule: known before anything is compiled.

Counted in bytes for one tile: buffers of loads and stores (twice with double buffering), the largest set of
values alive at once, and the scratch of the primitives' expansions. The compiler reuses dead buffers, so this is
an upper estimate that compiled kernels of all families stay below; a rare overflow is repaired by the agent.
"""

from __future__ import annotations

from collections.abc import Mapping

from npu_autokernel.tile.dtypes import ITEM_BYTES, TRITON_TYPES
from npu_autokernel.tile.primitives import PRIMITIVES
from npu_autokernel.tile.program import Reduce, Step, TileProgram

BLOCK_BYTES = 32


def estimate_ub_bytes(
    program: TileProgram, blocks: Mapping[str, int], is_multi_buffered: bool
) -> int:
    """Bytes of UB for tiles of `blocks` (elements per tiled axis; other axes count 1)."""
    copies = 2 if is_multi_buffered else 1
    total = copies * sum(
        tile_bytes(program.axes_of[load.name], blocks, load.dtype)
        for load in program.loads
        if not load.is_host_scalar
    )
    for store in program.stores:
        total += copies * tile_bytes(frozenset(store.axes), blocks, store.dtype)
    return total + _peak_temporaries(program, blocks)


def tile_bytes(axes: frozenset[str], blocks: Mapping[str, int], dtype: str) -> int:
    """Bytes of one tile that varies over `axes`; rows are padded to 32 bytes."""
    sizes = [size for name, size in blocks.items() if name in axes]
    item = ITEM_BYTES[dtype]
    if not sizes:
        return BLOCK_BYTES
    row = -(-sizes[-1] * item // BLOCK_BYTES) * BLOCK_BYTES
    for size in sizes[:-1]:
        row *= size
    return row


def _peak_temporaries(program: TileProgram, blocks: Mapping[str, int]) -> int:
    last_use = _last_uses(program)
    dtypes = {step.name: step.dtype for step in program.steps}
    alive: dict[str, int] = {
        load.name: tile_bytes(program.axes_of[load.name], blocks, "float32")
        for load in program.loads
        if load.dtype in ("float16", "bfloat16")
    }
    peak = sum(alive.values())
    for position, step in enumerate(program.steps):
        size = tile_bytes(program.axes_of[step.name], blocks, _unit_dtype(dtypes[step.name]))
        alive[step.name] = size
        peak = max(peak, sum(alive.values()) + _scratch_bytes(program, step, blocks))
        for name in [name for name in alive if last_use.get(name, -1) <= position]:
            del alive[name]
    return peak


def _unit_dtype(dtype: str) -> str:
    return dtype if dtype in TRITON_TYPES and dtype != "bool" else "int8"


def _last_uses(program: TileProgram) -> dict[str, int]:
    result: dict[str, int] = {}
    for position, step in enumerate(program.steps):
        operands = (step.operand,) if isinstance(step, Reduce) else step.operands
        for operand in operands:
            if isinstance(operand, str):
                result[operand] = position
    for store in program.stores:
        if isinstance(store.value, str):
            result[store.value] = len(program.steps)
    return result


def _scratch_bytes(program: TileProgram, step: Step, blocks: Mapping[str, int]) -> int:
    if isinstance(step, Reduce):
        return tile_bytes(program.axes_of[step.operand], blocks, "float32") // 2
    tiles = PRIMITIVES[step.op].scratch_tiles if step.op in PRIMITIVES else 0.0
    return int(tiles * tile_bytes(program.axes_of[step.name], blocks, "float32"))
