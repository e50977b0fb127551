"""The constants of the clock, as data: value, where it is from, and how it was set.

Constants that name rows in `fitted_on` were fitted to the calibration rows (`calibration/fit.py`), each
to three rows or more; all others are documented figures. The chip's own rates are in `soc.py`. Source keys and
confidence marks are those of `soc.py`; `kpp` = the vendor's per-instruction performance model, `pto`
= cost model of the vendor's tile library, fitted on a 910B3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class ClockConstants:
    """Times in the unit that the name ends with; cycles are core cycles."""

    scalar_op_cycles: float = 1.0
    scalar_ub_access_cycles: float = 11.0
    scalar_gm_access_cycles: float = 241.0
    vector_startup_cycles: float = 22.0
    vector_inner_call_cycles: float = 4.0
    vector_mask_cycles: float = 16.0
    vector_overlap_cycles: float = 0.77
    vector_barrier_cycles: float = 20.0
    load_latency_ns: float = 237.0
    load_latency_l2_ns: float = 130.0
    load_latency_l1_ns: float = 435.0
    store_latency_ns: float = 115.0
    dma_issue_cycles: float = 19.8
    dma_row_cycles: float = 3.55
    store_bytes_per_cycle: float = 86.0
    l0_startup_cycles: float = 28.0
    l0a_bytes_per_cycle: float = 256.0
    l0b_bytes_per_cycle: float = 128.0
    mmad_chained_cycles: float = 6.0
    mmad_idle_cycles: float = 61.3
    fixpipe_startup_cycles: float = 20.0
    fixpipe_elements_per_cycle: float = 64.0
    cross_core_flag_us: float = 0.5
    prologue_us: float = 1.9
    block_start_us: float = 0.5
    hot_request_rate_gps: float = 6.05
    same_order_factor: float = 1.2
    sharing_knee_power: float = 2.25
    atomic_update_cycles: float = 96.0


@dataclass(frozen=True)
class ConstantSource:
    """`fitted_on` lists the calibration rows that decide a fitted constant; empty: documented."""

    source: str
    confidence: str
    fitted_on: tuple[str, ...] = ()


def _document(source: str, confidence: str) -> ConstantSource:
    return ConstantSource(source, confidence)


def _fit(source: str, *rows: str) -> ConstantSource:
    return ConstantSource(source, "C", rows)


SOURCES: Mapping[str, ConstantSource] = MappingProxyType(
    {
        "scalar_op_cycles": _document("assumed: no public figure", "D"),
        "scalar_ub_access_cycles": _document("dk add sample: 34 cycles for three and an add", "C"),
        "scalar_gm_access_cycles": _document("sim: L2 read latency", "B"),
        "vector_startup_cycles": _document("dk bank-conflict sample; pto fits of an add: 24", "A"),
        "vector_inner_call_cycles": _document("kpp: floor of one repeat", "B"),
        "vector_mask_cycles": _document("pto: partial repeats", "B"),
        "vector_overlap_cycles": _document("dk bank-conflict sample, shifted result", "C"),
        "vector_barrier_cycles": _document("pto: effective, beside its gather", "C"),
        "load_latency_ns": _fit("GM to UB, missing L2", "E02", "E08", "E11", "E13", "E14"),
        "load_latency_l2_ns": _document("sim: 241 cycles; kpp: 131 ns for 1 KiB", "B"),
        "load_latency_l1_ns": _document("kpp: floor of a fractal load", "B"),
        "store_latency_ns": _fit("UB to GM", "E02", "E08", "E11", "E14"),
        "dma_issue_cycles": _fit("per DMA instruction", "D01", "D09", "M01", "M02"),
        "dma_row_cycles": _fit("per row", "D02", "D09", "M01", "M02", "M03", "M04", "M14"),
        "store_bytes_per_cycle": _document("ini l2_write_rate; kpp: 66 to 118 by path", "B"),
        "l0_startup_cycles": _document("dk load_data tests", "A"),
        "l0a_bytes_per_cycle": _document("dk load_data tests; kpp", "A"),
        "l0b_bytes_per_cycle": _document("dk load_data tests; kpp", "A"),
        "mmad_chained_cycles": _document("pto: 6; kpp 2, best dk samples 9 to 10", "B"),
        "mmad_idle_cycles": _fit("waiting on operands", "M01", "M02", "M03", "M04"),
        "fixpipe_startup_cycles": _document("dk fixpipe tests", "B"),
        "fixpipe_elements_per_cycle": _document("dk fixpipe tests", "B"),
        "cross_core_flag_us": _document("pto flash attention: about 1000 cycles a tile", "D"),
        "prologue_us": _fit("kernel start to first copy", "E13", "E14", "M20", "M21", "M23"),
        "block_start_us": _document("assumed: as the launch on one core", "D"),
        "hot_request_rate_gps": _fit("lines that most cores read", "D07", "D08", "D14", "D15"),
        "same_order_factor": _document("dk: 10 to 20 % for the same address", "D"),
        "atomic_update_cycles": _document(
            "assumed: updates of one line follow each other at the L2 write latency (sim)", "D"
        ),
        "sharing_knee_power": _fit(
            "queues near saturation",
            *("D02", "D04", "D06", "D09", "D10", "D12", "D13", "E03", "E04", "E05", "E06", "E07"),
            *("M03", "M04", "M05", "M06", "M09", "M10", "M15", "M16", "G01", "G03", "F04", "F06"),
        ),
    }
)

CONSTANTS = ClockConstants()
