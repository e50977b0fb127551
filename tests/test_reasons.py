"""The reason codes: none that nothing gives, none that the table lacks, none that no test sees."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from npu_autokernel.reasons import format_reason, list_reasons, refuse

ROOT = Path(__file__).parents[1]
# The store's exceptions carry codes of their own table, cache.STORE_CODES.
SOURCE_TREES = ("npu_autokernel", "torch_backend")
TABLE = ROOT / "npu_autokernel/reasons.py"
CODES = {reason.code for reason in list_reasons()}
AREAS = {code.split(".")[0] for code in CODES if "." in code} - {"store"}
PYTHON_CODE = re.compile(rf"(?:{'|'.join(sorted(AREAS | {'store'}))})\.[a-z0-9_]+")
CPP_CODE = re.compile(r'"(machine\.[a-z0-9_]+)"')


def list_literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def find_codes_in_code() -> dict[str, str]:
    """Every code that the sources name, with one file that does."""
    found = {}
    for tree in SOURCE_TREES:
        for path in (ROOT / tree).rglob("*.py"):
            if path != TABLE:
                codes = filter(PYTHON_CODE.fullmatch, list_literals(path))
                found |= dict.fromkeys(codes, str(path.relative_to(ROOT)))
        for path in [*(ROOT / tree).rglob("*.cpp"), *(ROOT / tree).rglob("*.h")]:
            codes = CPP_CODE.findall(path.read_text(encoding="utf-8"))
            found |= dict.fromkeys(codes, str(path.relative_to(ROOT)))
    return found


def read_tests() -> str:
    """Every test, and every candidate that some test tries."""
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").rglob("*.triton")]
    files.remove(Path(__file__))
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def test_every_code_in_the_code_is_in_the_table() -> None:
    unknown = {code: path for code, path in find_codes_in_code().items() if code not in CODES}
    assert unknown == {}


def test_every_code_in_the_table_is_given_by_some_code() -> None:
    assert sorted(CODES - {"ok"} - find_codes_in_code().keys()) == []


def test_every_code_is_seen_by_some_test() -> None:
    tests = read_tests()
    seen = {code for code in CODES if re.search(rf"\b{re.escape(code)}(?![\w.])", tests)}
    assert sorted(CODES - seen) == []


@pytest.mark.parametrize("reason", list_reasons(), ids=lambda reason: str(reason.code))
def test_a_row_says_what_happened_and_what_to_do(reason: object) -> None:
    row = next(item for item in list_reasons() if item is reason)
    assert row.gate == ("" if row.code == "ok" else row.code.split(".")[0])
    assert row.template.endswith(".") and row.advice.endswith((".", "`."))
    fields = {name for _, name, _, _ in string.Formatter().parse(row.template) if name}
    filled = format_reason(row.code, dict.fromkeys(fields, "FILLED"))
    assert filled.count("FILLED") == len(re.findall(r"\{\w+\}", row.template))


def test_missing_evidence_prints_a_question_mark_instead_of_failing() -> None:
    assert "?" in format_reason("worker.crashed", {})


def test_only_codes_of_the_table_can_be_refused() -> None:
    with pytest.raises(KeyError):
        refuse("worker.tired")
