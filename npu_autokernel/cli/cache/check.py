"""`npu-autokernel cache check`: read everything, name all damage."""

from __future__ import annotations

from pathlib import Path

import click

from npu_autokernel.cache import Finding
from npu_autokernel.cli.store_access import open_store, store_option


@click.command()
@click.option("--fix", is_flag=True, help="Move what is damaged to quarantine.")
@store_option
def command(fix: bool, folder: Path | None) -> None:
    """Read every record and compare it with its digest. Exit code 1 if damage is left."""
    store = open_store(folder)
    findings = {(found.code, found.subject): found for found in store.findings}
    findings |= {(found.code, found.subject): found for found in store.check(fix=fix)}
    for finding in findings.values():
        click.echo(format_finding(finding))
    left = [finding for finding in findings.values() if not finding.fixed]
    if not findings:
        click.echo(f"{store.stats().proven_kernels} proven kernels, no damage.")
    if left:
        raise click.ClickException(f"{len(left)} damaged; run `npu-autokernel cache check --fix`.")


def format_finding(finding: Finding) -> str:
    state = "set aside" if finding.fixed else "damaged"
    return f"{state}: {finding.subject}: {finding.message} [{finding.code}]"
