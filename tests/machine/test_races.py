"""The race check: what must be ordered, what orders it, and what needs no order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions, MachineFault
from tests.machine.modules import Body, gm, mix_module, run, ub, vector_module

SHAPE = "64xf32"
BUFFER = gm("?xf32")
CHECKED = ExecutionOptions(check_races=True)


def find_race(text: str, argument_count: int, grid: Sequence[int] = (1,)) -> MachineFault | None:
    arguments = [np.ones(4096, dtype=np.float32) for _ in range(argument_count)]
    fault = run(text, arguments, grid, CHECKED).fault
    assert fault is None or fault.code == "machine.race", fault
    return fault


def order(body: Body, producer: str, consumer: str, event: int = 0) -> None:
    body.flag("set", producer, consumer, event)
    body.flag("wait", producer, consumer, event)


def barrier(body: Body, pipe: str) -> None:
    body.op("pipe_barrier", "", "", f"pipe = #hivm.pipe<PIPE_{pipe}>")


def double(body: Body, source: str, target: str) -> None:
    body.elementwise("vadd", [(source, ub(SHAPE))] * 2, (target, ub(SHAPE)))


def run_chain(missing: str) -> MachineFault | None:
    """load -> vadd -> vadd -> store with one step of order left out."""
    body = Body()
    source = body.load("%a0", SHAPE)
    middle, target = body.buffer(SHAPE), body.buffer(SHAPE)
    if missing != "load":
        order(body, "MTE2", "V")
    double(body, source, middle)
    if missing != "barrier":
        barrier(body, "V")
    double(body, middle, target)
    if missing != "store":
        order(body, "V", "MTE3")
    body.store(target, "%a1", SHAPE)
    return find_race(vector_module(body.text(), [BUFFER] * 2), 2)


def test_an_ordered_chain_has_no_race():
    assert run_chain(missing="") is None


@pytest.mark.parametrize("missing", ["load", "barrier", "store"])
def test_each_missing_step_is_a_race(missing):
    assert run_chain(missing) is not None


def test_a_race_names_both_accesses():
    body = Body()
    source = body.load("%a0", SHAPE)
    double(body, source, body.buffer(SHAPE))
    fault = find_race(vector_module(body.text(), [BUFFER]), 1)
    assert fault is not None
    assert fault.message == (
        "V of vector core 0 reads bytes of ub that MTE2 of vector core 0 wrote in "
        f"dump line {fault.line - 3}, and nothing orders the two"
    )
    assert fault.bytes == (0, 256)
    assert "vadd" in fault.op_text
    assert fault.core is not None and fault.core.kind == "vector"


def test_a_buffer_may_not_be_loaded_again_while_it_is_read():
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "MTE2", "V")
    double(body, source, body.buffer(SHAPE))
    view = body.reinterpret("%a0", SHAPE)
    segments = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
    body.op("load", f"{view}, {source}", f"{gm(SHAPE)}, {ub(SHAPE)}", segments)
    assert find_race(vector_module(body.text(), [BUFFER]), 1) is not None


def test_order_passes_from_flag_to_flag():
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "MTE2", "V")
    order(body, "V", "MTE3")
    body.store(source, "%a1", SHAPE)
    assert find_race(vector_module(body.text(), [BUFFER] * 2), 2) is None


def test_a_barrier_of_all_pipes_orders_everything():
    body = Body()
    source = body.load("%a0", SHAPE)
    barrier(body, "ALL")
    body.store(source, "%a1", SHAPE)
    assert find_race(vector_module(body.text(), [BUFFER] * 2), 2) is None


def test_a_flag_between_other_pipes_orders_nothing():
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "V", "MTE3")
    body.store(source, "%a1", SHAPE)
    assert find_race(vector_module(body.text(), [BUFFER] * 2), 2) is not None


def test_what_a_flag_came_too_early_for_is_not_ordered():
    body = Body()
    first = body.load("%a0", SHAPE)
    body.flag("set", "MTE2", "V")
    second = body.load("%a0", SHAPE)
    body.flag("wait", "MTE2", "V")
    double(body, first, first)
    barrier(body, "V")
    assert find_race(vector_module(body.text(), [BUFFER]), 1) is None
    double(body, second, second)
    assert find_race(vector_module(body.text(), [BUFFER]), 1) is not None


@pytest.mark.parametrize("ordered", [True, False])
def test_a_scalar_store_needs_a_flag(ordered):
    body = Body()
    buffer = body.buffer(SHAPE)
    zero, one = body.constant(0, "index"), body.constant("1.0", "f32")
    body.emit(f'"memref.store"({one}, {buffer}, {zero}) : (f32, {ub(SHAPE)}, index) -> ()')
    if ordered:
        order(body, "S", "V")
    double(body, buffer, body.buffer(SHAPE))
    assert (find_race(vector_module(body.text(), []), 0) is None) == ordered


def test_nothing_overtakes_a_scalar_load():
    body = Body()
    buffer = body.load("%a0", SHAPE)
    order(body, "MTE2", "S")
    body.value(
        "memref.load", f"{buffer}, {body.constant(0, 'index')}", f"{ub(SHAPE)}, index", "f32"
    )
    double(body, body.buffer(SHAPE), buffer)
    assert find_race(vector_module(body.text(), [BUFFER]), 1) is None


def test_a_load_clobbers_the_rest_of_its_last_block():
    body = Body()
    tail = body.pointer(12, "5xf32")
    value = body.constant("1.0", "f32")
    body.op("vbrc", f"{value}, {tail}", f"f32, {ub('5xf32')}", "broadcast_dims = array<i64>")
    row = body.reinterpret("%a0", "3xf32")
    target = body.pointer(0, "3xf32")
    segments = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
    body.op("load", f"{row}, {target}", f"{gm('3xf32')}, {ub('3xf32')}", segments)
    assert find_race(vector_module(body.text(), [BUFFER]), 1) is not None


def store_by_blocks(offset_per_block: int, properties: str = "") -> str:
    """Each block stores 64 floats at its index times `offset_per_block`."""
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "MTE2", "MTE3")
    index = body.value("hivm.hir.get_block_idx", "", "", "i64")
    step = body.constant(offset_per_block, "i64")
    start = body.value("arith.muli", f"{index}, {step}", "i64, i64", "i64")
    place = body.value("arith.index_cast", start, "i64", "index")
    strided = "memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>"
    target = body.value(
        "memref.reinterpret_cast",
        f"%a1, {place}",
        f"{BUFFER}, index",
        strided,
        "operandSegmentSizes = array<i32: 1, 1, 0, 0>, "
        "static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, "
        "static_strides = array<i64: 1>",
    )
    body.op("store", f"{source}, {target}", f"{ub(SHAPE)}, {strided}", properties)
    return vector_module(body.text(), [BUFFER] * 2)


def test_blocks_may_write_side_by_side():
    assert find_race(store_by_blocks(64), 2, (8,)) is None


def test_blocks_may_not_write_the_same_bytes():
    fault = find_race(store_by_blocks(63), 2, (8,))
    assert fault is not None
    assert "block 0 writes" in fault.message
    assert fault.bytes == (252, 508)


def test_blocks_may_add_to_the_same_bytes():
    add = "atomic_kind = #hivm.atomic_kind<add>"
    assert find_race(store_by_blocks(0, add), 2, (8,)) is None


def test_arguments_that_share_memory_are_one_memory():
    values = np.ones(4096, dtype=np.float32)
    program_text = store_by_blocks(64)
    fault = run(program_text, [values, values], (2,), CHECKED).fault
    assert fault is not None and fault.code == "machine.race"


def cross_core_module(flag_set: bool, flag_waited: bool) -> str:
    """Vector core 0 writes GM, the cube reads it by a scalar load."""
    vector, cube = Body("v"), Body("c")
    buffer = vector.buffer(SHAPE)
    value = vector.constant("1.0", "f32")
    vector.op("vbrc", f"{value}, {buffer}", f"f32, {ub(SHAPE)}", "broadcast_dims = array<i64>")
    order(vector, "V", "MTE3")
    index = vector.value("hivm.hir.get_sub_block_idx", "", "", "i64")
    zero = vector.constant(0, "i64")
    first = vector.value("arith.cmpi", f"{index}, {zero}", "i64, i64", "i1", "predicate = 0 : i64")
    vector.emit(f'"scf.if"({first}) ({{')
    vector.store(buffer, "%a0", SHAPE)
    vector.emit('"scf.yield"() : () -> ()')
    vector.emit("}, {}) : (i1) -> ()")
    flag = "operandSegmentSizes = array<i32: 0, 0>, static_flag_id = 1 : i64, "
    pipes = "pipe = #hivm.pipe<PIPE_S>, tpipe = #hivm.pipe<PIPE_MTE3>"
    if flag_set:
        core = "tcore_type = #hivm.tcore_type<VECTOR>, "
        vector.op("sync_block_set", "", "", flag + core + pipes)
    if flag_waited:
        core = "tcore_type = #hivm.tcore_type<CUBE>, "
        cube.op("sync_block_wait", "", "", flag + core + pipes)
    place = cube.constant(3, "index")
    cube.value("memref.load", f"%a0, {place}", f"{BUFFER}, index", "f32")
    return mix_module(cube.text(), vector.text(), [BUFFER])


def test_cores_are_ordered_by_cross_core_flags_only():
    assert find_race(cross_core_module(True, True), 1) is None
    assert find_race(cross_core_module(False, False), 1) is not None


def test_a_cross_core_flag_that_nobody_waits_for_is_unbalanced():
    values = np.ones(4096, dtype=np.float32)
    fault = run(cross_core_module(True, False), [values]).fault
    assert fault is not None and fault.code == "machine.flag_unbalanced"
    assert "flag 1" in fault.message


def test_races_are_checked_in_program_order_only():
    options = ExecutionOptions(check_races=True, interleaving_seed=1)
    with pytest.raises(ValueError, match="program order"):
        run(vector_module("", []), [], (1,), options)


def test_the_check_changes_no_result():
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "MTE2", "MTE3")
    body.store(source, "%a1", SHAPE)
    text = vector_module(body.text(), [BUFFER] * 2)
    values, result = np.arange(64, dtype=np.float32), np.zeros(64, dtype=np.float32)
    assert run(text, [values, result], (1,), CHECKED).fault is None
    np.testing.assert_array_equal(result, values)


@pytest.mark.parametrize("differing", [False, True])
def test_both_vector_cores_may_store_the_same_bytes(differing):
    """Where the compiler does not split a product, each of them stores all of it."""
    vector = Body()
    tile = vector.buffer(SHAPE)
    number = vector.constant(1.0, "f32")
    if differing:
        index = vector.value("hivm.hir.get_sub_block_idx", "", "", "i64")
        number = vector.value("arith.sitofp", index, "i64", "f32")
    fill = "broadcast_dims = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>"
    vector.op("vbrc", f"{number}, {tile}", f"f32, {ub(SHAPE)}", fill)
    order(vector, "V", "MTE3")
    vector.store(tile, "%a0", SHAPE)
    fault = find_race(mix_module("", vector.text(), [BUFFER]), 1)
    assert (fault is not None) == differing


def shared_tile(kept_by: str, store_after: bool = True) -> str:
    """Both vector cores read a tile; the one told stores to it; the other, where told, elsewhere."""
    vector = Body()
    tile = vector.load("%a0", SHAPE)
    order(vector, "MTE2", "MTE3")
    index = vector.value("hivm.hir.get_sub_block_idx", "", "", "i64")
    keeper = vector.constant(kept_by, "i64")
    equal = vector.value(
        "arith.cmpi", f"{index}, {keeper}", "i64, i64", "i1", "predicate = 0 : i64"
    )
    vector.emit(f'"scf.if"({equal}) ({{')
    vector.store(tile, "%a0", SHAPE)
    vector.emit('"scf.yield"() : () -> ()')
    vector.emit("}, {")
    if store_after:
        vector.store(tile, "%a1", SHAPE)
    vector.emit('"scf.yield"() : () -> ()')
    vector.emit("}) : (i1) -> ()")
    return mix_module("", vector.text(), [BUFFER] * 2)


@pytest.mark.parametrize("kept_by", ["0", "1"])
def test_a_core_may_not_use_what_the_other_stores(kept_by):
    assert find_race(shared_tile(kept_by), 2) is not None


@pytest.mark.parametrize("kept_by", ["0", "1"])
def test_a_core_that_writes_nothing_may_read_anything(kept_by):
    """Where the compiler does not split a product, one core computes for nothing."""
    assert find_race(shared_tile(kept_by, store_after=False), 2) is None


@pytest.mark.parametrize("ordered", [True, False])
def test_an_instruction_that_writes_what_it_reads_waits_for_earlier_readers(ordered):
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "MTE2", "V")
    double(body, source, body.buffer(SHAPE))
    if ordered:
        barrier(body, "V")
    double(body, source, source)
    assert (find_race(vector_module(body.text(), [BUFFER]), 1) is None) == ordered


@pytest.mark.parametrize("ordered", [True, False])
def test_rows_that_are_read_may_not_be_written_meanwhile(ordered):
    """Reads of many rows are entered late: when something in their reach is written."""
    body = Body()
    rows, row = body.buffer("4x8xf32"), body.buffer(SHAPE)
    strided = "memref<4x8xf32, strided<[16, 1]>, #hivm.address_space<gm>>"
    source = body.value(
        "memref.reinterpret_cast",
        "%a0",
        BUFFER,
        strided,
        "operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, "
        "static_sizes = array<i64: 4, 8>, static_strides = array<i64: 16, 1>",
    )
    value = body.constant("1.0", "f32")
    body.op("vbrc", f"{value}, {row}", f"f32, {ub(SHAPE)}", "broadcast_dims = array<i64>")
    order(body, "V", "MTE3")
    segments = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
    body.op("load", f"{source}, {rows}", f"{strided}, {ub('4x8xf32')}", segments)
    if ordered:
        order(body, "MTE2", "MTE3")
    body.store(row, "%a0", SHAPE)
    fault = find_race(vector_module(body.text(), [BUFFER]), 1)
    assert (fault is None) == ordered
    assert fault is None or fault.bytes == (0, 32)


def test_rows_that_a_block_reads_may_not_be_written_by_another():
    body = Body()
    rows, row = body.load("%a0", "2x16xf32"), body.buffer(SHAPE)
    index = body.value("hivm.hir.get_block_idx", "", "", "i64")
    one = body.constant(1, "i64")
    is_second = body.value("arith.cmpi", f"{index}, {one}", "i64, i64", "i1", "predicate = 0 : i64")
    value = body.constant("1.0", "f32")
    body.op("vbrc", f"{value}, {row}", f"f32, {ub(SHAPE)}", "broadcast_dims = array<i64>")
    order(body, "V", "MTE3")
    order(body, "MTE2", "MTE3")
    body.emit(f'"scf.if"({is_second}) ({{')
    body.store(row, "%a0", SHAPE)
    body.emit('"scf.yield"() : () -> ()')
    body.emit("}, {}) : (i1) -> ()")
    body.store(rows, "%a1", "2x16xf32", "atomic_kind = #hivm.atomic_kind<add>")
    text = vector_module(body.text(), [BUFFER] * 2)
    assert find_race(text, 2, (1,)) is None
    fault = find_race(text, 2, (2,))
    assert fault is not None and "block 0 reads" in fault.message


def test_a_plain_store_conflicts_with_every_block_that_adds():
    """The last block's own addition hides nothing."""
    body = Body()
    source = body.load("%a0", SHAPE)
    order(body, "MTE2", "MTE3")
    body.store(source, "%a1", SHAPE, "atomic_kind = #hivm.atomic_kind<add>")
    barrier(body, "MTE3")
    index = body.value("hivm.hir.get_block_idx", "", "", "i64")
    one = body.constant(1, "i64")
    is_second = body.value("arith.cmpi", f"{index}, {one}", "i64, i64", "i1", "predicate = 0 : i64")
    body.emit(f'"scf.if"({is_second}) ({{')
    body.store(source, "%a1", SHAPE)
    body.emit('"scf.yield"() : () -> ()')
    body.emit("}, {}) : (i1) -> ()")
    text = vector_module(body.text(), [BUFFER] * 2)
    assert find_race(text, 2, (1,)) is None
    fault = find_race(text, 2, (2,))
    assert fault is not None and "block 0 writes" in fault.message


