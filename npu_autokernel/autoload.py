"""What runs at the end of `import torch`: with NPU_AUTOKERNEL=1, an unnamed torch.compile is ours.

torch loads this through the entry point group `torch.backends`; an exception here would break
`import torch` itself, so nothing here may raise, and nothing heavy may be imported. The default
of torch.compile's `backend` argument is changed in place: a backend that is named still wins.
"""

from __future__ import annotations

import os

BACKEND_NAME = "npu_autokernel"
SWITCH = "NPU_AUTOKERNEL"


def _autoload() -> None:
    """Make this backend torch.compile's default if the switch says so."""
    try:
        if is_switched_on():
            _change_default_backend()
    except Exception as error:
        _explain(error)


def is_switched_on() -> bool:
    """Whether the environment asks for this backend without naming it in code."""
    return os.environ.get(SWITCH, "").strip().lower() in ("1", "true", "yes", "on")


def _change_default_backend() -> None:
    import torch

    defaults = torch.compile.__kwdefaults__ or {}
    if "backend" not in defaults:
        raise LookupError("torch.compile has no keyword argument `backend`")
    defaults["backend"] = BACKEND_NAME


def _explain(error: Exception) -> None:
    import logging

    logging.getLogger(BACKEND_NAME).warning(
        "%s=1 could not make this backend torch.compile's default (%s); "
        'name it: torch.compile(model, backend="%s").',
        SWITCH,
        error,
        BACKEND_NAME,
    )
