"""Versions of what a proof depends on, read from distribution metadata (nothing is imported)."""

from __future__ import annotations

from functools import lru_cache
from importlib import metadata

PROOF_DISTRIBUTIONS = ("ascendnpu-ir", "torch", "triton-ascend")


@lru_cache(maxsize=1)
def read_versions() -> tuple[tuple[str, str], ...]:
    """(distribution, version) of the compilers and of torch, sorted; an absent one is `absent`."""
    return tuple((name, read_version(name) or "absent") for name in PROOF_DISTRIBUTIONS)


def read_version(distribution: str) -> str | None:
    """The version of an installed distribution, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
