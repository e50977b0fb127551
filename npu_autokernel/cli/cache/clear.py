"""`npu-autokernel cache clear`: empty the store."""

from __future__ import annotations

from pathlib import Path

import click

from npu_autokernel.cache import RecordKind
from npu_autokernel.cli.store_access import open_store, store_option


@click.command()
@click.option("--memory", is_flag=True, help="Delete what the agent has learned too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def command(memory: bool, yes: bool, folder: Path | None) -> None:
    """Delete all kernels and attempts. What the agent has learned stays unless --memory is given."""
    store = open_store(folder)
    stats = store.stats()
    kinds: list[RecordKind] = ["kernels", "attempts"]
    what = f"{stats.proven_kernels + stats.imported_kernels} kernels, {stats.attempts} attempts"
    if memory:
        kinds.append("memory")
        what += f", {stats.memory_items} memory items"
    if not yes:
        click.confirm(f"Delete {what} from {stats.location}?", abort=True)
    store.clear(kinds)
    click.echo(f"Deleted {what}.")
