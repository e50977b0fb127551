"""`npu-autokernel machine`: the simulated chip by itself, without torch, store or compiler."""

from __future__ import annotations

import click

from npu_autokernel.cli.lazy_group import CommandEntry, LazyGroup

COMMANDS = {
    "run": CommandEntry("npu_autokernel.cli.machine.run", "Execute a dump, in steps if asked."),
}


@click.group(cls=LazyGroup, entries=COMMANDS)
def command() -> None:
    """Execute compiled dumps on the simulated chip."""
