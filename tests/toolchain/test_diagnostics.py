"""Each row of the diagnostics table, raised by the real front end and compiler."""

from __future__ import annotations

import pytest

from npu_autokernel.candidate import Candidate
from npu_autokernel.reasons import Refusal, explain_reason
from npu_autokernel.toolchain.diagnostics import RULES, explain_tool
from npu_autokernel.toolchain.triton_ascend import compile_candidate
from tests.toolchain import kernels

LIBDEVICE = "import triton.language.extra.ascend.libdevice as libdevice\n"


def refuse_to_compile(candidate: Candidate) -> Refusal:
    result = compile_candidate(candidate, kernels.EMPTY_TASK, {"s0": 4096}, "Ascend910B1")
    assert isinstance(result, Refusal)
    return result


# name, candidate, code, evidence that must be there
TRIGGERS = (
    (
        "ub",
        kernels.make_unary("tl.exp(value)", 65536),
        "compile.ub_overflow",
        {"needed_bits": 2097152, "available_bits": 1572864},
    ),
    (
        "l1",
        kernels.make_matmul(128, 128, 2048),
        "compile.l1_overflow",
        {"needed_bits": 8388608, "available_bits": 4194304},
    ),
    (
        "l0c",
        kernels.make_matmul(256, 256, 64),
        "compile.l0c_overflow",
        {"needed_bits": 2097152, "available_bits": 1048576},
    ),
    (
        "numel",
        kernels.make_unary("tl.exp(value)", 1 << 21),
        "compile.tensor_too_large",
        {"limit": 1 << 20},
    ),
    (
        "float64",
        kernels.make_unary("tl.exp(value)", 256, "fp64", "fp64"),
        "compile.unsupported_dtype",
        {"dtype": "float64 or float8"},
    ),
    (
        "float8",
        kernels.make_unary("value", 256, "fp8e5", "fp8e5"),
        "compile.unsupported_dtype",
        {"dtype": "float8"},
    ),
    (
        "abort",
        kernels.make_unary("value", 256, "fp32", "fp64"),
        "compile.unsupported_dtype",
        {"dtype": "float64"},
    ),
    (
        "integer sort",
        kernels.make_block_kernel(kernels.SORT_ROWS.format(dim=1), 64, "i32", "i32"),
        "compile.unsupported_dtype",
        {},
    ),
    (
        "sort of dimension 0",
        kernels.make_block_kernel(kernels.SORT_ROWS.format(dim=0), 64),
        "compile.unsupported_op",
        {},
    ),
    (
        "reduce of a pair",
        kernels.make_block_kernel(kernels.REDUCE_PAIR, 64),
        "compile.unsupported_op",
        {},
    ),
    (
        "tf32",
        kernels.make_matmul(32, 32, 32, "fp32", "fp32", ", input_precision='tf32'"),
        "compile.unsupported_op",
        {},
    ),
    (
        "libdevice",
        kernels.make_block_kernel(
            LIBDEVICE + kernels.UNARY.format(expression="libdevice.fmod(value, value)"), 64
        ),
        "compile.unsupported_op",
        {},
    ),
    (
        "libdevice dtype",
        kernels.make_block_kernel(
            LIBDEVICE + kernels.UNARY.format(expression="libdevice.asin(value)"), 64, "fp16", "fp16"
        ),
        "compile.unsupported_dtype",
        {"dtype": "fp16"},
    ),
    (
        "external function's dtype",
        kernels.make_block_kernel(
            LIBDEVICE + kernels.UNARY.format(expression="libdevice.tanh(value)"), 64, "bf16", "bf16"
        ),
        "compile.unsupported_dtype",
        {"dtype": "bfloat16"},
    ),
    (
        "finite of half",
        kernels.make_unary("tl.math.finitef(value)", 64, "fp16", "i1"),
        "compile.unsupported_dtype",
        {},
    ),
    (
        "unsigned to float",
        kernels.make_unary("value.to(tl.float32)", 64, "u32"),
        "compile.unsupported_dtype",
        {"dtype": "cast uint32_t_to_float"},
    ),
    (
        "unsigned comparison",
        kernels.make_unary("value < offsets.to(tl.uint16)", 64, "u16", "i1"),
        "compile.unsupported_dtype",
        {},
    ),
    (
        "unsigned remainder",
        kernels.make_unary("value % 7", 64, "u32", "u32"),
        "compile.unsupported_dtype",
        {},
    ),
    (
        "narrow histogram",
        kernels.make_block_kernel(kernels.COUNT_VALUES, 64, "i16", "i32"),
        "compile.unsupported_dtype",
        {},
    ),
    (
        "power of int64",
        kernels.make_block_kernel(
            LIBDEVICE + kernels.UNARY.format(expression="libdevice.pow(value, value)"),
            64, "i64", "i64",
        ),
        "compile.unsupported_dtype",
        {"dtype": "hivm.hir.vpow"},
    ),
    (
        "negative offset",
        kernels.make_block_kernel(kernels.LOAD_NEIGHBOUR, 64),
        "compile.unsupported_op",
        {},
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("candidate", "code", "evidence"),
    [row[1:] for row in TRIGGERS],
    ids=[row[0] for row in TRIGGERS],
)
def test_the_tool_chain_s_message_becomes_a_code(
    candidate: Candidate, code: str, evidence: dict[str, object]
) -> None:
    refusal = refuse_to_compile(candidate)
    assert refusal.code == code
    assert evidence.items() <= dict(refusal.evidence).items()
    assert "?" not in refusal.message


def test_front_end_error_names_the_line_and_the_cause() -> None:
    refusal = refuse_to_compile(kernels.make_unary("value + unknown"))
    assert refusal.code == "compile.front_end"
    line = kernels.UNARY.splitlines().index(
        "    tl.store(out + offsets, {expression}, mask=inside)"
    )
    assert dict(refusal.evidence)["line"] == line + 1
    assert "unknown" in refusal.message


def test_error_on_import_names_the_line() -> None:
    refusal = refuse_to_compile(kernels.make_block_kernel("LIMIT = 1\nLIMIT = 1 // 0\n", 64))
    assert dict(refusal.evidence)["line"] == 2
    assert "ZeroDivisionError" in refusal.message


def test_abort_without_a_known_cause_keeps_the_llvm_message() -> None:
    refusal = explain_tool("LLVM ERROR: out of luck\nStack dump:\n", "SIGABRT")
    assert (refusal.code, dict(refusal.evidence)) == ("compile.abort", {"detail": "out of luck"})


def test_abort_without_any_message_names_the_signal() -> None:
    assert dict(explain_tool("", "SIGSEGV").evidence) == {"detail": "SIGSEGV"}


def test_generic_lines_do_not_hide_the_cause() -> None:
    text = 'loc("k":1:1): error: Failed to run BiShengHIR pipeline\nloc("k":2:3): error: strange\n'
    refusal = explain_tool(text, "")
    assert (refusal.code, dict(refusal.evidence)) == ("compile.failed", {"detail": "strange"})


def test_every_row_speaks_of_the_compile_gate() -> None:
    assert {explain_reason(rule.code).gate for rule in RULES} == {"compile"}
