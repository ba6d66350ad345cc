"""Standings, crosstables, and both as text and as JSON."""

import json
import random
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console, RenderableType

from results.crosstable import crosstable, head_to_head
from results.ratings import Rating
from results.record import GameResult, Termination, Winner
from results.standings import FORFEITS, Standing, standings
from results.tables import (
    crosstable_json,
    crosstable_table,
    head_to_head_table,
    standings_json,
    standings_notes,
    standings_table,
)
from results.tally import Tally
from tests.results.made import result

GAMES = [
    result("ann", "bob", "p1"),
    result("bob", "ann", "p2"),
    result("ann", "bob", "draw"),
    result("cyd", "ann", "p2", Termination.TIME),
    result("bob", "cyd", "p1", Termination.CRASH),
    result("cyd", "bob", None, Termination.UNFINISHED),
]


def field(count: int, games: int) -> list[GameResult]:
    """Many games of engines with long names."""
    choose = random.Random(9)
    names = [f"engine-with-a-long-name-{number}" for number in range(count)]
    winners: list[Winner | None] = ["p1", "p1", "p1", "p2", "p2", "draw", None]
    found = []
    for _ in range(games):
        p1, p2 = choose.sample(names, 2)
        winner = choose.choice(winners)
        word = Termination.UNFINISHED if winner is None else choose.choice([Termination.LINE, Termination.STALL])
        found.append(result(p1, p2, winner, word))
    return found


