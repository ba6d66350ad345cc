"""Results files that were edited by hand, or that cannot be written."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from results.record import Evidence
from results.store.store import Store, StoreError
from tests.results.made import GAME, PLAYERS, RUN, numbered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with one game."""
    path = tmp_path / "r.db"
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(GAME)
    return path


def edit(path: Path, table: str, column: str, value: str | None) -> None:
    """What anybody with an editor for SQLite can do, checks switched off."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA ignore_check_constraints = ON")
    db.execute(f"UPDATE {table} SET {column} = ?", (value,))
    db.commit()
    db.close()


EDITED = [
    ("plies", "no JSON"),
    ("plies", "3"),
    ("plies", "[1]"),
    ("plies", "[[1]]"),
    ("plies", '[["slow", null, null], [900, null, null]]'),
    ("plies", '[[1200, 1.5, null, "deep"], [900, null, null]]'),
    ("plies", "[" * 5000),
    ("moves", "a1"),
    ("moves", "a1 b2 c3"),
    ("moves", "a1 b2 c3 d4 e5"),
    ("opening", "a1"),
    ("opening", "b2 a1"),
    ("winner", "white"),
    ("termination", "Boredom!"),
    ("clock", "sundial"),
    ("fen", ""),
    ("fen", "9/9/9\n"),
    ("evidence", "{}"),
    ("evidence", "[]"),
    ("evidence", "no JSON"),
    ("evidence", '{"side": "p1", "fault": 3, "detail": "", "exit": "", "transcript": [], "stderr": ""}'),
    ("evidence", '{"side": "p3", "fault": "", "detail": "", "exit": "", "transcript": [], "stderr": ""}'),
]


def test_an_edited_game_is_named_with_its_file(path: Path) -> None:
    """Reading it ends in a sentence, one by one and all together."""
    whole = path.read_bytes()
    for column, value in EDITED:
        edit(path, "games", column, value)
        with Store.open_existing(path) as store:
            with pytest.raises(StoreError, match=rf"r\.db: game {GAME.id} cannot be read \(.+\): .* restore it"):
                store.game(GAME.id)
            with pytest.raises(StoreError, match=rf"r\.db: game {GAME.id} cannot be read \(.+\): .* restore it"):
                list(store.games())
        path.write_bytes(whole)


def test_an_edited_termination_is_named_by_the_tables_too(path: Path) -> None:
    """They read no moves, but they read that."""
    edit(path, "games", "termination", "Boredom!")
    with Store.open_existing(path) as store, pytest.raises(StoreError, match=rf"r\.db: game {GAME.id} cannot be read"):
        list(store.results())


def test_an_edited_player_is_named_with_its_file(path: Path) -> None:
    """A command that is no list of words."""
    edit(path, "players", "command", "no JSON")
    with Store.open_existing(path) as store, pytest.raises(StoreError, match=r"r\.db: a player of run 5ca1ab1e cannot"):
        store.players(RUN.id)


def test_who_may_not_write_is_told_of_permissions(path: Path) -> None:
    """The file is whole: restoring it from a copy would help nobody."""
    with (
        Store.open_existing(path) as store,
        pytest.raises(StoreError, match=r"readonly.*check its permissions") as said,
    ):
        store.add_game(GAME)
    assert "restore" not in str(said.value)


def test_what_no_reader_would_take_is_not_written(path: Path) -> None:
    """The file would be refused as a whole, with all games that it had before."""
    half, config = "caf\udce9", '{"engines": [{"name": "\\udce9"}]}'
    evidence = Evidence("p1", "crash", "", "", (half,), "")
    with Store.create_or_open(path) as store:
        for add in (
            lambda: store.add_run(replace(RUN, id="2", config=config), ()),
            lambda: store.grow_run(replace(RUN, config=config), ()),
            lambda: store.add_run(replace(RUN, id="2", host=half), ()),
            lambda: store.add_players(RUN.id, [replace(PLAYERS[0], name="dan", command=(half,))]),
            lambda: store.add_game(replace(numbered(2), fen="9/9/9\n")),
            lambda: store.add_game(replace(numbered(2), evidence=evidence)),
        ):
            with pytest.raises(StoreError, match=r"cannot be stored in .*r\.db \("):
                add()
        assert (store.runs(), store.players(RUN.id), [*store.games()]) == ([RUN], [*PLAYERS], [GAME])
