"""Looking up what a reader names: words of a filter, runs and games."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from results.store import lookup
from results.store.filter import Filter
from results.store.lookup import BadWord
from results.store.store import Store, StoreError
from tests.results.made import GAME, PLAYERS, RUN, numbered


@pytest.fixture
def store() -> Iterator[Store]:
    """A run of two games, and a run of one, whose ids begin alike."""
    other = replace(RUN, id="5ca1ab2f", name="morning")
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        store.add_run(other, PLAYERS)
        for game in (numbered(1), numbered(2), replace(numbered(1, other.id), tc="1+0 | 5+0", seed=12)):
            store.add_game(game)
        yield store


def test_words_become_a_filter() -> None:
    """Times become what the file holds, in UTC. A date as `until` includes that day."""
    found = lookup.parse_filter(engine="ann", termination="line", since="2024-01-02T04:00+01:00", until="2024-01-02")
    assert (found.engine, found.termination) == ("ann", "line")
    assert (found.since, found.until) == ("2024-01-02T03:00:00+00:00", "2024-01-03")


def test_a_word_that_is_none_is_refused_with_its_field() -> None:
    """The command line makes an option of the field."""
    for words in ({"since": "yesterday"}, {"until": "9999-12-31"}):
        ((field, word),) = words.items()
        with pytest.raises(BadWord, match=f"^{field} {word}: "):
            lookup.parse_filter(**words)


@pytest.mark.parametrize(
    ("which", "said"),
    [
        (Filter(engine="dan"), "engine dan: the store in memory has no such engine; it has ann, bob, cyd"),
        (Filter(opponent="p1"), "opponent p1: the store in memory has no such engine; it has ann, bob, cyd"),
        (Filter(winner="dan"), "winner dan: the store in memory has no such engine; it has ann, bob, cyd"),
        (Filter(variant="go"), "variant go: the store in memory has no such games; it has callanish-9"),
        (Filter(tc="9+9"), "tc 9+9: the store in memory has no such games; it has 1+0 | 5+0, 10+0.1"),
        (Filter(run="x"), "run x: the store in memory has no such run; name one of 5ca1ab1e, 5ca1ab2f"),
        (Filter(run="5ca"), "run 5ca: the store in memory has several such runs; name one of 5ca1ab1e, 5ca1ab2f"),
    ],
)
def test_a_name_that_nothing_has_is_refused_with_the_names_that_there_are(
    store: Store, which: Filter, said: str
) -> None:
    """A misspelt name would find nothing and not say why."""
    with pytest.raises(BadWord) as refused:
        lookup.resolve_filter(store, which)
    assert str(refused.value) == said


def test_a_known_filter_gets_the_whole_id_of_its_run(store: Store) -> None:
    """`p1`, `draw` and the like may win, and a handicap has no order."""
    which = Filter(run="5ca1ab2", winner="p1", tc="5+0 | 1+0")
    found, runs = lookup.resolve_filter(store, which)
    assert found == replace(which, run="5ca1ab2f") and [run.name for run in runs] == ["morning"]
    assert [run.id for run in lookup.resolve_filter(store, Filter())[1]] == ["5ca1ab1e", "5ca1ab2f"]


def test_an_ending_is_a_word_of_a_stored_game_or_of_the_referee(store: Store) -> None:
    """The words of games are those in the file; a word of the referee may have no game."""
    for word in ("line", "stall"):
        lookup.resolve_filter(store, Filter(termination=word))
    with pytest.raises(BadWord, match=r"^termination boredom: name one of line, resignation, .*, unfinished$"):
        lookup.resolve_filter(store, Filter(termination="boredom"))


def test_a_game_is_found_by_its_number_its_id_or_the_start_of_its_id(store: Store) -> None:
    """A number is that of the newest run that has it."""
    runs = store.runs()
    for key, game_id in (
        ("1", "5ca1ab2f-000001"),
        ("2", "5ca1ab1e-000002"),
        (GAME.id, GAME.id),
        ("5ca1ab2", "5ca1ab2f-000001"),
    ):
        assert lookup.find_game(store, key, runs).id == game_id
    with pytest.raises(StoreError, match=r"'5ca1' means several games in .*5ca1ab1e-000001, 5ca1ab1e-000002"):
        lookup.find_game(store, "5ca1", runs)
    for key in ("3", "\udcff"):  # a byte of another encoding
        with pytest.raises(StoreError, match=f"has no game {key!a}".replace("\\", r"\\")):
            lookup.find_game(store, key, runs)


def test_only_an_engine_with_a_decided_game_is_an_anchor(store: Store) -> None:
    """Without an anchor there is nothing to check."""
    counts = store.counts()
    lookup.check_anchor(store, None, counts)
    lookup.check_anchor(store, "bob", counts)
    with pytest.raises(BadWord, match=r"^anchor cyd: .* it has ann, bob$"):
        lookup.check_anchor(store, "cyd", counts)
