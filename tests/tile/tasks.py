"""Tasks for the drafter's tests, written by hand: rows of [s0, s1], vectors of s1, images of [s0, s1, s2]."""

from __future__ import annotations

from npu_autokernel.graph.task import (
    ArgumentValue,
    KernelTask,
    OpCall,
    TaskOutput,
    TensorSpec,
    ValueRef,
)

X0, X1, X2 = (ValueRef(f"x{number}") for number in range(3))


def spec(*sizes: str, dtype: str = "float32") -> TensorSpec:
    """A contiguous tensor; strides as products of extents."""
    strides = []
    for position, size in enumerate(sizes):
        inner = [other for other in sizes[position + 1 :] if other != "1"]
        strides.append("0" if size == "1" else " * ".join(inner) or "1")
    return TensorSpec(dtype, sizes, tuple(strides))


ROWS = spec("s0", "s1")
VECTOR = spec("s1")
ROW_STATISTICS = spec("s0", "1")
IMAGES = spec("s0", "s1", "s2")


def call(
    name: str,
    target: str,
    *arguments: ArgumentValue,
    results: tuple[TensorSpec, ...] = (ROWS,),
    **keywords: ArgumentValue,
) -> OpCall:
    return OpCall(name, target, arguments, tuple(sorted(keywords.items())), results)


def make_task(
    inputs: tuple[TensorSpec, ...],
    ops: tuple[OpCall, ...],
    outputs: tuple[TaskOutput, ...] | None = None,
    family: str = "elementwise",
    index_bits: int = 32,
    **hints: int,
) -> KernelTask:
    """A task whose outputs are, unless given, all results of the last op."""
    if outputs is None:
        last = ops[-1]
        several = len(last.results) > 1
        outputs = tuple(
            TaskOutput(ValueRef(last.name, item if several else None), result)
            for item, result in enumerate(last.results)
        )
    sizes = hints or {"s0": 1000, "s1": 384}
    return KernelTask(inputs, ops, outputs, family, "float32", index_bits, tuple(sizes.items()))


def gelu(**hints: int) -> KernelTask:
    return make_task((ROWS,), (call("v0", "aten.gelu.default", X0),), **hints)


def bias_gelu(**hints: int) -> KernelTask:
    add = call("v0", "aten.add.Tensor", X0, X1)
    return make_task(
        (ROWS, VECTOR), (add, call("v1", "aten.gelu.default", ValueRef("v0"))), **hints
    )


def softmax(dim: int = -1, **hints: int) -> KernelTask:
    op = call("v0", "aten._softmax.default", X0, dim, False)
    return make_task((ROWS,), (op,), family="softmax", **hints)


def layer_norm(**hints: int) -> KernelTask:
    results = (ROWS, ROW_STATISTICS, ROW_STATISTICS)
    op = call("v0", "aten.native_layer_norm.default", X0, (384,), X1, X2, 1e-5, results=results)
    return make_task((ROWS, VECTOR, VECTOR), (op,), family="normalisation", **hints)


def column_sum(**hints: int) -> KernelTask:
    op = call("v0", "aten.sum.dim_IntList", X0, (0,), False, results=(spec("s1"),))
    return make_task((ROWS,), (op,), family="reduction", **hints)


def add_transposed(**hints: int) -> KernelTask:
    other = TensorSpec("float32", ("s0", "s1"), ("1", "s0"))
    return make_task((ROWS, other), (call("v0", "aten.add.Tensor", X0, X1),), **hints)


def channel_scale(**hints: int) -> KernelTask:
    """Images of [s0, s1, s2] times one factor per channel."""
    factor = TensorSpec("float32", ("s1", "1"), ("1", "0"))
    op = call("v0", "aten.mul.Tensor", X0, X1, results=(IMAGES,))
    return make_task((IMAGES, factor), (op,), **(hints or {"s0": 8, "s1": 64, "s2": 196}))


def group_norm(**hints: int) -> KernelTask:
    statistics = spec("s0", "4")
    op = call(
        "v0",
        "aten.native_group_norm.default",
        *(X0, X1, X2, 8, 64, 196, 4, 1e-5),
        results=(IMAGES, statistics, statistics),
    )
    return make_task(
        (IMAGES, VECTOR, VECTOR),
        (op,),
        family="normalisation",
        **(hints or {"s0": 8, "s1": 64, "s2": 196}),
    )


EXAMPLES = {
    "gelu": gelu,
    "bias_gelu": bias_gelu,
    "softmax": softmax,
    "layer_norm": layer_norm,
    "column_sum": column_sum,
    "add_transposed": add_transposed,
    "channel_scale": channel_scale,
    "group_norm": group_norm,
}
