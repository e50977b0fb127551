"""Building replies: a refusal or a success as a VerifyReply."""

from __future__ import annotations

from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal, explain_reason, refuse
from npu_autokernel.verdict import Mismatch, Verdict
from npu_autokernel.verify.request import Depth, VerifyReply

MAX_SOURCE_TEXT = 120
GateTimes = tuple[tuple[str, float], ...]


def reply_refused(
    refusal: Refusal,
    depth: Depth,
    mismatches: tuple[Mismatch, ...] = (),
    gate_times_s: GateTimes = (),
    measurement: Measurement | None = None,
) -> VerifyReply:
    """The reply for a candidate that a gate refused; the reason's row names the gate."""
    verdict = Verdict(
        reason=refusal.code,
        gate=explain_reason(refusal.code).gate,
        depth=depth,
        message=refusal.message,
        evidence=refusal.evidence,
        mismatches=mismatches,
        gate_times_s=gate_times_s,
    )
    return VerifyReply(verdict, measurement)


def quote_source(refusal: Refusal, source: str) -> Refusal:
    """The refusal with `source_text`, the line of the source that its `source_line` names, if it names one."""
    evidence, lines = dict(refusal.evidence), source.splitlines()
    line = evidence.get("source_line")
    if not isinstance(line, int) or not 0 < line <= len(lines):
        return refusal
    return refuse(
        refusal.code, **{**evidence, "source_text": lines[line - 1].strip()[:MAX_SOURCE_TEXT]}
    )


def reply_passed(
    depth: Depth,
    evidence: dict[str, int | float | str],
    gate_times_s: GateTimes,
    measurement: Measurement,
    kernels: tuple[CompiledKernel, ...],
) -> VerifyReply:
    """The reply for a candidate that passed every gate."""
    passed = refuse("ok", **evidence)
    verdict = Verdict("ok", "", depth, passed.message, passed.evidence, gate_times_s=gate_times_s)
    return VerifyReply(verdict, measurement, kernels)
