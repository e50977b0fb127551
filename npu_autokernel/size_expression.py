"""The small arithmetic language in which launch plans speak of sizes.

Grammar (integers only, evaluated without `eval`):

    expression := term (('+' | '-') term)*
    term       := factor (('*' | '//' | '%') factor)*
    factor     := INTEGER | NAME | '-' factor | '(' expression ')' | FUNCTION '(' expression (',' expression)* ')'
    condition  := expression ('<=' | '<' | '>=' | '>' | '==' | '!=') expression
    FUNCTION   := ceildiv(a, b) | min(a, ...) | max(a, ...) | next_power_of_2(a)

Names are the task's symbols and `num_cores`. `//` and `%` round towards minus infinity, as in Python.
Parsing happens once per text; evaluation walks a tuple tree.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, Union

MAX_LENGTH = 512
MAX_DEPTH = 32
MAX_MAGNITUDE = 1 << 62

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_][A-Za-z0-9_]*)|(//|<=|>=|==|!=|[-+*%(),<>]))")


class SizeExpressionError(ValueError):
    """The text is not in the grammar, a name is unknown, or the value leaves the 62-bit range."""


class _Call(NamedTuple):
    function: str
    operands: tuple[_Node, ...]


_Node = Union[int, str, _Call]


def _divide_up(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def _next_power_of_2(value: int) -> int:
    return 1 if value <= 1 else 1 << (value - 1).bit_length()


_FUNCTIONS: dict[str, Callable[..., int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "negate": operator.neg,
    "ceildiv": _divide_up,
    "next_power_of_2": _next_power_of_2,
    "min": min,
    "max": max,
}
_ARITY = {"ceildiv": (2, 2), "next_power_of_2": (1, 1), "min": (2, 8), "max": (2, 8)}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}


def evaluate_size(text: str, symbols: Mapping[str, int]) -> int:
    """Value of the size expression `text` where each name stands for `symbols[name]`.

    Raises SizeExpressionError for bad text, an unknown name, a division by zero or a value beyond 62 bits.
    """
    return _evaluate(_parse_size(text), symbols)


def evaluate_condition(text: str, symbols: Mapping[str, int]) -> bool:
    """Truth of a condition such as `s1 <= 4096`; raises SizeExpressionError like `evaluate_size`."""
    comparison, left, right = _parse_condition(text)
    return _COMPARISONS[comparison](_evaluate(left, symbols), _evaluate(right, symbols))


def list_names(text: str) -> frozenset[str]:
    """The symbols that the size expression `text` mentions; raises SizeExpressionError for bad text."""
    return frozenset(_walk_names(_parse_size(text)))


def _evaluate(node: _Node, symbols: Mapping[str, int]) -> int:
    if isinstance(node, int):
        return node
    if isinstance(node, str):
        if node not in symbols:
            raise SizeExpressionError(f"unknown size name {node!r}")
        return symbols[node]
    operands = [_evaluate(operand, symbols) for operand in node.operands]
    try:
        value = _FUNCTIONS[node.function](*operands)
    except ZeroDivisionError:
        raise SizeExpressionError(f"division by zero in {node.function}") from None
    if abs(value) > MAX_MAGNITUDE:
        raise SizeExpressionError("the value of a size expression leaves 62 bits")
    return value


def _walk_names(node: _Node) -> list[str]:
    if isinstance(node, str):
        return [node]
    if isinstance(node, int):
        return []
    return [name for operand in node.operands for name in _walk_names(operand)]


@lru_cache(maxsize=4096)
def _parse_size(text: str) -> _Node:
    parser = _Parser(text)
    node = parser.parse_expression(0)
    parser.expect_end()
    return node


@lru_cache(maxsize=4096)
def _parse_condition(text: str) -> tuple[str, _Node, _Node]:
    parser = _Parser(text)
    left = parser.parse_expression(0)
    comparison = parser.take()
    if comparison not in _COMPARISONS:
        raise SizeExpressionError(f"no comparison in condition {text!r}")
    right = parser.parse_expression(0)
    parser.expect_end()
    return comparison, left, right


class _Parser:
    """Recursive descent over the tokens of one text, bounded in length and depth."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise SizeExpressionError(f"a size expression is longer than {MAX_LENGTH} characters")
        self.text = text
        self.tokens = _split_tokens(text)
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise SizeExpressionError(f"expected {token!r} in size expression {self.text!r}")

    def expect_end(self) -> None:
        if self.peek():
            raise SizeExpressionError(
                f"unexpected {self.peek()!r} in size expression {self.text!r}"
            )

    def parse_expression(self, depth: int) -> _Node:
        node = self.parse_term(depth)
        while self.peek() in ("+", "-"):
            node = _Call(self.take(), (node, self.parse_term(depth)))
        return node

    def parse_term(self, depth: int) -> _Node:
        node = self.parse_factor(depth)
        while self.peek() in ("*", "//", "%"):
            node = _Call(self.take(), (node, self.parse_factor(depth)))
        return node

    def parse_factor(self, depth: int) -> _Node:
        if depth > MAX_DEPTH:
            raise SizeExpressionError(f"a size expression is nested deeper than {MAX_DEPTH}")
        token = self.take()
        if token.isdigit():
            return int(token)
        if token == "-":
            return _Call("negate", (self.parse_factor(depth + 1),))
        if token == "(":
            node = self.parse_expression(depth + 1)
            self.expect(")")
            return node
        if token.isidentifier():
            return self.parse_call(token, depth + 1) if self.peek() == "(" else token
        raise SizeExpressionError(f"unexpected {token or 'end'!r} in size expression {self.text!r}")

    def parse_call(self, function: str, depth: int) -> _Node:
        if function not in _ARITY:
            raise SizeExpressionError(f"unknown function {function!r} in size expression")
        self.expect("(")
        operands = [self.parse_expression(depth)]
        while self.peek() == ",":
            self.take()
            operands.append(self.parse_expression(depth))
        self.expect(")")
        least, most = _ARITY[function]
        if not least <= len(operands) <= most:
            raise SizeExpressionError(f"{function} takes {least} to {most} operands")
        return _Call(function, tuple(operands))


def _split_tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise SizeExpressionError(f"unexpected {stripped[position:][:8]!r} in size expression")
        tokens.append(match.group().strip())
        position = match.end()
    return tokens
