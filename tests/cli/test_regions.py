"""What is printed of regions: kernels with their times and origin, the rest with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from npu_autokernel.cache import SqliteStore
from npu_autokernel.cli.demo import Agreement, DemoRun, print_first, print_second
from npu_autokernel.cli.explain import list_nearest_lines, print_graph
from npu_autokernel.cli.prebuild import list_misses
from npu_autokernel.cli.printing import shorten_text
from npu_autokernel.cli.regions import list_refusal_lines, list_region_rows
from npu_autokernel.reasons import refuse
from npu_autokernel.torch_backend.region_report import EagerOp, GraphReport, RegionReport
from tests.contracts import MEASUREMENT, TASK

OPS = ("aten.add.Tensor", "aten.mul.Tensor", "aten.mul.Tensor", "aten.gelu.default")

DRAFTED = RegionReport(0, OPS, "drafted", TASK, "a" * 64, "s0:7 s1:9", "c" * 64, MEASUREMENT)
STORED = replace(DRAFTED, index=1, origin="store")
MISSED = RegionReport(
    2, OPS[:1], "eager", TASK, "b" * 64, "s0:7 s1:9", refusal=refuse("region.miss")
)
MATRIX = EagerOp("mm", "aten.mm.default", refuse("region.cube", op="aten.mm.default"))
REPORT = GraphReport(0, "inference", (DRAFTED, STORED, MISSED), (MATRIX, MATRIX), 0.1, 2.0)

CheckGolden = Callable[[str, str], None]


def test_explain_prints_a_graph(
    check_golden: CheckGolden, store_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    print_graph(REPORT, SqliteStore(store_folder))
    lines = capsys.readouterr().out.splitlines()
    shown = [line.rstrip() for line in lines if "toolchain" not in line]
    check_golden("cli/explain.txt", "\n".join(shown) + "\n")


def test_demo_prints_both_passes(
    check_golden: CheckGolden, capsys: pytest.CaptureFixture[str]
) -> None:
    run = DemoRun((REPORT,), 12.34, Agreement(1.2e-7, 1.1e-7, 1.0e-7))
    print_first(run)
    print_second(run)
    lines = capsys.readouterr().out.splitlines()
    check_golden("cli/demo.txt", "\n".join(line.rstrip() for line in lines) + "\n")


def test_a_hit_has_no_nearest_key(store_folder: Path) -> None:
    store = SqliteStore(store_folder)
    assert list(list_nearest_lines((DRAFTED, STORED), store)) == []


def test_each_missing_key_and_bucket_is_prebuilt_once() -> None:
    other_sizes = replace(MISSED, bucket="s0:9 s1:9")
    banned = replace(MISSED, key="d" * 64, refusal=refuse("region.banned", detail="r5"))
    report = replace(
        REPORT, regions=(DRAFTED, MISSED, replace(MISSED, index=4), other_sizes, banned)
    )
    assert list_misses([report, REPORT]) == [MISSED, other_sizes]


@pytest.mark.parametrize(("difference", "is_ok"), [(2e-6, True), (2.1e-6, False)])
def test_agreement_has_a_limit(difference: float, is_ok: bool) -> None:
    assert Agreement(difference, 0.0, 0.0).is_ok == is_ok


def test_an_unprofitable_kernel_shows_its_times_in_the_table() -> None:
    refusal = refuse("region.not_profitable", latency_us=9.4, expert_us=3.0)
    regions = [replace(MISSED, index=index, refusal=refusal) for index in (0, 1, 2, 5)]
    assert next(list_region_rows(regions))[2:5] == ("9.4 us", "3.0 us", "")
    (line,) = list_refusal_lines(regions)
    assert line.startswith("r0-r2, r5: The estimate is more than 5 % above expert eager's.")


def test_long_texts_keep_both_ends() -> None:
    text = shorten_text("a" * 500 + "the end")
    assert len(text) == 110
    assert text.startswith("aaa") and text.endswith("the end")
