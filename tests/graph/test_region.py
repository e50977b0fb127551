"""Regions become canonical tasks, with specs that say what a kernel must read and write."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from npu_autokernel.cache.canonical import canonical_json, parse_canonical
from npu_autokernel.graph.region import read_region
from npu_autokernel.graph.task import (
    DTypeArg,
    KernelTask,
    OpCall,
    SizeArg,
    TaskOutput,
    TensorSpec,
    ValueRef,
)
from tests.graph.tracing import build, read, trace

MATRIX = TensorSpec("float32", ("s0", "s1"), ("s1", "1"))
ROW_VALUES = TensorSpec("float32", ("s0", "1"), ("1", "0"))


def test_pointwise_chain_is_written_in_canonical_form() -> None:
    task = build(lambda x, y: torch.relu(x + y) * 2, torch.randn(4, 8), torch.randn(8))
    assert task.inputs == (MATRIX, TensorSpec("float32", ("s1",), ("1",)))
    assert task.ops == (
        OpCall("v0", "aten.add.Tensor", (ValueRef("x0"), ValueRef("x1")), (), (MATRIX,)),
        OpCall("v1", "aten.relu.default", (ValueRef("v0"),), (), (MATRIX,)),
        OpCall("v2", "aten.mul.Tensor", (ValueRef("v1"), 2), (), (MATRIX,)),
    )
    assert task.hints == (("s0", 4), ("s1", 8))
    assert (task.family, task.numerics, task.index_bits) == ("elementwise", "float32", 32)


def test_several_results_are_items_and_normalised_shape_is_a_size() -> None:
    task = build(lambda x, w: functional.layer_norm(x, (8,), w), torch.randn(4, 8), torch.randn(8))
    (norm,) = task.ops
    assert norm.arguments == (ValueRef("x0"), (SizeArg("s1"),), ValueRef("x1"), None, 1e-05)
    assert norm.results == (MATRIX, ROW_VALUES, ROW_VALUES)
    assert task.outputs == (TaskOutput(ValueRef("v0", 0), MATRIX),)
    assert task.family == "normalisation"


def test_group_norm_sizes_follow_its_input() -> None:
    x = torch.randn(2, 6, 4, 5)
    task = build(lambda x, w: functional.group_norm(x, 3, w, w), x, torch.randn(6))
    assert task.ops[0].arguments[3:6] == (SizeArg("s0"), SizeArg("s1"), SizeArg("s2 * s3"))


def test_outputs_keep_the_strides_the_graph_promises() -> None:
    x = torch.randn(4, 8).t()
    task = build(lambda x: (torch.sin(x), x.sum(1, keepdim=True)), x)
    assert task.inputs[0].strides == ("1", "s0")
    assert task.outputs[0].spec.strides == ("1", "s0")
    fake = trace(lambda x: x.sum(1, keepdim=True), x).graph.output_node().args[0]
    assert task.outputs[1].spec.strides == tuple(str(item) for item in fake.meta["val"].stride())


def test_zero_dimensional_cpu_tensors_are_host_scalars() -> None:
    task = build(lambda x, k: x * k, torch.randn(4), torch.tensor(2.0, dtype=torch.float64))
    assert task.inputs[1] == TensorSpec("float64", (), (), is_host_scalar=True)
    assert task.numerics == "float32"


def test_inputs_are_ordered_by_first_use_and_unused_ones_are_dropped() -> None:
    args = (torch.randn(4), torch.randn(4), torch.randn(1))
    built = read(lambda a, b, c: torch.cat([b]).neg() if a is b else c - a, *args)
    assert built.input_order == (2, 0)
    assert built.task.inputs[0].sizes == ("1",)


def test_conversions_name_their_dtype_and_drop_their_placement() -> None:
    task = build(lambda x: x.to(torch.float16, memory_format=torch.preserve_format), torch.ones(4))
    assert task.ops[0].target == "aten._to_copy.default"
    assert task.ops[0].keywords == (("dtype", DTypeArg("float16")),)
    assert task.numerics == "float32"


def test_integer_that_is_an_extent_is_a_size_and_another_is_an_input() -> None:
    x = torch.randn(4, 8)
    built = read(lambda x, k: x * k + x.shape[0] * 2, x, 3, mode="symbolic")
    assert built.task.inputs[1] == TensorSpec("int64", (), (), is_host_scalar=True)
    assert built.task.ops[0].arguments == (ValueRef("x0"), ValueRef("x1"))
    assert built.task.ops[1].arguments == (ValueRef("v0"), SizeArg("2 * s0"))
    assert built.input_order == (0, 1)


def test_created_tensors_take_the_extents_they_meet() -> None:
    task = build(lambda x: x + torch.full((4, 8), 2.0), torch.randn(4, 8))
    full = task.ops[0]
    assert full.arguments == ((SizeArg("s0"), SizeArg("s1")), 2.0)


def test_tensors_beyond_int32_need_wide_indices() -> None:
    meta = torch.empty(70000, 70000, device="meta")
    assert build(lambda x: x.neg(), meta).index_bits == 64
    rows = torch.empty(70000, 1, device="meta")
    columns = torch.empty(70000, device="meta")
    assert build(lambda x, y: (x + y).sum(), rows, columns).index_bits == 64
    assert build(lambda x: x.neg(), rows).index_bits == 32


@pytest.mark.parametrize(
    ("dtypes", "numerics"),
    [
        ((torch.float16, torch.float32), "float32"),
        ((torch.bfloat16, torch.int32), "bfloat16"),
        ((torch.int32, torch.bool), "exact"),
    ],
)
def test_numerics_is_the_widest_float(dtypes: tuple[torch.dtype, ...], numerics: str) -> None:
    args = [torch.ones(4, dtype=dtype) for dtype in dtypes]
    assert build(lambda x, y: x * y, *args).numerics == numerics


def test_host_scalars_do_not_count_for_numerics() -> None:
    task = build(lambda x, k: x * k, torch.ones(4).half(), torch.tensor(2.0))
    assert task.inputs[1].dtype == "float32"
    assert task.numerics == "float16"


def test_task_survives_json() -> None:
    task = build(
        lambda x, w: functional.layer_norm(x.half(), (8,), w.half()).float().clamp(max=2.0),
        torch.randn(8, 4).t(),
        torch.randn(16)[::2],
        mode="symbolic",
    )
    document = parse_canonical(canonical_json(task.to_json()))
    assert KernelTask.from_json(document) == task


def test_dead_ops_are_gone() -> None:
    region = trace(lambda x: x + 1, torch.randn(4))
    placeholder = next(iter(region.graph.nodes))
    with region.graph.inserting_after(placeholder):
        dead = region.graph.call_function(torch.ops.aten.exp.default, (placeholder,))
    dead.meta["val"] = placeholder.meta["val"]
    built = read_region(region)
    assert [op.target for op in built.task.ops] == ["aten.add.Tensor"]
