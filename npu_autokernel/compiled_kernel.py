"""CompiledKernel: what the tool chain makes of one launch, and the image in which the store keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

IMAGE_SCHEMA = 1


@dataclass(frozen=True)
class CompiledKernel:
    """One compiled launch.

    `text` is the generic HIVM dump that the machine executes. `parameters` are the names of the kernel's run-time
    parameters in order; `constants` the folded compile-time constants. `lost` lists what the compiler silently
    gave up in a retry (`multi_buffer`, `code_motion`).
    """

    entry: str
    text: str
    soc: str
    parameters: tuple[str, ...]
    constants: tuple[tuple[str, int | float | bool | str], ...]
    lost: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": IMAGE_SCHEMA,
            "entry": self.entry,
            "text": self.text,
            "soc": self.soc,
            "parameters": list(self.parameters),
            "constants": [list(pair) for pair in self.constants],
            "lost": list(self.lost),
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> CompiledKernel:
        """Inverse of `to_json`; raises ValueError for another schema, KeyError for a missing field."""
        if document["schema"] != IMAGE_SCHEMA:
            raise ValueError(f"image schema {document['schema']} is not {IMAGE_SCHEMA}")
        return CompiledKernel(
            entry=document["entry"],
            text=document["text"],
            soc=document["soc"],
            parameters=tuple(document["parameters"]),
            constants=tuple((name, value) for name, value in document["constants"]),
            lost=tuple(document["lost"]),
        )
