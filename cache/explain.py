"""Why a look-up missed: the stored keys nearest to the asked one, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from npu_autokernel.cache.canonical import canonical_json
from npu_autokernel.cache.records import Json


@dataclass(frozen=True)
class Difference:
    """One place where two documents differ, as canonical JSON; None where it is absent.

    ``path`` reads like ``ops[0].args.eps``; the whole document is ``$``.
    """

    path: str
    asked: str | None
    stored: str | None

    def __str__(self) -> str:
        asked = "(absent)" if self.asked is None else self.asked
        stored = "(absent)" if self.stored is None else self.stored
        return f"{self.path}: asked {asked}, stored {stored}"


@dataclass(frozen=True)
class NearKey:
    """A stored proof key and where it differs from the asked one (nowhere: it is the same)."""

    proof_digest: str
    differences: tuple[Difference, ...]


def list_differences(asked: Json, stored: Json) -> tuple[Difference, ...]:
    """Return every field in which two JSON documents differ, in the order of the asked one."""
    return tuple(_compare(asked, stored, ""))


def rank_nearest(
    asked: Json, stored_keys: Iterable[tuple[str, Json]], limit: int
) -> tuple[NearKey, ...]:
    """Return the ``limit`` (digest, key) pairs with the fewest differences from ``asked``."""
    near = [NearKey(digest, list_differences(asked, key)) for digest, key in stored_keys]
    near.sort(key=lambda key: (len(key.differences), key.proof_digest))
    return tuple(near[:limit])


def _compare(asked: Json, stored: Json, path: str) -> Iterator[Difference]:
    if isinstance(asked, dict) and isinstance(stored, dict):
        yield from _compare_objects(asked, stored, path)
    elif isinstance(asked, (list, tuple)) and isinstance(stored, (list, tuple)):
        yield from _compare_arrays(asked, stored, path)
    elif canonical_json(asked) != canonical_json(stored):
        yield Difference(path or "$", canonical_json(asked), canonical_json(stored))


def _compare_objects(
    asked: dict[str, Json], stored: dict[str, Json], path: str
) -> Iterator[Difference]:
    for name in [*asked, *(name for name in stored if name not in asked)]:
        place = f"{path}.{name}" if path else name
        if name not in stored:
            yield Difference(place, canonical_json(asked[name]), None)
        elif name not in asked:
            yield Difference(place, None, canonical_json(stored[name]))
        else:
            yield from _compare(asked[name], stored[name], place)


def _compare_arrays(
    asked: list[Json] | tuple[Json, ...], stored: list[Json] | tuple[Json, ...], path: str
) -> Iterator[Difference]:
    shared = min(len(asked), len(stored))
    for index in range(shared):
        yield from _compare(asked[index], stored[index], f"{path}[{index}]")
    for index in range(shared, len(asked)):
        yield Difference(f"{path}[{index}]", canonical_json(asked[index]), None)
    for index in range(shared, len(stored)):
        yield Difference(f"{path}[{index}]", None, canonical_json(stored[index]))
