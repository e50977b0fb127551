"""Compiling candidates: the dump, options, silent retries, limits."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from npu_autokernel.candidate import Candidate, KernelLaunch, LaunchArgument, LaunchPlan
from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.machine import Program, load_program
from npu_autokernel.reasons import Refusal
from npu_autokernel.toolchain.bishengir import compile_linalg, cut_dump, format_options
from npu_autokernel.toolchain.locations import cut_folders
from npu_autokernel.toolchain.process import run_tool
from npu_autokernel.toolchain.triton_ascend import compile_candidate
from tests.toolchain import kernels

TILE_THAT_FITS_ONCE = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, BLOCK * tl.num_programs(0)):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < n
        value = tl.load(x + offsets, mask=inside)
        tl.store(out + offsets, value * tl.erf(value) + tl.exp(value), mask=inside)
"""


def compile_all(candidate: Candidate, symbols: dict[str, int]) -> tuple[CompiledKernel, ...]:
    kernels_or_refusal = compile_candidate(candidate, kernels.EMPTY_TASK, symbols, "Ascend910B1")
    assert not isinstance(kernels_or_refusal, Refusal), kernels_or_refusal
    return kernels_or_refusal


def test_result_is_one_module_before_the_last_lowering() -> None:
    (kernel,) = compile_all(kernels.make_unary("tl.exp(value)"), {"s0": 4096})
    assert kernel.text.startswith('"builtin.module"() ({\n')
    assert '"hivm.hir.vexp"' in kernel.text
    assert "error" not in kernel.text.lower()
    assert kernel.parameters == ("x", "out", "n")
    assert kernel.lost == ()


HELPERS = """
@triton.jit
def squash(value):
    return value * tl.sigmoid(value)


@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        value = squash(tl.load(x + offsets, mask=offsets < n, other=0.0))
        total += tl.sum(value, 0)
    tl.store(out, total)
"""


def find_source_texts(kernel: CompiledKernel, source: str, op: str) -> set[str]:
    """The lines of the source that the ops of this name come from."""
    program = load_program(kernel.text)
    assert isinstance(program, Program)
    lines = [
        program.find_source_line(number)
        for number, line in enumerate(kernel.text.splitlines(), 1)
        if f'"hivm.hir.{op}"' in line
    ]
    return {source.splitlines()[line - 1].strip() for line in lines}


def test_every_op_knows_the_line_of_the_source_it_comes_from() -> None:
    (kernel,) = compile_all(kernels.make_block_kernel(HELPERS, 1024), {"s0": 4096})
    (load,) = find_source_texts(kernel, HELPERS, "load")
    assert load.startswith("value = squash(tl.load(")
    # What Triton's library does counts for the line that calls it, in a helper as well.
    assert find_source_texts(kernel, HELPERS, "vexp") == {"return value * tl.sigmoid(value)"}
    assert find_source_texts(kernel, HELPERS, "vreduce") == {"total += tl.sum(value, 0)"}


def test_two_compilations_of_one_source_give_the_same_text() -> None:
    candidate = kernels.make_block_kernel(HELPERS, 1024)
    first, second = (compile_all(candidate, {"s0": 4096})[0].text for _ in range(2))
    assert first == second
    assert '"candidate.py":' in first and "/" not in "".join(re.findall(r"loc\(.*", first))


def test_the_switch_of_line_information_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("true", "false"):
        monkeypatch.setenv("TRITON_DISABLE_LINE_INFO", value)
        compile_all(kernels.make_unary("value"), {"s0": 4096})
        assert os.environ["TRITON_DISABLE_LINE_INFO"] == value
    monkeypatch.delenv("TRITON_DISABLE_LINE_INFO")
    (kernel,) = compile_all(kernels.make_unary("value"), {"s0": 4096})
    assert "TRITON_DISABLE_LINE_INFO" not in os.environ
    assert "loc(" in kernel.text


@pytest.mark.parametrize(
    "text,short",
    [
        ('loc("/tmp/a b/candidate.py":12:8)', 'loc("candidate.py":12:8)'),
        (
            'loc(callsite("/usr/lib/standard.py":3:1 at "/tmp/x/candidate.py":12:8))',
            'loc(callsite("standard.py":3:1 at "candidate.py":12:8))',
        ),
        ('{name = "a/b"} loc("candidate.py":1:2)', '{name = "a/b"} loc("candidate.py":1:2)'),
    ],
)
def test_locations_lose_their_folders(text: str, short: str) -> None:
    assert cut_folders(text) == short


def test_what_a_silent_retry_gave_up_is_told() -> None:
    (kernel,) = compile_all(kernels.make_block_kernel(TILE_THAT_FITS_ONCE, 12288), {"s0": 4096})
    assert kernel.lost == ("code_motion", "multi_buffer")


def test_size_constants_are_folded_for_the_shape() -> None:
    launch = KernelLaunch(
        "kernel",
        ("1", "1", "1"),
        (
            LaunchArgument("x", "input", "*fp32", 0),
            LaunchArgument("out", "output", "*fp32", 0),
            LaunchArgument("n", "size", "i32", "s0"),
        ),
        (("BLOCK", "next_power_of_2(s0)"),),
    )
    candidate = Candidate("triton", kernels.UNARY.format(expression="value"), LaunchPlan((launch,)))
    (kernel,) = compile_all(candidate, {"s0": 1000})
    assert kernel.constants == (("BLOCK", 1024),)


