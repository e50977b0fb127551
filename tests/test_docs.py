"""The documents say what is there: generated blocks are fresh, names exist, the example runs.

A generated block lies between `<!-- begin NAME -->` and `<!-- end NAME -->`; run pytest with
`--update-golden` to write it anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click
import pytest

from npu_autokernel.cache import STORE_CODES
from npu_autokernel.cli.lazy_group import LazyGroup
from npu_autokernel.cli.main import main
from npu_autokernel.reasons import list_reasons
from npu_autokernel.settings import list_settings

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
VARIABLE = re.compile(r"NPU_AUTOKERNEL(?:_[A-Z]+)*\b")
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
CODE_SPAN = re.compile(r"`([^`\n]+)`")
COMMAND = re.compile(r"npu-autokernel((?: [a-z]+)+)")


def list_settings_lines() -> Iterable[str]:
    yield "| setting | variable | default | takes | meaning |"
    yield "|---|---|---|---|---|"
    for info in list_settings():
        default = "" if info.default in ("", ()) else f"`{format_default(info.default)}`"
        yield (f"| `{info.name}` | `{info.variable}` | {default} | {info.expected} | {info.help} |")


def format_default(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def list_reason_lines() -> Iterable[str]:
    yield "| code | what it says | what to do |"
    yield "|---|---|---|"
    for reason in list_reasons():
        yield f"| `{reason.code}` | {reason.template} | {reason.advice} |"


def list_store_code_lines() -> Iterable[str]:
    yield "| code | what to do |"
    yield "|---|---|"
    for code, advice in STORE_CODES.items():
        yield f"| `{code}` | {advice} |"


def list_command_lines() -> Iterable[str]:
    yield "| command | does | options |"
    yield "|---|---|---|"
    for name, command in list_commands(main, "npu-autokernel"):
        options = ", ".join(f"`{text}`" for text in list_options(command))
        yield f"| `{name}` | {(command.help or '').splitlines()[0]} | {options} |"


def list_commands(group: click.Group, prefix: str) -> Iterable[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, LazyGroup):
            yield from list_commands(command, f"{prefix} {name}")
        else:
            arguments = [
                parameter.make_metavar(context)
                for parameter in command.params
                if isinstance(parameter, click.Argument)
            ]
            yield " ".join([prefix, name, *arguments]), command


def list_options(command: click.Command) -> Iterable[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield parameter.opts[0]


BLOCKS: dict[str, tuple[str, Callable[[], Iterable[str]]]] = {
    "settings": ("switches.md", list_settings_lines),
    "commands": ("switches.md", list_command_lines),
    "reasons": ("troubleshooting.md", list_reason_lines),
    "store codes": ("troubleshooting.md", list_store_code_lines),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_generated_blocks_are_fresh(name: str, request: pytest.FixtureRequest) -> None:
    page, list_lines = BLOCKS[name]
    path = DOCS / page
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
    before, old, after = text.partition(begin)[0], text.partition(begin)[2], ""
    old, _, after = old.partition(end)
    fresh = "\n".join(list_lines()) + "\n"
    if request.config.getoption("--update-golden"):
        path.write_text(before + begin + fresh + end + after, encoding="utf-8")
        old = fresh
    assert old == fresh, f"docs/{page} is old; run pytest --update-golden"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_to_files(page: Path) -> None:
    targets = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    assert [link for link in targets if not (page.parent / link).exists()] == []


def find_variables(paths: Iterable[Path]) -> set[str]:
    return {name for path in paths for name in VARIABLE.findall(path.read_text("utf-8"))}


def list_variables() -> set[str]:
    """Every variable that the project reads, found in its own text."""
    files = [
        path
        for tree in ("npu_autokernel", "torch_backend")
        for path in ROOT.glob(f"{tree}/**/*.py")
    ]
    literals = find_variables([*files, ROOT / "Makefile", *ROOT.glob("tools/*.sh")])
    named = {info.variable for info in list_settings()}
    return named | {name for name in literals if name != "NPU_AUTOKERNEL"}


def test_every_variable_is_documented_and_every_documented_one_exists() -> None:
    documented = find_variables([DOCS / "switches.md"])
    assert sorted(list_variables() - documented) == []
    assert sorted(find_variables(PAGES) - list_variables()) == []


def test_documented_commands_exist() -> None:
    known = {name.split(" ", 1)[1] for name, _ in list_commands(main, "npu-autokernel")}
    groups = {name for name in main.list_commands(click.Context(main))}
    for page in PAGES:
        for words in COMMAND.findall(page.read_text("utf-8")):
            command = words.strip()
            assert command.split()[0] in groups, f"{page.name}: npu-autokernel {command}"
    assert known


def test_documented_source_files_exist() -> None:
    roots = (
        "npu_autokernel/",
        "torch_backend/",
        "cache/",
        "tests/",
        "examples/",
        "benchmarks/",
        "tools/",
    )
    missing = {
        f"{page.name}: {span}"
        for page in PAGES
        for span in CODE_SPAN.findall(page.read_text("utf-8"))
        if span.startswith(roots) and " " not in span and not any(ROOT.glob(span.rstrip("/")))
    }
    assert sorted(missing) == []


def list_examples() -> list[str]:
    text = (ROOT / "README.md").read_text("utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("source", list_examples())
def test_the_examples_of_the_readme_run(source: str, tmp_path: Path) -> None:
    environ = {**os.environ, "NPU_AUTOKERNEL_STORE": str(tmp_path / "store")}
    command = [sys.executable, "-c", source]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
