"""A task as people see it."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from npu_autokernel.graph.render import render_task
from tests.graph.tracing import build


def _normalise(x: torch.Tensor, w: torch.Tensor, k: Any) -> tuple[torch.Tensor, torch.Tensor]:
    rows = functional.layer_norm((x * k).half(), (x.shape[-1],), w)
    return rows.t() + x.shape[0], torch.where(rows > 0.5, rows, 0.0).sum(-1, keepdim=True)


def test_task_text(check_golden: Any) -> None:
    weight = torch.randn(16, dtype=torch.float16)[::2]
    task = build(_normalise, torch.randn(4, 8), weight, 3, mode="symbolic")
    check_golden("graph/task.txt", render_task(task))


def test_task_without_symbols(check_golden: Any) -> None:
    task = build(lambda x, y: torch.clamp(x - y, max=1.0), torch.ones(1), torch.tensor(2.0))
    check_golden("graph/task_without_symbols.txt", render_task(task))
