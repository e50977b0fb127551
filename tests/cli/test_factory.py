"""MODULE:FACTORY: every shape a factory may return, and one line for each mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from npu_autokernel.cli.factory import load_workloads
from npu_autokernel.errors import FactoryError

MakeFactory = Callable[[str], str]


@pytest.fixture
def make_factory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> MakeFactory:
    """Writes a module whose `make()` has the given body, in the working directory."""
    monkeypatch.chdir(tmp_path)
    module = f"factory_{abs(hash(request.node.name))}"

    def make(body: str) -> str:
        (tmp_path / f"{module}.py").write_text(f"def make():\n    {body}\n")
        return f"{module}:make"

    return make


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("return max, (1, 2)", [((1, 2), {})]),
        ("return max, [1, 2]", [((1, 2), {})]),
        ("return max, ([1],), {'default': 0}", [(([1],), {"default": 0})]),
        ("return [(max, (1, 2)), (min, (3, 4))]", [((1, 2), {}), ((3, 4), {})]),
        ("yield max, (1, 2)", [((1, 2), {})]),
    ],
)
def test_factories_may_return(
    body: str, calls: list[tuple[object, object]], make_factory: MakeFactory
) -> None:
    workloads = load_workloads(make_factory(body))
    assert [(item.arguments, item.keywords) for item in workloads] == calls
    assert all(callable(item.function) for item in workloads)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("return 3", "it returned a int"),
        ("return []", "nothing to compile"),
        ("return max, 3", "args is a int, not a tuple"),
        ("return max, (1,), 3", "kwargs is a int, not a dict"),
        ("return max,", r"\(builtin_function_or_method\) is no \(callable"),
        ("return [3]", "a int is no"),
        ("raise OSError('no weights')", "calling it raised OSError: no weights"),
    ],
)
def test_a_wrong_factory_is_told_what_is_wrong(
    body: str, detail: str, make_factory: MakeFactory
) -> None:
    with pytest.raises(FactoryError, match=detail):
        load_workloads(make_factory(body))


@pytest.mark.parametrize(
    ("factory", "detail"),
    [
        ("examples", "no MODULE:FACTORY"),
        (":make", "no MODULE:FACTORY"),
        ("no_such_module:make", "ModuleNotFoundError"),
        ("json:no_such_function", "json has no function no_such_function"),
        ("json:__doc__", "json has no function __doc__"),
    ],
)
def test_a_factory_that_is_not_there_is_told_so(factory: str, detail: str) -> None:
    with pytest.raises(FactoryError, match=detail):
        load_workloads(factory)
