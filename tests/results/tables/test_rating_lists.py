"""Rating lists of stored games, without the command line."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from results.record import Termination
from results.store.filter import Filter
from results.store.store import Store
from results.tables.rating_lists import RatingLists, rating_lists_of_runs
from results.tables.statistics import statistics, statistics_json
from results.tables.to_json import crosstables_json, rating_lists_json
from tests.results.made import GAME, PLAYERS, RUN, numbered

TIMES = ("1+0", "5+0", "5+0")


@pytest.fixture
def store() -> Iterator[Store]:
    """Three games of ann and bob at two time controls, the second in another variant; cyd has played none."""
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        for number, tc in enumerate(TIMES, 1):
            variant = "callanish-7" if number == 2 else GAME.variant
            store.add_game(replace(numbered(number), tc=tc, variant=variant, opening=("a1", f"b{number}")))
        store.keep_withdrawn(RUN.id, {"cyd": "it did not start"})
        yield store


def rating_lists(store: Store, most_time_controls: int = 9) -> RatingLists:
    """Of its only run."""
    return rating_lists_of_runs(store, [RUN.id], most_time_controls=most_time_controls)


def test_each_variant_and_each_time_control_is_a_rating_list(store: Store) -> None:
    """All games first. Every engine of the run stands in each variant, and in a time control those who played."""
    found = rating_lists(store)
    names = [(ratings.name, [row.name for row in ratings.standings.rows]) for ratings in found.tables]
    assert names == [
        ("all games", ["ann", "bob", "cyd"]),
        ("callanish-7", ["ann", "bob", "cyd"]),
        ("callanish-9", ["ann", "bob", "cyd"]),
        ("time control 1+0", ["ann", "bob"]),
        ("time control 5+0", ["ann", "bob"]),
    ]
    assert [ratings.name for ratings in found.parts("variant")] == ["callanish-7", "callanish-9"]
    assert [ratings.name for ratings in found.parts("tc")] == ["time control 1+0", "time control 5+0"]
    assert found.withdrawn == {"cyd": "it did not start"}
    values = rating_lists_json(found, time_controls=True)
    assert (list(values)[-3:], values["games"]) == (["withdrawn", "variants", "time_controls"], 3)
    assert "time_controls" not in rating_lists_json(found)
    assert list(crosstables_json(found)) == ["engines", "elo", "cells", "variants", "time_controls"]


def test_games_that_are_not_stored_can_be_added(store: Store) -> None:
    """An unfinished game is not kept, and is still told of."""
    game = replace(numbered(4), winner=None, termination=Termination.UNFINISHED, p2="cyd")
    found = rating_lists_of_runs(store, [RUN.id], more=[game])
    assert {row.name: row.unfinished for row in found.overall.standings.rows} == {"ann": 1, "bob": 0, "cyd": 1}
    assert found.have_games
    assert not rating_lists_of_runs(store, [], Filter(engine="nobody")).have_games


def test_statistics_have_engines_endings_and_remarkable_games(store: Store) -> None:
    """As plain values they can be written as JSON."""
    found = statistics(store, Filter())
    assert found.endings == {"ann": {"line": {"won": 3}}, "bob": {"line": {"lost": 3}}}
    assert [game.number for game in found.remarkable["longest"]] == [1, 2, 3]
    assert list(statistics_json(found)) == ["engines", "remarkable"]
