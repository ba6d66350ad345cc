"""Keeps runs and games in one SQLite file: one writer, any number of readers, one transaction a game.

Knows tables and transactions. Refuses to know how a file is made and opened (`database`), what it answers (`reader`),
who plays, what a move means and what a result is worth.

A game that `add_game` has taken survives `kill -9` of this process. The loss of power may take the last games, but not
the file: WAL with synchronous NORMAL does not wait for the disk at a commit, and a resumed run plays again what is
missing. FULL would keep those games too; on two busy cores it took 4 ms a game (median; 0.3 at best) against 0.1 ms.
All of this uses the bare connection, because the helpers of sqlite-utils cost more than the commit; migrations go
through them.

Every game is counted in the transaction that stores it, so that what was counted is what is there (`second_step` says
why here and not in a trigger). After games were deleted or edited by hand `arena merge` into a new file counts anew.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from results.record import GameRecord, Player, Run
from results.store import files, sql
from results.store import rows as row
from results.store.files import StoreError, Report
from results.store.reader import Brief, Reader

__all__ = ["Brief", "Store", "StoreError"]

INSERT_RUN = f"INSERT INTO runs ({row.RUN_COLUMNS}) VALUES ({row.marks(row.RUN_COLUMNS)}) ON CONFLICT (id) DO NOTHING"
INSERT_PLAYER = (
    f"INSERT INTO players (run, seat, {row.PLAYER_COLUMNS}) VALUES (?, ?, {row.marks(row.PLAYER_COLUMNS)}) "
    "ON CONFLICT (run, name) DO NOTHING"
)
INSERT_GAME = f"INSERT INTO games ({row.WRITTEN_COLUMNS}) VALUES ({row.marks(row.WRITTEN_COLUMNS)})"
COUNT_GAME = sql.ADD.format(columns=row.KEY_COLUMNS, marks=row.marks(row.KEY_COLUMNS))
ALL_GAMES = f"SELECT {row.WRITTEN_COLUMNS.removesuffix(', cell')} FROM games ORDER BY seq"
PLAYED = "SELECT line, winner, termination FROM games WHERE id = ?"
SAME = "SELECT id FROM games WHERE line = ? AND p1 = ? AND p2 = ? AND round = ? AND started_at = ?"


class Store(Reader):
    """One results file, open. Close it, or use it as a context manager; one thread at a time."""

    @classmethod
    def create_or_open(cls, path: str | Path, report: Report = files.ignore) -> Self:
        """Open for writing; made where there is none, migrated where it is older. Raises StoreError.

        `report` hears of a migration in one sentence, which names the copy that was made before.
        """
        return cls(files.create_or_open(Path(path), report=report), str(path))

    @classmethod
    def open_existing(cls, path: str | Path, report: Report = files.ignore) -> Self:
        """Open for reading; writing raises. A file of an older version is migrated first. Raises StoreError."""
        return cls(files.open_existing(Path(path), report=report), str(path))

    @classmethod
    def in_memory(cls) -> Self:
        """An empty store that is gone when it is closed."""
        return cls(files.in_memory(), "the store in memory")

    def close(self) -> None:
        """Give the file back; everything is stored already."""
        self._conn.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """What is stored inside is kept together, or not at all if an exception leaves. Raises StoreError.

        May be nested: the outermost one decides.
        """
        if self._conn.in_transaction:
            yield
            return
        try:
            # IMMEDIATE: a transaction that reads before it writes would otherwise be refused, instead of waiting,
            # where another writer has come between.
            self._conn.execute("BEGIN IMMEDIATE")
            yield
            self._conn.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"{self.name} cannot be written ({error}): {files.remedy(error)}, then resume; "
                "the games stored so far are safe"
            ) from error
        finally:
            if self._conn.in_transaction:
                self._conn.rollback()

    def add_run(self, run: Run, players: Iterable[Player]) -> bool:
        """Keep a run and its players; True where it was new. A run that is there already stays as it is."""
        with self.whole():
            if self._conn.execute(INSERT_RUN, row.from_run(run)).rowcount == 0:
                return False
            self.add_players(run.id, players)
        return True

    def add_players(self, run_id: str, players: Iterable[Player]) -> None:
        """Let more players take part in a run, after those that it has; a name that it has stays as it is."""
        with self.whole():
            seats = int(self._conn.execute("SELECT count(*) FROM players WHERE run = ?", (run_id,)).fetchone()[0])
            rows = [(run_id, seat, *row.from_player(player)) for seat, player in enumerate(players, seats)]
            self._conn.executemany(INSERT_PLAYER, rows)

    def add_game(self, record: GameRecord) -> bool:
        """Keep a finished game; False where its id is there already, for the first result wins.

        Its run and both players must be there. Raises StoreError where the file cannot be written.
        """
        values = row.from_game(record)
        with self.whole():
            return self._add(values)

    def add_games(self, records: Iterable[GameRecord]) -> int:
        """Keep many games in one transaction; how many were new. A tenth of the cost of as many transactions."""
        with self.whole():
            return sum(self._add(row.from_game(record)) for record in records)

    def take_games(self, other: "Store") -> int:
        """Keep all games of another store, whose runs and players must be there, in one transaction; how many were new.

        Raises StoreError where a game is there already and was played otherwise.
        """
        with self.whole():
            return sum(self._take(values, other.name) for values in other._select(ALL_GAMES))

    def _take(self, values: row.Row, source: str) -> bool:
        game = values[0]
        try:
            if self._add(values):
                return True
        except sqlite3.IntegrityError as error:
            raise StoreError(
                f"game {game} of {source} has no place in {self.name} ({error}): keep them apart"
            ) from error
        if self._conn.execute(PLAYED, (game,)).fetchone() != tuple(values[at] for at in row.PLAYED):
            raise StoreError(f"game {game} of {source} is in {self.name} already, played otherwise: keep them apart")
        return False

    def has_same(self, record: GameRecord) -> bool:
        """Is there a game of the same players with the same moves, begun at the same time in the same round?"""
        when = (record.line, record.p1, record.p2, record.round, record.started_at)
        return next(self._select(SAME, *when), None) is not None

    def played_otherwise(self, record: GameRecord) -> bool:
        """Is there a game with this id that went or ended in another way?"""
        found = next(self._select(PLAYED, record.id), None)
        values = row.from_game(record)
        return found is not None and found != tuple(values[at] for at in row.PLAYED)

    def _add(self, values: row.Row) -> bool:
        """Store and count a row in the order of WRITTEN_COLUMNS, its cell left out."""
        execute = self._conn.execute
        if execute("SELECT 1 FROM games WHERE id = ?", values[:1]).fetchone() is not None:
            return False
        key, line = row.key_of(values), values[row.LINE]
        before = None
        # Nearly every line is new, and then this is all.
        if execute(sql.SAME_LINE, (line,)).fetchone() is not None:
            run, variant, _, p1, p2, *_ = key
            before = execute(sql.SAME_GAME, (run, variant, p1, p2, line)).fetchone()[0]
        (cell,) = execute(COUNT_GAME, (*key, before is None, not before)).fetchone()
        execute(INSERT_GAME, (*values, cell))
        return True

    def keep_withdrawn(self, run_id: str, withdrawn: Mapping[str, str]) -> None:
        """Keep who is withdrawn from a run and why, in place of what was known before."""
        with self.whole():
            self._conn.execute("DELETE FROM withdrawn WHERE run = ?", (run_id,))
            rows = [(run_id, name, reason) for name, reason in withdrawn.items()]
            self._conn.executemany("INSERT INTO withdrawn (run, name, reason) VALUES (?, ?, ?)", rows)
