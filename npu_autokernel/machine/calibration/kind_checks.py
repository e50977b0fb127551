"""What is wrong with parameters that are each right by themselves: a line, or '' for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from npu_autokernel.machine.calibration.kind_params import MOST_BLOCKS
from npu_autokernel.machine.calibration.streams_rows import WORKS
from npu_autokernel.machine.calibration.streams_vector import (
    ELEMENT_BYTES,
    FLOAT_TYPES,
    OF_FLOATS,
    OF_INTEGERS,
    ONE_INPUT,
)
from npu_autokernel.machine.soc import SocTable

BLOCK_BYTES = 32  # of a row in UB or L1
FRACTAL_ROWS = 16


def check_operations(names: Iterable[str], dtype: str) -> str:
    is_float = dtype in FLOAT_TYPES
    for name in names:
        if name in (OF_INTEGERS if is_float else OF_FLOATS):
            return f"{name} is not defined for {dtype}"
    return ""


def check_vector_loop(params: Mapping[str, Any], soc: SocTable) -> str:
    name, inputs = params["operation"], params["inputs"]
    needed = 1 if name in ONE_INPUT else 2
    if inputs is not None and len(inputs) != needed:
        return f"inputs has {len(inputs)} addresses; {name} takes {needed}"
    return check_operations([name], params["dtype"])


def check_add(params: Mapping[str, Any], soc: SocTable) -> str:
    if params["adds"] and params["inputs"] < 2:
        return f"an addition reads 2 tensors or more; inputs is {params['inputs']}"
    return check_tile(params, soc)


def check_elementwise(params: Mapping[str, Any], soc: SocTable) -> str:
    return check_operations(params["operations"], params["dtype"]) or check_tile(params, soc)


def check_rows(params: Mapping[str, Any], soc: SocTable) -> str:
    width, stride = ELEMENT_BYTES[params["dtype"]], params["row_stride"]
    row_bytes = params["columns"] * width
    if stride is not None and (stride < row_bytes or stride % width):
        return f"row_stride cannot be {stride}; a row has {row_bytes} bytes, an element {width}"
    upcasts = params["upcast"] and width == 2
    names = params["operations"] or WORKS[params["work"]]
    return check_operations(names, "float32" if upcasts else params["dtype"])


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
    return _check_stride(params) or _check_copied_tile(params, soc)


def _check_stride(params: Mapping[str, Any]) -> str:
    """A load may read one row again and again; stores would overwrite it unless they add."""
    stride, row_bytes = params["row_stride"], params["row_bytes"]
    if stride >= row_bytes or params["rows"] == 1:
        return ""
    if stride == 0 and (params["path"] != "store" or params["atomic"]):
        return ""
    return f"row_stride {stride} is smaller than row_bytes {row_bytes}: rows would overlap"


def _check_copied_tile(params: Mapping[str, Any], soc: SocTable) -> str:
    """On chip a row takes whole blocks, and fractals take whole rows of them."""
    to_l1 = params["path"] in ("l1", "nd2nz")
    rows = min(params["tile_rows"], params["rows"])
    if params["path"] == "nd2nz":
        rows = -(-rows // FRACTAL_ROWS) * FRACTAL_ROWS
    row_bytes = min(params["tile_bytes"], params["row_bytes"] // params["slices"])
    size_bytes = rows * -(-row_bytes // BLOCK_BYTES) * BLOCK_BYTES
    name, room = ("L1", soc.l1_bytes) if to_l1 else ("UB", soc.ub_bytes)
    return _exceeds("a tile", size_bytes, name, room)


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
