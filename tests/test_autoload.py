"""The switch NPU_AUTOKERNEL: what an unnamed torch.compile uses, and that `import torch` stays whole."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from npu_autokernel import autoload

PRINT = "print(torch.compile.__kwdefaults__['backend'])"
HEAVY = "torch._dynamo.backends.registry", "npu_autokernel.torch_backend", "triton", "click"


def run_hook(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh process after torch, with the hook at hand and none run by torch."""
    prologue = "import torch; from npu_autokernel.autoload import _autoload"
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0", **variables}
    command = [sys.executable, "-c", f"{prologue}\n{code}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@pytest.mark.parametrize(
    ("word", "is_on"),
    [("1", True), ("true", True), (" ON ", True), ("0", False), ("", False), ("nonsense", False)],
)
def test_a_few_words_turn_the_switch_on(
    monkeypatch: pytest.MonkeyPatch, word: str, is_on: bool
) -> None:
    monkeypatch.setenv("NPU_AUTOKERNEL", word)
    assert autoload.is_switched_on() is is_on


def test_without_the_switch_nothing_changes() -> None:
    code = f"before = torch.compile.__kwdefaults__['backend']; _autoload(); print(before); {PRINT}"
    before, after = run_hook(code, NPU_AUTOKERNEL="0").stdout.splitlines()
    assert before == after != "npu_autokernel"


def test_the_switch_makes_us_the_default_and_imports_nothing_heavy() -> None:
    code = f"_autoload(); {PRINT}; import sys; print([name for name in {HEAVY} if name in sys.modules])"
    output = run_hook(code, NPU_AUTOKERNEL="1").stdout.splitlines()
    assert output == ["npu_autokernel", "[]"]


def test_a_backend_that_is_named_still_wins() -> None:
    code = """
_autoload()
seen = []
def mine(gm, inputs):
    seen.append(True)
    return gm
assert torch.compile(torch.sin, backend=mine)(torch.ones(3)).shape == (3,)
print(seen)
"""
    assert run_hook(code, NPU_AUTOKERNEL="1").stdout.strip() == "[True]"


def test_an_error_of_the_hook_is_a_warning_and_never_an_exception(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    monkeypatch.setenv("NPU_AUTOKERNEL", "1")
    monkeypatch.setattr(torch, "compile", lambda model: model)
    autoload._autoload()
    assert 'torch.compile(model, backend="npu_autokernel")' in caplog.text
