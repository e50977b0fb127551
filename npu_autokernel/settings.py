"""Settings: what a user can choose, from four sources, the first that speaks wins.

    torch.compile(options={...})  >  environment NPU_AUTOKERNEL_*  >  config file  >  default

The environment names a setting in capitals (`NPU_AUTOKERNEL_MODE=cached`); `enabled` is the bare
`NPU_AUTOKERNEL=0`. The config file is the TOML file that `NPU_AUTOKERNEL_CONFIG` names, else
`npu_autokernel/config.toml` in the user's configuration folder, if there is one. The working
directory is never searched: whoever owns it must not choose the store from which kernels run.

The dataclass is the table: each field carries its help and how its text is read.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from npu_autokernel.errors import BadOptionError, ConfigFileError, UnknownOptionError

PREFIX = "NPU_AUTOKERNEL"
CONFIG_VARIABLE = f"{PREFIX}_CONFIG"
NO_END = 1 << 31
DEFAULT_SOC = "Ascend910B1"

# Variables with our prefix that are no settings: the config file, and the language model's endpoint.
SET_UP_VARIABLE = f"{PREFIX}_TORCH_INDEX"  # read by tools/set_up.sh alone
OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, SET_UP_VARIABLE})
OTHER_PREFIXES = (f"{PREFIX}_LLM_",)

IndexRange = tuple[int, int]


@dataclass(frozen=True)
class _Kind:
    """How a value is read: what it takes, in words, and the function that reads it or raises."""

    expected: str
    read: Callable[[Any], Any]


def _read_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"1": True, "true": True, "yes": True, "on": True}
    words |= {"0": False, "false": False, "no": False, "off": False, "": False}
    return words[str(value).strip().lower()]


def _read_text(value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError
    return os.fspath(value)


def _read_names(value: Any) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value
    return tuple(_read_text(item).strip() for item in items if _read_text(item).strip())


def _read_pins(value: Any) -> tuple[tuple[str, str], ...]:
    if isinstance(value, Mapping):
        return tuple((_read_text(name), _read_text(digest)) for name, digest in value.items())
    pairs = [tuple(text.split("=")) for text in _read_names(value)]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        raise ValueError
    return tuple((selector.strip(), digest.strip()) for selector, digest in pairs)


def _read_ranges(value: Any) -> tuple[IndexRange, ...]:
    if isinstance(value, int) and not isinstance(value, bool):
        return ((value, value + 1),)
    items = value.split(",") if isinstance(value, str) else value
    return tuple(_read_range(item) for item in items if item != "")


def _read_range(item: Any) -> IndexRange:
    if isinstance(item, (tuple, list)):
        start, stop = item
        return int(start), int(stop)
    start, colon, stop = str(item).strip().partition(":")
    if not colon:
        return int(start), int(start) + 1
    return int(start or 0), int(stop or NO_END)


def _choice(*words: str) -> _Kind:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return _Kind(f"one of {', '.join(words)}", read)


def _integer(least: int, most: int) -> _Kind:
    def read(value: Any) -> int:
        if isinstance(value, (bool, float)) or not least <= int(value) <= most:
            raise ValueError
        return int(value)

    return _Kind(f"a whole number from {least} to {most}", read)


def _positive_number() -> _Kind:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not 0 < float(value) < float("inf"):
            raise ValueError
        return float(value)

    return _Kind("a number above 0", read)


def _read_soc(value: Any) -> str:
    # The tables are loaded only for a chip that needs to be looked up.
    if value != DEFAULT_SOC:
        import_module("npu_autokernel.machine.soc").get_soc(_read_text(value))
    return str(value)


_BOOL = _Kind("0 or 1", _read_bool)
_TEXT = _Kind("a text", _read_text)
_SOC = _Kind("the name of a chip, such as Ascend910B2", _read_soc)
_NAMES = _Kind("a list of region names, ops or keys, separated by commas", _read_names)
_PINS = _Kind("a list of SELECTOR=CANDIDATE_DIGEST, separated by commas", _read_pins)
_RANGES = _Kind("region numbers and ranges, such as 0:12 or 3,7", _read_ranges)


def _setting(default: Any, kind: _Kind, help_text: str) -> Any:
    return field(default=default, metadata={"kind": kind, "help": help_text})


@dataclass(frozen=True)
class Settings:
    """All choices, resolved. Build one with `load_settings`."""

    enabled: bool = _setting(
        True, _BOOL, "0 makes the backend a pass-through: the graph runs in eager, untouched."
    )
    mode: str = _setting(
        "sync",
        _choice("sync", "cached"),
        "On a miss, `sync` writes and proves a kernel now; `cached` never does, the region runs in eager.",
    )
    policy: str = _setting(
        "auto",
        _choice("auto", "all"),
        "`auto` drops a kernel whose estimate is more than 5 % above expert eager's; `all` keeps every one.",
    )
    store: str = _setting(
        "",
        _TEXT,
        "Folder of the kernel store; empty means npu_autokernel/store in the user's cache folder.",
    )
    soc: str = _setting(DEFAULT_SOC, _SOC, "The chip kernels are written, proven and timed for.")
    target: str = _setting(
        "machine", _choice("machine"), "Where kernels run: the simulated chip, on CPU tensors."
    )
    budget_screens: int = _setting(
        12, _integer(1, 100_000), "How many candidates may be screened for one kernel."
    )
    budget_seconds: float = _setting(
        60.0, _positive_number(), "How long the synthesis of one kernel may take, in seconds."
    )
    workers: int = _setting(
        2,
        _integer(1, 256),
        "How many worker processes verify candidates; they start at the first miss.",
    )
    regions: tuple[IndexRange, ...] = _setting(
        (),
        _RANGES,
        "Only these regions may have kernels, by their number in order of compilation; to bisect.",
    )
    force: tuple[str, ...] = _setting(
        (), _NAMES, "Regions that keep their kernel whatever the policy says."
    )
    ban: tuple[str, ...] = _setting(
        (), _NAMES, "Ops that enter no region, and regions that run in eager."
    )
    pin: tuple[tuple[str, str], ...] = _setting(
        (),
        _PINS,
        "Regions that take one stored kernel, named by the start of its candidate digest.",
    )
    debug: int = _setting(
        0,
        _integer(0, 4),
        "Log more: 1 decisions, 2 gate times, 3 sources, 4 intermediate code and prompts.",
    )
    dump: str = _setting(
        "", _TEXT, "Folder that receives one sub-folder per region; empty means none."
    )
    assert_cache_hit: bool = _setting(
        False, _BOOL, "1 raises CacheMissError where the store has no kernel for a region."
    )


@dataclass(frozen=True)
class SettingInfo:
    """One row for people: name, environment variable, default, what it takes, what it does."""

    name: str
    variable: str
    default: Any
    expected: str
    help: str


def list_settings() -> tuple[SettingInfo, ...]:
    """Every setting, in the order of the dataclass."""
    return tuple(
        SettingInfo(
            item.name,
            _variable_of(item.name),
            item.default,
            item.metadata["kind"].expected,
            item.metadata["help"],
        )
        for item in fields(Settings)
    )


def load_settings(
    options: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    config_file: Path | None = None,
) -> Settings:
    """Settings from `options`, then `environ` (the process's, if None), then the config file.

    Raises UnknownOptionError for a name that does not exist (with the nearest one that does),
    BadOptionError for a value a setting cannot take, UnknownSocError for a chip that no table
    describes, ConfigFileError for an unreadable file.
    """
    environ = os.environ if environ is None else environ
    path = find_config_file(environ) if config_file is None else config_file
    values = _read_file(path) if path else {}
    values |= _read_environment(environ)
    values |= _read_mapping(options or {}, "torch.compile(options=...)")
    return Settings(**values)


def find_config_file(environ: Mapping[str, str]) -> Path | None:
    """The config file that applies: the one named, else the user's own if it exists."""
    named = environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named)
    home = environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    path = Path(home, "npu_autokernel", "config.toml")
    return path if path.is_file() else None


