"""Real tensors against a task's specs: which numbers the symbols have in a call, and tensors made from a spec.

`SymbolReader` runs before every launch. It describes the inputs by one tuple and looks it up among those it has
seen; only a new description is checked dimension by dimension. `read_extents` is the lenient form for callers that
made the inputs themselves, `allocate` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

import torch

from npu_autokernel.graph.admission import describe_unusual_kind
from npu_autokernel.graph.strides import INT32_LIMIT, measure_span
from npu_autokernel.graph.task import KernelTask, TensorSpec
from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.size_expression import evaluate_size

Input = Union[torch.Tensor, int, float]

_PLAIN_TYPES = frozenset((torch.Tensor, torch.nn.Parameter))
_KNOWN_LIMIT = 512
_NUMBER_TYPES = {"int64": (int,), "float64": (float, int), "bool": (bool,)}


def concretise(
    spec: TensorSpec, symbols: Mapping[str, int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Sizes and strides (elements) of `spec` for these symbols."""
    return (
        tuple(evaluate_size(size, symbols) for size in spec.sizes),
        tuple(evaluate_size(stride, symbols) for stride in spec.strides),
    )


def get_dtype(name: str) -> torch.dtype:
    """torch.float16 for `float16`; raises ValueError for a name that is no dtype."""
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise ValueError(f"{name!r} is no dtype")
    return dtype


def allocate(
    spec: TensorSpec,
    symbols: Mapping[str, int],
    fill: float | torch.Tensor | None = None,
    device: str | torch.device = "cpu",
) -> torch.Tensor:
    """A tensor with the dtype, sizes and strides of `spec`, expanded and transposed ones too.

    `fill` is a number for every element, a tensor of values that broadcasts to the sizes (an expanded dimension
    takes its first entry), or None for no fill. Gaps between the elements hold NaN, or the dtype's largest
    integer, so that a kernel which reads them is seen.
    """
    sizes, strides = concretise(spec, symbols)
    dtype = get_dtype(spec.dtype)
    place = "cpu" if spec.is_host_scalar else device
    if 0 in sizes:
        return torch.empty_strided(sizes, strides, dtype=dtype, device=place)
    storage = torch.full(
        (measure_reach(sizes, strides),), _poison(dtype), dtype=dtype, device=place
    )
    tensor = storage.as_strided(sizes, strides)
    if fill is not None:
        values = torch.as_tensor(fill, device=place)
        _collapse(tensor, strides).copy_(_collapse(values.expand(sizes), strides))
    return tensor


def measure_reach(sizes: Sequence[int], strides: Sequence[int]) -> int:
    """Elements of the smallest storage that holds a tensor of these sizes and strides; sizes are not 0."""
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))


def _collapse(tensor: torch.Tensor, strides: Sequence[int]) -> torch.Tensor:
    """The first entry along each expanded dimension, so that no element is written twice."""
    for dim, stride in enumerate(strides):
        if stride == 0:
            tensor = tensor.narrow(dim, 0, 1)
    return tensor


def _poison(dtype: torch.dtype) -> float | int | bool:
    if dtype.is_floating_point:
        return float("nan")
    return True if dtype == torch.bool else torch.iinfo(dtype).max


def read_extents(task: KernelTask, inputs: Sequence[Input]) -> dict[str, int]:
    """The symbols' values from the sizes and strides of `inputs`, which are trusted to fit the specs.

    Raises ValueError where the number of inputs or a rank is not the task's.
    """
    if len(inputs) != len(task.inputs):
        raise ValueError(f"the task has {len(task.inputs)} inputs and {len(inputs)} came")
    symbols: dict[str, int] = {}
    for spec, value in zip(task.inputs, inputs, strict=True):
        if not isinstance(value, torch.Tensor):
            continue
        if value.dim() != len(spec.sizes):
            raise ValueError(f"an input has rank {value.dim()} and not {len(spec.sizes)}")
        for name, extent in zip(spec.sizes, value.shape, strict=True):
            if name.isidentifier():
                symbols.setdefault(name, extent)
        for name, stride in zip(spec.strides, value.stride(), strict=True):
            if name.isidentifier():
                symbols.setdefault(name, stride)
    return symbols


