"""The torch.compile backend: FX graph in, callable out.

In order of a compilation:

    entry            the function torch.compile finds by name
    backend          settings, AOTAutograd with our decompositions, the three compilers
    graph_compiler   one ATen graph: partition -> regions -> kernels -> one callable
    eager_reasons    which ops stay in eager whatever a drafter can do, and why
    partition        maximal groups of ops that are legal to fuse
    cutting          what one kernel can hold of a group, with task and key
    region_builder   a kernel for each piece, and a report
    region           a piece as a graph of its own
    session          what one process shares: store, worker pool, target, kernels at hand
    policy           which regions the user and the estimates let have a kernel
    kernel_shelf     the kernels at hand for one region, and what a miss does (synthesis)
    bind             the region's callable
    assemble         the graph again, with calls of kernels in it
    region_report    what happened to each region and op, as values
    dump, attempt_log, notice
                     files, debug lines and warnings
"""
