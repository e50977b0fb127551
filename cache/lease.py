"""Which process holds a lease, and whether it is still alive.

A lease ends when its time is up, or earlier when its process is seen to be dead.  Only a process
of this boot and this process-id namespace can be judged: elsewhere the number means another
process, and time alone decides.  The start time guards against a reused process id.
"""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from pathlib import Path

from npu_autokernel.cache.records import LeaseRecord


def make_lease(key: str, owner: str, ttl_s: float, now: float) -> LeaseRecord:
    """Return a lease for the calling process, from ``now`` (seconds since the epoch)."""
    pid = os.getpid()
    return LeaseRecord(
        key=key,
        owner=owner,
        token=secrets.token_hex(16),
        boot_id=read_boot_id(),
        pid=pid,
        pid_started=read_start_time(pid),
        acquired_at=now,
        expires_at=now + ttl_s,
    )


def is_stale(lease: LeaseRecord, now: float) -> bool:
    """Tell whether nobody holds ``lease`` any more: its time is up or its process is dead."""
    return now >= lease.expires_at or _is_known_dead(lease)


def _is_known_dead(lease: LeaseRecord) -> bool:
    if not lease.boot_id or lease.boot_id != read_boot_id():
        return False
    return read_start_time(lease.pid) != lease.pid_started


@lru_cache(maxsize=1)
def read_boot_id() -> str:
    """Name this boot of this host and this process-id namespace; empty where it is unknown."""
    try:
        boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot_id}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def read_start_time(pid: int) -> str:
    """Return when a process started, in clock ticks since boot; empty if there is none.

    A zombie counts as none: it has ended and only waits for its parent.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()  # the name before may hold spaces and brackets
    state, start_time = fields[0], fields[19]
    return "" if state in "ZX" else start_time
