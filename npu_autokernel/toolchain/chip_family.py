"""What a chip's family asks of the tool chain: its compiler, that compiler's flags, and the front end's options.

Chips up to 910_93 compute on memory: a vector instruction names ranges of UB. The 950 computes on registers, and has
a compiler of its own, which outlines vector code into functions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ChipFamily:
    """`first_try_flags` are dropped for a second try when on-chip memory overflows."""

    compiler_name: str
    front_end_options: tuple[tuple[str, bool], ...] = ()
    first_try_flags: tuple[str, ...] = ()


MEMORY_FAMILY = ChipFamily("bishengir-compile")
# Without its last step this compiler takes every failure for an overflow and compiles five times, to the same text;
# in tuning mode it compiles once, and does not give up optimisations for space.
REGISTER_FAMILY = ChipFamily(
    "bishengir-compile-a5",
    front_end_options=(("compile_on_910_95", True), ("enable_select_analysis", True)),
    first_try_flags=("--enable-tuning-mode=true",),
)


def find_family(soc_name: str) -> ChipFamily:
    """The family of `soc_name`, spelled as the tool chain does ('Ascend910B1', 'Ascend950PR_9589') or bare."""
    is_950 = soc_name.removeprefix("Ascend").startswith("950")
    return REGISTER_FAMILY if is_950 else MEMORY_FAMILY
