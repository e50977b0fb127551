"""The house keeps its shape: imports point down the floors, without circles, in files one can read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "npu_autokernel"
SOURCE_TREES = {"npu_autokernel": PACKAGE, "cache": f"{PACKAGE}.cache"}
SOURCE_TREES |= {tree: f"{PACKAGE}.{tree}" for tree in ("torch_backend", "examples")}

# From the ground up. A part imports parts of its own floor and of the floors below.
FLOORS = (
    {"cache", "graph", "machine", "settings", "errors", "reasons", "verdict", "measurement"}
    | {"size_expression"},
    {"candidate", "compiled_kernel", "launch_sizes"},
    {"tile", "toolchain", "targets"},
    {"verify", "knowledge", "report"},
    {"agent"},
    {"torch_backend", "autoload", "cli", "examples", "__main__"},
)
FLOOR_OF = {part: number for number, parts in enumerate(FLOORS) for part in parts}

# Files that may be long because they are tables.
TABLES = {"npu_autokernel/settings.py"}
# Declarations apart from definitions and explicit types make C++ longer for the same thing.
LONGEST_FILES = {".py": 300, ".h": 300, ".cpp": 400}


def list_sources() -> list[Path]:
    return [path for tree in SOURCE_TREES for path in sorted((ROOT / tree).rglob("*.py"))]


def name_module(path: Path) -> str:
    tree, *parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join([SOURCE_TREES[tree], *(part for part in parts if part != "__init__")])


def list_imports(path: Path) -> Iterator[str]:
    """Every module that the file imports, also inside functions; `from a import b` gives `a.b`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def find_part(module: str) -> str | None:
    """`npu_autokernel.graph.task` -> `graph`; None for the package itself and for others' modules."""
    names = module.split(".")
    return names[1] if names[0] == PACKAGE and len(names) > 1 and names[1] in FLOOR_OF else None


def list_dependencies() -> set[tuple[str, str, str]]:
    """(importing module, its part, imported part) wherever the two parts differ."""
    found = set()
    for path in list_sources():
        module = name_module(path)
        part = find_part(module)
        for imported in map(find_part, list_imports(path)):
            if part and imported and imported != part:
                found.add((module, part, imported))
    return found


def test_every_module_lives_on_a_floor() -> None:
    modules = {name_module(path) for path in list_sources()} - {PACKAGE}
    assert [module for module in sorted(modules) if find_part(module) is None] == []


def test_imports_point_down() -> None:
    upward = {
        f"{module} imports {imported}"
        for module, part, imported in list_dependencies()
        if FLOOR_OF[imported] > FLOOR_OF[part]
    }
    assert sorted(upward) == []


def test_the_store_stands_alone() -> None:
    assert sorted(item for item in list_dependencies() if item[1] == "cache") == []


def test_nothing_imports_the_command_line() -> None:
    importers = {item for item in list_dependencies() if item[2] == "cli"}
    assert sorted(item for item in importers if item[1] != "__main__") == []


def test_parts_import_each_other_without_circles() -> None:
    edges: dict[str, set[str]] = {}
    for _, part, imported in list_dependencies():
        edges.setdefault(part, set()).add(imported)
    while edges:
        leaves = {part for parts in edges.values() for part in parts} - edges.keys()
        ready = {part for part, parts in edges.items() if not (parts - leaves)}
        assert ready, f"these import each other: {sorted(edges)}"
        edges = {part: parts for part, parts in edges.items() if part not in ready}


def list_python_files() -> list[Path]:
    folders = ("tests", "benchmarks")
    others = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return list_sources() + others


def test_source_trees_are_imported_by_their_installed_names_only() -> None:
    bare = SOURCE_TREES.keys() - {PACKAGE}
    wrong = {
        f"{path.relative_to(ROOT)} imports {module}"
        for path in list_python_files()
        for module in list_imports(path)
        if module.split(".")[0] in bare
    }
    assert sorted(wrong) == []


def test_the_ground_of_the_store_knows_no_torch() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "cache").rglob("*.py"))
        if any(module.split(".")[0] == "torch" for module in list_imports(path))
    ]
    assert wrong == []


@pytest.mark.parametrize("suffix", LONGEST_FILES)
def test_files_are_short_unless_they_are_tables(suffix: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for tree in SOURCE_TREES
        for path in (ROOT / tree).rglob(f"*{suffix}")
    }
    long = {name: lines for name, lines in lengths.items() if lines > LONGEST_FILES[suffix]}
    assert {name: lines for name, lines in long.items() if name not in TABLES} == {}
