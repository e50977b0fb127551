"""`npu-autokernel cache export`: the store in one file."""

from __future__ import annotations

from pathlib import Path

import click

from npu_autokernel.cli.printing import format_size
from npu_autokernel.cli.store_access import open_store, store_option


@click.command("export")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@store_option
def command(file: Path, folder: Path | None) -> None:
    """Write all undamaged kernels, attempts and memory items to FILE."""
    store = open_store(folder)
    store.export_to(file)
    stats = store.stats()
    click.echo(
        f"Wrote {stats.proven_kernels + stats.imported_kernels} kernels, {stats.attempts} attempts "
        f"and {stats.memory_items} memory items to {file} ({format_size(file.stat().st_size)})."
    )
