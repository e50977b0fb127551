"""`npu-autokernel machine run`: execute a dump with all checks on generated arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import numpy as np

from npu_autokernel.cli.dump_file import (
    Value,
    describe_argument,
    describe_fault,
    launch_options,
    make_arguments,
    read_dump,
)
from npu_autokernel.cli.machine.stepping import QuitRunError, Stepping
from npu_autokernel.machine import ExecutionOptions, Program, RunReport, execute
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.settings import load_settings

LOG_LINES = 100_000


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@launch_options
@click.option("--step", is_flag=True, help="Stop after the first instruction and take commands.")
@click.option(
    "--break",
    "breaks",
    multiple=True,
    metavar="LINE|source:LINE|OPCODE",
    help="Stop after every instruction of this line of the dump or of the source, or of this name.",
)
@click.option(
    "--races/--no-races",
    default=True,
    help="Check that flags and barriers order all accesses to the same bytes (the default).",
)
@click.option("--log", "is_logged", is_flag=True, help="Print a line for each instruction.")
def command(
    file: Path,
    grid: tuple[int, ...],
    specs: Mapping[int, str],
    source: str,
    step: bool,
    breaks: tuple[str, ...],
    races: bool,
    is_logged: bool,
) -> None:
    """Execute a compiled dump on generated arguments. Exit code 1 if the machine stops with a fault.

    Checked are the bounds of every access, memory that nothing wrote, flags and races.

    Buffers hold 65536 elements (floats random, integers zero) and numbers are 1 unless --arg says
    otherwise. Where a run stops, `help` lists the commands.
    """
    program, text = read_dump(file)
    arguments = make_arguments(program, specs)
    for number, (argument, value) in enumerate(zip(program.arguments, arguments, strict=True)):
        click.echo(describe_argument(number, argument, value))
    stepping = Stepping(program, arguments, (text, source), breaks, stops_now=step)
    before = [value.copy() for value in arguments if isinstance(value, np.ndarray)]
    try:
        report = execute(
            program,
            grid,
            arguments,
            soc=get_soc(load_settings().soc),
            options=ExecutionOptions(
                check_uninitialised=True,
                check_races=races,
                log_lines=LOG_LINES if is_logged else 0,
            ),
            on_step=stepping if step or breaks else None,
        )
    except QuitRunError:
        click.echo("The run was ended.")
        return
    for place in stepping.list_unmet():
        click.echo(f"no instruction was executed at the breakpoint {place}")
    print_report(report, program, arguments, before)


def print_report(
    report: RunReport, program: Program, arguments: Sequence[Value], before: Sequence[np.ndarray]
) -> None:
    """The log, what each buffer came to, and the fault if there is one."""
    for line in report.log:
        click.echo(line)
    buffers = [
        (number, value) for number, value in enumerate(arguments) if isinstance(value, np.ndarray)
    ]
    for (number, after), old in zip(buffers, before, strict=True):
        changed = np.flatnonzero(after.view(np.uint8) != old.view(np.uint8)) // after.itemsize
        if len(changed):
            count = len(np.unique(changed))
            click.echo(f"arg{number}: {count} elements changed, {changed[0]} to {changed[-1]}")
    counters = report.counters
    done = sum(counters.instructions.values())
    click.echo(f"{report.blocks_run} blocks, {done} instructions, {counters.scalar_ops} scalar ops")
    if counters.guard_reads:
        click.echo(f"{counters.guard_reads} elements were read outside of their buffers, as poison")
    if report.fault is not None:
        raise click.ClickException(describe_fault(report.fault))
