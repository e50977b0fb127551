"""Parameters that several kinds of calibration cases share, and groups of them."""

from __future__ import annotations

from npu_autokernel.machine.calibration.params import Param, choice, count, flag
from npu_autokernel.machine.calibration.streams_vector import CONFLICTS, SCALAR_OPS_PER_TILE

VECTOR_TYPES = ("float32", "float16", "bfloat16", "int8", "int16", "int32", "int64")
CUBE_TYPES = ("float16", "bfloat16", "int8", "float32", "hfloat32")
MOST_BLOCKS = 4096
MOST_BYTES = 1 << 40

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
