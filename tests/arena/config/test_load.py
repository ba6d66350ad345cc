"""What users write: registries, tournament files, engines on the command line."""

import sys
from pathlib import Path

import pytest

from arena.config import load as config
from arena.config.engine_argument import engine_argument
from arena.config.load import ConfigError, UnknownEngine, load_registry, load_tournament, unique
from arena.formats.base import Pairing
from arena.formats.registry import FormatConfig
from arena.play.jobs import EngineSpec
from arena.timing import time_control
from protocol.containment.policy import Caps, SandboxPolicy
from protocol.deadlines import Deadlines
from tests.logged import logged


@pytest.fixture(autouse=True)
def no_user_registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The tester's own registry plays no part."""
    monkeypatch.setattr(config, "user_registry_path", lambda: tmp_path / "none" / "engines.toml")


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


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
        sandbox=SandboxPolicy(environment={"HOME": "/tmp"}, directory=str(tmp_path / "data"), caps=Caps(memory_mb=99)),
        files=(str(tmp_path / "net.bin"),),
        deadlines=Deadlines(start_ms=500),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[engines]]\nname="random"\n[[engines]]\nname="greddy"', ["greddy", "greedy"]),
        ('[[engines]]\nnmae="random"\n[[engines]]\nname="greedy"', ["engines.1.nmae", "name"]),
        ("[tournament\n", ["TOML", "line 1"]),
    ],
)
def test_a_broken_file_is_refused_with_file_field_and_remedy(tmp_path: Path, text: str, said: list[str]) -> None:
    """The user finds the place without counting lines himself."""
    file = write(tmp_path / "t.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_tournament(file, load_registry())
    for words in [str(file), *said]:
        assert words in str(caught.value)


def test_a_tournament_may_change_a_registered_engine(tmp_path: Path) -> None:
    """Its options are added, its command stays; two entries of one engine are two players."""
    file = write(tmp_path / "t.toml", '[[engines]]\nname="alphabeta"\n[[engines]]\nname="alphabeta"\noptions={Hash=1}')
    _, (first, second), _ = load_tournament(file, load_registry())
    assert (first.name, second.name) == ("alphabeta Hash=64", "alphabeta Hash=1")
    assert first.command == second.command
    assert second.options["Hash"] == "1"


@pytest.mark.parametrize("text", ["cat:Hash=5\nquit", "alphabeta:Hash=5\rquit", "cat:A=1,B=\0", "cat:A=\udce9"])
def test_an_option_that_does_not_fit_in_a_line_is_refused(text: str) -> None:
    """It would be a command of its own to the engine."""
    with pytest.raises(ConfigError, match=r"option '(Hash|A|B)' has a line break or another control") as refused:
        engine_argument(text, load_registry())
    assert not isinstance(refused.value, UnknownEngine)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('options = { Hash = "5\\nquit" }', "engines.1.options: option 'Hash' has a line break"),
        (f"options = {{ Hash = 0x{'f' * 6_000} }}", "engines.1.options: option 'Hash' has a number of 24000 bits"),
        ('options = { "Ha\\nsh" = 5 }', "engines.1.options: option 'Ha\\nsh' has a line break"),
        ('command = ["a\\u0000b"]', "engines.1.command.1: has a NUL character"),
        ('directory = "a\\u0000b"', "engines.1.directory: has a NUL character"),
        ('files = ["a\\u0000b"]', "engines.1.files.1: has a NUL character"),
        ('environment = { "A=B" = "c" }', "engines.1.environment: 'A=B' is not the name of a variable"),
        ('environment = { A = "\\u0000" }', "engines.1.environment.A: has a NUL character"),
        (
            "limits = { start_ms = true }",
            "engines.1.limits.start_ms: is true: write a whole number, such as start_ms = 2",
        ),
    ],
)
def test_what_no_engine_can_be_given_is_refused_in_the_file(tmp_path: Path, entry: str, said: str) -> None:
    """With its place, before anything is started."""
    command = "" if entry.startswith("command") else 'command = ["/bin/cat"]\n'
    file = write(tmp_path / "mine.toml", f'[[engines]]\nname = "mine"\n{command}{entry}\n')
    with pytest.raises(ConfigError) as refused:
        load_registry(file)
    assert str(refused.value).startswith(f"{file}: {said}")


