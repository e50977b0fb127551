"""The match gate over runs made by hand: each way in which a run's memory can be wrong."""

from __future__ import annotations

import torch

from npu_autokernel.graph.task import KernelTask, TensorSpec
from npu_autokernel.verify.cases import Case
from npu_autokernel.verify.data import POISONS, PoisonedOutput, make_inputs, make_poisoned_output
from npu_autokernel.verify.gates.match import check_informative, match_case
from npu_autokernel.verify.progress import CaseRun, Failure, Progress
from npu_autokernel.verify.request import Depth, VerifyRequest
from tests.contracts import CANDIDATE
from tests.graph.tracing import build
from tests.verify.corpus import make_task

SYMBOLS = {"s0": 8, "s1": 12}
GAPPED = TensorSpec("float32", ("s0", "s1"), ("2 * s1", "1"))
DOUBLE = make_task("double")


def make_run(task: KernelTask = DOUBLE, poisons: int = 2, values: str = "normal") -> CaseRun:
    """A run whose outputs are right: twice the input, in rows with gaps between them."""
    case = Case(tuple(SYMBOLS.items()), values, 0, poisons)
    pristine, inputs = (tuple(make_inputs(task, SYMBOLS, values, 0)) for _ in range(2))
    outputs = []
    for poison in POISONS[:poisons]:
        buffer = make_poisoned_output(GAPPED, SYMBOLS, poison, None)
        buffer.view.copy_(pristine[0] * 2.0)
        outputs.append((buffer,))
    return CaseRun(case, pristine, inputs, tuple(outputs))


def match(run: CaseRun, task: KernelTask = DOUBLE, depth: Depth = "prove") -> Progress | Failure:
    return match_case(Progress(VerifyRequest(task, CANDIDATE, depth, "Ascend910B1"), run=run))


def get_code(result: Progress | Failure) -> str:
    return result.refusal.code if isinstance(result, Failure) else "ok"


def get_buffers(run: CaseRun) -> list[PoisonedOutput]:
    return [outputs[0] for outputs in run.outputs]


def test_a_right_run_passes_and_is_counted() -> None:
    result = match(make_run())
    assert isinstance(result, Progress)
    assert result.run is None
    assert (result.tally.cases, result.tally.is_informative) == (1, True)


def test_a_changed_input_is_seen_even_in_one_bit() -> None:
    run = make_run()
    run.inputs[0].view(torch.int32)[3, 4] ^= 1
    assert get_code(match(run)) == "match.input_mutated"


def test_a_write_between_the_rows_is_seen() -> None:
    run = make_run()
    get_buffers(run)[0].storage[15] = 0.0
    assert get_code(match(run)) == "match.margin_written"


def test_an_element_never_written_is_counted() -> None:
    run = make_run()
    for buffer in get_buffers(run):
        buffer.view[7, 11] = torch.full((4,), buffer.poison, dtype=torch.uint8).view(torch.float32)
    result = match(run)
    assert isinstance(result, Failure)
    assert result.refusal.code == "match.not_written"
    assert dict(result.refusal.evidence)["elements"] == 1


def test_runs_that_differ_in_one_bit_are_seen() -> None:
    run = make_run()
    get_buffers(run)[1].view.view(torch.int32)[0, 0] ^= 1
    assert get_code(match(run)) == "match.not_deterministic"


def test_a_wrong_value_is_shown_with_its_place() -> None:
    run = make_run()
    for buffer in get_buffers(run):
        buffer.view[2, 3] = 100.0
    result = match(run)
    assert isinstance(result, Failure)
    assert result.refusal.code == "match.mismatch"
    assert (result.mismatches[0].index, result.mismatches[0].got) == ((2, 3), 100.0)


def test_a_nan_that_the_kernel_computes_is_no_unwritten_element() -> None:
    run = make_run(poisons=1, values="extreme")
    (buffer,) = get_buffers(run)
    is_nan = buffer.view.isnan()
    assert is_nan.any()
    buffer.view[is_nan] = torch.full((4,), 0xFF, dtype=torch.uint8).view(torch.float32)
    assert get_code(match(run)) == "ok"


def test_a_shape_that_eager_refuses_is_left_out() -> None:
    task = build(lambda x: x.view(4, -1) * 2.0, torch.randn(8, 12))
    run = make_run()
    odd = (torch.randn(3, 5),)
    result = match(CaseRun(run.case, odd, odd, run.outputs), task)
    assert isinstance(result, Progress)
    assert (result.tally.cases, result.tally.skipped) == (0, 1)


def test_a_task_that_is_always_zero_cannot_be_proven() -> None:
    task = build(lambda x: x * 0.0, torch.randn(8, 12))
    run = make_run(task)
    for buffer in get_buffers(run):
        buffer.view.zero_()
    result = match(run, task)
    assert isinstance(result, Progress)
    assert get_code(check_informative(result)) == "match.not_informative"


def test_a_screen_leaves_to_the_proof_whether_zeros_would_be_seen() -> None:
    task = build(lambda x: x * 0.0, torch.randn(8, 12))
    run = make_run(task)
    for buffer in get_buffers(run):
        buffer.view.zero_()
    result = match(run, task, "screen")
    assert isinstance(result, Progress)
    assert get_code(check_informative(result)) == "ok"
