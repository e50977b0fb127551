"""Binding: real inputs give the symbols' values or a reason, and specs give tensors."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.graph.binding import (
    SymbolReader,
    allocate,
    concretise,
    get_dtype,
    read_extents,
)
from npu_autokernel.graph.task import TensorSpec
from npu_autokernel.reasons import Refusal
from tests.graph.tracing import build

ROWS = torch.randn(4, 8)
TASK = build(lambda x, y, k: (x + y) * k, ROWS, torch.randn(8), torch.tensor(2.0))
SLICED = build(lambda x: x.neg(), torch.randn(4, 16)[:, :8])


def test_symbols_are_read_from_sizes_and_strides() -> None:
    inputs = [torch.randn(5, 9), torch.randn(9), torch.tensor(3.0)]
    assert SymbolReader(TASK).read(inputs) == {"s0": 5, "s1": 9}
    sliced = torch.randn(3, 7)[:, :2]
    assert SymbolReader(SLICED).read([sliced]) == {"s0": 3, "s1": 2, "t0": 7}
    assert read_extents(SLICED, [sliced]) == {"s0": 3, "s1": 2, "t0": 7}


def test_numbers_stand_for_host_scalars_of_their_kind() -> None:
    task = build(lambda x, k: x * k, ROWS, 3, mode="symbolic")
    reader = SymbolReader(task)
    assert reader.read([ROWS, 7]) == {"s0": 4, "s1": 8}
    assert isinstance(reader.read([ROWS, 7.0]), Refusal)
    assert isinstance(reader.read([ROWS, True]), Refusal)
    assert reader.read([ROWS, torch.tensor(7)]) == {"s0": 4, "s1": 8}


class Tagged(torch.Tensor):
    pass


MISFITS: dict[str, tuple[list[Any], str]] = {
    "count": ([ROWS], "the task has 3 inputs"),
    "dtype": ([ROWS.double(), ROWS[0], torch.tensor(1.0)], "dtype torch.float64 and not float32"),
    "rank": ([ROWS[0], ROWS[0], torch.tensor(1.0)], "rank 1 and not 2"),
    "extents": ([ROWS, torch.randn(7), torch.tensor(1.0)], "extent 7 where s1 is 8"),
    "extent 1": ([ROWS[:1], ROWS[0], torch.tensor(1.0)], "extent 1 where two or more is asked"),
    "empty": ([ROWS[:0], ROWS[0], torch.tensor(1.0)], "extent 0 where two or more is asked"),
    "strides": (
        [torch.randn(8, 4).t(), ROWS[0], torch.tensor(1.0)],
        "stride 1 where s1 is 8",
    ),
    "expanded": (
        [torch.randn(8).expand(4, 8), ROWS[0], torch.tensor(1.0)],
        "stride 0 where s1 is 8",
    ),
    "sparse": ([ROWS.to_sparse(), ROWS[0], torch.tensor(1.0)], "a sparse_coo tensor"),
    "subclass": (
        [ROWS.as_subclass(Tagged), ROWS[0], torch.tensor(1.0)],
        "a Tagged subclass tensor",
    ),
    "negated": (
        [torch.ones(4, 8, dtype=torch.complex64).conj().imag, ROWS[0], torch.tensor(1.0)],
        "a lazily negated tensor",
    ),
    "devices": (
        [ROWS, torch.empty(8, device="meta"), torch.tensor(1.0)],
        "device meta and not cpu",
    ),
    "scalar on the device": (
        [ROWS, ROWS[0], torch.empty((), device="meta")],
        "a device tensor where a number is asked",
    ),
    "number for a tensor": ([ROWS, 1.0, torch.tensor(1.0)], "a float where float32 is asked"),
}


@pytest.mark.parametrize("name", sorted(MISFITS))
def test_misfits_are_refused_on_every_call(name: str) -> None:
    inputs, detail = MISFITS[name]
    reader = SymbolReader(TASK)
    for _ in range(2):
        refusal = reader.read(inputs)
        assert isinstance(refusal, Refusal)
        assert refusal.code == "region.input"
        assert dict(refusal.evidence)["detail"] == detail


def test_lazy_negation_is_seen_where_all_else_is_equal() -> None:
    pairs = torch.ones(4, 8, dtype=torch.complex64)
    reader = SymbolReader(build(lambda x: x.exp(), pairs.real))
    assert isinstance(reader.read([pairs.real]), dict)
    assert isinstance(reader.read([pairs.conj().imag]), Refusal)


def test_target_device_is_asked_of_tensors_and_not_of_host_scalars() -> None:
    inputs = [ROWS, ROWS[0], torch.tensor(1.0)]
    assert isinstance(SymbolReader(TASK, torch.device("cpu")).read(inputs), dict)
    assert isinstance(SymbolReader(TASK, torch.device("meta")).read(inputs), Refusal)
    on_meta = [ROWS.to("meta"), ROWS[0].to("meta"), torch.tensor(1.0)]
    assert isinstance(SymbolReader(TASK, torch.device("meta")).read(on_meta), dict)


def test_indices_beyond_the_class_are_refused() -> None:
    outer = build(lambda x, y: (x + y).sum(), torch.randn(4, 1), torch.randn(8))
    big = [torch.empty(70000, 1), torch.empty(70000)]
    refusal = SymbolReader(outer).read(big)
    assert isinstance(refusal, Refusal)
    assert dict(refusal.evidence)["detail"] == "a tensor needs 64-bit indices"
    wide = build(lambda x, y: (x + y).sum(), *(item.to("meta") for item in big))
    assert SymbolReader(wide).read(big) == {"s0": 70000, "s1": 70000}


def test_strides_of_an_extent_of_1_do_not_matter() -> None:
    task = build(lambda x: x.neg(), torch.randn(4, 1))
    odd = torch.randn(40).as_strided((4, 1), (1, 17))
    assert SymbolReader(task).read([odd]) == {"s0": 4}


def test_read_extents_wants_the_count_and_the_ranks() -> None:
    with pytest.raises(ValueError, match="3 inputs and 1 came"):
        read_extents(TASK, [ROWS])
    with pytest.raises(ValueError, match="rank 1 and not 2"):
        read_extents(TASK, [ROWS[0], ROWS[0], 1.0])


SPECS = (
    TensorSpec("float32", ("s0", "s1"), ("s1", "1")),
    TensorSpec("float16", ("s0", "s1"), ("1", "s0")),
    TensorSpec("int32", ("s0", "s1"), ("0", "1")),
    TensorSpec("bool", ("s0", "1", "s1"), ("s1 * t0", "0", "t0")),
)
SYMBOLS = {"s0": 3, "s1": 4, "t0": 2}


@pytest.mark.parametrize("spec", SPECS)
def test_allocated_tensors_fit_their_spec(spec: TensorSpec) -> None:
    values = torch.arange(4).expand(concretise(spec, SYMBOLS)[0]) % 2
    tensor = allocate(spec, SYMBOLS, values)
    assert (tuple(tensor.shape), tensor.stride()) == concretise(spec, SYMBOLS)
    assert tensor.dtype == get_dtype(spec.dtype)
    assert torch.equal(tensor, values.to(tensor.dtype))


@given(st.permutations(range(3)), st.lists(st.integers(1, 4), min_size=3, max_size=3))
def test_allocation_round_trips_through_a_task(order: list[int], sizes: list[int]) -> None:
    tensor = torch.randn(sizes).permute(order)[..., :2]
    task = build(lambda x: x.neg(), tensor)
    copy = allocate(task.inputs[0], dict(task.hints), tensor)
    assert torch.equal(copy, tensor)
    assert SymbolReader(task).read([copy]) == dict(task.hints)


def test_gaps_are_poisoned() -> None:
    spec = TensorSpec("float32", ("s0", "s1"), ("t0", "1"))
    tensor = allocate(spec, {"s0": 2, "s1": 2, "t0": 3}, 1.0)
    storage = tensor.as_strided((5,), (1,))
    assert storage.isnan().tolist() == [False, False, True, False, False]


def test_dtype_names_are_checked() -> None:
    with pytest.raises(ValueError, match="no dtype"):
        get_dtype("nn")
