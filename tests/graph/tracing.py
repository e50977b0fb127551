"""Real regions for the tests: functions traced to ATen graphs with fake tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import fx
from torch.func import functionalize
from torch.fx.experimental.proxy_tensor import make_fx

from npu_autokernel.graph.key import make_proof_key
from npu_autokernel.graph.region import RegionTask, read_region
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import Refusal


def trace(function: Callable[..., Any], *args: Any, mode: str = "fake") -> fx.GraphModule:
    """The functional ATen graph of `function(*args)`; mode "symbolic" has SymInt extents."""
    return make_fx(functionalize(function), tracing_mode=mode)(*args)


def read(function: Callable[..., Any], *args: Any, mode: str = "fake") -> RegionTask:
    """The region task of `function(*args)`, which must have one."""
    built = read_region(trace(function, *args, mode=mode))
    assert not isinstance(built, Refusal), built.message
    return built


def build(function: Callable[..., Any], *args: Any, mode: str = "fake") -> KernelTask:
    """The task of `function(*args)`, which must have one."""
    return read(function, *args, mode=mode).task


def order_inputs(built: RegionTask, args: tuple[Any, ...]) -> list[Any]:
    """The arguments of the function as the task's inputs."""
    return [args[position] for position in built.input_order]


def make_digest(task: KernelTask) -> str:
    """The digest of the task's proof key, on one chip with one tool chain."""
    return make_proof_key(task, "Ascend910B1", (("triton-ascend", "3.2.0"),)).digest


def trace_digest(function: Callable[..., Any], *args: Any, mode: str = "fake") -> str:
    """The digest of the proof key of `function(*args)`."""
    return make_digest(build(function, *args, mode=mode))
