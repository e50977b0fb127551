"""`npu-autokernel settings`: every setting with its variable, value, default and meaning."""

from __future__ import annotations

from typing import Any

import click

from npu_autokernel.cli.printing import print_table
from npu_autokernel.settings import list_settings, load_settings


@click.command()
def command() -> None:
    """List every setting: its value now, the variable that sets it, what it takes and does."""
    current = load_settings()
    rows = [
        (info.name, format_value(getattr(current, info.name)), info.variable, info.help)
        for info in list_settings()
    ]
    print_table(("setting", "value", "variable", "meaning"), rows)


def format_value(value: Any) -> str:
    """A value as one would write it into the environment."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return ",".join(_format_item(item) for item in value) or "(none)"
    return str(value) if value != "" else "(none)"


def _format_item(item: Any) -> str:
    if isinstance(item, tuple):
        separator = ":" if isinstance(item[0], int) else "="
        return separator.join(map(str, item))
    return str(item)
