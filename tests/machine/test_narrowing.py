"""Narrowing float casts round by the mode of the instruction, and scans go slice by slice."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.machine.modules import Body, gm, run_ok, ub, vector_module

COUNT = 512
VIEWS = {"f16": torch.float16, "bf16": torch.bfloat16}
FINITE = {"f16": 65504.0, "bf16": 3.3895313892515355e38}


def draw_values(target: str) -> np.ndarray:
    """Numbers of all sizes, exact ones, ties, and both ends of the type."""
    rng = np.random.default_rng(5)
    values = rng.standard_normal(COUNT) * 10.0 ** rng.integers(-9, 6, COUNT)
    exact = torch.from_numpy(values[:64]).to(VIEWS[target]).double().numpy()
    values[:64] = exact
    step = 2.0**-10 if target == "f16" else 2.0**-7
    values[64:96] = 1 + step * (np.arange(32) + 0.5)
    values[96:128] = -values[64:96]
    values[128:132] = (FINITE[target] * 1.001, -FINITE[target] * 1.001, 0.0, 1e-30)
    return values.astype(np.float32)


def round_by(mode: str, values: np.ndarray, target: str) -> np.ndarray:
    """The neighbour in the narrow type, found by stepping from the nearest one."""
    nearest = torch.from_numpy(values).to(VIEWS[target])
    wide = torch.from_numpy(values).double()
    infinity = torch.tensor(float("inf"), dtype=nearest.dtype)
    below = torch.where(nearest.double() > wide, torch.nextafter(nearest, -infinity), nearest)
    above = torch.where(nearest.double() < wide, torch.nextafter(nearest, infinity), nearest)
    low, high = below.double(), above.double()
    if mode == "floor":
        result = low
    elif mode == "ceil":
        result = high
    elif mode == "trunc":
        result = torch.where(wide < 0, high, low)
    else:
        to_low, to_high = wide - low, high - wide
        away = torch.where(wide < 0, low, high)
        result = torch.where(to_low < to_high, low, torch.where(to_high < to_low, high, away))
    return result.numpy()


@pytest.mark.parametrize("target", ["f16", "bf16"])
@pytest.mark.parametrize("mode", ["floor", "ceil", "trunc", "round"])
def test_narrowing_rounds_by_the_mode(mode: str, target: str) -> None:
    body = Body()
    source = body.load("%a0", f"{COUNT}xf32")
    narrow = body.buffer(f"{COUNT}x{target}")
    body.elementwise(
        "vcast",
        [(source, ub(f"{COUNT}xf32"))],
        (narrow, ub(f"{COUNT}x{target}")),
        f"round_mode = #hivm.round_mode<{mode}>",
    )
    body.store(narrow, "%a1", f"{COUNT}x{target}")
    values = draw_values(target)
    result = np.zeros(COUNT, dtype=np.int16)
    run_ok(vector_module(body.text(), [gm("?xf32"), gm(f"?x{target}")]), [values, result])
    actual = torch.from_numpy(result).view(VIEWS[target]).double().numpy()
    expected = round_by(mode, values, target)
    overflown = np.abs(values) > FINITE[target]
    np.testing.assert_array_equal(actual[~overflown], expected[~overflown])


@pytest.mark.parametrize("op", ["vcumsum", "vcumprod"])
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
def test_scans_accumulate_along_a_dim(op: str, is_reversed: bool, dim: int) -> None:
    body = Body()
    source, target = body.load("%a0", "5x8xf32"), body.buffer("5x8xf32")
    flag = str(is_reversed).lower()
    body.op(
        op,
        f"{source}, {target}",
        f"{ub('5x8xf32')}, {ub('5x8xf32')}",
        f"cum_dims = array<i64: {dim}>, reverse = {flag}",
    )
    body.store(target, "%a1", "5x8xf32")
    values = np.random.default_rng(1).uniform(0.5, 1.5, (5, 8)).astype(np.float32)
    result = np.zeros_like(values)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 2), [values, result])
    accumulate = np.add.accumulate if op == "vcumsum" else np.multiply.accumulate
    ordered = np.flip(values, dim) if is_reversed else values
    expected = accumulate(ordered, axis=dim, dtype=np.float32)
    np.testing.assert_array_equal(result, np.flip(expected, dim) if is_reversed else expected)