class SymbolReader:
    """Reads the symbols of one task from real inputs, or says why they do not fit.

    With `device`, tensors must be there; without it they must be on one device. Host scalars are numbers or 0-d
    CPU tensors.
    """

    def __init__(self, task: KernelTask, device: torch.device | None = None) -> None:
        self._task = task
        self._device = device
        self._dtypes = [get_dtype(spec.dtype) for spec in task.inputs]
        self._known: dict[tuple[Any, ...], dict[str, int] | Refusal] = {}

    def read(self, inputs: Sequence[Any]) -> dict[str, int] | Refusal:
        """The symbols' values, or a Refusal. The dict is shared between calls: do not change it."""
        try:
            # One tuple per input, inline: this line is the cost of a call.
            key = tuple(
                [
                    (value.dtype, value.shape, value.stride(), value.device, value.is_neg())
                    if type(value) in _PLAIN_TYPES
                    else _describe(value)
                    for value in inputs
                ]
            )
        except (RuntimeError, NotImplementedError):  # a layout without strides
            return self._check(inputs)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _KNOWN_LIMIT:
                self._known.clear()
            known = self._known[key] = self._check(inputs)
        return known

    def _check(self, inputs: Sequence[Input]) -> dict[str, int] | Refusal:
        if len(inputs) != len(self._task.inputs):
            return _refuse(len(inputs), f"the task has {len(self._task.inputs)} inputs")
        symbols: dict[str, int] = {}
        device = self._device
        for position, (spec, value) in enumerate(zip(self._task.inputs, inputs, strict=True)):
            detail = self._check_kind(position, spec, value, device)
            if detail is None and isinstance(value, torch.Tensor):
                device = device if spec.is_host_scalar else value.device
                detail = _check_sizes(spec, value, symbols) or _check_strides(spec, value, symbols)
            if detail is not None:
                return _refuse(position, detail)
        return self._check_index_bits(inputs, symbols) or symbols

    def _check_kind(
        self, position: int, spec: TensorSpec, value: Input, device: torch.device | None
    ) -> str | None:
        if not isinstance(value, torch.Tensor):
            fits = spec.is_host_scalar and type(value) in _NUMBER_TYPES.get(spec.dtype, ())
            return None if fits else f"a {type(value).__name__} where {spec.dtype} is asked"
        kind = describe_unusual_kind(value)
        if kind is not None:
            return f"a {kind} tensor"
        if value.dtype != self._dtypes[position]:
            return f"dtype {value.dtype} and not {spec.dtype}"
        if spec.is_host_scalar:
            return None if value.device.type == "cpu" else "a device tensor where a number is asked"
        if device is not None and value.device != device:
            return f"device {value.device} and not {device}"
        return None

    def _check_index_bits(
        self, inputs: Sequence[Input], symbols: Mapping[str, int]
    ) -> Refusal | None:
        if self._task.index_bits == 64:
            return None
        spans = [
            measure_span(value.shape, value.stride())
            for value in inputs
            if isinstance(value, torch.Tensor)
        ]
        results = [spec for op in self._task.ops for spec in op.results]
        spans += [measure_span(*concretise(spec, symbols)) for spec in results]
        if max(spans, default=0) < INT32_LIMIT:
            return None
        return _refuse(0, "a tensor needs 64-bit indices")


def _describe(value: Input) -> tuple[Any, ...]:
    if isinstance(value, torch.Tensor):
        stride = value.stride()
        return (type(value), value.dtype, value.shape, stride, value.device, value.is_neg())
    return (type(value),)


def _check_sizes(spec: TensorSpec, value: torch.Tensor, symbols: dict[str, int]) -> str | None:
    if value.dim() != len(spec.sizes):
        return f"rank {value.dim()} and not {len(spec.sizes)}"
    for size, extent in zip(spec.sizes, value.shape, strict=True):
        if size.isdecimal():
            if extent != int(size):
                return f"extent {extent} where {size} is asked"
        elif extent < 2:
            return f"extent {extent} where two or more is asked"
        elif symbols.setdefault(size, extent) != extent:
            return f"extent {extent} where {size} is {symbols[size]}"
    return None


def _check_strides(spec: TensorSpec, value: torch.Tensor, symbols: dict[str, int]) -> str | None:
    steps = [
        (expression, stride)
        for expression, stride, extent in zip(
            spec.strides, value.stride(), value.shape, strict=True
        )
        if extent != 1
    ]
    for expression, stride in steps:  # free strides first: products name them
        if expression.isidentifier():
            symbols.setdefault(expression, stride)
    for expression, stride in steps:
        expected = evaluate_size(expression, symbols)
        if stride != expected:
            return f"stride {stride} where {expression} is {expected}"
    return None


def _refuse(position: int, detail: str) -> Refusal:
    return refuse("region.input", input=position, detail=detail)
