"""The source gate: what a kernel's text and plan may be. Nothing of it is imported or run."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from npu_autokernel.candidate import Candidate, KernelLaunch, LaunchArgument, ScratchBuffer
from npu_autokernel.reasons import Refusal
from npu_autokernel.verify.gates.launch_plan import check_plan
from npu_autokernel.verify.gates.source_text import SourceOutline, outline_source
from tests.verify.corpus import list_files, load_kernel

FORBIDDEN = [path for path in list_files("cheats") if "# reason: source." in path.read_text()]
HONEST = load_kernel(next(path for path in list_files("honest") if path.stem == "double"))


def judge_source(candidate: Candidate) -> Refusal | None:
    outline = outline_source(candidate.source)
    if isinstance(outline, Refusal):
        return outline
    return check_plan(candidate, HONEST.task, outline)


@pytest.mark.parametrize("path", FORBIDDEN, ids=lambda path: path.stem)
def test_source_cheats_are_refused(path: Path) -> None:
    kernel = load_kernel(path)
    refusal = judge_source(kernel.candidate)
    assert refusal is not None
    assert refusal.code == kernel.reason


@pytest.mark.parametrize("path", list_files("honest"), ids=lambda path: path.stem)
def test_honest_source_passes(path: Path) -> None:
    assert isinstance(outline_source(path.read_text()), SourceOutline)


def test_outline_lists_parameters_in_order() -> None:
    outline = outline_source(HONEST.candidate.source)
    assert isinstance(outline, SourceOutline)
    assert outline.functions == {"kernel": ("x", "out", "n", "BLOCK")}


@pytest.mark.parametrize(
    "statement",
    [
        "import triton.language.extra.ascend.libdevice as libdevice",
        "from triton.language.extra.ascend import libdevice",
        "import triton\nimport triton.language as tl",
        "from triton import language as tl",
        "LIMIT = tl.constexpr(3)",
    ],
)
def test_what_kernels_need_may_stand_at_the_top(statement: str) -> None:
    assert isinstance(outline_source(f"{statement}\n{HONEST.candidate.source}"), SourceOutline)


@pytest.mark.parametrize(
    "statement", ["import triton.language.core", "import triton.runtime", "import math as tl"]
)
def test_other_modules_may_not(statement: str) -> None:
    outline = outline_source(f"{statement}\n{HONEST.candidate.source}")
    assert isinstance(outline, Refusal)
    assert outline.code == "source.forbidden"


def test_a_source_without_end_is_a_syntax_error() -> None:
    outline = outline_source("(" * 100_000)
    assert isinstance(outline, Refusal)
    assert outline.code == "source.syntax"


def change_launch(**changes: object) -> Candidate:
    plan = HONEST.candidate.plan
    launch = replace(plan.launches[0], **changes)  # type: ignore[arg-type]
    return replace(HONEST.candidate, plan=replace(plan, launches=(launch,)))


def change_argument(parameter: str, **changes: object) -> Candidate:
    arguments = tuple(
        replace(argument, **changes) if argument.parameter == parameter else argument  # type: ignore[arg-type]
        for argument in HONEST.candidate.plan.launches[0].arguments
    )
    return change_launch(arguments=arguments)


def change_plan(**changes: object) -> Candidate:
    return replace(HONEST.candidate, plan=replace(HONEST.candidate.plan, **changes))  # type: ignore[arg-type]


PLAN_MISTAKES = {
    "nothing launched": (change_plan(launches=()), "launches nothing"),
    "output missing": (change_argument("out", kind="input", value=0), "output 0"),
    "no such input": (change_argument("x", value=1), "input 1"),
    "negative input": (change_argument("x", value=-1), "input -1"),
    "wrong pointer type": (change_argument("x", type="*fp16"), "*fp16 for float32"),
    "scalar for a tensor": (change_argument("x", kind="host_scalar", type="fp32"), "host_scalar"),
    "unknown size": (change_argument("n", value="s0 * s9"), "s9"),
    "size of a float type": (change_argument("n", type="fp32"), "fp32"),
    "code for a size": (change_argument("n", value="__import__('os')"), "size expression"),
    "bad grid": (change_launch(grid=("s0 +", "1", "1")), "size expression"),
    "missing parameter": (change_launch(constants=()), "BLOCK"),
    "unknown constant": (change_launch(constants=(("BLOCK", 64), ("EXTRA", 1))), "EXTRA"),
    "fractional integer": (change_argument("n", kind="number", value=0.5), "0.5"),
    "text for a number": (change_argument("n", kind="number", value="1"), "'1'"),
    "random seed": (change_argument("n", kind="seed"), "random"),
    "unknown kind": (change_argument("n", kind="tensor"), "kind tensor"),
    "bad condition": (change_plan(requires=("s0",)), "condition"),
    "unknown name in a condition": (change_plan(requires=("s7 < 3",)), "s7"),
    "fills missing": (change_plan(output_fills=()), "output fills"),
    "scratch of a strange dtype": (
        change_plan(scratch=(ScratchBuffer("complex64", "1"),)),
        "complex64",
    ),
    "unknown compiler option": (
        replace(HONEST.candidate, compiler_options=(("save-temps", "/"),)),
        "save-temps",
    ),
}


@pytest.mark.parametrize(("candidate", "detail"), PLAN_MISTAKES.values(), ids=PLAN_MISTAKES.keys())
def test_plan_mistakes_are_named(candidate: Candidate, detail: str) -> None:
    refusal = judge_source(candidate)
    assert refusal is not None
    assert refusal.code == "source.plan_invalid"
    assert detail in refusal.message


def test_the_honest_plan_fits() -> None:
    assert judge_source(HONEST.candidate) is None


def test_every_corpus_kernel_but_those_of_syntax_parses() -> None:
    for path in (*list_files("cheats"), *list_files("honest")):
        if "source.syntax" not in path.read_text():
            ast.parse(path.read_text())


def test_a_launch_of_an_unknown_kernel_is_refused() -> None:
    launch = KernelLaunch("other", ("1", "1", "1"), (LaunchArgument("x", "input", "*fp32", 0),))
    candidate = change_plan(launches=(launch,))
    refusal = judge_source(candidate)
    assert refusal is not None
    assert refusal.code == "source.entry_missing"
