"""Settings: precedence of the sources, what each value may be, and what a typo says."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_autokernel.errors import (
    BadOptionError,
    ConfigFileError,
    UnknownOptionError,
    UnknownSocError,
)
from npu_autokernel.settings import (
    NO_END,
    Settings,
    default_store_path,
    find_config_file,
    list_settings,
    load_settings,
)


def test_no_source_gives_the_defaults() -> None:
    assert load_settings({}, {}) == Settings()


def test_options_win_over_environment_over_file_over_default(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('mode = "cached"\nworkers = 3\npolicy = "all"\n')
    environ = {"NPU_AUTOKERNEL_WORKERS": "4", "NPU_AUTOKERNEL_POLICY": "auto"}
    settings = load_settings({"policy": "all"}, environ, file)
    assert (settings.mode, settings.workers, settings.policy) == ("cached", 4, "all")
    assert settings.debug == 0


def test_the_bare_variable_switches_the_backend() -> None:
    assert not load_settings({}, {"NPU_AUTOKERNEL": "0"}).enabled
    assert load_settings({}, {"NPU_AUTOKERNEL": "1"}).enabled


@pytest.mark.parametrize(
    ("options", "environ", "near"),
    [
        ({"polcy": "all"}, {}, "'policy'"),
        ({}, {"NPU_AUTOKERNEL_STOER": "/tmp"}, "'NPU_AUTOKERNEL_STORE'"),
        ({"NPU_AUTOKERNEL_MODE": "sync"}, {}, None),
    ],
)
def test_an_unknown_name_is_an_error_that_suggests_the_nearest(options, environ, near) -> None:
    with pytest.raises(UnknownOptionError) as caught:
        load_settings(options, environ)
    assert near is None or f"Did you mean {near}?" in str(caught.value)


def test_an_unknown_key_of_the_file_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('mdoe = "cached"\n')
    with pytest.raises(UnknownOptionError, match=r"c\.toml.*'mode'"):
        load_settings({}, {}, file)


@pytest.mark.parametrize("text", ["mode = cached", "mode = 'sync'\nmode = 'sync'"])
def test_a_file_that_is_no_toml_is_an_error_with_its_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigFileError, match=r"config\.toml"):
        load_settings({}, {}, file)


def test_a_named_file_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigFileError):
        load_settings({}, {"NPU_AUTOKERNEL_CONFIG": str(tmp_path / "none.toml")})


def test_the_users_own_file_is_found_and_the_working_folder_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "npu_autokernel.toml").write_text("workers = 9")
    (tmp_path / "config.toml").write_text("workers = 9")
    monkeypatch.chdir(tmp_path)
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "home")}
    assert find_config_file(environ) is None
    own = tmp_path / "home" / "npu_autokernel" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("workers = 2")
    assert load_settings({}, environ).workers == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mode", "background"),
        ("policy", "some"),
        ("workers", 0),
        ("workers", "many"),
        ("workers", True),
        ("debug", 5),
        ("budget_seconds", float("nan")),
        ("budget_seconds", -1),
        ("enabled", "perhaps"),
        ("store", 3),
        ("regions", "a:b"),
        ("regions", "1:2:3"),
        ("pin", "gelu"),
        ("force", 3),
    ],
)
def test_a_value_a_setting_cannot_take_says_what_it_takes(name: str, value: object) -> None:
    with pytest.raises(BadOptionError, match=name) as caught:
        load_settings({name: value}, {})
    expected = {row.name: row.expected for row in list_settings()}[name]
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("0:12", ((0, 12),)),
        ("3,7", ((3, 4), (7, 8))),
        (":2,5:", ((0, 2), (5, NO_END))),
        (4, ((4, 5),)),
        ([[1, 3]], ((1, 3),)),
        ("", ()),
    ],
)
def test_regions_are_numbers_and_ranges(text: object, ranges: tuple[tuple[int, int], ...]) -> None:
    assert load_settings({"regions": text}, {}).regions == ranges


def test_lists_come_as_text_or_as_lists() -> None:
    settings = load_settings({"ban": ["gelu", "mul"], "force": "r1, r2"}, {})
    assert (settings.ban, settings.force) == (("gelu", "mul"), ("r1", "r2"))
    pins = load_settings({"pin": {"r1": "ab12"}}, {"NPU_AUTOKERNEL_BAN": "add"})
    assert (pins.pin, pins.ban) == ((("r1", "ab12"),), ("add",))
    assert load_settings({"pin": "r1=ab, r2=cd"}, {}).pin == (("r1", "ab"), ("r2", "cd"))


def test_other_variables_with_our_prefix_are_not_taken_for_settings() -> None:
    assert load_settings({}, {"NPU_AUTOKERNEL_LLM_MODEL": "m", "PATH": "x"}) == Settings()


def test_every_setting_has_a_help_text_a_variable_and_a_default_it_can_take() -> None:
    rows = list_settings()
    assert len({row.variable for row in rows}) == len(rows)
    for row in rows:
        assert row.help.endswith(".")
        assert row.expected
        assert load_settings({row.name: row.default}, {}) == Settings()


def test_the_default_store_lies_in_the_users_cache_folder(tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    assert default_store_path(environ) == tmp_path / "npu_autokernel" / "store"


def test_a_chip_that_no_table_describes_is_named_with_those_that_are() -> None:
    with pytest.raises(UnknownSocError, match=r"'Ascend310'. Known: Ascend910B1, "):
        load_settings({}, {"NPU_AUTOKERNEL_SOC": "Ascend310"})
    assert load_settings({}, {"NPU_AUTOKERNEL_SOC": "Ascend910B3"}).soc == "Ascend910B3"
