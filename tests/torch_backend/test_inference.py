"""Inference: whatever the shapes, strides, mutations and arguments, the answer is eager's."""

from __future__ import annotations

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend

SIZES = (3, 4, 5, 16, 17, 1, 0, 128)


def close(got: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-5)
    assert got.stride() == expected.stride()


def test_kernels_run_and_agree_with_eager(compile_model, reports) -> None:
    def function(x, y):
        return torch.relu(x * y + 1.0).exp()

    compiled = compile_model(function)
    x, y = torch.randn(37, 53), torch.randn(53)
    close(compiled(x, y), function(x, y))
    assert [report.kernel_count for report in reports] == [1]
    region = reports[0].regions[0]
    assert region.ops == (
        "aten.mul.Tensor",
        "aten.add.Tensor",
        "aten.relu.default",
        "aten.exp.default",
    )
    assert region.measurement.provenance == "machine"


def test_sizes_cost_no_more_graph_compiles_than_plain_torch(compile_model, shared_store) -> None:
    def function(x):
        return (torch.sin(x) * 2.0).sum(-1)

    def count_compiles(backend) -> int:
        torch._dynamo.reset()
        counter = CompileCounterWithBackend(backend)
        compiled = torch.compile(function, backend=counter)
        for size in SIZES:
            x = torch.randn(size, 7)
            close(compiled(x), function(x))
        return counter.frame_count

    plain = count_compiles("aot_eager")
    from npu_autokernel.torch_backend.entry import npu_autokernel

    def ours(gm, inputs):
        options = {"store": str(shared_store), "policy": "all", "budget_screens": 1}
        return npu_autokernel(gm, inputs, options=options)

    torch._dynamo.reset()
    compiled, frames = _count(ours, function)
    for size in SIZES:
        x = torch.randn(size, 7)
        close(compiled(x), function(x))
    assert frames() == plain


def _count(backend, function):
    frames = []

    def counting(gm, inputs):
        frames.append(gm)
        return backend(gm, inputs)

    return torch.compile(function, backend=counting), lambda: len(frames)


def test_one_dynamic_kernel_serves_every_size(compile_model, reports) -> None:
    def function(x):
        return torch.tanh(x) + 1.0

    compiled = compile_model(function, dynamic=True)
    for size in (5, 64, 3, 257, 2):
        x = torch.randn(size, 6)
        close(compiled(x), function(x))
    assert [report.kernel_count for report in reports] == [1]


def test_transposed_results_keep_their_strides(compile_model) -> None:
    def function(x):
        return x.t().sin().t().view(-1)

    x = torch.randn(6, 10)
    close(compile_model(function)(x), function(x))


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.randn(8, 1).expand(8, 6),
        lambda: torch.randn(6, 8).t(),
        lambda: torch.randn(16, 12)[::2, ::2],
        lambda: torch.randn(4, 3, 5, 2).contiguous(memory_format=torch.channels_last),
        lambda: torch.tensor(2.5),
        lambda: torch.randn(7)[3:],
    ],
)
def test_any_layout_of_the_input_gives_eagers_values_and_strides(compile_model, make) -> None:
    def function(x):
        return torch.exp(x) * 0.5

    x = make()
    close(compile_model(function)(x), function(x))


def test_inputs_that_are_written_to_and_aliased_behave_as_in_eager(compile_model) -> None:
    def function(x, y):
        x.add_(1.0)
        flat = x.view(-1)
        flat.mul_(2.0)
        return flat.sin(), y.cos(), x

    def run(callable_, alias: bool):
        x = torch.arange(12.0).view(3, 4)
        y = x if alias else x.clone()
        results = callable_(x, y)
        return [x, *results], results[0].data_ptr() == x.data_ptr()

    compiled = compile_model(function)
    for alias in (False, True):
        got, expected = run(compiled, alias), run(function, alias)
        for left, right in zip(got[0], expected[0], strict=True):
            close(left, right)
        assert got[1] == expected[1]


def test_an_output_that_is_an_input_or_a_view_of_one_stays_so(compile_model) -> None:
    def function(x):
        return x, x.view(-1)[2:], x + 1.0

    x = torch.randn(4, 5)
    same, view, moved = compile_model(function)(x)
    assert same.data_ptr() == x.data_ptr()
    assert view._base is x or view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    close(moved, x + 1.0)


def test_a_float_that_changes_between_calls_is_read_at_each_call(compile_model) -> None:
    def function(x, scale):
        return torch.sin(x * scale)

    compiled = compile_model(function)
    x = torch.randn(9, 11)
    for scale in (0.5, 0.7, -2.0, 0.0):
        close(compiled(x, scale), function(x, scale))


def test_a_decode_loop_needs_one_graph_for_all_lengths_from_two(compile_model, reports) -> None:
    def function(scores, length: int):
        return torch.softmax(scores[:, :length] * 0.125, -1)

    compiled = compile_model(function)
    scores = torch.randn(4, 64)
    for length in range(1, 65):
        torch.testing.assert_close(compiled(scores, length), function(scores, length))
    assert len(reports) <= 3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda x: x.sin() * 2.0, lambda x: x.sin() * 3.0),
        (lambda x: x.sum(-1), lambda x: x.sum(0)),
        (
            lambda x: torch.nn.functional.layer_norm(x, (8,), eps=1e-5),
            lambda x: torch.nn.functional.layer_norm(x, (8,), eps=1e-2),
        ),
    ],
)
def test_graphs_that_differ_by_a_constant_have_different_keys(
    compile_model, reports, first, second
) -> None:
    x = torch.randn(8, 8) * 0.01
    close(compile_model(first)(x), first(x))
    close(compile_model(second)(x), second(x))
    keys = [region.key for report in reports for region in report.regions]
    assert len(set(keys)) == len(keys) == 2


def test_seeded_dropout_equals_eager(compile_model) -> None:
    def function(x):
        return torch.nn.functional.dropout(torch.relu(x), 0.3) * 2.0

    x = torch.randn(32, 32)
    compiled = compile_model(function)
    torch.manual_seed(7)
    got = compiled(x)
    torch.manual_seed(7)
    torch.testing.assert_close(got, torch.compile(function, backend="aot_eager")(x))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int32])
def test_other_dtypes_agree_with_eager(compile_model, dtype) -> None:
    def function(x, y):
        return (x + y) * 2

    x, y = (torch.randn(2, 20, 30) * 5).to(dtype)
    torch.testing.assert_close(compile_model(function)(x, y), function(x, y))


def test_no_grad_inference_mode_and_autocast_agree_with_eager(compile_model) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.GELU())
    compiled = compile_model(model)
    x = torch.randn(4, 6)
    with torch.no_grad():
        close(compiled(x), model(x))
    with torch.inference_mode():
        close(compiled(x), model(x))
    with torch.autocast("cpu", torch.bfloat16):
        torch.testing.assert_close(compiled(x), model(x), rtol=2e-2, atol=2e-2)
