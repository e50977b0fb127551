"""How fast the machine runs kernels: `python -m benchmarks.machine_speed [--runs N]`.

Streams, products and a scalar loop of one launch each, all on one core; the median of some runs and
their spread. Counted is processor time, which a busy host lengthens less than the wall's. The peak
memory is that of a fresh process. Rows that have a target say whether it was met.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from npu_autokernel.machine import ExecutionOptions, Program, execute, load_program
from tests.machine.modules import NUMPY_TYPES, SOC, Body, gm, locate, ub, vector_module
from tests.machine.test_cube import SUM_TYPE, product_module

DUMPS = Path(__file__).parents[1] / "tests" / "machine" / "dumps"
MIB = 1 << 20
STREAM_ELEMENTS = 4096 * 4096
TILE_ELEMENTS = 8192
CUBE_SHAPE = (128, 128, 128)
CUBE_TURNS = 16
CUBE_BLOCKS = 16
SCALAR_TURNS = 2_000_000
SCALAR_OPS_PER_TURN = 8
PARSED_OPS = 500


@dataclass(frozen=True)
class Row:
    """One figure: `values` are the runs; `target` is a least value, or a most if `is_limit`."""

    name: str
    unit: str
    values: tuple[float, ...]
    target: float
    is_limit: bool = False

    def format(self) -> str:
        median = statistics.median(self.values)
        met = median <= self.target if self.is_limit else median >= self.target
        spread = f"{min(self.values):.4g} to {max(self.values):.4g}"
        sign = "<=" if self.is_limit else ">="
        return (
            f"| {self.name} | {median:.4g} {self.unit} | {spread} "
            f"| {sign} {self.target:g} | {'yes' if met else 'NO'} |"
        )


def make_stream(op: str, inputs: int) -> str:
    """out = op(inputs...) on float32, a tile per block."""
    body = Body()
    tile, type_ = f"{TILE_ELEMENTS}xf32", ub(f"{TILE_ELEMENTS}xf32")
    block = body.value("hivm.hir.get_block_idx", "", "", "i64")
    tile_size = body.constant(TILE_ELEMENTS, "i64")
    start = body.value("arith.muli", f"{block}, {tile_size}", "i64, i64", "i64")
    offset = body.value("arith.index_cast", start, "i64", "index")
    view = f"memref<{tile}, strided<[1], offset: ?>, #hivm.address_space<gm>>"
    place = (
        "operandSegmentSizes = array<i32: 1, 1, 0, 0>, "
        "static_offsets = array<i64: -9223372036854775808>, "
        f"static_sizes = array<i64: {TILE_ELEMENTS}>, static_strides = array<i64: 1>"
    )

    def see(argument: str) -> str:
        types = f"{gm('?xf32')}, index"
        return body.value("memref.reinterpret_cast", f"{argument}, {offset}", types, view, place)

    buffers = [body.buffer(tile) for _ in range(inputs)]
    for index, buffer in enumerate(buffers):
        segments = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
        body.op("load", f"{see(f'%a{index}')}, {buffer}", f"{view}, {type_}", segments)
    body.flag("set", "MTE2", "V")
    body.flag("wait", "MTE2", "V")
    result = body.buffer(tile)
    body.elementwise(op, [(buffer, type_) for buffer in buffers], (result, type_))
    body.flag("set", "V", "MTE3")
    body.flag("wait", "V", "MTE3")
    body.op("store", f"{result}, {see(f'%a{inputs}')}", f"{type_}, {view}")
    return vector_module(body.text(), [gm("?xf32")] * (inputs + 1))


def make_scalar_loop() -> str:
    """SCALAR_TURNS turns of a chain of integer adds and multiplications."""
    chain, value = [], "%carried"
    for index in range(SCALAR_OPS_PER_TURN):
        op = "arith.muli" if index % 2 else "arith.addi"
        chain.append(f'      %x{index} = "{op}"({value}, %n) : (i64, i64) -> i64')
        value = f"%x{index}"
    lines = "\n".join(chain)
    text = f"""
    %start = "arith.constant"() <{{value = 0 : index}}> : () -> index
    %step = "arith.constant"() <{{value = 1 : index}}> : () -> index
    %end = "arith.constant"() <{{value = {SCALAR_TURNS} : index}}> : () -> index
    %seed = "arith.constant"() <{{value = 3 : i64}}> : () -> i64
    %result = "scf.for"(%start, %end, %step, %seed) ({{
    ^bb0(%i: index, %carried: i64):
      %n = "arith.index_cast"(%i) : (index) -> i64
{lines}
      "scf.yield"({value}) : (i64) -> ()
    }}) : (index, index, index, i64) -> i64
    "memref.store"(%result, %a0, %start) : (i64, {gm("?xi64")}, index) -> ()
