"""`arena init`, `arena config` and tournaments of every format, as a stranger uses them."""

import json
import re
from pathlib import Path

import pytest

from arena import runs
from arena.cli.configuration import template
from arena.config import load_registry, load_tournament
from arena.settings import EngineTable, LimitsTable, TournamentTable
from tests.cli.conftest import Arena

CUP = """
[tournament]
name = "cup"
format = "{format}"
{fields}
variants = ["callanish-7"]
nodes = 5
seed = 4
[[engines]]
name = "random"
[[engines]]
name = "greedy"
[[engines]]
name = "random"
options = {{ Seed = 3 }}
"""
FIELDS = {"pairings": 'pairings = [["greedy", "random-2"]]', "knockout": "best_of = 2"}


@pytest.mark.parametrize("name", ["swiss", "knockout", "king-of-the-hill", "pairings"])
def test_every_format_is_played_and_tells_its_outcome(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Once in JSON; a resume has nothing left to play and the same outcome, also as a table."""
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(CUP.format(format=name, fields=FIELDS.get(name, "")))
    words = ("tournament", "cup.toml", "--no-smoke", "--concurrency", "2", "--contain", "none")
    first = arena(*words, "--json")
    assert first.exit_code == 0, first.stderr
    found = json.loads(first.stdout)
    assert found["format"]["name"] == name
    assert found["not_played"] == 0
    assert len(found["games"]) == sum(row["games"] for row in found["standings"]) // 2 > 0
    again = arena(*words, "--resume", "--json")
    assert json.loads(again.stdout) == found
    shown = arena(*words, "--resume")
    assert shown.exit_code == 0
    told = {"swiss": "Swiss, after 2 rounds", "knockout": "goes on", "king-of-the-hill": "king of the hill after 2"}
    assert told.get(name, "greedy") in shown.stdout
    config = json.loads(arena("config", "cup.db").stdout)
    assert (config["format"], config["run"], config["fault_budget"]) == (name, found["run"], 5)


def test_the_file_that_init_writes_can_be_read_as_it_is_and_with_every_key(arena: Arena, tmp_path: Path) -> None:
    """The comments are the defaults, or an example; a file that exists is left alone."""
    path = tmp_path / "t.toml"
    assert arena("init", path).exit_code == 0
    table, specs = load_tournament(path, load_registry())
    assert [spec.name for spec in specs] == ["random", "greedy"]
    assert table == TournamentTable.model_construct()
    refused = arena("init", path)
    assert refused.exit_code == 2
    assert "exists already" in refused.stderr
    lines = [re.match(r"# (\w+) = (.*)", line) for line in template().splitlines()]
    said: dict[str, list[str]] = {}
    for line in lines:
        if line:
            said.setdefault(line[1], []).append(line[2])
    keys = set(TournamentTable.model_fields) | set(EngineTable.model_fields)
    assert set(said) == keys
    for field in LimitsTable.model_fields:
        assert f"{field} = {LimitsTable.model_fields[field].default}" in said["limits"][0]
    free = {
        "board",
        "fen",
        "pairings",
        "tie_breaks",
        "tc",
        "movetime",
        "nodes",
        "depth",
        "rounds",
        "seed",
        "concurrency",
    }
    for key in set(TournamentTable.model_fields) - free:
        path.write_text(
            f"[tournament]\n{key} = {said[key][0]}\n[[engines]]\nname='random'\n[[engines]]\nname='greedy'\n"
        )
        assert load_tournament(path, load_registry())[0] == TournamentTable.model_construct(), key
    for key in (free - {"board", "fen", "tie_breaks", "pairings"}) | set(EngineTable.model_fields) - {"name"}:
        table_key = key in TournamentTable.model_fields and key != "variants"
        head = f"[tournament]\n{key} = {said[key][0]}\n" if table_key else ""
        tail = "" if table_key else f"{key} = {said[key][-1]}\n"
        path.write_text(f"{head}[[engines]]\nname='random'\n[[engines]]\nname='greedy'\n{tail}")
        load_tournament(path, load_registry())


def test_one_program_under_two_names_is_noticed(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning, since it may be meant; other options make another player."""
    monkeypatch.chdir(tmp_path)
    words = ("--variant", "callanish-7", "--nodes", "5", "--contain", "none")
    assert "random and random-2 are the same program" in arena("match", "random", "random", *words).stderr
    assert "same program" not in arena("match", "random", "random:Seed=3", *words).stderr


def test_many_engines_are_introduced_when_they_first_play(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be started is withdrawn at its turn, and again in a resume; the others play."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runs, "MANY", 3)
    ghost = '[[engines]]\nname = "ghost"\ncommand = ["/bin/false"]\n'
    Path("cup.toml").write_text(CUP.format(format="round-robin", fields="") + ghost)
    words = ("tournament", "cup.toml", "--concurrency", "2", "--contain", "none")
    first = arena(*words, "--json")
    assert first.exit_code == 0, first.stderr
    assert "each is introduced when it first plays" in first.stderr
    for found in (json.loads(first.stdout), json.loads(arena(*words, "--resume", "--json").stdout)):
        assert len(found["games"]) == found["not_played"] == 6
        assert "cannot be started" in found["withdrawn"]["ghost"]
        assert all("ghost" not in (game["p1"], game["p2"]) for game in found["games"])


def test_a_time_handicap_is_not_played_as_if_there_were_none(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as a game has one limit."""
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(CUP.format(format="swiss", fields="") + "nodes = 9\n")
    refused = arena("tournament", "cup.toml", "--no-smoke")
    assert refused.exit_code == 2
    assert "random-2: the referee has one limit for both sides" in refused.stderr
