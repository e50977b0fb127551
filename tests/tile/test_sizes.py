"""Products of sizes have one spelling, and it has the same value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.size_expression import evaluate_size
from npu_autokernel.tile.sizes import multiply_sizes

FACTORS = st.lists(
    st.sampled_from(["s0", "s1", "2", "3", "1", "s0 * s1", "s1 // 4", "max(s0, 3)"]), max_size=5
)
SIZES = {"s0": 7, "s1": 40}


@given(FACTORS, st.randoms(use_true_random=False))
def test_the_order_of_factors_does_not_matter(factors: list[str], random: object) -> None:
    shuffled = list(factors)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert multiply_sizes(*factors) == multiply_sizes(*shuffled)


@given(FACTORS)
def test_the_value_is_the_product(factors: list[str]) -> None:
    expected = 1
    for factor in factors:
        expected *= evaluate_size(factor, SIZES)
    assert evaluate_size(multiply_sizes(*factors), SIZES) == expected


@given(FACTORS)
def test_products_are_their_own_canonical_form(factors: list[str]) -> None:
    assert multiply_sizes(multiply_sizes(*factors)) == multiply_sizes(*factors)


def test_spelling() -> None:
    assert multiply_sizes("s1*s0", "2", "4") == "8 * s0 * s1"
    assert multiply_sizes("0", "s0") == "0"
    assert multiply_sizes() == "1"
