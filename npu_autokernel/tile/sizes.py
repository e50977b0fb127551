"""Products of size expressions in one canonical spelling, so that equal products compare equal as text.

`s1*s0`, `s0 * s1` and `(s0) * s1` all become `s0 * s1`; integer factors are folded to the front. Anything that is
no plain product stays whole, in parentheses, as one factor.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN_PRODUCT = re.compile(r"\s*\w+(\s*\*\s*\w+)*\s*")


@lru_cache(maxsize=4096)
def multiply_sizes(*texts: str) -> str:
    """The canonical product of size expressions; the empty product is `1`."""
    number = 1
    names: list[str] = []
    for text in texts:
        for factor in _split_factors(text):
            if factor.isdigit():
                number *= int(factor)
            else:
                names.append(factor)
    if number == 0:
        return "0"
    front = [str(number)] if number != 1 or not names else []
    return " * ".join(front + sorted(names))


def _split_factors(text: str) -> list[str]:
    text = text.strip()
    if _PLAIN_PRODUCT.fullmatch(text):
        return [factor.strip() for factor in text.split("*")]
    if text.startswith("(") and text.endswith(")") and _is_one_group(text):
        return _split_factors(text[1:-1]) if _PLAIN_PRODUCT.fullmatch(text[1:-1]) else [text]
    return [f"({text})"]


def _is_one_group(text: str) -> bool:
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return position == len(text) - 1
    return False
