"""A plain interpreter of HIVM in NumPy, to see what the native machine gains on it.

It runs the modules of `benchmarks.machine_speed` and nothing else: one op after the other, operands
looked up by name, each memory a byte array, a vector op one NumPy call. It has no pipes, no flags,
no checks and no clock. `parse` reads the text into nested ops, `run` executes a launch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

TYPES = {"f32": np.float32, "f16": np.float16, "i64": np.int64, "i8": np.int8}
CHIP_BYTES = {"ub": 192 << 10, "cbuf": 512 << 10, "cc": 128 << 10}
FRACTAL_ROWS = 16
INTEGER_MASK = (1 << 64) - 1

_OP = re.compile(r'\s*(?:(%\w+) = )?"([\w.]+)"\(([^)]*)\)(?: <\{(.*?)\}>)?(.*)')
_BLOCK_ARGUMENT = re.compile(r"(%\w+): ")
_NUMBERS = re.compile(r"-?\d+")


@dataclass
class Op:
    """One op: `result` is its name or empty, `tail` the text behind the properties."""

    result: str
    name: str
    operands: list[str]
    properties: str
    tail: str
    arguments: list[str] = field(default_factory=list)
    body: list[Op] = field(default_factory=list)


def parse(text: str) -> list[Op]:
    """The ops of the device function."""
    lines = iter(text.splitlines())
    module = list(_parse_region(lines))
    functions = [op for op in module[0].body if "DEVICE" in op.tail]
    assert len(functions) == 1, "one device function"
    return [functions[0]]


def _parse_region(lines: Iterator[str], owner: Op | None = None) -> Iterator[Op]:
    for line in lines:
        if line.lstrip().startswith("^bb0") and owner is not None:
            owner.arguments = _BLOCK_ARGUMENT.findall(line)
        elif line.lstrip().startswith("})"):
            if owner is not None:
                owner.tail += line
            return
        elif match := _OP.match(line):
            result, name, operands, properties, tail = match.groups()
            op = Op(result or "", name, operands.split(", "), properties or "", tail)
            if tail.rstrip().endswith("({"):
                op.body = list(_parse_region(lines, op))
            yield op


class Block:
    """One block of a launch: its on-chip memories and the values of its names."""

    def __init__(self, index: int, arguments: Sequence[np.ndarray]) -> None:
        self.index = index
        self.chip = {space: np.zeros(size, np.uint8) for space, size in CHIP_BYTES.items()}
        self.values: dict[str, Any] = {
            f"%a{number}": array.reshape(-1) for number, array in enumerate(arguments)
        }

    def run(self, ops: Sequence[Op]) -> list[Any]:
        """Executes ops in order; the operands of the one that ends the region."""
        for op in ops:
            operands = [self.values.get(name) for name in op.operands]
            if op.name in ("scf.yield", "func.return"):
                return operands
            result = self._execute(op, operands)
            if op.result:
                self.values[op.result] = result
        return []

    def _execute(self, op: Op, operands: list[Any]) -> Any:
        if op.name == "scf.for":
            return self._loop(op, operands)
        if op.name == "hivm.hir.get_block_idx":
            return self.index
        if op.name == "hivm.hir.pointer_cast":
            return self._view_chip(op, operands[0])
        return EXECUTE[op.name](op, operands)

    def _loop(self, op: Op, operands: list[Any]) -> Any:
        start, end, step, carried = operands
        for index in range(start, end, step):
            self.values.update(zip(op.arguments, (index, carried), strict=True))
            (carried,) = self.run(op.body)
        return carried

    def _view_chip(self, op: Op, address: int) -> np.ndarray:
        shape, element, space = _read_memref(op.tail.rpartition("->")[2])
        dtype = np.dtype(TYPES[element])
        count = int(np.prod(shape))
        return (
            self.chip[space][address : address + count * dtype.itemsize].view(dtype).reshape(shape)
        )


def _read_memref(text: str) -> tuple[tuple[int, ...], str, str]:
    match = re.search(r"memref<([\dx]+)x(\w+), #hivm.address_space<(\w+)>>", text)
    assert match, text
    return tuple(map(int, match.group(1).split("x"))), match.group(2), match.group(3)


def _read_list(op: Op, name: str) -> list[int]:
    match = re.search(name + r" = array<i64: ([^>]*)>", op.properties)
    assert match, op.properties
    return [int(number) for number in _NUMBERS.findall(match.group(1))]


def _read_constant(op: Op, operands: list[Any]) -> int:
    text = op.properties.partition("= ")[2].partition(" :")[0]
    return text == "true" if text in ("true", "false") else int(text)


def _wrap(value: int) -> int:
    value &= INTEGER_MASK
    return value - (1 << 64) if value >> 63 else value


def _reinterpret(op: Op, operands: list[Any]) -> np.ndarray:
    base = operands[0]
    offset = operands[1] if len(operands) > 1 else 0
    strides = [stride * base.itemsize for stride in _read_list(op, "static_strides")]
    return np.lib.stride_tricks.as_strided(base[offset:], _read_list(op, "static_sizes"), strides)


def _copy(op: Op, operands: list[Any]) -> None:
    operands[1][...] = operands[0]


def _to_fractals(op: Op, operands: list[Any]) -> None:
    source, target = operands
    columns, rows = target.shape[0], target.shape[1]
    tiles = source.reshape(rows, FRACTAL_ROWS, columns, target.shape[3])
    target[...] = tiles.transpose(2, 0, 1, 3)


def _from_fractals(source: np.ndarray) -> np.ndarray:
    columns, rows, tall, wide = source.shape
    return source.transpose(1, 2, 0, 3).reshape(rows * tall, columns * wide)


def _multiply(op: Op, operands: list[Any]) -> None:
    a, b, clear, *_, c = operands
    product = _from_fractals(a).astype(np.float32) @ _from_fractals(b).astype(np.float32)
    tiles = product.reshape(c.shape[1], c.shape[2], c.shape[0], c.shape[3]).transpose(2, 0, 1, 3)
    c[...] = tiles if clear else c + tiles


def _store_fractals(op: Op, operands: list[Any]) -> None:
    operands[1][...] = _from_fractals(operands[0])


def _store_number(op: Op, operands: list[Any]) -> None:
    value, target, index = operands
    target[index] = value


def _ignore(op: Op, operands: list[Any]) -> None:
    """Flags order pipes, and there are none here."""


EXECUTE: dict[str, Callable[[Op, list[Any]], Any]] = {
    "arith.constant": _read_constant,
    "arith.addi": lambda op, operands: _wrap(operands[0] + operands[1]),
    "arith.muli": lambda op, operands: _wrap(operands[0] * operands[1]),
    "arith.index_cast": lambda op, operands: operands[0],
    "memref.reinterpret_cast": _reinterpret,
    "memref.store": _store_number,
    "hivm.hir.load": _copy,
    "hivm.hir.store": _copy,
    "hivm.hir.vadd": lambda op, operands: np.add(*operands[:2], out=operands[2]) is None,
    "hivm.hir.vexp": lambda op, operands: np.exp(operands[0], out=operands[1]) is None,
    "hivm.hir.nd2nz": _to_fractals,
    "hivm.hir.mmadL1": _multiply,
    "hivm.hir.fixpipe": _store_fractals,
    "hivm.hir.set_flag": _ignore,
    "hivm.hir.wait_flag": _ignore,
    "hivm.hir.pipe_barrier": _ignore,
}


def run(text: str, grid: int, arguments: Sequence[np.ndarray]) -> None:
    """A launch of `grid` blocks on arrays, in place. Raises KeyError for an op it does not have."""
    (function,) = parse(text)
    for index in range(grid):
        Block(index, arguments).run(function.body)
