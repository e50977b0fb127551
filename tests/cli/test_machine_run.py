"""`machine run`: results, the log, and a dialogue fed through standard input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from npu_autokernel.cli.machine import COMMANDS
from tests.cli.conftest import RunCommand

DUMPS = Path(__file__).parents[1] / "machine" / "dumps"
SOFTMAX = str(DUMPS / "row_softmax.mlir")
SWISH = str(DUMPS / "swish_gate.mlir")
SIZES = ("--arg", "0=300:range", "--arg", "1=300:zeros", "--arg", "2=1", "--arg", "3=300")

Talk = Callable[..., Result]


@pytest.fixture
def talk(run_command: RunCommand) -> Talk:
    """`talk("step", "quit")`: run the softmax in steps with these commands."""

    def run(*commands: str, options: tuple[str, ...] = ("--step",)) -> Result:
        answer = "".join(f"{command}\n" for command in commands)
        return run_command("machine", "run", SOFTMAX, *SIZES, *options, answer=answer)

    return run


def drop_line(number: int, folder: Path) -> str:
    """The softmax without this line of its dump."""
    lines = Path(SOFTMAX).read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / "dropped.mlir"
    path.write_text("".join(lines[: number - 1] + lines[number:]), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_machine_command_answers_help(name: str, run_command: RunCommand) -> None:
    assert run_command("machine", name, "--help").exit_code == 0


def test_a_run_says_what_it_was_given_and_what_it_wrote(run_command: RunCommand) -> None:
    result = run_command("machine", "run", SOFTMAX, *SIZES)
    assert result.exit_code == 0, result.output
    assert "arg0 300 x f16\n" in result.output
    assert "arg3 i32 300\n" in result.output
    assert "arg1: " in result.output
    assert "arg0: " not in result.output
    assert "1 blocks, " in result.output


def test_a_fault_is_exit_code_1_with_its_line(run_command: RunCommand) -> None:
    result = run_command("machine", "run", SOFTMAX, "--arg", "1=10", "--arg", "3=300")
    assert result.exit_code == 1
    assert "machine.out_of_bounds_write" in result.output
    assert "hivm.hir.store" in result.output


def test_reads_outside_of_a_buffer_are_counted_and_followed(run_command: RunCommand) -> None:
    result = run_command(
        "machine", "run", SOFTMAX, "--arg", "0=290", "--arg", "2=1", "--arg", "3=300"
    )
    assert "10 elements were read outside of their buffers, as poison\n" in result.output
    assert "machine.uninitialised_read" in result.output
    assert "they come from a read outside of argument 0 in dump line" in result.output


def test_a_fault_names_the_line_of_the_source(run_command: RunCommand) -> None:
    result = run_command("machine", "run", SWISH, "--arg", "2=10", "--arg", "3=300")
    assert f"(source line {find_source_line(STORE)}, dump line 91: " in result.output


def test_the_log_has_every_instruction(run_command: RunCommand) -> None:
    output = run_command("machine", "run", SOFTMAX, *SIZES, "--log").output
    assert "vector  vexp " in output
    assert "-> arg1[0:600] 300xf16" in output


def test_stepping_goes_one_instruction_at_a_time(talk: Talk) -> None:
    output = talk("step", "s 2", "quit").output
    stops = [line for line in output.splitlines() if "block 0 vector0 line" in line]
    assert [stop.split(" line ")[1].split(":")[0] for stop in stops] == ["45", "46", "48"]
    assert output.endswith("The run was ended.\n")


def test_breakpoints_stop_at_opcodes_and_lines(talk: Talk) -> None:
    output = talk("break 149", "continue", "where", "quit", options=("--break", "vexp")).output
    assert output.count("vector vexp") == 1
    assert "mte3 store" in output
    assert '"hivm.hir.store"(' in output


STORE = (
    "tl.store(out + index, (gates / (1.0 + tl.exp(-gates)) * values).to(tl.bfloat16), mask=mask)"
)
SOURCE = ("--source", str(DUMPS / "kernels.py"))


def find_source_line(text: str) -> int:
    lines = (DUMPS / "kernels.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


def test_breakpoints_stop_at_lines_of_the_source(run_command: RunCommand) -> None:
    place = f"source:{find_source_line(STORE)}"
    result = run_command(
        "machine", "run", SWISH, "--arg", "3=8", *SOURCE, "--step",
        answer=f"break {place}\ncontinue\nwhere\ncontinue\nquit\n",
    )  # fmt: skip
    assert f"stops after {place}" in result.output
    assert result.output.count(f"(src {place[7:]}): ") == 3
    assert f"source line {place[7:]}: {STORE}\n" in result.output
    stops = run_command("machine", "run", SWISH, "--arg", "3=8", "--break", place, answer="w\n")
    assert f"source line {place[7:]}\n" in stops.output


def test_a_line_of_the_source_that_nothing_comes_from_is_no_breakpoint(
    talk: Talk, run_command: RunCommand
) -> None:
    # The softmax has no locations.
    assert (
        "the dump has no locations, so there is no source:23; `help`" in talk("b source:23").output
    )
    result = run_command("machine", "run", SWISH, "--break", "source:1")
    assert result.exit_code == 2 and "comes from source:1." in result.output


def test_memory_buffers_and_flags_can_be_looked_at(talk: Talk) -> None:
    output = talk(
        "print ub 0:8 f16", "print arg0 2:5", "print arg3", "print flags", "quit",
        options=("--break", "load"),
    ).output  # fmt: skip
    assert "(machine) [0. 1. 2. 3.]\n" in output
    assert "(machine) [2. 3. 4.]\n" in output
    assert "(machine) 300\n" in output
    assert "mte3 -> vector event 1\n" in output


def test_bf16_is_printed_as_numbers(run_command: RunCommand) -> None:
    sizes = ("--arg", "0=8:range", "--arg", "1=8:ones", "--arg", "3=8")
    result = run_command(
        "machine", "run", SWISH, *sizes, "--break", "load", answer="print 0 0:4\nquit\n"
    )
    assert "[0. 1. 2. 3.]" in result.output


def test_what_cannot_be_done_is_said_and_the_run_stays(talk: Talk) -> None:
    output = talk(
        "jump", "print ub 8", "print arg9", "print ub 0:999999999", "print ub 0:8 f64", "step x",
        "help", "", "quit",
    ).output  # fmt: skip
    assert output.count("`help` lists the commands") == 6
    assert output.count("step [N]") == 2
    assert output.count("block 0 vector0 line") == 1


def test_the_end_of_the_input_ends_the_run(talk: Talk) -> None:
    result = talk()
    assert result.exit_code == 0
    assert result.output.endswith("The run was ended.\n")


def test_a_run_goes_on_to_its_end(talk: Talk) -> None:
    assert "1 blocks, " in talk("continue").output


@pytest.mark.parametrize(
    "line,mistake",
    [
        ("jump", "there is no command 'jump'"),
        ("print ub 0:2 f16 junk", "`print ub FIRST:LAST TYPE` takes no 'junk'"),
        ("print flags x", "`print flags` takes no 'x'"),
        ("print arg3 0:8", "`print arg3` takes no '0:8'"),
        ("print foo", "there is no 'foo' to print, only ub, l1, l0c, flags, arg0 to arg3"),
        ("print", "`print` needs a place"),
        ("print arg1 299:301", "arg1 has 300 elements, 299:301 lies outside"),
        ("print arg1 0:8 i32", "arg1 is a buffer of f16, it takes no type"),
        ("print ub 1:5 f32", "1:5 are bytes, and a f32 has 4: both must be multiples of 4"),
        ("print ub 0:6 f32", "0:6 are bytes, and a f32 has 4: both must be multiples of 4"),
        ("print ub 4:4 f32", "4:4 is empty"),
        ("print ub 196604:196612", "the range lies outside of ub, which has 196608 bytes"),
        (f"print ub 0:{2**64}", "the range lies outside of ub"),
        ("step 1 2", "`step` takes one word, not '1 2'"),
        ("step 0", "`step` takes a whole number above 0, not '0'"),
        ("step -1", "`step` takes a whole number above 0, not '-1'"),
        ("continue x", "`continue` takes no words, not 'x'"),
        ("where a b", "`where` takes no words, not 'a b'"),
        ("break", "`break` needs a place"),
        ("break 3", "no instruction is in line 3 of the dump; the next one is in line 45"),
        ("break vexpo", "the dump has no instruction 'vexpo', only load, pipe_barrier, "),
    ],
)
def test_a_command_that_cannot_be_obeyed_is_one_line(line: str, mistake: str, talk: Talk) -> None:
    output = talk(line, "quit").output
    assert f"(machine) {mistake}" in output
    assert output.count("`help` lists the commands\n") == 1
    assert output.endswith("The run was ended.\n")


@pytest.mark.parametrize("place", ["vexpo", "3", "999", "-1", "source:3"])
def test_a_breakpoint_where_no_instruction_is_is_refused(
    place: str, run_command: RunCommand
) -> None:
    result = run_command("machine", "run", SOFTMAX, "--break", place)
    assert result.exit_code == 2 and "Invalid value for --break" in result.output


def test_a_breakpoint_that_was_never_reached_is_said(run_command: RunCommand) -> None:
    # Without rows the loop around the exponential has no turn.
    arguments = ("machine", "run", SOFTMAX, "--arg", "2=0", "--break", "vexp")
    assert "no instruction was executed at the breakpoint vexp\n" in run_command(*arguments).output
    met = run_command(*arguments[:3], *SIZES, "--break", "vexp", answer="continue\n")
    assert "1 blocks, " in met.output and "no instruction was" not in met.output


def test_races_are_checked_unless_told_otherwise(run_command: RunCommand, tmp_path: Path) -> None:
    lines = Path(SOFTMAX).read_text(encoding="utf-8").splitlines()
    number = next(
        n for n, line in enumerate(lines, 1) if "pipe<PIPE_V>}" in line and "barrier" in line
    )
    arguments = ("machine", "run", drop_line(number, tmp_path), *SIZES)
    result = run_command(*arguments)
    assert result.exit_code == 1 and "machine.race: V of vector core 0" in result.output
    assert "machine.race" in run_command(*arguments, "--step", answer="continue\n").output
    assert run_command(*arguments, "--no-races").exit_code == 0


@pytest.mark.parametrize(
    "spec,mistake",
    [
        ("0=99999999999999", "argument 0 would have 186264.5 GiB"),
        (f"0={'9' * 5000}", "argument 0 is a buffer of f16"),
        (f"2={2**32}", "4294967296 does not fit 32 bits"),
        (f"2={-(2**31) - 1}", "does not fit 32 bits"),
        ("2=1.5", "a number of type i32, not '1.5'"),
    ],
)
def test_an_argument_that_does_not_fit_is_refused(
    spec: str, mistake: str, run_command: RunCommand
) -> None:
    result = run_command("machine", "run", SOFTMAX, "--arg", spec)
    assert result.exit_code == 2 and mistake in result.output


PAGE = DUMPS.parents[2] / "docs" / "looking_inside.md"
EXAMPLES = [
    line.split()[1:]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("    npu-autokernel ") and ".mlir" in line
]


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_the_examples_of_the_page_run_as_they_stand(
    words: list[str], run_command: RunCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for path in (*DUMPS.glob("*.mlir"), DUMPS / "kernels.py"):
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    result = run_command(*words, answer="where\nquit\n")
    assert result.exit_code == 0, result.output
    assert "(machine)" in result.output or ("--step" not in words and "--break" not in words)
