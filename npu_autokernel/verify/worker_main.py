"""The worker process: `python -m npu_autokernel.verify.worker_main`, requests on stdin, replies on stdout.

It imports torch and Triton once, then forks a child per request. The child is where candidate source, compilers
and unproven kernels run: it has its own process group, limits on memory, time, files and core dumps, and a private
temporary folder. However it ends, the worker stays clean and answers with a verdict.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import shutil
import signal
import tempfile
import traceback
from typing import Any, NoReturn

from npu_autokernel.reasons import Refusal, refuse
from npu_autokernel.verify import protocol
from npu_autokernel.verify.reply import reply_refused
from npu_autokernel.verify.request import VerifyReply, VerifyRequest

MAX_FILE_BYTES = 1 << 30
_PR_SET_PDEATHSIG = 1
_ALLOCATION_FAILURES = ("bad_alloc", "can't allocate memory", "Cannot allocate memory")


def main() -> None:
    """Serve until stdin ends."""
    requests, replies = _take_over_streams()
    _import_once()
    folder = tempfile.mkdtemp(prefix="npu-autokernel-worker-")
    try:
        while True:
            request = VerifyRequest.from_json(protocol.read_message(requests))
            reply = _serve(request, folder, requests)
            protocol.write_message(replies, reply)
    except protocol.ChannelClosedError:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _take_over_streams() -> tuple[int, int]:
    """Keep stdin and stdout for messages; what libraries print goes nowhere."""
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return requests, replies


def _import_once() -> None:
    import torch

    torch.set_num_threads(1)
    from npu_autokernel.toolchain.discovery import Toolchain, find_toolchain

    if isinstance(find_toolchain(), Toolchain):
        from npu_autokernel.toolchain.front_end import import_front_end

        import_front_end()
    import npu_autokernel.verify.verifier  # noqa: F401


def _serve(request: VerifyRequest, folder: str, requests: int) -> Any:
    """Run one request in a child; the reply as a document."""
    scratch = tempfile.mkdtemp(dir=folder)
    results, results_of_child = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(results)
        _run_child(request, scratch, results_of_child)
    os.close(results_of_child)
    try:
        return protocol.read_message(results, request.limit_s, watch=requests)
    except protocol.ChannelTimeoutError:
        return _refuse(request, refuse("worker.timeout", limit_s=request.limit_s))
    except protocol.ChannelClosedError:
        return _refuse(request, _explain_death(request, _end_child(child)))
    finally:
        os.close(results)
        _end_child(child)
        shutil.rmtree(scratch, ignore_errors=True)


def _end_child(child: int) -> int:
    """Kill the child's group and return its wait status (0 if it was waited for before)."""
    try:
        pid, status = os.waitpid(child, os.WNOHANG)
        ended = pid != 0
    except ChildProcessError:
        return 0
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return status if ended else os.waitpid(child, 0)[1]


def _explain_death(request: VerifyRequest, status: int) -> Refusal:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return refuse("worker.timeout", limit_s=request.limit_s)
        return refuse("worker.crashed", detail=signal.Signals(number).name)
    return refuse("worker.crashed", detail=f"exit code {os.WEXITSTATUS(status)}")


def _run_child(request: VerifyRequest, scratch: str, results: int) -> NoReturn:
    code = 1
    try:
        os.dup2(1, 2)  # to nowhere: what compilers print is not kept
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _set_limits(request)
        _use_folder(scratch)
        protocol.write_message(results, _verify(request))
        code = 0
    finally:
        os._exit(code)


def _set_limits(request: VerifyRequest) -> None:
    cpu_s = int(request.limit_s) + 1
    limits = {
        resource.RLIMIT_AS: request.limit_bytes,
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_FSIZE: MAX_FILE_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in limits.items():
        _, hard = resource.getrlimit(kind)
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (soft, soft))


def _use_folder(scratch: str) -> None:
    """Temporary files, Triton's caches and the home folder are inside `scratch`."""
    for name in ("TMPDIR", "TRITON_HOME", "TRITON_CACHE_DIR", "HOME"):
        os.environ[name] = scratch
    tempfile.tempdir = scratch
    os.chdir(scratch)


def _verify(request: VerifyRequest) -> Any:
    from npu_autokernel.verify.verifier import verify

    try:
        return verify(request).to_json()
    except MemoryError:
        return _refuse(request, refuse("worker.memory", limit_bytes=request.limit_bytes))
    except Exception as error:
        return _refuse(request, _explain_error(request, error))


def _explain_error(request: VerifyRequest, error: Exception) -> Refusal:
    """Torch and the machine report a failed allocation as a RuntimeError; anything else is a bug of ours."""
    if any(text in str(error) for text in _ALLOCATION_FAILURES):
        return refuse("worker.memory", limit_bytes=request.limit_bytes)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    return refuse("worker.crashed", detail=f"{type(error).__name__} at {place}: {error}"[:400])


def _refuse(request: VerifyRequest, refusal: Refusal) -> Any:
    reply: VerifyReply = reply_refused(refusal, request.depth)
    return reply.to_json()


if __name__ == "__main__":
    main()
