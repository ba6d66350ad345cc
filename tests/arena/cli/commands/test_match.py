"""`arena match`, `tournament` and `demo`, as a stranger uses them: real engines, real files, and real commands.

What a command answers, and not how its process begins and ends, is asked in this process: that spares a start-up.
"""

import contextlib
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.planning.kept_games import state_folder
from protocol.containment import group
from results.record import GameRecord
from results.store.store import Store
from tests.arena.cli.conftest import Arena, games_in
from tests.arena.conftest import QUICK, ROOT, cup, engine
from tests.running import running

FAST = ["--variant", "callanish-7", "--nodes", "50", "--seed", "3"]


@pytest.fixture
def here(quick: None, arena: Arena) -> Arena:
    """The command line in this process, typed in a folder, with quick engines under the shipped names."""
    return arena


def match_json(arena: Arena, *words: object) -> dict[str, Any]:
    done = arena("match", *words, "--json")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def test_a_match_can_start_from_a_drawn_board_or_a_position_or_changed_rules(here: Arena, tmp_path: Path) -> None:
    """The variant of a drawn board is callanish; changed rules are part of the name."""
    (tmp_path / "b.txt").write_text("\n".join([".......", "...*...", *["......."] * 5]))
    drawn = match_json(here, "random", "greedy", "--board", "b.txt", "--nodes", "9", "--games", 1)["games"][0]
    assert (drawn["variant"], drawn["fen"]) == ("callanish", "7/3*3/7/7/7/7/7 p1 1")
    fen = "7/7/7/1k4a/7/7/7 p2 5"
    placed = match_json(here, "random", "greedy", "--variant", "scottish", "--fen", fen, "--openings", 0, "--nodes", 9)
    assert [game["fen"] for game in placed["games"]] == [fen, fen]
    assert placed["games"][0]["winner"] == "p2", "greedy, to move, walks out"
    words = ("--variant", "scottish", "--rules", "king_steps=2", "--nodes", 9, "--games", 1)
    changed = match_json(here, "random", "greedy", *words)
    assert changed["games"][0]["variant"] == "scottish:king_steps=2"


