"""The cache commands: what they print is true of the store, what they change is changed."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from npu_autokernel.cache import SqliteStore
from npu_autokernel.cli.cache.prune import command as prune
from npu_autokernel.cli.cache.prune import read_size
from npu_autokernel.cli.store_access import find_store_folder
from npu_autokernel.settings import default_store_path
from tests.cli.conftest import RunCommand


def list_keys(folder: Path) -> list[str]:
    store = SqliteStore(folder)
    try:
        return [kernel.identity.proof_digest for kernel in store.list_kernels()]
    finally:
        store.close()


def test_ls_shows_each_kernel_once_with_its_provenance(
    run_command: RunCommand, store_folder: Path
) -> None:
    output = run_command("cache", "ls").output
    for key in list_keys(store_folder):
        assert output.count(key[:12]) == 1
    assert "add, mul, _to_copy, sum (float32)" in output
    assert "12.5 us machine estimate (clock 1, class mixed: +-20%)" in output
    assert "2 kernels, 0 attempts, 0 memory items" in output
    assert str(store_folder) in output


def test_ls_of_an_empty_store_says_so(run_command: RunCommand, tmp_path: Path) -> None:
    result = run_command("cache", "ls", "--store", str(tmp_path / "empty"))
    assert result.exit_code == 0
    assert result.output.startswith("0 kernels")


def test_show_prints_what_the_kernel_was_proven_with(
    run_command: RunCommand, store_folder: Path
) -> None:
    key = list_keys(store_folder)[0]
    output = run_command("cache", "show", key[:16]).output
    assert key in output
    assert "triton-ascend 3.2.0" in output
    assert "s1 <= 1024" in output
    assert "block=1024" in output


def test_show_source_prints_the_kernel_and_nothing_else(
    run_command: RunCommand, store_folder: Path
) -> None:
    output = run_command("cache", "show", list_keys(store_folder)[0], "--source").output
    assert output.startswith("@triton.jit\ndef row_sum(")


def test_show_json_prints_the_document_the_key_is_the_digest_of(
    run_command: RunCommand, store_folder: Path
) -> None:
    output = run_command("cache", "show", list_keys(store_folder)[0], "--json").output
    assert json.loads(output)["soc"] == "Ascend910B1"


def test_show_why_names_the_field_in_which_the_nearest_key_differs(
    run_command: RunCommand, store_folder: Path
) -> None:
    asked, other = list_keys(store_folder)
    output = run_command("cache", "show", asked, "--why").output
    assert f"differs from {other[:12]}" in output
    assert "task.ops[0].keywords.alpha: asked 2, stored 3" in output


def test_an_unknown_key_is_told_with_what_to_do(run_command: RunCommand) -> None:
    result = run_command("cache", "show", "ffff0000")
    assert result.exit_code == 2
    assert "cache ls" in result.output


def test_check_of_a_sound_store_finds_nothing(run_command: RunCommand) -> None:
    result = run_command("cache", "check")
    assert (result.exit_code, result.output) == (0, "2 proven kernels, no damage.\n")


def test_prune_to_nothing_deletes_every_kernel(run_command: RunCommand, store_folder: Path) -> None:
    output = run_command("cache", "prune", "--max-size", "0").output
    assert "Deleted 2 kernels" in output
    assert list_keys(store_folder) == []


def test_clear_asks_first_and_keeps_all_on_no(run_command: RunCommand, store_folder: Path) -> None:
    result = run_command("cache", "clear", answer="n\n")
    assert result.exit_code == 1
    assert len(list_keys(store_folder)) == 2


def test_clear_deletes_kernels(run_command: RunCommand, store_folder: Path) -> None:
    assert run_command("cache", "clear", "--yes").exit_code == 0
    assert list_keys(store_folder) == []


def test_what_is_exported_comes_back_as_imported(run_command: RunCommand, tmp_path: Path) -> None:
    file, other = tmp_path / "kernels.export", tmp_path / "other"
    assert "Wrote 2 kernels" in run_command("cache", "export", str(file)).output
    output = run_command("cache", "import", str(file), "--store", str(other)).output
    assert "Took in 2 kernels" in output
    assert "proven again before they run" in output
    listed = run_command("cache", "ls", "--store", str(other)).output
    assert listed.count("imported") == 2


def test_a_file_that_is_no_export_is_refused_in_one_line(
    run_command: RunCommand, tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear store,\n")
    result = run_command("cache", "import", str(file))
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert "store.exchange" in result.output


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [("0", 0), ("10", 10), ("2K", 2048), ("500MB", 500 << 20), ("1 GiB", 1 << 30)],
)
def test_sizes_are_read_as_people_write_them(text: str, size_bytes: int) -> None:
    parameter = prune.params[0]
    assert read_size(click.Context(prune), parameter, text) == size_bytes


def test_a_size_that_is_none_says_how_to_write_one(run_command: RunCommand) -> None:
    result = run_command("cache", "prune", "--max-size", "lots")
    assert result.exit_code == 2
    assert "500M" in result.output


def test_the_store_is_the_users_own_unless_settings_name_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("NPU_AUTOKERNEL_STORE", raising=False)
    assert find_store_folder(None) == default_store_path()
    monkeypatch.setenv("NPU_AUTOKERNEL_STORE", str(tmp_path / "named"))
    assert find_store_folder(None) == tmp_path / "named"
