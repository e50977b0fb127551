"""Where ops come from: the source's lines, from the front end through to the dump.

Triton's ops know the file and line they come from. The lowering to linalg prints that only if asked,
by an environment variable, and the compiler prints what it was given, or the linalg file where it
was given nothing. Files lose their folders, before the compiler, which is quicker for it, and after
it: folders are temporary, and two compilations of one source have to give the same text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

_LINE_INFO_SWITCH = "TRITON_DISABLE_LINE_INFO"
# A file in a location: "/tmp/x/candidate.py":12:8.
_FILE = re.compile(r'"[^"\n]*[/\\]([^"/\\\n]+)"(?=:\d+:\d+)')


@contextmanager
def keep_line_info() -> Iterator[None]:
    """While it lasts, Triton's lowering prints locations; the caller's setting comes back after it."""
    before = os.environ.get(_LINE_INFO_SWITCH)
    os.environ[_LINE_INFO_SWITCH] = "false"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_LINE_INFO_SWITCH]
        else:
            os.environ[_LINE_INFO_SWITCH] = before


def cut_folders(text: str) -> str:
    """Linalg text, or a dump, whose locations name files without folders."""
    return _FILE.sub(r'"\1"', text)
