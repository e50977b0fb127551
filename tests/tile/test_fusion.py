"""Fusion traits: who may share a kernel, and that the oracle agrees with the drafter."""

from __future__ import annotations

from typing import Any

import pytest

from npu_autokernel.reasons import Refusal
from npu_autokernel.tile.fusion import NodeTraits, describe_node, merge_traits

ROWS = (4, 8)
LayerNorm = ("aten.native_layer_norm.default", [ROWS, (8,), (8,)], [ROWS, (4, 1), (4, 1)])


def traits(
    target: str, operands: Any, results: Any, *arguments: Any, **keywords: Any
) -> NodeTraits:
    described = describe_node(target, operands, results, arguments, ["float32"], keywords)
    assert isinstance(described, NodeTraits), described
    return described


ADD = traits("aten.add.Tensor", [ROWS, (8,)], [ROWS], None, None)
NORM = traits(*LayerNorm, None, [8], None, None, 1e-5)
SOFTMAX = traits("aten._softmax.default", [ROWS], [ROWS], None, -1, False)
COLUMN_SUM = traits("aten.sum.dim_IntList", [ROWS], [(8,)], None, [0])
GROUP_NORM = traits(
    "aten.native_group_norm.default",
    [(2, 6, 5), (6,), (6,)],
    [(2, 6, 5), (2, 3), (2, 3)],
    *(None, None, None, 2, 6, 5, 3, 1e-5),
)


def test_pointwise_work_joins_a_reduction_on_either_side() -> None:
    assert merge_traits(ADD, NORM) == NORM == merge_traits(NORM, ADD)


@pytest.mark.parametrize("shape", [(4, 1), (4,)])
def test_work_on_statistics_joins_their_reduction(shape: tuple[int, ...]) -> None:
    assert merge_traits(NORM, traits("aten.sqrt.default", [shape], [shape], None)) == NORM


def test_reductions_over_the_same_dimensions_join() -> None:
    assert merge_traits(NORM, SOFTMAX) is not None


def test_reductions_over_other_dimensions_stay_apart() -> None:
    assert merge_traits(NORM, COLUMN_SUM) is None
    whole = traits("aten.sum.default", [ROWS], [()], None)
    assert merge_traits(whole, SOFTMAX) is None


def test_other_shapes_stay_apart() -> None:
    assert merge_traits(ADD, traits("aten.exp.default", [(5, 8)], [(5, 8)], None)) is None
    assert merge_traits(ADD, traits("aten.exp.default", [(8,)], [(8,)], None)) is None


def test_leading_ones_do_not_matter() -> None:
    assert merge_traits(ADD, traits("aten.exp.default", [(1, 4, 8)], [(1, 4, 8)], None)) == ADD


def test_group_norm_is_a_reduction_of_its_own_kind() -> None:
    assert GROUP_NORM.is_reduction
    assert merge_traits(GROUP_NORM, traits("aten.silu.default", [(2, 6, 5)], [(2, 6, 5)], None))
    plain = traits("aten.sum.dim_IntList", [(2, 6, 5)], [(2, 6)], None, [2])
    assert merge_traits(GROUP_NORM, plain) is None


def test_maximum_of_two_tensors_is_pointwise() -> None:
    assert not traits("aten.max.other", [ROWS, ROWS], [ROWS], None, None).is_reduction
    assert traits("aten.max.dim", [ROWS], [(4,), (4,)], None, 1).is_reduction


def test_a_loss_without_reduction_is_pointwise() -> None:
    assert not traits("aten.mse_loss.default", [ROWS, ROWS], [ROWS], None, None, 0).is_reduction
    assert traits("aten.mse_loss.default", [ROWS, ROWS], [()], None, None).is_reduction


@pytest.mark.parametrize(
    ("target", "dtype", "code"),
    [
        ("aten.lgamma.default", "float32", "draft.unsupported_op"),
        ("aten.exp.default", "float64", "draft.unsupported_dtype"),
    ],
)
def test_what_no_drafter_writes_is_refused(target: str, dtype: str, code: str) -> None:
    refusal = describe_node(target, [ROWS], [ROWS], [None], [dtype])
    assert isinstance(refusal, Refusal) and refusal.code == code
