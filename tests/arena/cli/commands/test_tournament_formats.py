"""`arena init` and tournaments of every format, as a stranger uses them."""

import json
import os
import re
import signal
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from arena.config.load import load_registry, load_tournament
from arena.config.schema import EngineTable, TournamentTable
from arena.config.template import template
from arena.formats.registry import FORMATS
from arena.planning import introductions, plan
from arena.play.jobs import EngineSpec
from arena.run import play
from results.record import GameRecord
from results.store.store import Store
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import cup

THREE = ("random", "greedy", 'name = "random"\noptions = { Seed = 3 }')
pytestmark = pytest.mark.usefixtures("quick")
FIELDS: dict[str, dict[str, object]] = {
    "pairings": {"pairings": [["greedy", "random Seed=3"]]},
    "knockout": {"best_of": 2},
    "contest": {"go_on": 1, "champion": "greedy"},
}


def write(*engines: str, **keys: object) -> None:
    """The file of a short tournament of callanish-7."""
    Path("cup.toml").write_text(cup(*engines, name="cup", variants=["callanish-7"], nodes=5, seed=4, **keys))


@pytest.mark.parametrize(
    "name", ["swiss", *(pytest.param(name, marks=pytest.mark.long) for name in ("contest", "knockout", "pairings"))]
)
def test_every_format_is_played_and_tells_its_outcome(arena: Arena, name: str) -> None:
    """Once in JSON; a resume has nothing left to play and the same outcome, also as a table."""
    write(*THREE, format=name, **FIELDS.get(name, {}))
    at_once = "2" if name == "swiss" else "1"  # where rounds wait for their games
    words = ("tournament", "cup.toml", "--no-smoke", "--concurrency", at_once, "--contain", "none")
    first = arena(*words, "--json")
    assert first.exit_code == 0, first.stderr
    found = json.loads(first.stdout)
    assert found["format"]["name"] == name
    assert found["not_played"] == 0
    assert len(found["games"]) == sum(row["games"] for row in found["standings"]["engines"]) // 2 > 0
    again = arena(*words, "--json")
    assert json.loads(again.stdout) == found
    shown = arena(*words)
    assert shown.exit_code == 0
    told = {"swiss": "Swiss, after 2 rounds", "knockout": "goes on", "contest": "winner of the contest: "}
    assert told.get(name, "greedy") in shown.stdout
    config = json.loads(arena("show", "cup.db", "1", "--json").stdout)["config"]
    assert (config["format"], config["run"], config["fault_budget"]) == (name, found["run"], 5)


def test_each_variant_is_played_with_its_own_time_control(arena: Arena) -> None:
    """The games and the configuration say it. The run grows, and another time control is another run."""
    clocks = 'tc = { brandub = "movetime=5", callanish-5 = "nodes=5" }'
    file = cup("random", "greedy", name="cup", max_plies=6, variants=["brandub", "callanish-5"], more=clocks)
    Path("cup.toml").write_text(file)
    words = ("tournament", "cup.toml", "--no-smoke", "--contain", "none")
    assert arena(*words).exit_code == 0
    more = arena(*words, "--rounds", "2", "--json")
    games = json.loads(more.stdout)["games"]
    assert [(game["variant"], game["tc"]) for game in games] == 2 * [
        *2 * [("brandub", "movetime=5")],
        *2 * [("callanish-5", "nodes=5")],
    ]
    config = json.loads(arena("show", "cup.db", "1", "--json").stdout)["config"]
    assert config["limit"] == {"brandub": "movetime=5", "callanish-5": "nodes=5"}
    refused = arena(*words, "--rounds", "2", "--set", "tc.brandub=nodes=5")
    assert refused.exit_code == 2
    was = "limit was movetime=5 in brandub, nodes=5 in callanish-5, is nodes=5 in brandub, nodes=5 in callanish-5"
    assert was in refused.stderr


TWO = "[[engines]]\nname = 'random'\n[[engines]]\nname = 'greedy'\n"
EXAMPLES = set("board fen book resign draw pairings tie_breaks champion tc movetime nodes depth rounds seed".split())
"""Keys whose comment is an example; the comments of all others are the defaults."""