def default_store_path(environ: Mapping[str, str] | None = None) -> Path:
    """The store's folder when no setting names one: `npu_autokernel/store` in the cache folder."""
    environ = os.environ if environ is None else environ
    home = environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home, "npu_autokernel", "store")


def _read_file(path: Path) -> dict[str, Any]:
    try:
        stamp = path.stat().st_mtime_ns
        document = _parse_toml(path, stamp)
    except (OSError, ValueError) as error:
        raise ConfigFileError(str(path), str(error)) from error
    return _read_mapping(document, str(path))


@lru_cache(maxsize=8)
def _parse_toml(path: Path, stamp: int) -> dict[str, Any]:
    """The document of `path` as it was at `stamp`; raises OSError or ValueError."""
    reader = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    document: dict[str, Any] = reader.loads(path.read_text(encoding="utf-8"))
    return document


def _read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    names = {_variable_of(item.name): item.name for item in fields(Settings)}
    ours = {name: text for name, text in environ.items() if _is_setting_variable(name)}
    for variable in ours:
        if variable not in names:
            raise UnknownOptionError(variable, "the environment", _nearest(variable, names))
    return {
        names[variable]: _read_value(variable, names[variable], ours[variable]) for variable in ours
    }


def _read_mapping(document: Mapping[str, Any], where: str) -> dict[str, Any]:
    known = [item.name for item in fields(Settings)]
    for name in document:
        if name not in known:
            raise UnknownOptionError(name, where, _nearest(name, known))
    return {name: _read_value(name, name, value) for name, value in document.items()}


def _read_value(shown_name: str, name: str, value: Any) -> Any:
    kind: _Kind = Settings.__dataclass_fields__[name].metadata["kind"]
    try:
        return kind.read(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadOptionError(shown_name, value, kind.expected) from None


def _variable_of(name: str) -> str:
    return PREFIX if name == "enabled" else f"{PREFIX}_{name.upper()}"


def _is_setting_variable(name: str) -> bool:
    if name in OTHER_VARIABLES or name.startswith(OTHER_PREFIXES):
        return False
    return name == PREFIX or name.startswith(f"{PREFIX}_")


def _nearest(name: str, known: Iterable[str]) -> str | None:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return close[0] if close else None
