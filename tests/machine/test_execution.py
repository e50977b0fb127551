"""A kernel is loaded, launched on arrays and buffers, and reports what it did."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions, GlobalBuffer, MachineFault
from tests.machine.modules import (
    NUMPY_TYPES,
    Body,
    device_function,
    gm,
    host_function,
    load,
    module,
    run,
    ub,
    vector_module,
)


def make_exp_module(count: int) -> str:
    body = Body()
    shape = f"{count}xf32"
    source = body.load("%a0", shape)
    target = body.buffer(shape)
    body.elementwise("vexp", [(source, ub(shape))], (target, ub(shape)))
    body.store(target, "%a1", shape)
    return vector_module(body.text(), [gm("?xf32"), gm("?xf32")], name="exp_kernel")


def make_index_module() -> str:
    """Writes block index * 10 + count of blocks at the block's position."""
    body = Body()
    block = body.value("hivm.hir.get_block_idx", "", "", "i64")
    count = body.value("hivm.hir.get_block_num", "", "", "i64")
    scaled = body.value("arith.muli", f"{block}, {body.constant(10, 'i64')}", "i64, i64", "i64")
    total = body.value("arith.addi", f"{scaled}, {count}", "i64, i64", "i64")
    index = body.value("arith.index_cast", block, "i64", "index")
    body.emit(f'"memref.store"({total}, %a0, {index}) : (i64, {gm("?xi64")}, index) -> ()')
    return vector_module(body.text(), [gm("?xi64")])


def test_a_kernel_reads_and_writes_arrays_in_place():
    values = np.linspace(-5, 5, 100, dtype=np.float32)
    result = np.zeros_like(values)
    report = run(make_exp_module(100), [values, result])
    assert report.fault is None
    np.testing.assert_allclose(result, np.exp(values.astype(np.float64)), rtol=2e-7)
    assert report.counters.gm_bytes_read == report.counters.gm_bytes_written == 400
    assert report.counters.instructions["vector"] == 1


def test_a_kernel_takes_raw_memory():
    values = np.ones(8, dtype=np.float32)
    result = np.zeros_like(values)
    buffers = [GlobalBuffer(array.ctypes.data, array.nbytes) for array in (values, result)]
    assert run(make_exp_module(8), buffers).fault is None
    np.testing.assert_allclose(result, np.e, rtol=1e-6)


def test_a_program_says_what_it_takes():
    program = load(make_exp_module(8))
    assert program.entry_name == "exp_kernel"
    assert program.task_type == 10
    assert program.core_kinds == ("vector",)
    assert [argument.element_type for argument in program.arguments] == ["f32", "f32"]


def test_blocks_run_in_order_and_know_their_place():
    result = np.zeros(6, dtype=np.int64)
    report = run(make_index_module(), [result], grid=(3, 2))
    assert report.fault is None and report.blocks_run == 6
    assert result.tolist() == [6, 16, 26, 36, 46, 56]


def make_locked_module(lock: int) -> str:
    """Each block adds one to its argument inside the lock of that number; locks are 64 bytes."""
    body = Body()
    zero = body.constant(0, "index")
    view = body.value(
        "memref.view", f"%lock, {body.constant(lock * 64, 'index')}",
        f"{gm('?xi8')}, index", gm("1xi64"),
    )  # fmt: skip
    body.op("sync_block_lock", view, gm("1xi64"))
    old = body.value("memref.load", f"%a0, {zero}", f"{gm('?xi64')}, index", "i64")
    new = body.value("arith.addi", f"{old}, {body.constant(1, 'i64')}", "i64, i64", "i64")
    body.emit(f'"memref.store"({new}, %a0, {zero}) : (i64, {gm("?xi64")}, index) -> ()')
    body.op("sync_block_unlock", view, gm("1xi64"))
    return module(
        host_function("kernel_task", "infer_task_type_function", 10),
        host_function("kernel_locks", "infer_sync_block_lock_num_function", 24),
        host_function("kernel_start", "infer_sync_block_lock_init_function", 0),
        device_function(body.text(), [gm("?xi64")], "AIV", "kernel"),
    )


@pytest.mark.parametrize("lock", [0, 1, 2])
def test_locks_are_counted_in_words(lock):
    """Three locks of 64 bytes are announced as 24."""
    total = np.zeros(1, dtype=np.int64)
    report = run(make_locked_module(lock), [total], (5,))
    assert report.fault is None, report.fault
    assert total.item() == 5


def test_only_the_sampled_blocks_run():
    result = np.zeros(6, dtype=np.int64)
    report = run(make_index_module(), [result], (6,), ExecutionOptions(blocks=(1, 4)))
    assert report.blocks_run == 2
    assert result.tolist() == [0, 16, 0, 0, 46, 0]


@pytest.mark.parametrize("grid", [(0,), (65536,), (256, 257), (-1, -1)])
def test_a_grid_outside_the_limits_is_a_fault(grid):
    values = np.zeros(8, dtype=np.float32)
    fault = run(make_exp_module(8), [values, values], grid).fault
    assert fault is not None and fault.code == "machine.launch_limit"


def test_a_wrong_argument_list_is_a_fault():
    values = np.zeros(8, dtype=np.float32)
    unaligned = GlobalBuffer(values.ctypes.data + 1, 28)
    for arguments in ([values], [values, 3], [values, values, 3], [values, unaligned]):
        fault = run(make_exp_module(8), arguments).fault
        assert isinstance(fault, MachineFault) and fault.code == "machine.bad_argument"


def test_a_strided_array_is_a_mistake_of_the_caller():
    values = np.zeros((8, 2), dtype=np.float32)[:, 0]
    with pytest.raises(ValueError, match="contiguous"):
        run(make_exp_module(8), [values, values])


def make_number_module(element: str) -> str:
    body = Body()
    index = body.constant(0, "index")
    body.emit(f'"memref.store"(%a1, %a0, {index}) : ({element}, {gm("?x" + element)}, index) -> ()')
    return vector_module(body.text(), [gm("?x" + element), element])


@pytest.mark.parametrize(
    "element, number", [("i32", -7), ("i64", 1 << 62), ("f32", 2.5), ("f32", 3)]
)
def test_numbers_are_passed_by_value(element, number):
    result = np.zeros(1, dtype=NUMPY_TYPES[element])
    assert run(make_number_module(element), [result, number]).fault is None
    assert result.item() == number


@pytest.mark.parametrize("number", [2.5, 1 << 70])
def test_a_number_that_is_no_integer_is_a_mistake_of_the_caller(number):
    with pytest.raises(TypeError, match="int of 64 bits"):
        run(make_number_module("i32"), [np.zeros(1, np.int32), number])


def test_one_program_runs_in_many_threads():
    program_text = make_exp_module(1000)
    inputs = [np.full(1000, number, dtype=np.float32) for number in range(4)]
    outputs = [np.zeros_like(values) for values in inputs]

    def work(number: int) -> None:
        for _ in range(20):
            assert run(program_text, [inputs[number], outputs[number]]).fault is None

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, output in enumerate(outputs):
        np.testing.assert_allclose(output, np.exp(number), rtol=1e-6)
