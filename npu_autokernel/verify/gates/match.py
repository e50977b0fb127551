"""Gate `match`: a case's outputs against eager and the float64 golden.

In this order: inputs unchanged, nothing outside the outputs written, every element written, equal results under
another poison, values within the limits of `tolerance`. What fails on values is judged once more with the golden's own
sensitivity to its inputs, so that ill-conditioned data refuse no honest kernel.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from npu_autokernel.graph.golden import run_golden
from npu_autokernel.graph.reference import run_reference
from npu_autokernel.graph.task import KernelTask
from npu_autokernel.reasons import refuse
from npu_autokernel.verify.data import PoisonedOutput
from npu_autokernel.verify.progress import CaseRun, Failure, Progress
from npu_autokernel.verify.tolerance import Expectation, Judgement

NUDGES = 2


def match_case(progress: Progress) -> Progress | Failure:
    """Compare the case that just ran, or fail with a `match.*` code. A shape eager refuses is left out."""
    run = progress.run
    assert run is not None
    failure = _check_inputs(run) or _check_margins(run)
    if failure is not None:
        return failure
    tally = progress.tally
    expected = _expect(progress.request.task, run)
    if expected is None:
        return replace(progress, run=None, tally=replace(tally, skipped=tally.skipped + 1))
    expectations, left_out_share = expected
    failure = _check_written(run, expectations) or _check_equal_runs(run)
    if failure is not None:
        return failure
    judgements = _judge(progress.request.task, run, expectations)
    for index, judgement in enumerate(judgements):
        if judgement.reason != "ok":
            return _report(index, judgement)
    shape = tuple(value for _, value in run.case.symbols)
    errors = [judgement.max_error for judgement in judgements if run.case.values == "normal"]
    tally = replace(
        tally,
        cases=tally.cases + 1,
        shapes=tuple(dict.fromkeys((*tally.shapes, shape))),
        is_informative=tally.is_informative or _would_refuse_zeros(expectations),
        left_out_share=max(tally.left_out_share, left_out_share),
        max_error=max([tally.max_error, *errors]),
    )
    return replace(progress, run=None, tally=tally)


def check_informative(progress: Progress) -> Progress | Failure:
    """Fail when no case of a proof could tell the kernel from one that writes zeros.

    A screen has too few values for that: `all` of random bools is False in every one of its cases.
    """
    if progress.tally.is_informative or progress.request.depth == "screen":
        return progress
    return Failure(refuse("match.not_informative", cases=progress.tally.cases))


def _check_inputs(run: CaseRun) -> Failure | None:
    for index, (before, after) in enumerate(zip(run.pristine, run.inputs, strict=True)):
        if not torch.equal(_view_storage(before), _view_storage(after)):
            return Failure(refuse("match.input_mutated", input=index))
    return None


def _check_margins(run: CaseRun) -> Failure | None:
    """Gaps between an output's elements belong to someone else."""
    for outputs in run.outputs:
        for index, buffer in enumerate(outputs):
            outside = torch.full_like(_view_storage(buffer.storage), buffer.poison)
            _spread(outside, buffer).copy_(buffer.view)
            if not torch.equal(outside, _view_storage(buffer.storage)):
                return Failure(refuse("match.margin_written", output=index))
    return None


def _check_written(run: CaseRun, expectations: list[Expectation]) -> Failure | None:
    """An element that holds the poison after every run was never written."""
    for expected in expectations:
        buffers = [outputs[expected.output] for outputs in run.outputs]
        untouched = torch.stack([_find_poison(buffer) for buffer in buffers]).all(0)
        if len(buffers) == 1:
            untouched &= _can_tell_poison(expected)
        count = int(untouched.sum())
        if count:
            return Failure(refuse("match.not_written", output=expected.output, elements=count))
    return None


def _can_tell_poison(expected: Expectation) -> torch.Tensor:
    """Where one poison is enough: it is a NaN, and the golden has none. Other dtypes need two."""
    is_float = expected.eager.dtype.is_floating_point
    return ~expected.golden.isnan() & torch.tensor(is_float)


