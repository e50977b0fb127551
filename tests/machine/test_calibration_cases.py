"""Calibration cases of one's own: read from a file, timed, printed; mistakes are one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.calibration import main
from npu_autokernel.machine.calibration.instruction_fits import (
    compare_instruction_fits,
    load_instruction_fits,
)
from npu_autokernel.machine.calibration.kinds import KINDS
from npu_autokernel.machine.calibration.metrics import METRICS

ADD = {
    "id": "mine", "kind": "add", "chip": "910B2",
    "params": {"dtype": "float32", "elements": 1 << 20, "cores": 48, "tile": 4096},
}  # fmt: skip


def write_cases(folder: Path, *cases: Any) -> Path:
    path = folder / "mine.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    return path


def print_rows(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[list[str]]:
    """The cells of the first table of `--cases`."""
    assert main(["--cases", str(path), *more]) == 0
    table = capsys.readouterr().out.split("\n\n")[1]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.split("\n")[2:]]


def test_a_measured_case_shows_its_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {**ADD, "value": 10.0, "class": "tiny", "also": [{"metric": "mean_mte2_us"}]}
    first, second = print_rows(write_cases(tmp_path, row), capsys)
    assert first[:5] == ["mine", "910B2", "tiny", "latency_us", "10"]
    assert float(first[5]) / 10 - 1 == pytest.approx(float(first[6].rstrip("%")) / 100, abs=2e-3)
    assert second[3:5] == ["mean_mte2_us", ""]
    assert float(second[5]) < float(first[5])


def test_a_chip_can_be_put_in_place_of_that_of_the_cases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_cases(tmp_path, {**ADD, "params": {**ADD["params"], "elements": 1 << 26}})
    (own,) = print_rows(path, capsys)
    (slower,) = print_rows(path, capsys, "--chip", "910B4")
    assert (own[1], slower[1]) == ("910B2", "910B4")
    assert float(slower[5]) > 1.5 * float(own[5])


def test_equal_parts_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_cases(tmp_path, ADD, {**ADD, "id": "twice", "repeat": 2})
    once, twice = print_rows(path, capsys)
    assert float(twice[5]) == pytest.approx(2 * float(once[5]), rel=1e-3)


def test_kinds_print_every_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kinds"]) == 0
    printed = capsys.readouterr().out
    for kind in KINDS.values():
        assert f"\n{kind.name}: " in f"\n{printed}"
        assert all(f"  {param.name}" in printed for param in kind.params)
    assert main(["--kinds", "copy"]) == 0
    assert capsys.readouterr().out.startswith("copy: ")


def test_the_page_names_every_kind_and_metric() -> None:
    page = (Path(__file__).parents[2] / "docs" / "calibration.md").read_text(encoding="utf-8")
    assert [name for name in (*KINDS, *METRICS) if f"`{name}`" not in page] == []


def test_the_example_of_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "calibration.md").read_text(encoding="utf-8")
    example = page.split("```json\n")[1].split("```")[0]
    path = tmp_path / "mine.json"
    path.write_text(example, encoding="utf-8")
    for row in print_rows(path, capsys):
        assert " ".join(filter(None, row)) in " ".join(page.replace("|", " ").split())


def test_vector_instructions_have_the_throughput_of_the_vendor_or_a_reason() -> None:
    comparisons = tuple(compare_instruction_fits())
    assert len(comparisons) == len(load_instruction_fits()) == 157
    expressed = [item for item in comparisons if item.deviation is not None]
    assert len(expressed) >= 110
    unlike = [item for item in expressed if abs(item.deviation or 0) > 0.05]
    assert [item.fit for item in unlike if not item.reason] == []
    assert len(unlike) <= 10
    assert all(item.reason for item in comparisons if item.deviation is None)
