"""Which accesses of a run are ordered, told from first principles: nothing here is the race check's.

A run of one block in program order is recorded as its executed instructions: core, pipe, the bytes
read and written. Then the rules of the chip say what is done before what starts:

- S issues the instructions of its core in program order, each pipe starts its own in that order.
- V, MTE2, MTE3 and FIX may start one before the last is done, the others finish one first. The
  products follow the loads of L0A and L0B.
- A set of a flag happens when all before it on its pipe is done. The n-th wait for a flag ends with
  the n-th set, and holds back what comes later on its pipe; a wait of S holds back all it issues.
- A barrier waits for all before it on its pipe, or on all pipes of the core, S included.
- With its unit flag on, a product starts when fixpipe has taken what its tile of L0C held, and
  fixpipe starts when the product is done; an update is what tells the other one.
- Cross-core flags are such flags too: the cube's reach each vector core, the cube waits for all.
- A load of S has its value before anything later is issued; a store of S is done at the next flag.

Sets of instructions are integers, bit i for the i-th executed one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.machine.executed import UNIT_FLAG, ByteAccess, Executed

IN_ORDER = ("mte1", "cube")
SETS, WAITS = ("set_flag", "block_set"), ("wait_flag", "block_wait")


def find_conflicts(run: Sequence[Executed]) -> list[int]:
    """For each instruction, those before it that touch a byte of it, one of the two to change it.

    Two atomic updates are none.
    """
    places = _divide(run)
    touched: dict[str, dict[int, int]] = {
        kind: defaultdict(int) for kind in ("read", "write", "update")
    }
    clashes = {"read": ("write", "update"), "update": ("read", "write")}
    conflicts = [0] * len(run)
    for index, executed in enumerate(run):
        parts = [
            (access.kind, part) for access in executed.accesses for part in places.parts(access)
        ]
        for kind, part in parts:
            for other in clashes.get(kind, ("read", "write", "update")):
                conflicts[index] |= touched[other][part]
        for kind, part in parts:
            touched[kind][part] |= 1 << index
    return conflicts


class _Parts:
    """All bytes of a run, divided where any access begins or ends."""

    def __init__(self, bounds: dict[str, list[int]]) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        for place, bytes_ in bounds.items():
            for byte in bytes_:
                self._numbers[place, byte] = len(self._numbers)

    def parts(self, access: ByteAccess) -> range:
        numbers = self._numbers
        return range(numbers[access.place, access.first], numbers[access.place, access.last])


def _divide(run: Sequence[Executed]) -> _Parts:
    bounds: dict[str, set[int]] = defaultdict(set)
    for executed in run:
        for access in executed.accesses:
            bounds[access.place] |= {access.first, access.last}
    return _Parts({place: sorted(bytes_) for place, bytes_ in bounds.items()})


class _Block:
    """What is done when, while the instructions of a run are issued one after the other."""

    def __init__(self) -> None:
        self.started: dict[tuple[str, str], int] = defaultdict(int)  # before the lane goes on
        self.ended: dict[tuple[str, str], int] = defaultdict(int)  # once all on the lane is done
        self.issued: dict[str, int] = defaultdict(int)  # before S issues what comes next
        self.flags: dict[tuple[str, ...], deque[tuple[int, int]]] = defaultdict(deque)
        self.tiles: dict[tuple[str, str, int], int] = defaultdict(int)  # filled, taken by a pipe
        self.full: dict[tuple[str, int], int] = {}  # tiles, and the product that filled each


@dataclass(frozen=True)
class Order:
    """For each instruction, those that are done before it starts, and the sets each wait took.

    A fixpipe with its unit flag on is the wait, its product the set. `leftover`: whether a flag is
    still set at the end.
    """

    done: list[int]
    answers: dict[int, tuple[int, ...]]
    leftover: bool = False


def find_order(run: Sequence[Executed], lost: Collection[int] = ()) -> Order | None:
    """The order without the instructions `lost`, of products and fixpipes without their unit flags;
    None if a wait has no answer.
    """
    cores = sorted({executed.core for executed in run})
    block = _Block()
    order = Order([0] * len(run), {})
    for index, executed in enumerate(run):
        unit_flag = "disabled" if index in lost else executed.unit_flag
        if index in lost and executed.argument != UNIT_FLAG:
            continue
        lane, core = executed.lane, executed.core
        start = block.started[lane] | block.issued[core]
        if executed.opcode == "pipe_barrier":
            _pass_barrier(block, executed)
            continue
        if executed.opcode in SETS:
            end = start | block.ended[lane] | 1 << index
            for flag in _name_flags(executed, cores):
                block.flags[flag].append((index, end))
        elif executed.opcode in WAITS:
            queues = [block.flags[flag] for flag in _name_flags(executed, cores)]
            if not all(queues):
                return None
            taken = [queue.popleft() for queue in queues]
            order.answers[index] = tuple(set_index for set_index, _ in taken)
            end = start | 1 << index
            for _, moment in taken:
                end |= moment
            block.started[lane] |= end
        else:
            start |= _find_own_order(block, executed)
            if unit_flag != "disabled":
                if not _may_pass(block, executed):
                    return None
                start |= _find_unit_flag(block, executed)
                if executed.opcode == "fixpipe":
                    order.answers[index] = (block.full[core, executed.tile],)
            end = start | 1 << index
            if unit_flag == "with update":
                _update(block, executed, index, end)
        order.done[index] = start
        block.ended[lane] |= end
        if executed.opcode == "scalar_load" or (
            executed.pipe == "scalar" and executed.opcode in WAITS
        ):
            block.issued[core] |= end
    return replace(order, leftover=bool(block.full) or any(block.flags.values()))


def _pass_barrier(block: _Block, executed: Executed) -> None:
    if executed.operands != "all pipes":
        block.started[executed.lane] |= block.ended[executed.lane]
        return
    for lane, end in block.ended.items():
        if lane[0] == executed.core:
            block.issued[executed.core] |= end


def _find_own_order(block: _Block, executed: Executed) -> int:
    """What an instruction that moves or computes data finds done without any flag."""
    if executed.opcode == "mmad":
        return block.ended[executed.lane] | block.ended[executed.core, "mte1"]
    return block.ended[executed.lane] if executed.pipe in IN_ORDER else 0


def _may_pass(block: _Block, executed: Executed) -> bool:
    """Whether a product finds its tile empty, or fixpipe finds it full."""
    return ((executed.core, executed.tile) in block.full) == (executed.opcode == "fixpipe")


def _find_unit_flag(block: _Block, executed: Executed) -> int:
    """What the pipe on the other side of a tile had done when it updated the tile's unit flag."""
    other = "fixpipe" if executed.pipe == "cube" else "cube"
    return block.tiles[executed.core, other, executed.tile]


