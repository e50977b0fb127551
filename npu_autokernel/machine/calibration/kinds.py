"""The kinds of kernels that a calibration case can be: builder, cores and parameters of each.

`python -m benchmarks.calibration --kinds` prints this table. A kind's builder turns parameters into
one list of streams per block; what a builder reads is listed here with unit, range and default, and
nothing else is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from npu_autokernel.machine.calibration.kind_checks import (
    check_add,
    check_attention,
    check_blocks,
    check_copy,
    check_elementwise,
    check_rows,
    check_transpose,
    check_vector_loop,
)
from npu_autokernel.machine.calibration.kind_params import (
    ALL_CORES,
    BARRIERS,
    BUFFERS,
    CONFLICT,
    CORES,
    CUBE_DTYPE,
    DTYPE,
    ELEMENTWISE,
    IMBALANCE,
    L2_PARAMS,
    MATMUL,
    MATMUL_SHAPE,
    MOST_BYTES,
    OFFSET,
    OUT_BYTES,
    VECTOR_TYPES,
)
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
    OPERATIONS,
    Blocks,
    build_add,
    build_block_copy,
    build_elementwise,
    build_vector_loop,
)
from npu_autokernel.machine.soc import CoreUse, SocTable

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
        check_vector_loop,
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
        check_add,
    )  # fmt: skip
    yield Kind(
        "elementwise", "operations one after the other over whole tensors",
        build_elementwise, _always("vector"),
        (*ELEMENTWISE, names("operations", "what is done to a tile; [] copies", OPERATIONS,
                             default=("add",))),
        check_elementwise,
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
        check_copy,
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
        check_rows,
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
        check_transpose,
    )  # fmt: skip
    yield Kind(
        "matmul", "C = A B on cube cores", build_matmul, _always("cube"), MATMUL, check_blocks
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
        check_blocks,
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
        check_attention,
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
