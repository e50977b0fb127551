"""The verifier's own test: honest kernels with one small mistake each must not pass a proof."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

from npu_autokernel.verify.request import Depth, VerifyRequest
from npu_autokernel.verify.worker import VerifierPool
from tests.verify.corpus import CorpusKernel, list_files, load_kernel

KILL_RATE = 0.95
SWAPS: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Add(),
    ast.Div: ast.Mult(),
}


def list_mutants(source: str) -> Iterator[tuple[str, str]]:
    """(what was changed, source) for each single change."""
    tree = ast.parse(source)
    count = sum(1 for _ in ast.walk(tree))
    for number in range(count):
        for mutate in (swap_operator, relax_comparison, drop_mask, drop_maximum, change_number):
            mutant = copy.deepcopy(tree)
            node = next(item for index, item in enumerate(ast.walk(mutant)) if index == number)
            change = mutate(node)
            if change is not None:
                yield f"line {getattr(node, 'lineno', 0)}: {change}", ast.unparse(mutant)


def swap_operator(node: ast.AST) -> str | None:
    if not isinstance(node, ast.BinOp) or type(node.op) not in SWAPS:
        return None
    before, node.op = type(node.op).__name__, SWAPS[type(node.op)]
    return f"{before} to {type(node.op).__name__}"


def relax_comparison(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Lt):
        return None
    node.ops = [ast.LtE()]
    return "< to <="


def drop_mask(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call) or not any(word.arg == "mask" for word in node.keywords):
        return None
    node.keywords = [word for word in node.keywords if word.arg not in ("mask", "other")]
    return "mask dropped"


def drop_maximum(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "tl.max":
        return None
    node.func = ast.parse("tl.min", mode="eval").body
    return "max to min"


def change_number(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, float):
        return None
    node.value = node.value + 0.5 if node.value < 1e-3 else node.value * 1.01
    return "number changed"


def survives(kernel: CorpusKernel, source: str, pool: VerifierPool) -> bool:
    candidate = replace(kernel.candidate, source=source)
    depths: tuple[Depth, ...] = ("screen", "prove")
    requests = (VerifyRequest(kernel.task, candidate, depth, "Ascend910B1") for depth in depths)
    return all(pool.verify(request).verdict.is_ok for request in requests)


def test_at_least_95_of_100_mistakes_are_found(pool: VerifierPool) -> None:
    total, survivors = 0, []
    for path in list_files("honest"):
        kernel = load_kernel(path)
        for change, source in list_mutants(kernel.candidate.source):
            total += 1
            if survives(kernel, source, pool):
                survivors.append(f"{path.stem} {change}")
    assert total >= 50
    assert len(survivors) <= (1 - KILL_RATE) * total, survivors


def test_a_mutant_differs_by_one_change() -> None:
    mutants = list(list_mutants("value = (a + b) * 2.0 < c"))
    assert [change for change, _ in mutants] == [
        "line 1: < to <=",
        "line 1: Mult to Add",
        "line 1: Add to Sub",
        "line 1: number changed",
    ]