def test_one_text_is_a_list_and_a_number_is_a_clock(tmp_path: Path) -> None:
    """`variants = "scottish"` is one variant, `tc = 5` is 5 seconds without increment."""
    engines = '[[engines]]\nname = "random"\ntc = 2.5\n[[engines]]\nname = "greedy"\nvariants = "scottish"\n'
    file = write(tmp_path / "t.toml", f'[tournament]\nvariants = "scottish"\ntc = 5\n{engines}')
    loaded = load_tournament(file, load_registry())
    assert (loaded.table.variants, str(loaded.table.limit)) == (["scottish"], "5+0")
    assert (str(loaded.engines[0].limit), loaded.engines[1].variants) == ("2.5+0", ("scottish",))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("name = 3", 'tournament.name: is 3: write text in quotes, such as name = "fox"'),
        ("rounds = 0", "tournament.rounds: is 0: it must be at least 1"),
        ('nodes = "100"', 'tournament.nodes: is "100": write a whole number, such as nodes = 100'),
        ('pairings = "a b"', 'tournament.pairings: is "a b": write a list, such as pairings = [['),
        ("book = 3", "tournament.book: is not a file: write book = "),
        ("variants = [3]", 'tournament.variants.1: is 3: write text in quotes, such as "..."'),
        ("[each]\noptions = 3", "each.options: is 3: write a table, such as options = { Hash = 16 }"),
        ("[each]\noptions.Hash = 1.5", "each.options.Hash: is neither text in quotes, a whole number, true nor false"),
        ("rounds = true", "tournament.rounds: is true: write a whole number, such as rounds = 1"),
        ("freeze = 1", "tournament.freeze: is 1: write true or false without quotes, such as freeze = true"),
        ('tc = "soon"', "tournament.tc: time control 'soon' cannot be read"),
        ("tc = true", 'tournament.tc: is not a clock: write tc = "5+0.1", or for several variants { scottish = '),
        ('tc = { brandub = "x" }', "tournament.tc: for 'brandub': time control 'x' cannot be read"),
        ('tc = { brandub = "5" }', "tournament.tc: has no time control for 'callanish-9': name one for each variant"),
        (
            'tc = { "callanish-9" = "5", brandub = "5" }',
            "tournament.tc: has a time control for 'brandub', which is not",
        ),
        ('[each]\ntc = { "callanish-9" = "5" }', 'each.tc: is a table: write text in quotes, such as tc = "5+0.1"'),
        ('fen = "9/9 p1"', "tournament.fen: callanish-9 has 9 files"),
        ('variants = ["scotish"]', "tournament: "),
        ('variants = ["scottish"]\nrules = "king=1"', "tournament: scottish has no rule option 'king'"),
        ('board = "none.txt"\nvariants = ["scottish", "brandub"]', "tournament.board: goes with one variant"),
        ('name = "a\\nb"', "tournament.name: has a line break"),
        ("rounds = " + "9" * 5000, "is not valid TOML: "),
        ('book = "default"\nopenings = 2', "tournament.openings: and book both say where games start"),
        ("book_start = 2", "tournament.book_start: says how a book is used: name one with book"),
        ('book = { "callanish-9" = "default", brandub = "x" }', "tournament.book: has a file for 'brandub'"),
        ('resign = "score=600"', "tournament.resign: resign 'score=600': moves is missing"),
    ],
)
def test_what_cannot_be_played_is_said_with_the_file(tmp_path: Path, settings: str, said: str) -> None:
    """Limits, variants, boards and positions too."""
    file = write(
        tmp_path / "t.toml", f'[tournament]\n{settings}\n[[engines]]\nname="random"\n[[engines]]\nname="greedy"'
    )
    with pytest.raises(ConfigError) as refused:
        load_tournament(file, load_registry())
    assert str(refused.value).startswith(f"{file}: {said}")


