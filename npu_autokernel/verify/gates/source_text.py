"""Is the source made of kernels only? An allow-list over the syntax tree; nothing is imported or executed.

The module may hold imports of the Triton language, literals and `@triton.jit` functions. Every name that is read
must be defined in the source or be an allowed builtin; every attribute must be in the vocabulary.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.verify.gates.vocabulary import BUILTINS, METHODS, MODULE_NAMES, SYNTAX

MAX_SOURCE_LENGTH = 200_000
PRELUDE_MODULES = {"triton": "triton", "tl": "triton.language"}


@dataclass(frozen=True)
class SourceOutline:
    """The kernels of a source: for each function its parameters, in order."""

    functions: Mapping[str, tuple[str, ...]]


def outline_source(source: str) -> SourceOutline | Refusal:
    """The outline of an allowed source; else `source.syntax` or `source.forbidden` with the first offence."""
    if len(source) > MAX_SOURCE_LENGTH:
        return refuse("source.syntax", detail=f"longer than {MAX_SOURCE_LENGTH} characters")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return refuse("source.syntax", detail=str(error) or type(error).__name__)
    offence = next(_list_offences(tree), None)
    if offence is not None:
        return refuse("source.forbidden", name=offence)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return SourceOutline({node.name: _list_parameters(node) for node in functions})


def _list_offences(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, SYNTAX):
            yield f"{type(node).__name__} in line {getattr(node, 'lineno', '?')}"
    for statement in tree.body:
        yield from _check_module_statement(statement)
    modules = _list_modules(tree)
    yield from _check_names(tree, modules)
    yield from _check_attributes(tree, modules)


def _check_module_statement(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from _check_import(statement)
    elif isinstance(statement, ast.FunctionDef):
        yield from _check_function(statement)
    elif isinstance(statement, ast.Assign):
        if not _is_literal(statement.value):
            yield f"a computed value at the top level in line {statement.lineno}"
    elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
        yield f"{type(statement).__name__} at the top level in line {statement.lineno}"


def _check_import(statement: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(statement, ast.ImportFrom) and statement.level:
        yield "a relative import"
    for module, name in _list_imported(statement):
        if module not in MODULE_NAMES:
            yield f"import of {module}"
        elif PRELUDE_MODULES.get(name, module) != module:
            yield f"{module} under the name {name}"


def _check_function(function: ast.FunctionDef) -> Iterator[str]:
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    if decorators != ["triton.jit"]:
        yield f"{function.name} with other decorators than @triton.jit"
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        yield f"special parameters of {function.name}"
    for default in arguments.defaults:
        if not _is_literal(default):
            yield f"a computed default of {function.name}"
    annotations = [argument.annotation for argument in arguments.args] + [function.returns]
    for annotation in annotations:
        if annotation is not None and ast.unparse(annotation) != "tl.constexpr":
            yield f"annotation {ast.unparse(annotation)} in {function.name}"
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef) and node is not function:
            yield f"function {node.name} inside {function.name}"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield f"an import inside {function.name}"


def _check_names(tree: ast.Module, modules: Mapping[str, str]) -> Iterator[str]:
    defined = set(_list_defined(tree)) | BUILTINS | set(modules)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name):
            continue
        if node.id.startswith("__"):
            yield node.id
        elif isinstance(node.ctx, ast.Load) and node.id not in defined:
            yield f"the unknown name {node.id}"
        elif not isinstance(node.ctx, ast.Load) and (node.id in modules or node.id in BUILTINS):
            yield f"an assignment to {node.id}"


def _check_attributes(tree: ast.Module, modules: Mapping[str, str]) -> Iterator[str]:
    bases = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield from _check_attribute(node, modules)
        elif isinstance(node, ast.Name) and node.id in modules and id(node) not in bases:
            yield f"the module {node.id} as a value"


def _check_attribute(node: ast.Attribute, modules: Mapping[str, str]) -> Iterator[str]:
    base = _name_module(node.value, modules)
    if base is None:
        if node.attr not in METHODS:
            yield f"attribute {node.attr}"
    elif node.attr not in MODULE_NAMES.get(base, frozenset()) and not _is_package(
        f"{base}.{node.attr}"
    ):
        yield f"{base}.{node.attr}"
    if isinstance(node.ctx, (ast.Store, ast.Del)):
        yield f"an assignment to attribute {node.attr}"


def _name_module(node: ast.expr, modules: Mapping[str, str]) -> str | None:
    """The module that an expression names (`tl.math` -> `triton.language.math`), or None."""
    if isinstance(node, ast.Name):
        return modules.get(node.id)
    if isinstance(node, ast.Attribute):
        base = _name_module(node.value, modules)
        name = f"{base}.{node.attr}"
        return name if base is not None and _is_package(name) else None
    return None


def _is_package(name: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for module in MODULE_NAMES)


def _list_modules(tree: ast.Module) -> dict[str, str]:
    """Names bound to modules: the two that are always in scope, and the imported ones."""
    modules = dict(PRELUDE_MODULES)
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for module, name in _list_imported(statement):
                modules[name.split(".")[0]] = module.split(".")[0] if "." in name else module
    return modules


def _list_imported(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """(module, the name it is bound to) of an import statement."""
    for alias in statement.names:
        prefix = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
        yield prefix + alias.name, alias.asname or alias.name


def _list_defined(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
            yield from _list_parameters(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _list_parameters(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(argument.arg for argument in function.args.args)


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "tl.constexpr":
        return len(node.args) == 1 and not node.keywords and _is_literal(node.args[0])
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant)
