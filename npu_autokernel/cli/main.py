"""The entry point `npu-autokernel`. To add a command, write its file and add a row to COMMANDS."""

from __future__ import annotations

import click

from npu_autokernel import __version__
from npu_autokernel.cli.lazy_group import CommandEntry, LazyGroup

COMMANDS = {
    "demo": CommandEntry(
        "npu_autokernel.cli.demo",
        "Embed sentences with MiniLM through kernels written on the spot.",
    ),
    "doctor": CommandEntry(
        "npu_autokernel.cli.doctor", "Check what is installed, and that kernels can be written."
    ),
    "explain": CommandEntry(
        "npu_autokernel.cli.explain",
        "Show a model's regions, hits and misses, and why ops are eager.",
    ),
    "prebuild": CommandEntry(
        "npu_autokernel.cli.prebuild", "Write and prove the kernels of a model beforehand."
    ),
    "verify": CommandEntry("npu_autokernel.cli.verify", "Prove stored kernels again."),
    "trace": CommandEntry(
        "npu_autokernel.cli.trace", "Show where a kernel's time goes; write a timeline."
    ),
    "machine": CommandEntry(
        "npu_autokernel.cli.machine", "Execute compiled dumps on the simulated chip."
    ),
    "settings": CommandEntry(
        "npu_autokernel.cli.settings", "List every setting, its variable, value and meaning."
    ),
    "cache": CommandEntry("npu_autokernel.cli.cache", "Look into and look after the store."),
}


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Settings come from NPU_AUTOKERNEL_* variables; `npu-autokernel settings` lists them.",
)
@click.version_option(__version__, prog_name="npu-autokernel")
def main() -> None:
    """Write, prove and keep kernels for Ascend NPUs behind torch.compile."""
