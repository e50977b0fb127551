"""Vector instructions one by one: the clock's throughput beside a vendor's per-instruction tables.

The tables (`cases/instruction_fits.json`) were reduced to straight lines over the number of repeats.
Their slopes are compared, in elements a cycle. Their intercepts are not: the tables show 3 to 8 cycles
for a single repeat, kernels 22 for each call (machine-model facts behind `vector_startup_cycles`).
Two inputs share banks in the tables, so they do here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

from npu_autokernel.machine._native import Stream
from npu_autokernel.machine.calibration.streams_vector import (
    CONFLICTS,
    ELEMENT_BYTES,
    ONE_INPUT,
    WITH_NUMBER,
)
from npu_autokernel.machine.soc import get_soc
from npu_autokernel.machine.timing import simulate

REPEAT_BYTES = 256
FEW, MANY = 16, 64  # repeats; the slope lies between
TYPES = {
    "fp16": "float16", "fp32": "float32", "bf16": "bfloat16", "int8": "int8", "uint8": "int8",
    "int16": "int16", "uint16": "int16", "int32": "int32", "uint32": "int32", "int64": "int64",
}  # fmt: skip
OPERATIONS: Mapping[str, str] = {
    "VABS": "abs", "VADDS": "adds", "VADD": "add", "VAND": "and", "VBRCB": "broadcast",
    "VCMP": "cmp", "VCMPV": "cmp", "VCMPVS": "cmps", "VCONV": "cast", "VCOPY": "copy",
    "VDIV": "div", "VECTORDUP": "broadcast", "VEXP": "exp", "VLN": "ln", "VMAXS": "maxs",
    "VMAX": "max", "VMINS": "mins", "VMIN": "min", "VMULS": "muls", "VMUL": "mul", "VNOT": "not",
    "VOR": "or", "VRELU": "relu", "VREC": "rec", "VSUB": "sub", "VSEL": "sel", "VSHL": "shl",
    "VSHR": "shr", "VSQRT": "sqrt", "VRSQRT": "rsqrt", "VGATHER": "gather",
    "VREDUCE": "deinterleave",
}  # fmt: skip
# Reductions: kind, and the bytes or elements of the rows that one instruction reduces.
REDUCTIONS: Mapping[str, tuple[str, str]] = {
    "VCADD": ("sum", "repeat"), "VCMAX": ("max", "repeat"), "VCMIN": ("max", "repeat"),
    "VCGADD": ("sum", "block"), "VCGMAX": ("max", "block"), "VCGMIN": ("max", "block"),
    "VCPADD": ("sum", "pair"),
}  # fmt: skip
NOT_EXPRESSED: Mapping[str, str] = {
    "VADDRELU": "two steps in one; compilers emit an addition and a relu",
    "VADDRELUCONV": "three steps in one; compilers emit none",
    "VSUBRELU": "two steps in one; compilers emit a subtraction and a relu",
    "VSUBRELUCONV": "three steps in one; compilers emit none",
    "VMULCONV": "two steps in one; compilers emit a product and a cast",
    "VAXPY": "two steps in one; compilers emit a product and a sum",
    "VLRELU": "compilers emit a product and a maximum",
    "VMADD": "three operands; compilers emit a product and a sum",
    "VMADDRELU": "three operands; compilers emit none",
    "VMLA": "three operands; compilers emit a product and a sum",
    "VCONVDEQ": "cast with a scale; compilers emit a product and a cast",
    "VCONVVDEQ": "cast with a vector of scales; compilers emit none",
    "VMRGSORT": "one merge; the clock costs whole sorts",
    "VREDUCEV2": "gather by a mask of the user's; compilers emit none",
    "VGATHERB": "gather of blocks; compilers emit none",
}
# Why some differ, by instruction and types; '' stands for all types.
REASONS: Mapping[tuple[str, str], str] = {
    ("VCMPVS", ""): "fitted below one cycle a repeat, which is the documented rate",
    ("VCONV", "fp16_fp32"): "counted by its 16-bit source; documents: 64 elements to 32 bits",
    ("VCONV", "bf16_fp32"): "counted by its 16-bit source; documents: 64 elements to 32 bits",
    ("VCONV", "fp16_int32"): "counted by its 16-bit source; documents: 64 elements to 32 bits",
    ("VCONV", "int16_fp32"): "counted by its 16-bit source; documents: 64 elements to 32 bits",
    ("VCONV", "int8_fp16"): "counted by its 8-bit source; documents: 128 elements",
    ("VCONV", "uint8_fp16"): "counted by its 8-bit source; documents: 128 elements",
    ("VCONV", "fp32_int64"): "counted by its 32-bit source; the way back shows 32 elements",
}


@dataclass(frozen=True)
class InstructionFit:
    """One line of the vendor's tables; `types` as it writes them, inputs first."""

    instruction: str
    types: str
    least_cycles: float
    cycles_per_repeat: float
    elements_per_cycle: float


