"""Launches corpus kernels and compares every buffer with the oracle's."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from npu_autokernel.machine import ExecutionOptions, GlobalBuffer, Program, RunReport, execute
from npu_autokernel.machine.soc import SocTable, get_soc
from tests.machine.corpus.compiling import SOC_NAME
from tests.machine.corpus.entry import EXACT, TOLERANCES, CorpusKernel, Draw, Tolerance, Value

SOC = get_soc(SOC_NAME)
CHECKED = ExecutionOptions(check_uninitialised=True)


def draw_values(entry: CorpusKernel, seed: int) -> dict[str, Value]:
    """The arguments of one launch, in the signature's order."""
    values = entry.make_values(Draw(seed))
    return {name: values[name] for name in entry.signature}


def launch(
    program: Program,
    entry: CorpusKernel,
    values: Mapping[str, Value],
    options: ExecutionOptions = CHECKED,
    soc: SocTable = SOC,
) -> RunReport:
    """Run on the buffers of `values`, in place."""
    return execute(program, entry.grid, pass_values(values), soc=soc, options=options)


def pass_values(values: Mapping[str, Value]) -> list[GlobalBuffer | int | float]:
    """The arguments of a launch on the buffers of `values`."""
    return [_pass_value(value) for value in values.values()]


def copy_values(values: Mapping[str, Value]) -> dict[str, Value]:
    return {
        name: value.clone() if isinstance(value, torch.Tensor) else value
        for name, value in values.items()
    }


def find_differences(
    entry: CorpusKernel, before: Mapping[str, Value], after: Mapping[str, Value]
) -> list[str]:
    """What disagrees with the oracle, one line per buffer; empty if nothing does."""
    inputs = copy_values(before)
    expected = dict(entry.oracle(**inputs))
    lines = []
    for name, initial in before.items():
        if isinstance(initial, torch.Tensor):
            actual = after[name]
            assert isinstance(actual, torch.Tensor)
            wanted = _complete(expected.pop(name, None), initial)
            lines += _compare(name, actual.flatten(), wanted, entry.tolerance)
    assert not expected, f"the oracle names unknown buffers: {sorted(expected)}"
    return lines


def _pass_value(value: Value) -> GlobalBuffer | int | float:
    if isinstance(value, torch.Tensor):
        assert value.is_contiguous()
        return GlobalBuffer(value.data_ptr(), value.numel() * value.element_size())
    return value


def _complete(expected: torch.Tensor | None, initial: torch.Tensor) -> torch.Tensor:
    """`expected` followed by what the buffer held behind it."""
    rest = initial.flatten()
    if expected is None:
        return rest
    expected = expected.flatten()
    assert len(expected) <= len(rest), "the expectation is longer than the buffer"
    if len(expected) == len(rest):
        return expected
    wide = torch.float64 if expected.is_floating_point() else torch.int64
    return torch.cat([expected.to(wide), rest[len(expected) :].to(wide)])


def _compare(
    name: str, actual: torch.Tensor, expected: torch.Tensor, tolerance: Tolerance | None
) -> list[str]:
    limits = EXACT
    if actual.is_floating_point():
        limits = tolerance or TOLERANCES[actual.dtype]
    wide = torch.float64 if actual.is_floating_point() else torch.int64
    got, wanted = actual.to(wide), expected.to(wide)
    same = (got == wanted) | (got.isnan() & wanted.isnan() if wide is torch.float64 else False)
    close = (got - wanted).abs() <= limits.absolute + limits.relative * wanted.abs()
    wrong = (~(same | (close & wanted.isfinite()))).nonzero().flatten()
    if not len(wrong):
        return []
    worst = wrong[(got - wanted).abs()[wrong].nan_to_num(nan=torch.inf).argmax()].item()
    return [
        f"{name}: {len(wrong)} of {len(got)} differ, from {wrong[0].item()} to "
        f"{wrong[-1].item()}; at {worst} got {got[worst].item()}, "
        f"expected {wanted[worst].item()}"
    ]
