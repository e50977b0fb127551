"""The built-in drafter: KernelTask -> TileProgram -> Schedule -> source text and launch plan (a Candidate).

draft        the pipeline: lower each op, resolve the iteration space, check it, give a TileProgram
program      TileProgram: axes, loads, steps, stores; printable
expression   handles with which lowerings write arithmetic
space        from dimensions of values to axes: unify, order, split, coalesce
pointwise, reduction, softmax, normalisation
             what each ATen op means, one family per file
schedule     tile sizes, passes, moves
triton_printer
             program + schedule -> Triton source and launch plan
fusion       the partitioner's cheap oracle: which ops can share a kernel
"""
