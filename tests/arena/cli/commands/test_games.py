"""games with its filters, and stats."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from results.store.store import Store
from tests.arena.cli.conftest import Arena, add, record


def ids(ended: Result) -> list[str]:
    """The games of a list, by their ids."""
    assert ended.exit_code == 0, ended.stderr
    return [line.split()[1] for line in ended.stdout.splitlines()]


FILTERS = """
--engine alpha --winner alpha                     2
--winner p2                                       1 2
--winner draw                                     3
--winner none
--opponent beta --termination king-escaped        1
--variant scottish --limit 2                      1 2
--last 2                                          2 3
--engine alpha --last 1                           3
--sort longest                                    1 3 2
--sort shortest --limit 1                         2
--sort shortest --last 1                          1
--since 2026-01-02                                1 2 3
--since 2026-01-02T03:04:06
--since 2026-01-02T04:04:05+01:00                 1 2 3
--until 2026-01-02                                1 2 3
--until 2026-01-01
--until 2026-01-02T03:04:05
--run aa --tc 5+0.05                              1 2 3
"""


def test_games_are_filtered_and_sorted(arena: Arena, db: Path) -> None:
    """All options hold at once; a date as --until takes that day."""
    for line in FILTERS.splitlines()[1:]:
        options, _, numbers = line.partition("  ")
        assert ids(arena("games", db, *options.split())) == [f"aa11-{number}" for number in numbers.split()], line


@pytest.fixture
def disputed_db(tmp_path: Path) -> Path:
    """One game in which both engines saw themselves far ahead, and one in which they agreed."""
    path = tmp_path / "disputed.db"
    with Store.create_or_open(path) as store:
        agreed, apart = (record("aa11", number, "p2", "king-escaped") for number in (1, 2))
        plies = tuple(ply._replace(score="cp 90", nodes=1000, late_us=123) for ply in apart.plies)
        add(store, "aa11", [agreed, replace(apart, plies=plies, p1_idle_us=2000)])
    return path


def test_games_as_csv(arena: Arena, db: Path) -> None:
    """A heading and a line a game."""
    rows = list(csv.reader(arena("games", db, "--csv", "--last", "1").stdout.splitlines()))
    assert dict(zip(*rows, strict=True))["id"] == "aa11-3"


def test_stats(arena: Arena, disputed_db: Path) -> None:
    """By engine what moves took; how games ended; the remarkable games, such as those with the longest dispute."""
    (line,) = arena("games", disputed_db, "--sort", "disputed").stdout.splitlines()
    assert line.split()[1] == "aa11-2" and line.endswith("disputed for 3 plies")
    values = json.loads(arena("stats", disputed_db, "--json").stdout)
    alpha, beta = values["engines"]
    assert (alpha["name"], alpha["games"], alpha["plies"]) == ("alpha", 2, 4)
    assert (alpha["wall_mean_ms"], alpha["depth_mean"]) == (12.345, 7.0)
    assert alpha["endings"] == {"king-escaped": {"won": 1, "lost": 1}}
    assert alpha["nodes_per_s"] == pytest.approx(1000 / 0.012345)
    assert (beta["idle_cpu_mean_ms"], alpha["idle_cpu_mean_ms"]) == (2.0, None)
    assert [game["id"] for game in values["remarkable"]["disputed"]] == ["aa11-2"]
    shown = arena("stats", disputed_db).stdout
    assert "most disputed:" in shown and "disputed for 3" in shown and shown.endswith("at least 100 cp apart\n")
    assert max(map(len, shown.splitlines())) <= 100
    rows = list(csv.DictReader(arena("stats", disputed_db, "--csv", "--engine", "beta").stdout.splitlines()))
    assert [row["name"] for row in rows] == ["alpha", "beta"]
    assert arena("stats", disputed_db, "--since", "2100-01-01").stdout == "no games match these filters\n"
