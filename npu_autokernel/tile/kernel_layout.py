"""Where each value of a program lives once a schedule is chosen: its level, its tile axes, its parameters.

Levels, from the outside: 0 before the loop over tiles (nothing there depends on the tile), 1 inside that loop,
2 inside the loop over chunks of the reduced axes. Both the printer and the launch plan read this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from npu_autokernel.tile.program import Axis, Compute, Load, Reduce, SizeOperand, Store, TileProgram
from npu_autokernel.tile.schedule import Schedule
from npu_autokernel.tile.sizes import multiply_sizes

Access = Load | Store


@dataclass(frozen=True)
class KernelLayout:
    """A program under a schedule."""

    program: TileProgram
    schedule: Schedule

    @cached_property
    def tiled_axes(self) -> tuple[str, ...]:
        """Names of the axes that a tile spans, rows before columns."""
        return tuple(name for name in self.schedule.blocks if name)

    @cached_property
    def looped_axes(self) -> tuple[Axis, ...]:
        """Reduced axes that are walked in chunks, outermost first."""
        if self.schedule.reduction not in ("looped", "split"):
            return ()
        return self.program.reduced_axes

    @cached_property
    def level_of_axis(self) -> dict[str, int]:
        looped = {axis.name for axis in self.looped_axes}
        return {
            axis.name: 2 if axis.name in looped else 0 if axis.is_reduced else 1
            for axis in self.program.axes
        }

    @cached_property
    def level_of(self) -> dict[str, int]:
        """The level of each load and step."""
        result: dict[str, int] = {}
        for load in self.program.loads:
            axes = self.program.axes_of[load.name]
            result[load.name] = max((self.level_of_axis[name] for name in axes), default=0)
        for step in self.program.steps:
            if isinstance(step, Reduce):
                kept = self.program.axes_of[step.name]
                result[step.name] = max([1 if kept else 0, min(result[step.operand], 1)], default=0)
            else:
                below = [result[name] for name in step.operands if isinstance(name, str)]
                own = [self.level_of_axis[name] for name in self.program.axes_of[step.name]]
                result[step.name] = max([*below, *own], default=0)
        return result

    @property
    def lowest_step_level(self) -> int:
        """Where steps stand that no tile changes: inside the loop over tiles if there is one."""
        return 1 if self.program.kept_axes else 0

    def store_level(self, store: Store) -> int:
        levels = [self.level_of_axis[name] for name in store.axes]
        return max(levels, default=self.lowest_step_level)

    def tile_axes(self, axes: Iterable[str]) -> tuple[str, ...]:
        """The tiled axes among `axes`, in tile order."""
        chosen = set(axes)
        return tuple(name for name in self.tiled_axes if name in chosen)

    def tile_axes_of(self, name: str) -> tuple[str, ...]:
        return self.tile_axes(self.program.axes_of[name])

    def is_transposed(self, access: Access) -> bool:
        """Whether the access is contiguous along the rows, so that its tile is moved transposed."""
        if len(self.tiled_axes) < 2 or not access.strides:
            return False
        rows, columns = (self.stride_of(access, name) for name in self.tiled_axes)
        return rows == "1" and columns not in ("0", "1")

    def stride_of(self, access: Access, axis: str) -> str:
        position = next(i for i, item in enumerate(self.program.axes) if item.name == axis)
        return access.strides[position] if access.strides else "0"

    @cached_property
    def size_parameters(self) -> dict[str, str]:
        """Size expression -> parameter name: extents first, then strides, then sizes used as numbers."""
        names: dict[str, str] = {}
        for axis in self.program.axes:
            names.setdefault(axis.extent, f"n{axis.name[1:]}")
        accesses: list[tuple[str, Access]] = [(load.name, load) for load in self.program.loads]
        accesses += [(f"out{store.output}", store) for store in self.program.stores]
        for owner, access in accesses:
            for axis, stride in zip(self.program.axes, access.strides, strict=False):
                if not stride.isdigit():
                    names.setdefault(stride, f"{owner}_stride{axis.name[1:]}")
        for step in self.program.steps:
            if isinstance(step, Compute):
                for operand in step.operands:
                    if isinstance(operand, SizeOperand) and not operand.expression.isdigit():
                        names.setdefault(operand.expression, f"count{len(names)}")
        if self.schedule.reduction == "split":
            count = multiply_sizes(*(axis.extent for axis in self.program.kept_axes))
            names.setdefault(count, "kept_count")
        return {text: name for text, name in names.items() if not text.isdigit()}

    def size_text(self, expression: str) -> str:
        """How the kernel names a size: its parameter, or the number itself."""
        return self.size_parameters.get(expression, expression)

    def index_name(self, axis: str) -> str:
        """The variable that holds the index (or the block of indices) along `axis`."""
        if axis == self.schedule.row_axis:
            return "row"
        return "column" if axis == self.schedule.column_axis else f"i{axis[1:]}"

    def block_name(self, axis: str) -> str:
        return "ROWS" if axis == self.schedule.row_axis else "COLUMNS"

    def mask_name(self, axes: tuple[str, ...]) -> str:
        """The variable that is true inside the extents of the tiled axes `axes`."""
        return "inside" if len(axes) > 1 else f"{self.index_name(axes[0])}_in"

    def shape_text(self, axes: tuple[str, ...]) -> str:
        """The shape of a block over tiled axes; one element for none."""
        names = [self.block_name(name) for name in axes] or ["1"]
        return f"({', '.join(names)}{',' if len(names) == 1 else ''})"

    def spread(self, text: str, own: tuple[str, ...], axes: tuple[str, ...]) -> str:
        """`text`, a block over `own` axes, given unit dimensions so that it meets blocks over `axes`."""
        if len(axes) < 2 or len(own) == 2:
            return text
        return f"{text}[None, :]" if own == axes[-1:] else f"{text}[:, None]"

    def joint_mask_lines(self, level: int) -> list[str]:
        """The mask of the whole tile, at the level where both of its indices are known."""
        axes = self.tiled_axes
        if len(axes) < 2 or max(self.level_of_axis[name] for name in axes) != level:
            return []
        row, column = (self.mask_name((name,)) for name in axes)
        return [f"inside = {row}[:, None] & {column}[None, :]"]

    def index_lines(self, axis: Axis, start: str) -> list[str]:
        """The indices along a tiled axis from `start` on, and their mask; `start` is empty for 0."""
        index, block = self.index_name(axis.name), self.block_name(axis.name)
        first = f"{start} + " if start else ""
        return [
            f"{index} = {first}tl.arange(0, {block})",
            f"{self.mask_name((axis.name,))} = {index} < {self.size_text(axis.extent)}",
        ]
