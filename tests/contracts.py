"""One example of each value that is handed over, used by the golden tests."""

from __future__ import annotations

from npu_autokernel.candidate import (
    Candidate,
    KernelLaunch,
    LaunchArgument,
    LaunchPlan,
    Provenance,
    ScratchBuffer,
)
from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.graph.task import (
    DTypeArg,
    KernelTask,
    OpCall,
    SizeArg,
    TaskOutput,
    TensorSpec,
    ValueRef,
)
from npu_autokernel.measurement import Bound, Measurement
from npu_autokernel.verdict import Mismatch, Verdict

ROWS = TensorSpec("float16", ("s0", "s1"), ("s1", "1"))
WIDE_ROWS = TensorSpec("float32", ("s0", "s1"), ("s1", "1"))

TASK = KernelTask(
    inputs=(
        ROWS,
        TensorSpec("float16", ("1", "s1"), ("0", "1")),
        TensorSpec("float64", (), (), True),
    ),
    ops=(
        OpCall("v0", "aten.add.Tensor", (ValueRef("x0"), ValueRef("x1")), (("alpha", 2),), (ROWS,)),
        OpCall("v1", "aten.mul.Tensor", (ValueRef("v0"), ValueRef("x2")), (), (ROWS,)),
        OpCall(
            "v2",
            "aten._to_copy.default",
            (ValueRef("v1"),),
            (("dtype", DTypeArg("float32")),),
            (WIDE_ROWS,),
        ),
        OpCall(
            "v3",
            "aten.sum.dim_IntList",
            (ValueRef("v2"), (1,), True),
            (),
            (TensorSpec("float32", ("s0", "1"), ("1", "0")),),
        ),
    ),
    outputs=(TaskOutput(ValueRef("v3"), TensorSpec("float32", ("s0", "1"), ("1", "0"))),),
    family="reduction",
    numerics="float32",
    index_bits=32,
    hints=(("s0", 128), ("s1", 1000)),
)

CANDIDATE = Candidate(
    language="triton",
    source="@triton.jit\ndef row_sum(x0, out0, s0, s1, BLOCK: tl.constexpr):\n    pass\n",
    plan=LaunchPlan(
        launches=(
            KernelLaunch(
                entry="row_sum",
                grid=("min(num_cores, s0)", "1", "1"),
                arguments=(
                    LaunchArgument("x0", "input", "*fp16", 0),
                    LaunchArgument("out0", "output", "*fp32", 0),
                    LaunchArgument("s0", "size", "i32", "s0"),
                    LaunchArgument("s1", "size", "i32", "s1"),
                    LaunchArgument("eps", "number", "fp32", 1e-5),
                ),
                constants=(("BLOCK", 1024), ("HALF", "next_power_of_2(s1) // 2")),
            ),
        ),
        scratch=(ScratchBuffer("float32", "s0 * num_cores", 0.0),),
        output_fills=(None,),
        requires=("s1 <= 1024",),
    ),
    schedule=(("block", 1024), ("passes", 1)),
    compiler_options=(("multi_buffer", True),),
    provenance=Provenance("built-in", None, ("item-1",)),
)

VERDICT = Verdict(
    reason="match.mismatch",
    gate="match",
    depth="screen",
    message="Output 0 differs from the golden: max error 0.5, limit 0.001, 1 of 128 elements.",
    evidence=(("elements", 128), ("limit", 0.001), ("max_error", 0.5), ("output", 0), ("wrong", 1)),
    mismatches=(Mismatch(0, (3, 0), 1.0, 1.5),),
    gate_times_s=(("compile", 0.1), ("match", 0.02)),
)

MEASUREMENT = Measurement(
    latency_us=12.5,
    provenance="machine",
    clock_version="1",
    soc="Ascend910B1",
    bottleneck="bandwidth",
    accuracy_class="mixed",
    bytes_read=256000,
    bytes_written=512,
    flops=128000,
    roofline=Bound(0.2, 7.2),
    expert_eager=Bound(0.6, 21.6),
    pipe_busy_us=(("MTE2", 3.0), ("V", 1.5)),
)

COMPILED_KERNEL = CompiledKernel(
    entry="row_sum",
    text='"builtin.module"() ({\n}) : () -> ()\n',
    soc="Ascend910B1",
    parameters=("x0", "out0", "s0", "s1", "eps"),
    constants=(("BLOCK", 1024), ("HALF", 512)),
    lost=("multi_buffer",),
)

SIZE_ARGUMENT = SizeArg("s0 * s1")
