"""Which lowering serves an op: one look-up over the families' tables, by the op's name without its overload."""

from __future__ import annotations

from functools import partial

from npu_autokernel.tile.lowering import Lowering
from npu_autokernel.tile.pointwise import (
    POINTWISE_LOWERINGS,
    POINTWISE_RULES,
    lower_pointwise,
)


def find_lowering(target: str) -> Lowering | None:
    """The lowering of an ATen or prims overload such as `aten.add.Tensor`, or None."""
    namespace, _, rest = target.partition(".")
    name = rest.partition(".")[0]
    if namespace not in ("aten", "prims"):
        return None
    if name in POINTWISE_RULES:
        return partial(lower_pointwise, POINTWISE_RULES[name])
    return POINTWISE_LOWERINGS.get(name)
