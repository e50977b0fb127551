"""Writes the body of one Triton kernel, line by line, for a program under a schedule.

A value is printed at its level (see `kernel_layout`) the first time it is needed there. Within a tile a value spans
just the tiled axes that it varies over; where it meets a wider one, `[:, None]` or `[None, :]` spreads it. Values
without tiled axes are blocks of one element. Lanes outside the extents hold what the load's `other` makes of them
(see `padding`); before a reduction they are replaced by its neutral element where that is not what they hold.
"""

from __future__ import annotations

from collections import Counter

from npu_autokernel.tile.dtypes import is_float
from npu_autokernel.tile.kernel_layout import Access, KernelLayout
from npu_autokernel.tile.padding import find_padding, neutral_element, print_number
from npu_autokernel.tile.primitives import PRIMITIVES
from npu_autokernel.tile.program import (
    Axis,
    Compute,
    Load,
    Operand,
    Reduce,
    SizeOperand,
    Step,
    Store,
)

MAX_INLINE_LENGTH = 56
INDENT = "    "


class KernelWriter:
    """Collects the lines of the three levels; `write_body` puts them together."""

    def __init__(self, layout: KernelLayout) -> None:
        self.layout = layout
        self.program = layout.program
        self.schedule = layout.schedule
        self.items: dict[str, Load | Step] = {
            item.name: item for item in (*self.program.loads, *self.program.steps)
        }
        self.padding = find_padding(self.program, layout)
        self.lines: list[list[str]] = [[], [], []]
        self.known: list[set[str]] = [set(), set(), set()]
        self.inlined: dict[str, str] = {}
        self.use_counts = self._count_uses()
        self._user_levels = self._find_user_levels()

    def write_body(self) -> list[str]:
        """All lines of the kernel's body, without the indentation of the function."""
        self._write_reduced_indices()
        self._write_phases()
        self._write_stores(level=1)
        has_tile_loop = bool(self.program.kept_axes)
        if not has_tile_loop:
            return [*self.lines[0], *self.lines[1]]
        setup, loop, decode = self._tile_loop()
        inside = [INDENT + line for line in (*decode, *self.lines[1])]
        return [*setup, *self.lines[0], loop, *inside]

    # ---- names of indices, blocks and masks

    def index_name(self, axis: str) -> str:
        if axis == self.schedule.row_axis:
            return "row"
        return "column" if axis == self.schedule.column_axis else f"i{axis[1:]}"

    def block_name(self, axis: str) -> str:
        return "ROWS" if axis == self.schedule.row_axis else "COLUMNS"

    def mask_name(self, axes: tuple[str, ...]) -> str:
        return "inside" if len(axes) > 1 else f"{self.index_name(axes[0])}_in"

    def extent_text(self, axis: Axis) -> str:
        return self.layout.size_text(axis.extent)

    # ---- loops and indices

    def _tile_loop(self) -> tuple[list[str], str, list[str]]:
        """Lines before the loop over tiles, its head, and the decoding of the tile number into indices."""
        setup: list[str] = []
        counts: list[str] = []
        for axis in self.program.kept_axes:
            if axis.name not in self.layout.tiled_axes:
                counts.append(self.extent_text(axis))
                continue
            name = f"{self.index_name(axis.name)}_tiles"
            setup.append(f"{name} = tl.cdiv({self.extent_text(axis)}, {self.block_name(axis.name)})")
            counts.append(name)
        head = f"for tile in range(tl.program_id(0), {' * '.join(counts)}, tl.num_programs(0)):"
        return setup, head, self._decode_tile(counts)

    def _decode_tile(self, counts: list[str]) -> list[str]:
        lines: list[str] = []
        rest = "tile"
        for position in range(len(counts) - 1, -1, -1):
            axis = self.program.kept_axes[position]
            number = rest if position == 0 else f"{rest} % {counts[position]}"
            lines += self._index_lines(axis, number)
            if position > 0:
                lines.append(f"rest = {rest} // {counts[position]}")
                rest = "rest"
        return lines + self._joint_mask_lines(level=1)

    def _index_lines(self, axis: Axis, number: str) -> list[str]:
        index = self.index_name(axis.name)
        if axis.name not in self.layout.tiled_axes:
            return [f"{index} = {number}"]
        block = self.block_name(axis.name)
        number = f"({number})" if "%" in number else number
        return [
            f"{index} = {number} * {block} + tl.arange(0, {block})",
            f"{self.mask_name((axis.name,))} = {index} < {self.extent_text(axis)}",
        ]

    def _joint_mask_lines(self, level: int) -> list[str]:
        """The mask of the whole tile, at the level where both of its indices are known."""
        axes = self.layout.tiled_axes
        if len(axes) < 2 or max(self.layout.level_of_axis[name] for name in axes) != level:
            return []
        row, column = (self.mask_name((name,)) for name in axes)
        return [f"inside = {row}[:, None] & {column}[None, :]"]

    def _write_reduced_indices(self) -> None:
        """Indices of reduced axes that lie whole in the tile: level 0."""
        if self.schedule.reduction != "whole":
            return
        for axis in self.program.reduced_axes:
            index, block = self.index_name(axis.name), self.block_name(axis.name)
            self.lines[0].append(f"{index} = tl.arange(0, {block})")
            mask = self.mask_name((axis.name,))
            self.lines[0].append(f"{mask} = {index} < {self.extent_text(axis)}")
        self.lines[0] += self._joint_mask_lines(level=0)

    # ---- phases

    def _write_phases(self) -> None:
        if self.schedule.reduction != "looped":
            return
        phases = 1 + max(self.program.phase_of[step.operand] for step in self.program.reductions)
        for phase in range(phases):
            steps = [
                step
                for step in self.program.reductions
                if self.program.phase_of[step.operand] == phase
            ]
            self._write_reduction_loop(steps)
        self._write_store_loop()

    def _write_reduction_loop(self, steps: list[Reduce]) -> None:
        self._open_loop()
        updates = []
        for step in steps:
            operand = self._neutral_outside(step)
            updates.append(_accumulate(step, operand))
        for step in steps:
            axes = self._accumulator_axes(step)
            shape = self._shape_text(axes)
            neutral = print_number(neutral_element(step.op, step.dtype))
            self.lines[1].append(f"{step.name}_part = tl.full({shape}, {neutral}, tl.{step.dtype})")
        self.lines[2] += updates
        self._close_loop()
        for step in steps:
            text = self._reduce_text(step, f"{step.name}_part", self._accumulator_axes(step))
            self.lines[1].append(f"{step.name} = {text}")
            self.known[1].add(step.name)

    def _accumulator_axes(self, step: Reduce) -> tuple[str, ...]:
        looped = [axis.name for axis in self.layout.looped_axes]
        return self.layout.tile_axes({*self.program.axes_of[step.operand], *looped})

    def _write_store_loop(self) -> None:
        stores = [store for store in self.program.stores if self._store_level(store) == 2]
        if not stores:
            return
        self._open_loop()
        for store in stores:
            self.lines[2].append(self._store_text(store))
        self._close_loop()

    def _open_loop(self) -> None:
        self.lines[2] = []
        self.known[2] = set()
        self.inlined = {}

    def _close_loop(self) -> None:
        """Move the loop body to the tile level, inside one `for` per looped axis."""
        body = [*self._joint_mask_lines(level=2), *self.lines[2]]
        for axis in reversed(self.layout.looped_axes):
            index = self.index_name(axis.name)
            extent = self.extent_text(axis)
            if axis.name in self.layout.tiled_axes:
                block = self.block_name(axis.name)
                start = f"{index}_start"
                inner = [
                    f"{index} = {start} + tl.arange(0, {block})",
                    f"{self.mask_name((axis.name,))} = {index} < {extent}",
                    *body,
                ]
                head = f"for {start} in range(0, {extent}, {block}):"
            else:
                inner = body
                head = f"for {index} in range(0, {extent}):"
            body = [head, *(INDENT + line for line in inner)]
        self.lines[1] += body
        self.lines[2] = []

    # ---- stores

    def _write_stores(self, level: int) -> None:
        for store in self.program.stores:
            if self._store_level(store) <= level:
                self.lines[1].append(self._store_text(store))

    def _store_level(self, store: Store) -> int:
        return max((self.layout.level_of_axis[name] for name in store.axes), default=0)

    def _store_text(self, store: Store) -> str:
        axes = self.layout.tile_axes(store.axes)
        value = self._stored_value(store, axes)
        place = self._pointer_text(f"out{store.output}", store, axes)
        mask = self._mask_text(store, axes)
        if self.layout.is_transposed(store) and len(axes) == 2:
            value = f"tl.trans({value})"
        return f"tl.store({place}, {value}{mask})"

    def _stored_value(self, store: Store, axes: tuple[str, ...]) -> str:
        if not isinstance(store.value, str):
            number = print_number(store.value) if not isinstance(store.value, SizeOperand) else "0"
            dtype = "int1" if store.dtype == "bool" else store.dtype
            return f"tl.full({self._shape_text(axes)}, {number}, tl.{dtype})"
        text = self._operand_text(store.value, axes)
        if self.layout.tile_axes_of(store.value) != axes:
            text = f"tl.broadcast_to({text}, {self._shape_text(axes)})"
        return text

    # ---- values

    def _need(self, name: str) -> None:
        """Print the definition of `name` at its level unless that is done."""
        level = self._print_level(name)
        if name in self.known[level] or name in self.inlined:
            return
        item = self.items[name]
        text = self._definition_text(item)
        if self._may_inline(item, text):
            self.inlined[name] = text
            return
        self.lines[level].append(f"{name} = {text}")
        self.known[level].add(name)

    def _print_level(self, name: str) -> int:
        item = self.items[name]
        level = self.layout.level_of[name]
        if level == 0 and not isinstance(item, Load):
            return 1 if self.program.kept_axes else 0
        return level

    def _may_inline(self, item: Load | Step, text: str) -> bool:
        if not isinstance(item, Compute) or self.use_counts[item.name] != 1:
            return False
        if self._print_level(item.name) != self._user_levels[item.name]:
            return False
        return len(text) <= MAX_INLINE_LENGTH and item.op != "constant"

    def _definition_text(self, item: Load | Step) -> str:
        if isinstance(item, Load):
            return self._load_text(item)
        if isinstance(item, Reduce):
            axes = self.layout.tile_axes_of(item.operand)
            wanted = self._accumulator_axes_whole(item)
            operand = self._neutral_outside(item)
            return self._reduce_text(item, operand, wanted if wanted != axes else axes)
        return self._compute_text(item)

    def _accumulator_axes_whole(self, step: Reduce) -> tuple[str, ...]:
        reduced = [axis.name for axis in self.program.reduced_axes]
        return self.layout.tile_axes({*self.program.axes_of[step.operand], *reduced})

    def _compute_text(self, step: Compute) -> str:
        if step.op == "constant":
            number = step.operands[0]
            assert isinstance(number, (bool, int, float))
            dtype = "int1" if step.dtype == "bool" else step.dtype
            return f"tl.full((1,), {print_number(number)}, tl.{dtype})"
        if step.op == "index":
            return self._index_text()
        axes = self.layout.tile_axes_of(step.name)
        primitive = PRIMITIVES[step.op]
        texts = [
            self._operand_text(operand, axes, is_in_infix=primitive.is_infix or "{}.to" in primitive.text)
            for operand in step.operands
        ]
        if step.op == "where" and all(not isinstance(item, str) for item in step.operands[1:]):
            dtype = step.dtype
            texts[1] = f"tl.full({self._ones_text(axes)}, {texts[1]}, tl.{dtype})"
        return primitive.text.format(*texts)

    def _index_text(self) -> str:
        """The number of an element among the reduced ones, in row-major order."""
        axes = self.layout.tile_axes(axis.name for axis in self.program.reduced_axes)
        text = ""
        for axis in self.program.reduced_axes:
            index = self._spread(self.index_name(axis.name), (axis.name,), axes)
            text = f"({text}) * {self.extent_text(axis)} + {index}" if text else index
        return text

    def _operand_text(
        self, operand: Operand, axes: tuple[str, ...], is_in_infix: bool = False
    ) -> str:
        """An operand spread over the tile axes `axes`, in parentheses where precedence asks for them."""
        if isinstance(operand, SizeOperand):
            return self.layout.size_text(operand.expression)
        if not isinstance(operand, str):
            text = print_number(operand)
            return f"({text})" if text.startswith("-") and is_in_infix else text
        self._need(operand)
        own = self.layout.tile_axes_of(operand)
        text = self.inlined.get(operand, operand)
        step = self.items[operand]
        is_bare = text == operand or not _is_infix(step)
        needs_spread = self._rank(own) != self._rank(axes)
        if not is_bare and (is_in_infix or needs_spread):
            text = f"({text})"
        return self._spread(text, own, axes)

    def _rank(self, axes: tuple[str, ...]) -> int:
        return max(len(axes), 1)

    def _spread(self, text: str, own: tuple[str, ...], axes: tuple[str, ...]) -> str:
        """`text`, a block over `own` axes, given unit dimensions so that it meets blocks over `axes`."""
        if len(axes) < 2 or len(own) == 2:
            return text
        is_column = own == (self.layout.tiled_axes[-1],)
        return f"{text}[None, :]" if is_column else f"{text}[:, None]"

    def _shape_text(self, axes: tuple[str, ...]) -> str:
        names = [self.block_name(name) for name in axes] or ["1"]
        return f"({', '.join(names)}{',' if len(names) == 1 else ''})"

    def _ones_text(self, axes: tuple[str, ...]) -> str:
        return "(1, 1)" if len(axes) == 2 else "(1,)"

    # ---- loads

    def _load_text(self, load: Load) -> str:
        if load.is_host_scalar:
            dtype = "float32" if is_float(load.dtype) else load.dtype
            dtype = "int1" if dtype == "bool" else dtype
            return f"tl.full((1,), {load.name}_value, tl.{dtype})"
        axes = self.layout.tile_axes_of(load.name)
        place = self._pointer_text(load.name, load, axes)
        mask = self._mask_text(load, axes)
        other = self.padding.others.get(load.name)
        if mask and other is not None:
            mask += f", other={print_number(int(other) if other is False else other)}"
        text = f"tl.load({place}{mask})"
        if self.layout.is_transposed(load) and len(axes) == 2:
            text = f"tl.trans({text})"
        if load.dtype in ("float16", "bfloat16"):
            text += ".to(tl.float32)"
        if load.dtype == "bool":
            text += " != 0"
        return text

    def _pointer_text(self, base: str, access: Access, axes: tuple[str, ...]) -> str:
        is_transposed = self.layout.is_transposed(access) and len(axes) == 2
        terms = [f"{base}_ptr"]
        for axis in self.program.axes:
            stride = self.layout.stride_of(access, axis.name)
            if stride == "0":
                continue
            index = self.index_name(axis.name)
            if axis.name in axes and len(axes) == 2:
                is_first = (axis.name == axes[0]) != is_transposed
                index += "[:, None]" if is_first else "[None, :]"
            terms.append(index if stride == "1" else f"{index} * {self.layout.size_text(stride)}")
        if not axes:
            terms.append("tl.arange(0, 1)")
        return " + ".join(terms)

    def _mask_text(self, access: Access, axes: tuple[str, ...]) -> str:
        if not axes:
            return ""
        if self.layout.is_transposed(access) and len(axes) == 2:
            row, column = (self.mask_name((name,)) for name in axes)
            return f", mask={column}[:, None] & {row}[None, :]"
        return f", mask={self.mask_name(axes)}"

    # ---- reductions

    def _neutral_outside(self, step: Reduce) -> str:
        """The operand over the whole reduced tile, with the neutral element in lanes outside the extents."""
        reduced = [axis.name for axis in self.program.reduced_axes]
        wanted = self._accumulator_axes_whole(step)
        own = self.layout.tile_axes_of(step.operand)
        text = self._operand_text(step.operand, wanted)
        if own != wanted:
            text = f"tl.broadcast_to({text}, {self._shape_text(wanted)})"
        neutral = neutral_element(step.op, step.dtype)
        if self.padding.is_neutral(step) and own == wanted:
            return text
        masked = self.layout.tile_axes(reduced)
        if not masked:
            return text
        if len(masked) == 2:
            mask = "inside"
        else:
            mask = self._spread(self.mask_name(masked), masked, wanted)
        return f"tl.where({mask}, {text}, {print_number(neutral)})"

    def _reduce_text(self, step: Reduce, operand: str, axes: tuple[str, ...]) -> str:
        """Reduce a block over `axes` along its reduced axes, innermost first; at least one dimension stays."""
        reduced = {axis.name for axis in self.program.reduced_axes}
        text = operand
        remaining = list(axes)
        for name in reversed(axes):
            if name not in reduced:
                continue
            position = remaining.index(name)
            remaining.remove(name)
            keep = ", keep_dims=True" if not remaining else ""
            if step.op == "prod":
                text = f"tl.reduce({text}, {position}, multiply{keep})"
            else:
                text = f"tl.{step.op}({text}, {position}{keep})"
        return text

    def _find_user_levels(self) -> dict[str, int]:
        """For each value, the level of its last user; a reduction uses its operand where that lives."""
        levels: dict[str, int] = {}
        for step in self.program.steps:
            if isinstance(step, Reduce):
                levels[step.operand] = self._print_level(step.operand)
                continue
            for operand in step.operands:
                if isinstance(operand, str):
                    levels[operand] = self._print_level(step.name)
        for store in self.program.stores:
            if isinstance(store.value, str):
                levels[store.value] = max(self._store_level(store), 1 if self.program.kept_axes else 0)
        return levels

    def _count_uses(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for step in self.program.steps:
            operands = (step.operand,) if isinstance(step, Reduce) else step.operands
            counts.update(operand for operand in operands if isinstance(operand, str))
        counts.update(store.value for store in self.program.stores if isinstance(store.value, str))
        return counts


def _is_infix(item: Load | Step) -> bool:
    return isinstance(item, Compute) and item.op in PRIMITIVES and PRIMITIVES[item.op].is_infix


def _accumulate(step: Reduce, operand: str) -> str:
    part = f"{step.name}_part"
    if step.op == "sum":
        return f"{part} += {operand}"
    if step.op == "prod":
        return f"{part} *= {operand}"
    function = "tl.maximum" if step.op == "max" else "tl.minimum"
    return f"{part} = {function}({part}, {operand}, propagate_nan=tl.PropagateNan.ALL)"
