"""`-` is stdout where a command writes one file, never a database or a folder; `--csv`, `--json` and `--quiet`."""

import csv
import json
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Arena
from tests.arena.cli.test_options import FAST

pytestmark = pytest.mark.usefixtures("quick")


def test_the_pgn_of_a_run_stands_alone_on_stdout(arena: Arena) -> None:
    """Without tables; with anything else that is to be there it is refused, before anything is played."""
    done = arena(*FAST, "--pgn", "-")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("[Event ") and done.stdout.count("[GameId ") == 2 and "rating" not in done.stdout
    for other in (("--json",), ("--events", "-")):
        refused = arena(*FAST, "--pgn", "-", *other, "--db", "new.db")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "--pgn -" in refused.stderr and "cannot be printed together" in refused.stderr
    assert not Path("new.db").exists() and not Path("-").exists()


def test_a_game_is_shown_as_it_is_exported(arena: Arena, db: Path) -> None:
    """As JSON, with the configuration of its run, and no board beside it."""
    first = json.loads(arena("export", db, "--format", "jsonl", "--limit", "1").stdout)
    shown = json.loads(arena("show", db, "1", "--json").stdout)
    assert shown.pop("config")["run"] == first["run"]
    assert shown == first
    for words in (("--all",), ("--ply", "2"), ("--svg", "-")):
        refused = arena("show", db, "1", "--json", *words)
        assert (refused.exit_code, refused.stdout, "--json" in refused.stderr) == (2, "", True)


def test_standings_are_a_sheet(arena: Arena, db: Path) -> None:
    """A row for each engine of each table, whose headings are keys of the JSON."""
    rows = list(csv.DictReader(arena("standings", db, "--csv").stdout.splitlines()))
    engines = json.loads(arena("standings", db, "--json").stdout)["engines"]
    assert [(row["table"], row["name"]) for row in rows[:2]] == [("all games", each["name"]) for each in engines]
    assert [int(row["p1_games"]) for row in rows[:2]] == [each["p1"]["games"] for each in engines]
    assert len(rows) == 2
    for other in ("--json", "--machines"):
        assert arena("standings", db, "--csv", other).exit_code == 2
