"""Factories for the commands: one region, and one that no kernel serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Workload = tuple[Callable[..., torch.Tensor], tuple[Any, ...]]


def scale_rows(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x * 2.0, -1)


def scale_rows_by_three(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x * 3.0, -1)


def multiply(x: torch.Tensor) -> torch.Tensor:
    return x @ x.T


def make_rows() -> Workload:
    return scale_rows, (torch.ones(16, 256),)


def make_other_rows() -> Workload:
    return scale_rows_by_three, (torch.ones(16, 256),)


def make_product() -> Workload:
    return multiply, (torch.ones(16, 256),)
