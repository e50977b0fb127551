"""From Dynamo's graph to a callable: settings, AOTAutograd, and the compilers it calls.

AOTAutograd makes functional ATen graphs (inference, or forward and backward) and hands each to
`graph_compiler`. Input mutations stay outside of the graphs, so nothing in them writes to memory.
What goes wrong in here costs speed only: the graph runs in eager, and one warning says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from torch.fx import GraphModule

from npu_autokernel.autoload import is_switched_on
from npu_autokernel.errors import AutokernelError
from npu_autokernel.settings import Settings, load_settings
from npu_autokernel.torch_backend.decompositions import make_decompositions
from npu_autokernel.torch_backend.graph_compiler import compile_aten_graph
from npu_autokernel.torch_backend.notice import refuse_error, set_debug_level, warn_once
from npu_autokernel.torch_backend.user_errors import raise_through_dynamo


def compile_dynamo_graph(
    module: GraphModule, example_inputs: Sequence[Any], options: Mapping[str, Any] | None
) -> Callable[..., Any]:
    """A callable for `module`; with `enabled=0`, `module` itself.

    Raises AutokernelError for the user's mistakes and for a miss that `assert_cache_hit` forbids.
    """
    from torch._dynamo.exc import TorchDynamoException

    try:
        settings = load_settings(options)
        if not settings.enabled:
            return module
        set_debug_level(settings.debug)
        _announce_machine(settings)
        return _run_aot_autograd(module, example_inputs, settings)
    except AutokernelError as error:
        raise_through_dynamo(error)
    except TorchDynamoException:  # Dynamo's own control flow, such as a restart of its analysis
        raise
    except Exception as error:
        refuse_error(error)
        return module


def _announce_machine(settings: Settings) -> None:
    """Where one switch made us the default, say once what runs the kernels."""
    if settings.target == "machine" and is_switched_on():
        warn_once(
            f"No NPU is used: kernels run on the machine, a simulator of {settings.soc} on the CPU. "
            "Results are right, and slower than eager. NPU_AUTOKERNEL=0 turns this off."
        )


def _run_aot_autograd(
    module: GraphModule, example_inputs: Sequence[Any], settings: Settings
) -> Callable[..., Any]:
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    return aot_autograd(
        fw_compiler=partial(compile_aten_graph, stage="forward", settings=settings),
        bw_compiler=partial(compile_aten_graph, stage="backward", settings=settings),
        inference_compiler=partial(compile_aten_graph, stage="inference", settings=settings),
        decompositions=make_decompositions(),
        partition_fn=min_cut_rematerialization_partition,
    )(module, example_inputs)