def test_equal_names_are_told_apart() -> None:
    """`random random random` are random, random-2 and random-3, also where one is called random-2 already."""
    specs = [EngineSpec(name, ("x",)) for name in ("random", "random", "random-2", "random")]
    with logged() as told:
        assert [spec.name for spec in unique(specs)] == ["random", "random-2", "random-2-2", "random-3"]
        assert told == []  # of one program another sentence tells
        unique([EngineSpec("fox", ("old",)), EngineSpec("fox", ("new",))])
    assert told == ["several engines are named fox: one of them is called fox-2"]


def test_engines_with_other_options_are_called_after_these_options() -> None:
    """Options that all of them have alike are not in the names. Names that would be too long get numbers."""
    given = [{"Hash": "16", "Strength": "3"}, {"Hash": "16", "strength": "5"}, {"hash": "16"}, {"hash": "16"}]
    specs = [EngineSpec("stornoway", ("x",), options=options) for options in given]
    names = [spec.name for spec in unique(specs)]
    assert names == ["stornoway Strength=3", "stornoway strength=5", "stornoway", "stornoway-2"]
    assert [spec.name for spec in unique(unique(specs))] == names
    long = [EngineSpec("mine", ("x",), options={"Book": letter * 90}) for letter in "ab"]
    assert [spec.name for spec in unique(long)] == ["mine", "mine-2"]


ENGINES = '[[engines]]\nname="random"\n[[engines]]\nname="greedy"\n'


def test_a_tournament_file_chooses_a_format_and_its_fields(tmp_path: Path) -> None:
    """Pairings are named as the engines are after equal names were told apart."""
    text = 'format = "pairings"\npairings = [["random", "random-2"]]\nrounds = 3\nfault_budget = 0\n'
    file = write(tmp_path / "t.toml", f'[tournament]\n{text}{ENGINES}[[engines]]\nname="random"\n')
    table, specs, _ = load_tournament(file, load_registry())
    assert table.format_config == FormatConfig("pairings", rounds=3, pairings=[["random", "random-2"]])
    format_ = table.format_config.make([spec.name for spec in specs], 1)
    first = format_.next(())
    assert first is not None and tuple(first.pairings) == (Pairing(0, 2),)
    assert table.fault_budget == 0


def test_an_engine_may_have_a_time_control_and_a_family_of_its_own(tmp_path: Path) -> None:
    """`time_scale` multiplies it, too; a registry has no time controls."""
    text = f'[tournament]\ntc = "10+0.1"\ntime_scale = 0.5\n{ENGINES}tc = "4+1"\nfamily = "hungry"\n'
    _, (one, two), _ = load_tournament(write(tmp_path / "t.toml", text), load_registry())
    assert (one.limit, two.limit) == (None, time_control.parse("2+0.5"))
    assert two.family == "hungry"
    file = write(tmp_path / "r.toml", '[[engines]]\nname="x"\ncommand=["/bin/cat"]\nnodes=3')
    with pytest.raises(ConfigError, match="engine 'x' has a time control: give it in a tournament file"):
        load_registry(file)


def test_everything_that_does_not_go_together_is_said_at_once(tmp_path: Path) -> None:
    """Wrong limits together, each with its place; then format and engines."""
    text = '[tournament]\ntc = "soon"\n[[engines]]\nname="greddy"\n[[engines]]\nname="random"\nnodes=0\n'
    with pytest.raises(ConfigError) as refused:
        load_tournament(write(tmp_path / "t.toml", text), load_registry())
    assert [line.split(": ")[1] for line in str(refused.value).splitlines()] == ["tournament.tc", "engines.2.nodes"]
    text = f'[tournament]\nformat = "swiss"\nseeds = 2\nrounds = 5\n{ENGINES}'
    with pytest.raises(ConfigError) as refused:
        load_tournament(write(tmp_path / "t.toml", text), load_registry())
    places = [line.split(": ")[1] for line in str(refused.value).splitlines()]
    assert places == ["tournament.seeds", "tournament.rounds"]


