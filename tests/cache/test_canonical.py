"""Canonical JSON: equal values give equal text, different values different text."""

from __future__ import annotations

import enum
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.cache.canonical import (
    CanonicalError,
    canonical_json,
    digest_json,
    parse_canonical,
    pretty_json,
)

TAG_LIKE = st.sampled_from(["$float:", "$float:nan", "$$float:inf", "$", "$$float:x", "float:nan"])
TEXT = st.text(st.characters(codec="utf-8")) | TAG_LIKE
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
DOCUMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20
)


def spell(value: object) -> str:
    """Tell values apart that Python's ``==`` does not: 1, 1.0 and True, 0.0 and -0.0, NaN."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{spell(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    return repr(value)


@given(DOCUMENTS)
def test_every_document_comes_back_as_it_was(document: object) -> None:
    assert spell(parse_canonical(canonical_json(document))) == spell(document)
    assert spell(parse_canonical(pretty_json(document))) == spell(document)


@given(DOCUMENTS, DOCUMENTS)
def test_text_is_equal_exactly_when_the_values_are(left: object, right: object) -> None:
    assert (canonical_json(left) == canonical_json(right)) == (spell(left) == spell(right))
    assert (digest_json(left) == digest_json(right)) == (spell(left) == spell(right))


@given(st.dictionaries(TEXT, LEAVES, min_size=2))
def test_order_of_insertion_does_not_matter(document: dict[str, object]) -> None:
    turned = dict(reversed(list(document.items())))
    assert canonical_json(turned) == canonical_json(document)


def test_text_has_sorted_keys_no_whitespace_and_tagged_floats() -> None:
    document = {"b": (1, 1.0, -0.0), "a": [math.nan, math.inf, -math.inf], "c": "$float:nan"}
    assert canonical_json(document) == (
        '{"a":["$float:nan","$float:inf","$float:-inf"],"b":[1,1.0,-0.0],"c":"$$float:nan"}'
    )


def test_subclasses_of_plain_types_are_written_as_the_plain_type() -> None:
    class Colour(str, enum.Enum):
        RED = "red"

    class Level(enum.IntEnum):
        HIGH = 3

    class Unit(float):
        def __repr__(self) -> str:
            return "unit"

    assert canonical_json([Colour.RED, Level.HIGH, Unit(0.5)]) == '["red",3,0.5]'


@pytest.mark.parametrize(
    "value", [b"bytes", {1, 2}, {1: "int key"}, object(), 1j, "\ud800", {"deep": [b""]}]
)
def test_values_without_a_json_form_are_refused(value: object) -> None:
    with pytest.raises(CanonicalError):
        canonical_json(value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "NaN", "Infinity", "1e999", '{"a":1,"a":2}', '"$float:huge"', "[" * 200_000],
)
def test_texts_that_are_not_canonical_are_refused(text: str) -> None:
    with pytest.raises(CanonicalError):
        parse_canonical(text)


def test_digest_is_fixed_for_ever_at_this_version() -> None:
    assert digest_json({"op": "aten.add", "eps": 1e-5, "sizes": [1, 0x7FFFFFFF]}) == (
        "12f855d8367da2389488f03082e3e531be6d2f27c6f382fb07b08ad7fc9e55a1"
    )


def test_digest_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from npu_autokernel.cache.canonical import digest_json;"
        "print(digest_json({name: 1 for name in {'x', 'y', 'z', 'w'}}))"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
