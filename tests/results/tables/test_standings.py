"""Standings, crosstables, and both as text and as JSON."""

import json
import random
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console, RenderableType

from results.ratings.online import rate
from results.record import GameResult, Termination, Winner
from results.tables.columns import COLUMNS
from results.tables.crosstable import crosstable
from results.tables.elo import MOST, elo
from results.tables.render import crosstable_table, legend, standings_notes, standings_table
from results.tables.standings import FORFEITS, Standing, standings
from results.tables.to_json import crosstable_json, engines_json, standings_json
from results.tally import Tally, by_variant, counted
from tests.results.made import GAME, result

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
    """Rows go by the published rating, numbered from 1; 0 is the mean of those whom games bound on both sides."""
    rows = standings(GAMES).rows
    assert [(row.rank, row.name) for row in rows] == [(1, "ann"), (2, "bob"), (3, "cyd")]
    means = [row.rating.mean for row in rows if row.rating]
    assert means == sorted(means, reverse=True)
    bounded = [row.rating.mean for row in rows if row.rating and row.rating.one_sided is None]
    assert len(bounded) == 2
    assert sum(bounded) == pytest.approx(0, abs=1e-9)


def test_games_in_any_order_and_counted_give_the_same_standings() -> None:
    """A rating depends on what was played, not on when it ended, nor on whether games come one by one or as counts."""
    games = field(5, 300)
    assert standings(games) == standings(games[::-1]) == standings(counted(games))


def test_pools_keep_variants_apart() -> None:
    """Skill differs by game: one pool a variant, by name, with all its games."""
    games = [result("a", "b", "p1", variant=variant) for variant in ("scottish", "brandub", "scottish")]
    found = by_variant(counted(games))
    assert [(variant, [each.games for each in counts]) for variant, counts in found.items()] == [
        ("brandub", [1]),
        ("scottish", [2]),
    ]


def test_identical_games_count_once_in_the_rating() -> None:
    """Deterministic engines that play one game a hundred times have shown one game; the score has them all."""
    first = replace(GAME, p1="ann", p2="bob")
    other = replace(GAME, p1="bob", p2="ann", opening=("b2", "a1"))
    games = [replace(first, id=f"x-{number}", number=number) for number in range(1, 101)]
    found = standings([*games, other])
    assert (found.games, found.distinct) == (101, 2)
    assert found.rows[0].rating == standings([first, other]).rows[0].rating
    assert {row.name: (row.total.wins, row.distinct) for row in found.rows} == {"ann": (100, 2), "bob": (1, 2)}
    assert "ratings count identical games once: 2 of 101 games differ" in standings_notes(found)


def test_engines_without_a_decided_game_come_last() -> None:
    """The alphabet decides among them; they have no rating."""
    found = standings([result("a", "b", "draw"), result("d", "c", None, Termination.UNFINISHED)], ["zoe", "amy"])
    assert [(row.name, row.rating is None) for row in found.rows] == [
        *(("a", False), ("b", False)),
        *((name, True) for name in ("amy", "c", "d", "zoe")),
    ]
    assert [row.name for row in standings([], ["zoe", "amy"]).rows] == ["amy", "zoe"]
    assert standings_notes(standings([], ["amy"])) == []


def test_what_scores_leave_open_is_said() -> None:
    """Who won everything is rated at least so, who lost everything at most; groups that never met are named."""
    games = [result("king", "ann", "p1"), *GAMES[:3], result("ann", "fool", "p1"), result("x", "y", "draw")]
    found = standings(games)
    lines = shown(standings_table(found), 100)
    bounds = {line.split()[1]: line.split()[2][:2] for line in lines[1:]}
    assert (bounds["king"], bounds["fool"]) == (">=", "<=")
    notes = standings_notes(found)
    assert any(note.startswith(">= at least") for note in notes) and any(
        note.startswith("<= at most") for note in notes
    )
    assert notes[notes.index("no games connect these 2 groups, so ratings compare only within each:") + 2] == "  x, y"


