"""The chip table: every number has a source, names are accepted as the tool chain spells them."""

from __future__ import annotations

from dataclasses import fields

import pytest

from npu_autokernel.errors import UnknownSocError
from npu_autokernel.machine.soc import FACTS, PARTS, SocTable, confidence_of, find_fact, get_soc


def test_every_number_names_its_source() -> None:
    assert set(FACTS) == {field.name for field in fields(SocTable)} - {"name"}
    for part in PARTS:
        assert all(confidence_of(field, part) in "ABCD" for field in FACTS)


@pytest.mark.parametrize("spelling", ["Ascend910_9382", "910_9382"])
def test_spellings_of_one_part(spelling: str) -> None:
    assert get_soc(spelling).name == "910_9382"


def test_unknown_part_names_the_known_ones() -> None:
    with pytest.raises(UnknownSocError, match="Ascend910B1"):
        get_soc("Ascend310")


def test_peaks_of_the_documented_parts() -> None:
    peaks = {name: round(get_soc(name).cube_peak_tflops(), 1) for name in ("910B1", "910B3")}
    assert peaks == {"910B1": 363.7, "910B3": 294.9}
    assert get_soc("910B1").cube_peak_tflops("float32") == get_soc("910B1").cube_peak_tflops() / 4
    assert get_soc("950PR_9589").cube_peak_tflops("float32") == pytest.approx(27.03, abs=0.01)


def test_the_950_has_sources_of_its_own_and_no_clock() -> None:
    soc = get_soc("Ascend950PR_9589")
    assert (soc.cube_cores, soc.vector_cores, soc.ub_bytes) == (32, 64, 248 * 1024)
    assert "2031616 bits" in find_fact("ub_bytes", soc.name).source
    assert confidence_of("l2_read_vector_bytes_per_cycle", soc.name) == "D"
    assert [part.name for part in PARTS.values() if not part.is_timed] == ["950PR_9589"]


def test_launch_overhead_grows_with_cores() -> None:
    soc = get_soc("910B1")
    assert soc.launch_overhead_us("vector", 1) == soc.launch_one_core_us
    assert soc.launch_overhead_us("cube", 24) == soc.launch_cube_us
    assert soc.launch_overhead_us("vector", 100) == soc.launch_vector_us
