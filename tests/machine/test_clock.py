"""The clock on synthetic streams: pipes, flags, costs, sharing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.clock_constants import CONSTANTS
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.machine.timing import Timing, simulate

SOC = get_soc("910B1")
CYCLE_US = 1 / SOC.clock_mhz


def make_tile(rows: int = 1, row_bytes: int = 8192, stride: int = 0, first: int = 0) -> GmTile:
    tile = GmTile()
    tile.rows, tile.row_bytes, tile.first_byte = rows, row_bytes, first
    tile.row_stride = stride or row_bytes
    return tile


def time_vector(*operations: tuple[Any, ...]) -> float:
    """Cycles of the vector pipe."""
    stream = Stream()
    for operation in operations:
        stream.vector(*operation)
    return simulate([[stream]], "vector", SOC).vector.busy_us("vector") / CYCLE_US


def time_loads(cores: int, *tiles: GmTile, count: int = 64) -> Timing:
    blocks = []
    for core in range(cores):
        stream = Stream()
        stream.begin_loop(count)
        for tile in tiles:
            moved = make_tile(tile.rows, tile.row_bytes, tile.row_stride, tile.first_byte)
            moved.first_byte += core * count * tile.rows * tile.row_stride
            moved.loop_strides = [tile.rows * tile.row_stride]
            stream.load(moved)
        stream.end_loop()
        blocks.append([stream])
    return simulate(blocks, "vector", SOC)


@pytest.mark.parametrize(
    ("second", "cycles_per_repeat"),
    [(0x10100, 1.0), (0x4000, 2.0), (0x10000, 2.0)],
    ids=["half a period apart", "one bank", "one group of another bank"],
)
def test_inputs_in_one_bank_group_take_two_cycles(second: int, cycles_per_repeat: float) -> None:
    cycles = time_vector(("add", "float32", 4096, [0, second], 0x20000))
    assert cycles == pytest.approx(CONSTANTS.vector_startup_cycles + 64 * cycles_per_repeat)


def test_result_shifted_against_an_input_delays_each_repeat() -> None:
    aligned = time_vector(("add", "float32", 4096, [0, 0x10100], 0x4000))
    shifted = time_vector(("add", "float32", 4096, [0, 0x10100], 0x4020))
    assert shifted - aligned == pytest.approx(64 * CONSTANTS.vector_overlap_cycles)


@pytest.mark.parametrize(
    ("addresses", "cycles_per_repeat"),
    [
        ([0, 0x4000, 0x8020], 3.0),
        ([0, 0x14000, 0x8020], 2.0),
        ([0x14000, 0x100, 0x8020], 1.77),
    ],
    ids=["all in one bank", "a read of another bank", "the second input alone"],
)
def test_a_result_among_its_inputs_delays_each_repeat(
    addresses: list[int], cycles_per_repeat: float
) -> None:
    cycles = time_vector(("add", "float32", 4096, addresses[:2], addresses[2]))
    assert cycles == pytest.approx(CONSTANTS.vector_startup_cycles + 64 * cycles_per_repeat)


@pytest.mark.parametrize(
    ("strides", "cycles_per_repeat"),
    [([1, 1, 16], 8), ([16, 1, 1], 9), ([16, 16, 1], 16), ([2, 1, 1], 2), ([8, 8, 17], 8)],
)
def test_block_strides_of_inputs_and_result_meet_in_bank_groups(
    strides: list[int], cycles_per_repeat: int
) -> None:
    addresses = [0, 0x10100 if strides[0] == strides[1] == 8 else 0x10000]
    cycles = time_vector(("add", "float32", 4096, addresses, 0x20000, "", strides))
    expected = 64 * cycles_per_repeat + CONSTANTS.vector_startup_cycles
    assert cycles == pytest.approx(expected, abs=2 * CONSTANTS.vector_inner_call_cycles)


def test_a_comparison_of_two_tensors_takes_twice_that_with_a_number() -> None:
    startup = CONSTANTS.vector_startup_cycles + 5
    number = time_vector(("cmp", "float32", 4096, [0], 0x20000, "bool"))
    tensor = time_vector(("cmp", "float32", 4096, [0, 0x10100], 0x20000, "bool"))
    assert (number - startup, tensor - startup) == pytest.approx((64, 128))


def test_a_barrier_drains_the_vector_pipe() -> None:
    def run(barriers: int) -> Timing:
        stream = Stream()
        for _ in range(3):
            stream.vector("exp", "float32", 64, [0], 0x10000)
            for _ in range(barriers):
                stream.barrier("vector")
        return simulate([[stream]], "vector", SOC)

    with_barriers, without = run(1), run(0)
    drained = with_barriers.alone_us - without.alone_us
    assert drained == pytest.approx(3 * CONSTANTS.vector_barrier_cycles * CYCLE_US, rel=0.1)
    assert with_barriers.vector.busy_us("vector") == without.vector.busy_us("vector")


@pytest.mark.parametrize(
    ("kind", "dtype", "columns", "cycles"),
    [
        ("max", "float32", 8, 31 + 16),
        ("sum", "float32", 8, 38 + 16),
        ("max", "float16", 16, 31 + 16 * 7),
        ("sum", "float16", 2, 38 + 2),
        ("max", "float32", 64, 46 + 128 * 7),
        ("sum", "float32", 64, 46 + 128 * 3),
    ],
)
def test_short_rows_are_reduced_by_blocks(kind: str, dtype: str, columns: int, cycles: int) -> None:
    stream = Stream()
    stream.reduce(kind, dtype, 128, columns)
    timing = simulate([[stream]], "vector", SOC)
    assert timing.vector.busy_us("vector") / CYCLE_US == pytest.approx(cycles)


@pytest.mark.parametrize(("stride", "factor"), [(144, 8), (145, 1), (8, 4), (2, 1), (4, 2)])
def test_blocks_that_share_bank_groups_slow_a_copy(stride: int, factor: int) -> None:
    stream = Stream()
    stream.copy_blocks(144, 8, stride)
    cycles = simulate([[stream]], "vector", SOC).vector.busy_us("vector") / CYCLE_US
    assert cycles == pytest.approx(CONSTANTS.vector_startup_cycles + 144 * factor)


def test_division_of_halves_costs_as_much_as_of_singles() -> None:
    halves = time_vector(("div", "float16", 128 * 64, [0, 0x10100], 0x20000))
    singles = time_vector(("div", "float32", 64 * 64, [0, 0x10100], 0x20000))
    assert halves == singles == pytest.approx(CONSTANTS.vector_startup_cycles + 9 + 64 * 4)


def test_pipes_without_flags_run_side_by_side() -> None:
    stream = Stream()
    stream.load(make_tile(row_bytes=65536))
    stream.vector("exp", "float32", 16384, [0], 0x10000)
    timing = simulate([[stream]], "vector", SOC)
    longest = max(timing.vector.busy_us("mte2"), timing.vector.busy_us("vector"))
    assert timing.alone_us == pytest.approx(longest, rel=0.02)
    assert timing.waits == ()


def test_a_flag_makes_the_vector_pipe_wait_for_the_data() -> None:
    stream = Stream()
    stream.load(make_tile(row_bytes=65536))
    stream.set_flag("mte2", "vector")
    stream.wait_flag("mte2", "vector")
    stream.vector("exp", "float32", 16384, [0], 0x10000)
    timing = simulate([[stream]], "vector", SOC)
    both = timing.vector.busy_us("mte2") + timing.vector.busy_us("vector")
    assert timing.alone_us == pytest.approx(both, rel=0.02)
    assert [(wait.pipe, wait.source) for wait in timing.waits] == [("vector", "mte2")]


def build_pipeline(buffers: int) -> Stream:
    stream = Stream()
    for buffer in range(buffers):
        stream.set_flag("vector", "mte2", buffer)
    stream.begin_loop(32)
    stream.wait_flag("vector", "mte2", 0, buffers)
    tile = make_tile(row_bytes=32768)
    tile.loop_strides = [32768]
    stream.load(tile)
    stream.set_flag("mte2", "vector", 0, buffers)
    stream.wait_flag("mte2", "vector", 0, buffers)
    stream.vector("exp", "float32", 8192, [0], 0x10000)
    stream.set_flag("vector", "mte2", 0, buffers)
    stream.end_loop()
    return stream


def test_a_second_buffer_hides_the_shorter_of_load_and_work() -> None:
    single = simulate([[build_pipeline(1)]], "vector", SOC)
    double = simulate([[build_pipeline(2)]], "vector", SOC)
    assert single.alone_us == pytest.approx(
        single.vector.busy_us("mte2") + single.vector.busy_us("vector"), rel=0.02
    )
    assert double.alone_us == pytest.approx(double.vector.busy_us("mte2"), rel=0.05)


def test_a_barrier_over_all_pipes_ends_what_was_begun() -> None:
    stream = Stream()
    stream.load(make_tile(row_bytes=65536))
    stream.barrier("all")
    stream.vector("exp", "float32", 16384, [0], 0x10000)
    timing = simulate([[stream]], "vector", SOC)
    assert timing.alone_us > timing.vector.busy_us("mte2") + timing.vector.busy_us("vector")


def test_many_short_copies_are_bound_by_issue() -> None:
    long = time_loads(1, make_tile(rows=64, row_bytes=128))
    short = time_loads(1, make_tile(row_bytes=128), count=64 * 64)
    assert short.alone_us > 2 * long.alone_us
    assert short.alone_us / 4096 >= CONSTANTS.dma_issue_cycles * CYCLE_US


@pytest.mark.parametrize(
    ("row_bytes", "lines", "touched"), [(512, 1, 2), (2048, 4, 5)], ids=["a line", "four lines"]
)
def test_rows_off_their_lines_move_every_line_they_touch(
    row_bytes: int, lines: int, touched: int
) -> None:
    aligned = time_loads(48, make_tile(rows=64, row_bytes=row_bytes, stride=2 * row_bytes))
    unaligned = time_loads(48, make_tile(rows=64, row_bytes=row_bytes, stride=2 * row_bytes + 2))
    slower = unaligned.shared_us / aligned.shared_us
    assert slower == pytest.approx(touched / lines, rel=0.03)
    assert unaligned.core_us > (1 + 0.8 * (touched / lines - 1)) * aligned.core_us


def test_rows_off_their_lines_come_from_hbm_although_l2_has_them() -> None:
    def read_again(first: int) -> Timing:
        tile = make_tile(rows=64, row_bytes=512, stride=1024, first=first)
        tile.loop_strides = [0]
        stream = Stream()
        stream.begin_loop(8)
        stream.load(tile)
        stream.end_loop()
        return simulate([[stream]], "vector", SOC)

    aligned, unaligned = read_again(0), read_again(64)
    assert sum(dict(aligned.hbm_read_bytes).values()) == 64 * 512
    assert sum(dict(unaligned.hbm_read_bytes).values()) == 8 * 64 * 1024


@pytest.mark.parametrize(("row_bytes", "moved"), [(32, 128), (128, 128), (160, 256), (384, 512)])
def test_short_rows_move_whole_requests(row_bytes: int, moved: int) -> None:
    timing = time_loads(1, make_tile(rows=64, row_bytes=row_bytes, stride=4096), count=1)
    assert sum(dict(timing.hbm_read_bytes).values()) == 64 * moved


def test_all_cores_together_get_what_hbm_gives() -> None:
    one = time_loads(1, make_tile(row_bytes=65536))
    all_cores = time_loads(48, make_tile(row_bytes=65536))
    moved = 48 * 64 * 65536
    assert one.stretch == pytest.approx(1, abs=0.1)
    assert all_cores.core_us > moved / (SOC.hbm_read_tbps * 1e6)
    assert all_cores.core_us == pytest.approx(moved / (SOC.hbm_read_tbps * 1e6), rel=0.1)


def read_twice(total_bytes: int) -> Timing:
    streams = []
    share = total_bytes // 48
    for core in range(48):
        stream = Stream()
        tile = make_tile(row_bytes=32768, first=core * share)
        tile.loop_strides = [0, 32768]
        stream.begin_loop(2)
        stream.begin_loop(share // 32768)
        stream.load(tile)
        stream.end_loop()
        stream.end_loop()
        streams.append([stream])
    return simulate(streams, "vector", SOC)


def test_the_second_read_comes_from_l2_if_it_fits() -> None:
    fits, overflows = read_twice(96 << 20), read_twice(384 << 20)
    assert fits.l2_hit_bytes == pytest.approx(96 << 20, rel=0.01)
    assert overflows.l2_hit_bytes == 0


def test_writes_reach_hbm_only_if_l2_overflows() -> None:
    def write(total_bytes: int) -> Timing:
        stream = Stream()
        tile = make_tile(row_bytes=32768)
        tile.loop_strides = [32768]
        stream.begin_loop(total_bytes // 32768)
        stream.store(tile)
        stream.end_loop()
        return simulate([[stream]], "vector", SOC)

    assert write(64 << 20).hbm_write_bytes == 0
    assert write(256 << 20).hbm_write_bytes == pytest.approx(256 << 20, rel=0.05)


def store_from_all_cores(atomic: bool, apart: int) -> Timing:
    """48 cores store 64 times 1 KiB each, `apart` bytes from core to core."""
    blocks = []
    for core in range(48):
        stream = Stream()
        stream.begin_loop(64)
        stream.store(make_tile(row_bytes=1024, first=core * apart), atomic)
        stream.end_loop()
        blocks.append([stream])
    return simulate(blocks, "vector", SOC)


def test_atomic_updates_of_one_line_follow_each_other() -> None:
    plain, same = store_from_all_cores(False, 0), store_from_all_cores(True, 0)
    apart = store_from_all_cores(True, 1 << 16)
    updates = 48 * 64 * CONSTANTS.atomic_update_cycles * CYCLE_US
    assert same.shared_us == pytest.approx(updates)
    assert apart.shared_us == pytest.approx(updates / 48)
    assert same.core_us > 5 * apart.core_us >= 5 * plain.core_us


def test_an_atomic_store_reads_what_it_adds_to() -> None:
    plain, atomic = store_from_all_cores(False, 1 << 16), store_from_all_cores(True, 1 << 16)
    assert sum(dict(plain.hbm_read_bytes).values()) == 0
    assert sum(dict(atomic.hbm_read_bytes).values()) == 48 * 1024
    assert atomic.l2_hit_bytes == 48 * 63 * 1024


def test_stores_past_l2_reach_hbm_although_they_fit() -> None:
    stream = Stream()
    stream.store(make_tile(row_bytes=32768))
    kept = simulate([[stream]], "vector", SOC)
    passed = simulate([[stream]], "vector", SOC, stores_bypass_l2=True)
    assert (kept.hbm_write_bytes, passed.hbm_write_bytes) == (0, 32768)


def test_rows_into_l1_show_less_latency_than_fractals() -> None:
    def load(as_fractals: bool) -> float:
        stream = Stream()
        stream.load_l1(make_tile(), as_fractals)
        return simulate([[stream]], "cube", SOC).alone_us

    saved = (CONSTANTS.load_latency_l1_ns - CONSTANTS.load_latency_ns) * 1e-3
    assert load(True) - load(False) == pytest.approx(saved)


def test_the_task_takes_as_long_as_its_slowest_core() -> None:
    def work(repeats: int) -> list[Stream]:
        stream = Stream()
        stream.begin_loop(repeats)
        stream.vector("exp", "float32", 16384, [0], 0x10000)
        stream.end_loop()
        return [stream]

    even = simulate([work(100)] * 48, "vector", SOC)
    uneven = simulate([work(100)] * 47 + [work(400)], "vector", SOC)
    assert uneven.core_us > 3 * even.core_us
    assert uneven.imbalance > 3
    assert even.imbalance == pytest.approx(1)


def test_more_blocks_than_cores_run_one_after_the_other() -> None:
    stream = Stream()
    stream.vector("exp", "float32", 16384, [0], 0x10000)
    one_wave = simulate([[stream]] * 48, "vector", SOC)
    two_waves = simulate([[stream]] * 49, "vector", SOC)
    expected = 2 * one_wave.alone_us + CONSTANTS.block_start_us
    assert two_waves.alone_us == pytest.approx(expected)


def test_a_multiplication_takes_a_cycle_per_fractal() -> None:
    stream = Stream()
    stream.begin_loop(100)
    stream.matmul("float16", 128, 64, 256)
    stream.end_loop()
    timing = simulate([[stream]], "cube", SOC)
    cycles = timing.cube.busy_us("cube") / CYCLE_US / 100
    assert 8 * 16 * 4 < cycles < 8 * 16 * 4 + CONSTANTS.mmad_idle_cycles + 1


@pytest.mark.parametrize(("dtype", "factor"), [("int8", 0.5), ("float32", 4.0), ("hfloat32", 2.0)])
def test_cube_rate_by_type(dtype: str, factor: float) -> None:
    free_startup = replace(CONSTANTS, mmad_idle_cycles=0.0, mmad_chained_cycles=0.0)

    def multiply(name: str) -> float:
        stream = Stream()
        stream.matmul(name, 128, 512, 128)
        timing = simulate([[stream]], "cube", SOC, constants=free_startup)
        return timing.cube.busy_us("cube")

    assert multiply(dtype) == pytest.approx(factor * multiply("float16"))


def test_vector_cores_of_a_mix_wait_for_the_cube() -> None:
    cube, vector = Stream(), Stream()
    cube.begin_loop(64)
    cube.matmul("float16", 128, 64, 256)
    cube.end_loop()
    cube.set_flag("cube", "fixpipe")
    cube.wait_flag("cube", "fixpipe")
    cube.cross_set("fixpipe", 0)
    vector.cross_wait("mte2", 0)
    vector.load(make_tile())
    timing = simulate([[cube, vector, vector]], "mix", SOC)
    assert timing.alone_us > timing.cube.busy_us("cube") + CONSTANTS.cross_core_flag_us
    assert timing.vector.cores == 2
    assert ("mte2", "fixpipe") in {(wait.pipe, wait.source) for wait in timing.waits}


def test_cores_that_wait_for_each_other_are_refused() -> None:
    cube, vector = Stream(), Stream()
    cube.cross_wait("fixpipe", 0)
    vector.cross_wait("mte2", 0)
    with pytest.raises(ValueError, match="for ever"):
        simulate([[cube, vector, vector]], "mix", SOC)


def test_events_of_the_first_block_are_in_order_on_each_pipe() -> None:
    timing = simulate([[build_pipeline(2)]] * 2, "vector", SOC, record_events=True)
    for pipe in ("mte2", "vector"):
        spans = [(event.start_us, event.end_us) for event in timing.events if event.pipe == pipe]
        assert len(spans) == 32
        assert spans == sorted(spans)


@settings(max_examples=40, deadline=None)
@given(
    rows=st.integers(1, 64),
    row_blocks=st.integers(1, 64),
    cores=st.sampled_from([1, 7, 48]),
    faster=st.floats(1.0, 2.0),
)
def test_no_run_is_faster_than_its_memory_and_more_memory_never_hurts(
    rows: int, row_blocks: int, cores: int, faster: float
) -> None:
    tile = make_tile(rows=rows, row_bytes=32 * row_blocks, stride=64 * row_blocks)
    timing = time_loads(cores, tile, count=8)
    assert timing.core_us >= timing.shared_us
    assert timing.core_us >= timing.alone_us
    assert timing.bytes_read == cores * 8 * rows * 32 * row_blocks
    better = replace(SOC, hbm_read_tbps=SOC.hbm_read_tbps * faster)
    stream = Stream()
    stream.load(tile)
    assert (
        simulate([[stream]], "vector", better).core_us
        <= simulate([[stream]], "vector", SOC).core_us + 1e-9
    )
