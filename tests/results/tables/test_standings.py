"""Standings, crosstables, and both as text and as JSON."""

import itertools
import json
import random
import re
from dataclasses import replace

import pytest

from results.ratings import PairResult
from results.ratings.online import rate
from results.record import FORFEITS, ResultCount, Termination, Winner
from results.tables.crosstable import crosstable
from results.tables.render import crosstable_tables, legend, standings_notes, standings_table
from results.tables.standings import Standing, standings
from results.tables.to_json import crosstable_json, engines_json, standings_json
from results.tally import counted
from tests.results.made import GAME, result
from tests.results.ratings.played import as_counts, both_ways, played

GAMES = [
    result("ann", "bob", "p1"),
    result("bob", "ann", "p2"),
    result("ann", "bob", "draw"),
    result("cyd", "ann", "p2", Termination.TIME),
    result("bob", "cyd", "p1", Termination.CRASH),
    result("cyd", "bob", None, Termination.UNFINISHED),
]


def field(count: int, games: int) -> list[ResultCount]:
    """Many games of engines with long names."""
    choose = random.Random(9)
    names = [f"engine-with-a-long-name-{number}" for number in range(count)]
    winners: list[Winner | None] = ["p1", "p1", "p1", "p2", "p2", "draw", None]
    found = []
    for _ in range(games):
        p1, p2 = choose.sample(names, 2)
        winner = choose.choice(winners)
        word = Termination.UNFINISHED if winner is None else choose.choice(["line", Termination.STALL])
        found.append(result(p1, p2, winner, word))
    return found


FULL = "# engine Elo +- TrueSkill games W-D-L score% P>next".split()


def columns_of(table: list[str]) -> list[str]:
    """The headings of a table, none of which is cut."""
    return table[0].replace("p1 %", "p1%").replace("p2 %", "p2%").replace("by game", "by-game").split()


def test_games_in_any_order_and_counted_give_the_same_standings() -> None:
    """A rating depends on what was played, not on when it ended, nor on whether games come one by one or as counts."""
    games = field(5, 300)
    assert standings(games) == standings(games[::-1]) == standings(counted(games))


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


def _sweep(name: str) -> list[tuple[str, str, Winner]]:
    """The king beats an engine on both sides, and that beats the fool."""
    return [("king", name, "p1"), (name, "king", "p2"), (name, "fool", "p1"), ("fool", name, "p2")]


def test_what_scores_leave_open_is_said() -> None:
    """Whose Elo is a guess, since it won or lost everything, is named; so are groups that never met."""
    swept = [result(one, two, won) for name in ("ann", "bob") for one, two, won in _sweep(name)]
    found = standings([*GAMES[:3], *swept * 9, result("x", "y", "draw")])
    heading, *lines = (line.split() for line in standings_table(found))
    cells = {line[1]: line[2:] for line in lines}
    assert heading[2:4] == ["Elo", "+-"] and int(cells["king"][0]) > 0 > int(cells["fool"][0])
    notes = standings_notes(found)
    assert "took every point from the others, so the Elo is a guess: king" in notes
    assert "took no point from the others, so the Elo is a guess: fool" in notes
    assert notes[notes.index("no games connect these 2 groups, so ratings compare only within each:") + 2] == "  x, y"


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


def test_a_line_says_where_roles_matter() -> None:
    """Who wins as p1 and loses as p2 has a role above 0, with its interval; the wide table shows it."""
    games = [PairResult(one, two, 35, 0, 5) for one, two in both_ways([("ann", "b"), ("ann", "c")])]
    games += [PairResult(one, two, 15, 10, 15) for one, two in ("bc", "cb")]
    found, even = standings(as_counts(games)), standings(field(5, 300))
    assert (found.roles_matter, even.roles_matter) == (True, False)
    said = "who plays p1 matters more for some engines: --wide shows their roles"
    assert said in standings_notes(found) and said not in standings_notes(even)
    lines = standings_table(found, wide=True)
    (told,) = (row for row in engines_json(found) if row["name"] == "ann")
    assert isinstance(told["role"], dict)
    assert f"{told['role']['mean']:+.2f}+-" in next(line for line in lines if " ann " in line)
    assert "role: how much mu is higher as p1, and lower as p2" in "; ".join(legend([found], wide=True))
    assert "role" not in columns_of(standings_table(found)) and "role:" not in "; ".join(legend([found]))


