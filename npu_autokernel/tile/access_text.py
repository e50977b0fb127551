"""How a kernel reads and writes memory: pointers, masks, loads, stores, as Triton text.

A tile is moved by one access. Strides that are 1 are left out of the arithmetic, so the compiler sees them. An
access that is contiguous along the rows moves its tile transposed.
"""

from __future__ import annotations

from npu_autokernel.tile.dtypes import is_float
from npu_autokernel.tile.kernel_layout import Access, KernelLayout
from npu_autokernel.tile.padding import print_number
from npu_autokernel.tile.program import Load, Number, Store


def print_load(layout: KernelLayout, load: Load, other: Number | None) -> str:
    """A load over the tile, `other` outside of the extents; 16-bit floats become float32."""
    if load.is_host_scalar:
        return _print_host_scalar(load)
    axes = layout.tile_axes_of(load.name)
    mask = _print_mask(layout, load, axes)
    if mask and other is not None:
        mask += f", other={print_number(int(other) if other is False else other)}"
    text = f"tl.load({_print_place(layout, load.name, load, axes)}{mask})"
    if _is_moved_transposed(layout, load, axes):
        text = f"tl.trans({text})"
    if load.dtype in ("float16", "bfloat16"):
        return f"{text}.to(tl.float32)"
    return f"{text} != 0" if load.dtype == "bool" else text


def print_store(layout: KernelLayout, store: Store, value: str) -> str:
    """A store of `value`, a block over the store's tiled axes; the pointer's dtype converts it."""
    axes = layout.tile_axes(store.axes)
    if _is_moved_transposed(layout, store, axes):
        value = f"tl.trans({value})"
    place = _print_place(layout, f"out{store.output}", store, axes)
    return f"tl.store({place}, {value}{_print_mask(layout, store, axes)})"


def _print_host_scalar(load: Load) -> str:
    dtype = "float32" if is_float(load.dtype) else load.dtype
    dtype = "int1" if dtype == "bool" else dtype
    return f"tl.full((1,), {load.name}_value, tl.{dtype})"


def _is_moved_transposed(layout: KernelLayout, access: Access, axes: tuple[str, ...]) -> bool:
    return len(axes) == 2 and layout.is_transposed(access)


def _print_place(layout: KernelLayout, base: str, access: Access, axes: tuple[str, ...]) -> str:
    is_transposed = _is_moved_transposed(layout, access, axes)
    terms = [f"{base}_ptr"]
    for axis in layout.program.axes:
        stride = layout.stride_of(access, axis.name)
        if stride == "0":
            continue
        index = layout.index_name(axis.name)
        if axis.name in axes and len(axes) == 2:
            is_first = (axis.name == axes[0]) != is_transposed
            index += "[:, None]" if is_first else "[None, :]"
        terms.append(index if stride == "1" else f"{index} * {layout.size_text(stride)}")
    if not axes:
        terms.append("tl.arange(0, 1)")
    return " + ".join(terms)


def _print_mask(layout: KernelLayout, access: Access, axes: tuple[str, ...]) -> str:
    if not axes:
        return ""
    if _is_moved_transposed(layout, access, axes):
        row, column = (layout.mask_name((name,)) for name in axes)
        return f", mask={column}[:, None] & {row}[None, :]"
    return f", mask={layout.mask_name(axes)}"
