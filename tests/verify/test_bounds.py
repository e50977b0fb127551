"""The bounds: bytes counted once, matrix work padded, launches by the op."""

from __future__ import annotations

import pytest
import torch

from npu_autokernel.machine.soc import get_soc
from npu_autokernel.verify.bounds import bound_by_expert_eager, bound_by_roofline, count_traffic
from tests.graph.tracing import build

SOC = get_soc("Ascend910B1")
MIB = 1 << 20


def make_matrix(mib: int) -> torch.Tensor:
    return torch.empty(mib, MIB // 4)


def test_traffic_counts_inputs_and_outputs_once() -> None:
    task = build(lambda x, y: torch.relu(x + y) + x, make_matrix(2), make_matrix(2))
    traffic = count_traffic(task, dict(task.hints))
    assert (traffic.bytes_read, traffic.bytes_written) == (4 * MIB, 2 * MIB)


def test_an_expanded_input_counts_its_distinct_elements() -> None:
    task = build(lambda x, y: x + y, make_matrix(2), torch.empty(1, MIB // 4))
    assert count_traffic(task, dict(task.hints)).bytes_read == 3 * MIB


def test_roofline_is_the_read_rate_where_writes_stay_in_l2() -> None:
    task = build(lambda x: x + 1.0, make_matrix(16))
    bound = bound_by_roofline(count_traffic(task, dict(task.hints)), SOC)
    assert bound.without_launch_us == pytest.approx(16 * MIB / (SOC.hbm_read_tbps * 1e6))
    assert bound.with_launch_us == bound.without_launch_us + SOC.launch_one_core_us


def test_roofline_counts_writes_where_l2_overflows() -> None:
    task = build(lambda x: x + 1.0, make_matrix(256))
    bound = bound_by_roofline(count_traffic(task, dict(task.hints)), SOC)
    both_us = 512 * MIB / (SOC.hbm_read_write_tbps * 1e6)
    assert bound.without_launch_us == pytest.approx(both_us)


def test_expert_eager_of_one_op_is_the_roofline_and_a_full_launch() -> None:
    task = build(lambda x: x + 1.0, make_matrix(16))
    symbols = dict(task.hints)
    eager = bound_by_expert_eager(task, symbols, SOC)
    roofline = bound_by_roofline(count_traffic(task, symbols), SOC)
    assert eager.without_launch_us == pytest.approx(roofline.without_launch_us)
    assert eager.with_launch_us == pytest.approx(eager.without_launch_us + SOC.launch_vector_us)


def test_each_further_op_adds_its_traffic_and_a_launch() -> None:
    one = build(lambda x: x + 1.0, make_matrix(16))
    two = build(lambda x: torch.relu(x + 1.0), make_matrix(16))
    first, second = (bound_by_expert_eager(task, dict(task.hints), SOC) for task in (one, two))
    from_l2_us = 32 * MIB / (SOC.l2_read_write_tbps * 1e6)
    added_us = second.without_launch_us - first.without_launch_us
    assert added_us == pytest.approx(from_l2_us)
    launches_us = second.with_launch_us - first.with_launch_us - added_us
    assert launches_us == pytest.approx(SOC.launch_vector_us)


def test_small_tensors_use_few_cores_and_launch_cheaply() -> None:
    task = build(lambda x: x + 1.0, torch.empty(64))
    eager = bound_by_expert_eager(task, dict(task.hints), SOC)
    assert eager.with_launch_us < 1.0


def test_matrix_work_is_padded_to_fractals() -> None:
    task = build(torch.mm, torch.empty(17, 33).half(), torch.empty(33, 5).half())
    traffic = count_traffic(task, dict(task.hints))
    assert traffic.cube_flops == 2 * 32 * 48 * 16


def test_large_matrix_products_are_bound_by_the_cube() -> None:
    matrix = torch.empty(4096, 4096).half()
    task = build(torch.mm, matrix, matrix)
    symbols = dict(task.hints)
    traffic = count_traffic(task, symbols)
    peak_us = 2 * 4096**3 / (SOC.cube_peak_tflops() * 1e6)
    assert bound_by_roofline(traffic, SOC).without_launch_us == pytest.approx(peak_us)
    eager = bound_by_expert_eager(task, symbols, SOC)
    assert eager.without_launch_us == pytest.approx(peak_us / 0.75)
