"""Run one tool: no shell, a time limit, a memory limit, output kept as text."""

from __future__ import annotations

import resource
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_MEMORY_BYTES = 8 << 30


@dataclass(frozen=True)
class ToolResult:
    """What a tool left behind; `return_code` is negative for a signal, None when time ran out."""

    return_code: int | None
    stdout: str
    stderr: str

    @property
    def timed_out(self) -> bool:
        return self.return_code is None

    @property
    def signal_name(self) -> str:
        """The name of the signal that ended the tool, or an empty text."""
        if self.return_code is None or self.return_code >= 0:
            return ""
        return signal.Signals(-self.return_code).name


def run_tool(
    command: Sequence[str],
    folder: Path,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    memory_bytes: int = DEFAULT_MEMORY_BYTES,
) -> ToolResult:
    """Run `command` in `folder`. The tool is killed after `timeout_s`; its address space is bounded.

    What the tool started itself stays in the caller's process group and ends with it. Raises OSError if the tool
    cannot be started.
    """
    process = subprocess.Popen(
        list(command),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    with process:
        _limit_memory(process.pid, memory_bytes)
        try:
            stdout, stderr = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            # Its output is not read to the end: a child of the tool may hold the pipes open for ever.
            process.kill()
            return ToolResult(None, "", "")
    return ToolResult(process.returncode, stdout, stderr)


def _limit_memory(pid: int, memory_bytes: int) -> None:
    _, hard = resource.prlimit(pid, resource.RLIMIT_AS)
    soft = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.prlimit(pid, resource.RLIMIT_AS, (soft, hard))
