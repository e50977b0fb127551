"""Dumps of the real compiler (sources in dumps/kernels.py), run against numpy.

Each also runs with all checks on and with its pipes in random legal orders: what the compiler
placed is enough, so nothing may change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from npu_autokernel.machine import Argument, ExecutionOptions, Program
from tests.machine.modules import SOC, execute, load

DUMPS = Path(__file__).parent / "dumps"


def bfloat16(values: np.ndarray) -> np.ndarray:
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def widen(words: np.ndarray) -> np.ndarray:
    return (words.astype(np.uint32) << 16).view(np.float32)


@dataclass(frozen=True)
class Case:
    """Arguments of a launch, the position of its output, and the expected value of that."""

    grid: tuple[int, ...]
    arguments: list[Argument]
    output: int
    expected: np.ndarray
    tolerance: float
    read: Callable[[np.ndarray], np.ndarray] = np.asarray


def randn(rng: np.random.Generator, *shape: int, dtype=np.float16) -> np.ndarray:
    return rng.standard_normal(shape).astype(dtype)


def row_softmax(rng: np.random.Generator) -> Case:
    x = randn(rng, 7, 300)
    wide = x.astype(np.float64)
    weights = np.exp(wide - wide.max(1, keepdims=True))
    expected = weights / weights.sum(1, keepdims=True)
    return Case((3,), [x, np.zeros_like(x), 7, 300], 1, expected, 1e-4)


def swish_gate(rng: np.random.Generator) -> Case:
    x, gate = bfloat16(randn(rng, 3000)), bfloat16(randn(rng, 3000))
    wide = widen(gate).astype(np.float64)
    expected = wide / (1 + np.exp(-wide)) * widen(x)
    return Case((3,), [x, gate, np.zeros_like(x), 3000], 2, expected, 2e-2, widen)


def matmul(rng: np.random.Generator) -> Case:
    a, b = randn(rng, 100, 75), randn(rng, 75, 90)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    result = np.zeros((100, 90), np.float32)
    return Case((2, 2), [a, b, result, 100, 90, 75], 2, expected, 1e-4)


def matmul_bias_square(rng: np.random.Generator) -> Case:
    a, b = randn(rng, 50, 40), randn(rng, 40, 70)
    bias = randn(rng, 70, dtype=np.float32)
    expected = np.maximum(a.astype(np.float64) @ b.astype(np.float64) + bias, 0) ** 2
    result = np.zeros((50, 70), np.float16)
    return Case((2, 2), [a, b, bias, result, 50, 70, 40], 3, expected, 0.2)


def weighted_sum(rng: np.random.Generator) -> Case:
    q, k, v = (randn(rng, 96, 32) / 4 for _ in range(3))
    weights = np.exp(q.astype(np.float64) @ k.astype(np.float64).T)
    expected = weights @ v.astype(np.float64)
    result = np.zeros((96, 32), np.float32)
    return Case((3,), [q, k, v, result, 96], 3, expected, 2e-2)


def running_sum(rng: np.random.Generator) -> Case:
    x = randn(rng, 2, 128, dtype=np.float32)
    return Case((2,), [x, np.zeros_like(x)], 1, np.cumsum(x.astype(np.float64), 1), 1e-5)


def ticket_add(rng: np.random.Generator) -> Case:
    x = rng.integers(-(1 << 60), 1 << 60, (5, 32), dtype=np.int64)
    return Case((5,), [x, np.zeros(32, np.int64)], 1, x.sum(0), 0)


def shifted_difference(rng: np.random.Generator) -> Case:
    x = randn(rng, 700, dtype=np.float32)
    return Case((3,), [x, np.zeros_like(x), 700], 1, np.diff(x, prepend=np.float32(0)), 0)


CASES = {
    make.__name__: make
    for make in (
        row_softmax,
        swish_gate,
        matmul,
        matmul_bias_square,
        weighted_sum,
        running_sum,
        ticket_add,
        shifted_difference,
    )
}


@pytest.fixture(scope="module", params=sorted(CASES))
def compiled(request) -> tuple[str, Program]:
    return request.param, load((DUMPS / f"{request.param}.mlir").read_text())


def run_case(name: str, program: Program, options: ExecutionOptions) -> None:
    case = CASES[name](np.random.default_rng(5))
    report = execute(program, case.grid, case.arguments, soc=SOC, options=options)
    assert report.fault is None, report.fault
    result = case.read(np.asarray(case.arguments[case.output]))
    np.testing.assert_allclose(result, case.expected, atol=case.tolerance, rtol=case.tolerance)


def test_every_dump_has_a_case():
    assert {path.stem for path in DUMPS.glob("*.mlir")} == set(CASES)


def test_it_computes_what_its_source_says(compiled):
    run_case(*compiled, ExecutionOptions())


def test_it_writes_before_it_reads(compiled):
    run_case(*compiled, ExecutionOptions(check_uninitialised=True, poison_seed=11))


@pytest.mark.parametrize("seed", range(4))
def test_every_order_of_the_pipes_gives_the_same(compiled, seed):
    run_case(*compiled, ExecutionOptions(interleaving_seed=seed))
