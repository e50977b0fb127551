"""Groups are legal: whatever may fuse, the assembled graph computes what the graph computed."""

from __future__ import annotations

import random
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.fx import Graph, GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.torch_backend.assemble import assemble_graph, box_module
from npu_autokernel.torch_backend.eager_reasons import explain_eager
from npu_autokernel.torch_backend.partition import MAX_OPS, Flow, Partition, partition_graph
from npu_autokernel.torch_backend.region import make_region


def trace(function, *inputs: torch.Tensor) -> GraphModule:
    return make_fx(function, tracing_mode="fake", decomposition_table={})(*inputs)


def describe_anything(node: Node) -> str | Refusal:
    """An oracle that fuses all that may leave eager at all."""
    return explain_eager(node, "cpu") or "any"


def merge_anything(first: str, second: str) -> str:
    return first


def split(module: GraphModule, describe=describe_anything, merge=merge_anything) -> Partition:
    return partition_graph(Flow(module.graph), describe, merge)


def assemble(module: GraphModule) -> GraphModule:
    flow = Flow(module.graph)
    regions = [
        make_region(group)
        for group in partition_graph(flow, describe_anything, merge_anything).groups
    ]
    assembled = assemble_graph(module, flow, {item: _call_of(item) for item in regions})
    assembled.graph.lint()
    return assembled


def _call_of(region):
    def run_region(*inputs):
        return region.module(*inputs)

    return run_region


def list_names(partition: Partition) -> list[list[str]]:
    return [[node.name for node in group] for group in partition.groups]


def test_a_chain_is_one_group_and_matrix_work_splits_it() -> None:
    module = trace(lambda x: torch.relu(torch.mm(torch.sin(x).neg(), x)).exp(), torch.ones(4, 4))
    partition = split(module)
    assert list_names(partition) == [["sin", "neg"], ["relu", "exp"]]
    assert [(node.name, why.code) for node, why in partition.refusals] == [("mm", "region.cube")]


def test_a_path_through_eager_keeps_two_ops_apart() -> None:
    def function(x):
        y = x.sin()
        return y + torch.mm(y, x)

    partition = split(trace(function, torch.ones(4, 4)))
    assert list_names(partition) == [["sin"], ["add"]]


def test_groups_that_would_wait_for_each_other_are_kept_apart() -> None:
    """Two chains that cross through matrix work: at most one of the two pairs may fuse."""

    def function(x):
        a, b = x.sin(), x.cos()
        a_late, b_late = torch.mm(b, x), torch.mm(a, x)
        return a + a_late, b + b_late

    module = trace(function, torch.ones(4, 4))
    assert list_names(split(module)) == [["cos"], ["sin", "add"], ["add_1"]]
    x = torch.randn(4, 4)
    assert all(map(torch.equal, assemble(module)(x), module(x)))


def test_selections_travel_with_their_op() -> None:
    def function(x):
        values, positions = torch.max(x, 1)
        return values.neg(), positions

    partition = split(trace(function, torch.ones(4, 4)))
    assert list_names(partition) == [["max_1", "getitem", "getitem_1", "neg"]]


def test_a_merge_that_the_oracle_refuses_does_not_happen() -> None:
    module = trace(lambda x: x.sin().cos().exp(), torch.ones(3))
    partition = split(module, lambda node: node.name, lambda a, b: b if b == "cos" else None)
    assert list_names(partition) == [["sin", "cos"], ["exp"]]


def test_a_refusal_of_the_oracle_is_reported_with_its_op() -> None:
    module = trace(lambda x: x.sin().cos(), torch.ones(3))

    def describe(node: Node) -> str | Refusal:
        return refuse("draft.unsupported_op", op="sin") if node.name == "sin" else "any"

    partition = split(module, describe)
    assert list_names(partition) == [["cos"]]
    assert partition.refusals[0][1].code == "draft.unsupported_op"


def test_a_group_has_at_most_the_most_ops() -> None:
    def function(x):
        for _ in range(MAX_OPS + 5):
            x = x.sin()
        return x

    sizes = [len(group) for group in split(trace(function, torch.ones(3))).groups]
    assert sizes == [MAX_OPS, 5]


