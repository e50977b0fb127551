"""Which lowering serves an op: one look-up over the families' tables, by the op's name without its overload."""

from __future__ import annotations

from functools import partial

from npu_autokernel.tile.conversions import CONVERSION_LOWERINGS
from npu_autokernel.tile.losses import LOSS_LOWERINGS
from npu_autokernel.tile.lowering import Lowering
from npu_autokernel.tile.normalisation import NORMALISATION_LOWERINGS
from npu_autokernel.tile.pointwise import POINTWISE_RULES
from npu_autokernel.tile.pointwise_gradients import GRADIENT_RULES
from npu_autokernel.tile.promotion import lower_pointwise
from npu_autokernel.tile.reduction import REDUCTION_LOWERINGS
from npu_autokernel.tile.softmax import SOFTMAX_LOWERINGS

_RULES = {**POINTWISE_RULES, **GRADIENT_RULES}
_LOWERINGS: dict[str, Lowering] = {
    **CONVERSION_LOWERINGS,
    **REDUCTION_LOWERINGS,
    **LOSS_LOWERINGS,
    **SOFTMAX_LOWERINGS,
    **NORMALISATION_LOWERINGS,
}


def find_lowering(target: str) -> Lowering | None:
    """The lowering of an ATen or prims overload such as `aten.add.Tensor`, or None."""
    namespace, _, rest = target.partition(".")
    name = rest.partition(".")[0]
    if namespace not in ("aten", "prims"):
        return None
    if name in _RULES:
        return partial(lower_pointwise, _RULES[name])
    return _LOWERINGS.get(name)
