"""MODULE:FACTORY: how a person names what a command shall compile.

A factory is a function of no arguments that returns (callable, args[, kwargs]) or an iterable of
those. The module is looked for in the working directory first, as `python -m` does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from npu_autokernel.errors import FactoryError


@dataclass(frozen=True)
class Workload:
    """One callable with the arguments to call it with."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)


def load_workloads(factory: str) -> tuple[Workload, ...]:
    """Imports and calls `MODULE:FACTORY`; raises FactoryError with what is wrong with it."""
    function = _import_factory(factory)
    try:
        made = function()
    except Exception as error:
        detail = f"calling it raised {type(error).__name__}: {error}"
        raise FactoryError(factory, detail) from error
    if _is_workload(made):
        return (_read_workload(factory, made),)
    if not isinstance(made, Iterable):
        raise FactoryError(factory, f"it returned a {type(made).__name__}")
    workloads = tuple(_read_workload(factory, item) for item in made)
    if not workloads:
        raise FactoryError(factory, "it returned nothing to compile")
    return workloads


def _import_factory(factory: str) -> Callable[[], Any]:
    module_name, colon, name = factory.partition(":")
    if not (module_name and colon and name):
        raise FactoryError(factory, "there is no MODULE:FACTORY in it")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = import_module(module_name)
    except Exception as error:
        detail = f"importing {module_name} raised {type(error).__name__}: {error}"
        raise FactoryError(factory, detail) from error
    function = getattr(module, name, None)
    if not callable(function):
        raise FactoryError(factory, f"{module_name} has no function {name}")
    found: Callable[[], Any] = function
    return found


def _is_workload(made: Any) -> bool:
    return isinstance(made, (tuple, list)) and bool(made) and callable(made[0])


def _read_workload(factory: str, made: Any) -> Workload:
    if not _is_workload(made) or not 2 <= len(made) <= 3:
        raise FactoryError(factory, f"{_shorten(made)} is no (callable, args[, kwargs])")
    function, arguments, *rest = made
    if not isinstance(arguments, (tuple, list)):
        raise FactoryError(factory, f"args is a {type(arguments).__name__}, not a tuple")
    keywords = rest[0] if rest else {}
    if not isinstance(keywords, dict):
        raise FactoryError(factory, f"kwargs is a {type(keywords).__name__}, not a dict")
    return Workload(function, tuple(arguments), keywords)


def _shorten(made: Any) -> str:
    if isinstance(made, (tuple, list)):
        return f"({', '.join(type(item).__name__ for item in made)})"
    return f"a {type(made).__name__}"
