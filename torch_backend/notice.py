"""Warnings: each thing that went wrong is said once per process, with what to do.

A user's model never sees an exception of ours; it sees eager's answer, and one line in the log.
"""

from __future__ import annotations

import logging

from npu_autokernel.reasons import Refusal

LOGGER = logging.getLogger("npu_autokernel")

_said: set[str] = set()


def warn_once(message: str) -> None:
    """Log `message` as a warning unless this process has said it before."""
    if message not in _said:
        _said.add(message)
        LOGGER.warning(message)


def warn_refusal(subject: str, refusal: Refusal) -> None:
    """Say once why `subject` did not go as asked, and what to do about it."""
    warn_once(f"{subject}: {refusal.message} {refusal.advice} [{refusal.code}]")


def forget_notices() -> None:
    """Let everything be said again (after `torch.compiler.reset`)."""
    _said.clear()