def test_random_ops_draw_in_the_graphs_order() -> None:
    """A group that needs the second draw early must not pull it before the first."""

    def function(x):
        early = x.sin()
        first = torch.bernoulli(x, 0.5)
        second = torch.bernoulli(x, 0.5)
        return early + second, first

    module = trace(function, torch.ones(64))
    assembled = assemble(module)
    x = torch.ones(64)
    for seed in range(5):
        torch.manual_seed(seed)
        expected = module(x)
        torch.manual_seed(seed)
        assert all(map(torch.equal, assembled(x), expected))


def test_nothing_moves_across_a_write() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    before = graph.call_function(torch.ops.aten.sin.default, (x,))
    write = graph.call_function(torch.ops.aten.add_.Tensor, (x, 1.0))
    after = graph.call_function(torch.ops.aten.cos.default, (x,))
    both = graph.call_function(torch.ops.aten.add.Tensor, (before, after))
    graph.output((both, write))
    for node in graph.nodes:
        node.meta["val"] = torch.ones(3)
    module = GraphModule(torch.nn.Module(), graph)
    assert list_names(split(module)) == [
        ["sin_default"],
        ["cos_default", "add_tensor"],
    ]
    left = assemble(module)(torch.arange(3.0))
    right = module(torch.arange(3.0))
    assert all(map(torch.equal, left, right))


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (lambda x: x.view(-1), "region.view"),
        (lambda x: torch.bernoulli(x, 0.5), "region.random"),
        (lambda x: x @ x, "region.cube"),
        (lambda x: x[:0].sin(), "region.zero_size"),
        (lambda x: x.double().sin(), "draft.unsupported_dtype"),
        (lambda x: torch.view_as_complex(x.view(-1, 2)).exp(), "draft.unsupported_dtype"),
        (lambda x: torch.nonzero(x).sin(), "region.tensor_kind"),
    ],
)
def test_each_kind_of_eager_op_has_its_reason(function, code: str) -> None:
    module = make_fx(function, tracing_mode="symbolic", decomposition_table={})(torch.ones(4, 4))
    refusals = [why for _, why in split(module).refusals]
    assert code in [why.code for why in refusals]


def test_a_tensor_of_another_device_is_no_input_of_a_kernel() -> None:
    module = trace(lambda x: x.sin(), torch.ones(4, device="meta"))
    assert [why.code for _, why in split(module).refusals] == ["region.device"]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), length=st.integers(2, 24))
def test_any_graph_computes_the_same_after_partition(seed: int, length: int) -> None:
    source = random.Random(seed)
    recipe = [_draw_step(source, position) for position in range(length)]

    def function(x):
        values = [x]
        for kind, left, right in recipe:
            values.append(_STEPS[kind](values[left], values[right]))
        return tuple(values[-3:])

    x = torch.randn(4, 4, generator=torch.Generator().manual_seed(seed))
    module = trace(function, x)
    assembled = assemble(module)
    torch.manual_seed(seed)
    expected = module(x)
    torch.manual_seed(seed)
    got = box_module(assembled)([x])
    assert all(torch.equal(a, b) for a, b in zip(got, expected, strict=True))


_STEPS = (
    lambda a, b: a + b,
    lambda a, b: torch.sin(a),
    lambda a, b: torch.tanh(torch.mm(a, b)),
    lambda a, b: a.t(),
    lambda a, b: torch.ops.aten.native_dropout(a, 0.5, True)[0],
    lambda a, b: torch.max(a, 1, keepdim=True)[0] + b,
)


def _draw_step(source: random.Random, position: int) -> tuple[int, int, int]:
    return source.randrange(len(_STEPS)), source.randint(0, position), source.randint(0, position)


def test_a_deep_graph_needs_no_deep_stack() -> None:
    def function(x):
        for _ in range(400):
            x = torch.mm(x.sin().cos(), x)
        return x

    module = trace(function, torch.ones(2, 2))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        assert len(split(module).groups) == 400
        assemble(module)
    finally:
        sys.setrecursionlimit(limit)
