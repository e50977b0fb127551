"""Tile programs: what tasks become, and what is refused with which reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from npu_autokernel.graph.task import SizeArg, TaskOutput, TensorSpec, ValueRef
from npu_autokernel.reasons import Refusal
from npu_autokernel.tile.draft import draft_program
from npu_autokernel.tile.program import TileProgram
from tests.tile.tasks import EXAMPLES, ROWS, VECTOR, X0, X1, call, make_task, spec


def draft(task: object) -> TileProgram:
    program = draft_program(task)  # type: ignore[arg-type]
    assert isinstance(program, TileProgram), program
    return program


@pytest.mark.parametrize("name", EXAMPLES)
def test_programs_print_as_golden(name: str, check_golden: Callable[[str, str], None]) -> None:
    check_golden(f"tile/{name}.program.txt", str(draft(EXAMPLES[name]())))


def test_contiguous_dimensions_become_one_axis() -> None:
    program = draft(EXAMPLES["gelu"]())
    assert [(axis.extent, axis.is_reduced) for axis in program.axes] == [("s0 * s1", False)]


def test_a_broadcast_operand_keeps_axes_apart() -> None:
    program = draft(EXAMPLES["bias_gelu"]())
    assert [axis.extent for axis in program.axes] == ["s0", "s1"]
    assert program.loads[1].strides == ("0", "1")


def test_equal_steps_are_written_once() -> None:
    ops = (
        call("v0", "aten.exp.default", X0),
        call("v1", "aten.exp.default", X0),
        call("v2", "aten.add.Tensor", ValueRef("v0"), ValueRef("v1")),
    )
    assert [step.name for step in draft(make_task((ROWS,), ops)).steps] == ["v0", "v1"]


def test_unused_steps_and_loads_are_dropped() -> None:
    ops = (
        call("v0", "aten.add.Tensor", X0, X1),
        call("v1", "aten.neg.default", X0),
    )
    program = draft(make_task((ROWS, VECTOR), ops))
    assert [load.name for load in program.loads] == ["x0"]
    assert [step.op for step in program.steps] == ["neg"]


def test_a_group_norm_needs_divisible_channels() -> None:
    assert draft(EXAMPLES["group_norm"]()).requires == ("s1 % 4 == 0",)


def test_half_precision_is_rounded_only_where_the_graph_says() -> None:
    half = spec("s0", "s1", dtype="float16")
    ops = (
        call("v0", "aten.mul.Tensor", X0, X0, results=(half,)),
        call("v1", "aten.add.Tensor", ValueRef("v0"), X0, results=(half,)),
    )
    assert "round_to_float16" not in str(draft(make_task((half,), ops)))
    wide = call("v0", "aten.exp.default", X0)
    narrow = call("v1", "prims.convert_element_type.default", ValueRef("v0"), results=(half,))
    back = call("v2", "aten.add.Tensor", ValueRef("v1"), X0)
    assert "round_to_float16" in str(draft(make_task((ROWS,), (wide, narrow, back))))


def refusal_of(task: object) -> Refusal:
    refusal = draft_program(task)  # type: ignore[arg-type]
    assert isinstance(refusal, Refusal), refusal
    assert "?" not in refusal.message
    return refusal


def test_an_unknown_op_is_refused() -> None:
    task = make_task((ROWS,), (call("v0", "aten.lgamma.default", X0),))
    assert refusal_of(task).code == "draft.unsupported_op"


@pytest.mark.parametrize("dtype", ["float64", "complex64", "float8_e4m3fn"])
def test_a_dtype_without_vector_unit_is_refused(dtype: str) -> None:
    other = spec("s0", "s1", dtype=dtype)
    task = make_task((other,), (call("v0", "aten.neg.default", X0, results=(other,)),))
    assert refusal_of(task).code == "draft.unsupported_dtype"


def test_int64_division_is_refused() -> None:
    integers = spec("s0", "s1", dtype="int64")
    op = call("v0", "aten.floor_divide.default", X0, X1, results=(integers,))
    assert refusal_of(make_task((integers, integers), (op,))).code == "draft.unsupported_dtype"


def test_division_by_a_constant_zero_is_refused() -> None:
    integers = spec("s0", "s1", dtype="int32")
    op = call("v0", "aten.floor_divide.default", X0, 0, results=(integers,))
    assert refusal_of(make_task((integers,), (op,))).code == "draft.unsupported_argument"


def test_rounding_to_decimals_is_refused() -> None:
    op = call("v0", "aten.round.decimals", X0, decimals=2)
    assert refusal_of(make_task((ROWS,), (op,))).code == "draft.unsupported_argument"


def test_a_symbolic_group_count_is_refused() -> None:
    task = EXAMPLES["group_norm"]()
    op = task.ops[0]
    symbolic = (*op.arguments[:6], SizeArg("s1"), op.arguments[7])
    task = dataclasses.replace(task, ops=(dataclasses.replace(op, arguments=symbolic),))
    assert refusal_of(task).code == "draft.unsupported_argument"


def test_wide_indices_are_refused() -> None:
    task = make_task((ROWS,), (call("v0", "aten.exp.default", X0),), index_bits=64)
    assert refusal_of(task).code == "draft.unsupported_layout"


def test_empty_tensors_are_refused() -> None:
    empty = spec("s0", "0")
    task = make_task((empty,), (call("v0", "aten.exp.default", X0, results=(empty,)),))
    assert refusal_of(task).code == "region.zero_size"


def test_two_sets_of_reduced_dimensions_are_not_fused() -> None:
    ops = (
        call("v0", "aten.sum.dim_IntList", X0, (0,), True, results=(spec("1", "s1"),)),
        call("v1", "aten.sum.dim_IntList", X0, (1,), True, results=(spec("s0", "1"),)),
        call("v2", "aten.add.Tensor", ValueRef("v0"), ValueRef("v1")),
    )
    assert refusal_of(make_task((ROWS,), ops)).code == "draft.not_fusible"


def test_a_diagonal_is_not_fused() -> None:
    square = TensorSpec("float32", ("s0", "s0"), ("s0", "1"))
    kept = call("v0", "aten.sum.dim_IntList", X0, (1,), False, results=(spec("s0"),))
    add = call("v1", "aten.add.Tensor", X0, ValueRef("v0"), results=(square,))
    assert refusal_of(make_task((square,), (kept, add), s0=64)).code == "draft.not_fusible"


def test_outputs_of_different_shapes_are_not_fused() -> None:
    ops = (
        call("v0", "aten.exp.default", X1, results=(VECTOR,)),
        call("v1", "aten.add.Tensor", X0, ValueRef("v0")),
    )
    outputs = (TaskOutput(ValueRef("v0"), VECTOR), TaskOutput(ValueRef("v1"), ROWS))
    assert refusal_of(make_task((ROWS, VECTOR), ops, outputs)).code == "draft.not_fusible"


def test_names_say_what_the_kernel_does() -> None:
    assert draft(EXAMPLES["bias_gelu"]()).name == "add_gelu"
    ops = tuple(
        call(f"v{number}", f"aten.{name}.default", ValueRef(f"v{number - 1}") if number else X0)
        for number, name in enumerate(["reciprocal", "hardswish", "leaky_relu", "hardsigmoid"])
    )
    assert draft(make_task((ROWS,), ops)).name == "reciprocal_hardswish_and_2_more"


def test_extents_that_meet_under_two_names_are_required_to_be_equal() -> None:
    other = spec("s2", "s1")
    op = call("v0", "aten.add.Tensor", X0, X1)
    program = draft(make_task((ROWS, other), (op,), s0=8, s1=8, s2=8))
    assert program.requires == ("s0 == s2",)


def test_reductions_of_operands_that_never_meet_share_axes_of_equal_extents() -> None:
    total = TensorSpec("float32", (), ())
    ops = (
        call("v0", "aten.sum.default", X0, results=(total,)),
        call("v1", "aten.sum.default", X1, results=(total,)),
        call("v2", "aten.add.Tensor", ValueRef("v0"), ValueRef("v1"), results=(total,)),
    )
    program = draft(make_task((ROWS, ROWS), ops))
    assert [axis.extent for axis in program.axes] == ["s0 * s1"]
    apart = make_task((ROWS, spec("s2")), ops, s0=8, s1=8, s2=9)
    assert refusal_of(apart).code == "draft.not_fusible"
