"""Many processes and threads on one store: nothing lost, nothing torn, nobody stuck."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from npu_autokernel.cache import Artifact, KernelRecord, SqliteStore
from tests.cache.store_records import make_attempt, make_kernel, make_memory

PROCESSES = 8
KERNELS_EACH = 40
SHARED_TASKS = 30


def make_numbered(owner: str, number: int) -> KernelRecord:
    """A kernel whose parts all tell its number, so a mixture of two would show."""
    data = f"{owner}/{number}/".encode() * 2000
    return make_kernel(
        proof_key={"owner": owner, "number": number},
        candidate={"source": f"{owner} {number}"},
        artifacts=(Artifact("program", data), Artifact("twin", data[::-1])),
    )


def hammer(folder: Path, owner: str) -> None:
    """Write kernels, saying which are in, and do shared tasks, each under its lease."""
    store = SqliteStore(folder)
    for number in range(KERNELS_EACH):
        kernel = make_numbered(owner, number)
        store.put_kernel(kernel)
        print(number, flush=True)
        assert store.get_kernels(kernel.proof_digest) == (kernel,)
        store.touch([kernel.identity])
        store.update_values(["practice/rows"], "draft", ("softmax",), 1.0, 0.1)
        do_shared_task(store, owner, f"task {number % SHARED_TASKS}")


def do_shared_task(store: SqliteStore, owner: str, task: str) -> None:
    """Synthesise a task as the backend does: once among all processes."""
    while not store.list_attempts(task_digest=task):
        lease = store.acquire_lease(task, owner, ttl_s=60.0)
        if lease is None:
            store.wait_for(task, timeout_s=60.0)
            continue
        if not store.list_attempts(task_digest=task):
            store.append_attempt(make_attempt(task_digest=task, episode_id=owner))
        assert store.release(lease)


def start_worker(function: str, *arguments: str) -> subprocess.Popen[str]:
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r});"
        f"from pathlib import Path; import test_store_processes as tests;"
        f"tests.{function}(Path(sys.argv[1]), *sys.argv[2:])"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_eight_processes_of_which_one_is_killed_lose_and_tear_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    workers = {f"worker {n}": start_worker("hammer", str(folder), f"worker {n}") for n in range(8)}
    # An item may come after the first rewards for it: those are ignored.
    SqliteStore(folder).put_memory(make_memory())
    victim = workers["worker 0"]
    assert victim.stdout is not None
    for line in victim.stdout:
        if int(line) == KERNELS_EACH // 2:
            break
    victim.send_signal(signal.SIGKILL)
    said = {owner: worker.communicate(timeout=60) for owner, worker in workers.items()}
    assert victim.returncode == -signal.SIGKILL
    for owner, worker in workers.items():
        assert worker is victim or worker.returncode == 0, said[owner]

    store = SqliteStore(folder)
    assert [found.code for found in store.check(fix=True)] in ([], ["store.stale_lease"])
    assert store.check() == ()
    for owner in workers:
        count = KERNELS_EACH // 2 + 1 if owner == "worker 0" else KERNELS_EACH
        for number in range(count):
            kernel = make_numbered(owner, number)
            (found,) = store.get_kernels(kernel.proof_digest)
            assert found.artifacts == kernel.artifacts
            assert found.candidate == kernel.candidate
    done = Counter(attempt.task_digest for attempt in store.list_attempts())
    assert done == {f"task {number}": 1 for number in range(SHARED_TASKS)}
    assert store.findings == ()


def hold_lease(folder: Path, key: str) -> None:
    assert SqliteStore(folder).acquire_lease(key, "holder", ttl_s=3600.0)
    print("held", flush=True)
    time.sleep(60)


def test_the_lease_of_a_killed_process_is_free_at_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    holder = start_worker("hold_lease", str(tmp_path / "store"), "key")
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    assert store.acquire_lease("key", "me", 60.0) is None
    assert not store.wait_for("key", 0.05)
    holder.kill()
    assert store.wait_for("key", 30.0)  # a zombie is dead: nobody has waited for it yet
    assert store.acquire_lease("key", "me", 60.0) is not None
    holder.communicate()


@pytest.mark.parametrize("elsewhere", ["another boot", "another host", ""])
def test_a_process_elsewhere_is_never_judged_dead(tmp_path: Path, elsewhere: str) -> None:
    store = SqliteStore(tmp_path / "store")
    assert store.acquire_lease("key", "holder", 3600.0)
    with store._connections.use() as db:
        db.execute("UPDATE leases SET boot_id = ?, pid = 999999999", (elsewhere,))
    assert store.acquire_lease("key", "me", 60.0) is None


def test_a_reused_process_id_is_not_the_holder(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    assert store.acquire_lease("key", "holder", 3600.0)
    with store._connections.use() as db:
        db.execute("UPDATE leases SET pid_started = '1'")
    assert store.acquire_lease("key", "me", 60.0) is not None


def test_threads_share_one_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    failures: list[BaseException] = []

    def work(owner: str) -> None:
        try:
            for number in range(20):
                kernel = make_numbered(owner, number)
                store.put_kernel(kernel)
                assert store.get_kernels(kernel.proof_digest) == (kernel,)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"thread {n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.stats().proven_kernels == 120
    late = threading.Thread(target=store.stats)
    late.start()
    late.join()
    # The connection of a new thread closes those of ended ones: ours and its own are left.
    targets = [os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()]
    assert targets.count(str(tmp_path / "store" / "store.db-wal")) == 2


def fork_and_run(work: Callable[[], None]) -> int:
    """Fork, do ``work`` in the child, and return the child's process id."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        os._exit(1)
    os._exit(0)


