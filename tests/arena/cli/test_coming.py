"""What comers from other tools look for: values for all engines or for one, fresh processes, CPUs, last positions."""

import json
import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from arena.config.load import ConfigError, load_registry, load_tournament
from arena.formats.base import Fixed
from arena.games.variants import resolve
from arena.ladder.versions import digest
from arena.planning import build_plan, resume
from arena.planning.schedule import Schedule
from arena.play import cpu_affinity
from arena.play.jobs import EngineSpec

Arena = Callable[..., Result]

QUICK = ("--variant", "callanish-5", "--nodes", "5", "--contain", "none", "--seed", "3", "--json")
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
TWO = """
[tournament]
variants = ["callanish-5"]
nodes = 5
seed = 1
[[engines]]
name = "random"
[[engines]]
name = "greedy"
"""


@pytest.fixture
def here(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without a registry of its user's."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def own_cpus() -> Iterator[set[int]]:
    """The CPUs of this process, given back at the end."""
    before = os.sched_getaffinity(0)
    yield before
    os.sched_setaffinity(0, before)


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
    assert (one.box.environment, two.box.environment) == ({"A": "each", "B": "each"}, {"A": "each", "B": "own"})
    assert [Path(name).name for name in two.box.reads] == ["all", "mine"]
    assert (one.box.caps.memory_mb, two.box.caps.memory_mb) == (100, 200)
    assert one.deadlines.start_ms == two.deadlines.start_ms == 11


def test_limits_of_each_leave_alone_what_a_registry_says_beside_them(here: Path) -> None:
    """An engine that is registered as slow to start stays so where [each] caps its memory; 0 is no cap."""
    Path("r.toml").write_text(
        "[[engines]]\nname='mcts'\ncommand=['true']\nlimits={ start_ms = 60_000, processes = 2, memory_mb = 9 }\n"
    )
    Path("cup.toml").write_text(FILE.format(each="limits = { memory_mb = 0, ready_ms = 5 }", own=""))
    spec = load_tournament(Path("cup.toml"), load_registry(Path("r.toml")))[1][1]
    assert (spec.deadlines.start_ms, spec.deadlines.ready_ms) == (60_000, 5)
    assert (spec.box.caps.memory_mb, spec.box.caps.processes) == (None, 2)


def test_without_each_engines_are_as_they_were(here: Path) -> None:
    """No limit, margin or restart of their own, and the run is named as if there were no such keys."""
    one, _ = load(here, "")
    assert (one.limit, one.margin_ms, one.restart) == (None, None, False)
    assert one == load_registry().get("alphabeta")


def test_the_example_of_the_page_of_tournament_files_is_what_it_says(here: Path) -> None:
    """Hash for both, one's own first; limits join."""
    page = (Path(__file__).parents[3] / "docs" / "organisers" / "TOURNAMENT_FILE.md").read_text(encoding="utf-8")
    Path("page.toml").write_text("[each]" + page.split("```toml\n[each]", 1)[1].split("```", 1)[0])
    one, two = load_tournament(Path("page.toml"), load_registry())[1]
    assert (one.options["Hash"], two.options["Hash"]) == ("16", "32")
    assert (one.box.caps.memory_mb, two.box.caps.memory_mb, two.box.caps.threads) == (512, 512, 4)


@pytest.mark.parametrize(
    ("each", "said"),
    [
        ('tc = "x"', r"each: time control 'x' cannot be read"),
        ("nodes = 1\ndepth = 1", r"each: give one of tc, movetime, nodes and depth"),
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


def test_each_can_be_set_from_the_command_line(arena: Arena, here: Path) -> None:
    """Also where the file has no such table; an option that an engine does not have is an error."""
    Path("t.toml").write_text(TWO)
    _, specs = load_tournament(Path("t.toml"), load_registry(), ["each.nodes=6", "each.options.Seed=5"])
    assert [(str(spec.limit), spec.options["Seed"]) for spec in specs] == [("nodes=6", "5")] * 2
    words = ("tournament", "t.toml", "--no-smoke", "--contain", "none")
    refused = arena(*words, "--set", "each.options.Nonsense=5")
    assert (refused.exit_code, "has no option 'Nonsense'" in refused.stderr) == (2, True)


def test_an_option_of_a_match_is_for_both_engines_and_yields_to_ones_own(arena: Arena, here: Path) -> None:
    """As the run's configuration says."""
    done = arena("match", "random:Seed=3", "random", "--option", "seed=4", "--games", "2", "--db", "m.db", *QUICK)
    assert done.exit_code == 0, done.stderr
    engines = json.loads(arena("config", "m.db").stdout)["engines"]
    assert [engine["options"] for engine in engines] == [{"Seed": "3"}, {"seed": "4"}]
    for wrong in ("Seed", "=4"):
        refused = arena("match", "random", "greedy", "--option", wrong)
        assert (refused.exit_code, f"--option {wrong!r} cannot be read" in refused.stderr) == (2, True)


def test_each_engine_of_a_match_can_have_its_own_limit(arena: Arena, here: Path) -> None:
    """On either side, times scaled as the others are."""
    words = ("match", "random", "greedy", "--limit-a", "movetime=20", "--limit-b", "depth=1", "--time-scale", "2")
    done = arena(*words, *QUICK)
    assert done.exit_code == 0, done.stderr
    assert [game["tc"] for game in json.loads(done.stdout)["games"]] == [
        "movetime=40 | depth=1",
        "depth=1 | movetime=40",
    ]
    refused = arena("match", "random", "greedy", "--limit-b", "soon")
    assert (refused.exit_code, "--limit-b: time control 'soon' cannot be read" in refused.stderr) == (2, True)


STARTS = "#!/bin/sh\necho $$ >>{log}\nexec {engine}\n"


@pytest.mark.parametrize("restart", [True, False])
def test_an_engine_gets_a_fresh_process_for_each_game_where_it_asks_for_it(
    arena: Arena, here: Path, restart: bool
) -> None:
    """Four games, one introduction: five processes, not two."""
    log = here / "starts"
    engine = load_registry().get("random")
    assert engine is not None
    Path("mine").write_text(STARTS.format(log=shlex.quote(str(log)), engine=shlex.join(engine.command)))
    Path("mine").chmod(0o755)
    Path("t.toml").write_text(
        "[tournament]\nvariants=['callanish-5']\nnodes=5\nrounds=2\nconcurrency=1\n[[engines]]\nname='greedy'\n"
        f"[[engines]]\nname='mine'\ncommand=['./mine']\nrestart={str(restart).lower()}\n"
    )
    done = arena("tournament", "t.toml", "--no-smoke", "--contain", "none", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (len(found["games"]), found["withdrawn"]) == (4, {})
    assert len(log.read_text().split()) == (5 if restart else 2)


def test_a_margin_of_ones_own_is_played_and_names_another_run(here: Path) -> None:
    """As a fresh process for each game does; who asks for neither has the run and the ladder's version that he had."""
    plans = []
    for more in ("", "margin = 900\n", "restart = true\n"):
        Path("t.toml").write_text(TWO + more)
        table, specs = load_tournament(Path("t.toml"), load_registry())
        plans.append(build_plan.plan_of(table, Path(), "tournament", specs, lambda warning: None, seed=1))
    usual, late, fresh = plans
    assert len({plan.run_id for plan in plans}) == len({digest(plan.engines[1], "") for plan in plans}) == 3
    assert [set(plan.config["engines"][1]) - set(usual.config["engines"][1]) for plan in plans] == [  # type: ignore[index]  # JSON
        set(),
        {"margin_ms"},
        {"restart"},
    ]
    assert isinstance(late.format, Fixed)
    job = Schedule(late.setting, late.format, late.games)[0]
    assert (job.p1, job.terms.of(0).margin_ms, job.terms.of(1).margin_ms) == ("random", 50, 900)
    assert fresh.setting.margins_ms == {}


def test_the_time_to_read_a_position_is_a_setting_that_names_another_run(here: Path) -> None:
    """Only where it is not the usual one: runs of earlier versions go on. A stored run always has it."""
    Path("t.toml").write_text(TWO)
    plans = []
    for changes in ((), ("reading=5",), ("reading=80",)):
        table, specs = load_tournament(Path("t.toml"), load_registry(), changes)
        plans.append(build_plan.plan_of(table, Path(), "tournament", specs, lambda warning: None, seed=1))
    usual, same, longer = plans
    assert usual.run_id == same.run_id != longer.run_id
    assert [plan.terms.reading_ms for plan in plans] == [5, 5, 80]
    assert json.loads(usual.run({}).config)["reading_ms"] == 5 and "reading_ms" not in usual.config
    earlier = replace(usual.run({}), config=json.dumps(usual.config))
    assert not resume.differences(usual, earlier) and not resume.differences(usual, usual.run({}))
    assert resume.differences(longer, earlier) == ["reading_ms was 5, is 80"]
    assert resume.differences(usual, longer.run({})) == ["reading_ms was 80, is 5"]


def test_a_registry_has_no_margin(here: Path) -> None:
    """As it has no time control: both say how a game is played, not what an engine is."""
    Path("r.toml").write_text("[[engines]]\nname='x'\ncommand=['true']\nmargin=5\n")
    with pytest.raises(ConfigError, match="engine 'x' has a margin: give it in a tournament file"):
        load_registry(Path("r.toml"))


def test_games_are_kept_to_the_cpus_that_were_named(arena: Arena, here: Path, own_cpus: set[int]) -> None:
    """The arena runs on them from then on, and so does all that it starts."""
    last = max(own_cpus)
    done = arena("match", "random", "greedy", "--cpus", str(last), *QUICK)
    assert done.exit_code == 0, done.stderr
    assert os.sched_getaffinity(0) == {last}


@pytest.mark.parametrize("command", [("match", "random", "greedy"), ("tournament", "t.toml")])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "write their numbers"),
        ("3-1", "counts backwards"),
        ("0-4", "has 4, which we may not use: choose from 0,1,2,3"),
        ("", "write their numbers"),
    ],
)
def test_cpus_that_are_not_there_are_refused(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], text: str, said: str
) -> None:
    """In a sentence that names the option and what there is."""
    monkeypatch.setattr(cpu_affinity, "allowed", lambda: [0, 1, 2, 3])
    refused = arena(*command, "--cpus", text)
    assert (refused.exit_code, f"--cpus {text!r} " in refused.stderr, said in refused.stderr) == (2, True, True)