def test_a_table_shows_half_of_each_interval_and_json_its_ends() -> None:
    """1.96 standard deviations; a place that is sure stands alone; groups are numbered from 1."""
    games = [result("ann", "bob", "p1"), result("bob", "ann", "p1")] * 30
    for one in ("ann", "bob"):
        games += [result(one, "cyd", "p1"), result("cyd", one, "p2")] * 30
        games += [result(one, "cyd", "p2"), result("cyd", one, "p1")] * 3
    found = standings(games)
    heading, *lines = (line.split() for line in shown(standings_table(found), 140))
    rows = engines_json(found)
    for line, row in zip(lines, rows, strict=True):
        half, role = float(line[heading.index("+-")]), row["role"]
        assert isinstance(row["sigma"], float) and isinstance(row["upper"], float) and isinstance(row["rating"], float)
        assert (
            half
            == pytest.approx(1.96 * row["sigma"], abs=0.006)
            == pytest.approx(row["upper"] - row["rating"], abs=0.006)
        )
        assert isinstance(role, dict)
        assert float(line[heading.index("+-r")]) == pytest.approx((role["upper"] - role["lower"]) / 2, abs=0.006)
        assert row["group"] == 1
    at = heading.index("ranks")
    assert [lines[0][at], lines[1][at], lines[2][at - 1]] == ["1-2", "1-2", "3"]  # the last has no next one


def test_who_makes_the_mean_is_said() -> None:
    """Where scores leave somebody open, the others; with an anchor, the anchor; else nothing need be said."""
    games = [*GAMES[:3], result("king", "ann", "p1")]
    assert "ratings are relative to the mean of 2 of 3 engines: ann, bob" in standings_notes(standings(games))
    found = standings(games, anchor="bob")
    assert "ratings are relative to bob, the anchor" in standings_notes(found)
    assert {row.name: row.rating and row.rating.mean for row in found.rows}["bob"] == 0
    told = standings_json(found)
    assert (told["anchor"], told["reference"]) == ("bob", ["bob"])
    assert not any("relative" in note for note in standings_notes(standings(GAMES[:3])))
    elsewhere = standings(games, anchor="dan")
    assert (elsewhere.anchor, elsewhere.reference) == (None, ("ann", "bob"))


def test_roles_are_shown_where_they_are_asked_for() -> None:
    """One who wins as p1 and loses as p2 has a role above 0, with its interval, in the table and as JSON."""
    games = [result("ann", name, "p1") for name in "bc"] * 8 + [result(name, "ann", "p1") for name in "bc"] * 8
    games += [result("b", "c", winner) for winner in ("p1", "p2", "draw")] * 4
    found = standings(games)
    heading, *lines = (line.split() for line in shown(standings_table(found), 120))
    (ann,) = (line for line in lines if line[1] == "ann")
    role = ann[heading.index("role")]
    assert role.startswith("+") and heading[heading.index("role") + 1] == "+-r"
    (told,) = (row for row in engines_json(found) if row["name"] == "ann")
    assert isinstance(told["role"], dict)
    assert told["role"]["lower"] < told["role"]["mean"] == pytest.approx(float(role), abs=0.005)
    assert any(note.startswith("role: ") for note in standings_notes(found))
    assert "role" not in shown(standings_table(standings(games)), 120)[0]


def test_unfinished_games_and_forfeits_are_counted_beside_the_score() -> None:
    """A forfeit is a loss of the engine at fault; an unfinished game is one of both engines'."""
    rows = {row.name: (row.total.games, row.unfinished, row.forfeits) for row in standings(GAMES).rows}
    assert rows == {"ann": (4, 0, 0), "bob": (4, 1, 0), "cyd": (2, 1, 2)}


def test_late_machines_and_busy_idlers_are_counted() -> None:
    """A flagged game is one of both engines', the machine's forfeit one of its loser, idle CPU of who burned it."""
    time = Termination.TIME
    games = [
        GameResult("callanish-9", "ann", "bob", "p1", time, flagged=True, machine=True),
        GameResult("callanish-9", "bob", "ann", "p1", time, flagged=True, burns_idle=("p1",)),
        GameResult("callanish-9", "ann", "cyd", "p1", time, burns_idle=("p1", "p2")),
    ]
    found = standings(games)
    sums = {row.name: (row.flagged, row.machine, row.burns_idle) for row in found.rows}
    assert sums == {"ann": (2, 0, 1), "bob": (2, 1, 1), "cyd": (0, 0, 1)}
    assert {
        "machine late: 2 games with a ply in which a process waited for a CPU",
        "machine late: bob lost 1 game on time only by that",
        *(f"busy idler: {name} used CPU in its opponent's time in 1 game" for name in ("ann", "bob", "cyd")),
    } < set(standings_notes(found))
    assert not any("machine" in note or "busy" in note for note in standings_notes(standings(GAMES)))
    long = replace(found, rows=tuple(replace_name(row, "x" * 60, 10**6) for row in found.rows))
    assert all(len(note) <= 100 for note in standings_notes(long))


