"""vreduce over rows, columns and several dims, with and without the winner's index."""

from __future__ import annotations

import numpy as np
import pytest

from tests.machine.modules import NUMPY_TYPES, Body, gm, run_ok, ub, vector_module


def reduce(values: np.ndarray, element: str, kind: str, dims: tuple[int, ...]) -> list[np.ndarray]:
    with_index = "_with_index_" in kind
    shape = "x".join(map(str, values.shape)) + "x" + element
    kept = [1 if dim in dims else size for dim, size in enumerate(values.shape)]
    prefix = "x".join(map(str, kept)) + "x"
    body = Body()
    source = body.load("%a0", shape)
    targets = [(body.buffer(prefix + element), prefix + element)]
    if with_index:
        targets.append((body.buffer(prefix + "i32"), prefix + "i32"))
    body.op(
        "vreduce",
        ", ".join([source, *(value for value, _ in targets)]),
        ", ".join([ub(shape), *(ub(type_) for _, type_ in targets)]),
        f"arith = #hivm.reduce_op<{kind}>, "
        f"operandSegmentSizes = array<i32: 1, {len(targets)}, 0, 0>, "
        f"reduce_dims = array<i64: {', '.join(map(str, dims))}>",
    )
    results = []
    for index, (value, type_) in enumerate(targets):
        body.store(value, f"%a{1 + index}", type_)
        results.append(np.zeros(kept, dtype=NUMPY_TYPES[type_.split("x")[-1]]))
    arguments = [gm(f"?x{element}")] * 2 + ([gm("?xi32")] if with_index else [])
    run_ok(vector_module(body.text(), arguments), [values, *results])
    return results


@pytest.mark.parametrize("dims", [(1,), (0,), (0, 1), (2,), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("kind", ["sum", "max", "min", "prod"])
def test_integer_reductions_over_any_dims(kind, dims):
    rng = np.random.default_rng(0)
    values = rng.integers(-9, 9, (5, 6, 70), dtype=np.int32)
    function = {"sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod}[kind]
    with np.errstate(over="ignore"):
        expected = function(values, axis=dims, keepdims=True).astype(np.int32)
    np.testing.assert_array_equal(reduce(values, "i32", kind, dims)[0], expected)


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 1000])
def test_float_sums_of_any_length(size):
    values = np.random.default_rng(size).standard_normal((3, size)).astype(np.float32)
    result = reduce(values, "f32", "sum", (1,))[0]
    np.testing.assert_allclose(result[:, 0], values.astype(np.float64).sum(1), rtol=1e-5, atol=1e-5)


def test_half_sums_round_at_each_step():
    """2048 + 1 is not a half: adding ones stops there in one lane, but not across lanes."""
    ones = np.ones((1, 4096), dtype=np.float16)
    assert reduce(ones, "f16", "sum", (1,))[0].item() == 4096
    column = np.ones((4096, 1), dtype=np.float16)
    wide = np.repeat(column, 2, axis=1)
    np.testing.assert_array_equal(reduce(wide, "f16", "sum", (0,))[0], [[2048, 2048]])


@pytest.mark.parametrize("kind, function", [("xori", np.bitwise_xor), ("ori", np.bitwise_or)])
def test_bitwise_reductions(kind, function):
    values = np.random.default_rng(0).integers(0, 1 << 30, (4, 100), dtype=np.int32)
    result = reduce(values, "i32", kind, (1,))[0]
    np.testing.assert_array_equal(result[:, 0], function.reduce(values, axis=1))


@pytest.mark.parametrize("dim", [0, 1])
def test_the_leftmost_winner_gives_the_index(dim):
    values = np.array([[1, 5, 5, 2], [7, 0, 5, 0], [7, 0, 1, 2]], dtype=np.float32)
    value, index = reduce(values, "f32", "max_with_index_left", (dim,))
    np.testing.assert_array_equal(value, values.max(dim, keepdims=True))
    np.testing.assert_array_equal(index, values.argmax(dim, keepdims=True))
    value, index = reduce(values, "f32", "min_with_index_left", (dim,))
    np.testing.assert_array_equal(value, values.min(dim, keepdims=True))
    np.testing.assert_array_equal(index, values.argmin(dim, keepdims=True))


def test_a_nan_wins():
    values = np.array([[1, np.nan, 3, np.nan]], dtype=np.float32)
    value, index = reduce(values, "f32", "max_with_index_left", (1,))
    assert np.isnan(value.item()) and index.item() == 1
    assert np.isnan(reduce(values, "f32", "max", (1,))[0].item())


@pytest.mark.parametrize("dims", [(0,), (1,)])
@pytest.mark.parametrize("kind", ["max", "min"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_of_equal_winners_the_index_is_of_the_side_asked_for(kind, dims, side):
    values = np.random.default_rng(1).integers(0, 3, (9, 7)).astype(np.float32)
    wins = values == getattr(np, kind)(values, axis=dims, keepdims=True)
    indices = np.arange(values.shape[dims[0]]).reshape([-1 if d in dims else 1 for d in (0, 1)])
    first, last = np.where(wins, indices, 99), np.where(wins, indices, -1)
    expected = first.min(dims, keepdims=True) if side == "left" else last.max(dims, keepdims=True)
    got = reduce(values, "f32", f"{kind}_with_index_{side}", dims)
    np.testing.assert_array_equal(got[1], expected)


@pytest.mark.parametrize(("side", "expected"), [("left", 1), ("right", 3)])
def test_a_nan_wins_from_the_side_asked_for(side, expected):
    values = np.array([[0, np.nan, 5, np.nan, 9]], dtype=np.float32)
    assert reduce(values, "f32", f"max_with_index_{side}", (1,))[1].item() == expected
