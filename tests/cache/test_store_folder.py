"""Who may use a store's folder, and what happens where nothing can be written."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from npu_autokernel.cache import STORE_CODES, Artifact, SqliteStore, StoreUnavailable
from tests.cache.store_records import make_kernel

NOBODY = 65534


def run_in_child(work: Callable[[], str]) -> str:
    """Do ``work`` in a forked child, which may give up its rights, and return what it says."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = work()
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    return answer


def run_without_rights(work: Callable[[], str], uid: int) -> str:
    """Do ``work`` as a user whom permission bits bind, which they do not if we are root."""

    def drop_and_work() -> str:
        if os.geteuid() == 0:
            os.setgid(uid)
            os.setuid(uid)
        return work()

    return run_in_child(drop_and_work)


def catch_code(work: Callable[[], object]) -> str:
    try:
        return f"no error: {work()}"
    except StoreUnavailable as error:
        return error.code


@pytest.fixture
def user() -> int:
    """A user who is not root: ourselves, or nobody."""
    return os.geteuid() or NOBODY


@pytest.fixture
def folder(tmp_path: Path, user: int) -> Path:
    """A filled store that belongs to ``user``, in a folder that ``user`` can reach."""
    for parent in (tmp_path, *tmp_path.parents):
        if not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(make_kernel())
    store.close()
    for path in (tmp_path / "store", *(tmp_path / "store").iterdir()):
        os.chown(path, user, -1)
    return tmp_path / "store"


def read_count(folder: Path) -> str:
    store = SqliteStore(folder)
    found = store.get_kernels(make_kernel().proof_digest)
    return f"{len(found)} read_only={store.stats().read_only}"


class TestPrivacy:
    def test_folder_and_files_are_private_whatever_the_umask(self, tmp_path: Path) -> None:
        before = os.umask(0)
        try:
            SqliteStore(tmp_path / "store").put_kernel(make_kernel())
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "store").stat().st_mode) == 0o700
        modes = {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "store").iterdir()}
        assert modes == {0o600}

    @pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
    def test_a_folder_that_others_may_write_is_refused(self, tmp_path: Path, mode: int) -> None:
        SqliteStore(tmp_path / "store").close()
        (tmp_path / "store").chmod(mode)
        assert catch_code(lambda: SqliteStore(tmp_path / "store")) == "store.owner"

    def test_a_file_that_others_may_write_is_refused(self, tmp_path: Path) -> None:
        SqliteStore(tmp_path / "store").close()
        (tmp_path / "store" / "store.db").chmod(0o620)
        assert catch_code(lambda: SqliteStore(tmp_path / "store")) == "store.owner"

    def test_a_link_in_place_of_the_file_is_refused(self, tmp_path: Path) -> None:
        SqliteStore(tmp_path / "other").close()
        (tmp_path / "store").mkdir(mode=0o700)
        (tmp_path / "store" / "store.db").symlink_to(tmp_path / "other" / "store.db")
        assert catch_code(lambda: SqliteStore(tmp_path / "store")) == "store.owner"

    def test_a_file_in_place_of_the_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "store").write_text("a file")
        assert catch_code(lambda: SqliteStore(tmp_path / "store")).startswith("store.")

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
    @pytest.mark.parametrize("name", [".", "store.db"])
    def test_what_another_user_owns_is_refused(self, tmp_path: Path, name: str) -> None:
        SqliteStore(tmp_path / "store").close()
        os.chown(tmp_path / "store" / name, NOBODY, -1)
        assert catch_code(lambda: SqliteStore(tmp_path / "store")) == "store.owner"


