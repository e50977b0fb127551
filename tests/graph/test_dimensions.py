"""Dimensions are one where the ops force it, and only there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional

from npu_autokernel.graph.task import SizeArg
from tests.graph.tracing import build

aten = torch.ops.aten
randn = torch.randn

# All extents are 8, so only the ops can tell dimensions apart.
CASES: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...], list[tuple[str, ...]]]] = {
    "broadcast": (lambda x, y: x + y, (randn(8, 8), randn(8)), [("s0", "s1"), ("s1",)]),
    "broadcast over 1": (
        lambda x, y: x + y,
        (randn(8, 1), randn(1, 8)),
        [("s0", "1"), ("1", "s1")],
    ),
    "reduction meets its rows": (
        lambda x, y: x.sum(1) + y,
        (randn(8, 8), randn(8)),
        [("s0", "s1"), ("s0",)],
    ),
    "reduction of the first dimension": (
        lambda x, y: x.amax(0) + y,
        (randn(8, 8), randn(8)),
        [("s0", "s1"), ("s1",)],
    ),
    "full reduction": (lambda x, y: x.sum() + y, (randn(8, 8), randn(8)), [("s0", "s1"), ("s2",)]),
    "softmax": (lambda x, y: x.softmax(0) * y, (randn(8, 8), randn(8)), [("s0", "s1"), ("s1",)]),
    "layer norm": (
        lambda x, w: functional.layer_norm(x, (8,), w),
        (randn(8, 8), randn(8)),
        [("s0", "s1"), ("s1",)],
    ),
    "group norm": (
        lambda x, w: functional.group_norm(x, 2, w),
        (randn(8, 8, 8), randn(8)),
        [("s0", "s1", "s2"), ("s1",)],
    ),
    "batch norm": (
        lambda x, m, v: aten._native_batch_norm_legit_no_training(x, None, None, m, v, 0.1, 1e-5)[
            0
        ],
        (randn(8, 8, 8), randn(8), torch.ones(8)),
        [("s0", "s1", "s2"), ("s1",), ("s1",)],
    ),
    "batch norm in training": (
        lambda x, w: aten._native_batch_norm_legit.no_stats(x, w, None, True, 0.1, 1e-5)[0],
        (randn(8, 8, 8), randn(8)),
        [("s0", "s1", "s2"), ("s1",)],
    ),
    "matrix product": (torch.mm, (randn(8, 8), randn(8, 8)), [("s0", "s1"), ("s1", "s2")]),
    "batched product": (
        torch.bmm,
        (randn(8, 8, 8), randn(8, 8, 8)),
        [("s0", "s1", "s2"), ("s0", "s2", "s3")],
    ),
    "product with bias": (
        torch.addmm,
        (randn(8), randn(8, 8), randn(8, 8)),
        [("s0",), ("s1", "s2"), ("s2", "s0")],
    ),
    "op without a rule": (
        lambda x, y: torch.tril(x) + y,
        (randn(8, 8), randn(8)),
        [("s0", "s0"), ("s0",)],
    ),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_dimensions_are_one_where_the_op_says_so(name: str) -> None:
    function, args, expected = CASES[name]
    assert [spec.sizes for spec in build(function, *args).inputs] == expected


def test_sizes_of_constants_follow_the_dimensions_they_meet() -> None:
    task = build(lambda x: x + torch.zeros(8) * torch.ones(8), randn(4, 8))
    sizes = [op.arguments[0] for op in task.ops if op.target.split(".")[1] in ("zeros", "ones")]
    assert sizes == [(SizeArg("s1"),)] * 2


def test_unknown_op_with_a_new_extent_pins_its_operands() -> None:
    task = build(lambda x, y: torch.cat([x, y]), randn(4, 8), randn(2, 8))
    assert [spec.sizes for spec in task.inputs] == [("4", "8"), ("2", "8")]
    assert task.outputs[0].spec.sizes == ("6", "8")
    assert task.hints == ()


def test_unknown_op_with_dynamic_extents_gives_an_expression() -> None:
    task = build(lambda x, y: torch.cat([x, y]), randn(4, 8), randn(3, 8), mode="symbolic")
    rows, columns = task.outputs[0].spec.sizes
    assert (rows, columns) in (("(s0 + s2)", "s1"), ("(s2 + s0)", "s1"))
