"""The user's controls: who names what, and which word is the last."""

from __future__ import annotations

import pytest
import torch

from npu_autokernel.measurement import Bound, Measurement
from npu_autokernel.settings import Settings, load_settings
from npu_autokernel.torch_backend.policy import (
    RegionLabel,
    explain_ban,
    explain_exclusion,
    find_pin,
    judge_kernel,
    matches,
)

LABEL = RegionLabel(12, ("aten.gelu.default", "aten.mul.Tensor"), "ab" * 32)


def measure(latency_us: float, expert_us: float) -> Measurement:
    return Measurement(
        latency_us=latency_us,
        provenance="machine",
        clock_version="1",
        soc="Ascend910B1",
        bottleneck="bandwidth",
        accuracy_class="mixed",
        bytes_read=1,
        bytes_written=1,
        flops=1,
        roofline=Bound(0.1, 0.2),
        expert_eager=Bound(expert_us / 2, expert_us),
    )


@pytest.mark.parametrize(
    ("selector", "is_named"),
    [
        ("r12", True),
        ("r1", False),
        ("gelu", True),
        ("aten.gelu", True),
        ("aten.gelu.default", True),
        ("gel", False),
        ("aten.gelu.Tensor", False),
        ("abababab", True),
        ("ababab", False),
        ("cdcdcdcd", False),
    ],
)
def test_a_selector_names_a_region_an_op_or_a_key(selector: str, is_named: bool) -> None:
    assert matches(selector, LABEL) is is_named


def test_a_banned_op_enters_no_region() -> None:
    settings = Settings(ban=("gelu",))
    assert explain_ban("aten.gelu.default", settings).code == "region.banned"
    assert explain_ban("aten.mul.Tensor", settings) is None


def test_a_banned_region_or_key_runs_in_eager() -> None:
    assert explain_exclusion(LABEL, Settings(ban=("r12",))).code == "region.banned"
    assert explain_exclusion(LABEL, Settings(ban=("abababab",))).code == "region.banned"
    assert explain_exclusion(LABEL, Settings(ban=("r13",))) is None


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [("0:12", False), ("12", True), ("0:13", True), ("13:", False), ("1,12", True), ("", True)],
)
def test_a_range_of_regions_bisects_a_model(text: str, is_allowed: bool) -> None:
    settings = load_settings({"regions": text}, {})
    assert (explain_exclusion(LABEL, settings) is None) is is_allowed


def test_a_pin_gives_the_candidate_of_the_first_selector_that_fits() -> None:
    settings = load_settings({"pin": "r1=aa,mul=bb,r12=cc"}, {})
    assert find_pin(LABEL, settings) == "bb"
    assert find_pin(LABEL, Settings()) is None


@pytest.mark.parametrize(("latency_us", "is_used"), [(10.0, True), (10.4, True), (10.6, False)])
def test_auto_takes_up_to_five_percent_above_expert_eager(latency_us: float, is_used: bool) -> None:
    verdict = judge_kernel(LABEL, measure(latency_us, 10.0), "", Settings())
    assert (verdict is None) is is_used
    assert is_used or verdict.code == "region.not_profitable"


@pytest.mark.parametrize("settings", [Settings(policy="all"), Settings(force=("gelu",))])
def test_policy_all_and_force_take_a_slow_kernel(settings: Settings) -> None:
    assert judge_kernel(LABEL, measure(99.0, 1.0), "", settings) is None


def test_deterministic_algorithms_forbid_atomics_even_where_forced() -> None:
    settings = Settings(force=("r12",))
    torch.use_deterministic_algorithms(True)
    try:
        refusal = judge_kernel(LABEL, measure(1.0, 1.0), "tl.atomic_add(p, x)", settings)
        assert refusal.code == "region.deterministic"
        assert judge_kernel(LABEL, measure(1.0, 1.0), "tl.store(p, x)", settings) is None
    finally:
        torch.use_deterministic_algorithms(False)
    assert judge_kernel(LABEL, measure(1.0, 1.0), "tl.atomic_add(p, x)", settings) is None
