"""Expands: which of them pointwise ops make themselves, and which must stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from npu_autokernel.torch_backend.broadcasts import fold_broadcasts

COLUMN, MATRIX, NUMBER = torch.randn(5, 1), torch.randn(5, 7), torch.tensor(2.0)


def trace(function: Callable[..., Any], *args: torch.Tensor) -> GraphModule:
    return make_fx(function, tracing_mode="fake")(*args)


def count_expands(module: GraphModule) -> int:
    return sum(node.target is torch.ops.aten.expand.default for node in module.graph.nodes)


FOLDED = {
    "column": (lambda x, c: x / c.expand(5, 7), (MATRIX, COLUMN)),
    "number": (lambda x, n: x * n.expand(5, 7), (MATRIX, NUMBER)),
    "choice": (lambda x, c: torch.where(x > 0, c.expand(5, 7), x), (MATRIX, COLUMN)),
    "transposed": (lambda x, c: x.t() + c.t().expand(7, 5), (MATRIX, COLUMN)),
}
KEPT = {
    "nothing else has the shape": (lambda c: c.expand(5, 7) * 2.0, (COLUMN,)),
    "it is both operands": (lambda c: (lambda wide: wide * wide)(c.expand(5, 7)), (COLUMN,)),
    "the result": (lambda x, c: (x + 1.0, c.expand(5, 7)), (MATRIX, COLUMN)),
    "a sum": (lambda x, c: c.expand(5, 7).sum(0) + x, (MATRIX, COLUMN)),
    "a number of a wider dtype": (lambda x, n: x.half() * n.expand(5, 7), (MATRIX, NUMBER)),
    "a gradient": (
        lambda x, c: torch.ops.aten.gelu_backward(c.expand(5, 7), x),
        (MATRIX, COLUMN),
    ),
}


@pytest.mark.parametrize("name", [*FOLDED, *KEPT])
def test_results_stay_as_they_are(name: str) -> None:
    function, args = {**FOLDED, **KEPT}[name]
    module = trace(function, *args)
    before = count_expands(module)
    fold_broadcasts(module.graph)
    module.recompile()
    got, want = (run(*args) for run in (module, function))
    pairs = zip(got, want, strict=True) if isinstance(got, tuple) else [(got, want)]
    for left, right in pairs:
        assert (left.dtype, left.stride()) == (right.dtype, right.stride())
        assert torch.equal(left, right)
    assert (count_expands(module) == 0) if name in FOLDED else (count_expands(module) == before)


def test_normalize_is_one_region(compile_model, reports) -> None:
    compiled = compile_model(lambda x: torch.nn.functional.normalize(x, dim=-1), mode="cached")
    torch.testing.assert_close(compiled(MATRIX), torch.nn.functional.normalize(MATRIX, dim=-1))
    assert [len(report.regions) for report in reports] == [1]
