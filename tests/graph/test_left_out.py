"""Where rounding alone decides, elements are left out, with what depends on them and with nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from npu_autokernel.graph.golden import GoldenResult, run_golden
from npu_autokernel.graph.margins import estimate_slack
from npu_autokernel.graph.reference import run_reference
from tests.graph.tracing import order_inputs, read

SEEDED = torch.Generator().manual_seed(3)
X = torch.randn(64, 64, generator=SEEDED)
Y = torch.randn(64, 64, generator=SEEDED)
aten = torch.ops.aten


def run(function: Callable[..., Any], *args: Any) -> tuple[GoldenResult, tuple[torch.Tensor, ...]]:
    """The golden and the eager outputs."""
    built = read(function, *args)
    inputs = order_inputs(built, args)
    return run_golden(built.task, inputs), run_reference(built.task, inputs)


# Functions that jump, with eager's low precision in front of the jump.
JUMPS: dict[str, Callable[..., Any]] = {
    "floor": lambda x, y: torch.floor(x * y * 8),
    "ceil": lambda x, y: torch.ceil(x * y * 8),
    "truncation": lambda x, y: torch.trunc(x * y * 8),
    "round": lambda x, y: torch.round(x * y * 8),
    "round to decimals": lambda x, y: torch.round(x * y, decimals=1),
    "to an integer": lambda x, y: (x * y * 8).to(torch.int32),
    "comparison": lambda x, y: x * y > y + 0.25,
    "equality with a number": lambda x, y: x * y == 0.5,
    "sign": lambda x, y: torch.sign(x * y - 0.5),
    "to bool": lambda x, y: (x * y - 0.5).to(torch.bool),
    "logical": lambda x, y: torch.logical_and(x * y - 0.5, y - 0.25),
    "any": lambda x, y: (x * y - 0.5).any(1),
    "floor division": lambda x, y: torch.floor_divide(x * 8, y.abs() + 0.5),
    "remainder": lambda x, y: torch.remainder(x * y * 8, 0.7) > 0.35,
    "index of the maximum": lambda x, y: (x * y).argmax(1),
    "index of the minimum": lambda x, y: (x * y).min(0).indices,
    "step of a gradient": lambda x, y: aten.threshold_backward(x, x * y - 0.5, 0.0),
    "hard shrink": lambda x, y: functional.hardshrink(x * y),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", sorted(JUMPS))
def test_what_is_kept_does_not_depend_on_rounding(name: str, dtype: torch.dtype) -> None:
    golden, eager = run(JUMPS[name], X.to(dtype), Y.to(dtype))
    keep = torch.ones(()) if golden.keep[0] is None else golden.keep[0]
    error = (golden.outputs[0].double() - eager[0].double()).abs() * keep
    assert float(error.max()) <= 0.03 * float(golden.outputs[0].double().abs().max())
    assert golden.left_out_share < {torch.float32: 0.001, torch.float16: 0.06}.get(dtype, 0.4)


@pytest.mark.parametrize("name", ["floor", "comparison", "to an integer"])
def test_eager_in_low_precision_is_wrong_only_where_left_out(name: str) -> None:
    golden, eager = run(JUMPS[name], X.bfloat16(), Y.bfloat16())
    wrong = golden.outputs[0].double() != eager[0].double()
    assert wrong.any()
    assert golden.keep[0] is not None
    assert not (wrong & golden.keep[0]).any()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([torch.float16, torch.bfloat16]))
def test_random_rows_are_kept_only_where_eager_agrees(seed: int, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(seed)
    x, y = (torch.randn(8, 32, generator=generator).to(dtype) for _ in range(2))
    golden, eager = run(lambda x, y: torch.floor((x * y + x) * 4), x, y)
    wrong = golden.outputs[0] != eager[0].double()
    keep = torch.ones_like(wrong) if golden.keep[0] is None else golden.keep[0]
    assert not (wrong & keep).any()


EXACT: dict[str, Callable[..., Any]] = {
    "comparison of inputs": lambda x: x > 0,
    "equality of inputs": lambda x: x == x.abs(),
    "floor of an input": lambda x: torch.floor(x),
    "index of an input's maximum": lambda x: x.argmax(1),
    "quotient of inputs": lambda x: torch.floor_divide(x, 2.0),
    "extreme of a choice": lambda x: torch.where(x > 0, x, -x).amax(1) >= 1,
    "conversion": lambda x: x.half() < 0.5,
    "integers in floats": lambda x: torch.floor(x * 2 + 1),
}


@pytest.mark.parametrize("name", sorted(EXACT))
def test_exact_operands_leave_nothing_out(name: str) -> None:
    whole = torch.arange(-8.0, 8.0).reshape(2, 8)
    golden, eager = run(EXACT[name], whole)
    assert golden.keep == (None,)
    assert golden.left_out_share == 0
    assert torch.equal(golden.outputs[0].double(), eager[0].double())


# One element of row 2 is at the jump: 0.1 + 0.2 against 0.3.
NEAR = torch.full((4, 4), 0.7)
NEAR[2, 1] = 0.1
ADDED = torch.full((4, 4), 0.2)
ROW = torch.zeros(4, 4, dtype=torch.bool)
ROW[2] = True
ELEMENT = torch.zeros(4, 4, dtype=torch.bool)
ELEMENT[2, 1] = True

SPREADS: dict[str, tuple[Callable[..., Any], torch.Tensor]] = {
    "pointwise": (lambda mask, x: torch.where(mask, 1.0, 2.0) * x, ELEMENT),
    "transposed": (lambda mask, x: mask.t() & (x < 9), ELEMENT.t()),
    "reduction": (lambda mask, x: (mask * x).sum(1), ROW[:, 0]),
    "kept dimension": (lambda mask, x: (mask * x).amax(1, keepdim=True), ROW[:, :1]),
    "full reduction": (lambda mask, x: (mask * x).mean(), torch.tensor(True)),
    "softmax": (lambda mask, x: (mask * x).softmax(1), ROW),
    "layer norm": (lambda mask, x: functional.layer_norm(mask * x, (4,)), ROW),
    "group norm": (
        lambda mask, x: functional.group_norm(mask * x, 2),
        torch.ones(4, 4, dtype=torch.bool),
    ),
    "product": (lambda mask, x: (mask * x) @ x, torch.ones(4, 4, dtype=torch.bool)),
    "branch not taken": (
        lambda mask, x: torch.where(x > 0.5, x, mask.float())[0:3],
        ELEMENT[0:3],
    ),
    "branch not taken at all": (
        lambda mask, x: torch.where(x > 0, x, mask.float()),
        torch.zeros(4, 4, dtype=torch.bool),
    ),
}


@pytest.mark.parametrize("name", sorted(SPREADS))
def test_doubt_spreads_to_what_depends_on_it(name: str) -> None:
    function, expected = SPREADS[name]
    golden, _ = run(lambda x, y: function(x + y > 0.3, x), NEAR, ADDED)
    left_out = torch.zeros_like(expected) if golden.keep[0] is None else ~golden.keep[0]
    assert torch.equal(left_out, expected)
    assert golden.left_out_share == pytest.approx(float(expected.double().mean()))


def test_choice_that_is_no_jump_leaves_nothing_out() -> None:
    def leak(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        difference = x + y - 0.3
        return torch.where(difference > 0, difference, difference * 0.01).sum(1)

    golden, _ = run(leak, NEAR, ADDED)
    assert golden.left_out_share == 0


def test_value_of_a_maximum_is_kept_where_its_index_is_not() -> None:
    tied = torch.tensor([[0.1, 0.3]])
    golden, _ = run(lambda x, y: (x + y).max(1), tied, torch.tensor([[0.2, 0.0]]))
    assert golden.keep[0] is None
    assert golden.keep[1] is not None and not golden.keep[1].any()


def test_overflow_of_eager_is_left_out() -> None:
    golden, _ = run(lambda x: torch.floor(x * x) > 0, torch.tensor([300.0, 2.0]).half())
    assert golden.keep[0] is None or golden.keep[0].tolist() == [False, True]


def test_lucky_element_has_the_slack_of_the_others() -> None:
    eager = torch.tensor([1e-9, 1.0, 1.0, 1.0])
    golden = eager.double() + torch.tensor([1e-20, 4e-7, -4e-7, 4e-7])
    assert estimate_slack(golden, eager, torch.float32)[0] > 2e-7


def test_golden_that_eager_hits_has_no_slack() -> None:
    eager = torch.tensor([0.5, 0.1, torch.nan, torch.inf])
    golden = torch.tensor([0.5, 0.1, torch.nan, torch.inf], dtype=torch.float64)
    slack = estimate_slack(golden, eager, torch.float32)
    assert slack.tolist() == [0.0, pytest.approx(1e-7, rel=0.5), 0.0, 0.0]
    missed = estimate_slack(golden.flip(0), eager, torch.float32)
    assert missed.isinf().tolist() == [True, True, True, True]
