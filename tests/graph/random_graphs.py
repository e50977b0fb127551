"""Random pointwise functions for property tests: a DAG over a few operands, drawn op by op."""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import strategies as st

UNARY = (
    torch.relu,
    torch.sigmoid,
    torch.tanh,
    torch.neg,
    torch.abs,
    torch.square,
    torch.exp,
    torch.floor,
    torch.sin,
    lambda x: x * 2,
    lambda x: x + 0.5,
    lambda x: x.clamp(-1.5, 1.5),
    lambda x: torch.nn.functional.gelu(x),
)
CONVERSIONS = (lambda x: x.to(torch.float16), lambda x: x.to(torch.float32))
BINARY = (
    torch.add,
    torch.sub,
    torch.mul,
    torch.maximum,
    torch.minimum,
    lambda x, y: torch.where(x > y, x, y * 2),
    lambda x, y: torch.where((x < 0) | (y >= 0.25), x, y),
    lambda x, y: (x == y) + x,
)


@st.composite
def pointwise_functions(draw: st.DrawFn, with_conversions: bool = True) -> Any:
    """(function, its arguments): up to eight ops over tensors of shapes that broadcast together."""
    unaries = UNARY + CONVERSIONS if with_conversions else UNARY
    steps = draw(
        st.lists(
            st.tuples(
                st.booleans(),
                st.integers(0, len(unaries) - 1),
                st.integers(0, len(BINARY) - 1),
                st.integers(0, 20),
                st.integers(0, 20),
            ),
            min_size=1,
            max_size=8,
        )
    )
    shapes = draw(st.lists(st.sampled_from([(3, 4), (4,), (3, 1), (1, 4)]), min_size=1, max_size=3))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 1000)))
    args = tuple(torch.randn(shape, generator=generator) for shape in shapes)

    def run(*operands: torch.Tensor) -> torch.Tensor:
        values = list(operands)
        for is_unary, unary, binary, first, second in steps:
            left, right = values[first % len(values)], values[second % len(values)]
            values.append(unaries[unary](left) if is_unary else BINARY[binary](left, right))
        return values[-1].neg()  # a conversion may have been no op at all

    return run, args
