"""Proof keys: the same computation has one key however it is written, and nothing else shares it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import fx
from torch.nn import functional

from npu_autokernel.graph.region import read_region
from tests.graph.tracing import make_digest, trace, trace_digest

X = torch.randn(8, 16)
Y = torch.randn(8, 16)
SQUARE = torch.randn(8, 8)
aten = torch.ops.aten
prims = torch.ops.prims


def _swap_operands_first(x: Any, y: Any) -> Any:
    right = torch.exp(y)
    left = torch.sin(x)
    return left * right


EQUAL = {
    "default alpha": (lambda x, y: aten.add(x, y, alpha=1), lambda x, y: x + y),
    "order of writing": (_swap_operands_first, lambda x, y: torch.sin(x) * torch.exp(y)),
    "names of inputs": (lambda x, y: x - y, lambda p, q: q - p),
    "negative dimension": (lambda x, y: (x - y).sum(-1), lambda x, y: (x - y).sum(1)),
    "order of dimensions": (
        lambda x, y: (x - y).amax((1, 0)),
        lambda x, y: (x - y).amax((0, 1)),
    ),
    "full reduction": (lambda x, y: (x - y).sum(), lambda x, y: (x - y).sum((0, 1))),
    "spelling of a conversion": (
        lambda x, y: prims.convert_element_type(x - y, torch.float16),
        lambda x, y: (x - y).half(),
    ),
    "overload for a number": (
        lambda x, y: aten.add.Scalar(x, 2) - y,
        lambda x, y: aten.add.Tensor(x, 2) - y,
    ),
    "dtype of a reduction that it has": (
        lambda x, y: (x - y).sum(1, dtype=torch.float32),
        lambda x, y: (x - y).sum(1),
    ),
    "conversion to the same dtype": (
        lambda x, y: aten._to_copy(x - y, dtype=torch.float32),
        lambda x, y: aten.clone(x - y, memory_format=torch.contiguous_format),
    ),
    "default that is named": (
        lambda x, y: aten.gelu_backward(x, y),
        lambda x, y: aten.gelu_backward(x, y, approximate="none"),
    ),
}


@pytest.mark.parametrize("name", sorted(EQUAL))
def test_one_computation_has_one_key(name: str) -> None:
    first, second = EQUAL[name]
    assert trace_digest(first, X, Y) == trace_digest(second, X, Y)


DIFFERENT: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "constant": (lambda x: torch.sin(x) * 2, lambda x: torch.sin(x) * 3),
    "kind of constant": (lambda x: x * 2, lambda x: x * 2.5),
    "dimension of a square": (lambda x: x.softmax(-1), lambda x: x.softmax(0)),
    "kept dimension": (lambda x: x.sum(1), lambda x: x.sum(1, keepdim=True)),
    "eps": (
        lambda x: functional.layer_norm(x, (8,), eps=1e-5),
        lambda x: functional.layer_norm(x, (8,), eps=1e-6),
    ),
    "dtype": (lambda x: x.half(), lambda x: x.bfloat16()),
    "op": (lambda x: x.sin(), lambda x: x.cos()),
    "order of operands": (lambda x: x - x.exp(), lambda x: x.exp() - x),
    "which value goes out": (lambda x: (x.exp(), x.exp().sin())[1:], lambda x: (x.exp(),)),
    "approximation": (
        lambda x: functional.gelu(x),
        lambda x: functional.gelu(x, approximate="tanh"),
    ),
    "correction": (lambda x: x.var(1), lambda x: x.var(1, correction=0)),
}


@pytest.mark.parametrize("name", sorted(DIFFERENT))
def test_another_computation_has_another_key(name: str) -> None:
    first, second = DIFFERENT[name]
    assert trace_digest(first, SQUARE) != trace_digest(second, SQUARE)


def _center(x: Any) -> Any:
    return x - x.mean(1, keepdim=True)


@pytest.mark.parametrize("other", [(8, 8), (8, 24), (3, 1000), (2, 2)])
def test_extents_of_two_or_more_share_a_key(other: tuple[int, int]) -> None:
    assert trace_digest(_center, X) == trace_digest(_center, torch.randn(other))


@pytest.mark.parametrize(
    "other",
    [
        torch.randn(1, 16),
        torch.randn(16, 8).t(),
        torch.randn(8, 32)[:, :16],
        torch.randn(8, 1).expand(8, 16),
        torch.randn(8, 16).half(),
    ],
    ids=["extent 1", "transposed", "sliced", "expanded", "dtype"],
)
def test_classes_of_inputs_are_in_the_key(other: torch.Tensor) -> None:
    assert trace_digest(_center, X) != trace_digest(_center, other)


def test_dynamic_and_static_graphs_share_a_key() -> None:
    assert trace_digest(_center, X) == trace_digest(_center, SQUARE, mode="symbolic")


def test_names_of_nodes_leave_no_mark() -> None:
    region = trace(lambda x, y: torch.relu(x) * y, X, Y)
    renamed = fx.Graph()
    names = {}
    for number, node in enumerate(region.graph.nodes):
        names[node] = renamed.node_copy(node, names.__getitem__)
        names[node].name = f"other_{number}"
    first = read_region(region)
    second = read_region(fx.GraphModule(region, renamed))
    assert make_digest(first.task) == make_digest(second.task)
