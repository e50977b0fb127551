"""The operations a step can be: how each is spelled in Triton and how many scratch tiles it needs on the chip.

`text` has one `{}` field per operand. `precedence` says how strongly a text binds, by Python's rules, so that a
printer sets no needless parentheses. `scratch_tiles` is what the compiler's expansion of the
primitive keeps alive beyond operands and result, counted on compiled kernels (float32 tiles).
Maximum and minimum propagate NaN, as the chip's own instructions and ATen do.
"""

from __future__ import annotations

from dataclasses import dataclass

# How strongly Python's operators bind; a call or a name is an atom.
ATOM = 9
_PRECEDENCES = {
    "*": 7,
    "/": 7,
    "//": 7,
    "%": 7,
    "+": 6,
    "-": 6,
    "<<": 5,
    ">>": 5,
    "&": 4,
    "^": 3,
    "|": 2,
}
_UNARY = 8
_COMPARISON = 1


@dataclass(frozen=True)
class Primitive:
    """Spelling in Triton, how strongly it binds, and scratch tiles of its expansion."""

    text: str
    precedence: int = ATOM
    scratch_tiles: float = 0.0

    def operand_precedences(self, count: int) -> tuple[int, ...]:
        """How strongly each of `count` operands must bind to stand without parentheses."""
        if self.precedence == ATOM:
            return (ATOM if self.text.startswith("{}") else 0,) * count
        if count == 1 or self.precedence == _COMPARISON:
            return (self.precedence + 1,) * count
        return (self.precedence, self.precedence + 1)


def _infix(symbol: str, scratch_tiles: float = 0.0) -> Primitive:
    return Primitive(f"{{}} {symbol} {{}}", _PRECEDENCES.get(symbol, _COMPARISON), scratch_tiles)


_PROPAGATE = "propagate_nan=tl.PropagateNan.ALL"

PRIMITIVES: dict[str, Primitive] = {
    "add": _infix("+"),
    "sub": _infix("-"),
    "mul": _infix("*"),
    "div": _infix("/"),
    "floordiv": _infix("//", 2.0),
    "mod": _infix("%", 1.0),
    "neg": Primitive("-{}", _UNARY),
    "abs": Primitive("tl.abs({})"),
    "max": Primitive(f"tl.maximum({{}}, {{}}, {_PROPAGATE})"),
    "min": Primitive(f"tl.minimum({{}}, {{}}, {_PROPAGATE})"),
    "exp": Primitive("tl.exp({})"),
    "log": Primitive("tl.log({})"),
    "exp2": Primitive("tl.exp2({})", scratch_tiles=1.0),
    "log2": Primitive("tl.log2({})", scratch_tiles=1.0),
    "sqrt": Primitive("tl.sqrt({})"),
    "rsqrt": Primitive("tl.rsqrt({})", scratch_tiles=1.0),
    "erf": Primitive("tl.erf({})", scratch_tiles=2.0),
    "sin": Primitive("tl.sin({})", scratch_tiles=3.0),
    "cos": Primitive("tl.cos({})", scratch_tiles=3.0),
    "floor": Primitive("tl.floor({})"),
    "ceil": Primitive("tl.ceil({})"),
    "lt": _infix("<", 0.1),
    "le": _infix("<=", 0.1),
    "gt": _infix(">", 0.1),
    "ge": _infix(">=", 0.1),
    "eq": _infix("==", 0.1),
    "ne": _infix("!=", 0.1),
    "and": _infix("&"),
    "or": _infix("|"),
    "xor": _infix("^", 1.0),
    "not": Primitive("~{}", _UNARY),
    "shl": _infix("<<"),
    "shr": _infix(">>"),
    "constant": Primitive("tl.full((1,), {}, {})"),
    "where": Primitive("tl.where({}, {}, {})", scratch_tiles=0.1),
    "to_float32": Primitive("{}.to(tl.float32)"),
    "to_int64": Primitive("{}.to(tl.int64)"),
    "to_int32": Primitive("{}.to(tl.int32)"),
    "to_int16": Primitive("{}.to(tl.int16)"),
    "to_int8": Primitive("{}.to(tl.int8)"),
    "to_uint8": Primitive("{}.to(tl.uint8)"),
    "round_to_float16": Primitive("{}.to(tl.float16).to(tl.float32)", scratch_tiles=0.5),
    "round_to_bfloat16": Primitive("{}.to(tl.bfloat16).to(tl.float32)", scratch_tiles=0.5),
    "bits_of_float32": Primitive("{}.to(tl.int32, bitcast=True)"),
    "float32_of_bits": Primitive("{}.to(tl.float32, bitcast=True)"),
}

COMPARISONS = frozenset(("lt", "le", "gt", "ge", "eq", "ne"))
