"""Messages between a verifier pool and its workers: a four-byte length, then canonical JSON in UTF-8."""

from __future__ import annotations

import os
import select
import struct
import time
from typing import Any

from npu_autokernel.cache.canonical import canonical_json, parse_canonical

MAX_MESSAGE_BYTES = 1 << 30
_LENGTH = struct.Struct(">I")
_CHUNK_BYTES = 1 << 16


class ChannelClosedError(Exception):
    """The other side closed the pipe, or sent something that is no message."""


class ChannelTimeoutError(Exception):
    """No whole message arrived in time."""


def pack_message(document: Any) -> bytes:
    """The bytes of a message; raises CanonicalError for a value that has no canonical JSON."""
    payload = canonical_json(document).encode()
    return _LENGTH.pack(len(payload)) + payload


def write_message(descriptor: int, document: Any) -> None:
    """Write a whole message; raises ChannelClosedError when nobody reads."""
    data = memoryview(pack_message(document))
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except BrokenPipeError as error:
        raise ChannelClosedError(str(error)) from error


def read_message(descriptor: int, timeout_s: float | None = None, watch: int | None = None) -> Any:
    """Read a whole message.

    Raises ChannelTimeoutError after `timeout_s`, ChannelClosedError at the end of the stream, on damage, or as
    soon as the descriptor `watch` becomes readable (its other side has gone).
    """
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    header = _read_exactly(descriptor, _LENGTH.size, deadline, watch)
    (length,) = _LENGTH.unpack(header)
    if length > MAX_MESSAGE_BYTES:
        raise ChannelClosedError(f"a message of {length} bytes")
    payload = _read_exactly(descriptor, length, deadline, watch)
    try:
        return parse_canonical(payload.decode())
    except ValueError as error:
        raise ChannelClosedError(str(error)) from error


def _read_exactly(descriptor: int, count: int, deadline: float | None, watch: int | None) -> bytes:
    data = bytearray()
    while len(data) < count:
        _wait_readable(descriptor, deadline, watch)
        chunk = os.read(descriptor, min(count - len(data), _CHUNK_BYTES))
        if not chunk:
            raise ChannelClosedError("end of stream")
        data += chunk
    return bytes(data)


def _wait_readable(descriptor: int, deadline: float | None, watch: int | None) -> None:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    if watch is not None:
        poll.register(watch, select.POLLIN)
    remaining_ms = None if deadline is None else max(0.0, (deadline - time.monotonic()) * 1e3)
    ready = [number for number, _ in poll.poll(remaining_ms)]
    if not ready:
        raise ChannelTimeoutError
    if watch in ready:
        raise ChannelClosedError("the other side has gone")