def hand_on_module(*, loads: bool) -> str:
    """A vector core reads, or writes, GM by its scalar pipe and sets a flag from MTE3; the cube
    waits and writes there.
    """
    vector, cube = Body("v"), Body("c")
    place, zero = vector.constant(3, "index"), vector.constant(0, "i64")
    index = vector.value("hivm.hir.get_sub_block_idx", "", "", "i64")
    first = vector.value("arith.cmpi", f"{index}, {zero}", "i64, i64", "i1", "predicate = 0 : i64")
    vector.emit(f'"scf.if"({first}) ({{')
    if loads:
        vector.value("memref.load", f"%a0, {place}", f"{BUFFER}, index", "f32")
    else:
        number = vector.constant("1.0", "f32")
        vector.emit(f'"memref.store"({number}, %a0, {place}) : (f32, {BUFFER}, index) -> ()')
    vector.emit('"scf.yield"() : () -> ()')
    vector.emit("}, {}) : (i1) -> ()")
    flag = "operandSegmentSizes = array<i32: 0, 0>, static_flag_id = 1 : i64, "
    pipes = "pipe = #hivm.pipe<PIPE_S>, tpipe = #hivm.pipe<PIPE_MTE3>"
    vector.op("sync_block_set", "", "", f"{flag}tcore_type = #hivm.tcore_type<VECTOR>, {pipes}")
    cube.op("sync_block_wait", "", "", f"{flag}tcore_type = #hivm.tcore_type<CUBE>, {pipes}")
    place, number = cube.constant(3, "index"), cube.constant("2.0", "f32")
    cube.emit(f'"memref.store"({number}, %a0, {place}) : (f32, {BUFFER}, index) -> ()')
    return mix_module(cube.text(), vector.text(), [BUFFER])


def test_any_later_flag_says_that_a_scalar_load_is_done_but_not_a_scalar_store():
    assert find_race(hand_on_module(loads=True), 1) is None
    assert find_race(hand_on_module(loads=False), 1) is not None


def test_a_scalar_load_after_the_flag_is_not_covered_by_it():
    text = hand_on_module(loads=True)
    lines = text.split("\n")
    load = next(line for line in lines if "memref.load" in line)
    flag = next(line for line in lines if "sync_block_set" in line)
    swapped = [{load: "", flag: f"{flag}\n{load}"}.get(line, line) for line in lines]
    assert find_race("\n".join(swapped), 1) is not None
