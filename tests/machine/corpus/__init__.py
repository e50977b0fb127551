"""Triton kernels of many kinds, each with an oracle: what the machine must get right.

One module per kind of kernel; `limits` holds what the tool chain must refuse.
"""

from __future__ import annotations

from tests.machine.corpus import casts, elementwise, reductions
from tests.machine.corpus.entry import CorpusKernel

KERNELS: tuple[CorpusKernel, ...] = (
    *elementwise.KERNELS,
    *casts.KERNELS,
    *reductions.KERNELS,
)
