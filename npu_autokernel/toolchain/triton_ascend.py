"""Candidate -> compiled kernels: import the source, then front end and compiler for each launch.

Equal launches (same entry, types and constants) are compiled once. Runs in a worker process only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from npu_autokernel.candidate import Candidate, KernelLaunch
from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.launch_sizes import bind_sizes, fold_constants
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import SizeExpressionError
from npu_autokernel.toolchain.bishengir import compile_linalg
from npu_autokernel.toolchain.discovery import Toolchain, find_toolchain
from npu_autokernel.toolchain.front_end import import_source, lower_launch

COMPILE_TIMEOUT_S = 30.0


def compile_candidate(
    candidate: Candidate,
    task: KernelTask,
    symbols: Mapping[str, int],
    soc_name: str,
    timeout_s: float = COMPILE_TIMEOUT_S,
) -> tuple[CompiledKernel, ...] | Refusal:
    """Compile every launch of the plan, constants folded for `symbols`.

    One CompiledKernel per launch, in the plan's order. Fails with a `compile.*` or `source.*` code; raises
    UnknownSocError.
    """
    toolchain = find_toolchain(soc_name)
    if isinstance(toolchain, Refusal):
        return toolchain
    sizes = bind_sizes(task, symbols, get_soc(soc_name))
    with tempfile.TemporaryDirectory(prefix="npu-autokernel-") as name:
        folder = Path(name)
        module = import_source(candidate.source, folder)
        if isinstance(module, Refusal):
            return module
        session = _Session(toolchain, candidate, module, soc_name, folder, timeout_s)
        return session.compile_all(sizes)


class _Session:
    """One candidate's compilation: what all its launches share."""

    def __init__(
        self,
        toolchain: Toolchain,
        candidate: Candidate,
        module: ModuleType,
        soc_name: str,
        folder: Path,
        timeout_s: float,
    ) -> None:
        self.toolchain = toolchain
        self.candidate = candidate
        self.module = module
        self.soc_name = soc_name
        self.folder = folder
        self.timeout_s = timeout_s

    def compile_all(self, sizes: Mapping[str, int]) -> tuple[CompiledKernel, ...] | Refusal:
        kernels: dict[object, CompiledKernel] = {}
        order: list[CompiledKernel] = []
        for launch in self.candidate.plan.launches:
            try:
                constants = fold_constants(launch, sizes)
            except SizeExpressionError as error:
                return refuse("source.plan_invalid", detail=str(error))
            types = tuple((argument.parameter, argument.type) for argument in launch.arguments)
            identity = (launch.entry, types, constants)
            if identity not in kernels:
                kernel = self.compile_launch(launch, constants)
                if isinstance(kernel, Refusal):
                    return kernel
                kernels[identity] = kernel
            order.append(kernels[identity])
        return tuple(order)

    def compile_launch(
        self, launch: KernelLaunch, constants: tuple[tuple[str, int | float | bool], ...]
    ) -> CompiledKernel | Refusal:
        linalg = lower_launch(self.module, launch, dict(constants), self.soc_name)
        if isinstance(linalg, Refusal):
            return linalg
        dump = compile_linalg(
            self.toolchain.compiler,
            linalg.text,
            self.soc_name,
            self.candidate.compiler_options,
            self.folder,
            self.timeout_s,
        )
        if isinstance(dump, Refusal):
            return dump
        return CompiledKernel(
            entry=launch.entry,
            text=dump.text,
            soc=self.soc_name,
            parameters=linalg.parameters,
            constants=constants,
            lost=dump.lost,
        )
