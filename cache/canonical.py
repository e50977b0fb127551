"""Versioned canonical JSON: one value, one text, one digest.

Keys, digests and golden files of the whole project go through this file, so equal values
must give equal text in every process and on every Python, and different values must not.

The text is JSON with sorted keys and no whitespace.  Integers are exact, a finite float is its
shortest round-trip form (so ``1`` and ``1.0`` differ), and the floats JSON has no word for are
tagged strings: ``"$float:nan"``, ``"$float:inf"``, ``"$float:-inf"``.  A string that looks like a
tag is escaped by one more ``$``.  Tuples are written as arrays and come back as lists.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from typing import Any

CANONICAL_VERSION = 1

_FLOAT_TAG = "$float:"
_TAG_LIKE = re.compile(r"\$+float:")
_SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class CanonicalError(ValueError):
    """A value that has no canonical JSON form, or a text that is not one."""


def canonical_json(value: Any) -> str:
    """Return the canonical text of ``value``.

    Accepts None, bool, int, float, str, list, tuple and mappings with str keys, nested.
    Raises CanonicalError on anything else (bytes, sets, objects, lone surrogates).
    """
    return _dump(value, separators=(",", ":"), indent=None)


def pretty_json(value: Any) -> str:
    """Return the same document indented, with a final newline: for golden files and people."""
    return _dump(value, separators=(",", ": "), indent=2) + "\n"


def parse_canonical(text: str) -> Any:
    """Return the value written by ``canonical_json`` or ``pretty_json``.

    Raises CanonicalError on a text that is not JSON, repeats a key of an object, or spells a
    float that has no finite value (``NaN``, ``1e999``).
    """
    try:
        document = json.loads(
            text,
            object_pairs_hook=_build_object,
            parse_float=_parse_finite,
            parse_constant=_reject_constant,
        )
        return _decode(document)
    except CanonicalError:
        raise
    except (ValueError, RecursionError) as error:
        raise CanonicalError(f"not canonical JSON: {error}") from error


def digest_json(value: Any) -> str:
    """Return the sha256 (hex) of ``value``'s canonical text, salted with the form's version."""
    return digest_text(canonical_json(value))


def digest_text(text: str) -> str:
    """Return what ``digest_json`` returns for the value whose canonical text is ``text``."""
    return hashlib.sha256(f"canonical-json/{CANONICAL_VERSION}\n{text}".encode()).hexdigest()


def _dump(value: Any, separators: tuple[str, str], indent: int | None) -> str:
    try:
        text = json.dumps(
            _encode(value),
            sort_keys=True,
            ensure_ascii=False,
            allow_nan=False,
            separators=separators,
            indent=indent,
        )
        text.encode()
    except CanonicalError:
        raise
    except (ValueError, RecursionError) as error:
        raise CanonicalError(f"no canonical JSON form: {error}") from error
    return text


def _encode(value: Any) -> Any:
    """Rebuild ``value`` from plain JSON types, so subclasses cannot bring their own spelling."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _escape(str.__str__(value))
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return _encode_float(float.__float__(value))
    if isinstance(value, (list, tuple)):
        return [_encode(item) for item in value]
    if isinstance(value, Mapping):
        return {_check_key(key): _encode(item) for key, item in value.items()}
    raise CanonicalError(f"no canonical JSON form for {type(value).__name__}")


def _escape(text: str) -> str:
    return "$" + text if _TAG_LIKE.match(text) else text


def _encode_float(number: float) -> float | str:
    return number if math.isfinite(number) else f"{_FLOAT_TAG}{number!r}"


def _check_key(key: Any) -> str:
    if not isinstance(key, str):
        raise CanonicalError(f"a key of an object must be str, not {type(key).__name__}")
    return str.__str__(key)


def _decode(document: Any) -> Any:
    if isinstance(document, str):
        return _decode_string(document)
    if isinstance(document, list):
        return [_decode(item) for item in document]
    if isinstance(document, dict):
        return {key: _decode(item) for key, item in document.items()}
    return document


def _decode_string(text: str) -> str | float:
    if not _TAG_LIKE.match(text):
        return text
    if text.startswith("$$"):
        return text[1:]
    name = text[len(_FLOAT_TAG) :]
    if name not in _SPECIAL_FLOATS:
        raise CanonicalError(f"unknown float {text!r}")
    return _SPECIAL_FLOATS[name]


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise CanonicalError("an object repeats a key")
    return document


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise CanonicalError(f"float out of range: {text}")
    return number


def _reject_constant(name: str) -> float:
    raise CanonicalError(f"{name} is not JSON; the canonical form tags it as a string")