def _check_equal_runs(run: CaseRun) -> Failure | None:
    first = run.outputs[0]
    for others in run.outputs[1:]:
        for index, (left, right) in enumerate(zip(first, others, strict=True)):
            if not torch.equal(_read_bytes(left.view), _read_bytes(right.view)):
                return Failure(refuse("match.not_deterministic", output=index))
    return None


def _expect(task: KernelTask, run: CaseRun) -> tuple[list[Expectation], float] | None:
    try:
        eager = run_reference(task, run.pristine)
    except (RuntimeError, ValueError, IndexError):
        return None
    golden = run_golden(task, run.pristine)
    expectations = [
        Expectation(index, value, eager[index], keep)
        for index, (value, keep) in enumerate(zip(golden.outputs, golden.keep, strict=True))
    ]
    return expectations, golden.left_out_share


def _judge(task: KernelTask, run: CaseRun, expectations: list[Expectation]) -> list[Judgement]:
    views = [buffer.view for buffer in run.outputs[0]]
    judgements = [item.judge(view) for item, view in zip(expectations, views, strict=True)]
    if all(judgement.reason != "match.mismatch" for judgement in judgements):
        return judgements
    slacks = _measure_slacks(task, run, expectations)
    lenient = (replace(item, slack=slack) for item, slack in zip(expectations, slacks, strict=True))
    return [item.judge(view) for item, view in zip(lenient, views, strict=True)]


def _measure_slacks(
    task: KernelTask, run: CaseRun, expectations: list[Expectation]
) -> list[torch.Tensor]:
    """How far the goldens move when every float32 input moves by one unit in the last place, up or down."""
    generator = torch.Generator().manual_seed(run.case.seed)
    slacks = [torch.zeros_like(item.golden, dtype=torch.float64) for item in expectations]
    for _ in range(NUDGES):
        golden = run_golden(task, [_nudge(tensor, generator) for tensor in run.pristine])
        for index, item in enumerate(expectations):
            moved = (golden.outputs[index].double() - item.golden.double()).abs().nan_to_num(0.0)
            slacks[index] = torch.maximum(slacks[index], moved)
    return slacks


def _nudge(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    if tensor.dtype != torch.float32:
        return tensor
    upwards = torch.rand(tensor.shape, generator=generator) < 0.5
    towards = torch.where(upwards, torch.inf, -torch.inf)
    return torch.nextafter(tensor, towards)


def _would_refuse_zeros(expectations: list[Expectation]) -> bool:
    return any(
        expected.judge(torch.zeros_like(expected.eager)).reason != "ok" for expected in expectations
    )


def _report(output: int, judgement: Judgement) -> Failure:
    refusal = refuse(
        judgement.reason,
        output=output,
        max_error=_round(judgement.max_error),
        limit=_round(judgement.limit),
        mean_error=_round(judgement.mean_error),
        mean_limit=_round(judgement.mean_limit),
        wrong=judgement.wrong,
        elements=judgement.judged,
    )
    return Failure(refusal, judgement.mismatches)


def _round(value: float) -> float:
    return float(f"{value:.3g}")


def _find_poison(buffer: PoisonedOutput) -> torch.Tensor:
    return (_read_bytes(buffer.view) == buffer.poison).all(-1)


def _read_bytes(view: torch.Tensor) -> torch.Tensor:
    """The bytes of each element, along a new last dimension."""
    dense = view.reshape(-1).contiguous()
    return dense.view(torch.uint8).reshape(*view.shape, view.element_size())


def _view_storage(tensor: torch.Tensor) -> torch.Tensor:
    """All bytes behind a tensor."""
    return torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())


def _spread(storage: torch.Tensor, buffer: PoisonedOutput) -> torch.Tensor:
    """A view like the output's, over other storage."""
    view = buffer.view
    return storage.view(view.dtype).as_strided(view.shape, view.stride())
