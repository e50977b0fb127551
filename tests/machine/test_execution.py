"""A kernel is loaded, launched on arrays and buffers, and reports what it did."""

from __future__ import annotations

import numpy as np
import pytest

from npu_autokernel.machine import GlobalBuffer, MachineFault, Program, execute, load_program
from npu_autokernel.machine.soc import get_soc
from tests.machine.modules import Body, gm, ub, vector_module

SOC = get_soc("910B1")


def make_exp_module(count: int) -> str:
    body = Body()
    shape = f"{count}xf32"
    source = body.buffer(shape, count * 4)
    target = body.buffer(shape, count * 4)
    body.load("%a0", source, shape)
    body.op(
        "vexp",
        f"{source}, {target}",
        f"{ub(shape)}, {ub(shape)}",
        "broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>",
    )
    body.store(target, "%a1", shape)
    return vector_module(body.text(), [gm("?xf32"), gm("?xf32")], name="exp_kernel")


def load(text: str) -> Program:
    program = load_program(text)
    assert isinstance(program, Program), program
    return program


def test_a_kernel_reads_and_writes_arrays_in_place():
    values = np.linspace(-5, 5, 100, dtype=np.float32)
    result = np.zeros_like(values)
    report = execute(load(make_exp_module(100)), (1,), [values, result], soc=SOC)
    assert report.fault is None
    np.testing.assert_allclose(result, np.exp(values.astype(np.float64)), rtol=2e-7)
    assert report.counters.gm_bytes_read == report.counters.gm_bytes_written == 400
    assert report.counters.instructions["vector"] == 1


def test_a_kernel_takes_raw_memory():
    values = np.ones(8, dtype=np.float32)
    result = np.zeros_like(values)
    buffers = [GlobalBuffer(array.ctypes.data, array.nbytes) for array in (values, result)]
    assert execute(load(make_exp_module(8)), (1,), buffers, soc=SOC).fault is None
    np.testing.assert_allclose(result, np.e, rtol=1e-6)


def test_a_program_says_what_it_takes():
    program = load(make_exp_module(8))
    assert program.entry_name == "exp_kernel"
    assert program.task_type == 10
    assert program.core_kinds == ("vector",)
    assert [argument.element_type for argument in program.arguments] == ["f32", "f32"]


@pytest.mark.parametrize("grid", [(0,), (65536,), (256, 257), (-1, -1)])
def test_a_grid_outside_the_limits_is_a_fault(grid):
    values = np.zeros(8, dtype=np.float32)
    report = execute(load(make_exp_module(8)), grid, [values, values], soc=SOC)
    assert report.fault is not None and report.fault.code == "machine.launch_limit"


def test_a_wrong_argument_list_is_a_fault():
    values = np.zeros(8, dtype=np.float32)
    for arguments in ([values], [values, 3], [values, values, 3]):
        fault = execute(load(make_exp_module(8)), (1,), arguments, soc=SOC).fault
        assert isinstance(fault, MachineFault) and fault.code == "machine.bad_argument"


def test_a_strided_array_is_a_mistake_of_the_caller():
    values = np.zeros((8, 2), dtype=np.float32)[:, 0]
    with pytest.raises(ValueError, match="contiguous"):
        execute(load(make_exp_module(8)), (1,), [values, values], soc=SOC)
