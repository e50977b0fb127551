"""`npu-autokernel cache show KEY`: what is known of one kernel, its source, and its nearest keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from npu_autokernel.cache import KernelSummary, SqliteStore, pretty_json
from npu_autokernel.cli.printing import (
    describe_task,
    format_latency,
    shorten_digest,
    shorten_text,
)
from npu_autokernel.cli.store_access import find_kernels, open_store, store_option

NEAREST_KEYS = 3


@click.command()
@click.argument("key")
@click.option("--why", is_flag=True, help="The nearest other keys, and the fields that differ.")
@click.option("--source", is_flag=True, help="The kernel's source text alone.")
@click.option("--json", "as_json", is_flag=True, help="The proof key's document.")
@store_option
def command(key: str, why: bool, source: bool, as_json: bool, folder: Path | None) -> None:
    """Show the kernels whose key or candidate digest begins with KEY."""
    store = open_store(folder)
    for kernel in find_kernels(store, key):
        if source:
            click.echo(read_candidate(store, kernel)["source"])
        elif as_json:
            click.echo(pretty_json(kernel.proof_key))
        elif why:
            print_nearest(store, kernel)
        else:
            print_kernel(store, kernel)


def print_kernel(store: SqliteStore, kernel: KernelSummary) -> None:
    candidate = read_candidate(store, kernel)
    versions = kernel.proof_key["toolchain"]
    measurement = kernel.measurement
    rows = [
        ("key", kernel.identity.proof_digest),
        ("candidate", kernel.identity.candidate_digest),
        ("task", describe_task(kernel.proof_key["task"])),
        ("chip", kernel.proof_key["soc"]),
        ("proven with", ", ".join(f"{name} {version}" for name, version in versions.items())),
        ("state", kernel.state),
        ("sizes (log2)", kernel.identity.bucket),
        ("runs where", ", ".join(kernel.requires) or "all sizes"),
        ("schedule", ", ".join(f"{name}={value}" for name, value in candidate["schedule"].items())),
        ("verdict", kernel.verdict["message"]),
        ("latency", format_latency(measurement)),
        ("expert eager", f"{measurement['expert_eager']['with_launch_us']:.1f} us"),
        ("roofline", f"{measurement['roofline']['with_launch_us']:.1f} us"),
        ("limited by", measurement["bottleneck"]),
    ]
    for name, value in rows:
        click.echo(f"{name:<13} {value}")
    click.echo()


def print_nearest(store: SqliteStore, kernel: KernelSummary) -> None:
    """The other stored keys nearest to the kernel's, one line per field that differs."""
    near = store.nearest_keys(kernel.proof_key, NEAREST_KEYS + 1)
    others = [key for key in near if key.proof_digest != kernel.identity.proof_digest]
    click.echo(f"key {shorten_digest(kernel.identity.proof_digest)}")
    if not others:
        click.echo("  The store holds no other key.")
    for other in others[:NEAREST_KEYS]:
        click.echo(f"  differs from {shorten_digest(other.proof_digest)} in")
        for difference in other.differences:
            click.echo(f"    {shorten_text(str(difference))}")


def read_candidate(store: SqliteStore, kernel: KernelSummary) -> dict[str, Any]:
    """The candidate's document of a listed kernel; raises ClickException if it went meanwhile."""
    for record in store.get_kernels(kernel.identity.proof_digest):
        if record.identity == kernel.identity:
            candidate: dict[str, Any] = record.candidate
            return candidate
    raise click.ClickException("the kernel is damaged or was deleted; run `cache check`")
