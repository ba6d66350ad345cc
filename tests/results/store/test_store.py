"""What a store keeps and gives back."""

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_utils import Database

from results.plies import Ply
from results.record import Evidence, GameRecord, Termination, Winner
from results.store.store import Store, StoreError
from tests.results.made import GAME, PLAYERS, RUN, numbered

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture
def store() -> Iterator[Store]:
    """A store in memory that has the run and its players."""
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        yield store


# Everything but surrogates, which are no characters; NULs included.
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
word = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8)
whole = st.integers(0, 2**63 - 1)
plies = st.builds(
    Ply,
    word,
    whole,
    st.none() | whole,
    st.none() | whole,
    st.none() | whole,
    st.none() | whole,
    st.none() | text,
    st.none() | whole,
    st.just(0),
    st.sampled_from(["", "a1", "d3c3 e1e2"]),
)
evidence = st.builds(
    Evidence,
    side=st.sampled_from(["p1", "p2"]),
    fault=text,
    detail=text,
    exit=text,
    transcript=st.lists(text, max_size=3).map(tuple),
    stderr=text,
    allowed_us=st.none() | whole,
    wall_us=st.none() | whole,
    cpu_us=st.none() | whole,
    late_us=st.none() | whole,
    machine=st.booleans(),
)
records = st.builds(
    GameRecord,
    id=st.integers(0, 10**6).map(lambda number: f"{RUN.id}-{number:06d}"),
    number=whole.filter(bool),
    round=whole,
    variant=text,
    p1=st.sampled_from(["ann", "bob"]),
    p2=st.just("cyd"),
    fen=st.builds("{} {} {}".format, word, st.sampled_from(["p1", "p2"]), st.integers(1, 999_999_999)),
    opening=st.lists(word, max_size=4).map(tuple),
    plies=st.lists(plies, max_size=6).map(tuple),
    winner=st.sampled_from(["p1", "p2", "draw", None]),
    termination=st.sampled_from(Termination),
    detail=text,
    tc=text,
    seed=whole,
    started_at=text,
    wall_ms=whole,
    host=text,
    clock=st.sampled_from(["wall", "cpu", "fair"]),
    measured=st.booleans(),
    p1_idle_us=st.none() | whole,
    p2_idle_us=st.none() | whole,
    evidence=st.none() | evidence,
)


@given(records)
def test_a_game_comes_back_as_it_was_given(record: GameRecord) -> None:
    """Whatever a game holds, the store gives back an equal one."""
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        assert store.add_game(record)
        assert list(store.games()) == [record]
        assert store.game(record.id) == store.game(record.number, RUN.id) == record


def test_a_run_and_its_players_come_back_as_they_were_given(store: Store) -> None:
    """Players keep their order and their commands word for word."""
    assert store.runs() == [RUN]
    assert store.players(RUN.id) == list(PLAYERS)
    assert store.players("unknown") == []


def test_a_run_that_is_known_stays_as_it_is(store: Store) -> None:
    """A resumed run is the run that was begun: nothing of it is written again."""
    assert not store.add_run(replace(RUN, name="morning"), PLAYERS[:1])
    assert store.runs() == [RUN]
    assert store.players(RUN.id) == list(PLAYERS)


def test_the_first_result_of_a_game_wins(store: Store) -> None:
    """A game that is played twice counts once."""
    assert store.add_game(GAME)
    assert not store.add_game(replace(GAME, winner="p2"))
    assert list(store.games()) == [GAME]


def test_two_games_cannot_have_one_number(store: Store) -> None:
    """Another id under a number that is taken is refused, for the schedule has one game per number."""
    store.add_game(GAME)
    with pytest.raises(sqlite3.IntegrityError):
        store.add_game(replace(GAME, id=f"{RUN.id}-000009"))
    assert sum(store.played().values()) == 1


def test_a_game_belongs_to_a_known_run_and_known_players(store: Store) -> None:
    """A game whose run or player is not there is refused."""
    for game in (replace(GAME, id="nowhere-000001"), replace(GAME, p1="stranger"), replace(GAME, p2="stranger")):
        with pytest.raises(sqlite3.IntegrityError):
            store.add_game(game)


