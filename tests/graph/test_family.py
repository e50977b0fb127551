"""The family is that of the heaviest op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from tests.graph.tracing import build

CASES: dict[str, Callable[[torch.Tensor], Any]] = {
    "elementwise": lambda x: torch.where(x > 0, x.half(), 0.0),
    "reduction": lambda x: (x * 2).sum(1),
    "scan": lambda x: x.sum(1, keepdim=True) + x.cumsum(1),
    "softmax": lambda x: x.softmax(1).sum(1),
    "normalisation": lambda x: torch.nn.functional.layer_norm(x.softmax(1), (4,)),
    "matmul": lambda x: (x @ x).relu(),
}


@pytest.mark.parametrize("family", sorted(CASES))
def test_heaviest_op_decides(family: str) -> None:
    assert build(CASES[family], torch.randn(4, 4)).family == family
