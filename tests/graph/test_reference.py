"""The eager reference computes what the traced function computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings

from npu_autokernel.graph.op_kinds import resolve_target
from npu_autokernel.graph.reference import run_reference
from npu_autokernel.graph.task import KernelTask, OpCall, TaskOutput, TensorSpec, ValueRef
from tests.graph.random_graphs import pointwise_functions
from tests.graph.tracing import build, order_inputs, read


@settings(max_examples=60, deadline=None)
@given(pointwise_functions())
def test_random_pointwise_graphs_equal_eager(drawn: Any) -> None:
    function, args = drawn
    built = read(function, *args)
    (output,) = run_reference(built.task, order_inputs(built, args))
    expected = function(*args)
    assert output.dtype == expected.dtype
    assert torch.equal(output.nan_to_num(), expected.nan_to_num())


CASES: dict[str, Callable[..., Any]] = {
    "sum": lambda x: x.sum(1),
    "sum in float16": lambda x: x.sum(1, dtype=torch.float16),
    "mean": lambda x: x.mean(),
    "product": lambda x: x.prod(0),
    "extremes": lambda x: (x.amax(1), x.amin(0, keepdim=True)),
    "maximum and its index": lambda x: x.max(1),
    "index": lambda x: (x.argmax(1), x.argmin()),
    "variance": lambda x: torch.var_mean(x, 1, correction=0),
    "deviation": lambda x: x.std(1),
    "any and all": lambda x: ((x > 0).any(1), (x > 0).all(0), (x > 0).any()),
    "vector norm": lambda x: torch.linalg.vector_norm(x, 3, dim=1),
    "logsumexp": lambda x: x.logsumexp(1),
    "softmax": lambda x: (x.softmax(1), x.log_softmax(0)),
    "layer norm": lambda x: torch.nn.functional.layer_norm(x, x.shape[1:]),
    "group norm": lambda x: torch.nn.functional.group_norm(x, 2),
    "value that goes out and on": lambda x: (lambda y: (y, y.sin()))(x.exp()),
    "rms norm": lambda x: x * (x.square().mean(1, keepdim=True) + 1e-6).rsqrt(),
}


@pytest.mark.parametrize("mode", ["fake", "symbolic"])
@pytest.mark.parametrize("name", sorted(CASES))
def test_other_sizes_equal_eager(name: str, mode: str) -> None:
    function = CASES[name]
    task = build(function, torch.randn(4, 6), mode=mode)
    x = torch.randn(3, 6) if name == "group norm" else torch.randn(3, 7)
    expected = function(x)
    expected = tuple(expected) if isinstance(expected, (tuple, list)) else (expected,)
    for output, eager in zip(run_reference(task, [x]), expected, strict=True):
        torch.testing.assert_close(output, eager, rtol=0, atol=0)


def test_half_to_float_softmax_runs_on_the_cpu() -> None:
    half, full = (TensorSpec(dtype, ("s0",), ("1",)) for dtype in ("float16", "float32"))
    op = OpCall("v0", "aten._softmax.default", (ValueRef("x0"), 0, True), (), (full,))
    output = TaskOutput(ValueRef("v0"), full)
    task = KernelTask((half,), (op,), (output,), "softmax", "float32", 32, (("s0", 4),))
    x = torch.randn(4).half()
    assert torch.equal(run_reference(task, [x])[0], x.float().softmax(0))


def test_number_given_as_a_tensor_keeps_the_promised_dtype() -> None:
    task = build(lambda x, k: x * k, torch.ones(4, dtype=torch.int32), 3, mode="symbolic")
    assert run_reference(task, [torch.ones(4, dtype=torch.int32), 3])[0].dtype == torch.int32
    as_tensor = run_reference(task, [torch.ones(4, dtype=torch.int32), torch.tensor(3)])
    assert as_tensor[0].tolist() == [3, 3, 3, 3]
    assert as_tensor[0].dtype == torch.int32


@pytest.mark.parametrize("target", ["os.system.default", "aten.add", "aten.no_such_op.default"])
def test_targets_reach_only_overloads_of_aten_and_prims(target: str) -> None:
    with pytest.raises(ValueError, match="op"):
        resolve_target(target)
