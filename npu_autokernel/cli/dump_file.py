"""A compiled dump as a file: its program, and arguments that a person describes or leaves to us.

`--arg 0=4096:zeros` makes argument 0 a buffer of 4096 elements, all zero; `--arg 3=300` makes
argument 3 the number 300. Arguments count from 0 in the kernel's order, as in the log. A dump knows
lines of its Triton source by number; `--source` gives their text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, Union

import click
import numpy as np

from npu_autokernel.cli.printing import format_size
from npu_autokernel.machine import MachineFault, Program, ProgramArgument, load_program

Command = TypeVar("Command", bound=Callable[..., Any])
Value = Union[np.ndarray, int, float]

DEFAULT_ELEMENTS = 65536
MOST_DIGITS = 20
MOST_BUFFER_BYTES = 1 << 30
FILLS = ("zeros", "ones", "range", "normal")
FLOAT_TYPES = ("f16", "bf16", "f32")
# A bf16 is kept as its 16 bits, an i1 of global memory as a byte.
NUMPY_TYPES = {
    "i1": np.uint8,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
}


def launch_options(function: Command) -> Command:
    """Adds `--grid X,Y,Z`, `--arg N=SPEC` and `--source FILE` to a command that runs a dump."""
    grid = click.option(
        "--grid",
        default="1",
        metavar="X[,Y[,Z]]",
        callback=lambda _context, _option, text: parse_grid(text),
        help="How many blocks to launch.",
    )
    specs = click.option(
        "--arg",
        "specs",
        multiple=True,
        metavar="N=COUNT[:FILL]|NUMBER",
        callback=lambda _context, _option, texts: parse_specs(texts),
        help="Argument N of a dump: a buffer's elements and fill "
        "(zeros, ones, range, normal), or a number.",
    )
    source = click.option(
        "--source",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        callback=lambda _context, _option, path: read_source(path),
        help="The Triton source of a dump, to show its lines.",
    )
    return grid(specs(source(function)))


def read_source(path: Path | None) -> str:
    """The text of the source, empty without a path; raises BadParameter."""
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"{path} is not a source: {error}.") from error


def parse_grid(text: str) -> tuple[int, ...]:
    """`4,2` -> (4, 2); raises BadParameter."""
    try:
        grid = tuple(int(extent) for extent in text.split(","))
    except ValueError:
        grid = ()
    if not 1 <= len(grid) <= 3 or min(grid) < 1:
        raise click.BadParameter(f"{text!r} is not one to three whole numbers above 0.")
    return grid


def parse_specs(texts: Sequence[str]) -> dict[int, str]:
    """`0=4096:zeros` and `arg0=4096:zeros` -> {0: "4096:zeros"}; raises BadParameter."""
    specs: dict[int, str] = {}
    for text in texts:
        name, equals, spec = text.partition("=")
        number = name.removeprefix("arg")
        if not equals or not number.isdecimal():
            raise click.BadParameter(f"{text!r} is not N=COUNT[:FILL] or N=NUMBER.")
        specs[int(number)] = spec
    return specs


def refuse_dump_options(**is_given: bool) -> None:
    """Raises UsageError for an option of a dump that was given with something else."""
    given = [name for name, was_given in is_given.items() if was_given]
    if given:
        raise click.UsageError(
            f"only a dump takes --{' and --'.join(given)}; a stored kernel is timed at the sizes it "
            "was measured for, and has its source with it."
        )


def read_dump(path: Path) -> tuple[Program, str]:
    """The program and the text of a dump; raises ClickException where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} is not a dump: {error}") from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}") from error
    program = load_program(text)
    if isinstance(program, MachineFault):
        raise click.ClickException(f"{path} cannot be read: {program}")
    return program, text


def describe_fault(fault: MachineFault) -> str:
    """The fault as a person reads it: most say it themselves."""
    if fault.code != "machine.no_estimate":
        return str(fault)
    return (
        f"{fault.code}: the clock has no calibrated costs for {fault.message}; it times dumps of the "
        "910 families on their chips, and `npu-autokernel machine run` executes this one"
    )


def make_arguments(program: Program, specs: Mapping[int, str]) -> list[Value]:
    """One value per argument; raises BadParameter for a spec that fits no argument."""
    beyond = [number for number in specs if number >= len(program.arguments)]
    if beyond:
        raise click.BadParameter(
            f"the kernel has {len(program.arguments)} arguments, there is none {beyond[0]}.",
            param_hint="--arg",
        )
    return [
        _make_buffer(number, argument, specs.get(number, str(DEFAULT_ELEMENTS)))
        if argument.is_buffer
        else _make_number(number, argument, specs.get(number, "1"))
        for number, argument in enumerate(program.arguments)
    ]


def describe_argument(number: int, argument: ProgramArgument, value: Value) -> str:
    """`arg0 65536 x f32` or `arg3 i32 300`."""
    if isinstance(value, np.ndarray):
        return f"arg{number} {value.size} x {argument.element_type}"
    return f"arg{number} {argument.element_type} {value}"


def widen(values: np.ndarray, element_type: str) -> np.ndarray:
    """Values that numpy prints as numbers: the bits of bf16 become float32."""
    if element_type != "bf16":
        return values
    return (values.astype(np.uint32) << 16).view(np.float32)


def _make_buffer(number: int, argument: ProgramArgument, spec: str) -> np.ndarray:
    is_float = argument.element_type in FLOAT_TYPES
    count, _, fill = spec.partition(":")
    fill = fill or ("normal" if is_float else "zeros")
    fits = (
        count.isdecimal()
        and len(count) < MOST_DIGITS
        and fill in FILLS
        and (is_float or fill != "normal")
    )
    if not fits:
        kinds = ", ".join(FILLS if is_float else FILLS[:-1])
        raise click.BadParameter(
            f"argument {number} is a buffer of {argument.element_type}: it takes COUNT[:FILL] with "
            f"a fill of {kinds}, not {spec!r}.",
            param_hint="--arg",
        )
    size_bytes = int(count) * np.dtype(NUMPY_TYPES[argument.element_type]).itemsize
    if size_bytes > MOST_BUFFER_BYTES:
        raise click.BadParameter(
            f"argument {number} would have {format_size(size_bytes)}, and a buffer may have "
            f"{format_size(MOST_BUFFER_BYTES)}.",
            param_hint="--arg",
        )
    values = _fill(fill, int(count), seed=number)
    if argument.element_type == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(NUMPY_TYPES[argument.element_type])


def _fill(fill: str, count: int, seed: int) -> np.ndarray:
    if fill == "normal":
        return np.random.default_rng(seed).standard_normal(count)
    if fill == "range":
        return np.arange(count)
    return np.full(count, float(fill == "ones"))


def _make_number(number: int, argument: ProgramArgument, spec: str) -> int | float:
    element_type = argument.element_type
    try:
        if element_type in FLOAT_TYPES:
            return float(spec)
        value = int(spec)
    except ValueError as error:
        raise click.BadParameter(
            f"argument {number} is a number of type {element_type}, not {spec!r}.",
            param_hint="--arg",
        ) from error
    bits = int(element_type[1:])
    # Unsigned numbers have the type of their bits.
    if not -(2 ** (bits - 1)) <= value < 2**bits:
        raise click.BadParameter(
            f"argument {number} is a number of type {element_type}, and {value} does not fit "
            f"{bits} bits.",
            param_hint="--arg",
        )
    return value
