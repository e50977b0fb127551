"""The verifier: gates in order of cost, and a loop over them. Runs in a worker process only.

    source   text and plan against the vocabulary and the task
    compile  front end and compiler, for every launch
    launch   conditions, constants and grid at the asked sizes; programs decoded
    machine  \\ per case (`cases.py`): run with poisoned outputs, then compare with
    match    /  eager and the float64 golden
    time     the estimate at the asked sizes and its two bounds

The first failure decides. `verify` never raises for what a candidate does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

from npu_autokernel.machine.soc import get_soc
from npu_autokernel.verify.cases import list_cases
from npu_autokernel.verify.gates.compile import compile_launches
from npu_autokernel.verify.gates.launch import prepare_launches
from npu_autokernel.verify.gates.match import check_informative, match_case
from npu_autokernel.verify.gates.run import run_case
from npu_autokernel.verify.gates.source import check_source
from npu_autokernel.verify.gates.time import measure_kernel
from npu_autokernel.verify.progress import Failure, Gate, Progress
from npu_autokernel.verify.reply import GateTimes, quote_source, reply_passed, reply_refused
from npu_autokernel.verify.request import VerifyReply, VerifyRequest

EARLY_GATES: tuple[tuple[str, Gate], ...] = (
    ("source", check_source),
    ("compile", compile_launches),
    ("launch", prepare_launches),
)
LATE_GATES: tuple[tuple[str, Gate], ...] = (
    ("match", check_informative),
    ("time", measure_kernel),
)


def verify(request: VerifyRequest) -> VerifyReply:
    """The verdict on one candidate, with measurement and compiled launches when every gate passed.

    Raises UnknownSocError, and MemoryError where the process runs out of it.
    """
    progress = Progress(request)
    times: dict[str, float] = {}
    for name, gate in _list_gates(request):
        started = time.perf_counter()
        result = gate(progress)
        times[name] = times.get(name, 0.0) + time.perf_counter() - started
        if isinstance(result, Failure):
            return _refuse(request, result, tuple(times.items()))
        progress = result
    return _pass(progress, tuple(times.items()))


def _list_gates(request: VerifyRequest) -> Iterator[tuple[str, Gate]]:
    yield from EARLY_GATES
    plan, soc = request.candidate.plan, get_soc(request.soc)
    for case in list_cases(request.task, plan, soc, request.depth, request.seed):
        yield "machine", partial(run_case, case=case)
        yield "match", match_case
    yield from LATE_GATES


def _refuse(request: VerifyRequest, failure: Failure, times: GateTimes) -> VerifyReply:
    refusal = quote_source(failure.refusal, request.candidate.source)
    return reply_refused(refusal, request.depth, failure.mismatches, times, failure.measurement)


def _pass(progress: Progress, times: GateTimes) -> VerifyReply:
    assert progress.measurement is not None
    tally = progress.tally
    evidence: dict[str, int | float | str] = {
        "cases": tally.cases,
        "shapes": " ".join("x".join(map(str, shape)) for shape in tally.shapes),
        "skipped": tally.skipped,
        "left_out_share": tally.left_out_share,
        "max_error": tally.max_error,
    }
    return reply_passed(
        progress.request.depth, evidence, times, progress.measurement, progress.kernels
    )
