"""Build script: maps the three source trees under one name.

`torch_backend/` and `cache/` install as `npu_autokernel.torch_backend` and `npu_autokernel.cache`, so no generic
name lands in site-packages. Metadata lives in pyproject.toml.
"""

from __future__ import annotations

from setuptools import find_packages, setup

PACKAGE_ROOTS = {
    "npu_autokernel": "npu_autokernel",
    "npu_autokernel.torch_backend": "torch_backend",
    "npu_autokernel.cache": "cache",
}


def list_packages() -> list[str]:
    packages = list(PACKAGE_ROOTS)
    for name, folder in PACKAGE_ROOTS.items():
        packages += [f"{name}.{child}" for child in find_packages(folder)]
    return packages


setup(packages=list_packages(), package_dir=PACKAGE_ROOTS)