def replace_name(row: Standing, name: str, games: int) -> Standing:
    """The row with a long name and large figures."""
    return replace(row, name=name, flagged=games, machine=games, burns_idle=games)


@pytest.mark.parametrize("termination", Termination)
@pytest.mark.parametrize("winner", ["p1", "p2"])
def test_only_faults_are_forfeits(termination: Termination, winner: Winner) -> None:
    """Time, illegal and malformed moves, crashes and stalls count against the loser, other endings do not."""
    faults = {"time", "illegal-move", "malformed-move", "crash", "stall"}
    rows = {row.name: row.forfeits for row in standings([result("a", "b", winner, termination)]).rows}
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
    rows = standings(games).rows
    table = crosstable(games, [row.name for row in rows])
    for i, row in enumerate(rows):
        cells = [cell for cell in table.cells[i] if cell is not None]
        assert sum(cells, Tally()) == row.total
        for j in range(len(rows)):
            here, there = table.cells[i][j], table.cells[j][i]
            assert (here and here.reversed) == there


def test_standings_are_shown_with_their_figures() -> None:
    """Every figure has its heading; unfinished games and forfeits appear where there are any, the rest when wide."""
    lines = shown(standings_table(standings(GAMES)), 100)
    assert lines[0].split() == "# engine rating +- P>next ranks games % draw% p1 % p2 % mu-3s Elo unf. forf.".split()
    assert lines[1].split()[:2] == ["1", "ann"] and lines[1].split()[5:9] == ["1-3", "4", "87.5", "25.0"]
    assert lines[3].split()[-2:] == ["1", "2"]
    plain = shown(standings_table(standings(GAMES[:3]), "Evening"), 100)
    assert plain[0] == "Evening"
    assert plain[1].split()[-1] == "Elo"
    wide = shown(standings_table(standings(GAMES), wide=True), 200)
    assert "games distinct W D L % draw% p1 % p2 % mu sigma mu-3s Elo" in " ".join(wide[0].split())


def test_online_ratings_are_shown_where_they_are_asked_for() -> None:
    """Beside the published ones, with a word of what they are."""
    found = standings(GAMES, (), rate(GAMES))
    lines = shown(standings_table(found), 120)
    assert "Elo online +-3s" in " ".join(lines[0].split())
    assert any(note.startswith("online: TrueSkill game by game") for note in standings_notes(found))
    assert engines_json(found)[0]["online"] == {"mu": rate(GAMES)["ann"].mu, "sigma": rate(GAMES)["ann"].sigma}


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


@pytest.mark.parametrize("games", [60, 3000])
def test_tables_of_eight_engines_are_legible_on_narrow_terminals(games: int) -> None:
    """Nothing is cut or wrapped, however many games there are, but long names: 100 columns, for a crosstable 80."""
    played = field(8, games)
    found = standings(played)
    table = crosstable(played, [row.name for row in found.rows])
    # On a screen of any width the tables would be the same, so that the narrow one has cost nothing.
    for renderable, columns in ((standings_table(found), 100), (crosstable_table(table), 80)):
        lines = shown(renderable, columns)
        assert max(map(len, lines)) <= columns
        assert lines == shown(renderable, width=200)
    assert len(shown(standings_table(found), 100)) == 9
    percentages = "%" in "".join(shown(crosstable_table(table))[1:])
    assert percentages == (games == 3000)


def test_a_name_is_text_and_no_markup() -> None:
    """A name in brackets is shown as it is."""
    found = standings([result("[red]a", "[/b]", "p1")])
    text = "\n".join(
        [
            *shown(standings_table(found, "[i]t")),
            *shown(crosstable_table(crosstable([], ["[red]a", "[/b]"]))),
        ]
    )
    assert text.count("[red]a") == text.count("[/b]") == 2
    assert "[i]t" in text


def test_standings_as_json_have_every_figure() -> None:
    """The keys are fixed, the values plain."""
    rows = json.loads(json.dumps(engines_json(standings(GAMES))))
    assert set(rows[0]) == set(
        "name games wins draws losses score mu sigma conservative p1 p2 unfinished forfeits flagged machine_forfeits "
        "burns_idle rank distinct group online rating lower upper elo better_than_next ranks one_sided role".split()
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
