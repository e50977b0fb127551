"""The decompositions AOTAutograd applies before a graph reaches us: few, each group with its reason.

An op that the drafter knows stays whole: `gelu`, `native_layer_norm`, `_softmax` and their like
are one row in a report and one kernel with a numerically sound algorithm. Decomposed is only what
the drafter does not know by name and what torch's own decomposition turns into ops that it does.
Nothing here changes a result beyond rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

# Two reductions over different dimensions and pointwise work between them: one op holds them back.
_GRADIENTS_OF_NORMALISATIONS = (
    "_fused_rms_norm_backward",
    "native_batch_norm_backward",
    "native_group_norm_backward",
    "native_layer_norm_backward",
)
# A few pointwise steps, which fuse with what comes before and after.
_POINTWISE_CHAINS = (
    "_prelu_kernel_backward",
    "deg2rad",
    "glu",
    "log_sigmoid_backward",
    "logaddexp2",
    "mish_backward",
    "native_dropout_backward",
    "rad2deg",
    "special_entr",
    "special_xlog1py",
)
# Pointwise work and at most one full reduction.
_LOSSES = (
    "binary_cross_entropy",
    "binary_cross_entropy_backward",
    "binary_cross_entropy_with_logits",
    "huber_loss_backward",
    "mse_loss_backward",
    "smooth_l1_loss_backward",
    "soft_margin_loss",
    "soft_margin_loss_backward",
)
# A constant that takes its dtype from a tensor becomes a plain constant, which fuses.
_CREATION = ("new_full", "new_ones", "new_zeros")

# How Dynamo spells addcmul and its like; torch defines it for its own compiler only.
_MULTIPLY_ADD = "fma"

DECOMPOSED = (*_GRADIENTS_OF_NORMALISATIONS, *_POINTWISE_CHAINS, *_LOSSES, *_CREATION)


@lru_cache(maxsize=1)
def make_decompositions() -> dict[Any, Callable[..., Any]]:
    """The table for `aot_autograd(decompositions=...)`: overload to torch's own decomposition."""
    import torch
    from torch._decomp import get_decompositions
    from torch._inductor import inductor_prims

    packets = [getattr(torch.ops.aten, name, None) for name in DECOMPOSED]
    table = dict(get_decompositions([packet for packet in packets if packet is not None]))
    if hasattr(inductor_prims, _MULTIPLY_ADD):
        table[getattr(inductor_prims, _MULTIPLY_ADD)] = _multiply_and_add
    return table


def _multiply_and_add(left: Any, right: Any, addend: Any) -> Any:
    return left * right + addend
