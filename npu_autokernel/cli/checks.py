"""What `doctor` looks at, one function per thing; each returns a Check, none raises.

In order: the interpreter and packages, the Ascend tool chain, the chip model, the settings, the
store, and last a kernel that goes the whole way from text to a verdict.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from npu_autokernel.cache import StoreError
from npu_autokernel.cli.printing import format_size
from npu_autokernel.cli.store_access import find_store_folder, open_store
from npu_autokernel.errors import AutokernelError
from npu_autokernel.graph.task import KernelTask, OpCall, TaskOutput, TensorSpec, ValueRef
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.settings import load_settings
from npu_autokernel.toolchain.discovery import find_compiler, find_foreign_triton, find_toolchain
from npu_autokernel.toolchain.versions import read_version

State = Literal["ok", "note", "broken"]

OLDEST_TORCH = (2, 6)
LAST_PYTHON_WITH_COMPILER = (3, 11)
_ROWS = TensorSpec("float32", ("s0", "s1"), ("s1", "1"))
PROBE_TASK = KernelTask(
    inputs=(_ROWS, _ROWS),
    ops=(OpCall("v0", "aten.add.Tensor", (ValueRef("x0"), ValueRef("x1")), (), (_ROWS,)),),
    outputs=(TaskOutput(ValueRef("v0"), _ROWS),),
    family="elementwise",
    numerics="float32",
    index_bits=32,
    hints=(("s0", 64), ("s1", 384)),
)
INSTALL_COMPILER = 'pip install "npu-autokernel[ascend]"'


@dataclass(frozen=True)
class Check:
    """One thing looked at: `note` is worth knowing, `broken` keeps kernels from being written."""

    name: str
    state: State
    detail: str
    advice: str = ""


def run_checks(store_folder: Path | None, *, probe: bool) -> Iterator[Check]:
    """Every check in turn; `probe` compiles and runs a kernel, which takes some seconds."""
    yield check_python()
    yield check_torch()
    yield check_registration()
    yield check_foreign_triton()
    yield check_toolchain()
    yield check_native_machine()
    yield check_settings()
    yield check_target()
    yield check_store(store_folder)
    if probe:
        yield check_whole_way()


def check_python() -> Check:
    version = sys.version_info[:2]
    detail = f"{sys.version.split()[0]} at {sys.executable}"
    if version > LAST_PYTHON_WITH_COMPILER:
        advice = "triton-ascend has wheels for Python 3.10 and 3.11; use one of these."
        return Check("python", "broken", detail, advice)
    return Check("python", "ok", detail)


def check_torch() -> Check:
    version = read_version("torch")
    if version is None:
        return Check("torch", "broken", "not installed", "pip install torch")
    if tuple(int(number) for number in version.split(".")[:2]) < OLDEST_TORCH:
        return Check("torch", "broken", version, 'pip install "torch>=2.6"')
    return Check("torch", "ok", version)


def check_registration() -> Check:
    """Whether torch.compile finds the backend by its name."""
    points = metadata.entry_points(group="torch_dynamo_backends")
    if "npu_autokernel" in points.names:
        return Check("torch.compile", "ok", 'backend="npu_autokernel" is registered')
    advice = "Install the package (pip install .): its entry point is what torch.compile looks for."
    return Check("torch.compile", "broken", "the backend is not registered", advice)


def check_foreign_triton() -> Check:
    foreign = find_foreign_triton()
    if foreign is None:
        return Check("triton folder", "ok", "no other distribution writes it")
    name = foreign.split()[0]
    advice = f"pip uninstall {name}; pip install --force-reinstall --no-deps triton-ascend"
    detail = f"{foreign} writes the folder triton/, which is triton-ascend's"
    return Check("triton folder", "broken", detail, advice)


def check_toolchain() -> Check:
    found = find_toolchain()
    if isinstance(found, Refusal):
        is_missing = found.code == "compile.missing"
        return Check(
            "compiler", "broken", found.message, INSTALL_COMPILER if is_missing else found.advice
        )
    compiler = read_version("ascendnpu-ir") or f"from {find_compiler()}"
    detail = f"triton-ascend {found.front_end_version}, ascendnpu-ir {compiler}"
    return Check("compiler", "ok", detail)


def check_native_machine() -> Check:
    try:
        import npu_autokernel.machine._native  # noqa: F401
    except ImportError as error:
        advice = "Build it: pip install . (or, in a checkout, make test)."
        return Check("machine", "broken", str(error), advice)
    from npu_autokernel.machine.soc import CLOCK_VERSION

    return Check("machine", "ok", f"built; clock {CLOCK_VERSION}")


def check_settings() -> Check:
    try:
        settings = load_settings()
    except AutokernelError as error:
        return Check("settings", "broken", str(error), "npu-autokernel settings lists them all.")
    if not settings.enabled:
        advice = "Unset NPU_AUTOKERNEL, or set it to 1."
        return Check("settings", "note", "NPU_AUTOKERNEL=0: the backend does nothing", advice)
    return Check("settings", "ok", f"mode {settings.mode}, policy {settings.policy}")


def check_target() -> Check:
    try:
        settings = load_settings()
    except AutokernelError:
        return Check("target", "note", "not looked at, since the settings are wrong")
    from npu_autokernel.machine.soc import get_soc

    if not get_soc(settings.soc).is_timed:
        refusal = refuse("machine.no_estimate", detail=settings.soc)
        return Check("target", "broken", refusal.message, refusal.advice)
    detail = f"{settings.target}: {settings.soc}, simulated; times are machine estimates"
    return Check("target", "ok", detail)


def check_store(folder: Path | None) -> Check:
    try:
        store = open_store(folder)
        stats, findings = store.stats(), store.findings
    except StoreError as error:
        advice = "Until then nothing is kept; NPU_AUTOKERNEL_STORE names another folder."
        return Check("store", "broken", str(error), advice)
    except AutokernelError:
        return Check("store", "note", "not looked at, since the settings are wrong")
    detail = (
        f"{find_store_folder(folder)}: {stats.proven_kernels} proven kernels, "
        f"{stats.imported_kernels} imported, {format_size(stats.size_bytes)}"
    )
    if findings:
        return Check(
            "store", "note", f"{detail}; {findings[0].message}", "npu-autokernel cache check"
        )
    return Check("store", "ok", detail)


def check_whole_way() -> Check:
    """Write, compile, run and prove one small kernel, with no store."""
    from npu_autokernel.agent.episode import Budget, synthesise
    from npu_autokernel.verify.worker import VerifierPool

    try:
        soc = load_settings().soc
        with VerifierPool(1) as pool:
            budget = Budget(screens=1)
            result = synthesise(PROBE_TASK, soc_name=soc, pool=pool, store=None, budget=budget)
    except AutokernelError as error:
        return Check("whole way", "broken", str(error))
    if result.record is None:
        refusal = result.refusal
        detail = f"{refusal.message} [{refusal.code}]" if refusal else "no kernel came of it"
        return Check("whole way", "broken", detail, refusal.advice if refusal else "")
    return Check("whole way", "ok", "a kernel was written, compiled, run and proven")
