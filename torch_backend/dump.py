"""The dump folder: one sub-folder per region, with all that is needed to look at it later.

<dump>/<process id>/r<index>/
    summary.txt       what runs it, or why it stays in eager
    task.txt          the task, readable; task.json the same as data; key.json its proof key
    kernel.py         the kernel's source; candidate.json with launch plan and schedule
    verdict.json      the proof; measurement.json the estimate and its bounds
    launch-0.mlir     what the compiler made of each launch
    attempts/         each candidate that was tried in this process, named by its outcome
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from npu_autokernel.cache.canonical import pretty_json
from npu_autokernel.graph.render import render_task
from npu_autokernel.settings import Settings
from npu_autokernel.torch_backend.notice import warn_once
from npu_autokernel.torch_backend.region_report import RegionReport, describe_region

if TYPE_CHECKING:
    from npu_autokernel.agent.attempts import Attempt
    from npu_autokernel.cache import KernelRecord


def dump_region(
    settings: Settings, report: RegionReport, proof_key: Any, record: KernelRecord | None
) -> None:
    """Write the region's files if `settings.dump` names a folder."""
    files = {"summary.txt": describe_region(report) + "\n"}
    if report.task is not None:
        files["task.txt"] = render_task(report.task)
        files["task.json"] = pretty_json(report.task.to_json())
        files["key.json"] = pretty_json(proof_key)
    if record is not None:
        files |= _list_kernel_files(record)
    _write_files(settings, f"r{report.index}", files)


def dump_attempt(settings: Settings, index: int, ordinal: int, attempt: Attempt) -> None:
    """Write one candidate of region `index` and its verdict if `settings.dump` names a folder."""
    verdict = attempt.reply.verdict
    name = f"attempts/{ordinal:02}-{attempt.stage}-{verdict.reason}"
    files = {
        f"{name}.py": attempt.candidate.source,
        f"{name}.json": pretty_json(
            {"candidate": attempt.candidate.to_json(), "verdict": verdict.to_json()}
        ),
    }
    _write_files(settings, f"r{index}", files)


def _list_kernel_files(record: KernelRecord) -> dict[str, str]:
    from npu_autokernel.targets.artifacts import unpack_kernels

    files = {
        "kernel.py": record.candidate["source"],
        "candidate.json": pretty_json(record.candidate),
        "verdict.json": pretty_json(record.verdict),
        "measurement.json": pretty_json(record.measurement),
    }
    for number, kernel in enumerate(unpack_kernels(record.artifacts)):
        files[f"launch-{number}.mlir"] = kernel.text
    return files


def _write_files(settings: Settings, name: str, files: dict[str, str]) -> None:
    if not settings.dump:
        return
    folder = Path(settings.dump).expanduser() / str(os.getpid()) / name
    try:
        for file, text in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        warn_once(f"The dump folder {settings.dump} cannot be written: {error}")
