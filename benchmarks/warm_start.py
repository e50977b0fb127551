"""What a warm start costs: `python benchmarks/warm_start.py [--model mlp|encoder|minilm]`.

A fresh process compiles a model and calls it twice. Counted is the time from `torch.compile` to
the end of the first call, less a steady call: torch's tracing, our look-ups and decoding, no
work. The store is filled once before; then plain `aot_eager` and ours take turns in fresh
processes, and the medians of `--runs` are compared with the limit of 1.5 times.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 1.5
BACKENDS = ("aot_eager", "npu_autokernel")


def make_mlp():
    import torch

    torch.manual_seed(0)
    layers = [torch.nn.Linear(64, 64), torch.nn.GELU(), torch.nn.LayerNorm(64)]
    return torch.nn.Sequential(*layers, torch.nn.Softmax(-1)).eval(), (torch.randn(16, 64),)


def make_encoder():
    import torch

    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(96, 4, 192, activation="gelu", batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 6, enable_nested_tensor=False)
    return model.train().requires_grad_(False), (torch.randn(2, 24, 96),)


def make_minilm():
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        attn_implementation="eager",
    )
    return BertModel(config).eval(), (torch.randint(0, 30000, (1, 16)),)


MODELS = {"mlp": make_mlp, "encoder": make_encoder, "minilm": make_minilm}


def measure_start(model_name: str, backend: str) -> tuple[float, int]:
    """Seconds that compilation adds to the first call in this process, and kernels in use."""
    import torch

    model, inputs = MODELS[model_name]()
    with torch.no_grad():
        model(*inputs)
        start = time.perf_counter()
        compiled = torch.compile(model, backend=find_backend(backend))
        compiled(*inputs)
        first_s = time.perf_counter() - start
        steady_s = statistics.median(time_call(compiled, inputs) for _ in range(5))
    return first_s - steady_s, count_kernels()


def find_backend(name: str):
    """By name where torch knows it; ours as a function, so no installed entry point is needed."""
    if name != "npu_autokernel":
        return name
    from npu_autokernel.torch_backend.entry import npu_autokernel

    return npu_autokernel


def count_kernels() -> int:
    module = sys.modules.get("npu_autokernel.torch_backend.region_report")
    report = module.last_report() if module else None
    return report.kernel_count if report else 0


def time_call(function, inputs) -> float:
    start = time.perf_counter()
    function(*inputs)
    return time.perf_counter() - start


def run_process(model: str, backend: str, store: str, mode: str) -> tuple[float, int]:
    """`measure_start` in a fresh process."""
    variables = {
        "NPU_AUTOKERNEL_STORE": store,
        "NPU_AUTOKERNEL_MODE": mode,
        "NPU_AUTOKERNEL_POLICY": "all",
    }
    command = [sys.executable, __file__, "--model", model, "--measure", backend]
    environment = {**os.environ, **variables}
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds, kernels = output.stdout.split()[-2:]
    return float(seconds), int(kernels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=MODELS, default="minilm")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--store", help="a store to keep; by default one that is thrown away")
    parser.add_argument("--measure", choices=BACKENDS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(*measure_start(options.model, options.measure))
        return
    with tempfile.TemporaryDirectory() as folder:
        compare_starts(options.model, options.store or os.path.join(folder, "store"), options.runs)


def compare_starts(model: str, store: str, runs: int) -> None:
    cold_s, _ = run_process(model, "npu_autokernel", store, "sync")
    print(f"cold start, store filled: {cold_s:.2f} s")
    seconds: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
    kernels = 0
    for _ in range(runs):
        for backend in BACKENDS:
            taken_s, kernels = run_process(model, backend, store, "cached")
            seconds[backend].append(taken_s)
    plain_s, ours_s = (statistics.median(seconds[backend]) for backend in BACKENDS)
    ratio = ours_s / plain_s
    print(f"aot_eager {plain_s:.3f} s, npu_autokernel {ours_s:.3f} s with {kernels} kernels")
    print(f"ratio {ratio:.2f} of {LIMIT}  {'ok' if ratio <= LIMIT else 'TOO SLOW'}")


if __name__ == "__main__":
    main()
