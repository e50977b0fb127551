"""A mistake in a calibration case is one line that names the case, whatever the mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks import ascend950, corpus, mutation
from benchmarks.calibration import main
from npu_autokernel.errors import CalibrationCaseError
from npu_autokernel.machine.calibration.cases import read_case

ROOT = Path(__file__).parents[2]
Params = Mapping[str, Any]
ADD: Params = {"dtype": "float16", "elements": 1000, "cores": 1, "tile": 256}
COPY: Params = {
    "rows": 8, "row_bytes": 512, "row_stride": 512, "tile_rows": 4, "tile_bytes": 512, "cores": 1,
    "path": "ub",
}  # fmt: skip
LOOP: Params = {"operation": "add", "dtype": "float32", "elements": 64, "calls": 1}
ROWS: Params = {"rows": 8, "columns": 100, "dtype": "float32", "cores": 1}
GOOD: Params = {"id": "a", "kind": "add", "chip": "910B1", "params": ADD}


def of(kind: str, params: Params, **change: Any) -> Params:
    return {"kind": kind, "params": {**params, **change}}


FIELDS: tuple[tuple[Params, str], ...] = (
    ({"kind": "adds"}, "unknown kind 'adds'; there are vector_loop"),
    ({"kind": ["add"]}, "unknown kind ['add']"),
    ({"chip": "910C"}, "unknown chip '910C'; there are 910B1"),
    ({"chip": None}, "chip cannot be None; it takes a name: there are 910B1"),
    ({"chip": "Ascend950PR_9589"}, "the clock has no rules for the Ascend950PR_9589; there are"),
    ({"metric": "time"}, "unknown metric 'time'"),
    ({"metric": ["a"]}, "unknown metric ['a']"),
    ({"class": "fast"}, "unknown class 'fast'"),
    ({"value": -1}, "value cannot be -1"),
    ({"value": float("inf")}, "value cannot be inf"),
    ({"value": float("nan")}, "value cannot be nan"),
    ({"value": 10**400}, "it takes a number above 0"),
    ({"clock_mhz": -1}, "clock_mhz cannot be -1; it takes a number above zero"),
    ({"clock_mhz": 1e-6}, "clock_mhz cannot be 1e-06"),
    ({"clock_mhz": float("inf")}, "clock_mhz cannot be inf"),
    ({"clock_mhz": True}, "clock_mhz cannot be True"),
    ({"shape": [1]}, "unknown field 'shape'"),
    ({"repeat": 0}, "repeat cannot be 0; it takes a whole number from 1 to"),
    ({"repeat": 1e30}, "repeat cannot be 1e+30; it takes a whole number"),
    ({"also": {"metric": "core_us"}}, "also cannot be {'metric': 'core_us'}; it takes a list"),
    ({"also": ["core_us"]}, "also[0] cannot be 'core_us'; it takes an object"),
    ({"also": None}, "also cannot be None"),
    ({"also": 5}, "also cannot be 5"),
    ({"also": [{"metric": "core_us", "val": 1}]}, "unknown field 'val'; also[0] has metric"),
    ({"also": [{"value": 1}]}, "also[0]: field 'metric' is missing"),
    ({"also": [{"metric": "latency_us"}]}, "metric 'latency_us' is given twice"),
    ({"variant": 5}, "variant cannot be 5; it takes a text"),
    ({"variant": "a\nb"}, "variant cannot be 'a\\nb'; it takes one line"),
    ({"variant": "\ud800"}, "it takes one line"),
    ({"source": ["a"]}, "source cannot be ['a']"),
    ({"source_group": None}, "source_group cannot be None"),
    ({"params": [1]}, "params is an object"),
)  # fmt: skip

PARAMS: tuple[tuple[Params, str], ...] = (
    ({"params": {"dtype": "float16"}}, "parameter 'elements' is missing"),
    (of("add", ADD, tiles=1), "no parameter 'tiles'. Did you mean 'tile'?"),
    (of("add", ADD, cores=0), "cores cannot be 0; it takes a whole number"),
    (of("add", ADD, cores=1.5), "cores cannot be 1.5"),
    (of("add", ADD, cores=True), "cores cannot be True"),
    (of("add", ADD, elements=10**400), "it takes a whole number from 1 to"),
    (of("add", ADD, dtype="fp16"), "dtype cannot be 'fp16'; it takes one of"),
    (of("add", ADD, tile=1 << 20), "a tile takes 2097152 bytes, UB has"),
    (of("add", ADD, bypass_l2=1), "bypass_l2 cannot be 1"),
    (of("add", ADD, inputs=1), "an addition reads 2 tensors or more; inputs is 1"),
    (of("vector_loop", LOOP, inputs=[0]), "inputs has 1 addresses; add takes 2"),
    (of("vector_loop", LOOP, operation="exp", dtype="int8"), "exp is not defined for int8"),
    (of("vector_loop", LOOP, operation="shl"), "shl is not defined for float32"),
    (of("elementwise", ADD, operations=["add", "div"], dtype="int32"), "div is not defined for"),
    (of("rows", ROWS, dtype="int32"), "exp is not defined for int32"),
    (of("rows", ROWS, row_stride=100), "row_stride cannot be 100; a row has 400 bytes"),
    (of("copy", COPY, row_stride=256), "row_stride 256 is smaller than row_bytes 512"),
    (of("copy", COPY, row_stride=0, path="store"), "row_stride 0 is smaller than row_bytes"),
    (of("copy", COPY, rows=1 << 20, tile_rows=1025, path="l1"), "a tile takes 524800 bytes, L1"),
    # 2 bytes of a row take a block of 32 in L1, as fractals of 16 rows
    (
        of("copy", COPY, rows=1 << 20, tile_rows=16385, tile_bytes=2, path="nd2nz"),
        "a tile takes 524800 bytes, L1 has 524288",
    ),
)


@pytest.mark.parametrize(("change", "message"), FIELDS + PARAMS)
def test_a_mistake_is_one_line_that_names_the_case(change: Params, message: str) -> None:
    with pytest.raises(CalibrationCaseError) as caught:
        read_case({**GOOD, **change}, "mine.json[0]")
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).startswith("mine.json[0], case 'a': ")


@pytest.mark.parametrize("case_id", [None, "", 5, ["a"], "a\nb"])
def test_a_case_has_a_name(case_id: object) -> None:
    with pytest.raises(CalibrationCaseError, match=r"^mine.json\[0\]: id cannot be .*takes"):
        read_case({**GOOD, "id": case_id}, "mine.json[0]")


@pytest.mark.parametrize(
    "change",
    [
        {"chip": "Ascend910B1"},
        {"repeat": 2.0},
        {"clock_mhz": 1650},
        {"variant": "全角 空格"},
        of("copy", COPY, row_stride=0),
        of("copy", COPY, row_stride=0, path="store", atomic=True),
        of("vector_loop", LOOP, inputs=[0.0, 16640.0]),
        of("rows", ROWS, dtype="int16"),  # worked on as float32
        of("rows", ROWS, row_stride=512),
    ],
)
def test_what_makes_sense_is_taken(change: Params, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([{**GOOD, **change}]), encoding="utf-8")
    assert main(["--cases", str(path)]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "is no list of cases"),
        ("[]", "there is no case in the list"),
        ("[1]", "a case is an object"),
        (json.dumps([GOOD, GOOD]), "two cases are called 'a'"),
        (json.dumps([{**GOOD, "value": float("nan")}]), "case 'a': value cannot be nan"),
        (
            json.dumps([{**GOOD, **of("empty", {"cores": 1}), "metric": "mean_fixpipe_us"}]),
            "case 'a': mean_fixpipe_us cannot be compared: this empty does nothing that it counts",
        ),
    ],
)  # fmt: skip
def test_a_mistake_ends_the_command_with_2(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    assert main(["--cases", str(path)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", str(tmp_path / "none.json")]) == 2
    assert "none.json: cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kinds", ""], "unknown kind ''"),
        (["--kinds", "adds"], "unknown kind 'adds'"),
        (["--cases", "mine.json", "--kinds"], "not allowed with argument --cases"),
        (["--cases", ""], "--cases '': no such file"),
        (["--chip", ""], "--chip goes with --cases"),
    ],
)
def test_options_that_say_nothing_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = [sys.executable, "-m", "benchmarks.calibration", "--kinds"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process:
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (mutation.main, ["--kernels", "foo"]),
        (ascend950.main, ["foo"]),
        (corpus.main, ["--kernels", "foo"]),
    ],
)
def test_an_unknown_kernel_is_named(
    command: Any, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        command(arguments)
    assert caught.value.code == 2
    assert "the corpus has no kernel 'foo'" in capsys.readouterr().err
