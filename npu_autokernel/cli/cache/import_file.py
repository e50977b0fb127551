"""`npu-autokernel cache import`: take in an exported file."""

from __future__ import annotations

from pathlib import Path

import click

from npu_autokernel.cli.store_access import open_store, store_option


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@store_option
def command(file: Path, folder: Path | None) -> None:
    """Take in FILE, all of it or nothing. Its kernels count as not yet proven here."""
    report = open_store(folder).import_from(file)
    click.echo(
        f"Took in {report.kernels} kernels, {report.attempts} attempts and {report.memory} memory "
        f"items; {report.kept} were here already."
    )
    if report.kernels:
        click.echo("Imported kernels are proven again before they run.")