def test_late_machines_and_busy_idlers_are_counted() -> None:
    """A flagged game is one of both engines', the machine's forfeit one of its loser, idle CPU of who burned it."""
    time = Termination.TIME
    games = [
        ResultCount("callanish-9", "", "ann", "bob", "p1", time, flagged=1, machine=1),
        ResultCount("callanish-9", "", "bob", "ann", "p1", time, flagged=1, p1_idle=1),
        ResultCount("callanish-9", "", "ann", "cyd", "p1", time, p1_idle=1, p2_idle=1),
    ]
    found = standings(games)
    sums = {row.name: (row.flagged, row.machine, row.burns_idle) for row in found.rows}
    assert sums == {"ann": (2, 0, 1), "bob": (2, 1, 1), "cyd": (0, 0, 1)}
    assert {
        "machine or line late: bob lost 1 game only because of that",
        *(f"busy idler: {name} used CPU in its opponent's time in 1 game" for name in ("ann", "bob", "cyd")),
    } < set(standings_notes(found))
    assert not any("machine" in note or "busy" in note for note in standings_notes(standings(GAMES)))
    long = replace(found, rows=tuple(replace_name(row, "x" * 60, 10**6) for row in found.rows))
    assert all(len(note) <= 100 for note in standings_notes(long))


def replace_name(row: Standing, name: str, games: int) -> Standing:
    """The row with a long name and large figures."""
    return replace(row, name=name, flagged=games, machine=games, burns_idle=games)


def test_only_faults_are_forfeits() -> None:
    """Time, illegal and malformed moves, crashes and stalls count against the loser, other endings do not."""
    for winner in ("p1", "p2"):
        faults = {"time", "illegal-move", "malformed-move", "crash", "stall"}
        assert {termination.value for termination in FORFEITS} == faults
        loser = "b" if winner == "p1" else "a"
        for termination in Termination:
            rows = {row.name: row.forfeits for row in standings([result("a", "b", winner, termination)]).rows}
            assert rows == {"a": 0, "b": 0} | {loser: int(termination.value in faults)}, termination


def test_standings_are_shown_with_their_figures() -> None:
    """Nine columns; who lost by a fault, and unfinished games, are told below; the rest when wide."""
    found = standings(GAMES, (), rate(GAMES))
    lines = standings_table(found)
    assert lines[0].split() == FULL
    assert re.match(r"1 ann +\+\d+ -\d+\+\d+ +[\d.+-]+ +4 +3-1-0 +87\.5 ", lines[1])
    assert {"lost by a fault: cyd 2", "unfinished: bob 1, cyd 1"} < set(standings_notes(found))
    plain = standings_table(standings(GAMES[:3]), "Evening")
    assert plain[0] == "Evening" and plain[1].split() == FULL
    wide = columns_of(standings_table(found, wide=True))
    assert wide == [*FULL, *"distinct draw% p1% p2% split% role ranks mu-3s by-game unf. forf.".split()]
    assert engines_json(found)[0]["online"] == {"mu": rate(GAMES)["ann"].mu, "sigma": rate(GAMES)["ann"].sigma}


def test_a_legend_explains_the_marks_that_occur_and_no_others() -> None:
    """In short lines; once for all tables."""
    plain, bounded = standings(GAMES[:3]), standings(GAMES)
    assert "; ".join(legend([plain])) == (
        "Elo: above the field's mean; +- holds 95 %; P>next: chance in % of being stronger than the next; "
        "TrueSkill: mu, whose mean is 25, +- 95 %"
    )
    both = legend([plain, bounded])
    assert both == legend([bounded]) and max(map(len, both)) <= 80
    for mark in ("TrueSkill:", "Elo:", "P>next:"):
        assert "; ".join(both).count(mark) == 1
    assert legend([standings(GAMES, anchor="bob")])[0].startswith("Elo: above bob; +- holds 95 %")
    assert legend([standings([], ["amy"])]) == []


