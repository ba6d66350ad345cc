"""What users write: registries, tournament files, engines on the command line."""

import sys
from pathlib import Path

import pytest

from arena import config
from arena.config import ConfigError, UnknownEngine, engine_argument, load_registry, load_tournament, unique
from arena.jobs import EngineSpec, Patience
from protocol.containment.box import Box, Caps


@pytest.fixture(autouse=True)
def no_user_registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The tester's own registry plays no part."""
    monkeypatch.setattr(config, "user_registry_path", lambda: tmp_path / "none" / "engines.toml")


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_engines_are_registered() -> None:
    """A newcomer can play them by name."""
    assert set(load_registry().names) >= {"random", "greedy", "alphabeta", "mcts"}


def test_a_registry_entry_says_everything_about_an_engine(tmp_path: Path) -> None:
    """Relative paths start from the file's folder, {python} is the interpreter that runs the arena."""
    file = write(
        tmp_path / "mine.toml",
        """
        [[engines]]
        name = "mine"
        command = ["{python}", "mine.py"]
        variants = ["scottish"]
        files = ["net.bin"]
        options = { Hash = 16, Book = false }
        directory = "data"
        environment = { HOME = "/tmp" }
        limits = { start_ms = 500, memory_mb = 99 }
        """,
    )
    spec = load_registry(file).get("mine")
    assert spec == EngineSpec(
        name="mine",
        command=(sys.executable, "mine.py"),
        options={"Hash": "16", "Book": "false"},
        variants=("scottish",),
        box=Box(environment={"HOME": "/tmp"}, directory=str(tmp_path / "data"), caps=Caps(memory_mb=99)),
        files=(str(tmp_path / "net.bin"),),
        patience=Patience(start_ms=500),
    )


def test_a_named_registry_comes_before_the_shipped_one(tmp_path: Path) -> None:
    """Users may replace a shipped engine by their own."""
    file = write(tmp_path / "mine.toml", '[[engines]]\nname = "random"\ncommand = ["/bin/cat"]')
    assert load_registry(file).get("random") == EngineSpec("random", ("/bin/cat",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[tournament]\nruonds = 2\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"',
            ["tournament.ruonds", "rounds"],
        ),
        (
            '[tournament]\nrounds = 0\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"',
            ["tournament.rounds", "0"],
        ),
        (
            '[tournament]\nclock="sun"\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"',
            ["tournament.clock", "sun", "fair"],
        ),
        ('[[engines]]\nname="random"\n[[engines]]\nname="greddy"', ["greddy", "greedy"]),
        ('[[engines]]\nname="random"', ["engines"]),
        ('[[engines]]\nnmae="random"\n[[engines]]\nname="greedy"', ["engines[1].nmae", "name"]),
        ("[tournament\n", ["TOML", "line 1"]),
        ('[tournament]\ntc="1+0"\nnodes=5\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"', ["tc", "nodes"]),
        (
            '[tournament]\nrounds="two"\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"',
            ["tournament.rounds", "two"],
        ),
    ],
)
def test_a_broken_file_is_refused_with_file_field_and_remedy(tmp_path: Path, text: str, said: list[str]) -> None:
    """The user finds the place without counting lines himself."""
    file = write(tmp_path / "t.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_tournament(file, load_registry())
    for words in [str(file), *said]:
        assert words in str(caught.value)


def test_everything_wrong_with_a_file_is_said_at_once(tmp_path: Path) -> None:
    """Two misspelt keys are two lines."""
    file = write(tmp_path / "t.toml", '[tournament]\na=1\nb=2\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"')
    with pytest.raises(ConfigError) as caught:
        load_tournament(file, load_registry())
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize("name", ["nowhere.toml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    """A wrong path and a directory."""
    with pytest.raises(ConfigError, match=str(tmp_path)):
        load_tournament(tmp_path / name, load_registry())


def test_a_tournament_may_change_a_registered_engine(tmp_path: Path) -> None:
    """Its options are added, its command stays; two entries of one engine are two players."""
    file = write(
        tmp_path / "t.toml",
        '[[engines]]\nname="alphabeta"\n[[engines]]\nname="alphabeta"\noptions={Hash=1}',
    )
    _, (first, second) = load_tournament(file, load_registry())
    assert (first.name, second.name) == ("alphabeta", "alphabeta-2")
    assert first.command == second.command
    assert second.options["Hash"] == "1"


def test_an_engine_on_the_command_line_may_carry_options() -> None:
    """`alphabeta:Hash=16,Seed=3`."""
    spec = engine_argument("alphabeta:Hash=16,Seed=3", load_registry())
    assert spec.name == "alphabeta"
    assert (spec.options["Hash"], spec.options["Seed"]) == ("16", "3")


def test_an_engine_may_be_a_path_or_a_command_line(tmp_path: Path) -> None:
    """It is named after its program, or after its script where an interpreter runs it; paths become absolute."""
    script = write(tmp_path / "mine.py", "")
    assert engine_argument(str(script), load_registry()) == EngineSpec("mine", (str(script),))
    spec = engine_argument(f"python3 {script} --fast", load_registry())
    assert spec.name == "mine"
    assert spec.command[1:] == (str(script), "--fast")
    assert Path(spec.command[0]).is_absolute()
    assert engine_argument("cat -u", load_registry()).name == "cat"


@pytest.mark.parametrize("name", ["greddy", "/no/such/engine", "", '"unclosed', "."])
def test_an_engine_that_is_nothing_is_refused_in_a_sentence(name: str) -> None:
    """Nothing is started to find that out."""
    with pytest.raises(UnknownEngine, match=r".{20,}"):
        engine_argument(name, load_registry())


def test_equal_names_are_told_apart() -> None:
    """`random random random` are random, random-2 and random-3, also where one is called random-2 already."""
    specs = [EngineSpec(name, ("x",)) for name in ("random", "random", "random-2", "random")]
    assert [spec.name for spec in unique(specs)] == ["random", "random-2", "random-2-2", "random-3"]
