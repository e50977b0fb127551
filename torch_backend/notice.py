"""Warnings: each thing that went wrong is said once per process, with what to do.

A user's model never sees an exception of ours; it sees eager's answer, and one line in the log.
"""

from __future__ import annotations

import logging

from npu_autokernel.reasons import Refusal, refuse

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


def describe_error(error: BaseException) -> str:
    """One line: the exception's type and the first line of its message."""
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def refuse_error(error: Exception) -> Refusal:
    """An error of ours as a value: said once, its traceback in the log at debug level."""
    LOGGER.debug("an error of ours", exc_info=error)
    refusal = refuse("region.internal_error", detail=describe_error(error))
    warn_refusal("A part of the graph runs in eager", refusal)
    return refusal


def set_debug_level(level: int) -> None:
    """Let decisions (level 1) and more be printed; level 0 leaves logging as the user set it up."""
    if level > 0:
        LOGGER.setLevel(logging.DEBUG)
        if not LOGGER.hasHandlers():
            LOGGER.addHandler(logging.StreamHandler())
