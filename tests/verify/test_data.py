"""Test data: the same seed gives the same bits; strides, gaps and poison are what the spec says."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.graph.task import KernelTask, TensorSpec
from npu_autokernel.verify.data import POISONS, VALUE_SETS, make_inputs, make_poisoned_output
from tests.graph.tracing import build
from tests.verify.corpus import make_task

SYMBOLS = {"s0": 8, "s1": 12}


def make_task_with(*specs: TensorSpec) -> KernelTask:
    return replace(make_task("double"), inputs=specs)


@given(st.sampled_from(sorted(VALUE_SETS)), st.integers(0, 1 << 30))
def test_the_seed_decides_every_bit(values: str, seed: int) -> None:
    task = make_task("layer_norm")
    first = make_inputs(task, SYMBOLS, values, seed)
    second = make_inputs(task, SYMBOLS, values, seed)
    for left, right in zip(first, second, strict=True):
        assert torch.equal(left.view(torch.int32), right.view(torch.int32))


def test_another_seed_gives_other_data() -> None:
    task = make_task("double")
    (first,), (second,) = (make_inputs(task, SYMBOLS, "normal", seed) for seed in (1, 2))
    assert not torch.equal(first, second)


@pytest.mark.parametrize(
    "strides", [("s1", "1"), ("1", "s0"), ("2 * s1", "2"), ("0", "1"), ("1", "1"), ("s1", "0")]
)
def test_sizes_and_strides_are_those_of_the_spec(strides: tuple[str, str]) -> None:
    (tensor,) = make_inputs(
        make_task_with(TensorSpec("float16", ("s0", "s1"), strides)), SYMBOLS, "normal", 0
    )
    expected = {"s1": 12, "s0": 8, "2 * s1": 24}
    assert tensor.shape == (8, 12)
    assert tensor.stride() == tuple(
        expected.get(text, int(text) if text.isdigit() else 0) for text in strides
    )
    assert tensor.dtype == torch.float16


def test_extreme_values_hold_both_ends_and_every_special_float() -> None:
    whole = TensorSpec("int8", ("s0", "s1"), ("s1", "1"))
    floats = TensorSpec("float32", ("s0", "s1"), ("s1", "1"))
    sizes = {"s0": 100, "s1": 100}
    integers, numbers = make_inputs(make_task_with(whole, floats), sizes, "extreme", 0)
    assert (integers.min().item(), integers.max().item()) == (-128, 127)
    assert numbers.isnan().any()
    assert numbers.isposinf().any()
    assert numbers.isneginf().any()


def test_positive_values_make_all_of_them_true() -> None:
    specs = [TensorSpec(dtype, ("s0", "s1"), ("s1", "1")) for dtype in ("bool", "int32", "float16")]
    for tensor in make_inputs(make_task_with(*specs), SYMBOLS, "positive", 0):
        assert (tensor > 0).all()


@pytest.mark.parametrize("poison", POISONS)
def test_outputs_start_as_poison_gaps_included(poison: int) -> None:
    spec = TensorSpec("float32", ("s0", "s1"), ("2 * s1", "1"))
    buffer = make_poisoned_output(spec, SYMBOLS, poison, None)
    assert set(buffer.storage.view(torch.uint8).tolist()) == {poison}
    assert buffer.view.stride() == (24, 1)


def test_the_first_poison_is_nan_for_floats() -> None:
    for dtype in ("float32", "float16", "bfloat16"):
        spec = TensorSpec(dtype, ("s0",), ("1",))
        assert make_poisoned_output(spec, SYMBOLS, POISONS[0], None).view.isnan().all()


def test_a_fill_covers_the_elements_and_not_the_gaps() -> None:
    spec = TensorSpec("float32", ("s0", "s1"), ("2 * s1", "1"))
    buffer = make_poisoned_output(spec, SYMBOLS, 0xFF, 0.0)
    assert (buffer.view == 0.0).all()
    assert buffer.storage.isnan().sum().item() == buffer.storage.numel() - 8 * 12


def test_who_divides_integers_gets_no_zeros() -> None:
    whole = torch.ones(4, 4, dtype=torch.int32)
    task = build(lambda x, y: torch.div(x, y, rounding_mode="floor"), whole, whole)
    sizes = {"s0": 100, "s1": 100}
    for values in VALUE_SETS:
        assert all((tensor != 0).all() for tensor in make_inputs(task, sizes, values, 0))
    plain = make_task_with(TensorSpec("int32", ("s0", "s1"), ("s1", "1")))
    assert (make_inputs(plain, sizes, "normal", 0)[0] == 0).any()
