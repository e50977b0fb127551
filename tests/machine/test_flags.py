"""Flags inside a core and between cores; random orders of the pipes."""

from __future__ import annotations

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions
from tests.machine.modules import Body, gm, locate, mix_module, run, ub, vector_module

SHAPE = "64xf32"


def chain_module(*, drop: str = "") -> str:
    """load -> vadd -> store with the flags the compiler would place; `drop` leaves out one pair."""
    body = Body()
    source = body.load("%a0", SHAPE)
    target = body.buffer(SHAPE)
    for step, (producer, consumer) in enumerate([("MTE2", "V"), ("V", "MTE3")]):
        if drop != producer:
            body.flag("set", producer, consumer)
            body.flag("wait", producer, consumer)
        if step == 0:
            body.elementwise("vadd", [(source, ub(SHAPE))] * 2, (target, ub(SHAPE)))
    body.store(target, "%a1", SHAPE)
    return vector_module(body.text(), [gm("?xf32")] * 2)


def results_over_orders(text: str) -> set[bytes]:
    values = np.arange(64, dtype=np.float32)
    outcomes = set()
    for seed in range(30):
        result = np.zeros_like(values)
        report = run(text, [values, result], options=ExecutionOptions(interleaving_seed=seed))
        assert report.fault is None
        outcomes.add(result.tobytes())
    return outcomes


def test_every_legal_order_gives_the_same_result():
    expected = (2 * np.arange(64, dtype=np.float32)).tobytes()
    assert results_over_orders(chain_module()) == {expected}


@pytest.mark.parametrize("missing", ["MTE2", "V"])
def test_a_missing_flag_shows_in_some_order(missing):
    assert len(results_over_orders(chain_module(drop=missing))) > 1


@pytest.mark.parametrize("kind", ["set", "wait"])
def test_a_flag_without_its_partner_is_a_fault(kind):
    body = Body()
    body.flag(kind, "V", "MTE3", 3)
    fault = run(locate(vector_module(body.text(), [])), []).fault
    assert fault is not None and fault.code == "machine.flag_unbalanced"
    assert f"{kind}_flag" in fault.op_text and fault.source_line == fault.line


def test_a_wait_that_no_order_can_pass_is_a_deadlock():
    body = Body()
    body.flag("wait", "V", "MTE3")
    options = ExecutionOptions(interleaving_seed=0)
    fault = run(vector_module(body.text(), []), [], options=options).fault
    assert fault is not None and fault.code == "machine.deadlock"
    assert f"MTE3 of vector core 0 at dump line {fault.line}" in fault.message
    assert "wait_flag" in fault.op_text


def block_flag(kind: str, core: str, flag: int, pipe: str = "MTE3") -> str:
    operands, types = ("%ffts", "i64") if kind == "set" else ("", "")
    segments = "operandSegmentSizes = array<i32: 0, 1>, " if kind == "set" else ""
    return (
        f'    "hivm.hir.sync_block_{kind}"({operands}) <{{{segments}'
        f"pipe = #hivm.pipe<PIPE_S>, static_flag_id = {flag} : i64, "
        f"tcore_type = #hivm.tcore_type<{core}>, tpipe = #hivm.pipe<PIPE_{pipe}>}}> "
        f": ({types}) -> ()"
    )


def store_number(body: Body, value: int, index: str, index_type: str = "index") -> None:
    number = body.constant(value, "i64")
    body.emit(f'"memref.store"({number}, %a0, {index}) : (i64, {gm("?xi64")}, index) -> ()')


def hand_over_module(*, vector_sets: bool = True, cube_waits: bool = True) -> str:
    """Both vector cores write, then release the cube, which reads and writes the sum."""
    vector = Body("v")
    sub = vector.value("hivm.hir.get_sub_block_idx", "", "", "i64")
    index = vector.value("arith.index_cast", sub, "i64", "index")
    store_number(vector, 21, index)
    if vector_sets:
        vector.lines.append(block_flag("set", "VECTOR", 2))
    cube = Body("c")
    if cube_waits:
        cube.lines.append(block_flag("wait", "CUBE", 2))
    loaded = []
    for position in range(2):
        index = cube.constant(position, "index")
        loaded.append(cube.value("memref.load", f"%a0, {index}", f"{gm('?xi64')}, index", "i64"))
    total = cube.value("arith.addi", ", ".join(loaded), "i64, i64", "i64")
    index = cube.constant(2, "index")
    cube.emit(f'"memref.store"({total}, %a0, {index}) : (i64, {gm("?xi64")}, index) -> ()')
    return mix_module(cube.text(), vector.text(), [gm("?xi64")])


@pytest.mark.parametrize("seed", [None, 0, 1, 2, 3])
def test_the_cube_waits_for_both_vector_cores(seed):
    result = np.zeros(3, dtype=np.int64)
    options = ExecutionOptions(interleaving_seed=seed)
    assert run(hand_over_module(), [result], options=options).fault is None
    assert result.tolist() == [21, 21, 42]


@pytest.mark.parametrize("seed", [None, 0])
def test_cores_that_wait_for_ever_are_a_deadlock(seed):
    result = np.zeros(3, dtype=np.int64)
    options = ExecutionOptions(interleaving_seed=seed)
    fault = run(hand_over_module(vector_sets=False), [result], options=options).fault
    assert fault is not None and fault.code == "machine.deadlock"
    assert "cube core" in fault.message and "sync_block_wait" in fault.op_text


def test_a_cross_core_flag_that_nobody_waits_for_names_where_it_is_set():
    text = locate(hand_over_module(cube_waits=False))
    fault = run(text, [np.zeros(3, dtype=np.int64)]).fault
    assert fault is not None and fault.code == "machine.flag_unbalanced"
    assert "sync_block_set" in fault.op_text and fault.source_line == fault.line
