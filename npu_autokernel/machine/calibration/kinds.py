"""The kinds of kernels that a calibration case can be: builder, cores and parameters of each.

`python -m benchmarks.calibration --kinds` prints this table. A kind's builder turns parameters into
one list of streams per block; what a builder reads is listed here with unit, range and default, and
nothing else is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from npu_autokernel.machine.calibration.params import Param, choice, count, flag, names
from npu_autokernel.machine.calibration.streams_copy import PATHS, build_copy
from npu_autokernel.machine.calibration.streams_fused import (
    DEQUANT_GELU,
    build_flash_attention,
    build_matmul_then_vector,
)
from npu_autokernel.machine.calibration.streams_matmul import build_matmul
from npu_autokernel.machine.calibration.streams_probe import (
    CUBE_OPERATIONS,
    build_cube_loop,
    build_empty,
    build_handshake,
    build_scalar_loop,
)
from npu_autokernel.machine.calibration.streams_rows import (
    ROW_OPERATIONS,
    WORKS,
    build_rows,
    build_transpose,
)
from npu_autokernel.machine.calibration.streams_vector import (
    CONFLICTS,
    ELEMENT_BYTES,
    OPERATIONS,
    SCALAR_OPS_PER_TILE,
    Blocks,
    build_add,
    build_block_copy,
    build_elementwise,
    build_vector_loop,
)
from npu_autokernel.machine.soc import CoreUse, SocTable

VECTOR_TYPES = ("float32", "float16", "bfloat16", "int8", "int16", "int32", "int64")
CUBE_TYPES = ("float16", "bfloat16", "int8", "float32", "hfloat32")
MOST_BLOCKS = 4096
MOST_BYTES = 1 << 40

Builder = Callable[[Mapping[str, Any]], Blocks]
UseOf = Callable[[Mapping[str, Any]], CoreUse]


@dataclass(frozen=True)
class Kind:
    """`check` returns what is wrong with parameters that are each right by themselves, or ''."""

    name: str
    summary: str
    builder: Builder
    use: UseOf
    own_params: tuple[Param, ...]
    check: Callable[[Mapping[str, Any], SocTable], str] = field(default=lambda params, soc: "")

    @property
    def params(self) -> tuple[Param, ...]:
        return (*self.own_params, *L2_PARAMS)


L2_PARAMS = (
    flag("bypass_l2", "loads go past L2: they neither find nor leave data there"),
    flag("bypass_l2_stores", "stores go past L2, straight to HBM"),
)
CORES = count("cores", "cores; more than the chip has run one after the other", highest=MOST_BLOCKS)
ALL_CORES = count(
    "cores", "cube cores", default=None, highest=MOST_BLOCKS, derived="all cube cores of the chip"
)
DTYPE = choice("dtype", "type of the elements", VECTOR_TYPES)
CUBE_DTYPE = choice("dtype", "type of the operands; hfloat32: rounded on their way", CUBE_TYPES)
CONFLICT = choice(
    "conflict",
    "banks of UB that meet: none, the inputs (reads), the result with an input (write), both",
    tuple(CONFLICTS),
    default="reads",
)
BUFFERS = count("buffers", "tiles in flight", default=2, highest=8)
IMBALANCE = Param(
    "imbalance", "number", "share of the first core over the mean", "", 1.0, 1.0, float(MOST_BLOCKS)
)
SCALAR_START = Param(
    "scalar_start_us", "number", "set-up by the scalar pipe before the first tile", "us", 0.0, 0.0, 1e6
)  # fmt: skip
BARRIERS = flag("barriers", "a barrier of the vector pipe after each operation")
OFFSET = count(
    "offset_bytes", "address of the first element within its line", "bytes", default=0, lowest=0,
    highest=511,
)  # fmt: skip
OUT_BYTES = count("out_bytes", "width of a result", "bytes", default=2, highest=4)

ELEMENTWISE = (
    DTYPE,
    count("elements", "elements of the whole tensor", "elements"),
    CORES,
    count("tile", "elements moved and worked on at once", "elements"),
    BUFFERS,
    CONFLICT,
    count("inputs", "tensors read", default=2, lowest=0, highest=8),
    count("outputs", "tensors written", default=1, lowest=0, highest=8),
    count("passes", "times the whole is gone through", default=1, highest=1 << 20),
    IMBALANCE,
    OFFSET,
    flag("scalar", "work by the scalar pipe, element by element, in place of the operations"),
    flag("atomic", "results are added to what is there"),
    BARRIERS,
    SCALAR_START,
    count("scalar_ops_per_tile", "address arithmetic of the scalar pipe", "operations",
          default=SCALAR_OPS_PER_TILE, lowest=0),
)  # fmt: skip

MATMUL_SHAPE = (
    count("m", "rows of the result", "elements", highest=1 << 24),
    count("k", "elements of each sum", "elements", highest=1 << 24),
    count("n", "columns of the result", "elements", highest=1 << 24),
    CUBE_DTYPE,
    ALL_CORES,
    count("core_m", "rows that a core owns", "elements", default=None, derived="an even grid"),
    count("core_n", "columns that a core owns", "elements", default=None, derived="an even grid"),
    count("base_m", "rows accumulated at once", "elements", default=128, highest=4096),
    count("base_n", "columns accumulated at once", "elements", default=256, highest=4096),
    count("base_k", "depth of one multiplication", "elements", default=64, highest=1 << 16),
    count("k_step", "depth of one load into L1", "elements", default=256, highest=1 << 20),
    count("l1_buffers", "operand tiles of L1 in flight", default=2, highest=8),
    flag("a_transposed", "A is stored k by m"),
    flag("b_transposed", "B is stored n by k"),
    flag("b_fractals", "B is stored as fractals (NZ)"),
    OUT_BYTES,
)
MATMUL = (
    *MATMUL_SHAPE,
    flag("unit_flag", "the write-out follows the last multiplication fractal by fractal"),
    count("l2_rounds", "rounds over parts of m, so that what a round reads fits L2", default=1),
    SCALAR_START,
)


def _check_tile(params: Mapping[str, Any], soc: SocTable) -> str:
    tile_bytes = params["tile"] * ELEMENT_BYTES[params["dtype"]]
    return _exceeds("a tile", tile_bytes, "UB", soc.ub_bytes)


def _check_blocks(params: Mapping[str, Any], soc: SocTable) -> str:
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


def _check_copy(params: Mapping[str, Any], soc: SocTable) -> str:
    if params["order"] == "own" and params["row_bytes"] % params["slices"]:
        return f"row_bytes {params['row_bytes']} is not a multiple of slices {params['slices']}"
    if params["order"] != "own" and params["slices"] > 1:
        return "slices need order own"
    tile_bytes = params["tile_rows"] * min(params["tile_bytes"], params["row_bytes"])
    to_l1 = params["path"] in ("l1", "nd2nz")
    name, room = ("L1", soc.l1_bytes) if to_l1 else ("UB", soc.ub_bytes)
    return _exceeds("a tile", tile_bytes, name, room)


def _check_attention(params: Mapping[str, Any], soc: SocTable) -> str:
    scores = params["base_m"] * params["base_n"] * 4
    blocks = params["heads"] * -(-params["rows"] // params["base_m"])
    if params["causal"] and blocks > 16 * MOST_BLOCKS:
        return f"{blocks} blocks of query rows; {16 * MOST_BLOCKS} at most for causal ones"
    return _exceeds("base_m x base_n", scores, "L0C", soc.l0c_bytes)


def _check_transpose(params: Mapping[str, Any], soc: SocTable) -> str:
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


def _always(use: CoreUse) -> UseOf:
    return lambda params: use


def _use_of_copy(params: Mapping[str, Any]) -> CoreUse:
    return "cube" if params["path"] in ("l1", "nd2nz") else "vector"


def _list_kinds() -> Iterator[Kind]:
    yield Kind(
        "vector_loop", "one vector operation over the same UB addresses, again and again",
        build_vector_loop, _always("vector"),
        (
            choice("operation", "the operation; with an s at its end: by a number", OPERATIONS),
            DTYPE,
            count("elements", "elements of one call", "elements", highest=1 << 17),
            count("calls", "calls", highest=1 << 24),
            CORES.with_default(1),
            CONFLICT.with_default("none"),
            Param("inputs", "integers", "UB addresses of the inputs", "bytes", None, 0, 1 << 18,
                  derived="by `conflict`"),
            count("result", "UB address of the result", "bytes", default=None, lowest=0,
                  highest=1 << 18, derived="by `conflict`"),
            Param("result_dtype", "name", "type of the result", "", None,
                  choices=(*VECTOR_TYPES, "bool"), derived="as the inputs"),
            count("input_block_stride", "distance of an input's blocks; 16: all in one bank group",
                  "blocks of 32 bytes", default=1, lowest=0, highest=65535),
            count("result_block_stride", "distance of the result's blocks", "blocks of 32 bytes",
                  default=1, highest=65535),
            BARRIERS,
        ),
    )  # fmt: skip
    yield Kind(
        "block_copy", "tiles of 16-bit elements rearranged in UB by copies of blocks",
        build_block_copy, _always("vector"),
        (
            count("tiles_per_core", "tiles", highest=1 << 20),
            count("rows", "rows of a tile", highest=1 << 16),
            count("row_blocks", "blocks of a row", "blocks of 32 bytes", highest=4096),
            count("block_stride", "distance of a row's blocks in the result; 16: one bank group",
                  "blocks of 32 bytes", highest=65535),
            CORES,
        ),
    )  # fmt: skip
    yield Kind(
        "add", "z = x + y over a whole tensor", build_add, _always("vector"),
        (*ELEMENTWISE, count("adds", "additions per tile", default=1, lowest=0, highest=1 << 16)),
        _check_tile,
    )  # fmt: skip
    yield Kind(
        "elementwise", "operations one after the other over whole tensors",
        build_elementwise, _always("vector"),
        (*ELEMENTWISE, names("operations", "what is done to a tile; [] copies", OPERATIONS,
                             default=("add",))),
        _check_tile,
    )  # fmt: skip
    yield Kind(
        "copy", "copies alone: rows of a matrix to UB or L1, or from UB (store)",
        build_copy, _use_of_copy,
        (
            count("rows", "rows of the matrix", highest=1 << 28),
            count("row_bytes", "what is moved of a row", "bytes", highest=MOST_BYTES),
            count("row_stride", "distance of rows in memory", "bytes", lowest=0, highest=MOST_BYTES),
            count("tile_rows", "rows of one copy", highest=65535),
            count("tile_bytes", "row length of one copy", "bytes", highest=1 << 20),
            CORES,
            choice("path", "to UB, to L1 as it is, to L1 as fractals, from UB", PATHS),
            count("passes", "times a slice is gone through", default=1, highest=1 << 20),
            count("slices", "slices of a row, each moved `passes` times before the next", default=1),
            choice("order", "each core its own rows; or all cores all rows: in the same order, or "
                   "each from another row on", ("own", "same", "rotated"), default="own"),
            IMBALANCE, OFFSET, flag("atomic", "stores add to what is there"),
        ),
        _check_copy,
    )  # fmt: skip
    yield Kind(
        "rows", "reductions, softmax or normalisations over the rows of a matrix",
        build_rows, _always("vector"),
        (
            count("rows", "rows", highest=1 << 28),
            count("columns", "elements of a row", "elements", highest=1 << 28),
            DTYPE,
            CORES,
            choice("work", "what is done to a row", tuple(WORKS), default="softmax"),
            names("operations", "what is done in place of `work`", ROW_OPERATIONS, default=None,
                  derived="by `work`"),
            count("tile_rows", "rows at once", default=None, derived="what fits 32 KiB"),
            count("tile_columns", "elements of a row at once", "elements", default=None,
                  derived="the row, 8192 at most"),
            count("passes", "times a row is read", default=None, highest=64,
                  derived="1; 2 where a row is cut"),
            BUFFERS, CONFLICT, IMBALANCE,
            flag("upcast", "16-bit elements are worked on as float32", default=True),
            count("row_stride", "distance of rows in memory", "bytes", default=None,
                  highest=MOST_BYTES, derived="no gap"),
        ),
    )  # fmt: skip
    yield Kind(
        "transpose", "a matrix transposed tile by tile in UB", build_transpose, _always("vector"),
        (
            count("rows", "rows", highest=1 << 24),
            count("columns", "columns", highest=1 << 24),
            DTYPE, CORES,
            count("tile_rows", "rows of a tile", default=128, highest=65535),
            count("tile_columns", "columns of a tile", default=128, highest=65535),
            BUFFERS,
        ),
        _check_transpose,
    )  # fmt: skip
    yield Kind(
        "matmul", "C = A B on cube cores", build_matmul, _always("cube"), MATMUL, _check_blocks
    )
    yield Kind(
        "matmul_then_vector", "a matmul whose blocks go through vector operations (mix kernel)",
        build_matmul_then_vector, _always("mix"),
        (
            *MATMUL_SHAPE,
            count("vector_cores", "vector cores per cube core", default=2, highest=2),
            count("depth", "slots between cube and vector cores", default=2, highest=64),
            names("operations", "what is done to a block, as float32", OPERATIONS,
                  default=DEQUANT_GELU),
            CONFLICT,
        ),
        _check_blocks,
    )  # fmt: skip
    yield Kind(
        "flash_attention", "attention forward in tiles of keys (mix kernel), 16-bit operands",
        build_flash_attention, _always("mix"),
        (
            count("rows", "query rows of a head", highest=1 << 24),
            count("keys", "keys of a head", highest=1 << 24),
            count("head", "length of a query", "elements", highest=1024),
            count("heads", "heads, of all sequences together", default=1, highest=1 << 16),
            flag("causal", "a query sees no later key"),
            ALL_CORES,
            count("base_m", "query rows at once", default=128, highest=1024),
            count("base_n", "keys at once", default=256, highest=4096),
            count("preload", "tiles of scores computed ahead", default=4, highest=64),
        ),
        _check_attention,
    )  # fmt: skip
    yield Kind(
        "cube_loop", "one step of a multiplication again and again, operands on chip",
        build_cube_loop, _always("cube"),
        (
            choice("operation", "the step; matmul: both loads and the multiplication",
                   CUBE_OPERATIONS),
            CUBE_DTYPE,
            count("m", "rows", highest=4096),
            count("k", "depth", default=16, highest=1 << 16),
            count("n", "columns", default=16, highest=4096),
            count("calls", "calls", highest=1 << 24),
            CORES.with_default(1),
            OUT_BYTES,
        ),
    )  # fmt: skip
    yield Kind(
        "scalar_loop", "work of the scalar pipe", build_scalar_loop, _always("vector"),
        (
            count("calls", "turns of the loop", highest=1 << 24),
            count("operations", "plain operations per turn", default=0, lowest=0, highest=1 << 20),
            count("accesses", "elements read or written per turn", default=0, lowest=0,
                  highest=1 << 20),
            choice("space", "where the elements are", ("ub", "gm"), default="ub"),
            CORES.with_default(1),
        ),
    )  # fmt: skip
    yield Kind(
        "handshake", "cube and vector cores that do nothing but raise flags to each other",
        build_handshake, _always("mix"),
        (
            count("calls", "round trips", highest=1 << 20),
            count("vector_cores", "vector cores per cube core", default=2, highest=2),
            CORES.with_default(1),
        ),
    )  # fmt: skip
    yield Kind(
        "empty", "a kernel that returns at once", build_empty, lambda params: params["use"],
        (CORES, choice("use", "kind of cores", ("vector", "cube", "mix"), default="vector")),
    )  # fmt: skip


KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _list_kinds()}
