"""Kernels of the other modules, compiled with options that change what is emitted around the cube.

Unit flags instead of events, vector cores that both do all of the work, pipelines of other depths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.machine.corpus import attention, bias, matmul
from tests.machine.corpus.entry import CorpusKernel

PLAIN: Mapping[str, CorpusKernel] = {
    entry.name: entry for entry in (*matmul.KERNELS, *bias.KERNELS, *attention.KERNELS)
}
UNIT_FLAG = {"unit_flag": True}
DEEP = {"workspace_multibuffer": 2, "tile_mix_cube_loop": 2, "tile_mix_vector_loop": 2}


def compiled_with(suffix: str, options: Mapping[str, int | bool], *names: str):
    return tuple(
        replace(PLAIN[name], name=f"{name}_{suffix}", options=dict(options)) for name in names
    )


KERNELS: tuple[CorpusKernel, ...] = (
    *compiled_with(
        "unit_flag", UNIT_FLAG, "multiply_planes", "multiply_twice",
        "multiply_unmasked_128_128_1024", "multiply_add_bias", "add_bias_after_fp16", "attend",
    ),
    *compiled_with(
        "unsplit", {"bind_sub_block": False}, "multiply_add_bias", "multiply_dequantised",
        "multiply_exponential", "attend_causal",
    ),
    *compiled_with("deep", DEEP | UNIT_FLAG, "multiply_bias_gelu", "attend_bf16"),
    *compiled_with("unbuffered", {"multi_buffer": False}, "multiply_fp16", "attend_short"),
)  # fmt: skip
