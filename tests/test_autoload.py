"""The switch NPU_AUTOKERNEL: what an unnamed torch.compile uses, and that `import torch` stays whole."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from npu_autokernel import autoload

PRINT_DEFAULT = "print(torch.compile.__kwdefaults__['backend'])"
HEAVY = "torch._dynamo.backends.registry", "npu_autokernel.torch_backend", "triton", "click"


def run_python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )


def run_hook(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `code` after torch and the hook, whether or not entry points are installed."""
    prologue = "import torch; from npu_autokernel.autoload import _autoload; _autoload();"
    return run_python(f"{prologue}\n{code}", **variables)


@pytest.mark.parametrize("word", ["1", "true", "ON"])
def test_the_switch_makes_us_the_default_backend(word: str) -> None:
    assert run_hook(PRINT_DEFAULT, NPU_AUTOKERNEL=word).stdout.strip() == "npu_autokernel"


@pytest.mark.parametrize("word", ["0", "", "no", "nonsense"])
def test_without_the_switch_nothing_changes(word: str) -> None:
    plain = run_python(f"import torch; {PRINT_DEFAULT}", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert run_hook(PRINT_DEFAULT, NPU_AUTOKERNEL=word).stdout == plain.stdout


def test_a_backend_that_is_named_still_wins() -> None:
    code = """
seen = []
def mine(gm, inputs):
    seen.append(True)
    return gm
assert torch.compile(torch.sin, backend=mine)(torch.ones(3)).shape == (3,)
print(seen)
"""
    assert run_hook(code, NPU_AUTOKERNEL="1").stdout.strip() == "[True]"


def test_the_hook_imports_nothing_heavy() -> None:
    code = f"import sys; print([name for name in {HEAVY} if name in sys.modules])"
    assert run_hook(code, NPU_AUTOKERNEL="1").stdout.strip() == "[]"


def test_an_error_of_the_hook_is_a_warning_and_never_an_exception(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    monkeypatch.setenv("NPU_AUTOKERNEL", "1")
    monkeypatch.setattr(torch, "compile", lambda model: model)
    autoload._autoload()
    assert 'torch.compile(model, backend="npu_autokernel")' in caplog.text
