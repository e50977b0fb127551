"""The command group: help at once, commands that load, mistakes in one line."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from npu_autokernel.cli.cache import COMMANDS as CACHE_COMMANDS
from npu_autokernel.cli.main import COMMANDS, main
from npu_autokernel.settings import list_settings
from tests.cli.conftest import RunCommand


def test_help_lists_every_command_without_importing_what_they_need() -> None:
    script = (
        "import sys\n"
        "from npu_autokernel.cli.main import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "assert not {'torch', 'numpy', 'rich'} & set(sys.modules), 'slow import'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_answers_help(name: str, run_command: RunCommand) -> None:
    result = run_command(name, "--help")
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {name}")


@pytest.mark.parametrize("name", CACHE_COMMANDS)
def test_every_cache_command_answers_help(name: str, run_command: RunCommand) -> None:
    assert run_command("cache", name, "--help").exit_code == 0


def test_an_unknown_command_is_a_usage_error(run_command: RunCommand) -> None:
    result = run_command("cach")
    assert result.exit_code == 2
    assert "No such command 'cach'" in result.output


def test_a_mistake_in_the_environment_is_one_line(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPU_AUTOKERNEL_MOD", "cached")
    result = run_command("settings")
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "NPU_AUTOKERNEL_MODE" in result.output


def test_an_error_of_ours_is_not_dressed_up_as_the_users(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("npu_autokernel.cli.settings.load_settings", fail)
    result = run_command("settings")
    assert isinstance(result.exception, RuntimeError)


def test_settings_lists_each_with_its_value_and_variable(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPU_AUTOKERNEL_REGIONS", "0:12,14")
    output = run_command("settings").output
    for info in list_settings():
        assert info.variable in output
    assert "0:12,14:15" in output


def test_main_is_a_click_group() -> None:
    assert isinstance(main, click.Group)
