"""Every cheat of the corpus is refused with the reason in its header; every honest kernel passes both depths."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_autokernel.verify.request import VerifyRequest
from npu_autokernel.verify.worker import VerifierPool
from tests.verify.corpus import CorpusKernel, list_files, load_kernel

CHEATS = [path for path in list_files("cheats") if "# reason: source." not in path.read_text()]
HONEST = list_files("honest")


def make_request(kernel: CorpusKernel, seed: int = 0) -> VerifyRequest:
    return VerifyRequest(kernel.task, kernel.candidate, kernel.depth, "Ascend910B1", seed)


@pytest.mark.parametrize("path", CHEATS, ids=lambda path: path.stem)
def test_cheats_are_refused(path: Path, pool: VerifierPool) -> None:
    kernel = load_kernel(path)
    verdict = pool.verify(make_request(kernel)).verdict
    assert (verdict.reason, verdict.depth) == (kernel.reason, kernel.depth), verdict.message
    assert " ?" not in verdict.message


@pytest.mark.parametrize(
    "name,text",
    [
        ("no_mask", "tl.store(out + offsets, value + value)"),
        ("mask_off_by_one", "tl.store(out + offsets, value + value, mask=offsets <= n)"),
        ("endless_loop", "while count >= 0:"),
    ],
)
def test_a_fault_of_the_machine_quotes_the_line_of_the_source(
    name: str, text: str, pool: VerifierPool
) -> None:
    kernel = load_kernel(next(path for path in CHEATS if path.stem == name))
    verdict = pool.verify(make_request(kernel)).verdict
    evidence = dict(verdict.evidence)
    lines = kernel.candidate.source.splitlines()
    assert evidence["source_text"] == text == lines[int(evidence["source_line"]) - 1].strip()
    assert f"source line {evidence['source_line']}, dump line {evidence['dump_line']}" in (
        verdict.message
    )


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_honest_kernels_pass(path: Path, pool: VerifierPool) -> None:
    kernel = load_kernel(path)
    reply = pool.verify(make_request(kernel))
    assert reply.verdict.is_ok, reply.verdict.message
    assert reply.measurement is not None
    assert len(reply.kernels) == 1
    shapes = str(dict(reply.verdict.evidence)["shapes"]).split()
    assert shapes[0] == "x".join(str(value) for _, value in kernel.task.hints)
    assert len(shapes) > 1
    gates = {name for name, _ in reply.verdict.gate_times_s}
    assert gates == {"source", "compile", "launch", "machine", "match", "time"}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_seed_changes_the_data_but_not_the_verdict(seed: int, pool: VerifierPool) -> None:
    kernel = load_kernel(next(path for path in CHEATS if path.stem == "lower_precision"))
    verdict = pool.verify(make_request(kernel, seed)).verdict
    assert verdict.reason == kernel.reason
    assert verdict.mismatches != pool.verify(make_request(kernel, 0)).verdict.mismatches


def test_equal_requests_give_equal_verdicts(pool: VerifierPool) -> None:
    kernel = load_kernel(next(path for path in CHEATS if path.stem == "wrong_formula"))
    first, second = (pool.verify(make_request(kernel)).verdict for _ in range(2))
    assert (first.evidence, first.mismatches) == (second.evidence, second.mismatches)
