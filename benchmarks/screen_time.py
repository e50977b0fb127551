"""What a screen costs: `python benchmarks/screen_time.py [--runs N] [KERNEL ...]`.

Ten named regions at 64 KiB, 1 MiB and 16 MiB of input, drafted by the built-in drafter, screened in one warm worker.
Counted is the time from the request to the reply, and in brackets the processor time of the child that serves it,
which a busy host does not change; medians in milliseconds. At the end of a line are the gates of the 1 MiB screen.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

LIMIT_MS = 500.0
SIZES = {"64 KiB": 1 << 16, "1 MiB": 1 << 20, "16 MiB": 1 << 24}
COLUMNS = 1024
SOC = "Ascend910B1"


def list_kernels():
    """Name -> (function, how many vectors of COLUMNS elements it takes beside the matrix)."""
    import torch
    import torch.nn.functional as functional

    return {
        "add": (lambda x: x + x, 0),
        "bias_relu": (lambda x, bias: torch.relu(x + bias), 1),
        "gelu": (lambda x: functional.gelu(x), 0),
        "silu_mul": (lambda x: functional.silu(x) * x, 0),
        "softmax": (lambda x: torch.softmax(x, -1), 0),
        "log_softmax": (lambda x: torch.log_softmax(x, -1), 0),
        "layer_norm": (lambda x, w, b: functional.layer_norm(x, (COLUMNS,), w, b), 2),
        "rms_norm": (lambda x, w: x * torch.rsqrt(x.square().mean(-1, True) + 1e-6) * w, 1),
        "row_sum": (lambda x: x.sum(-1), 0),
        "column_max": (lambda x: x.amax(0), 0),
    }


def make_task(function, vectors: int, size_bytes: int):
    """The task of a region over a float32 matrix of `size_bytes`."""
    import torch
    from torch.func import functionalize
    from torch.fx.experimental.proxy_tensor import make_fx

    from npu_autokernel.graph.region import build_task

    matrix = torch.empty(size_bytes // 4 // COLUMNS, COLUMNS)
    inputs = (matrix, *(torch.empty(COLUMNS) for _ in range(vectors)))
    return build_task(make_fx(functionalize(function), tracing_mode="fake")(*inputs))


def read_children_ms(pid: int) -> float:
    """Processor time of the children that a process has waited for, and of theirs."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1e3 * (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def time_screens(pool, task, runs: int) -> tuple[float, float, dict[str, float]]:
    """Milliseconds of a screen (median, and mean of processor time), and median of each gate."""
    from npu_autokernel.agent.proposer import BuiltInProposer, ProposalContext
    from npu_autokernel.machine.soc import get_soc
    from npu_autokernel.verify.request import VerifyRequest

    context = ProposalContext(dict(task.hints), get_soc(SOC))
    candidate = BuiltInProposer().propose(task, "draft", context)
    screens, gates = [], []
    pool.verify(VerifyRequest(task, candidate, "screen", SOC))
    before_ms = read_children_ms(pool.process_ids[0])
    for seed in range(runs):
        started = time.perf_counter()
        reply = pool.verify(VerifyRequest(task, candidate, "screen", SOC, seed))
        screens.append(1e3 * (time.perf_counter() - started))
        assert reply.verdict.is_ok, reply.verdict.message
        gates.append(dict(reply.verdict.gate_times_s))
    shares = {gate: 1e3 * statistics.median(times[gate] for times in gates) for gate in gates[0]}
    processor_ms = (read_children_ms(pool.process_ids[0]) - before_ms) / runs
    return statistics.median(screens), processor_ms, shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    from npu_autokernel.verify.worker import VerifierPool

    kernels = list_kernels()
    medians: dict[str, list[tuple[float, float]]] = {size: [] for size in SIZES}
    print(f"{'kernel':12}" + "".join(f"{size:>13}" for size in SIZES) + "   gates at 1 MiB, ms")
    with VerifierPool(1) as pool:
        for name in arguments.kernels or kernels:
            line, shares = f"{name:12}", {}
            for size, size_bytes in SIZES.items():
                task = make_task(*kernels[name], size_bytes)
                wall_ms, processor_ms, gates = time_screens(pool, task, arguments.runs)
                medians[size].append((wall_ms, processor_ms))
                line += format_times(wall_ms, processor_ms)
                shares = gates if size == "1 MiB" else shares
            print(line + "   " + " ".join(f"{gate} {ms:.0f}" for gate, ms in shares.items()))
    columns = [
        [statistics.median(column) for column in zip(*times, strict=True)]
        for times in medians.values()
    ]
    print(f"{'median':12}" + "".join(format_times(*column) for column in columns))
    pairs = [pair for times in medians.values() for pair in times]
    slowest = [max(column) for column in zip(*pairs, strict=True)]
    print(f"slowest {format_times(*slowest).strip()} ms, limit {LIMIT_MS:.0f} ms")


def format_times(wall_ms: float, processor_ms: float) -> str:
    return f"{f'{wall_ms:.0f} ({processor_ms:.0f})':>13}"


if __name__ == "__main__":
    main()
