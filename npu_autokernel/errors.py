"""Mistakes a user can make, one class each: what happened and what to do next.

Everything else that goes wrong is a value with a reason code (`reasons.py`); an exception that is not in this file
is a bug of ours.
"""

from __future__ import annotations


class AutokernelError(Exception):
    """Base of all user mistakes; `str()` is one line that says what happened and what to do."""


class UnknownOptionError(AutokernelError):
    """An option, environment variable or config key that does not exist."""

    def __init__(self, name: str, where: str, suggestion: str | None) -> None:
        hint = f" Did you mean {suggestion!r}?" if suggestion else ""
        super().__init__(f"Unknown option {name!r} in {where}.{hint}")


class BadOptionError(AutokernelError):
    """An option that exists, with a value it cannot take."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"Option {name!r} cannot be {value!r}; it takes {expected}.")


class ConfigFileError(AutokernelError):
    """A config file that cannot be read or is not TOML."""

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(
            f"Cannot read the config file {path}: {detail}. Correct it, or name another by "
            "NPU_AUTOKERNEL_CONFIG."
        )


class CacheMissError(AutokernelError):
    """A miss while NPU_AUTOKERNEL_ASSERT_CACHE_HIT=1 forbids misses."""

    def __init__(self, key: str, detail: str) -> None:
        super().__init__(
            f"No proven kernel in the store for key {key} ({detail}), and "
            "NPU_AUTOKERNEL_ASSERT_CACHE_HIT=1 forbids misses. Run `npu-autokernel prebuild` first, "
            "or `npu-autokernel cache show KEY --why` to see how it differs from its neighbours."
        )


class FactoryError(AutokernelError):
    """MODULE:FACTORY that cannot be imported, called, or that returns something else than asked."""

    def __init__(self, factory: str, detail: str) -> None:
        super().__init__(
            f"Cannot use factory {factory!r}: {detail}. It must be MODULE:FACTORY, a function of no "
            "arguments that returns (callable, args[, kwargs]) or an iterable of those."
        )


class UnknownSocError(AutokernelError):
    """A SoC name that no table describes."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"Unknown SoC {name!r}. Known: {', '.join(known)}.")


class CalibrationCaseError(AutokernelError):
    """A calibration case that cannot be read or that its kind does not take."""

    def __init__(self, where: str, detail: str) -> None:
        super().__init__(f"{where}: {detail}")
