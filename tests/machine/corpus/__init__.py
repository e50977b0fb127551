"""Triton kernels of many kinds, each with an oracle: what the machine must get right.

One module per kind of kernel; `limits` holds what the tool chain must refuse.
"""

from __future__ import annotations

from tests.machine.corpus import (
    atomics,
    attention,
    bias,
    buffered,
    casts,
    control,
    elementwise,
    epilogues,
    fused,
    indexing,
    layouts,
    matmul,
    options,
    random_numbers,
    reductions,
    repaired,
    scans_and_sorts,
)
from tests.machine.corpus.entry import CorpusKernel

KERNELS: tuple[CorpusKernel, ...] = (
    *elementwise.KERNELS,
    *casts.KERNELS,
    *reductions.KERNELS,
    *scans_and_sorts.KERNELS,
    *indexing.KERNELS,
    *control.KERNELS,
    *buffered.KERNELS,
    *atomics.KERNELS,
    *random_numbers.KERNELS,
    *matmul.KERNELS,
    *bias.KERNELS,
    *attention.KERNELS,
    *layouts.KERNELS,
    *epilogues.KERNELS,
    *fused.KERNELS,
    *options.KERNELS,
    *repaired.KERNELS,
)
