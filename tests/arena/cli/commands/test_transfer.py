"""export with filters, import and merge."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.games.variants import resolve
from results.record import Evidence, Termination
from results.store.filter import EVERYTHING
from results.store.store import Store
from tests.arena.cli.conftest import ESCAPE, SCOTTISH, Arena, add, record

FOREIGN = """[Event "club"]
[Site "somewhere"]
[Date "2025.03.04"]
[Round "2"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[Variant "scottish"]

1. d1c1 {a plan} d3b3 2. c1d1 (2. a4a3) d4d3 3. d1c1 d3g3 0-1

[Event "club"]
[White "Bob"]
[Black "Ann"]
[Result "0-1"]
[Variant "scottish"]
[Termination "normal"]

1. d1c1 d3b3 0-1
"""


def content(path: Path) -> list[object]:
    """All that a database has of games."""
    with Store.open_existing(path) as store:
        return [*store.games(), *sorted(map(str, store.counts()))]


def test_an_export_takes_the_filters_of_games(arena: Arena, db: Path) -> None:
    """The same games in every format."""
    lines = arena("export", db, "--format", "jsonl", "--winner", "alpha").stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["aa11-2"]
    assert arena("export", db, "--format", "pgn", "--last", "2").stdout.count("[GameId ") == 2
    assert arena("export", db, "--format", "csv", "--limit", "2").stdout.count("\n") == 3
    text = arena("export", db, "--format", "text", "--termination", "adjudication").stdout
    assert "aa11-3, round 2: alpha - beta" in text


def test_json_lines_come_back_as_they_were(arena: Arena, db: Path, tmp_path: Path) -> None:
    """Every figure of every ply, idle CPU and evidence; and the counts beside them."""
    kept = Evidence("p1", "time", "late", "still running", ("a <- go",), "words", 1, 2, None, 3, True)
    with Store.create_or_open(db) as store:
        store.add_game(replace(record("aa11", 9, "p2", Termination.TIME, ESCAPE[:4]), evidence=kept, p1_idle_us=5))
    file, copy = tmp_path / "games.jsonl", tmp_path / "copy.db"
    arena("export", db, "--format", "jsonl", "--output", file)
    assert arena("import", file, "--into", copy).stdout == f"4 games imported into {copy}\n"
    assert content(copy) == content(db)
    again = arena("import", file, "--into", copy)
    assert again.stdout == f"0 games imported into {copy}, 4 were there already\n"
    with Store.open_existing(copy) as store:
        assert [(run.id, run.kind) for run in store.runs()] == [("aa11", "import")]


@pytest.mark.parametrize("form", ["jsonl", "pgn"])
def test_the_lag_of_a_game_is_told_wherever_the_game_is(arena: Arena, db: Path, tmp_path: Path, form: str) -> None:
    """Shown, written, verified and read back as part of its time control; a filter finds it."""
    tc = "5+0.2 lag=250 | 1+0 lag=250"
    with Store.create_or_open(db) as store:
        store.add_game(replace(record("aa11", 9, "p2", "king-escaped", ESCAPE), tc=tc))
    file, copy = tmp_path / f"games.{form}", tmp_path / "copy.db"
    assert tc in arena("show", db, "aa11-9").stdout and tc in arena("show", db, "aa11-9", "--json").stdout
    arena("export", db, "--format", form, "--tc", "1+0 lag=250 | 5+0.2 lag=250", "--output", file)
    assert "lag=250" in file.read_text() and "1 record checked, all agree" in arena("verify", file).stdout
    arena("import", file, "--into", copy)
    with Store.open_existing(copy) as other:
        assert [game.tc for game in other.games()] == [tc]


def test_pgn_comes_back_with_moves_times_and_scores(arena: Arena, two_runs: Path, tmp_path: Path) -> None:
    """What PGN has a place for is as it was, ids included; the rest is not made up."""
    file, copy = tmp_path / "games.pgn", tmp_path / "copy.db"
    arena("export", two_runs, "--format", "pgn", "--output", file)
    assert arena("import", file, "--into", copy).stdout == f"4 games imported into {copy}\n"
    with Store.open_existing(two_runs) as store, Store.open_existing(copy) as other:
        for game, found in zip(store.games(), other.games(), strict=True):
            plies = tuple(ply._replace(cpu_us=None) for ply in game.plies)
            wall_ms = sum(ply.wall_us for ply in plies) // 1000
            assert found == replace(game, plies=plies, detail="", seed=0, clock="wall", wall_ms=wall_ms)
        assert [run.name for run in other.runs()] == ["match aa11", "match ab22"]
    assert "4 were there already" in arena("import", file, "--into", two_runs).stdout


def test_games_played_elsewhere_are_taken(arena: Arena, tmp_path: Path) -> None:
    """Comments and variations are skipped, the reason comes from the rules, games without an id get one, once."""
    file, path = tmp_path / "club.pgn", tmp_path / "club.db"
    file.write_text(FOREIGN)
    assert arena("import", file, "--into", path).stdout == f"2 games imported into {path}\n"
    assert arena("import", file, "--into", path).stdout == f"0 games imported into {path}, 2 were there already\n"
    with Store.open_existing(path) as store:
        first, second = store.games()
        assert (first.p1, first.p2, first.moves, first.fen) == ("Ann", "Bob", ESCAPE, SCOTTISH)
        assert (first.termination, first.round, first.started_at) == ("king-escaped", 2, "2025-03-04")
        assert (second.termination, second.winner) == (Termination.RESIGNATION, "p2")
        assert first.plies == () and first.opening == ESCAPE  # nobody said what its moves took
        (run,) = store.runs()
        assert (run.name, run.kind, store.done(first.run).ranges) == ("club", "import", ((1, 2),))
    line = tmp_path / "one.jsonl"
    line.write_text(json.dumps({"variant": "scottish", "moves": list(ESCAPE), "winner": "p2", "p1": "x", "p2": "y"}))
    assert "1 game imported" in arena("import", line, "--into", path).stdout
    values = json.loads(line.read_text())
    more = {"p1": "z", "ply_data": [{"move": move} for move in ESCAPE], "started_at": "2025-03-03T20:00:00-05:00"}
    line.write_text(json.dumps(values | more))
    assert "1 game imported" in arena("import", line, "--into", path).stdout
    for day, since in (("2025-03-04", ["Ann", "z"]), ("2025-03-04T01:00", ["z"]), ("2025-03-04T01:01", [])):
        found = arena("games", path, "--since", day, "--json").stdout.splitlines()
        assert [json.loads(game)["p1"] for game in found] == since


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("a.pgn", FOREIGN.replace("d4d3", "d4d9"), 1, "'d4d9'"),
        ("a.pgn", FOREIGN.replace('[White "Bob"]\n', ""), 12, "the record has no White"),
        ("a.pgn", FOREIGN.replace('[Variant "scottish"]\n[T', "[T"), 12, "Variant"),
        ("a.pgn", FOREIGN.replace("d3b3 0-1", "d3b3 1-0"), 12, "the tag Result is '0-1' and the moves end with '1-0'"),
        ("a.pgn", FOREIGN.replace("2025.03.04", "2025.02.30"), 1, "write a date"),
        ("a.jsonl", '{"p1": "a", "p2": "b", "variant": "scottish", "moves": "", "winner": null}\n{', 2, "no JSON"),
    ],
)
def test_a_refused_game_is_named_and_nothing_is_taken(
    arena: Arena, db: Path, tmp_path: Path, name: str, text: str, line: int, said: str
) -> None:
    """File, line and reason; not even the good games beside it, and no new database."""
    file = tmp_path / name
    file.write_text(text)
    before = content(db)
    for target in (db, tmp_path / "new.db"):
        ended = arena("import", file, "--into", target)
        assert (ended.exit_code, ended.stdout) == (2, "")
        first, last = ended.stderr.splitlines()
        assert first.startswith(f"arena: {file}:{line}: ") and said in first
        assert last == f"arena: 1 game of {file} refused; nothing was imported"
    assert content(db) == before
    assert sorted(os.listdir(tmp_path)) == sorted([name, "games.db"])


@pytest.mark.parametrize(
    ("game", "imported", "merged"),
    [
        ({}, "aa11-1 is in {db} already, played otherwise", "is in {out} already, played otherwise"),
        ({"id": "aa11-01"}, "aa11-01 has number 1, which game aa11-1 has in {db} already", "has no place in"),
    ],
)
def test_a_game_that_went_otherwise_or_has_a_number_of_another_is_refused(
    arena: Arena, db: Path, tmp_path: Path, game: dict[str, Any], imported: str, merged: str
) -> None:
    """Imported or merged, both stay as they are: one number of a run is one game."""
    other, out, file = tmp_path / "other.db", tmp_path / "all.db", tmp_path / "games.jsonl"
    with Store.create_or_open(other) as store:
        add(store, "aa11", [replace(record("aa11", 1, "p1", Termination.RESIGNATION, ESCAPE[:3]), **game)])
    arena("export", other, "--format", "jsonl", "--output", file)
    before = content(db)
    refused = arena("import", file, "--into", db)
    assert refused.exit_code == 2 and f"{file}:1: game {imported.format(db=db)}" in refused.stderr
    assert content(db) == before
    ended = arena("merge", out, db, other)
    assert (ended.exit_code, ended.stdout) == (2, "") and merged.format(out=out) in ended.stderr
    assert not out.exists()


def test_databases_are_merged(arena: Arena, db: Path, mixed_db: Path, tmp_path: Path) -> None:
    """Runs, players, withdrawals and games, each game once, counted as if it had been played there."""
    one, two, out = tmp_path / "one.db", tmp_path / "two.db", tmp_path / "out.db"
    games = [record("aa11", number, "p2", "king-escaped") for number in (1, 2, 3, 4)]
    for path, share in ((one, games[:3]), (two, games[1:])):
        with Store.create_or_open(path) as store:
            add(store, "aa11", share)
            store.keep_withdrawn("aa11", {"alpha": "tired"})
    assert arena("merge", out, one, two, mixed_db).exit_code == 2  # aa11 went otherwise there
    assert arena("merge", out, one, two).stdout == f"4 games of 2 databases merged into {out}\n"
    with Store.open_existing(out) as store:
        assert list(store.games()) == games
        assert store.withdrawn("aa11") == {"alpha": "tired"}
        assert sum(each.games for each in store.counts()) == 4
        assert sum(each.distinct for each in store.counts(EVERYTHING)) == 2  # one line from each side
    again = arena("merge", out, one)
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)


def test_last_positions_are_exported_with_the_id_behind_them(arena: Arena, db: Path) -> None:
    """One line a game; a filter chooses games as in every format."""
    lines = arena("export", db, "--format", "fen").stdout.splitlines()
    fens, ids = zip(*(line.split(" # ") for line in lines), strict=True)
    assert ids == ("aa11-1", "aa11-2", "aa11-3")
    assert fens[0] == "3a3/3a3/3d3/aad1daa/1d4k/3a3/2a4 p1 4"  # the king has got away
    assert [resolve("scottish", "", fen)[1].fen() for fen in fens[1:]] == list(fens[1:])
    assert arena("export", db, "--format", "fen", "--last", "1").stdout.splitlines() == lines[-1:]
