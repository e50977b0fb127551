"""The pool of worker processes, as the rest of the engine sees it.

Workers start on first use and stay warm. A request goes to one worker at a time; a worker that dies or does not
answer is replaced, and its request ends as a verdict (`worker.crashed`, `worker.timeout`).
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from concurrent.futures import Future
from types import TracebackType
from typing import IO

from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.verify import protocol
from npu_autokernel.verify.reply import reply_refused
from npu_autokernel.verify.request import VerifyReply, VerifyRequest

# On top of a request's own limit: starting a worker, and reading its reply.
GRACE_S = 60.0
GOODBYE_S = 2.0
LAST_WORDS_BYTES = 2000
WORKER_MODULE = "npu_autokernel.verify.worker_main"

_Job = tuple[VerifyRequest, "Future[VerifyReply]"]


class VerifierPool:
    """A few warm workers behind `submit` and `verify`. Close it, or use it as a context manager.

    Threads that wait for workers are daemons: they never keep the user's process alive.
    """

    def __init__(self, workers: int = 1) -> None:
        if workers < 1:
            raise ValueError(f"a pool needs at least one worker, not {workers}")
        self._size = workers
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._workers = [_Worker() for _ in range(workers)]
        self._started = 0
        self._closed = False
        self._finalizer = weakref.finalize(self, _close_workers, self._workers)

    def submit(self, request: VerifyRequest) -> Future[VerifyReply]:
        """Verify in a worker; the future always gets a reply. Raises RuntimeError on a closed pool."""
        future: Future[VerifyReply] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the verifier pool is closed")
            if self._started < self._size:
                arguments = (self._workers[self._started], self._jobs)
                threading.Thread(target=_serve_jobs, args=arguments, daemon=True).start()
                self._started += 1
            self._jobs.put((request, future))
        return future

    def verify(self, request: VerifyRequest) -> VerifyReply:
        """`submit`, and wait for the reply."""
        return self.submit(request).result()

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The worker processes that are running now."""
        return tuple(pid for worker in self._workers if (pid := worker.process_id) is not None)

    def close(self) -> None:
        """End the workers. Requests still running end as `worker.crashed`."""
        with self._lock:
            self._closed = True
            for _ in range(self._started):
                self._jobs.put(None)
        self._finalizer()

    def __enter__(self) -> VerifierPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _serve_jobs(worker: _Worker, jobs: queue.SimpleQueue[_Job | None]) -> None:
    while (job := jobs.get()) is not None:
        request, future = job
        if future.set_running_or_notify_cancel():
            future.set_result(worker.exchange(request))


def _close_workers(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.stop()


class _Worker:
    """One worker process, started when it is needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._stopped = False

    def exchange(self, request: VerifyRequest) -> VerifyReply:
        try:
            process = self._start()
            assert process.stdin is not None and process.stdout is not None
            protocol.write_message(process.stdin.fileno(), request.to_json())
            document = protocol.read_message(process.stdout.fileno(), request.limit_s + GRACE_S)
            return VerifyReply.from_json(document)
        except protocol.ChannelTimeoutError:
            return self._give_up(request, refuse("worker.timeout", limit_s=request.limit_s))
        except (protocol.ChannelClosedError, OSError, ValueError) as error:
            detail = self._read_last_words() or str(error)
            return self._give_up(request, refuse("worker.crashed", detail=detail))

    @property
    def process_id(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def stop(self) -> None:
        """End the process; a thread that waits for its reply sees the stream end."""
        self._stopped = True
        if self._process is not None:
            _end_process(self._process)

    def _start(self) -> subprocess.Popen[bytes]:
        if self._stopped:
            raise protocol.ChannelClosedError("the pool is closed")
        if self._process is None:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115
            self._process = subprocess.Popen(
                (sys.executable, "-m", WORKER_MODULE),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=_make_environment(),
                start_new_session=True,
            )
        return self._process

    def _read_last_words(self) -> str:
        """The last line the process wrote to stderr: why it could not start, or what killed it."""
        if self._errors is None:
            return ""
        size_bytes = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size_bytes - LAST_WORDS_BYTES))
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _give_up(self, request: VerifyRequest, refusal: Refusal) -> VerifyReply:
        self._discard()
        return reply_refused(refusal, request.depth)

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _end_process(process)
            assert process.stdout is not None and self._errors is not None
            process.stdout.close()
            self._errors.close()
            self._errors = None


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """Let an idle worker go by itself (it removes its folder); kill a busy one after a moment."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(GOODBYE_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _make_environment() -> dict[str, str]:
    """The worker's environment: one thread, no interpreter mode, no device autoload."""
    environment = dict(os.environ)
    environment.pop("TRITON_INTERPRET", None)
    environment["OMP_NUM_THREADS"] = "1"
    environment["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
    return environment
