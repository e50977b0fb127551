"""Build script: maps the source trees under one name and builds the native machine.

`torch_backend/`, `cache/` and `examples/` install as `npu_autokernel.torch_backend` and so on,
so no generic name lands in site-packages. The C++ core is built by CMake (CMakeLists.txt) with the
nanobind of the build environment. Metadata lives in pyproject.toml.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

SOURCE_FOLDER = Path(__file__).resolve().parent
NATIVE_MODULE = "npu_autokernel.machine._native"
PACKAGE_ROOTS = {
    "npu_autokernel": "npu_autokernel",
    "npu_autokernel.torch_backend": "torch_backend",
    "npu_autokernel.cache": "cache",
    "npu_autokernel.examples": "examples",
}


def list_packages() -> list[str]:
    packages = list(PACKAGE_ROOTS)
    for name, folder in PACKAGE_ROOTS.items():
        packages += [f"{name}.{child}" for child in find_packages(folder)]
    return packages


def find_program(name: str) -> str:
    """The program as its Python package installs it, which need not be on PATH."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is not installed; run `pip install {name}` and build again")
    return found


class BuildNative(build_ext):
    """Runs CMake; the module lands where setuptools expects an extension of its name."""

    def build_extension(self, extension: Extension) -> None:
        import nanobind

        cmake, ninja = find_program("cmake"), find_program("ninja")
        package_parent = Path(self.get_ext_fullpath(extension.name)).resolve().parents[2]
        build_folder = str(Path(self.build_temp).resolve() / "native")
        settings = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_MAKE_PROGRAM": ninja,
            "Python_EXECUTABLE": sys.executable,
            "nanobind_DIR": nanobind.cmake_dir(),
        }
        configure = [cmake, "-S", str(SOURCE_FOLDER), "-B", build_folder, "-G", "Ninja"]
        configure += [f"-D{name}={value}" for name, value in settings.items()]
        subprocess.run(configure, check=True)
        subprocess.run([cmake, "--build", build_folder], check=True)
        install = [cmake, "--install", build_folder, "--prefix", str(package_parent)]
        subprocess.run(install, check=True)


setup(
    packages=list_packages(),
    package_dir=PACKAGE_ROOTS,
    include_package_data=False,
    package_data={"": ["py.typed", "*.pyi", "*.json", "*.toml", "cases/*.json"]},
    ext_modules=[Extension(NATIVE_MODULE, sources=[])],
    cmdclass={"build_ext": BuildNative},
)
