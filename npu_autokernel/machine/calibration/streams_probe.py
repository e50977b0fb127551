"""Probes of single costs as streams: loops on the cube's pipes, scalar loops, handshakes, launches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from npu_autokernel.machine._native import GmTile, Stream
from npu_autokernel.machine.calibration.streams_vector import ELEMENT_BYTES

Blocks = list[list[Stream]]
CUBE_OPERATIONS = ("multiply", "load_l0a", "load_l0b", "matmul", "fixpipe")


def _issue_cube_operation(stream: Stream, params: Mapping[str, Any]) -> None:
    name, dtype = params["operation"], params["dtype"]
    m, k, n = params["m"], params["k"], params["n"]
    if name == "fixpipe":
        tile = GmTile()
        row_bytes = n * params["out_bytes"]
        tile.rows, tile.row_bytes, tile.row_stride = m, row_bytes, row_bytes
        stream.fixpipe(tile, params["out_bytes"])
    elif name in ("load_l0a", "load_l0b"):
        stream.load_l0(name == "load_l0a", dtype, m, k, n)
    elif name == "multiply":
        stream.multiply(dtype, m, k, n)
    else:
        stream.matmul(dtype, m, k, n)


def build_cube_loop(params: Mapping[str, Any]) -> Blocks:
    """`calls` times one step of a multiplication, on every core, without waiting for memory."""
    stream = Stream()
    if params["operation"] == "multiply":
        # One load tells the type of the operands.
        stream.load_l0(True, params["dtype"], 1, 32 // ELEMENT_BYTES[params["dtype"]], 1)
    stream.begin_loop(params["calls"])
    _issue_cube_operation(stream, params)
    stream.end_loop()
    return [[stream]] * params["cores"]


def build_scalar_loop(params: Mapping[str, Any]) -> Blocks:
    """Plain operations and element accesses of the scalar pipe, on every core."""
    stream = Stream()
    stream.begin_loop(params["calls"])
    stream.scalar(params["operations"])
    if params["accesses"]:
        stream.scalar_access(params["space"], params["accesses"])
    stream.end_loop()
    stream.barrier("all")
    return [[stream]] * params["cores"]


def build_handshake(params: Mapping[str, Any]) -> Blocks:
    """Cube and vector cores raise flags to each other and do nothing else."""
    cube, vector = Stream(), Stream()
    for stream, set_pipe, wait_pipe in ((cube, "fixpipe", "mte2"), (vector, "mte3", "mte2")):
        stream.begin_loop(params["calls"])
        for step in ("set", "wait") if stream is cube else ("wait", "set"):
            if step == "set":
                # A cross-core flag follows what its pipe has done: here, the wait.
                stream.set_flag("mte2", set_pipe)
                stream.wait_flag("mte2", set_pipe)
                stream.cross_set(set_pipe, 0)
            else:
                stream.cross_wait(wait_pipe, 0)
        stream.end_loop()
    return [[cube] + [vector] * params["vector_cores"]] * params["cores"]


def build_empty(params: Mapping[str, Any]) -> Blocks:
    """A kernel that returns at once."""
    sub_cores = 3 if params["use"] == "mix" else 1
    stream = Stream()
    stream.barrier("all")
    return [[stream] * sub_cores] * params["cores"]
