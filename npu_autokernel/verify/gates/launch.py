"""Gate `launch`: can the kernel be launched at the asked sizes? Conditions, constants, grid; programs decoded."""

from __future__ import annotations

from dataclasses import replace

from npu_autokernel.reasons import Refusal
from npu_autokernel.targets.machine_target import MachineTarget
from npu_autokernel.verify.progress import Failure, Progress


def prepare_launches(progress: Progress) -> Progress | Failure:
    """Add the prepared kernel, or fail with a `launch.*` or `machine.parse_error` code."""
    request = progress.request
    target = MachineTarget(request.soc)
    prepared = target.prepare(request.task, request.candidate.plan, progress.kernels)
    if isinstance(prepared, Refusal):
        return Failure(prepared)
    refusal = prepared.check_sizes(dict(request.task.hints))
    return replace(progress, prepared=prepared) if refusal is None else Failure(refusal)
