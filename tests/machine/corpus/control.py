"""Control flow, scalars and the host's services: branches, early returns, printing, assertions."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
import triton.language.extra.ascend.libdevice as libdevice

from tests.machine.corpus.entry import CorpusKernel, Tolerance, Value
from tests.machine.corpus.fixed import fixed, normal, out, uniform, whole


@triton.jit
def choose_source(x, y, out, flag, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if flag > 0:  # noqa: SIM108
        value = tl.load(x + offsets)
    else:
        value = tl.load(y + offsets)
    tl.store(out + offsets, value)


@triton.jit
def leave_early(x, out, blocks, BLOCK: tl.constexpr):
    if tl.program_id(0) >= blocks:
        return
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) + 1.0)


@triton.jit
def compute_on_scalars(x, out):
    first = tl.load(x)
    second = tl.load(x + 1)
    tl.store(out, first * second + tl.exp(first) + tl.sqrt(second))


@triton.jit
def scalar_functions(x, out):
    value = tl.load(x)
    tl.store(out, tl.sin(value) + tl.erf(value) + tl.log(value) + libdevice.tanh(value))


@triton.jit
def print_values(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    tl.device_print("value", value)
    tl.store(out + offsets, value)


@triton.jit
def assert_positive(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    tl.device_assert(value > 0, "not positive")
    tl.store(out + offsets, value)


@triton.jit
def collatz_steps(x, out):
    value = tl.load(x + tl.program_id(0))
    steps = 0
    while value != 1:
        if value % 2 == 0:  # noqa: SIM108
            value = value // 2
        else:
            value = 3 * value + 1
        steps += 1
    tl.store(out + tl.program_id(0), steps)


@triton.jit
def add_by_rank(x, out, ROUNDS: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for step in range(ROUNDS):
        value = tl.load(x + step * BLOCK + offsets)
        if step % 2 == 0:
            total += value
        else:
            total -= value * step
    tl.store(out + offsets, total)


@triton.jit
def sum_of_two_parts(x, out, count, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(0, count, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        value = tl.load(x + offsets, mask=offsets < count, other=0.0)
        if tl.max(value, 0) > 0.0:
            total += tl.sum(value, 0)
    tl.store(out, total)


def collatz_oracle(x: torch.Tensor, out: torch.Tensor) -> dict[str, torch.Tensor]:
    counts = []
    for value in x.tolist():
        steps = 0
        while value != 1:
            value, steps = (value // 2 if value % 2 == 0 else 3 * value + 1), steps + 1
        counts.append(steps)
    return {"out": torch.tensor(counts)}


def ranked_oracle(x: torch.Tensor, out: torch.Tensor) -> dict[str, torch.Tensor]:
    weights = torch.tensor([1.0 if step % 2 == 0 else -step for step in range(5)])
    return {"out": (x.double() * weights[:, None]).sum(0)}


def parts_oracle(x: torch.Tensor, **rest: Value) -> dict[str, torch.Tensor]:
    parts = x.double().split(64)
    return {"out": torch.stack([part.sum() for part in parts if part.max() > 0]).sum()}


def draw_signed_parts(draw: object) -> torch.Tensor:
    values = draw.normal(300).abs()
    values[64:128] *= -1
    return values


PAIR = {"x": "*fp32", "out": "*fp32"}
CHOICE = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "flag": "i32"}

KERNELS: tuple[CorpusKernel, ...] = (
    *(
        fixed(
            f"choose_source_{flag}", choose_source, CHOICE,
            {"x": normal(64), "y": normal(64), "out": out(64), "flag": flag},
            lambda x, y, flag, **rest: {"out": x if flag > 0 else y}, BLOCK=64,
        )
        for flag in (0, 1)
    ),
    fixed(
        "leave_early", leave_early, {**PAIR, "blocks": "i32"},
        {"x": normal(256), "out": out(256), "blocks": 2},
        lambda x, **rest: {"out": x[:128].double() + 1}, grid=(4,), BLOCK=64,
    ),
    fixed(
        "compute_on_scalars", compute_on_scalars, PAIR, {"x": uniform(8, 0.5, 2), "out": out(1)},
        lambda x, out: {"out": x[0].double() * x[1] + x[0].double().exp() + x[1].double().sqrt()},
    ),
    fixed(
        "scalar_functions", scalar_functions, PAIR, {"x": uniform(8, 0.5, 2), "out": out(1)},
        lambda x, out: {
            "out": x[0].double().sin() + x[0].double().erf() + x[0].double().log() + x[0].double().tanh()
        },
        tolerance=Tolerance(3e-5, 3e-6),
    ),
    fixed(
        "print_values", print_values, PAIR, {"x": normal(64), "out": out(64)},
        lambda x, out: {"out": x}, BLOCK=64,
    ),
    fixed(
        "assert_positive", assert_positive, PAIR, {"x": uniform(64, 1, 2), "out": out(64)},
        lambda x, out: {"out": x}, BLOCK=64,
    ),
    fixed(
        "collatz_steps", collatz_steps, {"x": "*i32", "out": "*i32"},
        {"x": whole(8, 1, 60), "out": out(8, "i32")}, collatz_oracle, grid=(8,),
    ),
    fixed(
        "add_by_rank", add_by_rank, PAIR, {"x": normal((5, 128)), "out": out(128)}, ranked_oracle,
        ROUNDS=5, BLOCK=128,
    ),
    fixed(
        "sum_of_two_parts", sum_of_two_parts, {**PAIR, "count": "i32"},
        {"x": draw_signed_parts, "out": out(1), "count": 300}, parts_oracle,
        tolerance=Tolerance(1e-5, 1e-4), BLOCK=64,
    ),
)  # fmt: skip
