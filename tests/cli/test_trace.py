"""`trace` of a dump: the summary, the timeline's file, and mistakes in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import RunCommand

DUMPS = Path(__file__).parents[1] / "machine" / "dumps"
SOFTMAX = str(DUMPS / "row_softmax.mlir")
SIZES = ("--arg", "2=6", "--arg", "3=300")


def test_a_dump_is_summarised(run_command: RunCommand) -> None:
    result = run_command("trace", SOFTMAX, "--grid", "3", *SIZES)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("row_softmax, 3 blocks (3)\n")
    assert "machine estimate (Ascend910B1, clock " in result.output
    assert "vector core" in result.output


def test_the_timeline_goes_to_a_file(run_command: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    result = run_command("trace", SOFTMAX, *SIZES, "--output", str(path))
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    assert f"{len(events)} events in {path}" in result.output
    assert {"load", "vexp", "store"} <= {event["name"] for event in events}


def test_the_busiest_lines_of_the_source_are_shown(run_command: RunCommand) -> None:
    arguments = ("trace", str(DUMPS / "swish_gate.mlir"), "--arg", "3=1024")
    plain = run_command(*arguments).output
    quoted = run_command(*arguments, "--source", str(DUMPS / "kernels.py")).output
    assert "busiest source lines of the first block" in plain and "tl.exp" not in plain
    assert "tl.store(out + index, (gates / (1.0 + tl.exp(-gates)) * val" in quoted


def test_a_source_that_is_no_text_is_refused(run_command: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "kernel.pyc"
    path.write_bytes(b"\xff\xfe")
    result = run_command("trace", SOFTMAX, "--source", str(path))
    assert result.exit_code == 2 and "is not a source" in result.output


def test_arguments_decide_what_is_timed(run_command: RunCommand) -> None:
    def count_loaded(rows: str) -> str:
        output = run_command("trace", SOFTMAX, "--arg", f"2={rows}", "--arg", "3=300").output
        return next(line for line in output.splitlines() if "GM -> UB" in line)

    assert count_loaded("6") != count_loaded("60")


@pytest.mark.parametrize(
    "arguments,mistake",
    [
        (("--grid", "0"), "above 0"),
        (("--grid", "2,x"), "above 0"),
        (("--grid", "1,1,1,1"), "above 0"),
        (("--arg", "300"), "N=COUNT[:FILL]"),
        (("--arg", "9=1"), "4 arguments, there is none 9"),
        (("--arg", "2=many"), "a number of type i32"),
        (("--arg", f"2={2**32}"), "does not fit 32 bits"),
        (("--arg", "0=8:blue"), "a buffer of f16"),
        (("--arg", "0=-8"), "a buffer of f16"),
    ],
)
def test_a_mistake_names_what_would_be_right(
    arguments: tuple[str, ...], mistake: str, run_command: RunCommand
) -> None:
    result = run_command("trace", SOFTMAX, *arguments)
    assert result.exit_code == 2
    assert mistake in result.output


def test_a_file_that_is_no_dump_is_refused(run_command: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a dump", encoding="utf-8")
    result = run_command("trace", str(path))
    assert result.exit_code == 1
    assert "machine.parse_error: not a dump in generic form" in result.output
    path.write_bytes(b"\xff\xfe")
    assert "is not a dump" in run_command("trace", str(path)).output


def test_what_is_no_file_is_a_key(run_command: RunCommand) -> None:
    result = run_command("trace", "0123abc")
    assert result.exit_code == 2
    assert "no stored kernel" in result.output


@pytest.mark.parametrize(
    "name,mistake",
    [
        ("", "is missing"),
        ("missing.mlir", "there is no file 'missing.mlir'"),
        ("some/where", "there is no file 'some/where'"),
        (str(DUMPS), "is a folder"),
    ],
)
def test_what_can_be_neither_file_nor_key_is_refused(
    name: str, mistake: str, run_command: RunCommand
) -> None:
    result = run_command("trace", name)
    assert result.exit_code == 2 and mistake in result.output


def test_a_key_takes_no_options_of_a_dump(run_command: RunCommand) -> None:
    result = run_command("trace", "0123abc", "--grid", "1", "--arg", "0=1")
    assert result.exit_code == 2
    assert "only a dump takes --grid and --arg; " in result.output


def test_a_folder_that_is_missing_is_said_before_the_work(
    run_command: RunCommand, tmp_path: Path
) -> None:
    output = str(tmp_path / "missing" / "trace.json")
    result = run_command("trace", "0123abc", "--output", output)
    assert result.exit_code == 2 and "there is no folder" in result.output
    assert "no stored kernel" not in result.output


def test_a_dump_that_was_cut_off_is_said_to_end(run_command: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "part.mlir"
    path.write_text(Path(SOFTMAX).read_text(encoding="utf-8")[:9000], encoding="utf-8")
    assert "the text ends within the module (" in run_command("trace", str(path)).output


def test_a_dump_that_the_clock_cannot_time_is_told_what_can_be_done(
    run_command: RunCommand,
) -> None:
    result = run_command("trace", str(DUMPS / "950" / "add_fp16.mlir"))
    assert result.exit_code == 1
    assert (
        "has no calibrated costs for code of the Ascend950; it times dumps of the 910"
        in result.output
    )
    assert "`npu-autokernel machine run` executes this one" in result.output