def test_lists_and_ranges_of_cpus_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other tools write them."""
    monkeypatch.setattr(cpu_affinity, "allowed", lambda: list(range(9)))
    assert cpu_affinity.parse("3,5") == [3, 5]
    assert cpu_affinity.parse("6-8,2,2") == [2, 6, 7, 8]


def test_last_positions_are_exported_with_the_id_behind_them(arena: Arena, db: Path) -> None:
    """One line a game; a filter chooses games as in every format."""
    lines = arena("export", db, "--format", "fen").stdout.splitlines()
    fens, ids = zip(*(line.split(" # ") for line in lines), strict=True)
    assert ids == ("aa11-1", "aa11-2", "aa11-3")
    assert fens[0] == "3a3/3a3/3d3/aad1daa/1d4k/3a3/2a4 p1 4"  # the king has got away
    assert [resolve("scottish", "", fen)[1].fen() for fen in fens[1:]] == list(fens[1:])
    assert arena("export", db, "--format", "fen", "--last", "1").stdout.splitlines() == lines[-1:]


def test_last_positions_are_a_file_of_openings(arena: Arena, db: Path, here: Path) -> None:
    """Of games that the rules have not ended."""
    arena("export", db, "--format", "fen", "--termination", "adjudication", "--output", "last.txt")
    done = arena("openings", "check", "last.txt", "--variant", "scottish")
    assert "1 positions; all can be played from" in done.output


def test_a_game_that_cannot_be_replayed_has_no_last_position(arena: Arena, odd_db: Path, here: Path) -> None:
    """It is named, and no file is written."""
    refused = arena("export", odd_db, "--format", "fen", "--output", "last.txt")
    assert refused.exit_code == 2
    assert "game cc33-1 cannot be replayed" in refused.stderr
    assert not Path("last.txt").exists()


def test_a_pyramid_is_played(arena: Arena, here: Path) -> None:
    """The first two meet first; then the third meets both."""
    names = ["random", "greedy", "alphabeta"]
    entries = "".join(f"[[engines]]\nname='{name}'\n" for name in names)
    head = "[tournament]\nvariants=['callanish-5']\nnodes=5\nformat='pyramid'\ngames_per_pairing=1\nconcurrency=1\n"
    Path("t.toml").write_text(head + entries)
    done = arena("tournament", "t.toml", "--no-smoke", "--contain", "none", "--json")
    assert done.exit_code == 0, done.stderr
    met = [{game["p1"], game["p2"]} for game in json.loads(done.stdout)["games"]]
    assert met == [{"random", "greedy"}, {"random", "alphabeta"}, {"greedy", "alphabeta"}]
