"""`npu-autokernel cache prune`: shrink the store."""

from __future__ import annotations

import re
from pathlib import Path

import click

from npu_autokernel.cli.printing import format_size
from npu_autokernel.cli.store_access import open_store, store_option

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_size(context: click.Context, parameter: click.Parameter, text: str) -> int:
    """Bytes of `500M`, `2G`, `1048576`, `500MB` or `500 MiB`, all in powers of 1024."""
    match = re.fullmatch(r"(\d+) *([KMG]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise click.BadParameter(f"{text!r} is no size; write one like 500M or 2G")
    return int(match[1]) * UNITS[match[2].upper()]


@click.command()
@click.option("--max-size", callback=read_size, required=True, help="What may stay, such as 500M.")
@store_option
def command(max_size: int, folder: Path | None) -> None:
    """Delete attempts, oldest first, then kernels, least recently used first."""
    report = open_store(folder).prune(max_size)
    click.echo(
        f"Deleted {report.kernels} kernels and {report.attempts} attempts: "
        f"{format_size(report.freed_bytes)} freed, {format_size(report.kept_bytes)} kept."
    )
