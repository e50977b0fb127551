"""One ATen graph to one callable: partition, then per region a task, a key and a kernel.

1. `broadcasts` takes away expands that part what belongs together
2. `partition` groups ops by the drafter's fusion traits
3. `region_builder` makes regions of the groups, and finds each its task, key and kernel
4. `assemble` puts calls of the kernels in the place of their regions; all else is untouched
5. `region_report` says what happened
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from torch.fx import GraphModule, Node

from npu_autokernel.errors import AutokernelError
from npu_autokernel.reasons import refuse
from npu_autokernel.settings import Settings
from npu_autokernel.torch_backend.assemble import assemble_graph, box_module
from npu_autokernel.torch_backend.broadcasts import fold_broadcasts
from npu_autokernel.torch_backend.eager_reasons import (
    explain_eager,
    is_constant,
    is_getitem,
    is_scalar,
    name_op,
)
from npu_autokernel.torch_backend.notice import refuse_error
from npu_autokernel.torch_backend.partition import Flow, Partition, partition_graph
from npu_autokernel.torch_backend.policy import explain_ban
from npu_autokernel.torch_backend.region_builder import RegionBuilder
from npu_autokernel.torch_backend.region_report import (
    EagerOp,
    GraphReport,
    Stage,
    publish_report,
)
from npu_autokernel.torch_backend.session import Session, get_session, next_graph_index
from npu_autokernel.torch_backend.traits import describe_fusion, merge_traits


def compile_aten_graph(
    module: GraphModule, example_inputs: Sequence[Any], *, stage: Stage, settings: Settings
) -> Callable[[list[Any]], Any]:
    """A boxed callable for `module`; whatever goes wrong, it computes what `module` does.

    Raises AutokernelError only: CacheMissError, or a chip that no table describes.
    """
    try:
        return box_module(_compile(module, stage, settings))
    except AutokernelError:
        raise
    except Exception as error:
        refuse_error(error)
        return box_module(module)


def _compile(module: GraphModule, stage: Stage, settings: Settings) -> GraphModule:
    start = time.perf_counter()
    session = get_session(settings)
    fold_broadcasts(module.graph)
    flow = Flow(module.graph)
    partition = _find_groups(flow, session, settings)
    partition_seconds = time.perf_counter() - start
    builder = RegionBuilder(session, settings)
    builder.add_groups(partition.groups)
    compiled = assemble_graph(module, flow, builder.calls) if builder.calls else module
    session.note_use(builder.used)
    publish_report(
        GraphReport(
            index=next_graph_index(),
            stage=stage,
            regions=tuple(builder.reports),
            eager_ops=_list_eager_ops(partition),
            partition_seconds=partition_seconds,
            seconds=time.perf_counter() - start,
        )
    )
    return compiled


def _find_groups(flow: Flow, session: Session, settings: Settings) -> Partition:
    def describe(node: Node) -> Any:
        reason = explain_ban(name_op(node), settings) or explain_eager(node, session.device_type)
        return reason or describe_fusion(node)

    partition = partition_graph(flow, describe, merge_traits)
    # A launch costs more than single numbers, and a constant alone gains nothing.
    partition = _drop_groups(partition, is_scalar, "region.scalar")
    return _drop_groups(partition, is_constant, "region.constant")


def _drop_groups(partition: Partition, is_idle: Callable[[Node], bool], code: str) -> Partition:
    """Leave the groups in eager whose every op `is_idle`, for the reason `code`."""
    dropped = [group for group in partition.groups if all(map(is_idle, group))]
    refusals = [
        (node, refuse(code, op=name_op(node)))
        for group in dropped
        for node in group
        if not is_getitem(node)
    ]
    groups = tuple(group for group in partition.groups if group not in dropped)
    return Partition(groups, (*partition.refusals, *refusals))


def _list_eager_ops(partition: Partition) -> tuple[EagerOp, ...]:
    return tuple(EagerOp(node.name, name_op(node), refusal) for node, refusal in partition.refusals)
