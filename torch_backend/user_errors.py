"""Errors that are meant to reach the user, through Dynamo's wrapping of whatever a backend raises.

Dynamo turns an exception of a backend into BackendCompilerFailed, unless it is one of its own
kind. So the error is raised as both: still a CacheMissError, and passed on as it is.
"""

from __future__ import annotations

from typing import Any, NoReturn

from npu_autokernel.errors import AutokernelError


def raise_through_dynamo(error: AutokernelError) -> NoReturn:
    """Raise `error` so that the user catches it by its own class, with its own message."""
    from torch._dynamo import exc

    shorten = getattr(exc, "ShortenTraceback", None)
    if shorten is None or isinstance(error, shorten):
        raise error
    kind: Any = _combine(type(error), shorten)
    passed_on = kind.__new__(kind)
    passed_on.args = error.args
    passed_on.first_useful_frame = None
    raise passed_on.with_traceback(error.__traceback__) from None


def _combine(kind: type[AutokernelError], shorten: type[Exception]) -> type:
    return type(kind.__name__, (kind, shorten), {"__module__": kind.__module__})
