"""The machine as a target: tensors of any layout in and out, refusals where the plan does not hold, estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch

from npu_autokernel.cache.records import Artifact
from npu_autokernel.candidate import (
    Candidate,
    KernelLaunch,
    LaunchArgument,
    LaunchPlan,
    ScratchBuffer,
)
from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import Refusal
from npu_autokernel.targets.artifacts import pack_kernels, unpack_kernels
from npu_autokernel.targets.machine_target import MachineTarget, PreparedKernel
from npu_autokernel.toolchain.triton_ascend import compile_candidate
from tests.graph.tracing import build

SOC = "Ascend910B1"
ROWS, COLUMNS = 6, 40

SCALE_ROWS = """
@triton.jit
def kernel(x, out, factor, columns, row_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * row_stride + column, mask=inside)
    tl.store(out + row * columns + column, value * factor, mask=inside)
"""
SUM_THROUGH_SCRATCH = """
@triton.jit
def sum_rows(x, scratch, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + column, mask=column < columns, other=0.0)
    tl.store(scratch + row, tl.sum(value, 0))


@triton.jit
def sum_all(scratch, out, rows, BLOCK: tl.constexpr):
    row = tl.arange(0, BLOCK)
    partial = tl.load(scratch + row, mask=row < rows, other=0.0)
    tl.store(out, tl.sum(partial, 0))
"""
ADD_EVERY_OTHER = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    position = tl.arange(0, BLOCK)
    value = tl.load(x + position, mask=position < n)
    tl.store(out + position, value, mask=(position < n) & (position < 8))
"""


def prepare(candidate: Candidate, task: KernelTask) -> PreparedKernel:
    kernels = compile_candidate(candidate, task, dict(task.hints), SOC)
    assert not isinstance(kernels, Refusal), kernels.message
    prepared = MachineTarget(SOC).prepare(task, candidate.plan, kernels)
    assert not isinstance(prepared, Refusal), prepared.message
    return prepared


def make_scale_plan(factor: LaunchArgument, row_stride: str, block: int | str = 64) -> Candidate:
    launch = KernelLaunch(
        "kernel",
        ("s0", "1", "1"),
        (
            LaunchArgument("x", "input", "*fp32", 0),
            LaunchArgument("out", "output", "*fp32", 0),
            factor,
            LaunchArgument("columns", "size", "i32", "s1"),
            LaunchArgument("row_stride", "size", "i32", row_stride),
        ),
        (("BLOCK", block),),
    )
    return Candidate("triton", SCALE_ROWS, LaunchPlan((launch,), output_fills=(None,)))


NUMBER = LaunchArgument("factor", "number", "fp32", 2.5)


def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2.5


def run(
    prepared: PreparedKernel, inputs: Sequence[torch.Tensor], sizes: Sequence[int]
) -> torch.Tensor:
    out = torch.full((sizes[0], sizes[1]), torch.nan)
    symbols = dict(zip(("s0", "s1"), sizes, strict=False))
    refusal = prepared.run(inputs, symbols, [out])
    assert refusal is None, refusal.message
    return out


def test_one_prepared_kernel_runs_at_many_sizes() -> None:
    prepared = prepare(make_scale_plan(NUMBER, "s1"), build(scale, torch.randn(ROWS, COLUMNS)))
    for sizes in ((6, 40), (3, 64), (50, 7), (2, 2), (6, 40)):
        x = torch.randn(sizes)
        assert torch.equal(run(prepared, [x], sizes), x * 2.5)


def test_a_view_into_a_larger_tensor_is_read_from_its_first_element() -> None:
    base = torch.randn(10, 100)
    view = base[2:8, 10:50]
    task = build(scale, view)
    stride = task.inputs[0].strides[0]
    prepared = prepare(make_scale_plan(NUMBER, stride), task)
    out = torch.full((6, 40), torch.nan)
    assert prepared.run([view], {"s0": 6, "s1": 40, stride: 100}, [out]) is None
    assert torch.equal(out, view * 2.5)


def test_a_host_scalar_is_read_on_each_call() -> None:
    task = build(lambda x, f: x * f, torch.randn(ROWS, COLUMNS), torch.tensor(2.0))
    spec = replace(task.inputs[1], is_host_scalar=True)
    task = replace(task, inputs=(task.inputs[0], spec))
    factor = LaunchArgument("factor", "host_scalar", "fp32", 1)
    prepared = prepare(make_scale_plan(factor, "s1"), task)
    x = torch.randn(ROWS, COLUMNS)
    for value in (torch.tensor(3.0), torch.tensor(-0.5), 4.0):
        assert torch.equal(run(prepared, [x, value], (ROWS, COLUMNS)), x * float(value))


