"""`npu-autokernel doctor`: what is here, what works, what is missing and how to get it."""

from __future__ import annotations

from pathlib import Path

import click

from npu_autokernel.cli.checks import Check, run_checks
from npu_autokernel.cli.store_access import store_option

MARKS = {"ok": "ok    ", "note": "note  ", "broken": "BROKEN"}


@click.command()
@click.option("--quick", is_flag=True, help="Do not compile and run a kernel.")
@store_option
def command(quick: bool, folder: Path | None) -> None:
    """Check everything that kernels need. Exit code 1 if something is broken."""
    broken = 0
    for check in run_checks(folder, probe=not quick):
        click.echo(format_check(check))
        broken += check.state == "broken"
    if broken:
        raise click.ClickException(f"{broken} broken; the lines with `->` say what to do.")
    click.echo("Kernels can be written, proven and run.")


def format_check(check: Check) -> str:
    """`ok     torch  2.13.0`, and a second line with what to do where there is something to do."""
    line = f"{MARKS[check.state]} {check.name:<14} {check.detail}"
    return f"{line}\n       {'':<14} -> {check.advice}" if check.advice else line
