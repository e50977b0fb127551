"""Gate `compile`: every launch through the front end and the Ascend compiler, constants for the asked shape."""

from __future__ import annotations

from dataclasses import replace

from npu_autokernel.reasons import Refusal
from npu_autokernel.toolchain.triton_ascend import compile_candidate
from npu_autokernel.verify.progress import Failure, Progress


def compile_launches(progress: Progress) -> Progress | Failure:
    """Add the compiled kernels, or fail with a `compile.*` code."""
    request = progress.request
    symbols = dict(request.task.hints)
    kernels = compile_candidate(request.candidate, request.task, symbols, request.soc)
    if isinstance(kernels, Refusal):
        return Failure(kernels)
    return replace(progress, kernels=kernels)
