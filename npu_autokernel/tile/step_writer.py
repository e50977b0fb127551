"""Writes steps: the Triton text of pointwise arithmetic and reductions, defined once per level or inlined.

Within a tile a value spans just the tiled axes that it varies over; where it meets a wider one, `[:, None]` or
`[None, :]` spreads it. Values without tiled axes are blocks of one element. Lanes outside the extents hold what
`padding` says; before a reduction they get its neutral element where that is not what they hold.
"""

from __future__ import annotations

from collections import Counter

from npu_autokernel.tile.access_text import print_load
from npu_autokernel.tile.kernel_layout import KernelLayout
from npu_autokernel.tile.padding import find_padding, neutral_element, print_number
from npu_autokernel.tile.partials import print_combination
from npu_autokernel.tile.primitives import ATOM, PRIMITIVES
from npu_autokernel.tile.program import Compute, Load, Operand, Reduce, SizeOperand, Step

MAX_INLINE_LENGTH = 56


class StepWriter:
    """Lines of the three levels, and which values each level has defined."""

    def __init__(self, layout: KernelLayout) -> None:
        self.layout = layout
        self.program = layout.program
        self.items: dict[str, Load | Step] = {
            item.name: item for item in (*self.program.loads, *self.program.steps)
        }
        self.padding = find_padding(self.program, layout)
        self.lines: list[list[str]] = [[], [], []]
        self.known: list[set[str]] = [set(), set(), set()]
        self.inlined: dict[str, str] = {}
        self.use_counts = self._count_uses()
        self.user_levels = self._find_user_levels()

    def open_loop(self) -> None:
        """Forget what level 2 defined: each loop defines its values anew."""
        self.lines[2], self.known[2], self.inlined = [], set(), {}

    def operand_text(self, operand: Operand, axes: tuple[str, ...], precedence: int = 0) -> str:
        """An operand spread over the tile axes `axes`; in parentheses if it binds weaker than `precedence`."""
        if isinstance(operand, SizeOperand):
            return self.layout.size_text(operand.expression)
        if not isinstance(operand, str):
            text = print_number(operand)
            return f"({text})" if text.startswith("-") and precedence > 0 else text
        self._define(operand)
        text = self.inlined.get(operand, operand)
        own = self.layout.tile_axes_of(operand)
        spread = self.layout.spread("", own, axes)
        needed = ATOM if spread else precedence
        return (f"({text})" if self._precedence(operand) < needed else text) + spread

    def reduction_operand(self, step: Reduce) -> str:
        """The operand over the whole reduced tile, neutral outside the extents."""
        wanted = self.reduction_axes(step)
        own = self.layout.tile_axes_of(step.operand)
        text = self.operand_text(step.operand, wanted)
        if own != wanted:
            text = f"tl.broadcast_to({text}, {self.layout.shape_text(wanted)})"
        elif self.padding.is_neutral(step):
            return text
        masked = self.layout.tile_axes(axis.name for axis in self.program.reduced_axes)
        if not masked:
            return text
        mask = self.layout.spread(self.layout.mask_name(masked), masked, wanted)
        return f"tl.where({mask}, {text}, {print_number(neutral_element(step.op, step.dtype))})"

    def reduction_axes(self, step: Reduce) -> tuple[str, ...]:
        """The tiled axes of a reduction's operand, all reduced ones among them."""
        reduced = {axis.name for axis in self.program.reduced_axes}
        return self.layout.tile_axes(self.program.axes_of[step.operand] | reduced)

    def reduce_text(self, step: Reduce, operand: str) -> str:
        """Reduce a block along its reduced axes, innermost first; at least one dimension stays."""
        reduced = {axis.name for axis in self.program.reduced_axes}
        remaining = list(self.reduction_axes(step))
        text = operand
        for name in reversed([name for name in remaining if name in reduced]):
            position = remaining.index(name)
            remaining.remove(name)
            keep = "" if remaining else ", keep_dims=True"
            if step.op == "prod":
                text = f"tl.reduce({text}, {position}, multiply{keep})"
            else:
                text = f"tl.{step.op}({text}, {position}{keep})"
        return text

    def _define(self, name: str) -> None:
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

    def _definition_text(self, item: Load | Step) -> str:
        if isinstance(item, Load):
            return print_load(self.layout, item, self.padding.others.get(item.name))
        if isinstance(item, Reduce) and self.layout.schedule.reduction == "split":
            return print_combination(self.layout, item)
        if isinstance(item, Reduce):
            return self.reduce_text(item, self.reduction_operand(item))
        if item.op == "constant":
            number = item.operands[0]
            assert isinstance(number, (bool, int, float))
            dtype = "int1" if item.dtype == "bool" else item.dtype
            return f"tl.full((1,), {print_number(number)}, tl.{dtype})"
        return self._index_text() if item.op == "index" else self._compute_text(item)

    def _compute_text(self, step: Compute) -> str:
        axes = self.layout.tile_axes_of(step.name)
        primitive = PRIMITIVES[step.op]
        texts = [
            self.operand_text(operand, axes, precedence)
            for operand, precedence in zip(
                step.operands, primitive.operand_precedences(len(step.operands)), strict=True
            )
        ]
        if step.op == "where" and not any(isinstance(item, str) for item in step.operands[1:]):
            shape = "(1, 1)" if len(axes) == 2 else "(1,)"
            texts[1] = f"tl.full({shape}, {texts[1]}, tl.{step.dtype})"
        return primitive.text.format(*texts)

    def _index_text(self) -> str:
        """The number of an element among the reduced ones, in row-major order."""
        axes = self.layout.tile_axes(axis.name for axis in self.program.reduced_axes)
        text = ""
        for axis in self.program.reduced_axes:
            own = self.layout.tile_axes((axis.name,))
            index = self.layout.index_name(axis.name)
            index = self.layout.spread(index, own, axes) if own else index
            extent = self.layout.size_text(axis.extent)
            text = f"({text}) * {extent} + {index}" if text else index
        return text

    def _precedence(self, name: str) -> int:
        if name not in self.inlined:
            return ATOM
        step = self.items[name]
        if isinstance(step, Compute) and step.op in PRIMITIVES:
            return PRIMITIVES[step.op].precedence
        return ATOM

    def _may_inline(self, item: Load | Step, text: str) -> bool:
        """Whether a step is printed inside its only user: short, and at the same level."""
        if not isinstance(item, Compute) or item.op == "constant":
            return False
        if item.op == "index" and not text.isidentifier():
            return False
        if self.use_counts[item.name] != 1 or len(text) > MAX_INLINE_LENGTH:
            return False
        return self._print_level(item.name) == self.user_levels[item.name]

    def _print_level(self, name: str) -> int:
        """Loads stand at their level; steps that no tile changes are still computed inside the loop over tiles."""
        level = self.layout.level_of[name]
        if level == 0 and not isinstance(self.items[name], Load):
            return self.layout.lowest_step_level
        return level

    def _count_uses(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for step in self.program.steps:
            operands = (step.operand,) if isinstance(step, Reduce) else step.operands
            counts.update(operand for operand in operands if isinstance(operand, str))
        counts.update(store.value for store in self.program.stores if isinstance(store.value, str))
        return counts

    def _find_user_levels(self) -> dict[str, int]:
        """For each value the level of its last user; a reduction uses its operand where that lives."""
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
                levels[store.value] = self.layout.store_level(store)
        return levels
