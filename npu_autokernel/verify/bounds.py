"""The two bounds a measurement is read against, from a task's traffic and the chip's table.

Roofline: the fused task reads its inputs and writes its outputs once at the achieved HBM rates, starting with a cold
L2 in which writes stay if everything fits, and does its matrix work at the cube's peak, padded to fractals.

Expert eager: every op of the task alone, its tensors read and written once. A result that fits L2 stays there for the
next op; matrix work runs at 75 % of the cube's peak. One launch per op.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from npu_autokernel.graph.binding import concretise, get_dtype
from npu_autokernel.graph.interpreter import list_refs
from npu_autokernel.graph.task import KernelTask, OpCall, TensorSpec, ValueRef
from npu_autokernel.machine.soc import SocTable
from npu_autokernel.measurement import Bound

CUBE_SHARE = 0.75  # the best whole-kernel share of peak documented for this chip
FRACTAL = 16
BYTES_PER_CORE = 16 * 1024  # an expert gives a core at least this much work

# Ops that move no data.
VIEW_OPS = frozenset(
    f"aten.{name}"
    for name in (
        "alias.default",
        "expand.default",
        "permute.default",
        "reshape.default",
        "select.int",
        "slice.Tensor",
        "squeeze.dim",
        "squeeze.dims",
        "t.default",
        "transpose.int",
        "unsqueeze.default",
        "view.default",
        "_unsafe_view.default",
    )
)
# Ops on the cube: positions of the two factors among the arguments.
MATMUL_OPS = {"aten.mm.default": (0, 1), "aten.bmm.default": (0, 1), "aten.addmm.default": (1, 2)}


@dataclass(frozen=True)
class Traffic:
    """What a fused task must at least move and compute: bytes from and to GM, padded cube flops, all flops."""

    bytes_read: int
    bytes_written: int
    cube_flops: int
    cube_dtype: str
    flops: int


def count_traffic(task: KernelTask, symbols: Mapping[str, int]) -> Traffic:
    """The traffic of the whole task as one kernel."""
    specs = _list_specs(task)
    cube = [count_cube_flops(op, specs, symbols) for op in task.ops]
    flops = sum(_count_flops(op, specs, symbols) for op in task.ops) + sum(cube)
    return Traffic(
        bytes_read=sum(count_bytes(spec, symbols) for spec in task.inputs),
        bytes_written=sum(count_bytes(output.spec, symbols) for output in task.outputs),
        cube_flops=sum(cube),
        cube_dtype=task.inputs[0].dtype if task.inputs else "float32",
        flops=flops,
    )


def bound_by_roofline(traffic: Traffic, soc: SocTable) -> Bound:
    """The physical bound of the fused task in microseconds; its launch is that of a single core."""
    memory_us = _move_us(traffic.bytes_read, 0, traffic.bytes_written, soc)
    cube_us = _multiply_us(traffic.cube_flops, traffic.cube_dtype, soc)
    work_us = max(memory_us, cube_us)
    return Bound(work_us, work_us + soc.launch_one_core_us)


def bound_by_expert_eager(task: KernelTask, symbols: Mapping[str, int], soc: SocTable) -> Bound:
    """Every op of the task alone, in microseconds."""
    specs = _list_specs(task)
    in_l2: set[str] = set()
    work_us = launches_us = 0.0
    for op in task.ops:
        if op.target in VIEW_OPS:
            continue
        work_us += _run_alone_us(op, specs, symbols, soc, in_l2)
        touched = _count_touched(op, specs, symbols)
        use = "cube" if op.target in MATMUL_OPS else "vector"
        cores = math.ceil(touched / BYTES_PER_CORE)
        launches_us += soc.launch_overhead_us(use, min(cores, soc.cores_of(use)))  # type: ignore[arg-type]
        in_l2 |= {ref.name for ref in list_refs(op)} | {op.name}
    return Bound(work_us, work_us + launches_us)


def count_bytes(spec: TensorSpec, symbols: Mapping[str, int]) -> int:
    """Bytes of the distinct elements of a tensor; a host scalar is passed by value."""
    if spec.is_host_scalar:
        return 0
    sizes, strides = concretise(spec, symbols)
    distinct = math.prod(
        size for size, stride in zip(sizes, strides, strict=True) if stride or size == 0
    )
    return distinct * get_dtype(spec.dtype).itemsize


def count_cube_flops(
    op: OpCall, specs: Mapping[str, tuple[TensorSpec, ...]], symbols: Mapping[str, int]
) -> int:
    """Two flops per multiply-add of a matrix product, extents padded to fractals; 0 for other ops."""
    if op.target not in MATMUL_OPS:
        return 0
    left, right = (op.arguments[position] for position in MATMUL_OPS[op.target])
    assert isinstance(left, ValueRef) and isinstance(right, ValueRef)
    left_sizes, _ = concretise(_find_spec(left, specs), symbols)
    right_sizes, _ = concretise(_find_spec(right, specs), symbols)
    rows, inner = (_pad(size) for size in left_sizes[-2:])
    return 2 * math.prod(left_sizes[:-2]) * rows * inner * _pad(right_sizes[-1])


def _run_alone_us(
    op: OpCall,
    specs: Mapping[str, tuple[TensorSpec, ...]],
    symbols: Mapping[str, int],
    soc: SocTable,
    in_l2: set[str],
) -> float:
    cold = warm = 0
    for ref in set(list_refs(op)):
        size = count_bytes(_find_spec(ref, specs), symbols)
        if ref.name in in_l2 and size <= soc.l2_bytes:
            warm += size
        else:
            cold += size
    written = sum(count_bytes(spec, symbols) for spec in op.results)
    dtype = op.results[0].dtype
    cube_us = _multiply_us(count_cube_flops(op, specs, symbols), dtype, soc) / CUBE_SHARE
    return max(_move_us(cold, warm, written, soc), cube_us)


def _count_touched(
    op: OpCall, specs: Mapping[str, tuple[TensorSpec, ...]], symbols: Mapping[str, int]
) -> int:
    read = (count_bytes(_find_spec(ref, specs), symbols) for ref in set(list_refs(op)))
    return sum(read) + sum(count_bytes(spec, symbols) for spec in op.results)


def _move_us(cold: int, warm: int, written: int, soc: SocTable) -> float:
    """The memory's time: all bytes pass L2, cold ones come from HBM, written ones go there if L2 overflows."""
    everything = cold + warm + written
    l2_us = everything / (soc.l2_read_write_tbps * 1e6)
    read_us = cold / (soc.hbm_read_tbps * 1e6)
    if everything <= soc.l2_bytes:
        return max(l2_us, read_us)
    return max(l2_us, read_us, (cold + written) / (soc.hbm_read_write_tbps * 1e6))


def _multiply_us(flops: int, dtype: str, soc: SocTable) -> float:
    return flops / (soc.cube_peak_tflops(dtype) * 1e6)


def _count_flops(
    op: OpCall, specs: Mapping[str, tuple[TensorSpec, ...]], symbols: Mapping[str, int]
) -> int:
    """One flop per element of the largest tensor of an op; a plain convention for reports."""
    if op.target in VIEW_OPS or op.target in MATMUL_OPS:
        return 0
    tensors = [*op.results, *(_find_spec(ref, specs) for ref in list_refs(op))]
    return max(math.prod(concretise(spec, symbols)[0]) for spec in tensors)


def _list_specs(task: KernelTask) -> dict[str, tuple[TensorSpec, ...]]:
    specs = {f"x{number}": (spec,) for number, spec in enumerate(task.inputs)}
    return specs | {op.name: op.results for op in task.ops}


def _find_spec(ref: ValueRef, specs: Mapping[str, tuple[TensorSpec, ...]]) -> TensorSpec:
    return specs[ref.name][ref.item or 0]


def _pad(size: int) -> int:
    return -(-size // FRACTAL) * FRACTAL