def test_launches_run_in_order_and_share_scratch() -> None:
    task = build(lambda x: x.sum(), torch.randn(ROWS, COLUMNS))
    first = KernelLaunch(
        "sum_rows",
        ("s0", "1", "1"),
        (
            LaunchArgument("x", "input", "*fp32", 0),
            LaunchArgument("scratch", "scratch", "*fp32", 0),
            LaunchArgument("columns", "size", "i32", task.inputs[0].sizes[-1]),
        ),
        (("BLOCK", 64),),
    )
    second = KernelLaunch(
        "sum_all",
        ("1", "1", "1"),
        (
            LaunchArgument("scratch", "scratch", "*fp32", 0),
            LaunchArgument("out", "output", "*fp32", 0),
            LaunchArgument("rows", "size", "i32", "s0"),
        ),
        (("BLOCK", 64),),
    )
    plan = LaunchPlan((first, second), (ScratchBuffer("float32", "s0"),), (None,))
    prepared = prepare(Candidate("triton", SUM_THROUGH_SCRATCH, plan), task)
    x = torch.randn(ROWS, COLUMNS)
    out = torch.tensor(torch.nan)
    assert prepared.run([x], dict(task.hints), [out], scratch_byte=0xFF) is None
    assert torch.allclose(out, x.sum(), atol=1e-5)
    estimate = prepared.estimate(dict(task.hints))
    assert not isinstance(estimate, Refusal)
    assert estimate.latency_us > 0


def test_outputs_are_filled_before_the_first_launch() -> None:
    task = build(lambda x: x + 0.0, torch.randn(COLUMNS))
    launch = KernelLaunch(
        "kernel",
        ("1", "1", "1"),
        (
            LaunchArgument("x", "input", "*fp32", 0),
            LaunchArgument("out", "output", "*fp32", 0),
            LaunchArgument("n", "size", "i32", "s0"),
        ),
        (("BLOCK", 64),),
    )
    plan = LaunchPlan((launch,), output_fills=(7.0,))
    prepared = prepare(Candidate("triton", ADD_EVERY_OTHER, plan), task)
    x, out = torch.randn(COLUMNS), torch.full((COLUMNS,), torch.nan)
    assert prepared.run([x], dict(task.hints), [out]) is None
    assert torch.equal(out[:8], x[:8])
    assert (out[8:] == 7.0).all()


@pytest.mark.parametrize(
    ("change", "sizes", "condition"),
    [
        ({"requires": ("s1 <= 48",)}, {"s0": 6, "s1": 50}, "s1 <= 48"),
        ({}, {"s0": 6, "s1": 100}, "BLOCK == 64"),
    ],
)
def test_sizes_for_which_the_kernel_was_not_compiled_are_refused(
    change: dict[str, tuple[str, ...]], sizes: dict[str, int], condition: str
) -> None:
    candidate = make_scale_plan(NUMBER, "s1", "next_power_of_2(s1)")
    candidate = replace(candidate, plan=replace(candidate.plan, **change))
    prepared = prepare(candidate, build(scale, torch.randn(ROWS, COLUMNS)))
    refusal = prepared.check_sizes(sizes)
    assert refusal is not None
    assert (refusal.code, dict(refusal.evidence)) == (
        "launch.requirement",
        {"condition": condition},
    )
    x = torch.randn(sizes["s0"], sizes["s1"])
    assert prepared.run([x], sizes, [torch.empty_like(x)]) == refusal


def test_a_grid_beyond_the_limit_is_refused() -> None:
    prepared = prepare(make_scale_plan(NUMBER, "s1"), build(scale, torch.randn(ROWS, COLUMNS)))
    refusal = prepared.check_sizes({"s0": 65536, "s1": 2})
    assert refusal is not None
    assert (refusal.code, dict(refusal.evidence)) == ("launch.grid", {"programs": 65536})


def test_a_fault_is_a_refusal_that_shows_the_instruction() -> None:
    task = build(scale, torch.randn(ROWS, COLUMNS))
    prepared = prepare(make_scale_plan(NUMBER, "s1 * 1000000"), task)
    x = torch.randn(ROWS, COLUMNS)
    refusal = prepared.run([x], dict(task.hints), [torch.empty_like(x)])
    assert refusal is not None
    assert refusal.code == "machine.out_of_bounds_read"
    assert "hivm.hir.load" in refusal.message


def test_text_that_is_no_program_is_refused() -> None:
    kernel = CompiledKernel("kernel", "no program", SOC, (), ())
    task = build(scale, torch.randn(ROWS, COLUMNS))
    refusal = MachineTarget(SOC).prepare(task, make_scale_plan(NUMBER, "s1").plan, (kernel,))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "machine.parse_error"


def test_an_estimate_grows_with_the_work_and_samples_large_grids() -> None:
    prepared = prepare(make_scale_plan(NUMBER, "s1"), build(scale, torch.randn(ROWS, COLUMNS)))
    latencies = []
    for rows in (48, 480, 4800, 48000):
        estimate = prepared.estimate({"s0": rows, "s1": 64})
        assert not isinstance(estimate, Refusal)
        latencies.append(estimate.latency_us)
        assert estimate.bytes_read == pytest.approx(rows * 256, rel=0.01)
    assert latencies == sorted(latencies)
    assert latencies[3] == pytest.approx(10 * latencies[2], rel=0.2)


def test_compiled_launches_survive_the_store() -> None:
    task = build(scale, torch.randn(ROWS, COLUMNS))
    candidate = make_scale_plan(NUMBER, "s1")
    kernels = compile_candidate(candidate, task, dict(task.hints), SOC)
    assert not isinstance(kernels, Refusal)
    artifacts = pack_kernels((*kernels, *kernels))
    assert [artifact.name for artifact in artifacts] == ["launch-0.json", "launch-1.json"]
    assert unpack_kernels(artifacts[::-1]) == (*kernels, *kernels)


def test_a_missing_launch_is_an_error() -> None:
    with pytest.raises(KeyError):
        unpack_kernels((Artifact("launch-1.json", b"{}"),))
