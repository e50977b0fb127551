"""The decompositions keep what the drafter knows whole and give the drafter what it can write."""

from __future__ import annotations

import torch

from npu_autokernel.tile.ops import find_lowering
from npu_autokernel.torch_backend.decompositions import DECOMPOSED, make_decompositions


def test_no_op_that_the_drafter_knows_is_decomposed() -> None:
    known = [op for op in make_decompositions() if find_lowering(str(op)) is not None]
    assert known == []


def test_each_name_has_a_decomposition_in_this_torch() -> None:
    packets = {str(op).split(".")[1] for op in make_decompositions()}
    assert [name for name in DECOMPOSED if name not in packets] == []


def test_a_layer_norms_gradient_becomes_ops_the_drafter_writes() -> None:
    from torch.fx.experimental.proxy_tensor import make_fx

    def gradient(x, weight, bias):
        y = torch.nn.functional.layer_norm(x, (6,), weight, bias)
        return torch.autograd.grad(y.square().sum(), (x, weight, bias))

    inputs = [torch.randn(4, 6), torch.randn(6), torch.randn(6)]
    graph = make_fx(gradient, decomposition_table=make_decompositions())(
        *[item.requires_grad_() for item in inputs]
    )
    ops = {str(node.target) for node in graph.graph.nodes if node.op == "call_function"}
    assert not any("layer_norm_backward" in op for op in ops)
    torch.testing.assert_close(graph(*inputs), gradient(*inputs))