def test_the_file_that_init_writes_can_be_read_as_it_is_and_has_every_key(arena: Arena, tmp_path: Path) -> None:
    """The comments are the defaults, or an example; a file that exists is left alone."""
    path = tmp_path / "t.toml"
    assert arena("init", path).exit_code == 0
    table, specs, _ = load_tournament(path, load_registry())
    assert [spec.name for spec in specs] == ["random", "greedy"]
    assert table == TournamentTable.model_construct()
    refused = arena("init", path)
    assert refused.exit_code == 2 and "exists already" in refused.stderr
    keys = re.findall(r"^(?:# )?(\w+) = ", template(), re.MULTILINE)
    assert set(keys) == {*TournamentTable.model_fields, *EngineTable.model_fields}
    free = [key for key in TournamentTable.model_fields if key not in EXAMPLES | {"concurrency", "limits"}]
    for format in FORMATS:  # every comment without its sign, as the file says: no key is there twice
        text = template(format)
        tomllib.loads(re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE))
        path.write_text(re.sub(rf"^# ({'|'.join(free)})( = )", r"\1\2", text.partition("[each]")[0], flags=re.M) + TWO)
        table, _, _ = load_tournament(path, load_registry())
        assert table.model_copy(update={"pairings": []}) == TournamentTable.model_construct(format=format)


def test_init_writes_the_file_of_a_contest_that_it_knows(arena: Arena, tmp_path: Path) -> None:
    """It can be read as it is; an unknown contest is refused, and nothing is written."""
    for name, groups in (("tablut", 2), ("tafl-open", 1)):
        path = tmp_path / f"{name}.toml"
        assert arena("init", name, path).exit_code == 0
        table, _, _ = load_tournament(path, load_registry())
        assert (table.format, table.format_config.values["groups"]) == ("contest", groups)
    refused = arena("init", "chess", tmp_path / "d.toml")
    assert refused.exit_code == 2 and not (tmp_path / "d.toml").exists()
    assert "'chess' is no format: begin with one of round-robin," in refused.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["tablut", "tafl-open"])
def test_the_file_of_a_contest_can_be_played_as_it_is(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """With another limit and short games: groups, a bracket and a winner."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))  # the engine in C does not play these variants
    assert arena("init", name, "c.toml").exit_code == 0
    changes = ("--set", "nodes=1", "--set", "max_plies=4", "--set", "seed=3", "--set", "freeze=false")
    played = arena("tournament", "c.toml", "--no-smoke", "--contain", "none", *changes, "--json")
    assert played.exit_code == 0, played.stderr
    found = json.loads(played.stdout)["format"]
    assert [len(group) for group in found["groups"]] == ([3, 3] if name == "tablut" else [4])
    assert found["winner"] == found["bracket"][-1][0]["winner"] is not None


def test_one_program_under_two_names_is_noticed(arena: Arena) -> None:
    """A warning, since it may be meant."""
    words = ("--variant", "callanish-7", "--nodes", "5", "--games", "1", "--contain", "none")
    assert "random and random-2 are the same program" in arena("match", "random", "random", *words).stderr


def test_many_engines_are_introduced_when_they_first_play(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot be started is withdrawn at its turn, and again in a resume; the others play."""
    monkeypatch.setattr(plan, "MANY", 3)
    write(*THREE, 'name = "ghost"\ncommand = ["/bin/false"]')
    words = ("tournament", "cup.toml", "--concurrency", "2", "--contain", "none")
    first = arena(*words, "--json")
    assert first.exit_code == 4, first.stderr
    assert "each is started when it first plays" in first.stderr
    for found in (json.loads(first.stdout), json.loads(arena(*words, "--json").stdout)):
        assert len(found["games"]) == found["not_played"] == 6
        assert set(found["withdrawn"]) == {"ghost"}
        assert all("ghost" not in (game["p1"], game["p2"]) for game in found["games"])


def test_no_engine_is_started_after_a_stop(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes with the first game, before the others have met anybody."""
    started: list[str] = []

    def meet(specs: Sequence[EngineSpec], introduce: introductions.Introduce) -> introductions.Met:
        started.extend(spec.name for spec in specs)
        return met(specs, introduce)

    def interrupting(self: Store, records: Iterable[GameRecord]) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return add(self, records)

    met, add = introductions.meet, Store.add_games
    monkeypatch.setattr(plan, "MANY", 1)
    monkeypatch.setattr(play, "SHORT_MS", 0)  # no slot has more games in hand
    monkeypatch.setattr(introductions, "meet", meet)
    monkeypatch.setattr(Store, "add_games", interrupting)
    write(*THREE)
    assert arena("tournament", "cup.toml", "--concurrency", "1", "--contain", "none").exit_code == 130
    assert len(started) == 2
