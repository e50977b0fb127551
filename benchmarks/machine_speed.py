"""How fast the machine runs kernels: `python -m benchmarks.machine_speed [--runs N]`.

Streams, products and a scalar loop of one launch each, all on one core; the median of some runs and
their spread, beside one run of a plain interpreter in NumPy (`benchmarks.numpy_interpreter`), whose
results must be the same. Counted is processor time, which a busy host lengthens less than the
wall's. The peak memory is that of a fresh process. A row says whether its target was met.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import numpy_interpreter
from npu_autokernel.machine import ExecutionOptions, Program, execute, load_program
from tests.machine.cube_modules import SUM_TYPE, product_module
from tests.machine.modules import NUMPY_TYPES, SOC, Body, gm, locate, ub, vector_module

DUMPS = Path(__file__).parents[1] / "tests" / "machine" / "dumps"
MIB = 1 << 20
STREAM_ELEMENTS = 4096 * 4096
TILE_ELEMENTS = 8192
CUBE_SHAPE = (128, 128, 128)
CUBE_TURNS = 16
CUBE_BLOCKS = 16
SCALAR_TURNS = 2_000_000
BASELINE_TURNS = 20_000
SCALAR_OPS_PER_TURN = 8
PARSED_OPS = 500


@dataclass(frozen=True)
class Row:
    """One figure: `values` are the runs; `target` is a least value, or a most if `is_limit`.

    `baseline` is the same figure of the plain interpreter, where it was asked.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    target: float
    is_limit: bool = False
    baseline: float | None = None

    def format(self) -> str:
        median = statistics.median(self.values)
        met = median <= self.target if self.is_limit else median >= self.target
        spread = f"{min(self.values):.4g} to {max(self.values):.4g}"
        sign = "<=" if self.is_limit else ">="
        beside = "" if self.baseline is None else f"{self.baseline:.3g} {self.unit}"
        return (
            f"| {self.name} | {median:.4g} {self.unit} | {spread} | {beside} "
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


def make_scalar_loop(turns: int) -> str:
    """`turns` turns of a chain of integer adds and multiplications."""
    chain, value = [], "%carried"
    for index in range(SCALAR_OPS_PER_TURN):
        op = "arith.muli" if index % 2 else "arith.addi"
        chain.append(f'      %x{index} = "{op}"({value}, %n) : (i64, i64) -> i64')
        value = f"%x{index}"
    lines = "\n".join(chain)
    text = f"""
    %start = "arith.constant"() <{{value = 0 : index}}> : () -> index
    %step = "arith.constant"() <{{value = 1 : index}}> : () -> index
    %end = "arith.constant"() <{{value = {turns} : index}}> : () -> index
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


def launch(program: Program, grid: int, arguments: list, **options: bool) -> None:
    report = execute(program, (grid,), arguments, soc=SOC, options=ExecutionOptions(**options))
    assert report.fault is None, report.fault


def time_baseline(text: str, grid: int, arguments: list[np.ndarray]) -> float:
    """Seconds of processor time of the plain interpreter, whose results must be the machine's."""
    expected = arguments[-1].copy()
    arguments[-1][...] = 0
    started = time.process_time()
    numpy_interpreter.run(text, grid, arguments)
    seconds = time.process_time() - started
    np.testing.assert_allclose(arguments[-1], expected, rtol=1e-4, atol=1e-2)
    return seconds


def prepare_stream(op: str, inputs: int) -> tuple[str, int, list[np.ndarray]]:
    rng = np.random.default_rng(0)
    shape = (4096, STREAM_ELEMENTS // 4096)
    arrays = [rng.standard_normal(shape, dtype=np.float32) for _ in range(inputs)]
    arguments = [*arrays, np.zeros(shape, np.float32)]
    return make_stream(op, inputs), STREAM_ELEMENTS // TILE_ELEMENTS, arguments


def measure_streams(runs: int) -> Iterator[Row]:
    for op, inputs, target in (("vadd", 2, 5.0), ("vexp", 1, 3.0)):
        text, grid, arguments = prepare_stream(op, inputs)
        moved_gb = sum(argument.nbytes for argument in arguments) / 1e9
        program = load(text)
        times = time_runs(lambda p=program, g=grid, a=arguments: launch(p, g, a), runs)
        rates = tuple(moved_gb / seconds for seconds in times)
        baseline = moved_gb / time_baseline(text, grid, arguments)
        name = f"{op} of 4096 x 4096 float32, traffic"
        yield Row(name, "GB/s", rates, target, baseline=baseline)


def measure_products(runs: int) -> Iterator[Row]:
    m, k, n = CUBE_SHAPE
    gflops = 2 * m * k * n * CUBE_TURNS * CUBE_BLOCKS / 1e9
    for element in ("f16", "f32"):
        rng = np.random.default_rng(0)
        a = rng.standard_normal((m, k)).astype(NUMPY_TYPES[element])
        b = rng.standard_normal((k, n)).astype(NUMPY_TYPES[element])
        c = np.zeros((m, n), NUMPY_TYPES[SUM_TYPE[element]])
        text = product_module(CUBE_SHAPE, element, turns=CUBE_TURNS)
        program = load(text)
        times = time_runs(lambda p=program, x=(a, b, c): launch(p, CUBE_BLOCKS, list(x)), runs)
        rates = tuple(gflops / seconds for seconds in times)
        baseline = gflops / time_baseline(text, CUBE_BLOCKS, [a, b, c])
        name = f"product of 128 x 128 x 128 {element} tiles"
        yield Row(name, "GFLOP/s", rates, 30.0, baseline=baseline)


def measure_scalar_loop(runs: int) -> Row:
    program, result = load(make_scalar_loop(SCALAR_TURNS)), np.zeros(1, np.int64)
    times = time_runs(lambda: launch(program, 1, [result]), runs)
    millions_per_turn = (SCALAR_OPS_PER_TURN + 1) / 1e6
    rates = tuple(SCALAR_TURNS * millions_per_turn / seconds for seconds in times)
    short = make_scalar_loop(BASELINE_TURNS)
    launch(load(short), 1, [result])
    baseline = BASELINE_TURNS * millions_per_turn / time_baseline(short, 1, [result])
    return Row("scalar loop", "M ops/s", rates, 50.0, baseline=baseline)


def measure_decoding(runs: int) -> Iterator[Row]:
    plain = make_long_kernel()
    for text, kind in ((plain, ""), (locate(plain), " with locations")):
        times = time_runs(lambda t=text: [load(t) for _ in range(10)], runs)
        milliseconds = tuple(seconds / 10 * 1e3 for seconds in times)
        baseline = 1e3 * min(time_runs(lambda t=text: numpy_interpreter.parse(t), runs))
        name = f"parse and decode {load(text).op_count} ops{kind}"
        yield Row(name, "ms", milliseconds, 5.0, is_limit=True, baseline=baseline)


def measure_clock(runs: int) -> Row:
    """Of a compiled kernel with small tiles, where the clock has much to do."""
    program = load((DUMPS / "row_softmax.mlir").read_text())
    x = np.random.default_rng(0).standard_normal((8192, 512)).astype(np.float16)
    arguments = [x, np.zeros_like(x), *x.shape]
    off = time_runs(lambda: launch(program, 48, arguments), runs)
    on = time_runs(lambda: launch(program, 48, arguments, timing=True), runs)
    percent = tuple((timed / plain - 1) * 100 for timed, plain in zip(on, off, strict=True))
    return Row("time that the clock adds to a softmax", "%", percent, 60.0, is_limit=True)


def measure_following(runs: int) -> Row:
    """What it costs to follow uninitialised memory, where each element is computed with once."""
    text, grid, arguments = prepare_stream("vadd", 2)
    program = load(text)
    off = time_runs(lambda: launch(program, grid, arguments), runs)
    on = time_runs(lambda: launch(program, grid, arguments, check_uninitialised=True), runs)
    percent = tuple((checked / plain - 1) * 100 for checked, plain in zip(on, off, strict=True))
    name = "time that following uninitialised memory adds to a vadd"
    return Row(name, "%", percent, 200.0, is_limit=True)


def print_peak_memory() -> None:
    text, grid, arguments = prepare_stream("vadd", 2)
    launch(load(text), grid, arguments, timing=True)
    # Not getrusage: what it says of a process includes the one that started it.
    status = Path("/proc/self/status").read_text()
    peak_bytes = int(status.partition("VmHWM:")[2].split()[0]) * 1024
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
    print("| what | median | spread | plain NumPy | target | met |\n|---|---|---|---|---|---|")
    rows = [
        *measure_streams(given.runs),
        *measure_products(given.runs),
        measure_scalar_loop(given.runs),
        *measure_decoding(given.runs),
        measure_clock(given.runs),
        measure_following(given.runs),
        measure_memory(),
    ]
    for row in rows:
        print(row.format())


if __name__ == "__main__":
    main()
