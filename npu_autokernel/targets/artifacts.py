"""Compiled launches as the artifacts of a stored kernel: one canonical JSON file per launch, in order."""

from __future__ import annotations

from collections.abc import Sequence

from npu_autokernel.cache.canonical import canonical_json, parse_canonical
from npu_autokernel.cache.records import Artifact
from npu_autokernel.compiled_kernel import CompiledKernel

_NAME = "launch-{}.json"


def pack_kernels(kernels: Sequence[CompiledKernel]) -> tuple[Artifact, ...]:
    """The artifacts of a plan's launches."""
    return tuple(
        Artifact(_NAME.format(number), canonical_json(kernel.to_json()).encode())
        for number, kernel in enumerate(kernels)
    )


def unpack_kernels(artifacts: Sequence[Artifact]) -> tuple[CompiledKernel, ...]:
    """Inverse of `pack_kernels`; raises KeyError for a missing launch, ValueError for a damaged one."""
    data = {artifact.name: artifact.data for artifact in artifacts}
    texts = [data[_NAME.format(number)].decode() for number in range(len(artifacts))]
    return tuple(CompiledKernel.from_json(parse_canonical(text)) for text in texts)