def test_a_forked_child_uses_the_store_of_its_parent(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(make_numbered("before", 0))

    def write(owner: str) -> None:
        for number in range(50):
            store.put_kernel(make_numbered(owner, number))

    children = [fork_and_run(lambda n=n: write(f"child {n}")) for n in range(3)]
    write("parent")
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    assert store.stats().proven_kernels == 1 + 4 * 50
    assert store.check() == ()


def test_a_fork_waits_for_transactions_of_other_threads(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    stop = threading.Event()
    failures: list[BaseException] = []

    def write() -> None:
        number = 0
        try:
            while not stop.is_set():
                store.put_kernel(make_numbered("thread", number % 5))
                number += 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    statuses = []
    for number in range(20):
        kernel = make_numbered("child", number)
        child = fork_and_run(lambda kernel=kernel: store.put_kernel(kernel))
        statuses.append(os.waitpid(child, 0)[1])
    stop.set()
    for thread in threads:
        thread.join()
    assert statuses == [0] * 20
    assert failures == []
    assert store.stats().proven_kernels == 25
    assert store.check() == ()


def test_processes_that_open_a_new_store_at_once_all_get_it(tmp_path: Path) -> None:
    statuses = []
    for attempt in range(10):
        folder = tmp_path / f"store {attempt}"

        def work(folder: Path = folder) -> None:
            SqliteStore(folder).put_kernel(make_numbered("child", os.getpid()))

        children = [fork_and_run(work) for _ in range(4)]
        statuses += [os.waitpid(child, 0)[1] for child in children]
        assert SqliteStore(folder).stats().proven_kernels == 4
    assert statuses == [0] * 40


def test_processes_that_meet_the_same_damage_move_it_once(tmp_path: Path) -> None:
    for attempt in range(10):
        folder = tmp_path / f"store {attempt}"
        SqliteStore(folder).close()
        (folder / "store.db").write_bytes(b"garbage" * 1000)

        def work(folder: Path = folder) -> None:
            SqliteStore(folder).put_kernel(make_numbered("child", os.getpid()))

        children = [fork_and_run(work) for _ in range(4)]
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
        assert len(list((folder / "quarantine").glob("*.db"))) == 1
        assert SqliteStore(folder).stats().proven_kernels == 4