"""
    return vector_module(text, [gm("?xi64")])


def make_long_kernel() -> str:
    """A straight line of PARSED_OPS vector ops."""
    body = Body()
    buffer = body.load("%a0", "64xf32")
    for _ in range(PARSED_OPS):
        body.elementwise("vadd", [(buffer, ub("64xf32"))] * 2, (buffer, ub("64xf32")))
    body.store(buffer, "%a1", "64xf32")
    return vector_module(body.text(), [gm("?xf32")] * 2)


def load(text: str) -> Program:
    program = load_program(text)
    assert isinstance(program, Program), program
    return program


def time_runs(work: Callable[[], object], runs: int) -> list[float]:
    """Seconds of processor time per run, after one that is not counted."""
    work()
    times = []
    for _ in range(runs):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return times


def launch(program: Program, grid: int, arguments: list, *, timing: bool = False) -> None:
    options = ExecutionOptions(timing=timing)
    report = execute(program, (grid,), arguments, soc=SOC, options=options)
    assert report.fault is None, report.fault


def prepare_stream(op: str, inputs: int) -> tuple[Program, int, list[np.ndarray]]:
    rng = np.random.default_rng(0)
    shape = (4096, STREAM_ELEMENTS // 4096)
    arrays = [rng.standard_normal(shape, dtype=np.float32) for _ in range(inputs)]
    arguments = [*arrays, np.zeros(shape, np.float32)]
    return load(make_stream(op, inputs)), STREAM_ELEMENTS // TILE_ELEMENTS, arguments


def measure_streams(runs: int) -> Iterator[Row]:
    for op, inputs, target in (("vadd", 2, 5.0), ("vexp", 1, 3.0)):
        program, grid, arguments = prepare_stream(op, inputs)
        moved_bytes = sum(argument.nbytes for argument in arguments)
        times = time_runs(lambda p=program, g=grid, a=arguments: launch(p, g, a), runs)
        rates = tuple(moved_bytes / seconds / 1e9 for seconds in times)
        yield Row(f"{op} of 4096 x 4096 float32, traffic", "GB/s", rates, target)


def measure_products(runs: int) -> Iterator[Row]:
    m, k, n = CUBE_SHAPE
    flops = 2 * m * k * n * CUBE_TURNS * CUBE_BLOCKS
    for element in ("f16", "f32"):
        rng = np.random.default_rng(0)
        a = rng.standard_normal((m, k)).astype(NUMPY_TYPES[element])
        b = rng.standard_normal((k, n)).astype(NUMPY_TYPES[element])
        c = np.zeros((m, n), NUMPY_TYPES[SUM_TYPE[element]])
        program = load(product_module(CUBE_SHAPE, element, turns=CUBE_TURNS))
        times = time_runs(lambda p=program, x=(a, b, c): launch(p, CUBE_BLOCKS, list(x)), runs)
        rates = tuple(flops / seconds / 1e9 for seconds in times)
        yield Row(f"product of 128 x 128 x 128 {element} tiles", "GFLOP/s", rates, 30.0)


def measure_scalar_loop(runs: int) -> Row:
    program, result = load(make_scalar_loop()), np.zeros(1, np.int64)
    times = time_runs(lambda: launch(program, 1, [result]), runs)
    ops = SCALAR_TURNS * (SCALAR_OPS_PER_TURN + 1)
    rates = tuple(ops / seconds / 1e6 for seconds in times)
    return Row("scalar loop", "M ops/s", rates, 50.0)


def measure_decoding(runs: int) -> Iterator[Row]:
    plain = make_long_kernel()
    for text, kind in ((plain, ""), (locate(plain), " with locations")):
        times = time_runs(lambda t=text: [load(t) for _ in range(10)], runs)
        milliseconds = tuple(seconds / 10 * 1e3 for seconds in times)
        name = f"parse and decode {load(text).op_count} ops{kind}"
        yield Row(name, "ms", milliseconds, 5.0, is_limit=True)


def measure_clock(runs: int) -> Row:
    """Of a compiled kernel with small tiles, where the clock has much to do."""
    program = load((DUMPS / "row_softmax.mlir").read_text())
    x = np.random.default_rng(0).standard_normal((8192, 512)).astype(np.float16)
    arguments = [x, np.zeros_like(x), *x.shape]
    off = time_runs(lambda: launch(program, 48, arguments), runs)
    on = time_runs(lambda: launch(program, 48, arguments, timing=True), runs)
    percent = tuple((timed / plain - 1) * 100 for timed, plain in zip(on, off, strict=True))
    return Row("time that the clock adds to a softmax", "%", percent, 60.0, is_limit=True)


def print_peak_memory() -> None:
    program, grid, arguments = prepare_stream("vadd", 2)
    launch(program, grid, arguments, timing=True)
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(peak_bytes, sum(argument.nbytes for argument in arguments))


def measure_memory() -> Row:
    command = [sys.executable, "-m", "benchmarks.machine_speed", "--peak-memory"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[1], check=True, capture_output=True, text=True
    )
    peak_bytes, argument_bytes = map(int, done.stdout.split())
    limit_mib = (2 * argument_bytes + 1024 * MIB) / MIB
    name = f"peak memory with arguments of {argument_bytes // MIB} MiB, clock on"
    return Row(name, "MiB", (peak_bytes / MIB,), limit_mib, is_limit=True)


def print_conditions(runs: int) -> None:
    names = [
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line
    ]
    processor = names[0].partition(": ")[2] if names else platform.machine()
    kernels = os.environ.get("NPU_AUTOKERNEL_KERNELS", "the processor's best")
    print(
        f"{processor}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; one process on "
        f"one core; kernels: {kernels}; median of {runs} runs\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peak-memory", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peak_memory:
        print_peak_memory()
        return
    print_conditions(given.runs)
    print("| what | median | spread | target | met |\n|---|---|---|---|---|")
    rows = [
        *measure_streams(given.runs),
        *measure_products(given.runs),
        measure_scalar_loop(given.runs),
        *measure_decoding(given.runs),
        measure_clock(given.runs),
        measure_memory(),
    ]
    for row in rows:
        print(row.format())


if __name__ == "__main__":
    main()
