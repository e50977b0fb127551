"""Products of size expressions in one canonical spelling, so that equal products compare equal as text.

`s1*s0`, `s0 * s1` and `(s0) * s1` all become `s0 * s1`; integer factors are folded to the front. Anything that is
no plain product stays whole, in parentheses, as one factor.
"""

from __future__ import annotations

from functools import lru_cache


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
    """The factors of a product: split at `*` outside of parentheses, groups that are products opened."""
    parts = _split_product(text.strip())
    if parts is None:
        return [f"({text.strip()})"]
    if len(parts) > 1:
        return [factor for part in parts for factor in _split_factors(part)]
    atom = parts[0]
    if not atom.startswith("("):
        return [atom]
    inner = _split_product(atom[1:-1])
    return [atom] if inner is None else [item for part in inner for item in _split_factors(part)]


def _split_product(text: str) -> list[str] | None:
    """`text` split at its outer `*`, or None if it has another outer operator."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "+-/%":
            return None
        if depth == 0 and letter == "*":
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
