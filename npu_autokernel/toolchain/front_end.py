"""Triton's front end without a device: candidate source -> ttir -> linalg text.

The source is written to a real file and imported from there, since `triton.jit` reads the text of functions. This
module executes candidate source: it runs in a worker process only. Triton is imported on first use.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from npu_autokernel.candidate import Constant, KernelLaunch
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.toolchain.chip_family import find_family
from npu_autokernel.toolchain.diagnostics import explain_front_end, explain_tool
from npu_autokernel.toolchain.locations import cut_folders, keep_line_info

_MIX_MODE = re.compile(r', mix_mode = "[^"]*"')


@dataclass(frozen=True)
class LinalgKernel:
    """Linalg text of one launch, and the names of its run-time parameters in order.

    The text says from which line of the source each op comes.
    """

    text: str
    parameters: tuple[str, ...]


def import_front_end() -> None:
    """Import Triton now, so that a warm process does not pay for it later."""
    import triton.backends.ascend.compiler
    import triton.language  # noqa: F401


def import_source(source: str, folder: Path) -> ModuleType | Refusal:
    """Import candidate source from a file in `folder`; `triton` and `tl` are in scope.

    An error while it is imported becomes `compile.front_end`.
    """
    import triton
    import triton.language

    path = folder / "candidate.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("candidate", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(triton=triton, tl=triton.language)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"
        return refuse("compile.front_end", line=_find_error_line(error, path), detail=detail)
    return module


def lower_launch(
    module: ModuleType,
    launch: KernelLaunch,
    constants: Mapping[str, Constant],
    soc_name: str,
) -> LinalgKernel | Refusal:
    """Lower one launch of the imported source, its compile-time `constants` folded in."""
    function = getattr(module, launch.entry, None)
    types = {argument.parameter: argument.type for argument in launch.arguments}
    mistake = _check_signature(function, set(types), set(constants))
    if function is None or mistake is not None:
        return mistake or refuse("source.entry_missing", entry=launch.entry)
    parameters = tuple(name for name in function.arg_names if name in types)
    signature = {name: types[name] for name in parameters}
    try:
        text = _lower(function, signature, dict(constants), soc_name)
    except subprocess.CalledProcessError as error:
        output = (error.stderr or b"").decode(errors="replace")
        name = f"signal {-error.returncode}" if error.returncode < 0 else ""
        return explain_tool(output, name)
    except Exception as error:
        # The front end raises anything from CompilationError to KeyError for source it does not take.
        return explain_front_end(_describe(error), _find_definition_line(function))
    return LinalgKernel(cut_folders(_MIX_MODE.sub("", text)), parameters)


def _find_error_line(error: Exception, path: Path) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 1
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return next((line for line in reversed(lines) if line), 1)


def _find_definition_line(function: Any) -> int:
    """The line of `def` in the source; Triton counts from there, decorators stand above."""
    lines = inspect.getsourcelines(function.fn)[0]
    decorators = next(index for index, line in enumerate(lines) if line.startswith("def "))
    return int(function.starting_line_number) + decorators


def _check_signature(function: Any, arguments: set[str], constants: set[str]) -> Refusal | None:
    if function is None or not hasattr(function, "arg_names"):
        return None
    wanted = set(function.arg_names)
    unknown = (arguments | constants) - wanted
    missing = wanted - arguments - constants
    if unknown or missing or arguments & constants:
        names = ", ".join(sorted(unknown | missing | (arguments & constants)))
        return refuse("source.plan_invalid", detail=f"parameters do not fit the kernel: {names}")
    return None


def _lower(
    function: Any, signature: dict[str, str], constants: dict[str, Constant], soc_name: str
) -> str:
    from triton._C.libtriton import ir
    from triton.backends.ascend import compiler as ascend
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend

    target = GPUTarget("npu", soc_name, 0)
    backend = make_backend(target)
    options = backend.parse_options(dict(find_family(soc_name).front_end_options))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(fn=function, signature=signature, constants=constants)
    module = source.make_ir(
        options, backend.get_codegen_implementation(), backend.get_module_map(), context
    )
    metadata = {"hash": function.__name__, "target": target, **options.__dict__}
    module = ascend.make_ttir(module, metadata, options)
    with keep_line_info():
        return str(ascend.ttir_to_linalg(module, metadata, options, named_ops=True))


def _describe(error: BaseException) -> str:
    """The messages of an error and its causes, the innermost last."""
    messages: list[str] = []
    current: BaseException | None = error
    while current is not None:
        messages.append(str(current) or type(current).__name__)
        current = current.__cause__
    return "\n".join(messages)
