"""Keeps runs and games in one SQLite file: one writer, any number of readers, one transaction a game.

Knows tables and transactions. Refuses to know how a file is made and opened (`database`), who plays, what a move means
and what a result is worth.

A game that `add_game` has taken survives `kill -9` of this process. The loss of power may take the last games, but not
the file: WAL with synchronous NORMAL does not wait for the disk at a commit, and a resumed run plays again what is
missing. FULL would keep those games too; on two busy cores it took 4 ms a game (median; 0.3 at best) against 0.1 ms.
Inserts and reads of games use the bare connection, because the helpers of sqlite-utils cost more than the commit;
schema, migrations and the rest go through them.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from results import database, row, soundness
from results.database import StoreError
from results.record import GameRecord, GameResult, Player, Run, Termination

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["Store", "StoreError"]

INSERT_RUN = f"INSERT INTO runs ({row.RUN_COLUMNS}) VALUES ({row.marks(row.RUN_COLUMNS)}) ON CONFLICT (id) DO NOTHING"
INSERT_PLAYER = f"INSERT INTO players (run, seat, {row.PLAYER_COLUMNS}) VALUES (?, ?, {row.marks(row.PLAYER_COLUMNS)})"
INSERT_GAME = (
    f"INSERT INTO games ({row.GAME_COLUMNS}) VALUES ({row.marks(row.GAME_COLUMNS)}) ON CONFLICT (id) DO NOTHING"
)
GAMES_OF_RUN = f"SELECT {row.GAME_COLUMNS} FROM games WHERE run = ? ORDER BY number"
RESULTS_OF_RUN = (
    "SELECT id, variant, p1, p2, winner, termination, flagged, machine, burns_idle "
    "FROM games WHERE run = ? ORDER BY number"
)


class Store:
    """One results file, open. Close it, or use it as a context manager; one thread at a time."""

    def __init__(self, db: "Database", name: str) -> None:
        """Take over `db`, whose schema is current; `name` is what messages call it."""
        self._db = db
        self._conn = db.conn
        self.name = name

    @classmethod
    def create_or_open(cls, path: str | Path) -> Self:
        """Open for writing; made where there is none, migrated where it is older. Raises StoreError."""
        return cls(database.create_or_open(Path(path)), str(path))

    @classmethod
    def open_existing(cls, path: str | Path) -> Self:
        """Open for reading; writing raises. A file of an older version is migrated first. Raises StoreError."""
        return cls(database.open_existing(Path(path)), str(path))

    @classmethod
    def in_memory(cls) -> Self:
        """An empty store that is gone when it is closed."""
        return cls(database.in_memory(), "the store in memory")

    def close(self) -> None:
        """Give the file back; everything is stored already."""
        self._conn.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add_run(self, run: Run, players: Iterable[Player]) -> bool:
        """Keep a run and its players; True where it was new. A run that is there already stays as it is."""
        rows = [(run.id, seat, *row.from_player(player)) for seat, player in enumerate(players)]
        try:
            with self._db.atomic():
                if self._conn.execute(INSERT_RUN, row.from_run(run)).rowcount == 0:
                    return False
                self._conn.executemany(INSERT_PLAYER, rows)
        except sqlite3.OperationalError as error:
            raise self._cannot_write(error) from error
        return True

    def add_game(self, record: GameRecord) -> bool:
        """Keep a finished game; False where its id is there already, for the first result wins.

        Its run and both players must be there. Raises StoreError where the file cannot be written.
        """
        values = row.from_game(record)
        try:
            with self._db.atomic():
                return self._conn.execute(INSERT_GAME, values).rowcount == 1
        except sqlite3.OperationalError as error:
            raise self._cannot_write(error) from error

    def runs(self) -> list[Run]:
        """All runs, in the order in which they were begun."""
        return [Run(*values) for values in self._select(f"SELECT {row.RUN_COLUMNS} FROM runs ORDER BY seq")]

    def players(self, run_id: str) -> list[Player]:
        """The players of a run, in the run's order; none for an unknown run."""
        sql = f"SELECT {row.PLAYER_COLUMNS} FROM players WHERE run = ? ORDER BY seat"
        try:
            return [row.to_player(values) for values in self._select(sql, run_id)]
        except (ValueError, TypeError, RecursionError) as error:
            raise self._changed(f"a player of run {run_id}", str(error)) from error

    def games(self, run_id: str | None = None) -> Iterator[GameRecord]:
        """The games of one run, or of all, in the schedule's order: runs as begun, then numbers. Read as asked for."""
        for run in self._run_ids(run_id):
            yield from map(self._game, self._select(GAMES_OF_RUN, run))

    def results(self, run_id: str | None = None) -> Iterator[GameResult]:
        """What `games` gives, in the same order, without moves: enough for ratings and tables."""
        for run in self._run_ids(run_id):
            for game, variant, p1, p2, winner, word, *notes in self._select(RESULTS_OF_RUN, run):
                flagged, machine, burns_idle = bool(notes[0]), bool(notes[1]), tuple(notes[2].split())
                try:
                    termination = Termination(word)
                except ValueError as error:
                    raise self._changed(f"game {game}", str(error)) from error
                yield GameResult(variant, p1, p2, winner, termination, flagged, machine, burns_idle)

    def game(self, key: str | int, run_id: str | None = None) -> GameRecord:
        """The game with this id, or with this number in `run_id`, which may be left out where one run has it.

        Raises StoreError where there is no such game, or more than one.
        """
        select = f"SELECT {row.GAME_COLUMNS} FROM games WHERE"
        if isinstance(key, str):
            found = list(self._select(f"{select} id = ?", key))
            if not found:
                raise StoreError(f"{self.name} has no game {key!r}: an id is the run's id, a hyphen and the number")
            return self._game(found[0])
        found = [
            values
            for run in self._run_ids(run_id)
            for values in self._select(f"{select} run = ? AND number = ?", run, key)
        ]
        where = self.name if run_id is None else f"run {run_id} in {self.name}"
        if len(found) > 1:
            ids = ", ".join(values[0] for values in found)
            raise StoreError(f"{where} has {len(found)} games with number {key}: name one by its id ({ids})")
        if not found:
            raise StoreError(f"{where} has no game with number {key}: {self._what_is_there(run_id)}")
        return self._game(found[0])

    def keep_withdrawn(self, run_id: str, withdrawn: Mapping[str, str]) -> None:
        """Keep who is withdrawn from a run and why, in place of what was known before."""
        try:
            with self._db.atomic():
                self._conn.execute("DELETE FROM withdrawn WHERE run = ?", (run_id,))
                rows = [(run_id, name, reason) for name, reason in withdrawn.items()]
                self._conn.executemany("INSERT INTO withdrawn (run, name, reason) VALUES (?, ?, ?)", rows)
        except sqlite3.OperationalError as error:
            raise self._cannot_write(error) from error

    def withdrawn(self, run_id: str) -> dict[str, str]:
        """Who is withdrawn from a run, and why."""
        return dict(self._select("SELECT name, reason FROM withdrawn WHERE run = ? ORDER BY name", run_id))

    def numbers(self, run_id: str) -> set[int]:
        """The numbers of the run's games that are stored."""
        return {number for (number,) in self._select("SELECT number FROM games WHERE run = ?", run_id)}

    def count(self, run_id: str | None = None) -> int:
        """How many games are stored, of one run or of all."""
        sql = "SELECT count(*) FROM games"
        found = self._select(sql) if run_id is None else self._select(f"{sql} WHERE run = ?", run_id)
        return int(next(found)[0])

    def _game(self, values: row.Row) -> GameRecord:
        """The game of a row. Raises StoreError where the row cannot be what `add_game` wrote."""
        found = dict(zip(row.GAME_COLUMNS.split(", "), values, strict=True))
        try:
            record = row.to_game(values)
            wrong = next(soundness.faults(record, found["moves"]), None)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise self._changed(f"game {found['id']}", str(error)) from error
        if wrong is not None:
            raise self._changed(f"game {found['id']}", wrong)
        return record

    def _changed(self, what: str, why: str) -> StoreError:
        return StoreError(
            f"{self.name}: {what} cannot be read ({why}): the file was changed by hand; restore it from a copy"
        )

    def _select(self, sql: str, *arguments: str | int) -> Iterator[row.Row]:
        """The rows of a query, read as asked for."""
        try:
            yield from self._conn.execute(sql, arguments)
        except sqlite3.DatabaseError as error:
            raise database.unusable(Path(self.name), error) from error

    def _run_ids(self, run_id: str | None) -> list[str]:
        return [run_id] if run_id is not None else [run.id for run in self.runs()]

    def _what_is_there(self, run_id: str | None) -> str:
        numbers = set().union(*(self.numbers(run) for run in self._run_ids(run_id)))
        return f"its numbers lie from {min(numbers)} to {max(numbers)}" if numbers else "it has no games yet"

    def _cannot_write(self, error: sqlite3.Error) -> StoreError:
        return StoreError(
            f"{self.name} cannot be written ({error}): {database.remedy(error)}, then resume; "
            "the games stored so far are safe"
        )
