"""Random programs: the race check and the oracle of dependences see the same ones as racing, and
the others write the same in every order of their pipes.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.machine import ExecutionOptions, MachineFault, Program, execute
from tests.machine.dependences import Dependences
from tests.machine.executed import Recorder
from tests.machine.modules import SOC, Body, gm, load, mix_module, ub, vector_module

SHAPE = "16xf32"
BUFFERS = 3
START = np.arange(64, dtype=np.float32)
PIPES = ("S", "V", "MTE2", "MTE3")
# One step: a kind, two or three places to work on, and where a flag is waited for.
steps = st.lists(
    st.tuples(
        st.sampled_from(["load", "store", "vadd", "read", "write", "flag", "flag", "barrier"]),
        st.integers(0, BUFFERS - 1),
        st.integers(0, BUFFERS - 1),
        st.integers(1, 6),
        st.sampled_from(PIPES),
        st.sampled_from((*PIPES, "ALL")),
    ),
    min_size=2,
    max_size=24,
)


def write_steps(body: Body, chosen) -> None:
    """The steps in order; each flag is set at its own and waited for some steps later."""
    buffers = [body.buffer(SHAPE) for _ in range(BUFFERS)]
    waits: list[list[tuple[str, str, int]]] = [[] for _ in range(len(chosen) + 8)]
    for number, (kind, first, second, delay, pipe, other) in enumerate(chosen):
        if kind == "flag" and other not in ("ALL", pipe):
            body.flag("set", pipe, other, first)
            waits[number + delay].append((pipe, other, first))
        elif kind == "barrier" and other != "S":
            body.op("pipe_barrier", "", "", f"pipe = #hivm.pipe<PIPE_{other}>")
        else:
            write_access(body, kind, buffers, first, second)
        for flag in waits[number]:
            body.flag("wait", *flag)
    for late in waits[len(chosen) :]:
        for flag in late:
            body.flag("wait", *flag)


def write_access(body: Body, kind: str, buffers: list[str], first: int, second: int) -> None:
    """Loads and stores of GM overlap by half a row."""
    if kind in ("load", "store"):
        row = body.reinterpret("%a0", SHAPE, 8 * second)
        operands, types = f"{row}, {buffers[first]}", f"{gm(SHAPE)}, {ub(SHAPE)}"
        if kind == "load":
            segments = "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>"
            body.op("load", operands, types, segments)
        else:
            body.op("store", f"{buffers[first]}, {row}", f"{ub(SHAPE)}, {gm(SHAPE)}")
    elif kind == "vadd":
        inputs = [(buffers[first], ub(SHAPE)), (buffers[second], ub(SHAPE))]
        body.elementwise("vadd", inputs, (buffers[(first + second) % BUFFERS], ub(SHAPE)))
    elif kind in ("read", "write"):
        place = body.constant(second, "index")
        if kind == "read":
            body.value("memref.load", f"{buffers[first]}, {place}", f"{ub(SHAPE)}, index", "f32")
        else:
            number = body.constant("1.0", "f32")
            body.emit(
                f'"memref.store"({number}, {buffers[first]}, {place}) : '
                f"(f32, {ub(SHAPE)}, index) -> ()"
            )


def agree(text: str) -> None:
    program, expected = load(text), START.copy()
    recorder = Recorder()
    assert execute(program, (1,), [expected], soc=SOC, on_step=recorder).fault is None
    unordered = Dependences(recorder.finish()).unordered
    fault = run_once(program, ExecutionOptions(check_races=True))[0]
    assert fault is None or fault.code == "machine.race", fault
    assert (fault is not None) == bool(unordered.between_pipes or unordered.within_pipe)
    for seed in range(0 if fault else 6):
        options = ExecutionOptions(interleaving_seed=seed, overlapped=seed >= 2)
        stopped, written = run_once(program, options)
        assert stopped is None, stopped
        np.testing.assert_array_equal(written, expected)


def run_once(program: Program, options: ExecutionOptions) -> tuple[MachineFault | None, np.ndarray]:
    written = START.copy()
    return execute(program, (1,), [written], soc=SOC, options=options).fault, written


@settings(max_examples=300, deadline=None)
@given(steps)
def test_one_core(chosen) -> None:
    body = Body()
    write_steps(body, chosen)
    agree(vector_module(body.text(), [gm("?xf32")]))


def write_conditional(body: Body, condition: str, chosen) -> None:
    body.emit(f'"scf.if"({condition}) ({{')
    write_steps(body, chosen)
    body.emit('"scf.yield"() : () -> ()')
    body.emit("}, {}) : (i1) -> ()")


def cross_core_flag(kind: str, core: str, flag: int, pipe: str) -> str:
    return (
        f'    "hivm.hir.sync_block_{kind}"() <{{operandSegmentSizes = array<i32: 0, 0>, '
        f"pipe = #hivm.pipe<PIPE_{pipe if kind == 'wait' else 'S'}>, "
        f"static_flag_id = {flag} : i64, tcore_type = #hivm.tcore_type<{core}>, "
        f"tpipe = #hivm.pipe<PIPE_{pipe if kind == 'set' else 'S'}>}}> : () -> ()"
    )


@settings(max_examples=200, deadline=None)
@given(steps, steps, st.sampled_from(PIPES[1:]), st.sampled_from(PIPES), st.booleans())
def test_two_kinds_of_cores(before, after, set_pipe, wait_pipe, stores) -> None:
    """A vector core works, sets a flag, and works on; the cube waits and touches what it touched.

    The other vector core only sets the flag: what both do alike is excused.
    """
    vector, cube = Body("v"), Body("c")
    index, zero = (
        vector.value("hivm.hir.get_sub_block_idx", "", "", "i64"),
        vector.constant(0, "i64"),
    )
    first = vector.value("arith.cmpi", f"{index}, {zero}", "i64, i64", "i1", "predicate = 0 : i64")
    write_conditional(vector, first, before)
    vector.lines.append(cross_core_flag("set", "VECTOR", 2, set_pipe))
    write_conditional(vector, first, after)
    cube.lines.append(cross_core_flag("wait", "CUBE", 2, wait_pipe))
    place = cube.constant(12, "index")
    if stores:
        number = cube.constant("2.0", "f32")
        cube.emit(f'"memref.store"({number}, %a0, {place}) : (f32, {gm("?xf32")}, index) -> ()')
    else:
        cube.value("memref.load", f"%a0, {place}", f"{gm('?xf32')}, index", "f32")
    agree(mix_module(cube.text(), vector.text(), [gm("?xf32")]))
