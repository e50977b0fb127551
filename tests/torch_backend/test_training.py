"""Training: gradients, running statistics and optimiser steps equal those of plain torch.compile."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn


def make_mlp() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(12, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3))


def train(model, compiled, inputs, steps: int) -> list[dict[str, torch.Tensor]]:
    """The gradients after each step."""
    optimiser = torch.optim.SGD(model.parameters(), lr=0.05)
    gradients = []
    for _ in range(steps):
        optimiser.zero_grad()
        compiled(inputs).square().mean().backward()
        gradients.append({name: item.grad.clone() for name, item in model.named_parameters()})
        optimiser.step()
    return gradients


def test_an_mlp_has_the_same_gradients_for_three_steps(compile_model, reports) -> None:
    plain, ours = make_mlp(), make_mlp()
    inputs = torch.randn(10, 12)
    expected = train(plain, torch.compile(plain, backend="aot_eager"), inputs, 3)
    got = train(ours, compile_model(ours), inputs, 3)
    for left, right in zip(got, expected, strict=True):
        for name in right:
            torch.testing.assert_close(left[name], right[name], rtol=1e-4, atol=1e-6)
    assert {report.stage for report in reports} == {"forward", "backward"}
    assert sum(report.kernel_count for report in reports) > 0


def test_batch_norm_keeps_the_same_running_statistics(compile_model) -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.BatchNorm2d(3)

        def forward(self, x):
            return torch.relu(self.norm(x)).sum()

    plain, ours = Net(), Net()
    compiled = compile_model(ours)
    for seed in range(2):
        x = torch.randn(4, 3, 5, 6, generator=torch.Generator().manual_seed(seed))
        left, right = x.clone().requires_grad_(), x.clone().requires_grad_()
        plain(left).backward()
        compiled(right).backward()
        torch.testing.assert_close(right.grad, left.grad, rtol=1e-4, atol=1e-5)
    for name, buffer in plain.named_buffers():
        torch.testing.assert_close(dict(ours.named_buffers())[name], buffer)


def test_seeded_dropout_trains_as_plain_torch_does(compile_model) -> None:
    model = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.4), nn.SiLU())
    twin = copy.deepcopy(model)
    inputs = torch.randn(5, 6)
    torch.manual_seed(3)
    expected = train(model, torch.compile(model, backend="aot_eager"), inputs, 2)
    torch.manual_seed(3)
    got = train(twin, compile_model(twin), inputs, 2)
    for left, right in zip(got, expected, strict=True):
        for name in right:
            torch.testing.assert_close(left[name], right[name], rtol=1e-4, atol=1e-6)


def test_a_dynamic_batch_trains_in_one_graph_pair(compile_model, reports) -> None:
    plain, ours = make_mlp(), make_mlp()
    compiled = compile_model(ours, dynamic=True)
    for batch in (4, 9, 33):
        x = torch.randn(batch, 12)
        for model, function in ((plain, plain), (ours, compiled)):
            model.zero_grad()
            function(x).square().sum().backward()
        for left, right in zip(ours.parameters(), plain.parameters(), strict=True):
            torch.testing.assert_close(left.grad, right.grad, rtol=1e-4, atol=1e-5)
    assert len(reports) == 2


@pytest.mark.parametrize("optimiser", [torch.optim.SGD, torch.optim.AdamW])
def test_a_compiled_optimiser_step_is_the_same_step(compile_model, optimiser) -> None:
    def step(compile_step) -> torch.Tensor:
        weight = nn.Parameter(torch.linspace(-1, 1, 40).view(5, 8))
        inner = optimiser([weight], lr=0.1)
        run = compile_step(inner.step)
        for scale in (1.0, 2.0):
            weight.grad = torch.full_like(weight, scale)
            run()
        return weight.detach()

    torch.testing.assert_close(step(compile_model), step(lambda function: function))


def test_a_step_of_adam_is_one_kernel(compile_model, reports) -> None:
    def make_step():
        parameter = nn.Parameter(torch.linspace(-1.0, 1.0, 5 * 7).reshape(5, 7))
        return parameter, torch.optim.AdamW([parameter], lr=0.01, foreach=False)

    (plain, expected), (ours, optimiser) = make_step(), make_step()
    step = compile_model(lambda: optimiser.step())
    for scale in (1.0, -0.5):
        plain.grad, ours.grad = plain.detach() * scale, ours.detach() * scale
        expected.step()
        step()
    torch.testing.assert_close(ours, plain, rtol=1e-5, atol=1e-6)
    assert [len(report.regions) for report in reports] == [1] * len(reports)
    assert sum(report.kernel_count for report in reports) == len(reports) > 0
