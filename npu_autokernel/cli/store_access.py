"""The store a command works on, and how a person names a kernel in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from npu_autokernel.cache import KernelSummary, SqliteStore
from npu_autokernel.settings import default_store_path, load_settings

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(function: Command) -> Command:
    """Adds `--store FOLDER` to a command."""
    return click.option(
        "--store",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        help="The store's folder; by default the one that the settings name.",
    )(function)


def find_store_folder(folder: Path | None) -> Path:
    """The folder asked for, else the settings', else the user's default."""
    if folder is not None:
        return folder
    named = load_settings().store
    return Path(named).expanduser() if named else default_store_path()


def open_store(folder: Path | None) -> SqliteStore:
    """Opens the store; raises StoreUnavailable."""
    return SqliteStore(find_store_folder(folder))


def find_kernels(store: SqliteStore, key: str) -> list[KernelSummary]:
    """The kernels whose key or candidate digest begins with `key`; raises BadParameter if none does."""
    found = [
        kernel
        for kernel in store.list_kernels()
        if kernel.identity.proof_digest.startswith(key)
        or kernel.identity.candidate_digest.startswith(key)
    ]
    if not found:
        raise click.BadParameter(
            f"no stored kernel has a key or candidate digest that begins with {key!r}; "
            "`npu-autokernel cache ls` lists what is there, and `npu-autokernel explain "
            "MODULE:FACTORY` says why a region of yours missed.",
            param_hint="KEY",
        )
    return found