def test_games_come_in_the_schedule_s_order(store: Store) -> None:
    """Runs as they were begun, then numbers, in whatever order the games were finished."""
    store.add_run(replace(RUN, id="another"), PLAYERS)
    games = [numbered(number, run) for run in (RUN.id, "another") for number in range(1, 21)]
    for game in random.Random(1).sample(games, len(games)):
        store.add_game(game)
    assert list(store.games()) == games
    assert list(store.games("another")) == games[20:]
    assert store.done("another").ranges == ((1, 20),)
    assert [len(list(store.games(run))) for run in (None, "another", "unknown")] == [40, 20, 0]


def test_a_game_that_is_not_there_is_named(store: Store) -> None:
    """By its id, or by its number in a run, which may be that of a game in another run."""
    store.add_game(numbered(1))
    with pytest.raises(StoreError, match="has no game 'x': an id is the run's id, a hyphen and the number"):
        store.game("x")
    with pytest.raises(StoreError, match="has no game with number 3 in run 5ca1ab1e: an id is"):
        store.game(3, RUN.id)


def test_the_file_has_wal_strict_tables_and_foreign_keys(tmp_path: Path) -> None:
    """A reader never waits for the writer, the writer not for the disk, and no column takes what it should not."""
    with Store.create_or_open(tmp_path / "r.db") as store:
        pragmas = {
            name: store._conn.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
        assert pragmas == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 5000}
        assert all(Database(store._conn).table(name).strict for name in ("runs", "players", "games"))


def test_the_view_of_scores_counts_both_sides(store: Store) -> None:
    """Who opens the file in a browser for SQLite reads wins, draws and losses by engine, variant and side."""
    winners: list[Winner | None] = ["p1", "p1", "draw", "p2", None]
    for number, winner in enumerate(winners, 1):
        store.add_game(replace(numbered(number), winner=winner))
    columns = "engine, side, games, score, wins, draws, losses, unfinished"
    assert store._conn.execute(f"SELECT {columns} FROM scores").fetchall() == [
        ("ann", "p1", 4, 2.5, 2, 1, 1, 1),
        ("bob", "p2", 4, 1.5, 1, 1, 2, 1),
    ]
    assert store._conn.execute("SELECT termination, winner, games, mean_plies FROM endings").fetchall() == [
        ("line", None, 1, 4.0),
        ("line", "draw", 1, 4.0),
        ("line", "p1", 2, 4.0),
        ("line", "p2", 1, 4.0),
    ]


WRITER = f"""
import sys
sys.path.append({str(ROOT)!r})
from results.store.store import Store
from tests.results.made import PLAYERS, RUN, numbered
store = Store.create_or_open(sys.argv[1])
store.add_run(RUN, PLAYERS)
number = 0
while True:
    number += 1
    store.add_game(numbered(number))
    print(number, flush=True)
"""


def test_a_killed_writer_loses_no_game_it_reported(tmp_path: Path) -> None:
    """After kill -9 in the middle of storing, the file opens, and every game that was reported is there, whole."""
    path = tmp_path / "r.db"
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(30):
            writer.stdout.readline()
        writer.kill()
        reported = 30 + len(writer.stdout.read().split())
    with Store.open_existing(path) as store:
        games = list(store.games())
        # One more may have been stored that was not reported yet.
        assert len(games) in (reported, reported + 1)
        assert games == [numbered(number) for number in range(1, len(games) + 1)]
        assert store._conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Store.create_or_open(path) as store:
        assert store.add_game(numbered(len(games) + 1))


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    """What was opened for reading stays as it is, and the sentence says that the file was not written."""
    Store.create_or_open(tmp_path / "r.db").close()
    with Store.open_existing(tmp_path / "r.db") as store, pytest.raises(StoreError, match=r"r\.db cannot be written"):
        store.add_run(RUN, PLAYERS)