@dataclass(frozen=True)
class FitComparison:
    """One fit beside the clock, or the reason why the clock has no such instruction."""

    fit: InstructionFit
    elements_per_cycle: float | None
    reason: str

    @property
    def deviation(self) -> float | None:
        """Signed share of the vendor's throughput."""
        if self.elements_per_cycle is None:
            return None
        return self.elements_per_cycle / self.fit.elements_per_cycle - 1.0


def load_instruction_fits() -> tuple[InstructionFit, ...]:
    folder = resources.files("npu_autokernel.machine.calibration") / "cases"
    data = json.loads((folder / "instruction_fits.json").read_text(encoding="utf-8"))
    return tuple(InstructionFit(*row) for row in data["fits"])


def _issue_reduction(stream: Stream, fit: InstructionFit, dtype: str, elements: int) -> None:
    kind, rows_of = REDUCTIONS[fit.instruction]
    columns = {"repeat": REPEAT_BYTES, "block": 32}.get(rows_of, 0) // ELEMENT_BYTES[dtype] or 2
    stream.reduce(kind, dtype, elements // columns, columns)


def _issue(stream: Stream, fit: InstructionFit, types: list[str], elements: int) -> None:
    source, result = types[0], types[-1]
    if fit.instruction in REDUCTIONS:
        return _issue_reduction(stream, fit, source, elements)
    name = OPERATIONS[fit.instruction]
    first, second, target = CONFLICTS["reads"]
    one_input = name in ONE_INPUT or name == "deinterleave"
    inputs = [first] if one_input else [first, second]
    if name in WITH_NUMBER:
        name = name.removesuffix("s")
    if name == "cmp":
        result = "bool"
    stream.vector(name, source, elements, inputs, target, result)


def _cycles(fit: InstructionFit, types: list[str], elements: int) -> float:
    soc = get_soc("910B1")
    stream = Stream()
    _issue(stream, fit, types, elements)
    timing = simulate([[stream]], "vector", soc)
    return timing.vector.busy_us("vector") * soc.clock_mhz


def compare_fit(fit: InstructionFit) -> FitComparison:
    names = fit.types.split("_")
    if fit.instruction in NOT_EXPRESSED:
        return FitComparison(fit, None, NOT_EXPRESSED[fit.instruction])
    if any(name not in TYPES for name in names):
        return FitComparison(fit, None, "a type of 4 bits")
    if fit.elements_per_cycle <= 0:
        return FitComparison(fit, None, "the vendor's line is no line: its table has outliers")
    types = [TYPES[name] for name in names]
    per_repeat = REPEAT_BYTES // ELEMENT_BYTES[types[0]]
    few, many = (_cycles(fit, types, repeats * per_repeat) for repeats in (FEW, MANY))
    throughput = (MANY - FEW) * per_repeat / (many - few)
    reason = REASONS.get((fit.instruction, fit.types)) or REASONS.get((fit.instruction, ""), "")
    return FitComparison(fit, throughput, reason)


def compare_instruction_fits() -> Iterator[FitComparison]:
    return (compare_fit(fit) for fit in load_instruction_fits())
