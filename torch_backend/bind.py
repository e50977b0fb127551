"""The callable that stands for a region: read the sizes, take the kernel for them, launch it.

What a call needs (kernel, sizes, and shapes of the outputs) is worked out once per combination of
sizes and kept, so a later call reads its inputs, looks up one tuple, allocates and launches.
Inputs that do not fit the task run in eager, for that call. A kernel that fails while it runs
takes its region back to eager for good, with one warning: the answer is eager's, nothing is lost.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import torch

from npu_autokernel.errors import AutokernelError
from npu_autokernel.graph.binding import SymbolReader, concretise
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.torch_backend.notice import LOGGER, describe_error, warn_refusal
from npu_autokernel.torch_backend.region_report import publish_run_failure

MOST_KEPT_LAUNCHES = 1024

_count_dispatch_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
_get_dispatch_mode: Callable[[int], Any] = torch._C._get_dispatch_stack_at

# AOTAutograd's own, around the first call of a graph: it looks at custom ops, and there are none.
_HARMLESS_MODE = "_AnalyzeCustomOpInputOutputMode"


class RunnableKernel(Protocol):
    """A proven kernel on its target."""

    def run(
        self,
        inputs: Sequence[Any],
        symbols: Mapping[str, int],
        outputs: Sequence[torch.Tensor],
    ) -> Refusal | None: ...


FindKernel = Callable[[Mapping[str, int]], "RunnableKernel | Refusal"]
RegionFunction = Callable[..., Sequence[Any]]


class _Launch(NamedTuple):
    """All that one combination of sizes needs; `kernel` is None where it runs in eager."""

    kernel: RunnableKernel | None
    symbols: dict[str, int]
    outputs: tuple[tuple[tuple[int, ...], tuple[int, ...], torch.dtype], ...]


class RegionCall:
    """Called with the values of a region's inputs; returns its outputs, as eager would.

    `input_order[i]` is the position among the region's inputs of the task's input i. `find_kernel`
    is asked once per combination of sizes. `eager` computes the region by torch's ops.
    """

    def __init__(
        self,
        index: int,
        task: KernelTask,
        input_order: tuple[int, ...],
        find_kernel: FindKernel,
        eager: RegionFunction,
    ) -> None:
        self.__name__ = f"region_{index}"
        self.index = index
        self._task = task
        self._find_kernel = find_kernel
        self._eager = eager
        self._read_symbols = SymbolReader(task).read
        self._select = _make_selector(input_order)
        self._launches: dict[tuple[int, ...], _Launch] = {}
        self._has_failed = False

    def __call__(self, *inputs: Any) -> Sequence[Any]:
        if self._has_failed or (_count_dispatch_modes() and _is_watched()):
            return self._eager(*inputs)
        try:
            outputs = self._run(self._select(inputs))
        except AutokernelError:  # a miss that the settings forbid is meant for the user
            raise
        except Exception as error:  # a bug of ours must not become the user's
            self._fail(describe_error(error))
            outputs = None
        return self._eager(*inputs) if outputs is None else outputs

    def _run(self, inputs: tuple[Any, ...]) -> tuple[torch.Tensor, ...] | None:
        """The outputs, or None where eager must compute them."""
        symbols = self._read_symbols(inputs)
        if isinstance(symbols, Refusal):
            LOGGER.debug("r%d runs in eager for this call: %s", self.index, symbols.message)
            return None
        launch = self._launches.get(tuple(symbols.values())) or self._plan_launch(symbols)
        if launch.kernel is None:
            return None
        outputs = tuple(
            [
                torch.empty_strided(sizes, strides, dtype=dtype, device="cpu")
                for sizes, strides, dtype in launch.outputs
            ]
        )
        refusal = launch.kernel.run(inputs, launch.symbols, outputs)
        if refusal is not None:
            self._fail(refusal.message)
            return None
        return outputs

    def _plan_launch(self, symbols: dict[str, int]) -> _Launch:
        kernel = self._find_kernel(symbols)
        if isinstance(kernel, Refusal):
            LOGGER.info("r%d runs in eager at %s: %s", self.index, symbols, kernel.message)
            launch = _Launch(None, symbols, ())
        else:
            launch = _Launch(kernel, symbols, _list_allocations(self._task, symbols))
        if len(self._launches) >= MOST_KEPT_LAUNCHES:
            self._launches.clear()
        self._launches[tuple(symbols.values())] = launch
        return launch

    def _fail(self, detail: str) -> None:
        """Give the region back to eager for good, and say so once."""
        self._has_failed = True
        refusal = refuse("region.run_failed", detail=detail)
        warn_refusal(f"Region r{self.index}", refusal)
        publish_run_failure(self.index, refusal)


def _is_watched() -> bool:
    """Whether a dispatch mode (fake tensors, a counter of ops) is active that must see the ops."""
    modes = (_get_dispatch_mode(index) for index in range(_count_dispatch_modes()))
    return any(type(mode).__name__ != _HARMLESS_MODE for mode in modes)


def _make_selector(positions: tuple[int, ...]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    if positions == tuple(range(len(positions))):
        return lambda inputs: inputs
    if len(positions) == 1:
        return lambda inputs: (inputs[positions[0]],)
    return operator.itemgetter(*positions)


def _list_allocations(
    task: KernelTask, symbols: Mapping[str, int]
) -> tuple[tuple[tuple[int, ...], tuple[int, ...], torch.dtype], ...]:
    """Sizes, strides and dtype of each output, as the FakeTensors promise them."""
    return tuple(
        (*concretise(output.spec, symbols), getattr(torch, output.spec.dtype))
        for output in task.outputs
    )