def test_a_limit_of_the_command_line_replaces_one_of_another_kind(tmp_path: Path) -> None:
    """In its own table. An option of the same name stays, and two limits of the command line are refused."""
    engines = '[[engines]]\nname = "random"\noptions = { nodes = 3 }\ndepth = 2\n[[engines]]\nname = "greedy"\n'
    file = write(tmp_path / "t.toml", f'[tournament]\ntc = "5+0.05"\n{engines}')
    changes = ("nodes=70", "engines.1.movetime=9", "engines.2.options.depth=1")
    table, (random, greedy), _ = load_tournament(file, load_registry(), changes)
    assert (table.tc, table.nodes) == (None, 70)
    assert random.limit is not None and str(random.limit) == "movetime=9"
    assert random.options["nodes"] == "3" and greedy.options["depth"] == "1" and greedy.limit is None
    with pytest.raises(ConfigError, match="give one of tc, movetime, nodes and depth"):
        load_tournament(file, load_registry(), ("nodes=70", "depth=3"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("rounds", "--set 'rounds' cannot be read: write KEY=VALUE"),
        ("engines.3.nodes=1", "--set 'engines.3.nodes=1': there is no engine 3; count from 1 to 2"),
        ("engines.x.nodes=1", "there is no engine x"),
        ("rounds.more=1", "name a key"),
        ("rounds.far.more=1", "'far' is within a value that has no keys"),
        ("ruonds=1", "tournament.ruonds: unknown key; did you mean 'rounds'?"),
        ("engines.1.dir=/opt", "engines.1.dir: unknown key; did you mean 'directory'?"),
        ("engines.2.cmd=fox", "engines.2.cmd: unknown key; did you mean 'command'?"),
        ("rounds=0", "tournament.rounds: "),
    ],
)
def test_an_override_that_cannot_be_made_is_refused_in_a_sentence(tmp_path: Path, change: str, said: str) -> None:
    """Judged as if the file said it."""
    file = write(tmp_path / "t.toml", f"[tournament]\nrounds = 9\n{ENGINES}")
    with pytest.raises(ConfigError) as refused:
        load_tournament(file, load_registry(), (change,))
    assert said in str(refused.value)


def test_a_command_may_be_one_text(tmp_path: Path) -> None:
    """It is split as a shell splits it; quotes that do not close are named."""
    head = '[[engines]]\nname = "mine"\ncommand = '
    file = write(tmp_path / "r.toml", f"{head}\"/bin/cat 'a b' -u\"\n")
    spec = load_registry(file).get("mine")
    assert spec is not None and spec.command == ("/bin/cat", "a b", "-u")
    with pytest.raises(ConfigError, match=r"engines\.1\.command: .* cannot be split into words: check its quotes"):
        load_registry(write(file, f'{head}"/bin/cat \'a"\n'))
    with pytest.raises(ConfigError, match=r"engines\.1\.command: "):
        load_registry(write(file, f'{head}""\n'))


def test_a_key_in_the_wrong_place_is_told_where_it_belongs(tmp_path: Path) -> None:
    """Above the first table, or in another one; nothing far-fetched is suggested for a key that exists nowhere."""
    file = write(tmp_path / "t.toml", f"seed = 5\ngames = 40\n[tournament]\ncommand = []\n{ENGINES}")
    with pytest.raises(ConfigError) as refused:
        load_tournament(file, load_registry())
    said = str(refused.value)
    assert "seed: unknown key here; it belongs in [tournament]" in said
    assert "games: unknown key; `arena docs TOURNAMENT_FILE` lists all keys" in said
    assert "tournament.command: unknown key here; it belongs in [[engines]]" in said
    file = write(tmp_path / "e.toml", "seed = 5\n")
    with pytest.raises(ConfigError, match=r"it belongs in \[tournament\] of a tournament file"):
        load_registry(file)
