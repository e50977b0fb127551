"""Interleaved pipes that overlap their own instructions: what may pass what, and what is lost."""

from __future__ import annotations

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions
from tests.machine.cube_modules import CubeBody
from tests.machine.modules import Body, cube_module, gm, run, ub, vector_module

SHAPE = "64xf32"
VALUES = np.arange(64, dtype=np.float32)
SEEDS = range(40)


def results_over_orders(text: str, *, overlapped: bool) -> set[bytes]:
    outcomes = set()
    for seed in SEEDS:
        result = np.zeros_like(VALUES)
        options = ExecutionOptions(interleaving_seed=seed, overlapped=overlapped)
        report = run(text, [VALUES.copy(), result], options=options)
        assert report.fault is None, report.fault
        outcomes.add(result.tobytes())
    return outcomes


def order(body: Body, producer: str, consumer: str) -> None:
    body.flag("set", producer, consumer)
    body.flag("wait", producer, consumer)


def chain_module(between: str) -> str:
    """load -> vadd -> vadd -> store; `between` the two of V: a barrier of V, a flag, or nothing."""
    body = Body()
    source = body.load("%a0", SHAPE)
    middle, target = body.buffer(SHAPE), body.buffer(SHAPE)
    order(body, "MTE2", "V")
    body.elementwise("vadd", [(source, ub(SHAPE))] * 2, (middle, ub(SHAPE)))
    if between == "barrier":
        body.op("pipe_barrier", "", "", "pipe = #hivm.pipe<PIPE_V>")
    elif between == "flag":
        order(body, "V", "S")
    body.elementwise("vadd", [(middle, ub(SHAPE))] * 2, (target, ub(SHAPE)))
    order(body, "V", "MTE3")
    body.store(target, "%a1", SHAPE)
    return vector_module(body.text(), [gm("?xf32")] * 2)


@pytest.mark.parametrize("between", ["barrier", "flag"])
def test_what_orders_a_pipe_orders_it_in_every_run(between):
    assert results_over_orders(chain_module(between), overlapped=True) == {(4 * VALUES).tobytes()}


def test_a_missing_barrier_shows_only_when_pipes_overlap_themselves():
    assert len(results_over_orders(chain_module("nothing"), overlapped=True)) > 1
    assert len(results_over_orders(chain_module("nothing"), overlapped=False)) == 1


def test_a_set_says_that_all_before_it_on_its_pipe_is_done():
    """Two instructions, one flag: the store may not run while either is pending."""
    body = Body()
    source, target = body.load("%a0", SHAPE), body.buffer(SHAPE)
    order(body, "MTE2", "V")
    for half in range(2):
        ends = [
            body.subview(
                value, ub(SHAPE),
                f"memref<32xf32, strided<[1], offset: {32 * half}>, #hivm.address_space<ub>>",
                [32 * half], [32], [1],
            )
            for value in (source, target)
        ]  # fmt: skip
        type_ = f"memref<32xf32, strided<[1], offset: {32 * half}>, #hivm.address_space<ub>>"
        body.elementwise("vadd", [(ends[0], type_)] * 2, (ends[1], type_))
    order(body, "V", "MTE3")
    body.store(target, "%a1", SHAPE)
    text = vector_module(body.text(), [gm("?xf32")] * 2)
    assert results_over_orders(text, overlapped=True) == {(2 * VALUES).tobytes()}


def test_atomic_updates_keep_their_order():
    """Floats that do not add the same in another order."""
    body = Body()
    large, small = body.buffer(SHAPE), body.buffer(SHAPE)
    for value, buffer in (("1.0e8", large), ("1.0", small)):
        number = body.constant(value, "f32")
        body.op("vbrc", f"{number}, {buffer}", f"f32, {ub(SHAPE)}", "broadcast_dims = array<i64>")
    order(body, "V", "MTE3")
    for buffer in (small, small, small, small, large):
        body.store(buffer, "%a1", SHAPE, "atomic_kind = #hivm.atomic_kind<add>")
    text = vector_module(body.text(), [gm("?xf32")] * 2)
    assert len(results_over_orders(text, overlapped=True)) == 1


def test_nobody_may_use_a_temporary_buffer_afterwards():
    body = Body()
    source, temporary = body.load("%a0", SHAPE), body.load("%a0", SHAPE)
    target = body.buffer(SHAPE)
    order(body, "MTE2", "V")
    body.op(
        "vsel",
        f"{body.buffer('64xi1')}, {source}, {source}, {target}, {temporary}",
        f"{ub('64xi1')}, {ub(SHAPE)}, {ub(SHAPE)}, {ub(SHAPE)}, {ub(SHAPE)}",
        "broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>",
    )
    order(body, "V", "MTE3")
    body.store(temporary, "%a1", SHAPE)
    text = vector_module(body.text(), [gm("?xf32")] * 2)
    assert results_over_orders(text, overlapped=False) == {VALUES.tobytes()}
    (lost,) = results_over_orders(text, overlapped=True)
    assert np.isnan(np.frombuffer(lost, np.float32)).all()


def test_unit_flags_are_taken_in_order():
    """Two products into one tile: each way out takes its own."""
    shape = (16, 16, 16)
    body = CubeBody()
    a, b = body.load_l1("%a0", 16, 16, "f16"), body.load_l1("%a1", 16, 16, "f16")
    order(body, "MTE2", "MTE1")
    sums = body.sums(16, 16)
    flag = ", unit_flag_mode = [#hivm.unit_flag<ENABLED_WITH_UPDATE>]"
    for place, (left, right) in enumerate(((a, b), (b, a))):
        body.multiply(left, right, sums, shape, True, flag)
        body.write_back(sums, f"%a{2 + place}", "16x16xf32", flag)
    text = cube_module(body.text(), [gm("?xf16")] * 2 + [gm("?xf32")] * 2)
    values = [np.random.default_rng(seed).random((16, 16)).astype(np.float16) for seed in (0, 1)]
    outcomes = set()
    for seed in SEEDS:
        results = [np.zeros((16, 16), np.float32) for _ in range(2)]
        options = ExecutionOptions(interleaving_seed=seed, overlapped=True)
        assert run(text, [*values, *results], options=options).fault is None
        outcomes.add((results[0].tobytes(), results[1].tobytes()))
    assert len(outcomes) == 1
