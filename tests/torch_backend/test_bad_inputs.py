"""What no kernel can serve still gives eager's answer, and the report says why."""

from __future__ import annotations

import pytest
import torch

from npu_autokernel.torch_backend.region_report import GraphReport


def list_codes(reports: list[GraphReport]) -> set[str]:
    regions = [region.refusal for report in reports for region in report.regions]
    ops = [op.refusal for report in reports for op in report.eager_ops]
    return {refusal.code for refusal in (*regions, *ops) if refusal is not None}


CASES = {
    "double": (lambda x: (x.double() * 2).sin(), torch.randn(3, 4), "draft.unsupported_dtype"),
    "complex": (lambda x: torch.exp(x), torch.randn(3, dtype=torch.complex64), None),
    "empty": (lambda x: torch.sin(x) + 1, torch.randn(0, 4), "region.zero_size"),
    "cube": (lambda x: x @ x, torch.randn(4, 4), "region.cube"),
    "view": (lambda x: x.t(), torch.randn(3, 4), "region.view"),
    "scalar": (lambda x: torch.sin(x), torch.tensor(1.5), "region.scalar"),
    "constant": (lambda x: (torch.ones(3, 4), x.t()), torch.randn(3, 4), "region.constant"),
    "range": (lambda x: (torch.arange(3), x.t()), torch.randn(3, 4), "region.constant"),
    "movement": (lambda x: torch.cat([x, x.t()]), torch.randn(4, 4), "region.movement"),
    "unknown op": (lambda x: torch.cdist(x, x), torch.randn(3, 4), "draft.unsupported_op"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_work_no_kernel_serves_runs_in_eager(compile_model, reports, name) -> None:
    function, value, code = CASES[name]
    torch.testing.assert_close(compile_model(function)(value), function(value))
    assert code is None or code in list_codes(reports)


def test_data_dependent_control_flow_runs_both_branches(compile_model) -> None:
    def function(x):
        if x.sum() > 0:
            return x.sin() + 1
        return x.cos() - 1

    compiled = compile_model(function)
    for x in (torch.ones(5, 3), -torch.ones(5, 3)):
        torch.testing.assert_close(compiled(x), function(x))


def test_data_dependent_sizes_stay_in_eager(compile_model, reports) -> None:
    def function(x):
        return torch.nonzero(x).float().sin()

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        compiled = compile_model(function)
        for x in (torch.tensor([0.0, 1.0, 2.0]), torch.zeros(3), torch.ones(5)):
            torch.testing.assert_close(compiled(x), function(x))
    assert "region.tensor_kind" in list_codes(reports)


def test_sparse_inputs(compile_model) -> None:
    def function(x):
        return torch.sparse.mm(x, torch.ones(4, 2)) + 1.0

    x = torch.eye(4).to_sparse()
    torch.testing.assert_close(compile_model(function)(x), function(x))


def test_quantised_inputs(compile_model) -> None:
    def function(x):
        return x.dequantize() * 2.0

    x = torch.quantize_per_tensor(torch.randn(3, 4), 0.1, 0, torch.qint8)
    torch.testing.assert_close(compile_model(function)(x), function(x))


def test_tensor_subclasses(compile_model) -> None:
    from torch.testing._internal.two_tensor import TwoTensor

    def function(x):
        return torch.sin(x) * 2.0

    x = TwoTensor(torch.randn(4, 5), torch.randn(4, 5))
    got, expected = compile_model(function)(x), function(x)
    assert type(got) is TwoTensor
    torch.testing.assert_close(got.a, expected.a)
    torch.testing.assert_close(got.b, expected.b)


def test_nested_tensors(compile_model) -> None:
    def function(x):
        return torch.sin(x) * 2.0

    x = torch.nested.nested_tensor([torch.randn(2, 3), torch.randn(4, 3)], layout=torch.jagged)
    torch.testing.assert_close(compile_model(function)(x).values(), function(x).values())


def test_a_custom_op_without_a_fake_implementation_runs_and_is_named(
    compile_model, caplog: pytest.LogCaptureFixture
) -> None:
    with torch.library._scoped_library("npu_autokernel_test", "FRAGMENT") as library:
        library.define("triple(Tensor x) -> Tensor")
        library.impl("triple", lambda x: x * 3, "CPU")

        def function(x):
            return torch.ops.npu_autokernel_test.triple(x.sin()) + 1.0

        x = torch.randn(4, 5)
        torch.testing.assert_close(compile_model(function)(x), function(x))


def test_a_custom_op_with_a_fake_implementation_stays_whole(compile_model, reports) -> None:
    @torch.library.custom_op("npu_autokernel_test::double", mutates_args=())
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @double.register_fake
    def _(x):
        return torch.empty_like(x)

    def function(x):
        return double(x.sin()) + 1.0

    x = torch.randn(4, 5)
    torch.testing.assert_close(compile_model(function)(x), function(x))
    ops = [op.op for report in reports for op in report.eager_ops]
    assert "npu_autokernel_test.double.default" in ops


def test_higher_order_ops_stay_whole(compile_model) -> None:
    def function(x):
        return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,)) + 1.0

    compiled = compile_model(function)
    for x in (torch.ones(4, 3), -torch.ones(4, 3)):
        torch.testing.assert_close(compiled(x), function(x))


def test_outputs_of_a_function_that_returns_no_tensor(compile_model) -> None:
    def function(x):
        return x.shape[0] * 2, None, [x.sin()]

    number, nothing, (sine,) = compile_model(function)(torch.ones(3, 2))
    assert (number, nothing) == (6, None)
    torch.testing.assert_close(sine, torch.ones(3, 2).sin())
