"""Pairs of games: which two games are one, and whether the opening or an engine decided it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from results.record import Winner
from results.store.filter import EVERYTHING, Filter
from results.store.store import Store
from results.tables import statistics
from results.tables.rating_lists import RatingLists, rating_lists_of_runs
from results.tables.render import standings_notes
from results.tables.to_json import crosstables_json, rating_lists_json
from results.tally import PairTally
from tests.results.made import PLAYERS, RUN, numbered

Played = tuple[str, str, Winner | None, str]
"""p1, p2, the winner and the first move of the opening."""


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        yield store


def play(store: Store, games: Sequence[Played], missing: int = 0, **same: str) -> None:
    """Store games with numbers from 1; `missing` is the number of a game that was not played."""
    for number, (p1, p2, winner, opening) in enumerate(games, 1):
        if number != missing:
            game = replace(numbered(number), p1=p1, p2=p2, winner=winner, opening=(opening, "b2"), **same)  # type: ignore[arg-type]
            store.add_game(game)


def tallies(store: Store, which: Filter = EVERYTHING) -> dict[tuple[str, str], PairTally]:
    return {(each.one, each.two): each.tally for each in store.pairs(which)}


def found(store: Store) -> RatingLists:
    return rating_lists_of_runs(store, [RUN.id], most_time_controls=9)


def pair(winner: Winner, next_winner: Winner, opening: str = "a1") -> list[Played]:
    """ann plays p1 in the first game."""
    return [("ann", "bob", winner, opening), ("bob", "ann", next_winner, opening)]


SCORES: dict[tuple[Winner, Winner], PairTally] = {
    ("p1", "p2"): PairTally((0, 0, 0, 0, 1)),
    ("p1", "draw"): PairTally((0, 0, 0, 1, 0)),
    ("draw", "p1"): PairTally((0, 1, 0, 0, 0)),
    ("p2", "p1"): PairTally((1, 0, 0, 0, 0)),
    ("p1", "p1"): PairTally((0, 0, 1, 0, 0), 1),
    ("p2", "p2"): PairTally((0, 0, 1, 0, 0), 1),
    ("draw", "draw"): PairTally((0, 0, 1, 0, 0)),
}


def test_a_pair_is_split_if_one_side_won_both_games() -> None:
    """Otherwise the engine with more points has won it."""
    for (winner, next_winner), tally in SCORES.items():
        with Store.in_memory() as store:
            store.add_run(RUN, PLAYERS)
            play(store, pair(winner, next_winner))
            assert tallies(store) == {("ann", "bob"): tally}, (winner, next_winner)


def test_a_game_that_is_missing_leaves_the_other_pairs_as_they_are(store: Store) -> None:
    """As in a run that was interrupted."""
    play(store, [*pair("p1", "p1"), *pair("p1", "p2", "c3"), *pair("p2", "p2", "d4")], missing=3)
    assert tallies(store) == {("ann", "bob"): PairTally((0, 0, 2, 0, 0), 2)}


def test_pairs_are_those_of_the_games_that_are_asked_for(store: Store) -> None:
    """By run, variant and time control; a time at which one of the two games was played is not enough."""
    play(store, pair("p1", "p1"))
    assert tallies(store, Filter(run=RUN.id, variant="callanish-9", tc="10+0.1")) == {
        ("ann", "bob"): PairTally((0, 0, 1, 0, 0), 1)
    }
    assert tallies(store, Filter(variant="callanish-7")) == {}
    assert tallies(store, Filter(since="2025")) == {}


def test_tables_tell_pairs(store: Store) -> None:
    """The note and the whole field once, each engine and each cell from its own point of view."""
    play(store, [*pair("p1", "p1"), *pair("p1", "p2", "c3"), *pair("draw", "draw", "d4"), *pair("p1", "p2", "e5")])
    tables = found(store)
    note = "4 pairs: 1 split (the same side won both games), 2 won by an engine, 1 drawn"
    assert note in statistics.notes(store, EVERYTHING) and note not in standings_notes(tables.overall.standings)
    told = rating_lists_json(tables)
    assert told["pairs"] == {"pairs": 4, "split": 1, "won": 2, "drawn": 1}
    engines = {each["name"]: each["pairs"] for each in told["engines"]}  # type: ignore[attr-defined]
    assert engines["ann"] == {"won": 2, "drawn": 1, "lost": 0, "split": 1}
    assert engines["bob"] == {"won": 0, "drawn": 1, "lost": 2, "split": 1}
    assert engines["cyd"] == {"won": 0, "drawn": 0, "lost": 0, "split": 0}
    cross = crosstables_json(tables)
    row = cross["engines"].index("bob")  # type: ignore[attr-defined]
    column = cross["engines"].index("ann")  # type: ignore[attr-defined]
    assert cross["cells"][row][column]["pairs"] == engines["bob"]  # type: ignore[index]