def test_equal_launches_share_one_compilation() -> None:
    (launch,) = kernels.make_unary("value").plan.launches
    candidate = Candidate(
        "triton", kernels.UNARY.format(expression="value"), LaunchPlan((launch, launch))
    )
    first, second = compile_all(candidate, {"s0": 4096})
    assert first is second


def test_plan_that_forgets_a_parameter_is_refused() -> None:
    launch = KernelLaunch("kernel", ("1", "1", "1"), (), (("BLOCK", 64),))
    candidate = Candidate("triton", kernels.UNARY.format(expression="value"), LaunchPlan((launch,)))
    refusal = compile_candidate(candidate, kernels.EMPTY_TASK, {"s0": 1}, "Ascend910B1")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "source.plan_invalid"
    assert "n, out, x" in refusal.message


def test_plan_that_launches_another_kernel_is_refused() -> None:
    candidate = kernels.make_block_kernel("def other():\n    pass\n", 64)
    refusal = compile_candidate(candidate, kernels.EMPTY_TASK, {"s0": 1}, "Ascend910B1")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "source.entry_missing"


def test_options_become_flags_over_the_defaults() -> None:
    assert format_options((("multi_buffer", False), ("workspace_multibuffer", 2))) == (
        "--enable-auto-multi-buffer=false",
        "--enable-auto-bind-sub-block=true",
        "--set-workspace-multibuffer=2",
    )


def test_an_unknown_option_is_an_error() -> None:
    with pytest.raises(KeyError):
        format_options((("turbo", True),))


DUMP_HEAD = "// -----// IR Dump Before A //----- //\n"


def test_the_last_complete_dump_counts() -> None:
    whole = '"builtin.module"() ({{\n  {}\n}}) {{}} : () -> ()\n'
    first, last = whole.format("first"), whole.format("last")
    text = DUMP_HEAD + first + "[ERROR] again\n" + DUMP_HEAD + last
    assert cut_dump(text + "loc(1)") == last
    assert cut_dump(text + DUMP_HEAD + '"builtin.module"() ({\n  torn') == last


def test_a_950_is_compiled_once_and_again_only_if_memory_overflows(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f'echo "$@" >> {log}\n'
    compile_linalg(write_tool(tmp_path, script), "", "Ascend950PR_9589", (), tmp_path, 10)
    (call,) = log.read_text().splitlines()
    assert "--target=Ascend950PR_9589" in call and "--enable-tuning-mode=true" in call
    log.unlink()
    overflow = "ub overflow, requires 2 bits while 1 bits available!"
    tool = write_tool(tmp_path, f'{script}printf "{overflow}" > /dev/fd/3', keep_errors=True)
    refusal = compile_linalg(tool, "", "Ascend950PR_9589", (), tmp_path, 10)
    assert isinstance(refusal, Refusal) and refusal.code == "compile.ub_overflow"
    first, second = log.read_text().splitlines()
    assert first == f"{second} --enable-tuning-mode=true"


def test_a_910_is_compiled_without_options_of_the_950(tmp_path: Path) -> None:
    log = tmp_path / "log"
    compile_linalg(write_tool(tmp_path, f'echo "$@" >> {log}'), "", "Ascend910B1", (), tmp_path, 10)
    assert "tuning" not in log.read_text()


def test_no_dump_is_none() -> None:
    assert cut_dump("[ERROR] nothing\n") is None


def test_a_compiler_that_hangs_is_a_timeout(tmp_path: Path) -> None:
    compiler = write_tool(tmp_path, "sleep 60")
    refusal = compile_linalg(compiler, "", "Ascend910B1", (), tmp_path, timeout_s=0.2)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "compile.timeout"


def test_a_compiler_that_dies_by_signal_is_an_abort(tmp_path: Path) -> None:
    compiler = write_tool(tmp_path, "kill -SEGV $$")
    refusal = compile_linalg(compiler, "", "Ascend910B1", (), tmp_path, timeout_s=10)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, dict(refusal.evidence)) == ("compile.abort", {"detail": "SIGSEGV"})


def test_a_tool_cannot_take_more_memory_than_its_limit(tmp_path: Path) -> None:
    script = "import time; time.sleep(0.2); bytearray(1 << 30)"
    result = run_tool(("python3", "-c", script), tmp_path, memory_bytes=256 << 20)
    assert "MemoryError" in result.stderr


def test_a_tool_that_ends_in_time_is_not_waited_for(tmp_path: Path) -> None:
    started = time.monotonic()
    assert run_tool(("true",), tmp_path, timeout_s=60).return_code == 0
    assert time.monotonic() - started < 30


def write_tool(folder: Path, command: str, keep_errors: bool = False) -> Path:
    """A tool that says nothing; with `keep_errors` what it writes to descriptor 3 are its errors."""
    tool = folder / "tool"
    errors = "exec 3>&2" if keep_errors else "exec 2>/dev/null"
    tool.write_text(f"#!/bin/sh\n{errors}\n{command}\n")
    tool.chmod(0o755)
    return tool
