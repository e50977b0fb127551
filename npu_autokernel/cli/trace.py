"""`npu-autokernel trace`: time a stored kernel or a dump, and show where the time goes.

The kernel runs without functional work, and nothing is checked: buffers of a stored kernel are full
of zeros, those of a dump are what `--arg` says. Nothing is written but the timeline, if one is asked
for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from npu_autokernel.cli.dump_file import (
    describe_fault,
    launch_options,
    make_arguments,
    read_dump,
    refuse_dump_options,
)
from npu_autokernel.cli.store_access import find_kernels, open_store, store_option
from npu_autokernel.machine import ExecutionOptions, execute
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.report.summary import summarise_launch
from npu_autokernel.report.timeline import make_timeline
from npu_autokernel.report.traced_launch import TracedLaunch, trace_launch
from npu_autokernel.settings import load_settings

if TYPE_CHECKING:
    from npu_autokernel.cache import KernelRecord

TIMING_OPTIONS = ExecutionOptions(functional=False, timing=True, record_events=True)


@click.command()
@click.argument("kernel", metavar="KEY_OR_FILE")
@launch_options
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    callback=lambda _context, _option, path: check_folder(path),
    help="Write the timeline here, as JSON that ui.perfetto.dev opens.",
)
@store_option
def command(
    kernel: str,
    grid: tuple[int, ...],
    specs: Mapping[int, str],
    output: Path | None,
    source: str,
    folder: Path | None,
) -> None:
    """Show where the time of a stored kernel, or of a compiled dump, goes.

    A stored kernel is named by the start of its key and timed at the sizes it was measured for;
    --grid, --arg and --source are for dumps. Only the clock runs: `machine run` computes and
    checks.
    """
    launches: tuple[TracedLaunch, ...]
    path = Path(kernel)
    if path.is_file():
        soc_name, launches = load_settings().soc, (trace_dump(path, grid, specs, source),)
    else:
        check_key(kernel)
        refuse_dump_options(grid=is_given("grid"), arg=is_given("specs"), source=is_given("source"))
        record = find_record(kernel, folder)
        soc_name, launches = record.proof_key["soc"], trace_record(record)
    for launch in launches:
        click.echo(summarise_launch(launch, soc_name))
    if output is not None:
        timeline = make_timeline(launches, soc_name)
        output.write_text(json.dumps(timeline), encoding="utf-8")
        click.echo(f"{len(timeline['traceEvents'])} events in {output}")


def is_given(option: str) -> bool:
    """Whether the option stands in the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is not ParameterSource.DEFAULT


def check_folder(path: Path | None) -> Path | None:
    """The path of a file to write; raises BadParameter, before any work, if its folder is missing."""
    if path is not None and not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(path.parent)!r}.")
    if path is not None and not path.exists() and not os.access(path.parent, os.W_OK):
        raise click.BadParameter(f"the folder {str(path.parent)!r} cannot be written to.")
    return path


def check_key(text: str) -> None:
    """Raises BadParameter for what can be no key: an empty text, a folder, a file that is not there."""
    if not text:
        mistake = "a stored kernel's key, or the file of a dump, is missing."
    elif Path(text).is_dir():
        mistake = f"{text!r} is a folder, not the file of a dump."
    elif "/" in text or text.endswith(".mlir"):
        mistake = f"there is no file {text!r}."
    else:
        return
    raise click.BadParameter(mistake, param_hint="KEY_OR_FILE")


def trace_dump(
    path: Path, grid: tuple[int, ...], specs: Mapping[int, str], source: str
) -> TracedLaunch:
    """One launch of a dump on generated arguments; raises ClickException where the machine stops."""
    program, text = read_dump(path)
    soc = get_soc(load_settings().soc)
    report = execute(program, grid, make_arguments(program, specs), soc=soc, options=TIMING_OPTIONS)
    if report.timing is None:
        assert report.fault is not None
        raise click.ClickException(describe_fault(report.fault))
    return trace_launch(program, grid, text, report.timing, source)


def find_record(key: str, folder: Path | None) -> KernelRecord:
    """The kernel, used last, whose key or candidate digest begins with `key`."""
    from npu_autokernel.cli.verify import read_records

    store = open_store(folder)
    record = next(read_records(store, find_kernels(store, key)), None)
    if record is None:
        raise click.ClickException("the kernel is damaged; run `npu-autokernel cache check`")
    return record


def trace_record(record: KernelRecord) -> tuple[TracedLaunch, ...]:
    """Every launch of a stored kernel; raises ClickException where it cannot run."""
    from npu_autokernel.candidate import Candidate
    from npu_autokernel.cli.verify import rebuild_task
    from npu_autokernel.reasons import Refusal
    from npu_autokernel.targets.artifacts import unpack_kernels
    from npu_autokernel.targets.machine_target import MachineTarget

    task, candidate = rebuild_task(record), Candidate.from_json(record.candidate)
    try:
        kernels = unpack_kernels(record.artifacts)
    except (KeyError, ValueError) as error:
        advice = "`npu-autokernel verify KEY` compiles it anew"
        raise click.ClickException(f"the kernel's image is of another version; {advice}") from error
    prepared = MachineTarget(record.proof_key["soc"]).prepare(task, candidate.plan, kernels)
    if isinstance(prepared, Refusal):
        raise click.ClickException(f"{prepared.message} [{prepared.code}]")
    timed = prepared.time_launches(dict(task.hints), record_events=True)
    if isinstance(timed, Refusal):
        raise click.ClickException(f"{timed.message} [{timed.code}]")
    return tuple(
        trace_launch(launch.program, launch.grid, kernel.text, launch.timing, candidate.source)
        for launch, kernel in zip(timed, kernels, strict=True)
    )
