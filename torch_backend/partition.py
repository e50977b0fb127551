"""Maximal groups of ops that one kernel could compute.

A unit is an op with the `getitem`s that select its results. Units are visited in the graph's
order; each joins the groups that produce its inputs, as long as
  1. the fusion traits of group and op merge (`npu_autokernel.tile.fusion`, or what the caller gives),
  2. no path leaves the merged group and comes back (the graph of groups stays acyclic), and
  3. no op that writes memory stands between them.
Random ops keep their order: each counts as a producer of the next, so no group can ask for
another one. The search for a path goes backwards and stops above the group's first op, so it stays
local: a graph of a few hundred ops takes some milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from torch.fx import Graph, Node

from npu_autokernel.reasons import Refusal
from npu_autokernel.torch_backend.eager_reasons import (
    is_barrier,
    is_compute,
    is_getitem,
    is_ordered,
)

MAX_OPS = 64

Traits = TypeVar("Traits")
Describe = Callable[[Node], "Traits | Refusal"]
Merge = Callable[[Traits, Traits], "Traits | None"]


@dataclass(frozen=True)
class Partition:
    """Groups of nodes in the graph's order, by their last op; and why each other op has no group."""

    groups: tuple[tuple[Node, ...], ...]
    refusals: tuple[tuple[Node, Refusal], ...]


@dataclass
class _Group(Generic[Traits]):
    """A group under construction: positions of its ops in the order of visit, and its traits."""

    positions: list[int]
    traits: Traits
    segment: int


def partition_graph(flow: Flow, describe: Describe[Traits], merge: Merge[Traits]) -> Partition:
    """Group the ops of a graph that `describe` gives traits to, wherever `merge` gives one trait."""
    grouping = _Grouping(flow, merge)
    refusals: list[tuple[Node, Refusal]] = []
    for position, node in enumerate(flow.nodes):
        if not is_compute(node):
            continue
        traits = describe(node)
        if isinstance(traits, Refusal):
            refusals.append((node, traits))
        else:
            grouping.add(position, traits)
    return Partition(grouping.list_groups(), tuple(refusals))


class Flow:
    """The units of a graph, who needs whom, and where nothing may be moved across.

    `nodes` are the graph's nodes without `getitem`s; `producers[i]` the positions that unit i needs,
    for random ops the one before too; `segments[i]` counts the barriers before unit i.
    """

    def __init__(self, graph: Graph) -> None:
        self.nodes = [node for node in graph.nodes if not is_getitem(node)]
        self.selections: dict[int, list[Node]] = {}
        self.position = {node: position for position, node in enumerate(self.nodes)}
        self._place_selections(graph.nodes)
        self.producers: list[set[int]] = []
        self.segments: list[int] = []
        self._link()

    def list_nodes(self, positions: Iterable[int]) -> tuple[Node, ...]:
        """The nodes of the units at `positions`, each with its selections."""
        return tuple(
            node
            for position in sorted(positions)
            for node in (self.nodes[position], *self.selections.get(position, ()))
        )

    def order_units(self, group_of: Mapping[int, Hashable]) -> list[int]:
        """One position per unit or group, producers first, else by the last op of each."""
        members: dict[Hashable, list[int]] = {}
        for position in range(len(self.nodes)):
            members.setdefault(group_of.get(position, position), []).append(position)
        ordered: dict[Hashable, int] = {}
        for unit in sorted(members, key=lambda item: members[item][-1]):
            self._visit(unit, members, group_of, ordered)
        return list(ordered.values())

    def _visit(
        self,
        root: Hashable,
        members: Mapping[Hashable, list[int]],
        group_of: Mapping[int, Hashable],
        ordered: dict[Hashable, int],
    ) -> None:
        """Append `root` after everything it needs; a loop, since graphs are deeper than the stack."""
        stack = [root]
        while stack:
            unit = stack[-1]
            needed = {
                group_of.get(producer, producer)
                for position in members[unit]
                for producer in self.producers[position]
            }
            missing = [item for item in needed if item != unit and item not in ordered]
            if missing:
                stack += sorted(missing, key=lambda item: -members[item][-1])
                continue
            stack.pop()
            ordered.setdefault(unit, members[unit][-1])

    def _place_selections(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if is_getitem(node):
                place = self.position[node.all_input_nodes[0]]
                self.position[node] = place
                self.selections.setdefault(place, []).append(node)

    def _link(self) -> None:
        last_ordered: int | None = None
        segment = 0
        for position, node in enumerate(self.nodes):
            needed = {self.position[source] for source in node.all_input_nodes}
            if is_barrier(node):
                segment += 1
            self.segments.append(segment)
            if is_ordered(node):
                needed |= {last_ordered} if last_ordered is not None else set()
                last_ordered = position
            self.producers.append(needed)
            segment += is_barrier(node)


class _Grouping(Generic[Traits]):
    """Which unit is in which group, as groups grow."""

    def __init__(self, flow: Flow, merge: Merge[Traits]) -> None:
        self.flow = flow
        self.merge = merge
        self.groups: dict[int, _Group[Traits]] = {}
        self.group_of: dict[int, int] = {}

    def add(self, position: int, traits: Traits) -> None:
        """Make a group of the unit at `position` and merge it with its producers' groups."""
        self.groups[position] = _Group([position], traits, self.flow.segments[position])
        self.group_of[position] = position
        for candidate in self._list_producing_groups(position):
            self._try_merge(candidate, self.group_of[position])

    def list_groups(self) -> tuple[tuple[Node, ...], ...]:
        ordered = sorted(self.groups.values(), key=lambda group: max(group.positions))
        return tuple(self.flow.list_nodes(group.positions) for group in ordered)

    def _list_producing_groups(self, position: int) -> list[int]:
        """Groups that give the unit an input, the nearest first."""
        nearest_first = sorted(self.flow.producers[position], reverse=True)
        found = [self.group_of[item] for item in nearest_first if item in self.group_of]
        return list(dict.fromkeys(found))

    def _try_merge(self, producer: int, consumer: int) -> None:
        if producer not in self.groups or producer == consumer:
            return
        first, second = self.groups[producer], self.groups[consumer]
        positions = first.positions + second.positions
        if first.segment != second.segment or len(positions) > MAX_OPS:
            return
        traits = self.merge(first.traits, second.traits)
        if traits is None or self._has_path_back({producer, consumer}, positions):
            return
        self.groups[producer] = _Group(positions, traits, first.segment)
        del self.groups[consumer]
        self.group_of.update(dict.fromkeys(second.positions, producer))

    def _has_path_back(self, merged: set[int], positions: list[int]) -> bool:
        """Whether a path leaves the groups `merged` and enters them again."""
        first = min(positions)
        seen: set[Hashable] = set()
        stack = [item for position in positions for item in self._outer_producers(position, merged)]
        while stack:
            position = stack.pop()
            group = self.group_of.get(position)
            if group in merged:
                return True
            unit: Hashable = ("group", group) if group is not None else position
            members = self.groups[group].positions if group is not None else [position]
            if unit in seen or max(members) < first:
                continue
            seen.add(unit)
            for member in members:
                stack.extend(self.flow.producers[member])
        return False

    def _outer_producers(self, position: int, merged: set[int]) -> list[int]:
        producers = self.flow.producers[position]
        return [item for item in producers if self.group_of.get(item) not in merged]
