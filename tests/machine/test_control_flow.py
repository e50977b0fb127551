"""scf over an explicit program counter: loops, carried values, branches, views as values."""

from __future__ import annotations

import numpy as np

from npu_autokernel.machine import ExecutionOptions
from tests.machine.modules import Body, gm, run, run_ok, ub, vector_module

I64 = gm("?xi64")


def store(value: str, index: str, type_: str = "i64", target: str = "%a0") -> str:
    return (
        f'"memref.store"({value}, {target}, {index}) : ({type_}, {gm("?x" + type_)}, index) -> ()'
    )


PRELUDE = """
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %c10 = "arith.constant"() <{value = 10 : index}> : () -> index
    %z = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %one = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %ten = "arith.constant"() <{value = 10 : i64}> : () -> i64
"""


def run_body(text: str, count: int) -> list[int]:
    result = np.zeros(count, dtype=np.int64)
    run_ok(vector_module(PRELUDE + text, [I64]), [result])
    return result.tolist()


def test_carried_values_move_all_at_once():
    """Fibonacci swaps its two carried values: a move one by one would lose one."""
    text = f"""
    %r:2 = "scf.for"(%c0, %c10, %c1, %z, %one) ({{
    ^bb0(%i: index, %a: i64, %b: i64):
      {store("%a", "%i")}
      %next = "arith.addi"(%a, %b) : (i64, i64) -> i64
      "scf.yield"(%b, %next) : (i64, i64) -> ()
    }}) : (index, index, index, i64, i64) -> (i64, i64)
    {store("%r#1", "%c10")}
"""
    assert run_body(text, 11) == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 89]


def test_a_loop_with_nothing_to_do_keeps_its_initial_values():
    text = f"""
    %r = "scf.for"(%c10, %c0, %c1, %ten) ({{
    ^bb0(%i: index, %a: i64):
      "scf.yield"(%z) : (i64) -> ()
    }}) : (index, index, index, i64) -> i64
    {store("%r", "%c0")}
"""
    assert run_body(text, 1) == [10]


def test_branches_give_results_and_may_nest():
    text = f"""
    "scf.for"(%c0, %c10, %c1) ({{
    ^bb0(%i: index):
      %n = "arith.index_cast"(%i) : (index) -> i64
      %low = "arith.cmpi"(%i, %c1) <{{predicate = 3 : i64}}> : (index, index) -> i1
      %r = "scf.if"(%low) ({{
        "scf.yield"(%ten) : (i64) -> ()
      }}, {{
        %high = "arith.cmpi"(%n, %ten) <{{predicate = 2 : i64}}> : (i64, i64) -> i1
        %inner = "scf.if"(%high) ({{
          %double = "arith.addi"(%n, %n) : (i64, i64) -> i64
          "scf.yield"(%double) : (i64) -> ()
        }}, {{
          "scf.yield"(%z) : (i64) -> ()
        }}) : (i1) -> i64
        "scf.yield"(%inner) : (i64) -> ()
      }}) : (i1) -> i64
      {store("%r", "%i")}
      "scf.yield"() : () -> ()
    }}) : (index, index, index) -> ()
"""
    assert run_body(text, 10) == [10, 10, *(2 * n for n in range(2, 10))]


