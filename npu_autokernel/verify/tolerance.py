"""How far an output may be from the golden: scale-aware limits, with eager's own error as the yardstick.

The error of an element is |got - golden| / max(|golden|, rms / 16), where rms is that of the golden's finite
elements: relative for values of ordinary size, absolute on the output's own scale for small ones. So an output of
tiny values (a softmax over a long row) is judged as strictly as one of large values, and zeros never pass.

Limits by dtype of the output, for the maximum and the mean of the error:

    float32   2^-13 and 2^-16    a float16 product inside gives a mean of 1.7e-4 = 2^-12.5
    float16   10 * 2^-10 and 2^-10
    bfloat16  10 * 2^-7  and 2^-7

or eight times the yardstick where that is larger: eager's own error on the same data, and, for data where the task
itself is ill-conditioned, how much the golden moves when each float32 input moves by one unit in the last place. A
kernel need not be better than that. Integers and bools must be equal. NaN must be where the golden has NaN;
infinities must be equal, and where eager overflows and the golden does not, either is right. A golden at the end of
the dtype's range or beyond is met by that end, by infinity, or by what eager gives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from npu_autokernel.verdict import Mismatch

SMALL_SHARE = 1.0 / 16.0
YARDSTICK_FACTOR = 8.0
MAX_LIMITS = {torch.float32: 2.0**-13, torch.float16: 10 * 2.0**-10, torch.bfloat16: 10 * 2.0**-7}
MEAN_LIMITS = {torch.float32: 2.0**-16, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
SHOWN_MISMATCHES = 5


@dataclass(frozen=True)
class Judgement:
    """One output against its golden.

    `reason` is `ok`, `match.mismatch` or `match.nan_pattern`. `wrong` elements are beyond the limit of the maximum;
    `judged` counts the elements compared.
    """

    reason: str
    max_error: float
    limit: float
    mean_error: float
    mean_limit: float
    wrong: int
    judged: int
    mismatches: tuple[Mismatch, ...] = ()


@dataclass(frozen=True)
class Expectation:
    """What one output should be: golden (float64, or exact), eager's result, and which elements count.

    `slack` is how far the golden moves with the inputs' last place, where that was asked for.
    """

    output: int
    golden: torch.Tensor
    eager: torch.Tensor
    keep: torch.Tensor | None
    slack: torch.Tensor | None = None

    def judge(self, got: torch.Tensor) -> Judgement:
        """Compare `got`, of the output's dtype and shape, with the golden."""
        if not got.dtype.is_floating_point:
            return self._judge_exact(got)
        return self._judge_floats(got)

    def _judge_exact(self, got: torch.Tensor) -> Judgement:
        wrong = got.to(self.golden.dtype) != self.golden
        if self.keep is not None:
            wrong &= self.keep
        count = int(wrong.sum())
        reason = "match.mismatch" if count else "ok"
        difference = (got.double() - self.golden.double()).abs()
        max_error = float(difference[wrong].max()) if count else 0.0
        shown = _show(self.output, self.golden, got, wrong)
        return Judgement(reason, max_error, 0.0, max_error, 0.0, count, got.numel(), shown)

    def _judge_floats(self, got: torch.Tensor) -> Judgement:
        value, golden, eager = got.double(), self.golden.double(), self.eager.double()
        kept = torch.ones_like(golden, dtype=torch.bool) if self.keep is None else self.keep
        nan_wrong = self._find_wrong_nan(value, golden, eager, got.dtype) & kept
        if bool(nan_wrong.any()):
            shown = _show(self.output, golden, value, nan_wrong)
            count = int(nan_wrong.sum())
            return Judgement("match.nan_pattern", math.inf, 0.0, 0.0, 0.0, count, count, shown)
        judged = kept & golden.isfinite() & (golden.abs() < _largest(got.dtype))
        judged &= eager.isfinite()
        return self._judge_finite(value, golden, eager, judged, got.dtype)

    @staticmethod
    def _find_wrong_nan(
        value: torch.Tensor, golden: torch.Tensor, eager: torch.Tensor, dtype: torch.dtype
    ) -> torch.Tensor:
        """NaN where there should be none or none where there should be one; likewise infinities."""
        right = _equal_specials(value, golden.to(dtype).double())
        like_eager = golden.isfinite() & ~eager.isfinite() & _equal_specials(value, eager)
        at_the_edge = golden.isfinite() & (golden.abs() >= _largest(dtype))
        beyond = _reaches_edge(value, golden, dtype) | (value.isnan() & ~eager.isfinite())
        return ~torch.where(at_the_edge, beyond | _is_near(value, eager), right | like_eager)

    def _judge_finite(
        self,
        value: torch.Tensor,
        golden: torch.Tensor,
        eager: torch.Tensor,
        judged: torch.Tensor,
        dtype: torch.dtype,
    ) -> Judgement:
        count = int(judged.sum())
        if count == 0:
            return Judgement("ok", 0.0, MAX_LIMITS[dtype], 0.0, MEAN_LIMITS[dtype], 0, 0)
        scale = golden.abs().clamp(min=_find_small(golden[judged]))
        error = torch.where(judged, (value - golden).abs() / scale, 0.0)
        yardstick = (eager - golden).abs()
        if self.slack is not None:
            yardstick = torch.maximum(yardstick, self.slack)
        yardstick = torch.where(judged, yardstick / scale, 0.0)
        limit = max(MAX_LIMITS[dtype], YARDSTICK_FACTOR * float(yardstick.max()))
        mean_limit = max(MEAN_LIMITS[dtype], YARDSTICK_FACTOR * float(yardstick.sum()) / count)
        beyond = error > limit
        mean = float(error.sum()) / count
        is_wrong = bool(beyond.any()) or mean > mean_limit
        shown = _show(self.output, golden, value, beyond if bool(beyond.any()) else error > mean)
        return Judgement(
            "match.mismatch" if is_wrong else "ok",
            float(error.max()),
            limit,
            mean,
            mean_limit,
            int(beyond.sum()),
            count,
            shown if is_wrong else (),
        )


def _equal_specials(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Where both are NaN, both the same infinity, or both finite."""
    infinite = left.isinf() | right.isinf()
    return (left.isnan() == right.isnan()) & ~(infinite & (left != right))


def _reaches_edge(value: torch.Tensor, golden: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Where a golden at the end of the dtype's range, or beyond it, is met: that end, or its infinity."""
    return value * golden.sign() >= (1.0 - MAX_LIMITS[dtype]) * _largest(dtype)


def _is_near(value: torch.Tensor, eager: torch.Tensor) -> torch.Tensor:
    return eager.isfinite() & ((value - eager).abs() <= SMALL_SHARE * eager.abs())


def _find_small(finite: torch.Tensor) -> float:
    rms = float(finite.square().mean().sqrt())
    return max(SMALL_SHARE * rms, torch.finfo(torch.float64).tiny)


def _largest(dtype: torch.dtype) -> float:
    return 0.999 * torch.finfo(dtype).max


def _show(
    output: int, golden: torch.Tensor, got: torch.Tensor, wrong: torch.Tensor
) -> tuple[Mismatch, ...]:
    return tuple(
        Mismatch(output, tuple(index), float(golden[tuple(index)]), float(got[tuple(index)]))
        for index in wrong.nonzero()[:SHOWN_MISMATCHES].tolist()
    )
