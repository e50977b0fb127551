"""What all tests share: golden files with `--update-golden`, and no deadline for an example."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

# A busy machine is no failure: examples have no deadline, each test as a whole has one.
hypothesis.settings.register_profile("project", deadline=None)
hypothesis.settings.load_profile("project")

GOLDEN_FOLDER = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite golden files with what the tests print",
    )


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`check_golden(name, text)` compares `text` with tests/golden/`name`."""
    update = bool(request.config.getoption("--update-golden"))

    def check(name: str, text: str) -> None:
        path = GOLDEN_FOLDER / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no golden file {name}; run pytest --update-golden and look at it"
        assert text == path.read_text(encoding="utf-8")

    return check
