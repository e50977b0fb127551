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


def test_a_fused_multiply_and_add_becomes_two_ops() -> None:
    from torch._inductor import inductor_prims
    from torch.fx.experimental.proxy_tensor import make_fx

    inputs = [torch.randn(4, 6) for _ in range(3)]
    graph = make_fx(inductor_prims.fma, decomposition_table=make_decompositions())(*inputs)
    ops = [str(node.target) for node in graph.graph.nodes if node.op == "call_function"]
    assert ops == ["aten.mul.Tensor", "aten.add.Tensor"]
