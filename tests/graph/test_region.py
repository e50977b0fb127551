"""Regions become canonical tasks: what is the same computation has the same key, all else another."""

from __future__ import annotations

import torch
from graph.tracing import build

from npu_autokernel.graph.task import OpCall, TensorSpec, ValueRef

MATRIX = TensorSpec("float32", ("s0", "s1"), ("s1", "1"))


def test_pointwise_chain_is_written_in_canonical_form() -> None:
    task = build(lambda x, y: torch.relu(x + y) * 2, torch.randn(4, 8), torch.randn(8))
    assert task.inputs == (MATRIX, TensorSpec("float32", ("s1",), ("1",)))
    assert task.ops == (
        OpCall("v0", "aten.add.Tensor", (ValueRef("x0"), ValueRef("x1")), (), (MATRIX,)),
        OpCall("v1", "aten.relu.default", (ValueRef("v0"),), (), (MATRIX,)),
        OpCall("v2", "aten.mul.Tensor", (ValueRef("v1"), 2), (), (MATRIX,)),
    )
    assert task.hints == (("s0", 4), ("s1", 8))
    assert (task.family, task.numerics, task.index_bits) == ("elementwise", "float32", 32)
