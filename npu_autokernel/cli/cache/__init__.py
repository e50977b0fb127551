"""`npu-autokernel cache`: the commands that look into and after the store."""

from __future__ import annotations

import click

from npu_autokernel.cli.lazy_group import CommandEntry, LazyGroup

COMMANDS = {
    "ls": CommandEntry("npu_autokernel.cli.cache.ls", "List the stored kernels."),
    "show": CommandEntry(
        "npu_autokernel.cli.cache.show", "Show a kernel: verdict, times, source, nearest keys."
    ),
    "check": CommandEntry("npu_autokernel.cli.cache.check", "Read everything and name all damage."),
    "prune": CommandEntry("npu_autokernel.cli.cache.prune", "Delete what was unused the longest."),
    "clear": CommandEntry("npu_autokernel.cli.cache.clear", "Delete all kernels and attempts."),
    "export": CommandEntry("npu_autokernel.cli.cache.export_file", "Write the store to one file."),
    "import": CommandEntry("npu_autokernel.cli.cache.import_file", "Take in an exported file."),
}


@click.group(cls=LazyGroup, entries=COMMANDS)
def command() -> None:
    """Look into and look after the store of proven kernels."""
