"""The time gate: the measurement of an honest kernel, and an estimate that cannot be true."""

from __future__ import annotations

from dataclasses import replace

from npu_autokernel.machine.soc import CLOCK_VERSION
from npu_autokernel.reasons import Refusal
from npu_autokernel.targets.machine_target import MachineTarget
from npu_autokernel.toolchain.triton_ascend import compile_candidate
from npu_autokernel.verify.gates.time import measure_kernel
from npu_autokernel.verify.progress import Failure, Progress
from npu_autokernel.verify.request import VerifyRequest
from tests.verify.corpus import FOLDER, load_kernel

SOC = "Ascend910B1"
LARGE = (("s0", 4096), ("s1", 4096))


def prepare(name: str, grid: str) -> Progress:
    """The progress of a corpus kernel at 64 MiB, before its time gate."""
    kernel = load_kernel(FOLDER / name)
    task = replace(kernel.task, hints=LARGE)
    (launch,) = kernel.candidate.plan.launches
    plan = replace(kernel.candidate.plan, launches=(replace(launch, grid=(grid, "1", "1")),))
    candidate = replace(kernel.candidate, plan=plan)
    kernels = compile_candidate(candidate, task, dict(LARGE), SOC)
    assert not isinstance(kernels, Refusal)
    prepared = MachineTarget(SOC).prepare(task, plan, kernels)
    assert not isinstance(prepared, Refusal)
    return Progress(VerifyRequest(task, candidate, "screen", SOC), kernels, prepared)


def test_a_measurement_says_where_it_comes_from_and_lies_above_the_roofline() -> None:
    result = measure_kernel(prepare("honest/double.triton", "ceildiv(s0 * s1, 1024)"))
    assert isinstance(result, Progress)
    measurement = result.measurement
    assert measurement is not None
    assert (measurement.provenance, measurement.clock_version) == ("machine", CLOCK_VERSION)
    assert measurement.latency_us > measurement.roofline.with_launch_us
    assert measurement.bytes_read == measurement.bytes_written == 4 * 4096 * 4096
    assert dict(measurement.pipe_busy_us)["mte2"] > 0


def test_an_estimate_below_the_roofline_is_an_error_of_the_clock() -> None:
    result = measure_kernel(prepare("cheats/half_grid.triton", "1"))
    assert isinstance(result, Failure)
    assert result.refusal.code == "time.below_roofline"
    assert result.measurement is not None
    evidence = dict(result.refusal.evidence)
    assert evidence["latency_us"] < evidence["roofline_us"]  # type: ignore[operator]
