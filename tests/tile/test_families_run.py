"""Every op of the tables, compiled by the real tool chain and run on the machine, against PyTorch in float64.

Pointwise ops are drafted a dozen at a time, as one kernel with one output each. Reductions run under each way of
covering the reduced axes. The shapes are small and odd.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
import torch

from npu_autokernel.graph.binding import concretise
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine import ExecutionOptions
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.targets.machine_target import MachineTarget, PreparedKernel
from npu_autokernel.tile.draft import draft_program
from npu_autokernel.tile.program import TileProgram
from npu_autokernel.tile.schedule import Schedule, apply_move, list_moves
from npu_autokernel.tile.start import start_schedule
from npu_autokernel.tile.triton_printer import print_candidate
from npu_autokernel.toolchain.triton_ascend import compile_candidate
from tests.graph.tracing import order_inputs, read

aten = torch.ops.aten
SOC = "Ascend910B1"
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 0.5, 1.5, 2.5, -0.5, -1.5, 1e-7, 88.0, -88.0]
OPTIONS = ExecutionOptions(check_uninitialised=True)
Function = Callable[..., object]


def make_operands(count: int) -> list[torch.Tensor]:
    """Normal numbers of all sizes, then special values against ordinary ones."""
    generator = torch.Generator().manual_seed(7)
    operands = []
    for number in range(count):
        ordinary = torch.randn(317, generator=generator) * 10.0 ** torch.randint(
            -3, 2, (317,), generator=generator
        )
        special = torch.tensor(SPECIAL).roll(number)
        operands.append(torch.cat([ordinary, special]))
    return operands


def choose_schedule(program: TileProgram, task: KernelTask, moves: Sequence[str]) -> Schedule:
    schedule = start_schedule(program, dict(task.hints), get_soc(SOC))
    assert isinstance(schedule, Schedule), schedule
    for name in moves:
        listed = {move.name: move for move in list_moves(program, schedule)}
        schedule = apply_move(schedule, listed[name])
    return schedule


def run_on_machine(
    function: Function, inputs: Sequence[torch.Tensor], moves: Sequence[str] = ()
) -> list[torch.Tensor]:
    built = read(function, *inputs)
    task, ordered = built.task, order_inputs(built, tuple(inputs))
    program = draft_program(task)
    assert isinstance(program, TileProgram), program
    candidate = print_candidate(program, choose_schedule(program, task, moves), task)
    symbols = dict(task.hints)
    kernels = compile_candidate(candidate, task, symbols, SOC)
    assert isinstance(kernels, tuple), kernels
    prepared = MachineTarget(SOC).prepare(task, candidate.plan, kernels)
    assert isinstance(prepared, PreparedKernel), prepared
    outputs = []
    for output in task.outputs:
        extents, strides = concretise(output.spec, symbols)
        dtype = getattr(torch, output.spec.dtype)
        outputs.append(torch.empty_strided(extents, strides, dtype=dtype))
    assert prepared.run(ordered, symbols, outputs, OPTIONS) is None
    return outputs


def widen(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor


def assert_close(got: torch.Tensor, wide: torch.Tensor, name: str, tolerance: float) -> None:
    expected = wide.to(got.dtype)
    if not got.is_floating_point():
        assert torch.equal(got, expected), f"{name}: {got} is not {expected}"
        return
    torch.testing.assert_close(
        got.double(),
        expected.double(),
        rtol=tolerance,
        atol=tolerance,
        equal_nan=True,
        msg=lambda text: f"{name}: {text}",
    )


def check(
    names: str | Sequence[str],
    function: Function,
    inputs: Sequence[torch.Tensor],
    moves: Sequence[str] = (),
    tolerance: float = 2e-6,
) -> None:
    """Compare every output of `function` with float64; `names` name the outputs, or all of them."""
    outputs = run_on_machine(function, inputs, moves)
    golden = function(*(widen(item) for item in inputs))
    results = golden if isinstance(golden, (tuple, list)) else (golden,)
    labels = [names] * len(outputs) if isinstance(names, str) else names
    for name, got, wide in zip(labels, outputs, results, strict=True):
        assert_close(got, wide, name, tolerance)


UNARY = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal erf erfc",
    "sin cos tan atan sinh cosh tanh asinh sinc floor ceil trunc",
    "round frac sign sgn abs neg square relu relu6 sigmoid silu mish",
    "hardsigmoid hardswish selu softplus gelu elu leaky_relu hardtanh hardshrink softshrink",
    "isnan isinf isfinite signbit logical_not isposinf isneginf logit",
)
BINARY = (
    "add sub mul div maximum minimum fmax fmin eq ne lt le",
    "gt ge logical_and logical_or logical_xor atan2 hypot logaddexp xlogy copysign heaviside pow",
    "fmod remainder floor_divide",
)


@pytest.mark.parametrize("line", UNARY)
def test_unary_ops(line: str) -> None:
    names = line.split()
    ops = [getattr(aten, name) for name in names]
    check(names, lambda x: tuple(op(x) for op in ops), make_operands(1))


@pytest.mark.parametrize("line", BINARY)
def test_binary_ops(line: str) -> None:
    names = line.split()
    ops = [getattr(aten, name) for name in names]
    check(names, lambda x, y: tuple(op(x, y) for op in ops), make_operands(2), (), 1e-5)


def test_ops_on_the_unit_interval() -> None:
    names = ["asin", "acos", "atanh"]
    unit = torch.linspace(-1.0, 1.0, 331)
    check(names, lambda x: tuple(getattr(aten, name)(x) for name in names), [unit])


def test_ops_with_numbers() -> None:
    forms: dict[str, Function] = {
        "gelu tanh": lambda x: aten.gelu(x, approximate="tanh"),
        "celu": lambda x: aten.celu(x, 2.0),
        "softplus": lambda x: aten.softplus(x, 2.0, 10.0),
        "threshold": lambda x: aten.threshold(x, 0.5, 7.0),
        "clamp": lambda x: aten.clamp(x, -1.0, 2.0),
        "power 3": lambda x: aten.pow(x, 3),
        "power -2": lambda x: aten.pow(x, -2),
        "power 0.5": lambda x: aten.pow(x, 0.5),
        "power 1.7": lambda x: aten.pow(x, 1.7),
        "power of a number": lambda x: aten.pow(1.25, x),
        "rsub": lambda x: aten.rsub(x, 1.0, 2),
        "remainder": lambda x: aten.remainder(x, 4.0),
        "nan_to_num": lambda x: aten.nan_to_num(x, 1.0, 2.0, 3.0),
        "where": lambda x: aten.where(x > 0.0, x, 0.0),
        "full": lambda x: aten.full_like(x, 3.0),
    }
    check(list(forms), lambda x: tuple(form(x) for form in forms.values()), make_operands(1))


def test_ops_of_three_operands() -> None:
    forms: dict[str, Function] = {
        "addcmul": lambda x, y, z: aten.addcmul(x, y, z, value=0.5),
        "addcdiv": lambda x, y, z: aten.addcdiv(x, y, z, value=0.5),
        "lerp": lambda x, y, z: aten.lerp(x, y, z),
        "lerp by a number": lambda x, y, z: aten.lerp(x, y, 0.7) + z,
        "where": lambda x, y, z: aten.where(z > 0.0, x, y),
    }
    x, y, z = (item.nan_to_num(1.0, 1.0, 1.0) for item in make_operands(3))
    operands = [x, y, z.abs() + 0.5]
    check(
        list(forms), lambda *xyz: tuple(form(*xyz) for form in forms.values()), operands, (), 1e-5
    )


def test_gradients_of_activations() -> None:
    forms: dict[str, Function] = {
        "gelu": lambda g, x: aten.gelu_backward(g, x),
        "gelu tanh": lambda g, x: aten.gelu_backward(g, x, approximate="tanh"),
        "silu": aten.silu_backward,
        "sigmoid": aten.sigmoid_backward,
        "tanh": aten.tanh_backward,
        "threshold": lambda g, x: aten.threshold_backward(g, x, 0.0),
        "leaky_relu": lambda g, x: aten.leaky_relu_backward(g, x, 0.1, False),
        "elu": lambda g, x: aten.elu_backward(g, 1.0, 1.0, 1.0, False, x),
        "softplus": lambda g, x: aten.softplus_backward(g, x, 1.0, 20.0),
        "hardtanh": lambda g, x: aten.hardtanh_backward(g, x, -1.0, 1.0),
        "hardswish": aten.hardswish_backward,
        "hardsigmoid": aten.hardsigmoid_backward,
    }
    gradient, x = torch.linspace(-2, 2, 331), torch.linspace(-9, 9, 331).roll(50)
    check(list(forms), lambda g, x: tuple(form(g, x) for form in forms.values()), [gradient, x])


INTEGER_OPS: dict[str, Function] = {
    "add": aten.add,
    "mul": aten.mul,
    "maximum": aten.maximum,
    "floor_divide": aten.floor_divide,
    "remainder": aten.remainder,
    "fmod": aten.fmod,
    "trunc": lambda x, y: aten.div(x, y, rounding_mode="trunc"),
    "by 7": lambda x, y: aten.div(x, 7, rounding_mode="floor") + y,
    "true": aten.div,
    "lt": aten.lt,
    "and": aten.bitwise_and,
    "xor": aten.bitwise_xor,
    "not": lambda x, y: aten.bitwise_not(x) + y,
}


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.int8, torch.uint8])
def test_integer_ops_are_exact(dtype: torch.dtype) -> None:
    limits = torch.iinfo(dtype)
    x = torch.randint(limits.min, limits.max + 1, (331,), dtype=dtype)
    y = torch.randint(limits.min, limits.max + 1, (331,), dtype=dtype)
    y[y == 0] = 3
    y[:100] = torch.randint(1, 100, (100,), dtype=dtype)
    names = list(INTEGER_OPS)
    check(names, lambda x, y: tuple(op(x, y) for op in INTEGER_OPS.values()), [x, y], (), 1e-7)


@pytest.mark.parametrize("source", [torch.float32, torch.int32, torch.uint8, torch.bool])
def test_conversions(source: torch.dtype) -> None:
    targets = ["float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
    x = torch.linspace(0, 100, 331).to(source)

    def convert(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(aten._to_copy(x, dtype=getattr(torch, name)) for name in targets)

    outputs = run_on_machine(convert, [x])
    for name, got, expected in zip(targets, outputs, convert(x), strict=True):
        assert torch.equal(got, expected), name


COVERS = ((), ("loop_reduction", "halve_columns"), ("loop_reduction", "split_reduction"))

REDUCTIONS: dict[str, tuple[int, Function]] = {
    "sums": (1, lambda x: (x.sum(1), x.mean(1), (x > 1).sum(1), x.abs().prod(1))),
    "sums over rows": (1, lambda x: (x.sum(0), x.mean(0))),
    "sums over all": (1, lambda x: (x.sum(), x.mean())),
    "spreads": (1, lambda x: (*torch.var_mean(x, 1), torch.std(x, 1, correction=0))),
    "extrema": (1, lambda x: (*x.max(1), *x.min(1), x.argmax(1))),
    "extrema over rows": (1, lambda x: (x.amax(0), x.amin(0), x.argmin(0))),
    "tests": (1, lambda x: ((x > 2).any(1), (x > -2).all(1))),
    "norms": (
        1,
        lambda x: tuple(torch.linalg.vector_norm(x, p, 1) for p in (0, 1, 2, 3, math.inf)),
    ),
    "logsumexp": (1, lambda x: torch.logsumexp(x, 1)),
    "softmax": (1, lambda x: torch.softmax(x * 9, -1)),
    "softmax over rows": (1, lambda x: torch.softmax(x * 9, 0)),
    "log_softmax": (1, lambda x: torch.log_softmax(x, -1)),
    "centred": (1, lambda x: x - x.mean(0)),
    "mean squared error": (2, lambda x, y: aten.mse_loss(x, y)),
}


def flatten(function: Function) -> Function:
    def wrapped(*inputs: torch.Tensor) -> object:
        result = function(*inputs)
        return tuple(result) if isinstance(result, (tuple, list)) else result

    return wrapped


@pytest.mark.parametrize("moves", COVERS, ids=("whole", "looped", "split"))
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str, moves: tuple[str, ...]) -> None:
    count, function = REDUCTIONS[name]
    inputs = [torch.randn(13, 70, generator=torch.Generator().manual_seed(n)) for n in range(count)]
    check(name, flatten(function), inputs, moves, 1e-5)


IMAGES = torch.randn(3, 6, 5, 7, generator=torch.Generator().manual_seed(1))
CHANNELS = [torch.rand(6, generator=torch.Generator().manual_seed(n)) + 0.5 for n in range(4)]
ROW_WEIGHTS = [torch.rand(70, generator=torch.Generator().manual_seed(n)) for n in range(2)]
ROWS = torch.randn(13, 70, generator=torch.Generator().manual_seed(1)) + 3

NORMS: dict[str, tuple[Function, list[torch.Tensor]]] = {
    "layer norm": (
        lambda x, w, b: aten.native_layer_norm(x, [70], w, b, 1e-5),
        [ROWS, *ROW_WEIGHTS],
    ),
    "residual layer norm": (
        lambda x, w, b: aten.native_layer_norm(x + x * 2, [70], w, b, 1e-5)[0],
        [ROWS, *ROW_WEIGHTS],
    ),
    "rms norm": (
        lambda x, w: x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * w,
        [ROWS, ROW_WEIGHTS[0]],
    ),
    "group norm": (
        lambda x, w, b: aten.native_group_norm(x, w, b, 3, 6, 35, 2, 1e-5),
        [IMAGES, *CHANNELS[:2]],
    ),
    "instance norm": (
        lambda x: aten.native_group_norm(x, None, None, 3, 6, 35, 6, 1e-5),
        [IMAGES],
    ),
    "batch norm without running statistics": (
        lambda x, w, b: aten._native_batch_norm_legit.no_stats(x, w, b, True, 0.1, 1e-5),
        [IMAGES, *CHANNELS[:2]],
    ),
    "batch norm": (
        lambda x, w, b, m, v: torch.relu(
            aten._native_batch_norm_legit_no_training(x, w, b, m, v, 0.1, 1e-5)[0]
        ),
        [IMAGES, *CHANNELS],
    ),
    "training batch norm": (
        lambda x, w, b, m, v: aten._native_batch_norm_legit_functional(
            x, w, b, m, v, True, 0.1, 1e-5
        ),
        [IMAGES, *CHANNELS],
    ),
}


@pytest.mark.parametrize("name", NORMS)
def test_normalisations(name: str) -> None:
    function, inputs = NORMS[name]
    check(name, flatten(function), inputs, (), 1e-5)


LAYOUTS: dict[str, Callable[[], list[torch.Tensor]]] = {
    "broadcast": lambda: [torch.randn(5, 3, 17), torch.randn(3, 1)],
    "transposed": lambda: [torch.randn(37, 53), torch.randn(53, 37).t()],
    "all transposed": lambda: [torch.randn(53, 37).t(), torch.randn(53, 37).t()],
    "strided": lambda: [torch.randn(37, 106)[:, ::2], torch.randn(37, 53)],
    "expanded": lambda: [torch.randn(37, 1).expand(37, 53), torch.randn(37, 53)],
    "half precision": lambda: [torch.randn(37, 53).half(), torch.randn(53).half()],
    "mixed precision": lambda: [torch.randn(37, 53).bfloat16(), torch.randn(37, 53)],
    "zero-dimensional": lambda: [torch.randn(37, 53), torch.randn(())],
    "permuted": lambda: [torch.randn(4, 6, 10).permute(2, 0, 1), torch.randn(10, 4, 6)],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str) -> None:
    inputs = LAYOUTS[name]()
    (got,) = run_on_machine(lambda x, y: x + y * 2, inputs)
    wide = widen(inputs[0]) + widen(inputs[1]) * 2
    assert_close(got, wide, name, 1e-6 if got.dtype == torch.float32 else 1e-3)
