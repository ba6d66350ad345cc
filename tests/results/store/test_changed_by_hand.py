"""A results file that somebody else made or changed: what may harm its readers is refused with one sentence.

Every command opens files by `files`, so what is refused here is refused everywhere.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from results.store import files
from results.store.store import Store, StoreError, merge
from tests.results.made import GAME, PLAYERS, RUN
from tests.results.store.test_old_schemas import restored

ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"


def made(path: Path) -> Path:
    """A file with a game."""
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(GAME)
    return path


def change(path: Path, *statements: str) -> Path:
    """Change a file as its owner can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)
    return path


def forge(kind: str, name: str, sql: str) -> str:
    """The statement that adds a row to the list of tables without asking SQLite what it thinks of it."""
    quoted = sql.replace("'", "''")
    return f"INSERT INTO sqlite_schema VALUES ('{kind}', '{name}', '{name}', 0, '{quoted}')"


HARMFUL = {
    "a view that never ends in the place of a table": (
        'its view "withdrawn" is not as',
        ["DROP TABLE withdrawn", f"CREATE VIEW withdrawn AS {ENDLESS} x AS run FROM n WHERE x < 0"],
    ),
    "a column more": ('its table "runs" is not as', ["ALTER TABLE runs ADD COLUMN note TEXT"]),
    "a default that fails": (
        'its table "players" is not as',
        ["UPDATE sqlite_schema SET sql = replace(sql, 'INTEGER NOT NULL', 'INT DEFAULT 1') WHERE name = 'players'"],
    ),
    "an index of ours on other columns": (
        'its index "games_facts" is not as',
        ["DROP INDEX games_facts", "CREATE INDEX games_facts ON games (number)"],
    ),
    "a table that is missing": ("it has no withdrawn", ["DROP TABLE withdrawn"]),
    "an index that is missing": ("it has no games_facts", ["DROP INDEX games_facts"]),
    "a trigger on games": (
        'its trigger "gone" may change games',
        ["CREATE TRIGGER gone AFTER INSERT ON games BEGIN DELETE FROM games; END"],
    ),
    "a trigger that says it is a view": (
        r"cannot be used \(malformed database schema",
        [forge("view", "nice", "CREATE /**/ TRIGGER nice AFTER INSERT ON games BEGIN DELETE FROM games; END")],
    ),
    "a view with another name than it says": (
        r"cannot be used \(malformed database schema",
        ["DROP VIEW endings", forge("view", "nice", "CREATE VIEW endings AS SELECT 1")],
    ),
    "an index that takes no equal rows": (
        'its index "one" may keep games from being stored',
        ["CREATE UNIQUE INDEX one ON games (run)"],
    ),
    "an index of a function": (
        'its index "slow" may keep games from being stored',
        ["CREATE INDEX slow ON games (hex(zeroblob(1000 * 1000)))"],
    ),
    "an index of some rows": (
        'its index "some" may keep games from being stored',
        ["CREATE INDEX some ON games (number) WHERE abs(number) > 1"],
    ),
}


@pytest.mark.parametrize("what", HARMFUL)
def test_a_changed_structure_is_refused_in_one_sentence(tmp_path: Path, what: str) -> None:
    """By readers, writers and `merge`; the file stays as it is, and a reader never begins to read."""
    sentence, statements = HARMFUL[what]
    path = change(made(tmp_path / "r.db"), *statements)
    before = path.read_bytes()
    for opener in (Store.open_existing, Store.create_or_open):
        with pytest.raises(StoreError, match=rf"r\.db:? {sentence}"):
            opener(path)
    with pytest.raises(StoreError, match=sentence):
        merge(tmp_path / "all.db", [path])
    assert files.has_games(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["r.db"]


def test_what_a_user_adds_beside_our_tables_stays(tmp_path: Path) -> None:
    """Plain indexes, views, tables with all that they have, statistics of SQLite, comments and blanks."""
    path = change(
        made(tmp_path / "r.db"),
        "CREATE INDEX mine ON games (p1, started_at DESC)",
        'CREATE INDEX "my index" ON "games" ("winner")',
        "CREATE VIEW wins AS SELECT p1, count(*) FROM games WHERE winner = 'p1' GROUP BY 1",
        "CREATE TABLE notes (game TEXT UNIQUE, note TEXT DEFAULT 'none', long INT AS (length(note)))",
        "CREATE UNIQUE INDEX note ON notes (lower(note)) WHERE note <> ''",
        "CREATE VIRTUAL TABLE search USING fts5(note)",
        "ANALYZE",
        "UPDATE sqlite_schema SET sql = replace(sql, 'TEXT', '/* of it */   TEXT -- here\n')",
    )
    for opener in (Store.open_existing, Store.create_or_open):
        with opener(path) as store:
            assert list(store.games()) == [GAME]
    with closing(sqlite3.connect(path)) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
    assert {"mine", "my index", "wins", "notes", "note", "search", "sqlite_stat1"} <= names


def test_an_upgrade_keeps_what_a_user_has_added(tmp_path: Path) -> None:
    """An index on a table of ours and a view of two of them are there afterwards, and the view has rows."""
    index, view = "CREATE INDEX mine ON games (p1, started_at DESC)", "CREATE VIEW own AS SELECT * FROM games, runs"
    path = change(restored(tmp_path / "r.db"), index, view)
    Store.create_or_open(path).close()
    with closing(sqlite3.connect(path)) as db:
        added = db.execute("SELECT sql FROM sqlite_schema WHERE name IN ('mine', 'own') ORDER BY name")
        assert added.fetchall() == [(index,), (view,)]
        assert db.execute("SELECT 1 FROM own").fetchone()


UNUSABLE = {
    "": "config is no JSON",
    "[]": "config is no JSON object",
    '{"a": ' * 900 + "1" + "}" * 900: "config is nested too deeply",
    "[" * 100_000: "config is nested too deeply",
    '{"a": NaN}': "config has the number NaN",
    '{"a": 1e400}': "config has the number 1e400",
    '{"a": "\\ud800"}': "config has half a character",
    '{"a": 1, "a": 2}': "config has the key 'a' twice",
    '{"engines": ["x"]}': "engines of config is not as",
    '{"starts": [[]]}': "starts of config is not as",
    '{"starts": [["brandub", null]], "book": [1, 2]}': "book of config is not as",
    '{"format": {}}': "format of config is not as",
}


def test_settings_that_cannot_be_used_are_a_sentence(tmp_path: Path) -> None:
    """Whatever reads a run finds settings of the types that we write."""
    path = made(tmp_path / "r.db")
    for config, clause in UNUSABLE.items():
        with closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE runs SET config = ?", (config,))
            db.commit()
        with Store.open_existing(path) as store, pytest.raises(StoreError) as refused:
            store.runs()
        assert str(refused.value).startswith(f"{path}: run {RUN.id} cannot be read ({clause}")
