"""The constants of the clock, as data: value, where it is from, and how it was set.

`fitted` constants were set by least squares on the calibration rows (`calibration/`), each on three
rows or more; all others are documented figures. The chip's own rates are in `soc.py`. Source keys and
confidence marks are those of `soc.py`; `kpp` = the vendor's per-instruction performance model, `pto`
= cost model of the vendor's tile library, fitted on a 910B3, `e3` etc. = rows of the calibration.
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
    load_latency_ns: float = 245.0
    load_latency_l2_ns: float = 130.0
    load_latency_l1_ns: float = 435.0
    store_latency_ns: float = 105.0
    dma_issue_cycles: float = 22.0
    dma_row_cycles: float = 3.5
    dma_unaligned_bytes_per_cycle: float = 18.0
    store_bytes_per_cycle: float = 66.0
    l0_startup_cycles: float = 28.0
    l0a_bytes_per_cycle: float = 256.0
    l0b_bytes_per_cycle: float = 128.0
    mmad_chained_cycles: float = 9.0
    mmad_idle_cycles: float = 63.0
    fixpipe_startup_cycles: float = 20.0
    fixpipe_elements_per_cycle: float = 64.0
    cross_core_flag_us: float = 0.5
    prologue_us: float = 1.8
    block_start_us: float = 0.5
    hot_request_rate_gps: float = 6.5
    same_order_factor: float = 1.2
    sharing_knee_power: float = 2.5


@dataclass(frozen=True)
class ConstantSource:
    """`fitted_on` lists the calibration rows that decide a fitted constant; empty: documented."""

    source: str
    confidence: str
    fitted_on: tuple[str, ...] = ()


SOURCES: Mapping[str, ConstantSource] = MappingProxyType({})

CONSTANTS = ClockConstants()
