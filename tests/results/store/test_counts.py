"""Filters and counts of games, and that no query reads the rows of all games."""

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.plies import Ply
from results.record import GameRecord, Termination
from results.store.filter import EVERYTHING, Filter, Order, Selection
from results.store.reader import EXTENT, RANGES, IntRanges
from results.store.store import FIND_SAME, Store
from results.tally import counted
from tests.results.made import GAME, PLAYERS, RUN

NAMES = [player.name for player in PLAYERS]
ORDERS: list[Order] = ["schedule", "longest", "shortest", "disputed"]
FILTERS = [
    EVERYTHING,
    Filter(run="r2"),
    Filter(engine="ann"),
    Filter(opponent="ann"),
    Filter(engine="ann", opponent="bob"),
    Filter(variant="brandub", termination=Termination.TIME),
    Filter(winner="p2"),
    Filter(winner="draw"),
    Filter(winner="none"),
    Filter(winner="cyd"),
    Filter(tc="1+0"),
    Filter(since="2024-01-01T00:00:10"),
    Filter(until="2024-01-01T00:00:10"),
    Filter(run="r1", engine="bob", since="2024-01-01T00:00:05", until="2024-01-01T00:00:40"),
]


def some(count: int, run: str, chance: random.Random) -> Iterator[GameRecord]:
    """Games that differ in all that can be asked for; every third or so repeats a line."""
    for number in range(1, count + 1):
        p1, p2 = chance.sample(NAMES, 2)
        moves = [chance.choice("ab") + chance.choice("12") for _ in range(chance.randint(0, 4))]
        yield replace(
            GAME,
            id=f"{run}-{number}",
            number=number,
            variant=chance.choice(["brandub", "callanish-9"]),
            p1=p1,
            p2=p2,
            opening=(),
            plies=tuple(Ply(move, 1, None, None, score=f"cp {chance.choice([-200, 200])}") for move in moves),
            winner=chance.choice(["p1", "p2", "draw", None]),
            termination=chance.choice(["line", Termination.TIME]),
            tc=chance.choice(["1+0", "2+0"]),
            started_at=f"2024-01-01T00:00:{chance.randrange(60):02}+00:00",
            p1_idle_us=chance.choice([None, 10**9]),
        )


def filled(store: Store, games: int = 60, seed: int = 1) -> list[GameRecord]:
    """Two runs of games, stored in any order; the list is in the schedule's."""
    chance = random.Random(seed)
    made: list[GameRecord] = []
    for run in ("r1", "r2"):
        store.add_run(replace(RUN, id=run), PLAYERS)
        made += some(games, run, chance)
    for game in chance.sample(made, len(made)):
        assert store.add_game(game)
    return made


def fits(game: GameRecord, which: Filter) -> bool:
    """The slow and obvious version of a filter."""
    players = (game.p1, game.p2)
    if which.engine is not None and which.opponent is not None and set(players) != {which.engine, which.opponent}:
        return False
    winner = {"p1": game.p1, "p2": game.p2, "draw": "draw", None: "none"}[game.winner]
    return (
        which.run in (None, game.run)
        and which.engine in (None, *players)
        and which.opponent in (None, *players)
        and which.variant in (None, game.variant)
        and which.tc in (None, game.tc)
        and which.termination in (None, game.termination)
        and which.winner in (None, game.winner, winner)
        and (which.since is None or game.started_at >= which.since)
        and (which.until is None or game.started_at < which.until)
    )


@pytest.fixture(scope="module")
def two_runs() -> Iterator[tuple[Store, list[GameRecord]]]:
    """Games in a store, and the list of them. Nobody adds to it."""
    with Store.in_memory() as store:
        yield store, filled(store, 120)


def test_a_filter_finds_the_games_that_fit(two_runs: tuple[Store, list[GameRecord]]) -> None:
    """All of them, each once, in the order asked for; the first or last few are the ends of that list."""
    for number, which in enumerate(FILTERS):
        for order in dict.fromkeys(("schedule", ORDERS[number % 4])) if number else ORDERS:
            check_filter(two_runs, which, order)


