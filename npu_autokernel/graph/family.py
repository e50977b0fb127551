"""The family of a region: which of the drafter's builders it belongs to.

The heaviest op decides: one normalisation among many pointwise ops makes the region a normalisation.
"""

from __future__ import annotations

from collections.abc import Iterable

from npu_autokernel.graph.op_kinds import classify_op, list_names, name_packet, resolve_target
from npu_autokernel.graph.task import OpCall

_MATMULS = list_names("mm bmm addmm baddbmm dot mv")
_CONVOLUTIONS = list_names("convolution")
_POOLINGS = list_names("avg_pool2d max_pool2d_with_indices _adaptive_avg_pool2d")
_SCANS = list_names("cumsum cumprod cummax cummin logcumsumexp")
_INDEXING = list_names("index gather scatter index_select embedding index_put")
_ATTENTIONS = list_names("_scaled_dot_product_fused_attention_overrideable")

# From the lightest to the heaviest.
_FAMILIES = (
    "elementwise",
    "indexing",
    "reduction",
    "scan",
    "pooling",
    "softmax",
    "normalisation",
    "matmul",
    "convolution",
    "attention",
)


def classify_family(ops: Iterable[OpCall]) -> str:
    """The family of a region with these ops."""
    families = [_classify_target(op.target) for op in ops]
    return max(families, key=_FAMILIES.index, default="elementwise")


def _classify_target(target: str) -> str:
    op = resolve_target(target)
    packet = name_packet(op)
    for family, packets in (
        ("matmul", _MATMULS),
        ("convolution", _CONVOLUTIONS),
        ("pooling", _POOLINGS),
        ("scan", _SCANS),
        ("indexing", _INDEXING),
        ("attention", _ATTENTIONS),
    ):
        if packet in packets:
            return family
    kind = classify_op(op)
    if kind == "rowwise":
        return "softmax"
    return kind if kind in _FAMILIES else "elementwise"
