"""What no kernel may serve is refused with a code that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import fx

from npu_autokernel.graph.region import build_task
from npu_autokernel.reasons import Refusal
from tests.graph.tracing import trace

aten = torch.ops.aten
X = torch.randn(4, 8)

CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {
    "float64": (lambda x: x + 1, (X.double(),), "draft.unsupported_dtype"),
    "complex": (lambda x: x + 1, (X.to(torch.complex64),), "draft.unsupported_dtype"),
    "complex scalar": (lambda x: x + 1, (torch.tensor(1j),), "draft.unsupported_dtype"),
    "empty input": (lambda x: x + 1, (torch.empty(0, 4),), "region.zero_size"),
    "empty result": (lambda x: aten.narrow_copy(x, 0, 0, 0), (X,), "region.zero_size"),
    "random": (lambda x: torch.rand_like(x) * x, (X,), "region.random"),
    "two devices": (lambda x, y: (x + 1, y + 1), (X, X.to("meta")), "region.device"),
    "input as output": (lambda x: (x, x + 1), (X,), "region.view"),
    "expanded output": (
        lambda x: aten.expand(x.neg(), [4, 8]),
        (torch.randn(8),),
        "draft.unsupported_layout",
    ),
}


def refuse_region(region: fx.GraphModule) -> Refusal:
    refusal = build_task(region)
    assert isinstance(refusal, Refusal)
    return refusal


@pytest.mark.parametrize("name", sorted(CASES))
def test_refusal_has_its_code(name: str) -> None:
    function, args, code = CASES[name]
    refusal = refuse_region(trace(function, *args))
    assert refusal.code == code
    assert "?" not in refusal.message


def _make_region(target: Any, *args: Any, value: Any = X) -> fx.GraphModule:
    graph = fx.Graph()
    placeholder = graph.placeholder("x")
    placeholder.meta["val"] = X
    node = graph.call_function(target, (placeholder, *args))
    node.meta["val"] = value
    graph.output((node,))
    return fx.GraphModule(torch.nn.Module(), graph)


def test_mutation_is_refused() -> None:
    assert refuse_region(_make_region(aten.add_.Tensor, 1)).code == "region.mutation"


def test_call_that_is_no_overload_is_refused() -> None:
    refusal = refuse_region(_make_region(torch.relu))
    assert refusal.code == "draft.unsupported_op"


def test_sparse_and_subclass_values_are_refused() -> None:
    sparse = _make_region(aten.neg.default, value=X.to_sparse())
    assert refuse_region(sparse).code == "region.tensor_kind"

    class Tagged(torch.Tensor):
        pass

    tagged = refuse_region(_make_region(aten.neg.default, value=X.as_subclass(Tagged)))
    assert tagged.message == "aten.neg.default takes a Tagged subclass tensor."


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
def test_quantised_value_is_refused() -> None:
    quantised = torch.quantize_per_tensor(X, 0.1, 0, torch.qint8)
    refusal = refuse_region(_make_region(aten.neg.default, value=quantised))
    assert refusal.message == "aten.neg.default takes a quantised tensor."


def test_lazily_negated_value_is_refused() -> None:
    negated = torch.ones(4, dtype=torch.complex64).conj().imag
    assert negated.is_neg()
    assert refuse_region(_make_region(aten.abs.default, value=negated)).evidence == (
        ("detail", "lazily negated"),
        ("op", "aten.abs.default"),
    )


def test_size_that_depends_on_data_is_refused() -> None:
    def count(x: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.nonzero(x) + 1

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        region = trace(count, X, mode="symbolic")
    assert refuse_region(region).code == "region.symbol"


def test_arithmetic_on_a_number_that_is_no_extent_is_refused() -> None:
    region = trace(lambda x, k: x * (k + 1), X, 5, mode="symbolic")
    assert refuse_region(region).code == "region.symbol"


def test_unused_empty_results_do_no_harm() -> None:
    def normalise(x: torch.Tensor, mean: torch.Tensor, variance: torch.Tensor) -> torch.Tensor:
        norm = aten._native_batch_norm_legit_no_training
        return norm(x, None, None, mean, variance, 0.1, 1e-5)[0]

    task = build_task(trace(normalise, X, torch.ones(8), torch.ones(8)))
    assert not isinstance(task, Refusal)
    assert [spec.sizes for spec in task.ops[0].results] == [("s0", "s1"), ("0",), ("0",)]


def test_constants_inside_the_graph_are_refused() -> None:
    graph = fx.Graph()
    constant = graph.get_attr("constant")
    constant.meta["val"] = X
    graph.output((constant,))
    module = torch.nn.Module()
    module.register_buffer("constant", X)
    refusal = refuse_region(fx.GraphModule(module, graph))
    assert refusal.message == "No drafter writes get_attr constant."


def test_missing_results_are_refused() -> None:
    backward = aten.native_layer_norm_backward.default
    region = _make_region(backward, X, [8], X, X, None, None, [True, False, False])
    call = region.graph.output_node().args[0][0]
    call.meta["val"] = (X, None, None)
    assert refuse_region(region).code == "region.tensor_kind"
