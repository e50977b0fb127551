"""The built-in drafter: KernelTask -> TileProgram -> Schedule -> source text and launch plan (a Candidate).

draft            the pipeline: lower each op, resolve the iteration space, check it, give a TileProgram
program          TileProgram: axes, loads, steps, stores; printable
expression       handles with which lowerings write arithmetic; `lowering` aligns and reduces dimensions
space            from dimensions of values to axes: unify, order, split, coalesce
ops              which lowering serves an op: pointwise, conversions, reduction, softmax, normalisation, losses
schedule         tile sizes, passes, moves; `start` picks the first one, `ub_budget` says what fits
triton_printer   program + schedule -> Triton source and launch plan
fusion           the partitioner's cheap oracle: which ops can share a kernel
"""