def shown(table: RenderableType, width: int = 80) -> list[str]:
    """The lines of a table on a terminal without colour."""
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(table)
    assert isinstance(console.file, StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_the_best_come_first() -> None:
    """Rows are sorted by conservative rating and numbered from 1."""
    rows = standings(GAMES)
    assert [(row.rank, row.rating.name) for row in rows] == [(1, "ann"), (2, "bob"), (3, "cyd")]
    ratings = [row.rating.conservative for row in rows]
    assert ratings == sorted(ratings, reverse=True)


def test_equal_ratings_are_sorted_by_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two engines with the very same rating the one with more points comes first, whatever its name."""
    points = {"amy": Tally(wins=1), "bea": Tally(wins=3), "cid": Tally(wins=1, draws=1)}
    rated = {name: Rating(name, 25.0, 1.0, tally, Tally()) for name, tally in points.items()}
    monkeypatch.setattr("results.standings.rate", lambda results, names: rated)
    assert [row.rating.name for row in standings([])] == ["bea", "cid", "amy"]


def test_equal_ratings_and_points_are_sorted_by_name() -> None:
    """The alphabet decides last; engines without games are in the table too."""
    assert [row.rating.name for row in standings([], ["zoe", "amy"])] == ["amy", "zoe"]
    games = [result(p1, p2, "draw") for p1, p2 in (("b", "a"), ("d", "c"))]
    assert [row.rating.name for row in standings(games)] == ["a", "b", "c", "d"]


def test_unfinished_games_and_forfeits_are_counted_beside_the_score() -> None:
    """A forfeit is a loss of the engine at fault; an unfinished game is one of both engines'."""
    rows = {row.rating.name: (row.rating.total.games, row.unfinished, row.forfeits) for row in standings(GAMES)}
    assert rows == {"ann": (4, 0, 0), "bob": (4, 1, 0), "cyd": (2, 1, 2)}


def test_late_machines_and_busy_idlers_are_counted() -> None:
    """A flagged game is one of both engines', the machine's forfeit one of its loser, idle CPU of who burned it."""
    time = Termination.TIME
    games = [
        GameResult("callanish-9", "ann", "bob", "p1", time, flagged=True, machine=True),
        GameResult("callanish-9", "bob", "ann", "p1", time, flagged=True, burns_idle=("p1",)),
        GameResult("callanish-9", "ann", "cyd", "p1", time, burns_idle=("p1", "p2")),
    ]
    rows = standings(games)
    counted = {row.rating.name: (row.flagged, row.machine, row.burns_idle) for row in rows}
    assert counted == {"ann": (2, 0, 1), "bob": (2, 1, 1), "cyd": (0, 0, 1)}
    assert set(standings_notes(rows)) == {
        "machine late: 2 games with a ply in which a process waited for a CPU",
        "machine late: bob lost 1 game on time only by that",
        *(f"busy idler: {name} used CPU in its opponent's time in 1 game" for name in ("ann", "bob", "cyd")),
    }
    assert standings_notes(standings(GAMES)) == []
    long = [replace_name(row, "x" * 60, 10**6) for row in rows]
    assert all(len(note) <= 80 for note in standings_notes(long))


def replace_name(row: Standing, name: str, games: int) -> Standing:
    """The row with a long name and large figures."""
    return replace(row, rating=replace(row.rating, name=name), flagged=games, machine=games, burns_idle=games)


@pytest.mark.parametrize("termination", Termination)
@pytest.mark.parametrize("winner", ["p1", "p2"])
def test_only_faults_are_forfeits(termination: Termination, winner: Winner) -> None:
    """Time, illegal and malformed moves, crashes and stalls count against the loser, other endings do not."""
    faults = {"time", "illegal-move", "malformed-move", "crash", "stall"}
    rows = {row.rating.name: row.forfeits for row in standings([result("a", "b", winner, termination)])}
    loser = "b" if winner == "p1" else "a"
    assert rows == {"a": 0, "b": 0} | {loser: int(termination.value in faults)}
    assert (termination in FORFEITS) == (termination.value in faults)


def test_a_crosstable_is_read_from_the_row_s_point_of_view() -> None:
    """Both sides together; nothing where two never met and on the diagonal."""
    table = crosstable(GAMES, ["cyd", "ann", "bob", "dan"])
    assert table.engines == ("cyd", "ann", "bob", "dan")
    assert table.cells == (
        (None, Tally(0, 0, 1), Tally(0, 0, 1), None),
        (Tally(1, 0, 0), None, Tally(2, 1, 0), None),
        (Tally(1, 0, 0), Tally(0, 1, 2), None, None),
        (None, None, None, None),
    )


def test_a_crosstable_mirrors_itself_and_adds_up_to_the_standings() -> None:
    """What one engine won the other lost, and a row's sum is the engine's score."""
    games = field(5, 300)
    rows = standings(games)
    table = crosstable(games, [row.rating.name for row in rows])
    for i, row in enumerate(rows):
        cells = [cell for cell in table.cells[i] if cell is not None]
        assert sum(cells, Tally()) == row.rating.total
        for j in range(len(rows)):
            here, there = table.cells[i][j], table.cells[j][i]
            assert (here and here.reversed) == there


def test_head_to_head_tells_the_sides_apart() -> None:
    """How one engine did against the other as p1 and as p2; nothing where they never met."""
    pair = head_to_head(GAMES, "bob", "ann")
    assert (pair.as_p1, pair.as_p2, pair.total) == (Tally(0, 0, 1), Tally(0, 1, 1), Tally(0, 1, 2))
    assert head_to_head(GAMES, "bob", "dan").total == Tally()


def test_standings_are_shown_with_their_figures() -> None:
    """Every figure has its heading; unfinished games and forfeits appear where there are any."""
    lines = shown(standings_table(standings(GAMES)))
    assert lines[0].split() == "# engine W D L % p1 % p2 % mu sigma rating unf. forf.".split()
    assert lines[1].split()[:8] == ["1", "ann", "3", "1", "0", "87.5", "75.0", "100.0"]
    assert lines[3].split()[-2:] == ["1", "2"]
    plain = shown(standings_table(standings(GAMES[:3]), "Evening"))
    assert plain[0] == "Evening"
    assert plain[1].split()[-1] == "rating"


def test_a_crosstable_is_shown_with_numbered_columns() -> None:
    """Points above wins-draws-losses, a dash on the diagonal, an empty cell where two never met."""
    lines = shown(crosstable_table(crosstable(GAMES[:3], ["ann", "bob", "cyd"])))
    assert [line.split() for line in lines] == [
        ["#", "engine", "1", "2", "3"],
        ["1", "ann", "-", "2.5"],
        ["2-1-0"],
        ["2", "bob", "0.5", "-"],
        ["0-1-2"],
        ["3", "cyd", "-"],
    ]


def test_head_to_head_is_shown_by_side() -> None:
    """Three lines: as p1, as p2, both."""
    lines = shown(head_to_head_table(head_to_head(GAMES, "bob", "ann")))
    assert [line.split()[-6:] for line in lines[1:]] == [
        ["1", "0", "0", "1", "0", "0.0"],
        ["2", "0", "1", "1", "0.5", "25.0"],
        ["3", "0", "1", "2", "0.5", "16.7"],
    ]


@pytest.mark.parametrize("games", [60, 3000])
def test_tables_of_eight_engines_are_legible_on_80_columns(games: int) -> None:
    """No figure is cut off or wrapped, however many games there are; only long names are cut."""
    played = field(8, games)
    rows = standings(played)
    table = crosstable(played, [row.rating.name for row in rows])
    # On a screen of any width the tables would be the same, so that 80 columns have cost nothing.
    for renderable in (standings_table(rows), crosstable_table(table)):
        lines = shown(renderable)
        assert max(map(len, lines)) <= 80
        assert lines == shown(renderable, width=200)
    assert len(shown(standings_table(rows))) == 9
    percentages = "%" in "".join(shown(crosstable_table(table))[1:])
    assert percentages == (games == 3000)


def test_a_name_is_text_and_no_markup() -> None:
    """A name in brackets is shown as it is."""
    rows = standings([result("[red]a", "[/b]", "p1")])
    text = "\n".join(
        [
            *shown(standings_table(rows, "[i]t")),
            *shown(crosstable_table(crosstable([], ["[red]a", "[/b]"]))),
        ]
    )
    assert text.count("[red]a") == text.count("[/b]") == 2
    assert "[i]t" in text


def test_standings_as_json_have_every_figure() -> None:
    """The keys are fixed, the values plain."""
    rows = json.loads(json.dumps(standings_json(standings(GAMES))))
    assert list(rows[0]) == (
        "name games wins draws losses score mu sigma conservative p1 p2 unfinished forfeits "
        "flagged machine_forfeits burns_idle".split()
    )
    ann = rows[0]
    assert (ann["name"], ann["games"], ann["wins"], ann["draws"], ann["losses"], ann["score"]) == (
        "ann",
        4,
        3,
        1,
        0,
        3.5,
    )
    assert (ann["p1"], ann["p2"]) == ({"games": 2, "score": 1.5}, {"games": 2, "score": 2.0})
    assert ann["conservative"] == pytest.approx(ann["mu"] - 3 * ann["sigma"])
    assert [(row["unfinished"], row["forfeits"]) for row in rows] == [(0, 0), (1, 0), (1, 2)]


def test_a_crosstable_as_json_has_null_where_there_is_nothing() -> None:
    """Engines and cells are in the same order."""
    assert json.loads(json.dumps(crosstable_json(crosstable(GAMES[:3], ["bob", "ann"])))) == {
        "engines": ["bob", "ann"],
        "cells": [
            [None, {"games": 3, "wins": 0, "draws": 1, "losses": 2, "score": 0.5}],
            [{"games": 3, "wins": 2, "draws": 1, "losses": 0, "score": 2.5}, None],
        ],
    }
