"""bishengir-compile and bishengir-compile-a5: linalg text in, the generic HIVM dump out.

The dump is printed before `convert-hivm-to-std`, where addresses are planned and flags are placed. It goes to
stderr, between the compiler's notes. The last step (`hivmc`) is not there without CANN, so the return code says
nothing: a dump is success.

Each op carries the line of the source it comes from, as the linalg text says. Files are named without their
folders, which are temporary, so that two compilations of one source give the same text.

The compiler silently tries again with fewer optimisations when on-chip memory overflows; its notes tell, and the
result carries what was lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from npu_autokernel.candidate import Constant
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.toolchain.chip_family import find_family
from npu_autokernel.toolchain.diagnostics import explain_tool
from npu_autokernel.toolchain.locations import cut_folders
from npu_autokernel.toolchain.process import ToolResult, run_tool

DUMP_PASS = "convert-hivm-to-std"
DUMP_FLAGS = (
    "--enable-hfusion-compile=true",
    "--enable-hivm-compile=true",
    "--enable-triton-kernel-compile=true",
    "--mlir-disable-threading",
    f"--mlir-print-ir-before={DUMP_PASS}",
    "--mlir-print-op-generic",
    "--mlir-print-local-scope",
    "--mlir-print-debuginfo",
)
# Compiler option of a candidate -> flag of the compiler.
OPTION_FLAGS = {
    "multi_buffer": "--enable-auto-multi-buffer",
    "bind_sub_block": "--enable-auto-bind-sub-block",
    "code_motion": "--enable-code-motion",
    "ops_reorder": "--enable-ops-reorder",
    "ub_saving": "--enable-ubuf-saving",
    "unit_flag": "--enable-hivm-unit-flag-sync",
    "workspace_multibuffer": "--set-workspace-multibuffer",
    "tile_mix_cube_loop": "--tile-mix-cube-loop",
    "tile_mix_vector_loop": "--tile-mix-vector-loop",
}
DEFAULT_OPTIONS: dict[str, Constant] = {"multi_buffer": True, "bind_sub_block": True}

_DUMP_START = re.compile(r"^// -----// IR Dump Before .*$", re.MULTILINE)
_DUMP_END = re.compile(r"^(?:loc\(|\[(?:ERROR|NOTE|WARNING)\]|// -----// IR Dump)", re.MULTILINE)
_MODULE_END = re.compile(r"^\}\).*\n\Z", re.MULTILINE)
_OVERFLOW = re.compile(r"\b(?:ub|cbuf|cc) overflow\b")
_RETRY = re.compile(r"overflow detected; automatically set (enable-[\w-]+) to false")
_RETRY_LOSSES = {"enable-auto-multi-buffer": "multi_buffer", "enable-code-motion": "code_motion"}


@dataclass(frozen=True)
class HivmDump:
    """The dump and what silent retries gave up (`multi_buffer`, `code_motion`)."""

    text: str
    lost: tuple[str, ...]


def compile_linalg(
    compiler: Path,
    linalg: str,
    soc_name: str,
    options: Sequence[tuple[str, Constant]],
    folder: Path,
    timeout_s: float,
) -> HivmDump | Refusal:
    """Compile linalg text for `soc_name`; `folder` takes the temporary files.

    Fails with a `compile.*` code; raises KeyError for an option that is not in OPTION_FLAGS.
    """
    source = folder / "kernel.ttadapter.mlir"
    source.write_text(linalg, encoding="utf-8")
    target = (f"--target={soc_name}", "-o", str(folder / "kernel.o"))
    command = (str(compiler), str(source), *target, *format_options(options), *DUMP_FLAGS)
    first_try_flags = find_family(soc_name).first_try_flags
    result = run_tool((*command, *first_try_flags), folder, timeout_s)
    if first_try_flags and _has_overflowed(result):
        result = run_tool(command, folder, timeout_s)
    if result.timed_out:
        return refuse("compile.timeout", limit_s=timeout_s)
    text = cut_dump(result.stderr)
    if text is None or result.signal_name:
        return explain_tool(result.stderr, result.signal_name)
    return HivmDump(cut_folders(text), list_losses(result.stderr))


def format_options(options: Sequence[tuple[str, Constant]]) -> tuple[str, ...]:
    """The compiler's flags for a candidate's compiler options, over the defaults."""
    chosen = DEFAULT_OPTIONS | dict(options)
    return tuple(f"{OPTION_FLAGS[name]}={_format_value(value)}" for name, value in chosen.items())


def cut_dump(stderr: str) -> str | None:
    """The last complete dump in the compiler's output (retries print earlier ones), or None."""
    for start in reversed([match.end() + 1 for match in _DUMP_START.finditer(stderr)]):
        end = _DUMP_END.search(stderr, start)
        text = stderr[start : end.start() if end else len(stderr)].strip() + "\n"
        if _MODULE_END.search(text):
            return text
    return None


def list_losses(stderr: str) -> tuple[str, ...]:
    """What the compiler's retries gave up, sorted."""
    flags = set(_RETRY.findall(stderr))
    return tuple(sorted(_RETRY_LOSSES.get(flag, flag) for flag in flags))


def _has_overflowed(result: ToolResult) -> bool:
    return cut_dump(result.stderr) is None and bool(_OVERFLOW.search(result.stderr))


def _format_value(value: Constant) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
