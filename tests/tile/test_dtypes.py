"""Promotion agrees with PyTorch for every pair of supported dtypes, with dimensions, 0-d and as numbers."""

from __future__ import annotations

import itertools

import pytest
import torch

from npu_autokernel.tile.dtypes import SUPPORTED_DTYPES, dtype_of_number, promote_dtypes


def as_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


PAIRS = list(itertools.product(SUPPORTED_DTYPES, repeat=2))


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_tensors_promote_as_in_torch(left: str, right: str) -> None:
    row, other = (torch.ones(2, dtype=getattr(torch, name)) for name in (left, right))
    assert promote_dtypes([left, right], []) == as_name(torch.result_type(row, other))


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_scalars_lift_the_category_alone(left: str, right: str) -> None:
    row = torch.ones(2, dtype=getattr(torch, left))
    scalar = torch.ones((), dtype=getattr(torch, right))
    assert promote_dtypes([left], [right]) == as_name(torch.result_type(row, scalar))


@pytest.mark.parametrize("dtype", SUPPORTED_DTYPES)
@pytest.mark.parametrize("number", [True, 3, 2.5])
def test_numbers_lift_the_category_alone(dtype: str, number: bool | int | float) -> None:
    row = torch.ones(2, dtype=getattr(torch, dtype))
    expected = as_name(torch.result_type(row, number))
    assert promote_dtypes([dtype], [dtype_of_number(number)]) == expected
