"""The decompositions AOTAutograd applies before a graph reaches us: few, each with its reason.

An op that the drafter knows stays whole: `gelu`, `native_layer_norm`, `_softmax` and their
backward ops are one row in a report and one kernel with a numerically sound algorithm. Decomposed
are ops of several pointwise steps that the drafter does not know by name, and ops with several
phases that should be fused with their neighbours. Nothing here changes a result beyond rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

_DECOMPOSED: dict[str, str] = {}


@lru_cache(maxsize=1)
def make_decompositions() -> dict[Any, Callable[..., Any]]:
    """The table for `aot_autograd(decompositions=...)`: op overload to torch's own decomposition."""
    from torch._decomp import get_decompositions

    return dict(get_decompositions(_list_overloads()))


def _list_overloads() -> list[Any]:
    import torch

    packets = (getattr(torch.ops.aten, name, None) for name in _DECOMPOSED)
    return [packet for packet in packets if packet is not None]