def check_filter(two_runs: tuple[Store, list[GameRecord]], which: Filter, order: Order) -> None:
    """One filter in one order."""
    store, games = two_runs[0], [game for game in two_runs[1] if fits(game, which)]
    found = list(store.select(Selection(which, order)))
    briefs = list(store.briefs(Selection(which, order)))
    assert [game.id for game in found] == [brief.id for brief in briefs]
    if order == "schedule":
        assert found == games
    elif order == "disputed":
        assert sorted(game.id for game in found) == sorted(game.id for game in games if game.sums.disputed)
        assert [brief.disputed for brief in briefs] == sorted((game.sums.disputed for game in found), reverse=True)
    else:
        assert sorted(game.id for game in found) == sorted(game.id for game in games)
        lengths = [brief.plies for brief in briefs]
        assert lengths == sorted(lengths, reverse=order == "longest")
    assert list(store.briefs(Selection(which, order, 5))) == briefs[:5]
    assert list(store.select(Selection(which, order, 5, last=True))) == found[-5:]


def test_counts_are_the_games_counted(two_runs: tuple[Store, list[GameRecord]]) -> None:
    """By everything that tables ask for; identical games of a pairing that ended alike count once."""
    for which in FILTERS:
        games = [game for game in two_runs[1] if fits(game, which)]
        assert sorted(two_runs[0].counts(which), key=str) == sorted(counted(games), key=str)
        assert 0 < sum(each.distinct for each in counted(games)) < len(games) or which != EVERYTHING


def test_many_games_are_stored_together_or_not_at_all() -> None:
    """One bad game among many leaves the store as it was; good ones are counted as new."""
    with Store.in_memory() as store:
        store.add_run(replace(RUN, id="r1"), PLAYERS)
        games = list(some(30, "r1", random.Random(3)))
        with pytest.raises(sqlite3.IntegrityError):
            store.add_games([*games, replace(games[0], id="r1-99", number=99, p1="stranger")])
        assert (sum(store.played().values()), store.counts()) == (0, [])
        assert store.add_games(games) == 30
        assert store.add_games(games) == 0
        assert sorted(store.counts(), key=str) == sorted(counted(games), key=str)


def test_games_are_found_by_index() -> None:
    """Nobody waits for a scan of all games to show one, to store one or to go on with a run."""
    for query, arguments in (
        ("SELECT * FROM games WHERE seq = ?", (1,)),
        ("SELECT * FROM games WHERE id = ?", ("x",)),
        ("SELECT * FROM games WHERE run = ? AND number = ?", ("r1", 1)),
        ("SELECT * FROM games WHERE run = ? ORDER BY number", ("r1",)),
        ("SELECT id, run FROM games WHERE id >= ? AND id < ? ORDER BY id", ("x", "y")),
        (FIND_SAME, ("a", "b", "v", "1+0", "p1", "line", 1, "2024", 1)),
        (RANGES, ("r1",)),
        (EXTENT, ("r1",)),
    ):
        with Store.in_memory() as store:
            plan = [step[3] for step in store._conn.execute(f"EXPLAIN QUERY PLAN {query}", arguments)]
            assert not any(step.startswith("SCAN g") for step in plan), plan
            assert any("games" in step or " g " in step for step in plan)
            assert not any("TEMP B-TREE" in step for step in plan)


@given(st.sets(st.integers(1, 40)), st.integers(0, 45))
def test_numbers_that_are_done_come_as_ranges(numbers: set[int], most: int) -> None:
    """As few as there can be; what is missing up to the schedule's last number is found without listing the rest."""
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        store.add_games(replace(GAME, id=f"{RUN.id}-{number}", number=number) for number in numbers)
        done = store.done(RUN.id)
        assert set(done) == numbers
        assert len(done) == len(numbers)
        assert [number in done for number in range(-1, 50)] == [number in numbers for number in range(-1, 50)]
        assert list(done.missing(most)) == [number for number in range(1, most + 1) if number not in numbers]
        assert all(end + 1 < begin for (_, end), (begin, _) in zip(done.ranges, done.ranges[1:], strict=False))
        assert store.done("unknown") == IntRanges()
