"""A command group that knows its commands by a table and imports one only when it is called.

`--help` must answer at once, so the table carries each command's one-line help and nothing that a
command needs (torch above all) is imported to list it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click


@dataclass(frozen=True)
class CommandEntry:
    """One row: the module whose attribute `command` is the click command, and its one-line help."""

    module: str
    help: str


class LazyGroup(click.Group):
    """Commands in the table's order. User mistakes become one line on stderr and exit code 1."""

    def __init__(self, *args: Any, entries: Mapping[str, CommandEntry], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.entries = entries

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.entries)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        entry = self.entries.get(name)
        if entry is None:
            return None
        command: click.Command = import_module(entry.module).command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.entries.items()])

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except Exception as error:
            if not _is_user_mistake(error):
                raise
            raise click.ClickException(str(error)) from error


def _is_user_mistake(error: Exception) -> bool:
    from npu_autokernel.cache import StoreError
    from npu_autokernel.errors import AutokernelError

    return isinstance(error, (AutokernelError, StoreError))
