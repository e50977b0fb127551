"""What the verifier knows so far, handed from gate to gate, and the two ways a gate can end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Union

import torch

from npu_autokernel.compiled_kernel import CompiledKernel
from npu_autokernel.measurement import Measurement
from npu_autokernel.reasons import Refusal
from npu_autokernel.targets.machine_target import PreparedKernel
from npu_autokernel.verdict import Mismatch
from npu_autokernel.verify.cases import Case
from npu_autokernel.verify.data import PoisonedOutput
from npu_autokernel.verify.request import VerifyRequest


@dataclass(frozen=True)
class CaseRun:
    """One case after the machine ran it: pristine inputs, inputs as the kernel left them, outputs per poison."""

    case: Case
    pristine: tuple[torch.Tensor, ...]
    inputs: tuple[torch.Tensor, ...]
    outputs: tuple[tuple[PoisonedOutput, ...], ...]


@dataclass(frozen=True)
class Tally:
    """How much the match gate compared: cases, whether one of them would refuse zeros, elements left out.

    `shapes` are the symbols' values of the cases, the asked shape (scaled when it is large) first. `max_error` is
    over the cases with normal values.
    """

    cases: int = 0
    shapes: tuple[tuple[int, ...], ...] = ()
    is_informative: bool = False
    skipped: int = 0
    left_out_share: float = 0.0
    max_error: float = 0.0


@dataclass(frozen=True)
class Progress:
    """Everything established so far about one request."""

    request: VerifyRequest
    kernels: tuple[CompiledKernel, ...] = ()
    prepared: PreparedKernel | None = None
    run: CaseRun | None = None
    tally: Tally = field(default_factory=Tally)
    measurement: Measurement | None = None


@dataclass(frozen=True)
class Failure:
    """A gate's refusal, with what only that gate can show."""

    refusal: Refusal
    mismatches: tuple[Mismatch, ...] = ()
    measurement: Measurement | None = None


Gate = Callable[[Progress], Union[Progress, Failure]]
