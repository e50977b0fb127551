"""How the commands print: tables, times, sizes, and a kernel's task in one line."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

DIGEST_CHARACTERS = 12
DIFFERENCE_CHARACTERS = 110
# Where nobody's terminal sets a width: wide enough for every table of ours.
FILE_COLUMNS = 200


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """A table on stdout; names ending in `>` are right-aligned."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column.endswith(">") else "left"
        table.add_column(column.rstrip(">"), justify=justify, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = FILE_COLUMNS
    console.print(table)


def shorten_text(text: str, limit: int = DIFFERENCE_CHARACTERS) -> str:
    """The text, its middle left out where it is longer than `limit`."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]} ... {text[head - limit + 5 :]}"


def shorten_digest(digest: str) -> str:
    return digest[:DIGEST_CHARACTERS]


def format_size(size_bytes: int) -> str:
    """`512 B`, `3.4 KiB`, `1.2 GiB`."""
    size = float(size_bytes)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def format_age(at: float, now: float | None = None) -> str:
    """How long ago a time (seconds since the epoch) was, in its largest unit."""
    age_s = max(0.0, (time.time() if now is None else now) - at)
    for unit, length_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if age_s >= length_s:
            return f"{age_s / length_s:.0f} {unit} ago"
    return "just now"


def format_latency(measurement: dict[str, Any]) -> str:
    """`12.3 us device`, or `12.3 us machine estimate (clock 1)` with class and expected error."""
    latency = f"{measurement['latency_us']:.1f} us"
    if measurement["provenance"] == "device":
        return f"{latency} device"
    accuracy = format_accuracy(measurement["accuracy_class"])
    return f"{latency} machine estimate (clock {measurement['clock_version']}, {accuracy})"


def format_accuracy(accuracy_class: str) -> str:
    """`class wide: +-10%`."""
    from npu_autokernel.machine.timing import EXPECTED_ERRORS

    return f"class {accuracy_class}: +-{EXPECTED_ERRORS[accuracy_class]:.0%}"


def describe_task(task: dict[str, Any]) -> str:
    """A task's document in one line: `mul, add, native_layer_norm (float32)`."""
    names = [op["target"].split(".")[1] for op in task["ops"]]
    return f"{', '.join(dict.fromkeys(names))} ({task['numerics']})"
