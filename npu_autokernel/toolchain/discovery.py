"""Where the tool chain is, and what is missing or in the way. Imports neither triton nor torch.

The compiler of the chip's family is taken from the distribution ascendnpu-ir, else from PATH (a CANN installation).
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.toolchain.chip_family import MEMORY_FAMILY, find_family
from npu_autokernel.toolchain.versions import read_version

FRONT_END = "triton-ascend"
COMPILER = "ascendnpu-ir"
DEFAULT_SOC = "Ascend910B1"
FOREIGN_FRONT_ENDS = ("triton", "pytorch-triton", "triton-windows", "pytorch-triton-rocm")


@dataclass(frozen=True)
class Toolchain:
    """A usable tool chain: the front end's version and the compiler's file."""

    front_end_version: str
    compiler: Path


def find_toolchain(soc_name: str = DEFAULT_SOC) -> Toolchain | Refusal:
    """The tool chain for `soc_name`, or `compile.foreign_triton` / `compile.missing` with what is wrong."""
    foreign = find_foreign_triton()
    if foreign is not None:
        return refuse("compile.foreign_triton", detail=foreign)
    version = read_version(FRONT_END)
    if version is None:
        return refuse("compile.missing", detail=f"no distribution {FRONT_END}")
    name = find_family(soc_name).compiler_name
    compiler = find_compiler(name)
    if compiler is None:
        return refuse("compile.missing", detail=f"no {name} ({COMPILER} or PATH)")
    return Toolchain(version, compiler)


def find_foreign_triton() -> str | None:
    """`name version` of an installed distribution that writes the folder triton/ of triton-ascend, or None."""
    for name in FOREIGN_FRONT_ENDS:
        version = read_version(name)
        if version is not None:
            return f"{name} {version}"
    return None


def find_compiler(name: str = MEMORY_FAMILY.compiler_name) -> Path | None:
    """The file of the compiler `name`, or None."""
    packaged = _locate_packaged_compiler(name)
    if packaged is not None:
        return packaged
    on_path = shutil.which(name)
    return Path(on_path) if on_path else None


def _locate_packaged_compiler(name: str) -> Path | None:
    try:
        files = metadata.files(COMPILER) or []
    except metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in files if file.name == name]
    return next((path for path in found if path.is_file()), None)