def _update(block: _Block, executed: Executed, index: int, end: int) -> None:
    block.tiles[executed.core, executed.pipe, executed.tile] = end
    if executed.opcode == "fixpipe":
        del block.full[executed.core, executed.tile]
    else:
        block.full[executed.core, executed.tile] = index


def _name_flags(executed: Executed, cores: Sequence[str]) -> list[tuple[str, ...]]:
    """The queues of a set or wait: one, or for the cube's cross-core flags one per vector core."""
    if executed.flag[0] != "across":
        return [executed.flag]
    is_set = executed.opcode in SETS
    others = [executed.core] if executed.core != "cube" else [c for c in cores if c != "cube"]
    direction = "from cube" if is_set == (executed.core == "cube") else "to cube"
    return [(direction, other, executed.flag[1]) for other in others]


@dataclass(frozen=True)
class Broken:
    """What is wrong with a run: pairs that conflict and are not ordered, of different pipes and of
    one pipe, and flags that are waited for in vain or still set at the end.
    """

    between_pipes: tuple[tuple[int, int], ...] = ()
    within_pipe: tuple[tuple[int, int], ...] = ()
    is_unbalanced: bool = False


class Dependences:
    """The conflicting pairs of a run that are ordered, and which of them a loss breaks.

    `unordered`: those that are not, each of which has to be without effect.
    """

    def __init__(self, run: Sequence[Executed]) -> None:
        order = find_order(run)
        assert order is not None and not order.leftover, "flags do not balance"
        self.run, self.order = run, order
        self._conflicts = find_conflicts(run)
        self._lanes: dict[tuple[str, str], int] = defaultdict(int)
        for index, executed in enumerate(run):
            self._lanes[executed.lane] |= 1 << index
        self._ordered = [-1] * len(run)
        self.unordered = self.find_broken()
        self._ordered = order.done

    def find_broken(self, lost: Collection[int] = ()) -> Broken:
        """What is wrong once `lost` are gone."""
        order = find_order(self.run, lost)
        if order is None:
            return Broken(is_unbalanced=True)
        between: list[tuple[int, int]] = []
        within: list[tuple[int, int]] = []
        for index, executed in enumerate(self.run):
            own = self._lanes[executed.lane]
            unordered = self._conflicts[index] & self._ordered[index] & ~order.done[index]
            if executed.pipe == "scalar":
                unordered &= ~own  # S sees its own accesses in order
            between += [(other, index) for other in _members(unordered & ~own)]
            within += [(other, index) for other in _members(unordered & own)]
        return Broken(tuple(between), tuple(within), order.leftover)


def _members(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
