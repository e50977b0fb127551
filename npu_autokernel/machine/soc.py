"""The chips: one row of numbers per part, and where each number comes from.

Everything that speaks of a chip reads this table: the clock, the bounds a measurement is read
against, the tile budgets, the number of cores a kernel may fill. None of it was measured by this
project; `find_fact` names the public document behind each number and how far to trust it.

Source keys: `ini` = platform tables of CANN 8.1 (`platform_config/*.ini`); `sim` = configuration of
the simulator in the same release; `dk` = Ascend C developer kit documents and samples; `msprof` =
samples of the operator profiler; `derived` = computed from documented measurements.

Confidence: A = two independent sources, or a documented measurement that a formula reproduces;
B = one vendor document; C = derived from measurements; D = weak, or carried over from a sister part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from npu_autokernel.errors import UnknownSocError

# Version of the clock's constants and rules. Every machine estimate carries it.
CLOCK_VERSION = "5"

CoreUse = Literal["vector", "cube", "mix"]
KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


@dataclass(frozen=True)
class Fact:
    """Where the numbers of one field come from; in `weak_parts` the confidence is D."""

    unit: str
    source: str
    confidence: str
    weak_parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SocTable:
    """The numbers of one part (one die for the A3 parts). `find_fact` says where each is from.

    `is_timed` is false where the clock has no calibrated costs: it then refuses to estimate.
    """

    name: str
    cube_cores: int
    vector_cores: int
    clock_mhz: float
    hbm_bytes: int
    l2_bytes: int
    hbm_nominal_tbps: float
    hbm_read_tbps: float
    hbm_read_l1_tbps: float
    hbm_read_write_tbps: float
    l2_read_cube_bytes_per_cycle: float = 112.0
    l2_read_vector_bytes_per_cycle: float = 68.0
    l2_read_tbps: float = 5.0
    l2_read_write_tbps: float = 7.0
    l2_line_bytes: int = 512
    ub_bytes: int = 192 * KIB
    l1_bytes: int = 512 * KIB
    l0a_bytes: int = 64 * KIB
    l0b_bytes: int = 64 * KIB
    l0c_bytes: int = 128 * KIB
    vector_repeat_bytes: int = 256
    cube_fp16_macs_per_cycle: int = 4096
    cube_fp32_macs_per_cycle: int = 1024
    launch_one_core_us: float = 0.5
    launch_vector_us: float = 7.0
    launch_cube_us: float = 10.0
    launch_mix_us: float = 14.0
    is_timed: bool = True

    def cores_of(self, use: CoreUse) -> int:
        """How many blocks of a kernel run at once; a mix block takes one cube and two vector cores."""
        return self.vector_cores if use == "vector" else self.cube_cores

    def launch_overhead_us(self, use: CoreUse, cores: int) -> float:
        """Task time minus core time: from one core's cost linearly up to that of all cores."""
        full = {
            "vector": self.launch_vector_us,
            "cube": self.launch_cube_us,
            "mix": self.launch_mix_us,
        }[use]
        most = self.cores_of(use)
        share = (min(max(cores, 1), most) - 1) / max(most - 1, 1)
        return self.launch_one_core_us + share * (full - self.launch_one_core_us)

    def cube_peak_tflops(self, dtype: str = "float16") -> float:
        """Two flops per multiply-add at full rate; int8 doubles it, float32 has a rate of its own."""
        float32 = self.cube_fp32_macs_per_cycle / self.cube_fp16_macs_per_cycle
        scale = {"int8": 2.0, "float32": float32, "hf32": 2 * float32}.get(dtype, 1.0)
        macs = self.cube_fp16_macs_per_cycle * scale
        return 2.0 * macs * self.cube_cores * self.clock_mhz * 1e6 / 1e12


# Achieved over nominal HBM rate, from the 910B1: 1.49 (to UB), 1.40 (to L1) and 1.61 (read and
# write together) of 1.8 TB/s.
_READ_SHARE = 1.49 / 1.8
_READ_L1_SHARE = 1.40 / 1.8
_READ_WRITE_SHARE = 1.61 / 1.8


def _make_part(
    name: str,
    cube_cores: int,
    clock_mhz: float,
    *,
    hbm_gib: int = 64,
    l2_mib: int = 192,
    hbm_nominal_tbps: float,
) -> SocTable:
    return SocTable(
        name=name,
        cube_cores=cube_cores,
        vector_cores=2 * cube_cores,
        clock_mhz=clock_mhz,
        hbm_bytes=hbm_gib * GIB,
        l2_bytes=l2_mib * MIB,
        hbm_nominal_tbps=hbm_nominal_tbps,
        hbm_read_tbps=round(hbm_nominal_tbps * _READ_SHARE, 3),
        hbm_read_l1_tbps=round(hbm_nominal_tbps * _READ_L1_SHARE, 3),
        hbm_read_write_tbps=round(hbm_nominal_tbps * _READ_WRITE_SHARE, 3),
    )