def test_while_carries_values_from_test_to_body():
    """Collatz steps of 6."""
    text = f"""
    %six = "arith.constant"() <{{value = 6 : i64}}> : () -> i64
    %two = "arith.constant"() <{{value = 2 : i64}}> : () -> i64
    %three = "arith.constant"() <{{value = 3 : i64}}> : () -> i64
    %r:2 = "scf.while"(%six, %z) ({{
    ^bb0(%n: i64, %steps: i64):
      %more = "arith.cmpi"(%n, %one) <{{predicate = 1 : i64}}> : (i64, i64) -> i1
      "scf.condition"(%more, %n, %steps) : (i1, i64, i64) -> ()
    }}, {{
    ^bb0(%m: i64, %count: i64):
      %odd = "arith.remsi"(%m, %two) : (i64, i64) -> i64
      %is_odd = "arith.cmpi"(%odd, %one) <{{predicate = 0 : i64}}> : (i64, i64) -> i1
      %half = "arith.divsi"(%m, %two) : (i64, i64) -> i64
      %triple = "arith.muli"(%m, %three) : (i64, i64) -> i64
      %up = "arith.addi"(%triple, %one) : (i64, i64) -> i64
      %next = "arith.select"(%is_odd, %up, %half) : (i1, i64, i64) -> i64
      %counted = "arith.addi"(%count, %one) : (i64, i64) -> i64
      "scf.yield"(%next, %counted) : (i64, i64) -> ()
    }}) : (i64, i64) -> (i64, i64)
    {store("%r#0", "%c0")}
    {store("%r#1", "%c1")}
"""
    assert run_body(text, 2) == [1, 8]


def test_memrefs_can_be_chosen_and_carried():
    """Two buffers swap their roles on each turn, as double buffering does."""
    body = Body()
    shape = "8xf32"
    x, y = body.load("%a0", shape), body.load("%a1", shape)
    type_ = ub(shape)
    body.emit(PRELUDE)
    segments = "operandSegmentSizes = array<i32: 2, 1, 0>"
    body.emit(
        f"""
    %three = "arith.constant"() <{{value = 3 : index}}> : () -> index
    %r:2 = "scf.for"(%c0, %three, %c1, {x}, {y}) ({{
    ^bb0(%i: index, %p: {type_}, %q: {type_}):
      "hivm.hir.vadd"(%p, %q, %q) <{{{segments}}}> : ({type_}, {type_}, {type_}) -> ()
      "scf.yield"(%q, %p) : ({type_}, {type_}) -> ()
    }}) : (index, index, index, {type_}, {type_}) -> ({type_}, {type_})
    %flag = "arith.constant"() <{{value = true}}> : () -> i1
    %chosen = "arith.select"(%flag, %r#0, %r#1) : (i1, {type_}, {type_}) -> {type_}"""
    )
    body.store("%chosen", "%a2", shape)
    a, b = np.arange(8, dtype=np.float32), np.ones(8, dtype=np.float32)
    result = np.zeros(8, dtype=np.float32)
    run_ok(vector_module(body.text(), [gm("?xf32")] * 3), [a, b, result])
    first = a + b
    second = first + a
    np.testing.assert_array_equal(result, second + first)


def test_a_name_of_an_inner_region_is_unknown_outside():
    from npu_autokernel.machine import MachineFault, load_program

    text = f"""
    "scf.for"(%c0, %c10, %c1) ({{
    ^bb0(%i: index):
      %inner = "arith.addi"(%i, %c1) : (index, index) -> index
      "scf.yield"() : () -> ()
    }}) : (index, index, index) -> ()
    {store("%z", "%inner")}
"""
    fault = load_program(vector_module(PRELUDE + text, [I64]))
    assert isinstance(fault, MachineFault) and fault.code == "machine.parse_error"
    assert "%inner" in fault.message


def test_an_endless_loop_reaches_the_step_limit():
    text = f"""
    %t = "arith.constant"() <{{value = true}}> : () -> i1
    "scf.while"() ({{
      "scf.condition"(%t) : (i1) -> ()
    }}, {{
      {store("%one", "%c0")}
      "scf.yield"() : () -> ()
    }}) : () -> ()
"""
    result = np.zeros(1, np.int64)
    options = ExecutionOptions(step_limit=1000)
    fault = run(vector_module(PRELUDE + text, [I64]), [result], options=options).fault
    assert fault is not None and fault.code == "machine.step_limit"


def test_a_promise_to_the_optimiser_does_nothing():
    text = f"""
    %true = "arith.constant"() <{{value = 1 : i1}}> : () -> i1
    "llvm.intr.assume"(%true) : (i1) -> ()
    {store("%ten", "%c0")}
"""
    assert run_body(text, 1) == [10]
