"""The region's callable: sizes read, kernel asked for once per sizes, outputs as promised, eager behind it."""

from __future__ import annotations

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from npu_autokernel.errors import CacheMissError
from npu_autokernel.graph.region import read_region
from npu_autokernel.reasons import refuse
from npu_autokernel.torch_backend import bind
from npu_autokernel.torch_backend.bind import RegionCall


class EagerKernel:
    """Stands for a kernel on a target: computes x - y by torch, and notes its calls."""

    def __init__(self) -> None:
        self.symbols: list[dict[str, int]] = []

    def run(self, inputs, symbols, outputs):
        self.symbols.append(dict(symbols))
        outputs[0].copy_(inputs[0] - inputs[1])
        return None


class Finder:
    """Notes for which sizes a kernel was asked for, and answers with `answer`."""

    def __init__(self, answer) -> None:
        self.answer = answer
        self.asked: list[dict[str, int]] = []

    def __call__(self, symbols):
        self.asked.append(dict(symbols))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def make_call(answer) -> tuple[RegionCall, Finder]:
    def region(x, y):
        return (x - y,)

    module = make_fx(region, tracing_mode="fake")(torch.ones(4, 6), torch.ones(4, 6))
    task, order = read_region(module)
    finder = Finder(answer)
    return RegionCall(0, task, order, finder, region), finder


def test_a_kernel_is_asked_for_once_per_combination_of_sizes() -> None:
    kernel = EagerKernel()
    call, finder = make_call(kernel)
    for shape in ((4, 6), (4, 6), (5, 6), (4, 6)):
        x, y = torch.randn(shape), torch.randn(shape)
        (result,) = call(x, y)
        torch.testing.assert_close(result, x - y)
    assert len(finder.asked) == 2
    assert len(kernel.symbols) == 4


def test_sizes_without_a_kernel_run_in_eager_and_others_do_not() -> None:
    call, finder = make_call(refuse("region.miss"))
    x, y = torch.randn(4, 6), torch.randn(4, 6)
    for _ in range(3):
        torch.testing.assert_close(call(x, y)[0], x - y)
    assert len(finder.asked) == 1
    finder.answer = EagerKernel()
    call(torch.randn(7, 6), torch.randn(7, 6))
    assert len(finder.answer.symbols) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.randn(4, 6, dtype=torch.float64),
        lambda: torch.randn(6, 4).t(),
        lambda: torch.randn(4, 1).expand(4, 6),
        lambda: torch.randn(4, 6, dtype=torch.complex64).real,
    ],
)
def test_inputs_that_do_not_fit_the_task_run_in_eager_for_that_call(make) -> None:
    kernel = EagerKernel()
    call, _ = make_call(kernel)
    x, y = make(), torch.randn(4, 6)
    torch.testing.assert_close(call(x, y)[0], x - y)
    assert kernel.symbols == []
    call(torch.randn(4, 6), y)
    assert len(kernel.symbols) == 1


def test_the_kept_launches_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bind, "MOST_KEPT_LAUNCHES", 3)
    call, _ = make_call(EagerKernel())
    for size in range(2, 12):
        call(torch.randn(size, 6), torch.randn(size, 6))
    assert len(call._launches) <= 3


def test_a_forbidden_miss_during_a_call_reaches_the_user() -> None:
    call, _ = make_call(CacheMissError("abc", "sub"))
    with pytest.raises(CacheMissError):
        call(torch.randn(4, 6), torch.randn(4, 6))


def test_a_refusal_of_the_kernel_gives_the_region_back_to_eager(warnings) -> None:
    kernel = EagerKernel()
    kernel.run = lambda *_: refuse("machine.step_limit", limit=5)
    call, finder = make_call(kernel)
    x, y = torch.randn(4, 6), torch.randn(4, 6)
    for _ in range(3):
        torch.testing.assert_close(call(x, y)[0], x - y)
    assert len(finder.asked) == 1
    assert [warning.count("more than 5 operations") for warning in warnings()] == [1]
