"""What a screen costs: `python benchmarks/screen_time.py [--runs N] [KERNEL ...]`.

Ten named regions at 64 KiB, 1 MiB and 16 MiB of input, drafted by the built-in drafter, screened in one warm worker.
Counted is the time from the request to the reply; the table shows medians in milliseconds, and the share of each gate
in the screen of 1 MiB.
"""

from __future__ import annotations

import argparse
import statistics
import time

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


def time_screens(pool, task, runs: int) -> tuple[float, dict[str, float]]:
    """Median milliseconds of a screen, and of each gate."""
    from npu_autokernel.agent.proposer import BuiltInProposer, ProposalContext
    from npu_autokernel.machine.soc import get_soc
    from npu_autokernel.verify.request import VerifyRequest

    context = ProposalContext(dict(task.hints), get_soc(SOC))
    candidate = BuiltInProposer().propose(task, "draft", context)
    screens, gates = [], []
    for seed in range(runs):
        started = time.perf_counter()
        reply = pool.verify(VerifyRequest(task, candidate, "screen", SOC, seed))
        screens.append(1e3 * (time.perf_counter() - started))
        assert reply.verdict.is_ok, reply.verdict.message
        gates.append(dict(reply.verdict.gate_times_s))
    shares = {gate: 1e3 * statistics.median(times[gate] for times in gates) for gate in gates[0]}
    return statistics.median(screens), shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    from npu_autokernel.verify.worker import VerifierPool

    kernels = list_kernels()
    medians: dict[str, list[float]] = {size: [] for size in SIZES}
    print(f"{'kernel':12}" + "".join(f"{size:>9}" for size in SIZES) + "   gates at 1 MiB, ms")
    with VerifierPool(1) as pool:
        time_screens(pool, make_task(*kernels["add"], 1 << 16), 1)
        for name in arguments.kernels or kernels:
            line, shares = f"{name:12}", {}
            for size, size_bytes in SIZES.items():
                task = make_task(*kernels[name], size_bytes)
                median_ms, gates = time_screens(pool, task, arguments.runs)
                medians[size].append(median_ms)
                line += f"{median_ms:9.0f}"
                shares = gates if size == "1 MiB" else shares
            print(line + "   " + " ".join(f"{gate} {ms:.0f}" for gate, ms in shares.items()))
    print(f"{'median':12}" + "".join(f"{statistics.median(medians[size]):9.0f}" for size in SIZES))
    slowest_ms = max(max(values) for values in medians.values())
    print(f"slowest {slowest_ms:.0f} ms, limit {LIMIT_MS:.0f} ms")


if __name__ == "__main__":
    main()