def test_a_store_that_was_removed_is_made_again(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    store.put_kernel(make_kernel())
    shutil.rmtree(tmp_path / "store")
    assert store.get_kernels(make_kernel().proof_digest) == ()
    store.put_kernel(make_kernel())
    assert store.get_kernels(make_kernel().proof_digest) == (make_kernel(),)
    assert store.check() == store.findings == ()


class TestReadOnly:
    def test_a_read_only_folder_can_be_read(self, folder: Path, user: int) -> None:
        folder.chmod(0o500)
        answer = run_without_rights(lambda: read_count(folder), user)
        folder.chmod(0o700)
        assert answer == "1 read_only=True"

    def test_a_read_only_file_can_be_read(self, folder: Path, user: int) -> None:
        (folder / "store.db").chmod(0o400)
        assert run_without_rights(lambda: read_count(folder), user) == "1 read_only=True"

    def test_what_the_log_holds_can_be_read(self, folder: Path, user: int) -> None:
        """A process killed before it closed leaves its last writes in the log."""

        def write_and_die() -> str:
            SqliteStore(folder).put_kernel(make_kernel(bucket="other"))
            os._exit(0)

        run_without_rights(write_and_die, user)
        assert (folder / "store.db-wal").stat().st_size
        folder.chmod(0o500)
        answer = run_without_rights(lambda: read_count(folder), user)
        folder.chmod(0o700)
        assert answer == "2 read_only=True"

    @pytest.mark.parametrize(
        "write",
        [
            lambda store: store.put_kernel(make_kernel()),
            lambda store: store.acquire_lease("key", "me", 1.0),
            lambda store: store.touch([make_kernel().identity]),
            lambda store: store.prune(0),
        ],
    )
    def test_writing_says_that_it_is_read_only(
        self, folder: Path, user: int, write: Callable[[SqliteStore], object]
    ) -> None:
        folder.chmod(0o500)
        answer = run_without_rights(lambda: catch_code(lambda: write(SqliteStore(folder))), user)
        folder.chmod(0o700)
        assert answer == "store.read_only"

    def test_a_damaged_row_reads_as_a_miss_all_the_same(self, folder: Path, user: int) -> None:
        with closing(sqlite3.connect(folder / "store.db", isolation_level=None)) as db:
            db.execute("UPDATE kernels SET verdict = '{}'")
        folder.chmod(0o500)

        def work() -> str:
            store = SqliteStore(folder)
            found = store.get_kernels(make_kernel().proof_digest)
            store.get_kernels(make_kernel().proof_digest)
            return f"{found} {[finding.fixed for finding in store.findings]}"

        answer = run_without_rights(work, user)
        folder.chmod(0o700)
        assert answer == "() [False]"

    def test_a_damaged_file_is_left_where_it_is(self, folder: Path, user: int) -> None:
        (folder / "store.db").write_bytes(b"garbage" * 1000)
        folder.chmod(0o500)
        answer = run_without_rights(lambda: catch_code(lambda: SqliteStore(folder)), user)
        folder.chmod(0o700)
        assert answer == "store.corrupt_file"
        assert (folder / "store.db").read_bytes() == b"garbage" * 1000

    def test_no_store_in_a_read_only_folder_is_told(self, folder: Path, user: int) -> None:
        for file in folder.iterdir():
            file.unlink()
        folder.chmod(0o500)
        answers = [
            run_without_rights(lambda place=place: catch_code(lambda: SqliteStore(place)), user)
            for place in (folder, folder / "deeper")
        ]
        folder.chmod(0o700)
        assert answers == ["store.read_only", "store.read_only"]


class TestFullDisk:
    NOISE = Artifact("program", os.urandom(200_000))

    def test_a_full_database_says_so_and_keeps_what_it_had(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path / "store")
        store.put_kernel(make_kernel())
        with store._connections.use() as db:
            db.execute("PRAGMA max_page_count = 40")
        full = make_kernel(bucket="full", artifacts=(self.NOISE,))
        assert catch_code(lambda: store.put_kernel(full)) == "store.disk_full"
        assert store.get_kernels(full.proof_digest) == (make_kernel(),)
        assert store.check() == ()
        store.put_kernel(make_kernel(bucket="small"))

    def test_a_limit_on_the_file_size_is_no_crash(self, tmp_path: Path) -> None:
        def work() -> str:
            store = SqliteStore(tmp_path / "store")
            store.put_kernel(make_kernel())
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
            full = make_kernel(bucket="full", artifacts=(self.NOISE,))
            code = catch_code(lambda: store.put_kernel(full))
            export = catch_code(lambda: store.export_to(tmp_path / "export"))
            return f"{code} {len(store.get_kernels(full.proof_digest))} {export}"

        code, count, export = run_in_child(work).split(" ", 2)
        assert code in ("store.io", "store.disk_full")
        assert count == "1"
        assert export == "no error: None"
        store = SqliteStore(tmp_path / "store")
        assert store.get_kernels(make_kernel().proof_digest) == (make_kernel(),)
        assert store.check() == ()

    def test_no_room_for_even_an_empty_store_is_told(self, tmp_path: Path) -> None:
        def work() -> str:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
            return catch_code(lambda: SqliteStore(tmp_path / "store"))

        assert run_in_child(work) in ("store.io", "store.disk_full")
        assert SqliteStore(tmp_path / "store").check() == ()

    def test_an_export_that_does_not_fit_leaves_nothing_behind(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path / "store")
        store.put_kernel(make_kernel(artifacts=(self.NOISE,)))
        (tmp_path / "out").mkdir()

        def work() -> str:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
            return catch_code(lambda: store.export_to(tmp_path / "out" / "file"))

        assert run_in_child(work) == "store.disk_full"
        assert list((tmp_path / "out").iterdir()) == []


def test_every_error_says_what_to_do() -> None:
    for code, advice in STORE_CODES.items():
        assert code.startswith("store.")
        assert advice in str(StoreUnavailable(code, "what happened"))


def test_the_store_needs_nothing_but_the_standard_library() -> None:
    program = (
        "import sys; before = set(sys.modules); import npu_autokernel.cache;"
        "print({name.partition('.')[0] for name in set(sys.modules) - before}"
        " - set(sys.stdlib_module_names))"
    )
    run = [sys.executable, "-c", program]
    assert subprocess.check_output(run, text=True) == "{'npu_autokernel'}\n"
