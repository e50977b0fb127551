"""Triton kernels of many kinds, each with an oracle: what the machine must get right.

One module per kind of kernel; `limits` holds what the tool chain must refuse.
"""

from __future__ import annotations

from collections.abc import Collection

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
    images,
    indexing,
    layouts,
    masks,
    matmul,
    options,
    random_numbers,
    reductions,
    repaired,
    routing,
    scans_and_sorts,
    tiles,
    training,
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
    *tiles.KERNELS,
    *masks.KERNELS,
    *images.KERNELS,
    *routing.KERNELS,
    *training.KERNELS,
)


def choose_kernels(names: Collection[str]) -> tuple[CorpusKernel, ...]:
    """The kernels named, in the order of the corpus; all if none is. ValueError for an unknown name."""
    unknown = sorted(set(names) - {entry.name for entry in KERNELS})
    if unknown:
        raise ValueError(f"the corpus has no kernel {', '.join(map(repr, unknown))}")
    return tuple(entry for entry in KERNELS if not names or entry.name in names)
