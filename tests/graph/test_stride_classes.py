"""Strides: expressions where a tensor is dense, zero where it is expanded, symbols where it is neither."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.graph.strides import (
    choose_index_bits,
    classify_output_strides,
    dense_strides,
    measure_span,
)
from npu_autokernel.size_expression import evaluate_size
from tests.graph.tracing import build

CASES = {
    "contiguous": (torch.ones(4, 5, 6), ("s1 * s2", "s2", "1")),
    "permuted": (torch.ones(4, 5, 6).permute(2, 0, 1), ("1", "s2 * s0", "s0")),
    "channels last": (
        torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last),
        ("s2 * s3 * s1", "1", "s3 * s1", "s1"),
    ),
    "expanded": (torch.ones(5).expand(4, 5), ("0", "1")),
    "expanded inside": (torch.ones(4, 1).expand(4, 5), ("1", "0")),
    "extent 1": (torch.ones(4, 1, 6), ("s1", "0", "1")),
    "sliced": (torch.ones(4, 5, 16)[:, :, :6], ("s1 * t0", "t0", "1")),
    "sliced outside": (torch.ones(4, 16, 6)[:, :5], ("t0", "s2", "1")),
    "every other": (torch.ones(4, 12)[:, ::2], ("s1 * t0", "t0")),
    "scalar": (torch.ones(4, 5)[1, 1], ()),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_strides_of_an_input(name: str) -> None:
    tensor, expected = CASES[name]
    task = build(lambda x: x.neg(), tensor)
    assert task.inputs[0].strides == expected


@pytest.mark.parametrize("name", sorted(CASES))
def test_strides_give_back_the_numbers(name: str) -> None:
    tensor, _ = CASES[name]
    task = build(lambda x: x.neg(), tensor)
    hints = dict(task.hints)
    for dim, stride in enumerate(task.inputs[0].strides):
        if tensor.shape[dim] > 1:
            assert evaluate_size(stride, hints) == tensor.stride(dim)


@given(st.permutations(range(4)), st.lists(st.integers(1, 5), min_size=4, max_size=4))
def test_every_permutation_of_a_dense_output_is_exact(order: list[int], sizes: list[int]) -> None:
    tensor = torch.empty(sizes).permute(order)
    names = [f"s{dim}" if size > 1 else "1" for dim, size in enumerate(tensor.shape)]
    expressions = classify_output_strides(tensor.shape, names, tensor.stride())
    values = {f"s{dim}": size for dim, size in enumerate(tensor.shape)}
    assert tuple(evaluate_size(item, values) for item in expressions) == tensor.stride()


def test_outputs_that_are_not_dense_have_no_strides() -> None:
    assert classify_output_strides((4, 5), ("s0", "s1"), (8, 1)) is None
    assert classify_output_strides((4, 5), ("s0", "s1"), (0, 1)) is None


def test_dense_strides_skip_extents_of_1() -> None:
    assert dense_strides(("s0", "1", "s1")) == ("s1", "0", "1")


def test_span_is_what_indices_must_reach() -> None:
    assert measure_span((4, 5), (5, 1)) == 20
    assert measure_span((4, 5), (100, 1)) == 305
    assert measure_span((4, 5), (0, 1)) == 20
    assert choose_index_bits([2**31 - 1]) == 32
    assert choose_index_bits([2**31]) == 64
