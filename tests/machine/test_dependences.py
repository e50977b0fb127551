"""The oracle of dependences: what orders what, by hand-written runs and by small modules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from npu_autokernel.machine import execute
from npu_autokernel.machine.step import Access
from tests.machine.dependences import Broken, Dependences
from tests.machine.executed import UNIT_FLAG, ByteAccess, Executed, Recorder, find_byte_runs
from tests.machine.modules import SOC, Body, gm, load, ub, vector_module

SHAPE = "64xf32"


def do(pipe: str, *accesses: tuple[str, int, int], core: str = "vector0", opcode: str = "work"):
    """An instruction; accesses are (kind, first byte, last byte) of one memory."""
    touched = tuple(ByteAccess("memory", first, last, kind) for kind, first, last in accesses)
    return Executed(core, 1, pipe, opcode, "", None, touched)


def flag(kind: str, producer: str, consumer: str, core: str = "vector0") -> Executed:
    pipe = producer if kind == "set" else consumer
    operands = f"{producer} -> {consumer} event 0"
    return Executed(core, 1, pipe, f"{kind}_flag", operands, None, ())


def across(kind: str, core: str, pipe: str = "mte3") -> Executed:
    return Executed(core, 1, pipe, f"block_{kind}", "event 2", None, ())


def barrier(pipe: str) -> Executed:
    operands = "all pipes" if pipe == "all" else ""
    lane = "scalar" if pipe == "all" else pipe
    return Executed("vector0", 1, lane, "pipe_barrier", operands, None, ())


WRITE, READ, UPDATE = ("write", 0, 64), ("read", 0, 64), ("update", 0, 64)
SET, WAIT = flag("set", "mte2", "vector"), flag("wait", "mte2", "vector")


def count(run: Sequence[Executed]) -> tuple[int, int]:
    """Unordered pairs between pipes, and within one."""
    broken = Dependences(run).unordered
    return len(broken.between_pipes), len(broken.within_pipe)


def test_a_flag_orders_two_pipes_and_losing_it_breaks_them():
    run = [do("mte2", WRITE), SET, WAIT, do("vector", READ)]
    assert count(run) == (0, 0)
    assert Dependences(run).find_broken({1, 2}) == Broken(((0, 3),), (), False)


@pytest.mark.parametrize("lost", [1, 2])
def test_half_of_a_flag_is_unbalanced(lost):
    run = [do("mte2", WRITE), SET, WAIT, do("vector", READ)]
    assert Dependences(run).find_broken({lost}).is_unbalanced


def test_a_set_covers_what_came_before_it_and_a_wait_what_comes_after():
    late = [do("mte2"), SET, do("mte2", WRITE), WAIT, do("vector", READ)]
    early = [do("mte2", WRITE), SET, do("vector", READ), WAIT]
    assert count(late) == count(early) == (1, 0)


def test_waits_take_sets_in_their_order():
    run = [SET, do("mte2", WRITE), SET, WAIT, do("vector", READ), WAIT, do("vector", READ)]
    assert Dependences(run).unordered.between_pipes == ((1, 4),)


@pytest.mark.parametrize(
    "accesses,conflicts",
    [
        ((WRITE, WRITE), 1),
        ((READ, WRITE), 1),
        ((READ, READ), 0),
        ((UPDATE, UPDATE), 0),
        ((UPDATE, READ), 1),
        ((UPDATE, WRITE), 1),
        ((WRITE, ("read", 64, 128)), 0),
        ((WRITE, ("read", 63, 128)), 1),
    ],
)
def test_what_conflicts(accesses, conflicts):
    assert count([do("mte2", accesses[0]), do("vector", accesses[1])]) == (conflicts, 0)


@pytest.mark.parametrize("pipe,overlaps", [("vector", 1), ("mte2", 1), ("mte1", 0), ("cube", 0)])
def test_pipes_that_overlap_themselves(pipe, overlaps):
    assert count([do(pipe, WRITE), do(pipe, READ)]) == (0, overlaps)
    assert count([do(pipe, WRITE), barrier(pipe), do(pipe, READ)]) == (0, 0)


def test_a_flag_orders_its_own_pipe_only_through_another():
    to_scalar = [flag("set", "vector", "scalar"), flag("wait", "vector", "scalar")]
    assert count([do("vector", WRITE), *to_scalar, do("vector", READ)]) == (0, 0)
    assert count([do("vector", WRITE), to_scalar[0], do("vector", READ), to_scalar[1]]) == (0, 1)


def test_a_barrier_of_all_pipes_orders_one_core():
    assert count([do("mte2", WRITE), barrier("all"), do("mte3", READ)]) == (0, 0)
    assert count([do("mte2", WRITE), barrier("vector"), do("mte3", READ)]) == (1, 0)
    other = do("mte3", READ, core="vector1")
    assert count([do("mte2", WRITE), barrier("all"), other]) == (1, 0)


def test_loads_of_the_scalar_pipe_are_done_and_its_stores_are_not():
    load, store = do("scalar", READ, opcode="scalar_load"), do("scalar", WRITE)
    assert count([load, do("vector", WRITE)]) == (0, 0)
    assert count([store, do("vector", WRITE)]) == (1, 0)
    assert count([store, do("scalar", READ, opcode="scalar_load")]) == (0, 0)
    ordered = [store, flag("set", "scalar", "vector"), flag("wait", "scalar", "vector")]
    assert count([*ordered, do("vector", WRITE)]) == (0, 0)


def test_the_cube_waits_for_all_vector_cores_and_releases_each():
    writers = [do("mte3", ("write", 64 * n, 64 * n + 64), core=f"vector{n}") for n in range(2)]
    sets = [across("set", f"vector{n}") for n in range(2)]
    reader = do("mte2", ("read", 0, 128), core="cube")
    run = [writers[0], sets[0], writers[1], sets[1], across("wait", "cube", "mte2"), reader]
    assert count(run) == (0, 0)
    back = [across("set", "cube", "mte2"), *(across("wait", f"vector{n}") for n in range(2))]
    assert count([*run, *back, *writers]) == (0, 0)
    assert count([*run, *writers]) == (2, 2)


def test_products_follow_their_loads():
    assert count([do("mte1", WRITE), do("cube", READ, opcode="mmad")]) == (0, 0)
    assert count([do("mte1", WRITE), do("cube", READ)]) == (1, 0)


def test_only_what_was_ordered_can_break():
    run = [do("mte3", WRITE), do("mte2", WRITE), SET, WAIT, do("vector", READ)]
    dependences = Dependences(run)
    assert dependences.unordered.between_pipes == ((0, 1), (0, 4))
    assert dependences.find_broken({2, 3}).between_pipes == ((1, 4),)


def tile(pipe: str, unit_flag: str, kind: str) -> Executed:
    opcode = "mmad" if pipe == "cube" else "fixpipe"
    access = ByteAccess("cube l0c", 0, 64, kind)
    return Executed("cube", 1, pipe, opcode, "", UNIT_FLAG, (access,), unit_flag)


def test_a_unit_flag_hands_over_a_tile():
    product, fixpipe = tile("cube", "with update", "write"), tile("fixpipe", "with update", "read")
    run = [product, fixpipe, product, fixpipe]
    assert count(run) == (0, 0)
    assert Dependences(run).order.answers == {1: (0,), 3: (2,)}
    broken = Dependences(run).find_broken({0, 1, 2, 3})
    assert broken.between_pipes == ((0, 1), (1, 2), (0, 3), (2, 3))
    assert not broken.is_unbalanced


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_half_of_a_unit_flag_is_unbalanced(lost):
    product, fixpipe = tile("cube", "with update", "write"), tile("fixpipe", "with update", "read")
    assert Dependences([product, fixpipe, product, fixpipe]).find_broken({lost}).is_unbalanced


def test_an_update_is_what_releases_the_other_pipe():
    waits = tile("fixpipe", "without update", "read")
    takes = tile("fixpipe", "with update", "read")
    product = tile("cube", "with update", "write")
    assert count([product, waits, takes, product, takes]) == (1, 0)


def test_bytes_of_strided_elements():
    def runs(bits: int, first: int, *dims: tuple[int, int]) -> list[tuple[int, int]]:
        sizes, strides = zip(*dims, strict=True) if dims else ((), ())
        return find_byte_runs(Access("ub", False, False, first, bits, sizes, strides))

    assert runs(32, 64) == [(8, 12)]
    assert runs(32, 0, (4, 32)) == [(0, 16)]
    assert runs(32, 0, (2, 128), (4, 32)) == [(0, 32)]
    assert runs(32, 0, (2, 256), (4, 32)) == [(0, 16), (32, 48)]
    assert runs(32, 96, (4, -32)) == [(0, 16)]
    assert runs(16, 0, (3, 256)) == [(0, 2), (32, 34), (64, 66)]
    assert runs(1, 4, (9, 1)) == [(0, 2)]
    assert runs(32, 0, (8, 0)) == [(0, 4)]
    assert runs(32, 0, (0, 32), (4, 32)) == []


def record(text: str, arguments: int) -> list[Executed]:
    recorder = Recorder()
    buffers = [np.ones(256, dtype=np.float32) for _ in range(arguments)]
    assert execute(load(text), (1,), buffers, soc=SOC, on_step=recorder).fault is None
    return recorder.finish()


def test_a_run_is_recorded_with_the_bytes_it_touches():
    body = Body()
    source, target = body.load("%a0", "5xf32"), body.buffer("5xf32")
    type_ = ub("5xf32")
    body.flag("set", "MTE2", "V")
    body.flag("wait", "MTE2", "V")
    body.elementwise("vadd", [(source, type_)] * 2, (target, type_))
    run = record(vector_module(body.text(), [gm("?xf32")]), 1)
    assert [step.opcode for step in run] == ["load", "set_flag", "wait_flag", "vadd"]
    assert run[0].accesses == (
        ByteAccess("arg0", 0, 20, "read"),
        ByteAccess("vector0 ub", 0, 32, "write"),  # a transfer writes whole blocks
    )
    assert run[3].accesses[-1] == ByteAccess("vector0 ub", 32, 52, "write")
    assert Dependences(run).find_broken({1, 2}).between_pipes == ((0, 3),)


def test_a_loop_of_scalar_loads_counts_as_one():
    body = Body()
    buffer = body.buffer(SHAPE)
    value = body.constant("1.0", "f32")
    body.op("vbrc", f"{value}, {buffer}", f"f32, {ub(SHAPE)}", "broadcast_dims = array<i64>")
    body.flag("set", "V", "S")
    body.flag("wait", "V", "S")
    for index in range(3):
        place = body.constant(index, "index")
        body.value("memref.load", f"{buffer}, {place}", f"{ub(SHAPE)}, index", "f32")
    run = record(vector_module(body.text(), []), 0)
    assert [step.opcode for step in run] == ["vbrc", "set_flag", "wait_flag", "scalar_load"]
    assert run[-1].accesses == (ByteAccess("vector0 ub", 0, 12, "read"),)
