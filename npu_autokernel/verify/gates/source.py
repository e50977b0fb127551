"""Gate `source`: the candidate's text and launch plan, before anything is imported."""

from __future__ import annotations

from npu_autokernel.reasons import Refusal
from npu_autokernel.verify.gates.launch_plan import check_plan
from npu_autokernel.verify.gates.source_text import outline_source
from npu_autokernel.verify.progress import Failure, Progress


def check_source(progress: Progress) -> Progress | Failure:
    """Refuse source outside the vocabulary and plans that do not fit the task."""
    candidate = progress.request.candidate
    outline = outline_source(candidate.source)
    if isinstance(outline, Refusal):
        return Failure(outline)
    mistake = check_plan(candidate, progress.request.task, outline)
    return progress if mistake is None else Failure(mistake)
