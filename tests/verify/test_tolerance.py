"""The limits: what passes, what does not, and that neither zeros nor NaN nor small outputs slip through."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.verify.tolerance import Expectation

DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def expect(golden: torch.Tensor, dtype: torch.dtype = torch.float32) -> Expectation:
    return Expectation(0, golden.double(), golden.to(dtype), None)


def draw(scale: float = 1.0, count: int = 4096) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(count, generator=generator, dtype=torch.float64) * scale


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 100.0])
def test_rounding_to_the_dtype_passes(dtype: torch.dtype, scale: float) -> None:
    golden = draw(scale)
    assert expect(golden, dtype).judge(golden.to(dtype)).reason == "ok"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 100.0])
def test_zeros_never_pass(dtype: torch.dtype, scale: float) -> None:
    zeros = torch.zeros(4096, dtype=dtype)
    assert expect(draw(scale), dtype).judge(zeros).reason == "match.mismatch"


@pytest.mark.parametrize(
    ("dtype", "lower"), [(torch.float32, torch.float16), (torch.float32, torch.bfloat16)]
)
def test_lower_precision_than_declared_is_refused(dtype: torch.dtype, lower: torch.dtype) -> None:
    golden = draw()
    assert expect(golden, dtype).judge(golden.to(lower).to(dtype)).reason == "match.mismatch"


@given(st.integers(0, 4095), st.floats(0.001, 100.0))
def test_one_wrong_element_is_found_and_shown(index: int, error: float) -> None:
    golden = draw()
    got = golden.float()
    got[index] += error
    judgement = expect(golden).judge(got)
    assert (judgement.reason, judgement.wrong) == ("match.mismatch", 1)
    assert judgement.mismatches[0].index == (index,)
    assert judgement.mismatches[0].got == got[index].item()


def test_many_small_errors_are_found_by_their_mean() -> None:
    golden = draw()
    judgement = expect(golden).judge((golden * (1 + 5e-5)).float())
    assert judgement.max_error < judgement.limit
    assert judgement.reason == "match.mismatch"
    assert judgement.mean_error > judgement.mean_limit


def test_a_kernel_need_not_be_better_than_eager() -> None:
    golden = draw()
    eager = (golden * (1 + 1e-3)).float()
    expectation = Expectation(0, golden, eager, None)
    assert expectation.judge((golden * (1 - 1e-3)).float()).reason == "ok"
    assert expectation.judge((golden * (1 - 1e-1)).float()).reason == "match.mismatch"


def test_sensitivity_of_the_task_widens_the_limit() -> None:
    golden = draw()
    got = (golden + 1e-3).float()
    strict = Expectation(0, golden, golden.float(), None)
    lenient = Expectation(0, golden, golden.float(), None, torch.full_like(golden, 1e-3))
    assert strict.judge(got).reason == "match.mismatch"
    assert lenient.judge(got).reason == "ok"


def test_nan_must_be_where_the_golden_has_it() -> None:
    golden = draw()
    golden[7] = math.nan
    expectation = expect(golden)
    assert expectation.judge(golden.float()).reason == "ok"
    swallowed = golden.float().nan_to_num(0.0)
    spread = golden.float()
    spread[8] = math.nan
    assert expectation.judge(swallowed).reason == "match.nan_pattern"
    assert expectation.judge(spread).reason == "match.nan_pattern"


def test_infinities_must_have_the_sign_of_the_golden() -> None:
    golden = draw()
    golden[7] = math.inf
    got = golden.float()
    got[7] = -math.inf
    assert expect(golden).judge(golden.float()).reason == "ok"
    assert expect(golden).judge(got).reason == "match.nan_pattern"


def test_where_eager_overflows_and_the_golden_does_not_either_is_right() -> None:
    golden = draw()
    eager = golden.float()
    eager[7] = math.inf
    expectation = Expectation(0, golden, eager, None)
    assert expectation.judge(eager).reason == "ok"
    assert expectation.judge(golden.float()).reason == "ok"


@pytest.mark.parametrize("dtype", DTYPES)
def test_at_the_end_of_the_range_that_end_and_infinity_are_right_and_nothing_else(
    dtype: torch.dtype,
) -> None:
    largest = torch.finfo(dtype).max
    for golden_value in (largest, 1e3 * largest):
        golden = draw()
        golden[7] = -golden_value
        expectation = expect(golden, dtype)
        got = golden.to(dtype)
        for right in (-largest, -math.inf):
            got[7] = right
            assert expectation.judge(got).reason == "ok"
        for wrong in (0.0, largest, math.inf):
            got[7] = wrong
            assert expectation.judge(got).reason == "match.nan_pattern"


def test_at_the_end_of_the_range_nan_is_right_only_where_eager_overflows() -> None:
    golden = draw()
    golden[7] = torch.finfo(torch.float32).max
    got = golden.float()
    got[7] = math.nan
    overflown = golden.float()
    overflown[7] = math.inf
    assert expect(golden).judge(got).reason == "match.nan_pattern"
    assert Expectation(0, golden, overflown, None).judge(got).reason == "ok"


def test_elements_left_out_do_not_count() -> None:
    golden = draw()
    got = golden.float()
    got[7] = 1000.0
    keep = torch.ones(4096, dtype=torch.bool)
    keep[7] = False
    assert Expectation(0, golden, golden.float(), keep).judge(got).reason == "ok"


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8, torch.bool])
def test_integers_and_bools_are_exact(dtype: torch.dtype) -> None:
    golden = (torch.arange(64) % 2).to(dtype)
    expectation = Expectation(0, golden, golden, None)
    assert expectation.judge(golden.clone()).reason == "ok"
    got = golden.clone()
    got[5] = 0
    judgement = expectation.judge(got)
    assert (judgement.reason, judgement.wrong) == ("match.mismatch", 1)
    assert judgement.mismatches[0].index == (5,)
