"""Text that is not a program is a fault with a place, never a crash and never another program."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.machine import MachineFault, Program, load_program
from tests.machine.modules import Body, gm, ub, vector_module


def make_text() -> str:
    body = Body()
    source = body.load("%a0", "64xf32")
    body.elementwise("vadd", [(source, ub("64xf32"))] * 2, (source, ub("64xf32")))
    body.store(source, "%a1", "64xf32")
    return vector_module(body.text(), [gm("?xf32")] * 2)


TEXT = make_text()


def fault_of(text: str) -> MachineFault:
    result = load_program(text)
    assert isinstance(result, MachineFault), "expected a fault"
    return result


def test_comments_and_the_compilers_diagnostics_are_ignored():
    assert isinstance(load_program(f"// -----// IR Dump //----- //\n{TEXT}"), Program)
    assert isinstance(load_program(f"{TEXT}[NOTE] some remark\n"), Program)
    assert isinstance(load_program(f'{TEXT}loc("x.mlir":1:1): error: y\n'), Program)


def test_a_fault_names_line_and_column():
    broken = TEXT.replace('"hivm.hir.vadd"(%', '"hivm.hir.vadd"(?', 1)
    fault = fault_of(broken)
    line = broken[: broken.index("(?")].count("\n") + 1
    assert fault.code == "machine.parse_error"
    assert fault.line == line
    assert fault.column == broken.splitlines()[line - 1].index("?") + 1
    assert "vadd" in fault.op_text


@pytest.mark.parametrize(
    "text",
    ["", "   ", "{", '"builtin.module"', '"builtin.module"() ({', "\x00\xff", '"a"() : () -> ()'],
)
def test_text_that_is_no_module(text):
    assert fault_of(text).code == "machine.parse_error"


@pytest.mark.parametrize("text", ["", "hello\n", "module {\n}\n", '"a"() : () -> ()', "// only\n"])
def test_what_is_no_dump_at_all_is_told_what_one_is(text):
    assert (
        'not a dump in generic form, which begins with "builtin.module"' in fault_of(text).message
    )


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
def test_a_text_that_was_cut_off_is_said_to_end(share):
    cut = TEXT[: int(len(TEXT) * share)]
    assert fault_of(cut[: cut.rindex("\n")]).message.startswith("the text ends within the module (")
    assert "the text ends" not in fault_of(TEXT.replace('hir.vadd"(%', 'hir.vadd"(?', 1)).message


def test_a_long_op_is_cut_between_words():
    fault = MachineFault("machine.race", "why", "word " * 40, line=3)
    assert str(fault).endswith("word word ...)")


def test_deep_nesting_is_refused():
    depth = 10_000
    assert "nested too deeply" in fault_of(TEXT.split("\n")[0] + '"a"() ({' * depth).message
    assert fault_of(TEXT.replace("64xf32", "<" * depth, 1)).code == "machine.parse_error"


def test_an_unknown_op_is_named():
    fault = fault_of(TEXT.replace("hivm.hir.vadd", "hivm.hir.vmystery"))
    assert fault.code == "machine.unsupported_op"
    assert "hivm.hir.vmystery" in fault.message and "vmystery" in fault.op_text


@pytest.mark.parametrize(
    "properties",
    [
        "transpose = array<i64: 1, 0>",
        "new_mode = true",
        "is_signed = false",
    ],
)
def test_a_variant_of_a_known_op_is_refused(properties):
    plain = "operandSegmentSizes = array<i32: 2, 1, 0>"
    assert fault_of(TEXT.replace(plain, f"{plain}, {properties}")).code == "machine.unsupported_op"


def test_inline_assembly_is_refused():
    text = TEXT.replace(
        '    "func.return"() : () -> ()',
        '    "llvm.inline_asm"() : () -> ()\n    "func.return"() : () -> ()',
    )
    assert fault_of(text).code == "machine.unsupported_op"


def test_a_double_precision_argument_is_refused():
    assert fault_of(TEXT.replace("?xf32", "?xf64")).code == "machine.unsupported_op"


@pytest.mark.parametrize("name", ["%ffts: i64", "%gz: i32"])
def test_an_argument_that_the_machine_adds_has_its_known_type(name):
    assert fault_of(TEXT.replace(name, f"{name.split(':')[0]}: {gm('?xf32')}")).code == (
        "machine.parse_error"
    )


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_text_gives_a_program_or_a_fault(data):
    text = TEXT
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = min(len(text), start + data.draw(st.integers(0, 30)))
        text = (
            text[:start]
            + data.draw(st.text(alphabet='%#<>(){}[]",:="0x9-^\n ', max_size=5))
            + text[end:]
        )
    result = load_program(text)
    assert isinstance(result, (Program, MachineFault))
    if isinstance(result, MachineFault):
        assert result.code in ("machine.parse_error", "machine.unsupported_op")
