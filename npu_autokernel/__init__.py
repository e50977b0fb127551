"""npu_autokernel: a torch.compile backend that writes, proves and keeps kernels for Ascend NPUs.

The engine, floor by floor from the ground:

    cache              the store on disk                      (knows no torch)
    graph, machine     FX region -> KernelTask; the simulated chip
    candidate          what a proposer hands to the verifier
    tile, toolchain    the built-in drafter; the Ascend compiler
    targets            where a proven kernel runs
    verify, knowledge  the gates; the seed memory
    agent              drafting and refining episodes
    torch_backend, cli what people touch
"""

__version__ = "0.1.0"