def test_results_that_no_rating_explains_are_said_with_their_pairings() -> None:
    """A cycle: which pairings stick out, and by how much; of a field from the model nothing is said."""
    games = [PairResult(one, two, 70, 0, 30) for one, two in ("ab", "bc", "ca")]
    games += [PairResult(two, one, 30, 0, 70) for one, two in ("ab", "bc", "ca")]
    notes = standings_notes(standings(as_counts(games)))
    (at,) = (k for k, note in enumerate(notes) if note.startswith("one rating for each engine does not explain these"))
    assert notes[at + 1].endswith("p below 0.0001)")
    assert " against " in notes[at + 2] and " of 200, expected 100" in notes[at + 2]
    model = played(dict.fromkeys("abcd", 0.0), both_ways(itertools.combinations("abcd", 2)), 50, 1)
    assert not any("does not explain" in note for note in standings_notes(standings(as_counts(model))))


def test_a_crosstable_is_shown_with_numbered_columns() -> None:
    """Points above wins-draws-losses, a dash on the diagonal, an empty cell where two never met."""
    lines = crosstable_tables(crosstable(GAMES[:3], ["ann", "bob", "cyd"]))[0]
    assert [line.split() for line in lines] == [
        ["#", "engine", "1", "2", "3"],
        ["1", "ann", "-", "2.5"],
        ["2-1-0"],
        ["2", "bob", "0.5", "-"],
        ["0-1-2"],
        ["3", "cyd", "-"],
    ]
    assert "%" not in "".join(lines[1:])
    many = crosstable(field(8, 3000), [row.name for row in standings(field(8, 3000)).rows])
    assert "%" in "".join(crosstable_tables(many)[0][1:])


def test_a_crosstable_that_is_wider_than_the_terminal_comes_in_parts() -> None:
    """Every opponent has its column in one of them, and each part names its rows."""
    for width in (20, 24, 32, 40):
        names = [f"engine-{number}" for number in range(1, 13)]
        games = [result(*pair, "draw") for pair in itertools.combinations(names, 2)]
        tables = crosstable_tables(crosstable(games, names), width=width)
        opponents = [heading for table in tables for heading in columns_of(table)[2:]]
        assert opponents == [str(number) for number in range(1, 13)]
        for table in tables:
            lines = table
            assert len(tables) > 1 and max(len(line.rstrip()) for line in lines) <= width
            assert all(any(name in line for line in lines) for name in names)


def test_a_narrow_terminal_has_the_columns_that_matter_most() -> None:
    """A line is never longer than it; on 40 columns rank, name, Elo, its error and score are left; --wide has all."""
    found = standings(field(8, 300), (), rate(field(8, 300)))
    for width in (30, 40, 60, 80, 120):
        table = standings_table(found, width=width)
        headings = columns_of(table)
        assert max(map(len, table)) <= width
        assert set(headings) >= {"#", "engine", "Elo", "+-"} and ("score%" in headings) == (width >= 40)
        if width == 40:
            assert headings == ["#", "engine", "Elo", "+-", "games", "score%"]
        assert (headings == FULL) == (width >= 80)
    assert columns_of(standings_table(found, wide=True))[: len(FULL)] == FULL


def test_standings_as_json_have_every_figure() -> None:
    """The keys are fixed, the values plain."""
    told = json.loads(json.dumps(standings_json(standings(GAMES))))
    assert list(told) == "games distinct side anchor reference groups misfit bridges engines pairs duels".split()
    assert list(told["misfit"]) == ["chi_square", "freedom", "p", "pairings"] and told["bridges"] == []
    assert 0.01 < told["misfit"]["p"] <= 1
    nothing = json.loads(json.dumps(standings_json(standings([], ["amy"]))))
    assert (nothing["misfit"], nothing["bridges"], nothing["engines"][0]["role"]) == (None, [], None)
    rows = json.loads(json.dumps(engines_json(standings(GAMES))))
    assert set(rows[0]) == set(
        "name games wins draws losses score mu sigma conservative p1 p2 unfinished forfeits flagged machine_forfeits "
        "burns_idle rank distinct group online rating lower upper elo better_than_next ranks one_sided role "
        "pairs lower_elo upper_elo".split()
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
        "elo": [None, None],
        "cells": [
            [None, {"games": 3, "wins": 0, "draws": 1, "losses": 2, "score": 0.5, "pairs": None}],
            [{"games": 3, "wins": 2, "draws": 1, "losses": 0, "score": 2.5, "pairs": None}, None],
        ],
    }
