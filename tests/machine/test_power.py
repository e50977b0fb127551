"""vpow of int32: wrapping powers, negative exponents, and what the library does to its operands."""

from __future__ import annotations

import numpy as np

from npu_autokernel.machine import ExecutionOptions, RunReport
from tests.machine.modules import Body, gm, run, run_ok, ub, vector_module

SHAPE = "16xi32"
SEGMENTS = "operandSegmentSizes = array<i32: 2, 1, 0>"
BASES = np.array([0, 0, 1, -1, -1, 2, 2, -2, 3, 7, 46341, 2, 5, -1, 1, 0], dtype=np.int32)
EXPONENTS = np.array([0, 3, -5, -3, 4, 31, 32, 3, 5, 0, 2, -1, -2, -(2**31), -7, -4], np.int32)


def emit_power(body: Body, result: str | None = None) -> tuple[str, str, str]:
    base, exponent = body.load("%a0", SHAPE), body.load("%a1", SHAPE)
    target = {"base": base, "exponent": exponent, None: None}[result] or body.buffer(SHAPE)
    body.op("vpow", f"{base}, {exponent}, {target}", ", ".join([ub(SHAPE)] * 3), SEGMENTS)
    return base, exponent, target


def power(base: int, exponent: int) -> int:
    exponent = -2 if exponent == -(2**31) else exponent
    value = (base ** abs(exponent) + 2**31) % 2**32 - 2**31
    if exponent >= 0 or base == 0:
        return value
    return value if value in (1, -1) else 0


def test_powers_wrap_and_negative_exponents_truncate():
    body = Body()
    body.store(emit_power(body)[2], "%a2", SHAPE)
    result = np.full(16, 99, dtype=np.int32)
    run_ok(vector_module(body.text(), [gm("?xi32")] * 3), [BASES, EXPONENTS, result])
    expected = [power(int(base), int(exp)) for base, exp in zip(BASES, EXPONENTS, strict=True)]
    np.testing.assert_array_equal(result, expected)


def test_the_operands_are_used_up():
    """The base is squared once for each bit of the largest exponent but one; who reads it is told."""
    body = Body()
    base, exponent, _ = emit_power(body)
    body.store(base, "%a2", SHAPE)
    body.store(exponent, "%a3", SHAPE)
    bases, exponents = np.arange(16, dtype=np.int32), np.full(16, 5, dtype=np.int32)
    left = [np.full(16, 99, dtype=np.int32) for _ in range(2)]
    text = vector_module(body.text(), [gm("?xi32")] * 4)
    assert run(text, [bases, exponents, *left], options=ExecutionOptions()).fault is None
    np.testing.assert_array_equal(left[0], bases**4)
    np.testing.assert_array_equal(left[1], 0)
    checked = ExecutionOptions(check_uninitialised=True)
    fault = run(text, [bases, exponents, *left], options=checked).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"
    assert "scratch of the instruction" in fault.message


def run_in_place(operand: str) -> RunReport:
    body = Body()
    body.store(emit_power(body, operand)[2], "%a2", SHAPE)
    arguments = [BASES, EXPONENTS, np.zeros(16, dtype=np.int32)]
    return run(vector_module(body.text(), [gm("?xi32")] * 3), arguments, options=ExecutionOptions())


def test_a_result_over_an_operand_is_a_fault():
    for operand in ("base", "exponent"):
        fault = run_in_place(operand).fault
        assert fault is not None and fault.code == "machine.illegal_operand"
        assert "fills it with ones" in fault.message
