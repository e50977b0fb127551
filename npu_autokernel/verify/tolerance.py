"""How far an output may be from the golden: scale-aware limits, with eager's own error as the yardstick.

The error of an element is |got - golden| / max(|golden|, rms / 16), where rms is that of the golden's finite
elements: relative for values of ordinary size, absolute on the output's own scale for small ones. So an output of
tiny values (a softmax over a long row) is judged as strictly as one of large values, and zeros never pass.

Limits by dtype of the output, for the maximum and the mean of the error:

    float32   2^-13 and 2^-16    a float16 product inside gives a mean of 1.7e-4 = 2^-12.5
    float16   10 * 2^-10 and 2^-10
    bfloat16  10 * 2^-7  and 2^-7

or eight times eager's own error on the same data, where that is larger: a kernel need not be better than eager
where eager itself is far from the golden. Integers and bools must be equal. NaN must be where the golden has NaN;
infinities must be equal, and where eager overflows and the golden does not, either is right.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from npu_autokernel.verdict import Mismatch

SMALL_SHARE = 1.0 / 16.0
EAGER_FACTOR = 8.0
MAX_LIMITS = {torch.float32: 2.0**-13, torch.float16: 10 * 2.0**-10, torch.bfloat16: 10 * 2.0**-7}
MEAN_LIMITS = {torch.float32: 2.0**-16, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
SHOWN_MISMATCHES = 5


@dataclass(frozen=True)
class Judgement:
    """One output against its golden.

    `reason` is `ok`, `match.mismatch` or `match.nan_pattern`; `limit` is that of the maximum. `judged` counts the
    elements compared.
    """

    reason: str
    max_error: float
    limit: float
    mean_error: float
    wrong: int
    judged: int
    mismatches: tuple[Mismatch, ...] = ()


@dataclass(frozen=True)
class Expectation:
    """What one output should be: golden (float64, or exact), eager's result, and which elements count."""

    output: int
    golden: torch.Tensor
    eager: torch.Tensor
    keep: torch.Tensor | None

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
        return Judgement(reason, max_error, 0.0, max_error, count, got.numel(), shown)

    def _judge_floats(self, got: torch.Tensor) -> Judgement:
        value, golden, eager = got.double(), self.golden.double(), self.eager.double()
        kept = torch.ones_like(golden, dtype=torch.bool) if self.keep is None else self.keep
        nan_wrong = self._find_wrong_nan(value, golden, eager, got.dtype) & kept
        if bool(nan_wrong.any()):
            shown = _show(self.output, golden, value, nan_wrong)
            count = int(nan_wrong.sum())
            return Judgement("match.nan_pattern", float("inf"), 0.0, 0.0, count, count, shown)
        judged = kept & golden.isfinite() & (golden.abs() < _largest(got.dtype))
        judged &= eager.isfinite()
        return self._judge_finite(value, golden, eager, judged, got.dtype)

    @staticmethod
    def _find_wrong_nan(
        value: torch.Tensor, golden: torch.Tensor, eager: torch.Tensor, dtype: torch.dtype
    ) -> torch.Tensor:
        """NaN where there should be none or none where there should be one; likewise infinities."""
        rounded = golden.to(dtype).double()
        same = (value.isnan() == rounded.isnan()) & (value.isinf() == rounded.isinf())
        like_eager = (value.isnan() == eager.isnan()) & (value.isinf() == eager.isinf())
        sign = (value.sign() == rounded.sign()) | ~value.isinf()
        at_the_edge = golden.isfinite() & (golden.abs() >= _largest(dtype))
        return ~((same & sign) | (like_eager & ~eager.isfinite()) | at_the_edge)

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
            return Judgement("ok", 0.0, MAX_LIMITS[dtype], 0.0, 0, 0)
        scale = golden.abs().clamp(min=_find_small(golden[judged]))
        error = torch.where(judged, (value - golden).abs() / scale, 0.0)
        eager_error = torch.where(judged, (eager - golden).abs() / scale, 0.0)
        limit = max(MAX_LIMITS[dtype], EAGER_FACTOR * float(eager_error.max()))
        mean_limit = max(MEAN_LIMITS[dtype], EAGER_FACTOR * float(eager_error.sum()) / count)
        wrong = error > limit
        mean = float(error.sum()) / count
        is_wrong = bool(wrong.any()) or mean > mean_limit
        shown = _show(self.output, golden, value, wrong if bool(wrong.any()) else error > mean)
        return Judgement(
            "match.mismatch" if is_wrong else "ok",
            float(error.max()),
            limit,
            mean,
            int(wrong.sum()),
            count,
            shown if is_wrong else (),
        )


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
