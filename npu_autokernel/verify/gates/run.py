"""Gate `machine`: run one case on the machine, before its reference is computed.

Outputs and scratch start full of poison. A case with two poisons runs twice on the same inputs: first looking for
races, then with another poison in all memory and the pipes of each core in another order that the flags allow.
"""

from __future__ import annotations

from dataclasses import replace

from npu_autokernel.graph.task import KernelTask
from npu_autokernel.machine import ExecutionOptions
from npu_autokernel.verify.cases import Case
from npu_autokernel.verify.data import POISONS, PoisonedOutput, make_inputs, make_poisoned_output
from npu_autokernel.verify.progress import CaseRun, Failure, Progress

STEP_LIMIT = 1 << 21
# Dense kernels read nothing outside of their tensors. Elsewhere the compiler reads ahead of masks, and what it reads
# there is poison.
DENSE_FAMILIES = frozenset({"elementwise", "normalisation", "reduction", "softmax"})
OPTIONS = ExecutionOptions(check_uninitialised=True, step_limit=STEP_LIMIT)


def run_case(progress: Progress, case: Case) -> Progress | Failure:
    """Add the case's run, or fail with a `machine.*` code."""
    task, plan = progress.request.task, progress.request.candidate.plan
    assert progress.prepared is not None
    symbols = dict(case.symbols)
    pristine = make_inputs(task, symbols, case.values, case.seed)
    inputs = make_inputs(task, symbols, case.values, case.seed)
    outputs: list[tuple[PoisonedOutput, ...]] = []
    for number, poison in enumerate(POISONS[: case.poisons]):
        buffers = tuple(
            make_poisoned_output(output.spec, symbols, poison, fill)
            for output, fill in zip(task.outputs, plan.output_fills, strict=True)
        )
        views = [buffer.view for buffer in buffers]
        options = _choose_options(task, case, number)
        refusal = progress.prepared.run(inputs, symbols, views, options, poison)
        if refusal is not None:
            return Failure(refusal)
        outputs.append(buffers)
    return replace(progress, run=CaseRun(case, tuple(pristine), tuple(inputs), tuple(outputs)))


def _choose_options(task: KernelTask, case: Case, number: int) -> ExecutionOptions:
    options = replace(OPTIONS, guard_bytes=0) if task.family in DENSE_FAMILIES else OPTIONS
    if number == 0:
        return replace(options, check_races=case.checks_races)
    return replace(options, poison_seed=number, interleaving_seed=case.seed)
