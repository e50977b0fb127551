"""What is wrong with parameters that are each right by themselves: a line, or '' for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_autokernel.machine.calibration.kind_params import MOST_BLOCKS
from npu_autokernel.machine.calibration.streams_vector import ELEMENT_BYTES
from npu_autokernel.machine.soc import SocTable


def check_tile(params: Mapping[str, Any], soc: SocTable) -> str:
    tile_bytes = params["tile"] * ELEMENT_BYTES[params["dtype"]]
    return _exceeds("a tile", tile_bytes, "UB", soc.ub_bytes)


def check_blocks(params: Mapping[str, Any], soc: SocTable) -> str:
    block = params["base_m"] * params["base_n"] * 4
    depth = min(params["k_step"], params["k"]) * ELEMENT_BYTES[params["dtype"]]
    operands = (params["base_m"] + params["base_n"]) * depth
    blocks = -(-params["m"] // (params["core_m"] or params["m"]))
    blocks *= -(-params["n"] // (params["core_n"] or params["n"]))
    if blocks > MOST_BLOCKS:
        return f"core_m x core_n cuts the result into {blocks} blocks; {MOST_BLOCKS} at most"
    return _exceeds("base_m x base_n", block, "L0C", soc.l0c_bytes) or _exceeds(
        "the operands of one k_step", operands, "L1", soc.l1_bytes
    )


def check_copy(params: Mapping[str, Any], soc: SocTable) -> str:
    if params["order"] == "own" and params["row_bytes"] % params["slices"]:
        return f"row_bytes {params['row_bytes']} is not a multiple of slices {params['slices']}"
    if params["order"] != "own" and params["slices"] > 1:
        return "slices need order own"
    tile_bytes = params["tile_rows"] * min(params["tile_bytes"], params["row_bytes"])
    to_l1 = params["path"] in ("l1", "nd2nz")
    name, room = ("L1", soc.l1_bytes) if to_l1 else ("UB", soc.ub_bytes)
    return _exceeds("a tile", tile_bytes, name, room)


def check_attention(params: Mapping[str, Any], soc: SocTable) -> str:
    scores = params["base_m"] * params["base_n"] * 4
    blocks = params["heads"] * -(-params["rows"] // params["base_m"])
    if params["causal"] and blocks > 16 * MOST_BLOCKS:
        return f"{blocks} blocks of query rows; {16 * MOST_BLOCKS} at most for causal ones"
    return _exceeds("base_m x base_n", scores, "L0C", soc.l0c_bytes)


def check_transpose(params: Mapping[str, Any], soc: SocTable) -> str:
    tile = params["tile_rows"] * params["tile_columns"] * ELEMENT_BYTES[params["dtype"]]
    tiles = -(-params["rows"] // params["tile_rows"])
    tiles *= -(-params["columns"] // params["tile_columns"])
    if tiles > 1 << 20:
        return f"the matrix has {tiles} tiles; {1 << 20} at most"
    return _exceeds("a tile", tile, "UB", soc.ub_bytes)


def _exceeds(what: str, size_bytes: int, memory: str, room_bytes: int) -> str:
    if size_bytes <= room_bytes:
        return ""
    return f"{what} takes {size_bytes} bytes, {memory} has {room_bytes}"
