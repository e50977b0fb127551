"""Compiles corpus kernels inside the test process, each once. The corpus is ours, so it may."""

from __future__ import annotations

import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from npu_autokernel.candidate import KernelLaunch, LaunchArgument
from npu_autokernel.machine import Program, load_program
from npu_autokernel.reasons import Refusal
from npu_autokernel.toolchain.bishengir import HivmDump, compile_linalg
from npu_autokernel.toolchain.discovery import Toolchain, find_toolchain
from npu_autokernel.toolchain.front_end import lower_launch
from tests.machine.corpus.entry import CorpusKernel, Probe

SOC_NAME = "Ascend910B1"
TIMEOUT_S = 60.0

_dumps: dict[tuple[str, str], HivmDump | Refusal] = {}


def compile_entry(entry: CorpusKernel | Probe, soc_name: str = SOC_NAME) -> HivmDump | Refusal:
    """The dump of `entry`, or why the tool chain refuses it."""
    place = (entry.name, soc_name)
    if place not in _dumps:
        _dumps[place] = _compile(entry, soc_name)
    return _dumps[place]


def load_entry(entry: CorpusKernel) -> Program:
    """The decoded program of `entry`, which must compile and decode."""
    dump = compile_entry(entry)
    assert isinstance(dump, HivmDump), dump
    program = load_program(dump.text)
    assert isinstance(program, Program), program
    return program


def _compile(entry: CorpusKernel | Probe, soc_name: str) -> HivmDump | Refusal:
    types = entry.signature.items()
    arguments = tuple(LaunchArgument(name, "number", type_) for name, type_ in types)
    launch = KernelLaunch(entry.function.fn.__name__, ("1", "1", "1"), arguments)
    module = sys.modules[entry.function.fn.__module__]
    linalg = lower_launch(module, launch, entry.constants, soc_name)
    if isinstance(linalg, Refusal):
        return linalg
    with tempfile.TemporaryDirectory(prefix="npu-autokernel-") as folder:
        compiler = _find_toolchain(soc_name).compiler
        options = tuple(entry.options.items()) if isinstance(entry, CorpusKernel) else ()
        return compile_linalg(compiler, linalg.text, soc_name, options, Path(folder), TIMEOUT_S)


@lru_cache(maxsize=2)
def _find_toolchain(soc_name: str) -> Toolchain:
    toolchain = find_toolchain(soc_name)
    assert isinstance(toolchain, Toolchain), toolchain
    return toolchain
