"""The words a kernel's source may use. What is not here is refused: names, functions, methods, syntax.

The lists hold what computes. Left out on purpose: inline assembly, printing and assertions, the modules' own
internals (`core`, `semantic`), and every Python builtin that can reach the interpreter.
"""

from __future__ import annotations

import ast


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BUILTINS = frozenset({"abs", "bool", "float", "int", "len", "max", "min", "range"})

# Attributes of tensors and dtypes.
METHODS = _words(
    "T abs argmax argmin broadcast_to cast cumprod cumsum dtype element_ty expand_dims exp flip log max min"
    " permute reshape shape sigmoid sqrt store sum to trans type value view"
)

DTYPES = _words("bfloat16 float16 float32 int1 int16 int32 int64 int8 uint16 uint32 uint64 uint8")
LANGUAGE = DTYPES | _words(
    "abs advance arange argmax argmin assume associative_scan atomic_add atomic_and atomic_cas atomic_max"
    " atomic_min atomic_or atomic_xchg atomic_xor broadcast broadcast_to cast cat cdiv ceil clamp"
    " compile_hint constexpr cos cumprod cumsum debug_barrier div_rn dot dot_scaled erf exp exp2"
    " expand_dims extract_slice fdiv flip floor fma full gather get_element histogram index_select"
    " insert_slice interleave join load log log2 make_block_ptr max max_constancy max_contiguous maximum"
    " min minimum multibuffer multiple_of num_programs parallel permute philox program_id rand rand4x"
    " randint randint4x randn randn4x range ravel reduce reshape rsqrt sigmoid sin softmax sort split sqrt"
    " sqrt_rn static_range store sum swizzle2d tanh topk trans umulhi view where xor_sum zeros"
    " zeros_like"
)
LIBRARY = _words(
    "abs acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh cyl_bessel_i0 div_rn div_rz erf"
    " erfinv exp exp2 expm1 fdiv finitef flip floor fma fmod gamma hypot ilogb isfinited isinf isnan ldexp"
    " lgamma log log10 log1p log2 nearbyint nextafter pow reciprocal relu rint round rsqrt signbit sin"
    " sinh sqrt sqrt_rn tan tanh trunc umulhi"
)
TRITON = frozenset({"cdiv", "jit", "next_power_of_2"})

# Module (or namespace of a module) -> what may be taken from it.
MODULE_NAMES: dict[str, frozenset[str]] = {
    "triton": TRITON,
    "triton.language": LANGUAGE,
    "triton.language.PropagateNan": frozenset({"ALL", "NONE"}),
    "triton.language.math": LIBRARY,
    "triton.language.extra.ascend.libdevice": LIBRARY,
    "triton.language.extra.cann.libdevice": LIBRARY,
}

SYNTAX = (
    # statements
    ast.Module,
    ast.FunctionDef,
    ast.arguments,
    ast.arg,
    ast.Import,
    ast.ImportFrom,
    ast.alias,
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.For,
    ast.While,
    ast.If,
    ast.Return,
    ast.Pass,
    # expressions
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Call,
    ast.keyword,
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.List,
    ast.IfExp,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
)
