"""The size language computes what Python computes, and refuses everything outside its grammar."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.size_expression import (
    SizeExpressionError,
    evaluate_condition,
    evaluate_size,
    list_names,
)

SYMBOLS = {"s0": 128, "s1": 1000, "num_cores": 48}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("s0 * s1 + 1", 128001),
        ("ceildiv(s1, 3)", 334),
        ("min(num_cores, ceildiv(s0, 16))", 8),
        ("next_power_of_2(s1) // 2", 512),
        ("next_power_of_2(0)", 1),
        ("-(s0 - s1) % 7", -(128 - 1000) % 7),
        ("2 - 3 - 4", -5),
    ],
)
def test_value(text: str, value: int) -> None:
    assert evaluate_size(text, SYMBOLS) == value


def test_conditions() -> None:
    assert evaluate_condition("s1 <= 1000", SYMBOLS)
    assert not evaluate_condition("s0 * s1 < 128 * 1000", SYMBOLS)


@pytest.mark.parametrize(
    "text",
    ["", "s0 +", "s9", "1 // 0", "s0.real", "__import__('os')", "f(1)", "min(1)", "1 2", "s0 ** 2",
     "(" * 100 + "1" + ")" * 100, "9" * 600, "s0 <= 3", "9999999999 * 9999999999"],
)  # fmt: skip
def test_refusals(text: str) -> None:
    with pytest.raises(SizeExpressionError):
        evaluate_size(text, SYMBOLS)


def test_names() -> None:
    assert list_names("min(num_cores, s0 * (s1 + 3))") == {"num_cores", "s0", "s1"}


_LEAVES = st.one_of(st.integers(0, 1000).map(str), st.sampled_from(sorted(SYMBOLS)))
_EXPRESSIONS = st.recursive(
    _LEAVES,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    ),
    max_leaves=8,
)


@given(_EXPRESSIONS)
def test_agrees_with_python(text: str) -> None:
    expected = eval(text, {}, dict(SYMBOLS))
    try:
        assert evaluate_size(text, SYMBOLS) == expected
    except SizeExpressionError:
        assert abs(expected) > 1 << 62 or "*" in text


@given(st.text(max_size=40))
def test_garbage_is_an_error_value_of_ours(text: str) -> None:
    with contextlib.suppress(SizeExpressionError):
        evaluate_size(text, SYMBOLS)
