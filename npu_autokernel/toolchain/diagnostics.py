"""What the front end and the compiler say, turned into reason codes: one table, first match wins.

Each row: a pattern over the tool's output, the code, and evidence. Evidence values are literals, or the number of
a group of the pattern, read as an integer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Union

from npu_autokernel.reasons import Refusal, refuse

MAX_DETAIL = 240


@dataclass(frozen=True)
class Group:
    """Evidence taken from a group of the pattern."""

    number: int
    is_integer: bool = True


Evidence = Union[str, Group]


@dataclass(frozen=True)
class DiagnosticRule:
    """One row of the table."""

    pattern: re.Pattern[str]
    code: str
    evidence: tuple[tuple[str, Evidence], ...]


def _rule(pattern: str, code: str, **evidence: Evidence) -> DiagnosticRule:
    return DiagnosticRule(re.compile(pattern), code, tuple(evidence.items()))


_OVERFLOW = r"\b{} overflow, requires (\d+) bits while (\d+) bits available"
_NEED = {"needed_bits": Group(1), "available_bits": Group(2)}

RULES = (
    _rule(_OVERFLOW.format("ub"), "compile.ub_overflow", **_NEED),
    _rule(_OVERFLOW.format("cbuf"), "compile.l1_overflow", **_NEED),
    _rule(_OVERFLOW.format("cc"), "compile.l0c_overflow", **_NEED),
    _rule(r"TRITON_MAX_TENSOR_NUMEL = (\d+)", "compile.tensor_too_large", limit=Group(1)),
    _rule(
        r"exceeds triton maximum tensor numel \((\d+)\)", "compile.tensor_too_large", limit=Group(1)
    ),
    _rule(
        r"\[fp8, fp64\] is unsupported on Ascend",
        "compile.unsupported_dtype",
        dtype="float64 or float8",
    ),
    _rule(r"unexpected type fp8", "compile.unsupported_dtype", dtype="float8"),
    _rule(
        r"unsupported datatype for (arith::\w+) to hfusion",
        "compile.unsupported_dtype",
        dtype="float64",
    ),
    _rule(r"Expected dtype .* but got (\w+)", "compile.unsupported_dtype", dtype=Group(1, False)),
    _rule(
        r"input arg type does not match.*got \(triton\.language\.(\w+)",
        "compile.unsupported_dtype",
        dtype=Group(1, False),
    ),
    _rule(
        r"only supports float32, but got (\w+)", "compile.unsupported_dtype", dtype=Group(1, False)
    ),
    _rule(
        r"'hivm\.hir\.vcast' op currently don't support (cast \w+)_\w+mode",
        "compile.unsupported_dtype",
        dtype=Group(1, False),
    ),
    _rule(
        r"unsupported hfusion::CompareFn",
        "compile.unsupported_dtype",
        dtype="an unsigned comparison (compare as int32)",
    ),
    _rule(
        r"unsupported hfusion binary operation kind",
        "compile.unsupported_dtype",
        dtype="an unsigned remainder (compute it in int32)",
    ),
    _rule(
        r"'hfusion\.histogram' op input element type must be i32 or i64",
        "compile.unsupported_dtype",
        dtype="a histogram of other than int32 or int64",
    ),
    _rule(
        r"'hivm\.hir\.vsort' op failed to verify",
        "compile.unsupported_dtype",
        dtype="an integer sort (cast to float32 first)",
    ),
    _rule(
        r"input_precision == (tf32\w*) or tf32x3 is invalid",
        "compile.unsupported_op",
        detail="tl.dot with input_precision tf32 (use 'hf32' or 'ieee')",
    ),
    _rule(
        r"tt\.sort only supports sorting along the last dimension",
        "compile.unsupported_op",
        detail="tl.sort along another dimension than the last (transpose first)",
    ),
    _rule(
        r"operation being parsed with an unregistered dialect",
        "compile.unsupported_op",
        detail="tl.reduce over several operands or to a product of integers "
        "(split it into reductions of one operand, or compute in float32)",
    ),
    _rule(
        r"'(hivm\.hir\.\w+)' op failed to verify that .* element type",
        "compile.unsupported_dtype",
        dtype=Group(1, False),
    ),
    _rule(
        r"expected offsets to be non-negative",
        "compile.unsupported_op",
        detail="a load at a negative offset (clamp the offsets, the mask does not help)",
    ),
    _rule(
        r"failed to legalize operation '([\w.]+)'", "compile.unsupported_op", detail=Group(1, False)
    ),
    _rule(
        r"Did you forget to add @triton\.jit \? \(`_builder`",
        "compile.unsupported_op",
        detail="a libdevice function that this front end cannot call (write it with tl operations)",
    ),
)

_LOCATION = re.compile(r"^at (\d+):\d+:$", re.MULTILINE)
_LLVM_ERROR = re.compile(r"LLVM ERROR: (.+)")
_ASSERTION = re.compile(r"Assertion [`'](.+?)' failed")
_ERROR_LINE = re.compile(r"error: (.+)")
_UNINFORMATIVE = ("External hivmc run fails", "Failed to run BiSheng")


def explain_front_end(text: str, first_line: int) -> Refusal:
    """The reason for a front-end error `text`; `first_line` is the line of the function in the source."""
    known = _match_rules(text)
    if known is not None:
        return known
    location = _LOCATION.search(text)
    line = first_line + int(location.group(1)) - 1 if location else first_line
    return refuse("compile.front_end", line=line, detail=_last_line(text))


def explain_tool(text: str, signal_name: str) -> Refusal:
    """The reason for a failed tool with output `text`; `signal_name` is not empty when a signal ended it."""
    known = _match_rules(text)
    if known is not None:
        return known
    if signal_name:
        return refuse("compile.abort", detail=_find_abort_detail(text) or signal_name)
    errors = [line for line in _ERROR_LINE.findall(text) if not _is_uninformative(line)]
    return refuse("compile.failed", detail=_clip(errors[0]) if errors else "no dump and no message")


def _match_rules(text: str) -> Refusal | None:
    for rule in RULES:
        match = rule.pattern.search(text)
        if match is not None:
            evidence = {name: _read_evidence(match, value) for name, value in rule.evidence}
            return refuse(rule.code, **evidence)
    return None


def _read_evidence(match: re.Match[str], value: Evidence) -> int | str:
    if isinstance(value, str):
        return value
    text = match.group(value.number)
    return int(text) if value.is_integer else text


def _find_abort_detail(text: str) -> str | None:
    match = _LLVM_ERROR.search(text) or _ASSERTION.search(text)
    return _clip(match.group(1)) if match else None


def _is_uninformative(line: str) -> bool:
    return any(text in line for text in _UNINFORMATIVE)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return _clip(lines[-1]) if lines else "no message"


def _clip(text: str) -> str:
    text = text.strip()
    return text if len(text) <= MAX_DETAIL else text[: MAX_DETAIL - 3] + "..."
