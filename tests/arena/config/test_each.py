"""The table [each] of a tournament file: values for all engines that say nothing themselves."""

from pathlib import Path

import pytest

from arena.config.load import ConfigError, load_registry, load_tournament
from arena.play.jobs import EngineSpec

FILE = """
[tournament]
name = "cup"
time_scale = 2.0
nodes = 7
[each]
{each}
[[engines]]
name = "alphabeta"
[[engines]]
name = "mcts"
{own}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no registry of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return tmp_path


def load(folder: Path, each: str, own: str = "") -> tuple[EngineSpec, EngineSpec]:
    """The two engines of a file with these lines."""
    path = folder / "cup.toml"
    path.write_text(FILE.format(each=each, own=own))
    one, two = load_tournament(path, load_registry())[1]
    return one, two


def test_each_holds_for_every_engine_that_says_nothing_itself(here: Path) -> None:
    """Options, environment and limits join key by key, reads are added, all else is one's own or that of [each]."""
    each = """
    options = { hash = 16, Seed = 1 }
    tc = "1+0"
    margin = 10
    restart = true
    environment = { A = "each", B = "each" }
    reads = ["all"]
    limits = { memory_mb = 100, start_ms = 11 }
    """
    own = """
    options = { Hash = 32 }
    movetime = 3
    margin = 20
    restart = false
    environment = { B = "own" }
    reads = ["mine"]
    limits = { memory_mb = 200 }
    """
    one, two = load(here, each, own)
    assert (one.options, two.options) == ({"hash": "16", "Seed": "1"}, {"Hash": "32", "Seed": "1"})
    assert (str(one.limit), str(two.limit)) == ("2+0", "movetime=6")
    assert (one.margin_ms, two.margin_ms, one.restart, two.restart) == (10, 20, True, False)
    assert (one.sandbox.environment, two.sandbox.environment) == ({"A": "each", "B": "each"}, {"A": "each", "B": "own"})
    assert [Path(name).name for name in two.sandbox.reads] == ["all", "mine"]
    assert (one.sandbox.caps.memory_mb, two.sandbox.caps.memory_mb) == (100, 200)
    assert one.deadlines.start_ms == two.deadlines.start_ms == 11


@pytest.mark.parametrize(
    ("each", "said"),
    [
        ('tc = "x"', r"each.tc: time control 'x' cannot be read"),
        ("nodes = 1\ndepth = 1", r"each.depth: give one of tc, movetime, nodes and depth"),
        ("optoins = {}", r"each\.optoins: unknown key; did you mean 'options'\?"),
        ("margin = -1", r"each\.margin: "),
        ('name = "x"', r"each\.name: unknown key"),
        ('options = { "a\\nb" = 1 }', r"each\.options: option .* has a line break"),
    ],
)
def test_what_is_wrong_with_each_is_said_once(here: Path, each: str, said: str) -> None:
    """With its place in the file, not once for each engine."""
    with pytest.raises(ConfigError, match=said) as wrong:
        load(here, each)
    assert len(str(wrong.value).splitlines()) == 1


def test_a_preset_fills_in_limits_that_are_not_given(here: Path) -> None:
    """A key beside it counts before it, and a loopback is granted to the engine that asks for it."""
    own = 'grants = ["loopback"]\nlimits = { preset = "contest", memory_mb = 3000, ready_ms = 7 }\n'
    one, two = load(here, "", own)
    assert (two.sandbox.caps.memory_mb, two.sandbox.caps.threads) == (3_000, 1_024)
    assert (two.deadlines.newgame_ms, two.deadlines.ready_ms) == (120_000, 7)
    assert (one.sandbox.loopback, two.sandbox.loopback) == (False, True)
    assert one.sandbox.caps.memory_mb == 2_048
    with pytest.raises(ConfigError, match=r"limits\.preset"):
        load(here, "", 'limits = { preset = "party" }')
    with pytest.raises(ConfigError, match="grants"):
        load(here, "", 'grants = ["network"]')
