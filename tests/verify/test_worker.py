"""The worker boundary: whatever a candidate does, the pool answers with a verdict and serves the next one."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from npu_autokernel.candidate import Candidate, ScratchBuffer
from npu_autokernel.verify.request import VerifyRequest
from npu_autokernel.verify.worker import VerifierPool
from tests.verify.corpus import list_files, load_kernel

UNROLL_FOR_EVER = """
@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    value = tl.load(x + offsets, mask=inside)
    for step in tl.static_range(1000000000):
        value = value + step
    tl.store(out + offsets, value, mask=inside)
"""
DOUBLE = load_kernel(next(path for path in list_files("honest") if path.stem == "double"))
REQUEST = VerifyRequest(DOUBLE.task, DOUBLE.candidate, "screen", "Ascend910B1", limit_s=60.0)
FORBIDDEN = replace(
    REQUEST, candidate=replace(DOUBLE.candidate, source="import os\n" + DOUBLE.candidate.source)
)


def make_endless(**limits: float) -> VerifyRequest:
    candidate: Candidate = replace(DOUBLE.candidate, source=UNROLL_FOR_EVER)
    return replace(REQUEST, candidate=candidate, **limits)  # type: ignore[arg-type]


def test_a_refusal_comes_back_as_a_verdict(pool: VerifierPool) -> None:
    verdict = pool.verify(FORBIDDEN).verdict
    assert (verdict.reason, verdict.gate, verdict.depth) == ("source.forbidden", "source", "screen")
    assert [name for name, _ in verdict.gate_times_s] == ["source"]


def test_a_compilation_without_end_is_a_timeout(pool: VerifierPool) -> None:
    verdict = pool.verify(make_endless(limit_s=1.5)).verdict
    assert verdict.reason == "worker.timeout"
    assert dict(verdict.evidence) == {"limit_s": 1.5}


def test_a_memory_bomb_ends_as_a_verdict(pool: VerifierPool) -> None:
    scratch = (ScratchBuffer("float32", "s0 * 1000000000"),)
    candidate = replace(DOUBLE.candidate, plan=replace(DOUBLE.candidate.plan, scratch=scratch))
    verdict = pool.verify(replace(REQUEST, candidate=candidate, limit_bytes=4 << 30)).verdict
    assert (verdict.reason, dict(verdict.evidence)) == ("worker.memory", {"limit_bytes": 4 << 30})


def test_a_killed_child_ends_as_a_verdict_that_names_the_signal(pool: VerifierPool) -> None:
    future = pool.submit(make_endless(limit_s=60.0))
    child = wait_for_child_of(find_worker(pool))
    os.kill(child, signal.SIGSEGV)
    verdict = future.result(30).verdict
    assert (verdict.reason, dict(verdict.evidence)) == ("worker.crashed", {"detail": "SIGSEGV"})


def test_a_killed_worker_is_replaced(pool: VerifierPool) -> None:
    future = pool.submit(make_endless(limit_s=60.0))
    worker = find_worker(pool)
    wait_for_child_of(worker)
    os.kill(worker, signal.SIGKILL)
    assert future.result(30).verdict.reason == "worker.crashed"
    assert pool.verify(FORBIDDEN).verdict.reason == "source.forbidden"
    assert find_worker(pool) != worker


def test_nothing_is_left_running_or_lying_about(tmp_path: Path) -> None:
    environment = dict(os.environ)
    os.environ["TMPDIR"] = str(tmp_path)
    try:
        with VerifierPool(1) as pool:
            pool.verify(make_endless(limit_s=1.0))
            worker = find_worker(pool)
    finally:
        os.environ.clear()
        os.environ.update(environment)
    assert list(tmp_path.iterdir()) == []
    assert not Path(f"/proc/{worker}").exists()


def test_a_worker_that_cannot_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch today')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with VerifierPool(1) as pool:
        verdict = pool.verify(FORBIDDEN).verdict
    assert verdict.reason == "worker.crashed"
    assert "no torch today" in verdict.message


def test_closing_ends_a_running_request() -> None:
    pool = VerifierPool(1)
    future = pool.submit(make_endless(limit_s=60.0))
    wait_for_child_of(find_worker(pool))
    closer = threading.Thread(target=pool.close)
    closer.start()
    assert future.result(30).verdict.reason == "worker.crashed"
    closer.join(30)
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(FORBIDDEN)


def test_requests_of_many_threads_all_get_their_own_reply(pool: VerifierPool) -> None:
    depths = ["screen", "prove"] * 8
    futures = [pool.submit(replace(FORBIDDEN, depth=depth)) for depth in depths]  # type: ignore[arg-type]
    assert [future.result(30).verdict.depth for future in futures] == depths


def test_the_home_folder_stays_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with VerifierPool(1) as pool:
        pool.verify(REQUEST)
    assert list(tmp_path.iterdir()) == []


def find_worker(pool: VerifierPool) -> int:
    """The worker of a pool that has just been given a request."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if pool.process_ids:
            return pool.process_ids[0]
        time.sleep(0.02)
    raise AssertionError("no worker")


def wait_for_child_of(worker: int) -> int:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        children = list_children(worker)
        if children:
            time.sleep(0.3)
            return children[0]
        time.sleep(0.05)
    raise AssertionError("the worker has no child")


def list_children(pid: int) -> list[int]:
    children: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        children += [int(text) for text in task.read_text().split()]
    return sorted(children)
