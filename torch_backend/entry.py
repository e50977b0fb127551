"""The function that `torch.compile(model, backend="npu_autokernel")` finds by its entry point.

It imports the rest at the first compilation, so that loading the entry point costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch.fx import GraphModule


def npu_autokernel(
    gm: GraphModule, example_inputs: Sequence[Any], **kwargs: Any
) -> Callable[..., Any]:
    """Compile a Dynamo graph: kernels for the regions that can have one, eager for the rest.

    `kwargs["options"]` holds settings (`npu_autokernel.settings`). `kwargs["mode"]` is torch's own
    preset; it is accepted and has no meaning here. Raises UnknownOptionError or BadOptionError for
    wrong options and, where `assert_cache_hit` is set, CacheMissError; nothing else of ours.
    """
    from npu_autokernel.torch_backend.backend import compile_dynamo_graph

    return compile_dynamo_graph(gm, example_inputs, kwargs.get("options"))


def _reset() -> None:
    """Called by `torch.compiler.reset`: region numbers start again, warnings may be said again."""
    from npu_autokernel.torch_backend.session import reset_sessions

    reset_sessions()


npu_autokernel.reset = _reset  # type: ignore[attr-defined]
