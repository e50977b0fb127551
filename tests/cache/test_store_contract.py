"""What every store promises, whichever database is behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from npu_autokernel.cache import (
    Artifact,
    ExchangeRefused,
    MemoryValue,
    Store,
    StoreUnavailable,
    find_value,
)
from tests.cache.store_records import Clock, make_attempt, make_kernel, make_memory, make_value

MakeStore = Callable[[str], Store]


class TestKernels:
    def test_a_kernel_comes_back_as_it_was_put(self, store: Store, make_store: MakeStore) -> None:
        kernel = make_kernel()
        store.put_kernel(kernel)
        assert store.get_kernels(kernel.proof_digest) == (kernel,)
        assert make_store("store").get_kernels(kernel.proof_digest) == (kernel,)

    def test_a_kernel_without_artifacts_comes_back(self, store: Store) -> None:
        kernel = make_kernel(artifacts=(), requires=(), measurement=None)
        store.put_kernel(kernel)
        assert store.get_kernels(kernel.proof_digest) == (kernel,)

    def test_an_unknown_key_is_a_miss(self, store: Store) -> None:
        store.put_kernel(make_kernel())
        assert store.get_kernels("0" * 64) == ()

    def test_all_buckets_of_a_key_come_back_newest_first_in_each(self, store: Store) -> None:
        old = make_kernel(bucket="10")
        new = make_kernel(bucket="10", candidate={"source": "better"}, created_at=200.0)
        other = make_kernel(bucket="20")
        for kernel in (other, old, new, make_kernel(proof_key={"ops": ["aten.mul"]})):
            store.put_kernel(kernel)
        assert store.get_kernels(old.proof_digest) == (new, old, other)

    def test_putting_the_same_candidate_again_replaces_it(self, store: Store) -> None:
        store.put_kernel(make_kernel(state="imported"))
        proven = make_kernel(artifacts=(Artifact("program", b"other"),))
        store.put_kernel(proven)
        assert store.get_kernels(proven.proof_digest) == (proven,)
        assert store.stats().imported_kernels == 0

    def test_a_deleted_kernel_is_gone(self, store: Store) -> None:
        kernel = make_kernel()
        store.put_kernel(kernel)
        assert store.delete_kernel(kernel.identity)
        assert not store.delete_kernel(kernel.identity)
        assert store.get_kernels(kernel.proof_digest) == ()

    def test_the_listing_shows_the_most_recently_used_first(
        self, store: Store, clock: Clock
    ) -> None:
        first, second = make_kernel(bucket="1"), make_kernel(bucket="2")
        store.put_kernel(first)
        store.put_kernel(second)
        clock.now = 5000.0
        store.touch([first.identity, make_kernel(bucket="unknown").identity])
        listed = store.list_kernels()
        assert [item.identity for item in listed] == [first.identity, second.identity]
        assert [item.last_used_at for item in listed] == [5000.0, 100.0]
        assert listed[0].proof_key == first.proof_key
        assert listed[0].measurement == first.measurement

    def test_uses_within_a_minute_are_noted_once(self, store: Store, clock: Clock) -> None:
        store.put_kernel(make_kernel())
        store.touch([make_kernel().identity])
        clock.now += 30
        store.touch([make_kernel().identity])
        assert [item.last_used_at for item in store.list_kernels()] == [1000.0]
        clock.now += 31
        store.touch([make_kernel().identity])
        assert [item.last_used_at for item in store.list_kernels()] == [1061.0]

    def test_a_touched_kernel_passes_its_digest(self, store: Store) -> None:
        kernel = make_kernel()
        store.put_kernel(kernel)
        store.touch([kernel.identity])
        assert store.get_kernels(kernel.proof_digest) == (replace(kernel, last_used_at=1000.0),)

    def test_the_generation_grows_exactly_when_the_kernels_change(
        self, store: Store, tmp_path: Path
    ) -> None:
        kernel = make_kernel()
        changes: list[Callable[[], object]] = [
            lambda: store.put_kernel(kernel),
            lambda: store.export_to(tmp_path / "kernels"),
            lambda: store.delete_kernel(kernel.identity),
            lambda: store.import_from(tmp_path / "kernels"),
            lambda: store.prune(0),
            lambda: store.clear(["kernels"]),
        ]
        others: list[Callable[[], object]] = [
            lambda: store.get_kernels(kernel.proof_digest),
            lambda: store.touch([kernel.identity]),
            lambda: store.append_attempt(make_attempt()),
            lambda: store.put_memory(make_memory()),
            lambda: store.acquire_lease("key", "me", 10),
            lambda: store.prune(1 << 40),
            lambda: store.delete_kernel(make_kernel(bucket="unknown").identity),
        ]
        for change in changes:
            for other in others:
                before = store.generation()
                other()
                assert store.generation() == before
            change()
            if change is not changes[1]:
                assert store.generation() > before

    def test_the_nearest_keys_say_where_they_differ(self, store: Store) -> None:
        near = make_kernel(proof_key={"ops": ["sin"], "eps": 1e-5, "rank": 2})
        far = make_kernel(proof_key={"ops": ["cos", "mul"], "eps": 1e-6, "rank": 3})
        store.put_kernel(far)
        store.put_kernel(near)
        found = store.nearest_keys({"ops": ["sin"], "eps": 1e-6, "rank": 2})
        assert [key.proof_digest for key in found] == [near.proof_digest, far.proof_digest]
        assert [str(item) for item in found[0].differences] == ["eps: asked 1e-06, stored 1e-05"]


class TestAttempts:
    def test_attempts_come_back_oldest_first_by_task_and_episode(self, store: Store) -> None:
        late = make_attempt(ordinal=1, at=9.0, measurement={"latency_us": 3.0})
        early = make_attempt(at=5)
        other = make_attempt(task_digest="other", episode_id="second", at=7.0)
        for attempt in (late, other, early):
            store.append_attempt(attempt)
        assert store.list_attempts() == (early, other, late)
        assert store.list_attempts(task_digest="task") == (early, late)
        assert store.list_attempts(episode_id="second") == (other,)
        assert store.list_attempts("task", "second") == ()

    def test_appending_the_same_attempt_again_changes_nothing(self, store: Store) -> None:
        store.append_attempt(make_attempt())
        store.append_attempt(make_attempt())
        assert store.list_attempts() == (make_attempt(),)


class TestMemory:
    def test_items_come_back_by_kind_with_their_values(self, store: Store) -> None:
        practice = make_memory(values=(make_value(),))
        repair = make_memory(item_id="repair/ub", kind="repair")
        store.put_memory(repair)
        store.put_memory(practice)
        assert store.list_memory() == (practice, repair)
        assert store.list_memory("repair") == (repair,)
        assert store.list_memory("trace") == ()

    def test_new_content_keeps_what_was_learned(self, store: Store) -> None:
        learned, added = make_value(value=0.75), make_value(stage="refine")
        store.put_memory(make_memory(values=(learned,)))
        store.put_memory(make_memory(rationale="new", values=(make_value(value=-1.0), added)))
        assert store.list_memory() == (make_memory(rationale="new", values=(learned, added)),)

    def test_a_deleted_item_takes_its_values_along(self, store: Store) -> None:
        store.put_memory(make_memory(values=(make_value(),)))
        assert store.delete_memory("practice/rows")
        assert not store.delete_memory("practice/rows")
        store.put_memory(make_memory())
        assert store.list_memory() == (make_memory(),)

    def test_a_reward_is_learned_for_the_state_and_all_its_cut_forms(self, store: Store) -> None:
        store.put_memory(make_memory())
        store.put_memory(make_memory(item_id="other"))
        signature = ("softmax", "fp16", "mte2")
        store.update_values(["practice/rows", "unknown"], "refine", signature, 1.0, alpha=0.5)
        store.update_values(["practice/rows"], "refine", ("softmax", "fp32"), -1.0, alpha=0.5)
        other, item = store.list_memory()
        assert other.values == ()
        assert item.values == (
            MemoryValue("refine", (), -0.25, 2, 1),
            MemoryValue("refine", ("softmax",), -0.25, 2, 1),
            MemoryValue("refine", ("softmax", "fp16"), 0.5, 1, 1),
            MemoryValue("refine", ("softmax", "fp16", "mte2"), 0.5, 1, 1),
            MemoryValue("refine", ("softmax", "fp32"), -0.5, 1, 0),
        )
        assert item.count_uses("refine") == 2
        assert find_value(item.values, "draft", signature) is None

    @pytest.mark.parametrize(
        ("signature", "reward"), [(("a", "b", "c", "d"), 1.0), ((), float("nan"))]
    )
    def test_what_cannot_be_learned_is_a_mistake(
        self, store: Store, signature: tuple[str, ...], reward: float
    ) -> None:
        with pytest.raises(ValueError):
            store.update_values(["practice/rows"], "draft", signature, reward, 0.5)


class TestLeases:
    def test_one_holds_until_it_is_released(self, store: Store, make_store: MakeStore) -> None:
        other = make_store("store")
        lease = store.acquire_lease("key", "first", 60)
        assert lease is not None
        assert other.acquire_lease("key", "second", 60) is None
        assert store.acquire_lease("key", "first", 60) is None
        assert other.acquire_lease("another key", "second", 60) is not None
        assert store.release(lease)
        assert not store.release(lease)
        assert other.acquire_lease("key", "second", 60) is not None

    def test_a_lease_ends_with_its_time_and_can_be_taken(self, store: Store, clock: Clock) -> None:
        lease = store.acquire_lease("key", "first", 60)
        assert lease is not None
        clock.now += 60
        assert store.acquire_lease("key", "second", 60) is not None
        assert store.renew(lease, 60) is None
        assert not store.release(lease)

    def test_a_renewed_lease_holds_longer(self, store: Store, clock: Clock) -> None:
        lease = store.acquire_lease("key", "first", 60)
        assert lease is not None
        clock.now += 50
        renewed = store.renew(lease, 60)
        assert renewed == replace(lease, expires_at=clock.now + 60)
        clock.now += 50
        assert store.acquire_lease("key", "second", 60) is None

    def test_waiting_ends_when_the_lease_is_released(
        self, store: Store, make_store: MakeStore
    ) -> None:
        lease = store.acquire_lease("key", "first", 60)
        assert lease is not None
        assert not store.wait_for("key", 0.0)
        other = make_store("store")
        thread = threading.Timer(0.05, other.release, [lease])
        thread.start()
        assert store.wait_for("key", 30.0)
        thread.join()
        assert store.wait_for("a key nobody holds", 0.0)


class TestUpkeep:
    def test_stats_count_what_is_there(self, store: Store) -> None:
        store.put_kernel(make_kernel())
        store.put_kernel(make_kernel(bucket="20", state="imported"))
        store.append_attempt(make_attempt())
        store.put_memory(make_memory())
        store.acquire_lease("key", "me", 60)
        stats = store.stats()
        assert (stats.proven_kernels, stats.imported_kernels) == (1, 1)
        assert (stats.attempts, stats.memory_items, stats.leases) == (1, 1, 1)
        assert (stats.quarantined, stats.read_only) == (0, False)
        assert stats.size_bytes > 0

    def test_a_whole_store_has_no_findings(self, store: Store) -> None:
        store.put_kernel(make_kernel())
        store.append_attempt(make_attempt())
        store.put_memory(make_memory(values=(make_value(),)))
        store.acquire_lease("key", "me", 60)
        assert store.check() == store.check(fix=True) == store.findings == ()
        assert len(store.list_kernels()) == 1

    def test_check_tells_a_lease_left_behind_and_fixes_it(self, store: Store, clock: Clock) -> None:
        store.acquire_lease("key", "me", 60)
        clock.now += 61
        (found,) = store.check()
        assert (found.code, found.subject, found.fixed) == ("store.stale_lease", "key", False)
        (found,) = store.check(fix=True)
        assert found.fixed
        assert store.check() == ()

    def test_prune_takes_attempts_first_then_the_least_recently_used(self, store: Store) -> None:
        for number in range(4):
            noise = bytes((7919 * number * byte * byte) % 251 for byte in range(3000))
            store.put_kernel(
                make_kernel(
                    bucket=str(number),
                    artifacts=(Artifact("program", noise),),
                    last_used_at=100.0 - number,
                )
            )
        store.append_attempt(make_attempt())
        store.put_memory(make_memory())
        sizes = [item.size_bytes for item in store.list_kernels()]

        untouched = store.prune(1 << 30)
        assert (untouched.kernels, untouched.attempts, untouched.freed_bytes) == (0, 0, 0)
        first = store.prune(untouched.kept_bytes - 1)
        assert (first.kernels, first.attempts) == (0, 1)
        assert first.kept_bytes == sum(sizes)
        second = store.prune(sum(sizes[:2]))
        assert (second.kernels, second.freed_bytes) == (2, sum(sizes[2:]))
        assert [item.identity.bucket for item in store.list_kernels()] == ["0", "1"]
        assert store.prune(0).kernels == 2
        assert store.list_memory() == (make_memory(),)

    def test_clear_deletes_the_kinds_it_is_told(self, store: Store) -> None:
        store.put_kernel(make_kernel())
        store.append_attempt(make_attempt())
        store.put_memory(make_memory(values=(make_value(),)))
        store.clear(["kernels"])
        assert store.list_kernels() == ()
        assert store.list_attempts() and store.list_memory()
        store.clear()
        assert store.list_attempts() == store.list_memory() == ()

    def test_deleted_bytes_leave_the_disk(self, store: Store) -> None:
        for number in range(20):
            noise = bytes((number + byte * byte * 131) % 253 for byte in range(50_000))
            store.put_kernel(make_kernel(bucket=str(number), artifacts=(Artifact("p", noise),)))
        before = store.stats().size_bytes
        store.clear()
        assert store.stats().size_bytes < before / 2

    def test_a_closed_store_says_so(self, store: Store) -> None:
        store.close()
        with pytest.raises(StoreUnavailable) as caught:
            store.get_kernels("key")
        assert caught.value.code == "store.closed"


class TestExchange:
    def fill(self, store: Store) -> None:
        store.put_kernel(make_kernel())
        store.put_kernel(make_kernel(bucket="20"))
        store.append_attempt(make_attempt())
        store.put_memory(make_memory(values=(make_value(),)))

    def test_everything_crosses_and_kernels_count_as_not_proven(
        self, store: Store, make_store: MakeStore, tmp_path: Path
    ) -> None:
        self.fill(store)
        store.export_to(tmp_path / "file")
        other = make_store("other")
        report = other.import_from(tmp_path / "file")
        assert (report.kernels, report.attempts, report.memory, report.kept) == (2, 1, 1, 0)
        imported = replace(make_kernel(), state="imported", last_used_at=1000.0)
        assert other.get_kernels(imported.proof_digest) == (
            imported,
            replace(imported, bucket="20"),
        )
        assert other.list_attempts() == store.list_attempts()
        assert other.list_memory() == store.list_memory()

    def test_what_is_here_already_is_kept(self, store: Store, tmp_path: Path) -> None:
        self.fill(store)
        store.export_to(tmp_path / "file")
        store.put_memory(make_memory(rationale="newer"))
        report = store.import_from(tmp_path / "file")
        assert (report.kernels, report.attempts, report.memory, report.kept) == (0, 0, 0, 4)
        assert store.stats().proven_kernels == 2
        assert store.list_memory()[0].rationale == "newer"

    def test_kinds_that_were_not_asked_for_stay_home(
        self, store: Store, make_store: MakeStore, tmp_path: Path
    ) -> None:
        self.fill(store)
        store.export_to(tmp_path / "file", ["memory"])
        other = make_store("other")
        assert other.import_from(tmp_path / "file").memory == 1
        assert other.list_kernels() == other.list_attempts() == ()

    def test_the_same_records_make_the_same_file(self, store: Store, tmp_path: Path) -> None:
        self.fill(store)
        store.export_to(tmp_path / "first")
        store.export_to(tmp_path / "second")
        assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
        assert {path.name for path in tmp_path.iterdir()} == {"store", "first", "second"}

    def test_a_damaged_file_is_refused_whole(
        self, store: Store, make_store: MakeStore, tmp_path: Path
    ) -> None:
        self.fill(store)
        store.export_to(tmp_path / "file")
        whole = (tmp_path / "file").read_bytes()
        other = make_store("other")
        damaged = [whole[:-1], whole[: len(whole) // 2], b"", b"no export", whole + whole]
        damaged += [
            whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :]
            for place in range(12, len(whole), 97)
        ]
        for content in damaged:
            (tmp_path / "damaged").write_bytes(content)
            with pytest.raises(ExchangeRefused) as caught:
                other.import_from(tmp_path / "damaged")
            assert caught.value.code == "store.exchange"
            assert other.list_kernels() == other.list_attempts() == other.list_memory() == ()

    def test_a_missing_file_is_refused(self, store: Store, tmp_path: Path) -> None:
        with pytest.raises(ExchangeRefused):
            store.import_from(tmp_path / "nowhere")

    def test_an_unwritable_place_leaves_the_store_and_the_place_alone(
        self, store: Store, tmp_path: Path
    ) -> None:
        self.fill(store)
        with pytest.raises(StoreUnavailable) as caught:
            store.export_to(tmp_path / "missing folder" / "file")
        assert caught.value.code == "store.io"
        assert len(store.list_kernels()) == 2
