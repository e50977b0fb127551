"""The corpus: kernels in files, each with a header that says for which task it is and what the verifier must say.

    # task: softmax
    # reason: match.mismatch          (honest kernels: ok)
    # grid: s0
    # constants: BLOCK=next_power_of_2(s1)
    # requires: s1 <= 4096            (optional)
    # scratch: float32 s0             (optional)
    # fill: 0.0                       (optional; what the output holds before the launch)
    # depth: prove                    (optional; screen is the default)

What follows is the source. Parameters are bound by name: `x`, `y`, `weight` and `bias` are inputs in the order of
the task, `out` the output, `scratch` the scratch buffer, `n`, `rows` and `columns` sizes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as functional

from npu_autokernel.candidate import (
    Candidate,
    KernelLaunch,
    LaunchArgument,
    LaunchPlan,
    ScratchBuffer,
)
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.verify.request import Depth
from tests.graph.tracing import build

FOLDER = Path(__file__).parent
ROWS, COLUMNS = 48, 1000

SIZES = {"n": "s0 * s1", "rows": "s0", "columns": "s1"}

TASKS: dict[str, tuple[Callable[..., torch.Tensor], tuple[str, ...]]] = {
    "gelu": (functional.gelu, ("x",)),
    "double": (lambda x: x + x, ("x",)),
    "relu": (torch.relu, ("x",)),
    "add_bias": (lambda x, bias: x + bias, ("x", "bias")),
    "softmax": (lambda x: torch.softmax(x, -1), ("x",)),
    "sum_of_all": (lambda x: x.sum(), ("x",)),
    "row_sum": (lambda x: x.sum(-1), ("x",)),
    "layer_norm": (
        lambda x, weight, bias: functional.layer_norm(x, (x.shape[-1],), weight, bias, 1e-5),
        ("x", "weight", "bias"),
    ),
}


@dataclass(frozen=True)
class CorpusKernel:
    """One file: the candidate, its task, and what the verifier must say at which depth."""

    name: str
    task: KernelTask
    candidate: Candidate
    reason: str
    depth: Depth


def list_files(folder: str) -> list[Path]:
    return sorted((FOLDER / folder).glob("*.triton"))


def load_kernel(path: Path) -> CorpusKernel:
    text = path.read_text(encoding="utf-8")
    header = _read_header(text)
    task_name = header["task"]
    plan = LaunchPlan(
        launches=(_make_launch(text, header, TASKS[task_name][1]),),
        scratch=_read_scratch(header),
        output_fills=(float(header["fill"]) if "fill" in header else None,),
        requires=(header["requires"],) if "requires" in header else (),
    )
    candidate = Candidate("triton", text, plan)
    depth: Depth = "prove" if header.get("depth") == "prove" else "screen"
    return CorpusKernel(path.stem, make_task(task_name), candidate, header["reason"], depth)


@cache
def make_task(name: str) -> KernelTask:
    function, inputs = TASKS[name]
    shapes = {"x": (16 if name == "sum_of_all" else ROWS, COLUMNS)}
    task = build(function, *(torch.randn(shapes.get(name, (COLUMNS,))) for name in inputs))
    assert isinstance(task, KernelTask)
    return task


def _read_header(text: str) -> dict[str, str]:
    pairs = (line[2:].split(":", 1) for line in text.splitlines() if line.startswith("# "))
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}


def _read_scratch(header: dict[str, str]) -> tuple[ScratchBuffer, ...]:
    if "scratch" not in header:
        return ()
    dtype, count = header["scratch"].split(" ", 1)
    return (ScratchBuffer(dtype, count),)


def _make_launch(text: str, header: dict[str, str], inputs: tuple[str, ...]) -> KernelLaunch:
    constants = dict(pair.split("=", 1) for pair in header.get("constants", "").split(",") if pair)
    parameters = [name for name in _list_parameters(text) if name not in constants]
    x, y, z = (*header["grid"].split(";"), "1", "1")[:3]
    return KernelLaunch(
        "kernel",
        (x, y, z),
        tuple(_bind(name, inputs) for name in parameters),
        tuple((name.strip(), value.strip()) for name, value in constants.items()),
    )


def _bind(name: str, inputs: tuple[str, ...]) -> LaunchArgument:
    if name in SIZES:
        return LaunchArgument(name, "size", "i32", SIZES[name])
    if name in inputs:
        return LaunchArgument(name, "input", "*fp32", inputs.index(name))
    return LaunchArgument(name, "scratch" if name == "scratch" else "output", "*fp32", 0)


def _list_parameters(text: str) -> list[str]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ["x", "out", "n"]
    kernels = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    kernel = next((node for node in kernels if node.name == "kernel"), None)
    return [argument.arg for argument in kernel.args.args] if kernel else ["x", "out", "n"]