# The first chip that computes on registers. Its vector costs are not known to the clock.
_PART_950 = SocTable(
    name="950PR_9589",
    cube_cores=32,
    vector_cores=64,
    clock_mhz=1650.0,
    hbm_bytes=128 * GIB,
    l2_bytes=128 * MIB,
    hbm_nominal_tbps=1.6,
    hbm_read_tbps=1.63,
    hbm_read_l1_tbps=round(1.6 * _READ_L1_SHARE, 3),
    hbm_read_write_tbps=1.71,
    l2_read_tbps=5.2,
    ub_bytes=248 * KIB,
    l0c_bytes=256 * KIB,
    cube_fp32_macs_per_cycle=256,
    launch_one_core_us=0.8,
    launch_vector_us=1.0,
    launch_cube_us=1.0,
    launch_mix_us=1.0,
    is_timed=False,
)

PARTS: Mapping[str, SocTable] = MappingProxyType(
    {
        part.name: part
        for part in (
            _make_part("910B1", 24, 1850.0, hbm_nominal_tbps=1.8),
            _make_part("910B2", 24, 1800.0, hbm_nominal_tbps=1.7),
            _make_part("910B2C", 24, 1800.0, hbm_nominal_tbps=1.7),
            _make_part("910B3", 20, 1800.0, hbm_nominal_tbps=1.6),
            _make_part("910B4", 20, 1500.0, hbm_gib=32, l2_mib=96, hbm_nominal_tbps=0.8),
            _make_part("910B4-1", 20, 1500.0, l2_mib=168, hbm_nominal_tbps=0.8),
            _make_part("910_9391", 24, 1850.0, hbm_nominal_tbps=1.8),
            _make_part("910_9392", 24, 1850.0, hbm_nominal_tbps=1.8),
            _make_part("910_9381", 24, 1800.0, hbm_nominal_tbps=1.7),
            _make_part("910_9382", 24, 1800.0, hbm_nominal_tbps=1.7),
            _make_part("910_9372", 20, 1800.0, hbm_nominal_tbps=1.6),
            _make_part("910_9362", 20, 1500.0, hbm_gib=32, l2_mib=168, hbm_nominal_tbps=0.8),
            _PART_950,
        )
    }
)

_OTHERS_WEAK = tuple(name for name in PARTS if name not in ("910B1", "910B3"))
_CARRIED_OVER = tuple(name for name in PARTS if name != "910B1")
_B4_WEAK = ("910B4", "910B4-1")

FACTS: Mapping[str, Fact] = MappingProxyType(
    {
        "cube_cores": Fact("cores", "ini cube_core_cnt", "A"),
        "vector_cores": Fact("cores", "ini vector_core_cnt; two per cube core", "A"),
        "clock_mhz": Fact(
            "MHz",
            "ini cube_freq; dk add sample (1.85 GHz); msprof shows 1650 on a B4",
            "A",
            _B4_WEAK,
        ),
        "hbm_bytes": Fact("bytes", "ini memory_size", "A"),
        "l2_bytes": Fact("bytes", "ini l2_size; sim geometry 24 x 16384 x 512 B", "A"),
        "hbm_nominal_tbps": Fact(
            "TB/s",
            "dk data_copy and matmul samples (1.8), L2 guide (1.6), profiling guide (0.8)",
            "B",
            _OTHERS_WEAK,
        ),
        "hbm_read_tbps": Fact(
            "TB/s",
            "derived from dk data_copy, GM to UB, large tiles, L2 missed",
            "A",
            _CARRIED_OVER,
        ),
        "hbm_read_l1_tbps": Fact(
            "TB/s", "derived from dk data_copy, GM to L1 (ND2NZ), large tiles", "A", _CARRIED_OVER
        ),
        "hbm_read_write_tbps": Fact(
            "TB/s", "derived from dk add sample, 32 KiB copies, double buffer", "B", _CARRIED_OVER
        ),
        "l2_read_cube_bytes_per_cycle": Fact(
            "B/cycle/core",
            "derived from dk data_copy with 75 % hits: 110-115; ini l2_read_rate 110",
            "A",
        ),
        "l2_read_vector_bytes_per_cycle": Fact(
            "B/cycle/core", "derived from dk data_copy with 75 % hits: 67-70", "C"
        ),
        "l2_read_tbps": Fact("TB/s", "dk L2 guide: 5 to 5.2", "A", _CARRIED_OVER),
        "l2_read_write_tbps": Fact("TB/s", "dk L2 guide: about 7, mixed", "B", _CARRIED_OVER),
        "l2_line_bytes": Fact("bytes", "sim", "B"),
        "ub_bytes": Fact("bytes", "ini; dk architecture 2201", "A"),
        "l1_bytes": Fact("bytes", "ini; dk architecture 2201", "A"),
        "l0a_bytes": Fact("bytes", "ini; dk architecture 2201", "A"),
        "l0b_bytes": Fact("bytes", "ini; dk architecture 2201", "A"),
        "l0c_bytes": Fact("bytes", "ini; dk architecture 2201", "A"),
        "vector_repeat_bytes": Fact("bytes", "ini vec_calc_size: 128 fp16", "A"),
        "cube_fp16_macs_per_cycle": Fact("multiply-adds", "dk mmad tables: 16x16x16 a cycle", "A"),
        "cube_fp32_macs_per_cycle": Fact(
            "multiply-adds", "dk mmad tables: two cycles for k 8", "A"
        ),
        "launch_one_core_us": Fact("us", "derived from dk and msprof samples: 0.47 to 0.87", "A"),
        "launch_vector_us": Fact(
            "us", "derived from balanced dk samples: 2.5 to 12, median 7", "C"
        ),
        "launch_cube_us": Fact("us", "derived from balanced dk samples: 3.7 to 27, median 10", "C"),
        "launch_mix_us": Fact("us", "derived from dk fused samples: 9 to 19", "C"),
        "is_timed": Fact(
            "", "whether documented measurements of the part calibrate the clock", "A"
        ),
    }
)

