"""Small kernels that make the tool chain say what its diagnostics table reads."""

from __future__ import annotations

from npu_autokernel.candidate import Candidate, KernelLaunch, LaunchArgument, LaunchPlan
from npu_autokernel.graph.task import KernelTask

EMPTY_TASK = KernelTask((), (), (), "elementwise", "float32", 32, (("s0", 4096),))

UNARY = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    value = tl.load(x + offsets, mask=inside)
    tl.store(out + offsets, {expression}, mask=inside)
"""

MATMUL = """
@triton.jit
def kernel(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    inner = tl.arange(0, K)
    left = tl.load(a + rows[:, None] * K + inner[None, :])
    right = tl.load(b + inner[:, None] * N + columns[None, :])
    tl.store(c + rows[:, None] * N + columns[None, :], tl.dot(left, right{options}))
"""

SORT_ROWS = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, 8)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(out + offsets, tl.sort(tl.load(x + offsets), {dim}))
"""

REDUCE_PAIR = """
@triton.jit
def combine(max_a, sum_a, max_b, sum_b):
    largest = tl.maximum(max_a, max_b)
    return largest, sum_a * tl.exp(max_a - largest) + sum_b * tl.exp(max_b - largest)


@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    largest, total = tl.reduce((value, value), 0, combine)
    tl.store(out + tl.program_id(0), largest + total)
"""

COUNT_VALUES = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, 16), tl.histogram(tl.load(x + tl.arange(0, BLOCK)), 16))
"""

LOAD_NEIGHBOUR = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets - 1, mask=(offsets > 0) & (offsets < n), other=0.0)
    tl.store(out + offsets, value, mask=offsets < n)
"""


def make_unary(
    expression: str, block: int = 1024, source_type: str = "fp32", result_type: str = "fp32"
) -> Candidate:
    """out = expression(value), one block per program."""
    return make_block_kernel(UNARY.format(expression=expression), block, source_type, result_type)


def make_block_kernel(
    source: str, block: int, source_type: str = "fp32", result_type: str = "fp32"
) -> Candidate:
    """A kernel with the parameters x, out, n and BLOCK."""
    launch = KernelLaunch(
        "kernel",
        (f"ceildiv(s0, {block})", "1", "1"),
        (
            LaunchArgument("x", "input", f"*{source_type}", 0),
            LaunchArgument("out", "output", f"*{result_type}", 0),
            LaunchArgument("n", "size", "i32", "s0"),
        ),
        (("BLOCK", block),),
    )
    return Candidate("triton", source, LaunchPlan((launch,)))


def make_matmul(
    rows: int,
    columns: int,
    inner: int,
    source_type: str = "fp16",
    result_type: str = "fp32",
    options: str = "",
) -> Candidate:
    """c = a @ b in one program."""
    launch = KernelLaunch(
        "kernel",
        ("1", "1", "1"),
        (
            LaunchArgument("a", "input", f"*{source_type}", 0),
            LaunchArgument("b", "input", f"*{source_type}", 1),
            LaunchArgument("c", "output", f"*{result_type}", 0),
        ),
        (("M", rows), ("N", columns), ("K", inner)),
    )
    return Candidate("triton", MATMUL.format(options=options), LaunchPlan((launch,)))
