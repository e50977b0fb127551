"""The one table of stable reason codes: why a candidate failed, or why an op stays in eager.

A code is `area.name`; the area is the gate or module that decides. `template` is the sentence shown to a person,
filled with the evidence (`str.format` fields); `advice` says what to do. Codes never change meaning once released.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    """One row: stable code, deciding gate, message template and advice."""

    code: str
    gate: str
    template: str
    advice: str


# fmt: off
_ROWS = (
    ("ok", "", "All gates passed.", "Nothing to do."),
    # source: the candidate's text and launch plan, before anything runs
    ("source.syntax", "source", "The source does not parse: {detail}.", "Fix the syntax error named."),
    ("source.forbidden", "source", "The source uses {name}, which a kernel may not use.", "Keep to triton.language and the functions the source defines."),
    ("source.entry_missing", "source", "The plan launches {entry}, which the source does not define.", "Define the kernel, or name one that exists."),
    ("source.plan_invalid", "source", "The launch plan is not valid: {detail}.", "Correct the plan: arguments, constants and size expressions must fit the task."),
    # compile: the Triton front end and the Ascend compiler
    ("compile.ub_overflow", "compile", "The kernel needs {needed_bits} bits of UB and {available_bits} are available.", "Use a smaller tile, or loop over the long axis."),
    ("compile.l1_overflow", "compile", "The kernel needs {needed_bits} bits of L1 and {available_bits} are available.", "Reduce the tile along K."),
    ("compile.l0c_overflow", "compile", "The kernel needs {needed_bits} bits of L0C and {available_bits} are available.", "Keep the accumulator tile at 128 KiB or less."),
    ("compile.tensor_too_large", "compile", "A block holds more than {limit} elements.", "Use a smaller block."),
    ("compile.unsupported_dtype", "compile", "The compiler does not take {dtype} here.", "Compute in float32, or leave the op in eager."),
    ("compile.unsupported_op", "compile", "The compiler cannot lower {detail}.", "Rewrite the op by simpler ones."),
    ("compile.front_end", "compile", "The Triton front end refused line {line}: {detail}.", "Correct the line named."),
    ("compile.abort", "compile", "The compiler aborted: {detail}.", "Rewrite the construct named; nothing else is affected."),
    ("compile.timeout", "compile", "The compiler took longer than {limit_s} s.", "Use a smaller kernel, or raise the limit."),
    ("compile.failed", "compile", "The compiler failed: {detail}.", "Read the message; keep the dump folder for a report."),
    ("compile.missing", "compile", "The Ascend tool chain is not installed: {detail}.", "Run `npu-autokernel doctor`; it says what to install."),
    ("compile.foreign_triton", "compile", "A foreign triton distribution ({detail}) owns the folder triton/.", "Uninstall triton and reinstall triton-ascend; see `npu-autokernel doctor`."),
    # launch limits
    ("launch.grid", "launch", "The grid has {programs} programs; it must have 1 to 65535.", "Loop over the cores inside the kernel, or use larger blocks."),
    ("launch.requirement", "launch", "The sizes do not meet the kernel's condition {condition}.", "Use another schedule for these sizes."),
    # machine: faults of the run
    ("machine.parse_error", "machine", "The compiler's dump cannot be read: {detail}.", "Report it with the dump folder; the region stays in eager."),
    ("machine.unsupported_op", "machine", "The machine does not know {detail}.", "Rewrite the kernel without this op, or add the instruction."),
    ("machine.illegal_operand", "machine", "An instruction has operands that it cannot take: {detail}.", "Report it with the dump folder; the region stays in eager."),
    ("machine.out_of_bounds_read", "machine", "The kernel reads outside {detail}.", "Mask the load."),
    ("machine.out_of_bounds_write", "machine", "The kernel writes outside {detail}.", "Mask the store."),
    ("machine.uninitialised_read", "machine", "Memory never written reaches an output: {detail}.", "Initialise the buffer, or give the load an `other`."),
    ("machine.race", "machine", "Two accesses are not ordered: {detail}.", "Order them by a flag or barrier, or avoid the overlap."),
    ("machine.flag_unbalanced", "machine", "A flag is set or waited for once too often: {detail}.", "Report it with the dump folder; the region stays in eager."),
    ("machine.deadlock", "machine", "The cores wait for each other for ever: {detail}.", "Report it with the dump folder; the region stays in eager."),
    ("machine.launch_limit", "machine", "The launch breaks a limit: {detail}.", "Loop over the cores inside the kernel."),
    ("machine.l0_trap", "machine", "The matmul macro would trap: {detail}.", "Use M and N that fit L0."),
    ("machine.step_limit", "machine", "The kernel ran more than {limit} operations, the last in {place}.", "Look for a loop that does not end, or scalar work that should be vector work."),
    ("machine.no_estimate", "machine", "The clock has no calibrated costs for {detail}, so no kernel can be judged there.", "Everything runs in eager; set NPU_AUTOKERNEL_SOC to a chip of the 910 families to have kernels."),
    ("machine.bad_argument", "machine", "An argument does not fit the kernel: {detail}.", "Pass arguments of the kernel's signature."),
    # match: the outputs against the golden
    ("match.mismatch", "match", "Output {output} differs from the golden: max error {max_error} (limit {limit}), mean error {mean_error} (limit {mean_limit}), {wrong} of {elements} elements beyond.", "Look at the first mismatches."),
    ("match.nan_pattern", "match", "Output {output} has NaN or infinity at other places than the golden.", "Check masks and the handling of infinities."),
    ("match.not_written", "match", "Output {output} has {elements} elements the kernel never wrote.", "Check the mask and the grid."),
    ("match.input_mutated", "match", "The kernel changed input {input}.", "Write to outputs only."),
    ("match.margin_written", "match", "The kernel wrote between the elements of output {output}.", "Check strides and masks of the store."),
    ("match.not_informative", "match", "None of {cases} cases could tell the kernel from one that writes zeros.", "The region cannot be proven; it runs in eager."),
    ("match.not_deterministic", "match", "Two runs with other poison gave other results in output {output}.", "Look for races and for reads of unwritten memory."),
    # time
    ("time.below_roofline", "time", "The estimate {latency_us} us is below the physical bound {roofline_us} us.", "This is an error of the clock: report it."),
    # worker: the process in which source, compilers and unproven candidates run
    ("worker.timeout", "worker", "The worker took longer than {limit_s} s and was ended.", "Use a smaller shape, or raise the limit."),
    ("worker.crashed", "worker", "The worker process ended unexpectedly ({detail}).", "The candidate is dropped; report it if it repeats."),
    ("worker.memory", "worker", "The worker reached its memory limit of {limit_bytes} bytes.", "Use a smaller shape, or raise the limit."),
    # draft: what the built-in drafter cannot write
    ("draft.unsupported_op", "draft", "No drafter writes {op}.", "The op runs in eager."),
    ("draft.unsupported_dtype", "draft", "{op} has dtype {dtype}, which the chip's vector unit does not serve.", "The op runs in eager; convert to float32, float16 or bfloat16 to have a kernel."),
    ("draft.unsupported_layout", "draft", "{op} has a layout no drafter reads: {detail}.", "The op runs in eager; make the tensor contiguous to have a kernel."),
    ("draft.unsupported_argument", "draft", "{op} has an argument no drafter takes: {detail}.", "The op runs in eager."),
    ("draft.not_fusible", "draft", "The ops do not share one iteration space: {detail}.", "The region is split."),
    ("draft.no_schedule", "draft", "No schedule fits on-chip memory: {detail}.", "The region runs in eager."),
    ("draft.exhausted", "draft", "The proposer has no further candidate in stage {stage}.", "The region runs in eager; a language model may find more."),
    # region: why ops of a graph stay in eager
    ("region.view", "region", "{op} only changes the view; it moves no data.", "Nothing to do."),
    ("region.movement", "region", "{op} moves data from place to place and computes nothing.", "Nothing to do: eager moves it with one kernel."),
    ("region.constant", "region", "{op} fills a tensor and reads none.", "Nothing to do: eager fills it with one kernel."),
    ("region.random", "region", "{op} draws random numbers; it stays in eager so that seeded runs agree.", "Nothing to do."),
    ("region.cube", "region", "{op} is matrix work that no kernel serves yet.", "It runs in eager."),
    ("region.zero_size", "region", "{op} works on an empty tensor.", "Nothing to do."),
    ("region.tensor_kind", "region", "{op} takes a {detail} tensor.", "It runs in eager; dense strided tensors can have kernels."),
    ("region.symbol", "region", "{op} uses the size {detail}, which no tensor input has.", "It runs in eager."),
    ("region.input", "region", "Input {input} does not fit the kernel's task: {detail}.", "This call runs in eager."),
    ("region.device", "region", "{op} runs on {device}, not on the target.", "Move the tensor to the target device."),
    ("region.mutation", "region", "{op} writes into its input.", "It runs in eager."),
    ("region.scalar", "region", "{op} works on single numbers only.", "Nothing to do."),
    ("region.not_profitable", "region", "The kernel's estimate {latency_us} us is more than 5 % above expert eager's {expert_us} us.", "Set policy `all` to use it anyway."),
    ("region.banned", "region", "A control bans {detail}.", "Remove the ban to have a kernel."),
    ("region.pin", "region", "A control pins the region to kernel {detail}, and the store has no such kernel for it and these sizes.", "Correct or remove the pin; `npu-autokernel cache ls` lists what is there."),
    ("region.miss", "region", "The store has no kernel for this key and mode `cached` never writes one.", "Run `npu-autokernel prebuild`, or use mode `sync`."),
    ("region.budget", "region", "The budget for synthesis ended before a kernel was proven.", "Raise the budget, or prebuild."),
    ("region.deterministic", "region", "Deterministic algorithms are asked for and the kernel uses atomics.", "Nothing to do."),
    ("region.internal_error", "region", "An error of ours: {detail}.", "The region runs in eager; please report it with the dump folder."),
    ("region.run_failed", "region", "A proven kernel failed at run time: {detail}.", "The region runs in eager from now on; please report it."),
)
# fmt: on

_TABLE = {code: Reason(code, gate, template, advice) for code, gate, template, advice in _ROWS}


def list_reasons() -> tuple[Reason, ...]:
    """All rows, in the table's order."""
    return tuple(_TABLE.values())


def explain_reason(code: str) -> Reason:
    """The row of `code`; raises KeyError for a code that is not in the table."""
    return _TABLE[code]


@dataclass(frozen=True)
class Refusal:
    """A failure as a value: a code of the table and the evidence that fills its sentence."""

    code: str
    evidence: tuple[tuple[str, int | float | str], ...] = ()

    @property
    def message(self) -> str:
        return format_reason(self.code, dict(self.evidence))

    @property
    def advice(self) -> str:
        return explain_reason(self.code).advice


def refuse(code: str, **evidence: int | float | str) -> Refusal:
    """A Refusal with `evidence`, sorted by name; raises KeyError for a code that is not in the table."""
    return Refusal(explain_reason(code).code, tuple(sorted(evidence.items())))


class _Evidence(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "?"


def format_reason(code: str, evidence: Mapping[str, object]) -> str:
    """The sentence of `code` with `evidence` filled in; a field without evidence prints `?`."""
    return string.Formatter().vformat(explain_reason(code).template, (), _Evidence(evidence))