# What is said of the 950 elsewhere than of the others. `compiler`: the target facts that
# bishengir-compile-a5 prints into each module.
_CARRIED_TO_950 = Fact("as for the others", "carried over from the 910B", "D")
FACTS_OF_950: Mapping[str, Fact] = MappingProxyType(
    {
        "cube_cores": Fact("cores", "compiler (32 cube cores); dk architecture 3510", "A"),
        "vector_cores": Fact("cores", "compiler (64 vector cores); dk architecture 3510", "A"),
        "clock_mhz": Fact("MHz", "ini; the vendor's performance model converts by 1650", "B"),
        "hbm_bytes": Fact("bytes", "ini memory_size", "B"),
        "l2_bytes": Fact("bytes", "ini l2_size", "B"),
        "hbm_nominal_tbps": Fact("TB/s", "dk data_copy and matmul samples", "B"),
        "hbm_read_tbps": Fact("TB/s", "derived from dk data_copy; above the nominal", "D"),
        "hbm_read_write_tbps": Fact("TB/s", "derived from dk add sample", "B"),
        "l2_read_tbps": Fact("TB/s", "derived from dk data_copy", "C"),
        "ub_bytes": Fact("bytes", "compiler (2031616 bits, 256 KiB less 8)", "A"),
        "l1_bytes": Fact("bytes", "compiler; dk architecture 3510", "A"),
        "l0a_bytes": Fact("bytes", "compiler; dk architecture 3510", "A"),
        "l0b_bytes": Fact("bytes", "compiler; dk architecture 3510", "A"),
        "l0c_bytes": Fact("bytes", "compiler (2097152 bits); dk architecture 3510", "A"),
        "vector_repeat_bytes": Fact("bytes", "dk: width of a vector register", "B"),
        "cube_fp16_macs_per_cycle": Fact("multiply-adds", "dk mmad tables", "B"),
        "cube_fp32_macs_per_cycle": Fact("multiply-adds", "dk mmad tables", "B"),
        "launch_one_core_us": Fact("us", "derived from dk samples: 0.8 to 1.0", "D"),
        "launch_vector_us": Fact("us", "derived from dk samples: 0.8 to 1.0", "D"),
        "launch_cube_us": Fact("us", "derived from dk samples: 0.8 to 1.0", "D"),
        "is_timed": Fact("", "no documented measurements of its vector code are at hand", "A"),
    }
)


def find_fact(field: str, part: str) -> Fact:
    """Where one number comes from."""
    if part == _PART_950.name:
        return FACTS_OF_950.get(field, _CARRIED_TO_950)
    return FACTS[field]


def confidence_of(field: str, part: str) -> str:
    """The confidence mark of one number."""
    fact = find_fact(field, part)
    return "D" if part in fact.weak_parts else fact.confidence


def get_soc(name: str) -> SocTable:
    """The table of `name`, spelled as the tool chain does ('Ascend910B1', 'Ascend910_9382') or bare.

    Raises UnknownSocError for any other name.
    """
    part = PARTS.get(name.removeprefix("Ascend"))
    if part is None:
        raise UnknownSocError(name, tuple(f"Ascend{known}" for known in PARTS))
    return part
