"""Gate `time`: the machine's estimate at the asked shape, and the bounds it is read against."""

from __future__ import annotations

from dataclasses import replace

from npu_autokernel.machine.soc import get_soc
from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.verify.bounds import bound_by_expert_eager, bound_by_roofline, count_traffic
from npu_autokernel.verify.progress import Failure, Progress


def measure_kernel(progress: Progress) -> Progress | Failure:
    """Add the measurement. An estimate below the roofline is an error of the clock: `time.below_roofline`."""
    request = progress.request
    assert progress.prepared is not None
    soc = get_soc(request.soc)
    symbols = dict(request.task.hints)
    estimate = progress.prepared.estimate(symbols)
    if isinstance(estimate, Refusal):
        return Failure(estimate)
    traffic = count_traffic(request.task, symbols)
    measurement = Measurement(
        latency_us=estimate.latency_us,
        provenance="machine",
        clock_version=estimate.clock_version,
        soc=request.soc,
        bottleneck=estimate.bottleneck,
        accuracy_class=estimate.accuracy_class,
        bytes_read=estimate.bytes_read,
        bytes_written=estimate.bytes_written,
        flops=traffic.flops,
        roofline=bound_by_roofline(traffic, soc),
        expert_eager=bound_by_expert_eager(request.task, symbols, soc),
        pipe_busy_us=estimate.pipe_busy_us,
    )
    if measurement.latency_us < measurement.roofline.with_launch_us:
        refusal = refuse(
            "time.below_roofline",
            latency_us=round(measurement.latency_us, 3),
            roofline_us=round(measurement.roofline.with_launch_us, 3),
        )
        return Failure(refusal, measurement=measurement)
    return replace(progress, measurement=measurement)