def test_idle_engines_are_frozen_if_there_are_control_groups(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them it is refused, with the command that gives them."""
    words = ("--variant", "callanish-7", "--tc", "2+0", "--max-plies", "6", "--games", "1", "--seed", "1", "--freeze")
    if group.groups() is not None:
        (game,) = match_json(here, "random", "greedy", *words)["games"]
        assert (game["clock"], game["termination"]) == ("fair", "adjudication")
    monkeypatch.setattr(group, "groups", lambda: None)
    refused = here("match", "random", "greedy", *words)
    assert refused.exit_code == 2 and group.REMEDY in " ".join(refused.stderr.split())


def test_games_without_db_are_in_a_file_that_is_named_at_the_end(here: Arena, tmp_path: Path) -> None:
    """All commands read it, those that are proposed do, and nothing appears in the current folder."""
    done = here("match", "random", "greedy", *FAST)
    (path,) = re.findall(r"^The games are in (.*\.db)$", done.stderr, re.MULTILINE)
    assert Path(path).name.startswith("match-20") and not list(tmp_path.iterdir())
    assert [line[: line.index(":")] for line in done.stderr.splitlines() if " at ply " in line] == ["game 1", "game 2"]
    commands = done.stderr.split("Try next:\n")[1].splitlines()
    assert len(commands) == 3
    for line in commands:
        assert here(*shlex.split(line)[1:]).exit_code == 0, line


def test_a_match_without_db_that_was_interrupted_goes_on(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names what to add to the same command."""
    words = ("match", "random", "greedy", "--games", 40, "--variant", "callanish-7", "--nodes", 5)
    add = Store.add_games

    def interrupting(self: Store, records: Iterable[GameRecord]) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return add(self, records)

    with monkeypatch.context() as patched:
        patched.setattr(Store, "add_games", interrupting)
        done = here(*words, "--concurrency", 1)
    assert done.exit_code == 130
    (db,) = re.findall(r"are kept; the same command with --db (\S+) plays the rest$", done.stderr, re.MULTILINE)
    again = here(*words, "--db", db)
    assert again.exit_code == 0 and "already there" in again.stderr
    assert games_in(Path(db)) == 40


def test_a_quiet_match_that_keeps_nothing_says_nothing_but_its_tables(here: Arena) -> None:
    """`--db none` is a word and no file; only the line with the seed is on stderr."""
    before = set(state_folder().glob("*")) if state_folder().exists() else set()
    done = here("match", "random", "greedy", *FAST, "--db", "none", "--quiet", "--contain", "none")
    assert done.exit_code == 0 and done.stdout.startswith("# engine")
    told = done.stderr.splitlines()
    assert len(told) == 2 and "seed 3" in told[0] and told[1].startswith("openings of callanish-7: ")
    assert not Path("none").exists()
    assert (set(state_folder().glob("*")) if state_folder().exists() else set()) == before


def test_the_reason_of_a_lost_game_is_told_with_the_command_that_shows_the_evidence(
    here: Arena, tmp_path: Path
) -> None:
    """Once, when it happens. An odd number of games is remarked on. The run is stored with the engines' own names."""
    naive = engine(tmp_path / "file")
    naive.write_text(naive.read_text().replace("bestmove d4", "bestmove a1b1c1"))
    done = here("match", naive, "random", "--games", 1, *FAST, "--db", "m b.db", "--contain", "none")
    lines = done.stderr.splitlines()
    with Store.open_existing("m b.db") as store:
        settings = store.runs()[0].settings
        assert [*settings["containment"]] == [each["name"] for each in settings["engines"]] != ["file", "random"]
    (told,) = (line for line in lines if "game 1: " in line)
    assert told.startswith("arena: game 1: ") and " lost by illegal-move: " in told and " at ply 5: " in told
    assert "arena: --games 1 is odd: the last game is not played again with the sides changed" in lines
    (evidence,) = (line.split("see: ")[1] for line in lines if "see: " in line)
    assert evidence == "arena show 'm b.db' 1"
    assert "end of the dialogue:" in here(*shlex.split(evidence)[1:]).stdout


def tournament(*engines: str) -> str:
    """A small tournament's file."""
    settings = {"variants": ["callanish-7"], "nodes": 5, "seed": 1, "max_plies": 20}
    Path("cup.toml").write_text(cup("random", "greedy", "random", *engines, name="cup", **settings))
    return "cup.toml"


def test_a_tournament_is_played_stored_told_and_not_played_over(here: Arena) -> None:
    """Three engines, both sides: six games in cup.db, which the reading commands understand.

    The same command plays exactly the missing games; of a whole one it prints the tables again.
    """
    file = tournament()
    done = here("tournament", file, "--no-smoke")
    assert done.exit_code == 0, done.stderr
    for name in ("random", "random-2", "greedy"):
        assert name in done.stdout
    assert "arena standings cup.db" in done.stderr
    assert len(here("games", "cup.db").stdout.splitlines()) == 6
    assert here("export", "cup.db", "--format", "jsonl", "--output", "g.jsonl").exit_code == 0
    assert here("verify", "g.jsonl").exit_code == 0
    again = here("tournament", file, "--no-smoke")
    assert again.exit_code == 0 and "0 games to play" in again.stderr
    with closing(sqlite3.connect("cup.db")) as db, db:
        db.execute("DELETE FROM games WHERE number IN (2, 5)")
    resumed = here("tournament", file, "--no-smoke")
    assert resumed.exit_code == 0
    assert "2 games to play" in resumed.stderr
    with closing(sqlite3.connect("cup.db")) as db, db:
        assert db.execute("SELECT count(*), count(DISTINCT number) FROM games").fetchone() == (6, 6)


def test_a_tournament_goes_on_without_an_engine_that_cannot_be_started(here: Arena) -> None:
    """Those who ask for it: it is withdrawn, the others play, and the end and the exit code say what was not played.

    Without the option nothing is played; a resume goes on as it can.
    """
    file = tournament('name = "ghost"\ncommand = ["/bin/false"]')
    refused = here("tournament", file, "--no-smoke")
    assert (refused.exit_code, refused.stdout) == (3, "") and not Path("cup.db").exists()
    for more in (["--without-broken"], []):
        done = here("tournament", file, "--no-smoke", *more)
        assert done.exit_code == 4, done.stderr
        assert "ghost" in done.stderr
        assert "6 of 12 scheduled games were not played" in done.stdout


def test_ctrl_c_ends_everything_and_keeps_what_ended(tmp_path: Path) -> None:
    """Exit 130, no engine left, and the JSON, the database, the PGN and the message agree on the games."""
    mark, db = f"mark-{tmp_path.name}", tmp_path / "m.db"
    play = ["match", *[f"{QUICK} {mark}"] * 2, "--games", "100000", *FAST, "--db", "m.db", "--json", "--pgn", "m.pgn"]
    command, environment = [sys.executable, "-m", "arena.main", *play], {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with running(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe) as match:
        while not games_in(db):
            with contextlib.suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it ended by itself: {match.wait(0.02)}")
        os.killpg(match.pid, signal.SIGINT)
        out, err = match.communicate(timeout=120)
    assert match.returncode == 130
    until = time.monotonic() + 20  # a killed process needs a CPU to end
    while [each for each in psutil.process_iter(["cmdline"]) if mark in (each.info["cmdline"] or ())]:
        assert time.monotonic() < until
    result = json.loads(out)
    whole = [game for game in result["games"] if game["termination"] != "unfinished"]
    assert len(whole) == games_in(db)
    assert f"{len(whole)} of 100000 games ended" in err.decode()
    assert (tmp_path / "m.pgn").read_text().count("[Event ") == sum(bool(game["fen"]) for game in result["games"])
