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
    assert "nothing in the dump comes from source:23; `help`" in talk("b source:23").output
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
