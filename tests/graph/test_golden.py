"""The golden is float64 arithmetic with explicit conversions kept and integers exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from torch.nn import functional

from npu_autokernel.graph.golden import GoldenResult, run_golden
from npu_autokernel.graph.task import KernelTask, OpCall, SizeArg, TaskOutput, TensorSpec, ValueRef
from tests.graph.random_graphs import pointwise_functions
from tests.graph.tracing import order_inputs, read

aten = torch.ops.aten


def run(function: Callable[..., Any], *args: Any) -> GoldenResult:
    built = read(function, *args)
    return run_golden(built.task, order_inputs(built, args))


@settings(max_examples=60, deadline=None)
@given(pointwise_functions(with_conversions=False))
def test_random_graphs_equal_float64(drawn: Any) -> None:
    function, args = drawn
    golden = run(function, *args)
    expected = function(*(item.double() for item in args))
    assert golden.outputs[0].dtype == torch.float64
    assert torch.equal(golden.outputs[0].nan_to_num(), expected.nan_to_num())


X = torch.randn(6, 16, generator=torch.Generator().manual_seed(1))
W = torch.randn(16, generator=torch.Generator().manual_seed(2))
WIDE: dict[str, Callable[..., Any]] = {
    "sum": lambda x, w: (x + w).sum(1),
    "mean": lambda x, w: (x * w).mean((0, 1)),
    "variance and mean": lambda x, w: torch.var_mean(x * w, 1),
    "vector norm": lambda x, w: torch.linalg.vector_norm(x - w, dim=0),
    "logsumexp": lambda x, w: (x * w).logsumexp(1),
    "softmax": lambda x, w: (x * w).softmax(1),
    "log softmax": lambda x, w: (x * w).log_softmax(0),
    "layer norm": lambda x, w: functional.layer_norm(x, (16,), w, w),
    "layer norm with statistics": lambda x, w: aten.native_layer_norm(x, [16], w, w, 1e-5),
    "group norm": lambda x, w: functional.group_norm(x, 4, w, w),
    "batch norm": lambda x, w: aten._native_batch_norm_legit_no_training(
        x, w, w, w, w.abs() + 1, 0.1, 1e-5
    )[0],
    "gelu": lambda x, w: functional.gelu(x * w, approximate="tanh"),
    "product with bias": lambda x, w: torch.addmm(w, x @ x.t(), x),
    "extremes": lambda x, w: ((x * w).amax(1), (x * w).min(0).values),
    "cumulative sum": lambda x, w: (x * w).cumsum(1),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", sorted(WIDE))
def test_ops_run_in_float64_whatever_the_dtype(name: str, dtype: torch.dtype) -> None:
    function = WIDE[name]
    args = (X.to(dtype), W.to(dtype))
    golden = run(function, *args)
    expected = function(*(item.double() for item in args))
    expected = tuple(expected) if isinstance(expected, (tuple, list)) else (expected,)
    assert golden.left_out_share == 0
    for output, wide in zip(golden.outputs, expected, strict=True):
        assert output.dtype == torch.float64
        torch.testing.assert_close(output, wide, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("norm", ["group", "batch", "training batch"])
def test_infinite_weight_of_a_norm_over_channels_gives_infinities(norm: str) -> None:
    functions: dict[str, Callable[..., Any]] = {
        "group": lambda x, w: functional.group_norm(x, 4, w, w * 0 + 1),
        "batch": lambda x, w: aten._native_batch_norm_legit_no_training(
            x, w, None, x.mean(0), x.var(0), 0.1, 1e-5
        )[0],
        "training batch": lambda x, w: aten._native_batch_norm_legit.no_stats(
            x, w, None, True, 0.1, 1e-5
        )[0],
    }
    weight = W.clone()
    weight[3] = torch.inf
    golden = run(functions[norm], X.abs() + 1, weight).outputs[0]
    if norm != "group":
        assert golden[:, 3].isinf().all()
        assert golden.isfinite().sum() == 6 * 15
    assert functions[norm](X.abs() + 1, weight)[:, 3].isnan().any()


def test_explicit_conversion_rounds() -> None:
    golden = run(lambda x, w: (x * w).half().float(), X, W)
    expected = (X.double() * W.double()).half().double()
    assert torch.equal(golden.outputs[0], expected)


def test_result_that_is_only_declared_narrow_is_not_rounded() -> None:
    golden = run(lambda x, w: (x * w).float(), X.half(), W.half())
    assert torch.equal(golden.outputs[0], X.half().double() * W.half().double())


def test_dtype_of_a_reduction_rounds_its_operand_if_narrower() -> None:
    golden = run(lambda x: x.sum(1, dtype=torch.float16), X)
    assert torch.equal(golden.outputs[0], X.half().double().sum(1))
    golden = run(lambda x: x.sum(1, dtype=torch.float32), X.half())
    assert torch.equal(golden.outputs[0], X.half().double().sum(1))


def test_integers_wrap_and_stay_exact() -> None:
    numbers = torch.tensor([2**31 - 1, -5, 7], dtype=torch.int32)
    golden = run(lambda n: ((n + 1) // 2, n > 0, n.sum()), numbers)
    assert golden.outputs[0].tolist() == [-(2**30), -2, 4]
    assert [output.dtype for output in golden.outputs] == [torch.int32, torch.bool, torch.int64]


def test_rounding_of_integers_is_no_rounding() -> None:
    golden = run(lambda n: (n.floor(), aten.round(n), n.int().to(torch.int64)), torch.arange(4))
    assert [output.tolist() for output in golden.outputs] == [[0, 1, 2, 3]] * 3


def test_list_of_one_result_is_a_list() -> None:
    golden = run(lambda x: aten.unsafe_split(x, 6)[0].neg(), X)
    assert torch.equal(golden.outputs[0], -X.double())


def test_integers_divide_in_float64() -> None:
    numbers = torch.arange(1, 9)
    golden = run(lambda n: n / 3 + n.exp() * 0.1, numbers)
    expected = numbers.double() / 3 + numbers.double().exp() * 0.1
    torch.testing.assert_close(golden.outputs[0], expected, rtol=1e-15, atol=0)


def test_limits_are_those_of_the_asked_dtype() -> None:
    infinite = torch.tensor([torch.inf, -torch.inf, 1.0], dtype=torch.float16)
    golden = run(lambda x: torch.nan_to_num(x), infinite)
    assert golden.outputs[0].tolist() == [65504.0, -65504.0, 1.0]


def test_comparison_with_a_number_happens_in_the_tensors_dtype() -> None:
    tenth = torch.tensor([0.1, 0.25, 0.3])
    golden = run(lambda x: x == 0.1, tenth)
    assert golden.outputs[0].tolist() == [True, False, False]


def test_host_numbers_take_part() -> None:
    built = read(lambda x, k: x * k, X, 3, mode="symbolic")
    assert torch.equal(run_golden(built.task, [X, 5]).outputs[0], X.double() * 5)
    lr = torch.tensor(0.1, dtype=torch.float64)
    golden = run(lambda x, k: x * k.to(torch.float32), X, lr)
    assert torch.equal(golden.outputs[0], X.double() * float(torch.tensor(0.1)))


@pytest.mark.parametrize("eps", [None, 1e-3])
def test_rms_norm_without_eps_takes_float32s(eps: float | None) -> None:
    rows = TensorSpec("float16", ("s0", "s1"), ("s1", "1"))
    rstd = TensorSpec("float32", ("s0", "1"), ("1", "0"))
    arguments = (ValueRef("x0"), (SizeArg("s1"),), None, eps)
    op = OpCall("v0", "aten._fused_rms_norm.default", arguments, (), (rows, rstd))
    output = TaskOutput(ValueRef("v0", 0), rows)
    hints = (("s0", 6), ("s1", 16))
    task = KernelTask((rows,), (op,), (output,), "normalisation", "float16", 32, hints)
    small = X.half() / 1000
    golden = run_golden(task, [small])
    added = torch.finfo(torch.float32).eps if eps is None else eps
    square = small.double().square().mean(1, keepdim=True)
    torch.testing.assert_close(golden.outputs[0], small.double() * (square + added).rsqrt())
