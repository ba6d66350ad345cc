"""games, show, export, standings and crosstable on small databases written by hand."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from results.record import Evidence, Termination
from results.store.store import Store
from tests.arena.cli.conftest import Arena, add, record
from tests.arena.cli.field import Made, keep


def test_games_are_listed_one_a_line(arena: Arena, db: Path) -> None:
    """Number, id, round, p1, p2, variant, result, termination, plies."""
    listed = arena("games", db)
    assert listed.exit_code == 0
    assert [line.split() for line in listed.stdout.splitlines()] == [
        ["1", "aa11-1", "1", "alpha", "beta", "scottish", "0-1", "king-escaped", "6"],
        ["2", "aa11-2", "1", "beta", "alpha", "scottish", "0-1", "time", "4"],
        ["3", "aa11-3", "2", "alpha", "beta", "scottish", "1/2-1/2", "adjudication", "5"],
    ]


def test_games_as_json_lines(arena: Arena, db: Path) -> None:
    """One object a game."""
    game = json.loads(arena("games", db, "--json").stdout.splitlines()[1])
    assert [game.pop(key) for key in ("run", "number", "id", "round")] == ["aa11", 2, "aa11-2", 1]
    assert [game.pop(key) for key in ("p1", "p2", "variant", "tc")] == ["beta", "alpha", "scottish", "5+0.05"]
    assert [game.pop(key) for key in ("winner", "termination", "plies", "wall_ms")] == ["p2", "time", 4, 1234]
    assert [game.pop(key) for key in ("started_at", "disputed")] == ["2026-01-02T03:04:05+00:00", 0]
    assert game == {"detail": "no bestmove within the clock and 50 ms"}


def test_several_runs_are_told_apart(arena: Arena, two_runs: Path) -> None:
    """Each run has a heading; --run takes the start of an id and names the runs where it fits none or several."""
    assert [line for line in arena("games", two_runs).stdout.splitlines() if line.startswith("#")] == [
        "# run aa11, match aa11",
        "# run ab22, match ab22",
    ]
    assert arena("games", two_runs, "--run", "ab").stdout.split()[1] == "ab22-1"
    for wrong, said in (("x", "no such run; name one of aa11, ab22"), ("a", "several such runs; name one of aa11")):
        ended = arena("games", two_runs, "--run", wrong)
        assert ended.exit_code == 2
        assert said in ended.stderr


def test_a_game_is_shown(arena: Arena, db: Path) -> None:
    """Players with their sides, result, every move with its cost, the last board."""
    shown = arena("show", db, "aa11-1").stdout
    assert "p1       alpha (attackers)" in shown
    assert "p2       beta (defenders)" in shown
    assert "result   0-1, beta won by king-escaped" in shown
    rows = [line.split() for line in shown.splitlines()]
    assert ["1", "p1", "d1c1", "opening"] in rows
    assert ["6", "p2", "d3g3", "12.3", "6.7", "-", "4987", "7", "cp", "31", "d3g3", "a1a2"] in rows
    assert "After ply 6 of 6, d3g3:" in shown
    assert "3  · ○ ·[·]· ·=♔=" in shown


def test_what_was_noticed_and_the_evidence_are_shown(arena: Arena, tmp_path: Path) -> None:
    """Late plies, busy idlers, whose fault, how the engine ended, its times and last words, made harmless."""
    words = ("too late", "still running", ("alpha <- go",), "odd \x1b[2J words")
    kept = Evidence("p1", "time", *words, 1_050_000, 1_100_000, 20_000, 99_000)
    game = record("aa11", 1, "p2", Termination.TIME)
    plies = tuple(ply._replace(late_us=us) for ply, us in zip(game.plies, (0, 12_300, 400, None), strict=True))
    game = replace(game, plies=plies, p2_idle_us=250_000, evidence=kept, clock="wall")
    path = tmp_path / "late.db"
    with Store.create_or_open(path) as store:
        add(store, "aa11", [game, replace(record("aa11", 2, "p1", "line"), measured=False)])
    shown = arena("show", path, "1").stdout
    assert "clock    5+0.05, wall, seed 7" in shown
    assert "the machine was late in 1 of 4 plies, marked 'late'" in shown
    assert "beta (p2) used 0.25 s of CPU in its opponent's time" in shown
    rows = [line.split() for line in shown.splitlines()]
    assert ["4", "p2", "d4d3", "12.3", "6.7", "12.3", "4987", "7", "cp", "31", "late", "d4d3", "a1a2"] in rows
    assert "fault  time of alpha (p1): too late" in shown and "exit   still running" in shown
    assert "times  allowed 1050.0 ms, wall 1100.0 ms, cpu 20.0 ms, late 99.0 ms" in shown
    assert "  alpha <- go\n" in shown and "  odd \\x1b[2J words\n" in shown
    assert "only the machine" not in shown
    shown = arena("show", path, "2").stdout
    assert "(judged by wall time" in shown and "fair" not in shown
    with Store.create_or_open(path) as store:
        add(store, "bb22", [replace(game, id="bb22-1", evidence=replace(kept, machine=True))])
    assert "only the machine was late in the move that lost this game" in arena("show", path, "bb22").stdout
    table = arena("standings", path).stdout
    assert "games with a ply" not in table and "alpha lost 1 game only because of that" in table
    assert "machine late: 2 games with a ply" in arena("stats", path).stdout
    assert "busy idler: beta used CPU in its opponent's time in 2 games" in table


def test_a_game_is_shown_by_the_start_of_its_id(arena: Arena, two_runs: Path) -> None:
    """A prefix that fits one game does; several are named, none is refused."""
    assert "id ab22-1" in arena("show", two_runs, "ab").stdout
    ambiguous = arena("show", two_runs, "a")
    assert ambiguous.exit_code == 2
    assert "'a' means several games" in ambiguous.stderr and "aa11-3, ab22-1" in ambiguous.stderr
    assert "id ab22-1" in arena("show", two_runs, "1").stdout  # of the newest run that has it
    assert "id aa11-2" in arena("show", two_runs, "2").stdout
    assert "id ab22-1" in arena("show", two_runs, "1", "--run", "ab22").stdout
    assert arena("show", two_runs, "zz").stderr == (
        f"arena: {two_runs} has no game 'zz'; 'arena games {two_runs}' lists numbers and ids\n"
    )


def test_the_board_of_a_ply(arena: Arena, db: Path) -> None:
    """0 is the start; beyond the end is refused with the range."""
    start = arena("show", db, "1", "--ply", "0", "--ascii").stdout
    assert "The start:" in start and "1  . . . a . . ." in start
    assert "After ply 1 of 6, d1c1:\n" in arena("show", db, "1", "--ply", "1").stdout
    picture = arena("show", db, "1", "--ply", "2", "--svg", "-").stdout
    assert "<title>alpha against beta, scottish, After ply 2 of 6, d3b3</title>" in picture
    ended = arena("show", db, "1", "--ply", "7")
    assert (ended.exit_code, ended.stderr) == (2, "arena: --ply 7: game 1 has 6 plies; name one from 0 to 6\n")


def test_standings(arena: Arena, db: Path) -> None:
    """Both engines, as a table and as JSON: alpha won one game, beta one, one was drawn."""
    shown = arena("standings", db)
    assert shown.exit_code == 0
    assert "alpha" in shown.stdout and "beta" in shown.stdout
    told = json.loads(arena("standings", db, "--json").stdout)
    rows = {row["name"]: (row["games"], row["score"]) for row in told["engines"]}
    assert rows == {"alpha": (3, 1.5), "beta": (3, 1.5)}
    assert (told["games"], told["anchor"], told["reference"]) == (3, None, ["alpha", "beta"])
    assert told["side"]["lower"] < told["side"]["mean"] < told["side"]["upper"]
    assert told["variants"]["scottish"]["engines"] == told["engines"]
    assert told["time_controls"]["5+0.05"]["engines"] == told["engines"]


def test_crosstable(arena: Arena, db: Path) -> None:
    """Both engines against each other, as a table and as JSON, in the order of the standings."""
    shown = arena("standings", db, "--crosstable")
    assert shown.exit_code == 0
    assert shown.stdout.count("1-1-1") == 2
    table = json.loads(arena("standings", db, "--crosstable", "--json").stdout)
    assert table["engines"] == [row["name"] for row in json.loads(arena("standings", db, "--json").stdout)["engines"]]
    record = {"games": 3, "wins": 1, "draws": 1, "losses": 1, "score": 1.5}
    assert table["cells"][0][1] == {**record, "pairs": {"won": 0, "drawn": 0, "lost": 0, "split": 1}}


def test_each_variant_has_its_own_tables(arena: Arena, mixed_db: Path) -> None:
    """Skill differs by game: all games together, then on request a heading and a table a variant, with every player."""
    for more in (("--by", "variant"), ("--crosstable",)):
        lines = arena("standings", mixed_db, *more).stdout.splitlines()
        titles = [line.strip() for line in lines if line.startswith(("scottish", "all"))]
        assert titles == ["all variants", "scottish", "scottish-armed"]
        assert sum(bool(re.match("[12] +beta ", line)) for line in lines) == 3
    alone = arena("standings", mixed_db).stdout
    assert len(re.findall("^[12] +beta ", alone, re.MULTILINE)) == 1
    assert "2 variants together: --by variant shows each" in alone
    assert arena("standings", mixed_db, "--by", "engine").exit_code == 2
    told = json.loads(arena("standings", mixed_db, "--json").stdout)
    assert list(told["variants"]) == ["scottish", "scottish-armed"]
    apart = Counter[str]()
    for ratings in told["variants"].values():
        apart.update({row["name"]: row["games"] for row in ratings["engines"]})
    assert apart == {row["name"]: row["games"] for row in told["engines"]}


def test_each_time_control_has_its_own_tables(arena: Arena, db: Path) -> None:
    """Skill differs by time; a handicap is one, whoever has which side; where there are many, they have no tables."""
    times = {"ee66": "1+0", "ff77": "1+0 | 5+0", "aa88": "5+0 | 1+0"}
    with Store.create_or_open(db) as store:
        for run, tc in times.items():
            add(store, run, [replace(record(run, 1, "p1", Termination.RESIGNATION), tc=tc)])
    lines = arena("standings", db, "--by", "tc").stdout.splitlines()
    assert [line.strip() for line in lines if line.startswith(("time", "all"))] == [
        *("all time controls", "time control 1+0", "time control 1+0 | 5+0", "time control 5+0.05"),
    ]
    assert "together" not in arena("standings", db).stdout
    assert "3 time controls: `arena standings` rates each of them with --by tc" in arena("stats", db).stdout
    told = json.loads(arena("standings", db, "--json").stdout)
    games = {tc: ratings["games"] for tc, ratings in told["time_controls"].items()}
    assert games == {"1+0": 1, "1+0 | 5+0": 2, "5+0.05": 3}
    chosen = json.loads(arena("standings", db, "--tc", "5+0 | 1+0", "--json").stdout)
    assert (chosen["games"], list(chosen["time_controls"])) == (2, ["1+0 | 5+0"])
    for tc in ("1+0 | 5+0", "5+0 | 1+0"):
        assert arena("games", db, "--tc", tc).stdout.count("resignation") == 2
    wrong = arena("standings", db, "--tc", "9+9")
    assert wrong.exit_code == 2 and "it has 1+0, 1+0 | 5+0, 5+0.05" in wrong.stderr
    with Store.create_or_open(db) as store:
        for number in range(5):
            add(store, f"b{number}", [replace(record(f"b{number}", 1, "p1", Termination.STALL), tc=f"{number}+9")])
    shown = arena("standings", db, "--by", "tc").stdout
    assert "time control 1+0" not in shown
    assert "8 time controls together: --tc TC shows one of them" in shown


def test_ratings_are_relative_to_the_engine_that_is_asked_for(arena: Arena, mixed_db: Path) -> None:
    """It has 0 wherever it played; where it did not, that is said; without any game it is refused."""
    with Store.create_or_open(mixed_db) as store:
        game = replace(record("ee66", 1, "p1", Termination.RESIGNATION), variant="scottish-armed", p2="gamma")
        add(store, "ee66", [game])
    told = json.loads(arena("standings", mixed_db, "--anchor", "gamma", "--json").stdout)
    assert {row["name"]: row["rating"] for row in told["engines"]}["gamma"] == 0
    assert (told["anchor"], told["variants"]["scottish"]["anchor"]) == ("gamma", None)
    shown = arena("standings", mixed_db, "--anchor", "gamma", "--by", "variant").stdout
    assert shown.count("not relative to gamma, which has no decided game here") == 1
    refused = arena("standings", mixed_db, "--anchor", "delta")
    assert refused.exit_code == 2
    assert "--anchor delta: " in refused.stderr and "it has alpha, beta, gamma" in refused.stderr


def test_a_database_without_games(arena: Arena, empty_db: Path) -> None:
    """A run that has only just begun is no error."""
    for more in ((), ("--crosstable",)):
        assert arena("standings", empty_db, *more).stdout == "no games yet\n"
    rows = json.loads(arena("standings", empty_db, "--json").stdout)["engines"]
    assert {row["name"]: row["games"] for row in rows} == {"alpha": 0, "beta": 0}
    assert (arena("games", empty_db).exit_code, arena("games", empty_db).stdout) == (0, "")
    assert arena("export", empty_db, "--format", "pgn").stdout == ""
    assert arena("stats", empty_db).stdout == "no games yet\n" and arena("stats", empty_db, "--csv").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "option"), [(["export", "--format", "pgn"], "--output"), (["show", "1"], "--svg")]
)
def test_a_command_never_writes_over_the_database_it_reads(
    arena: Arena, db: Path, tmp_path: Path, arguments: list[str], option: str
) -> None:
    """Nor anything but a file; refused before anything is printed."""
    before = db.read_bytes()
    command, *rest = arguments
    for target, said in ((db, "database"), ("", "is a folder"), (tmp_path, "is a folder")):
        ended = arena(command, db, *rest, option, target)
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert ended.stderr.startswith(f"arena: {option} ") and said in ended.stderr
    assert db.read_bytes() == before


@pytest.mark.parametrize("change", ["fen = '7/7 p1 1'", "variant = 'chess'", "plies = '[]'", "fen = 'x'"])
def test_an_edited_database_is_said_with_its_game(arena: Arena, db: Path, change: str) -> None:
    """Whatever was changed in it by hand: the file, the game, no traceback."""
    with closing(sqlite3.connect(db)) as edited, edited:
        edited.execute(f"UPDATE games SET {change} WHERE number = 1")
    shown = arena("show", db, "1")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr.startswith(f"arena: {db}: game aa11-1 cannot be ")


def test_machines_are_listed_with_what_engines_scored_on_each(arena: Arena, tmp_path: Path) -> None:
    """How many games each played, and how engines score on it."""
    db = tmp_path / "two.db"
    games: list[Made] = [("fox", "owl", winner) for winner in ("p1", "p1", "draw", "p2")]
    with closing(sqlite3.connect(keep(db, "aa", games))) as connection, connection:
        connection.execute("UPDATE games SET host = 'far' WHERE winner = 'p2'")
    machines, scores = arena("standings", db, "--machines").stdout.split("\n\n")
    assert machines.split() == "machine games box 3 far 1".split()
    assert scores.split()[4:] == "box fox 3 83.3 box owl 3 16.7 far fox 1 0.0 far owl 1 100.0".split()
    told = json.loads(arena("standings", db, "--machines", "--json").stdout)
    assert told["machines"] == [{"host": "box", "games": 3}, {"host": "far", "games": 1}]
    assert told["scores"][3] == {"host": "far", "engine": "owl", "games": 1, "score": 1.0}
