"""Keeps runs and games in one SQLite file: one writer, many readers, games that come together in one transaction.

Owns tables and transactions. Independent of how a file is made and opened (`files`), how it is read (`reader`), who
plays, what a move means and what a result is worth.

A game that `add_game` has stored survives `kill -9` of this process. A power failure may lose the last games, but not
the file: WAL with synchronous NORMAL does not wait for the disk at a commit, and a resumed run plays the missing games
again. FULL would keep those games too; on two busy cores it took 4 ms a game (median; 0.3 at best) against 0.1 ms.

sqlite-utils, which takes 0.2 s to load, is imported only where a run, its players or a report are stored. Games are
inserted by plain SQL, in a quarter of its time.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from results.record import CheckReport, GameRecord, Player, Run
from results.store import files, make, rows, schema
from results.store.files import StoreError
from results.store.reader import Brief, Reader
from results.variant_name import namesake, shown

__all__ = ["Brief", "Store", "StoreError"]

_COLUMNS = rows.GAME_COLUMNS
INSERT_GAME = f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
ALL_GAMES = f"SELECT {', '.join(_COLUMNS)} FROM games ORDER BY seq"
WHAT_WAS_PLAYED = "SELECT line, winner, termination FROM games WHERE id = ?"
FIND_SAME = f"""
SELECT 1 FROM games INDEXED BY {schema.FACTS}
WHERE p1 = ? AND p2 = ? AND variant = ? AND tc = ? AND winner IS ? AND termination = ? AND line = ?
    AND started_at = ? AND round = ?
"""
_STEPS = 100_000
"""So many steps of SQLite's machine, about a millisecond, lie between two looks at the time limit."""


class Store(Reader):
    """One results file, open. Close it, or use it as a context manager; one thread at a time."""

    @classmethod
    def create_or_open(cls, path: str | Path) -> Self:
        """Open for writing, as `files.create_or_open` says. Raises StoreError."""
        return cls(files.create_or_open(Path(path)), str(path))

    @classmethod
    def open_existing(cls, path: str | Path, *, upgrade: bool = True) -> Self:
        """Open for reading; writing raises. Raises StoreError.

        A file of an older version is upgraded first, or refused without `upgrade`.
        """
        return cls(files.open_existing(Path(path), upgrade=upgrade), str(path))

    @classmethod
    @contextlib.contextmanager
    def new(cls, path: Path) -> Iterator[Self]:
        """An empty store to fill in the block, at whose end the file appears as `files.new_file` says."""
        with files.new_file(path) as part, cls(files.create_or_open(part, name=path), str(path)) as store:
            yield store

    @classmethod
    def in_memory(cls) -> Self:
        """An empty store that is gone when it is closed."""
        return cls(files.in_memory(), "the store in memory")

    def still_there(self) -> bool:
        """Does the file that is open still have its name, and do the files beside it?

        Otherwise it was removed, moved, replaced or cut short, or its folder was, and what is stored now is seen by
        nobody. It asks for the state of its names, some microseconds, and opens no descriptor.
        """
        return not isinstance(self._conn, files.FileConnection) or self._conn.is_there()

    def data_version(self) -> int:
        """A number that changes whenever another connection has changed the file. Raises StoreError."""
        return int(next(self._select("PRAGMA data_version"))[0])

    def limit_time(self, seconds: float) -> None:
        """From now on queries may take so long together; then they raise StoreError."""
        end = time.monotonic() + seconds
        self._conn.set_progress_handler(lambda: time.monotonic() > end, _STEPS)

    def close(self) -> None:
        """Give the file back; everything is stored already."""
        self._conn.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """What is stored in the block is kept together, or not at all if an exception leaves. Raises StoreError.

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
            place = self._conn.path if isinstance(self._conn, files.FileConnection) else Path(self.name)
            sentence = files.not_written(place, error, Path(self.name))
            sentence = sentence or f"{self.name} cannot be written ({error}): {files.remedy(error)}"
            raise StoreError(f"{sentence}, then resume; the games stored so far are safe") from error
        except UnicodeEncodeError as error:
            self._refuse(f"{error.object[:100]!r}", "it has half a character")
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):  # those are ours
                raise
            raise files.unusable(Path(self.name), error) from error  # it is damaged
        finally:
            if self._conn.in_transaction:
                self._conn.rollback()

    def add_run(self, run: Run, players: Iterable[Player]) -> bool:
        """Keep a run and its players; True where it was new. A run that is there already stays as it is."""
        with self.transaction():
            if any(known.id == run.id for known in self.runs()):
                return False
            self._refuse(f"run {run.id}", rows.run_fault(run.kind, run.config, run.versions))
            make.add(self._conn, "runs", rows.RUN_COLUMNS, [rows.from_run(run)])
            self.add_players(run.id, players)
        return True

    def count_games(self, run_id: str, games: int) -> None:
        """Keep how many games a run has, once that is known."""
        with self.transaction():
            self._conn.execute("UPDATE runs SET games = ? WHERE id = ?", (games, run_id))

    def grow_run(self, run: Run, players: Iterable[Player]) -> None:
        """Keep that a run has more games or engines than it began with."""
        with self.transaction():
            self._refuse(f"run {run.id}", rows.run_fault(run.kind, run.config, run.versions))
            known = {player.name for player in self.players(run.id)}
            self.add_players(run.id, [player for player in players if player.name not in known])
            self._conn.execute("UPDATE runs SET config = ?, games = ? WHERE id = ?", (run.config, run.games, run.id))

    def add_players(self, run_id: str, players: Iterable[Player]) -> None:
        """Let more players take part in a run, after those that it has; a name that it has stays as it is."""
        with self.transaction():
            first = int(self._conn.execute("SELECT count(*) FROM players WHERE run = ?", (run_id,)).fetchone()[0])
            values = [(run_id, number, *rows.from_player(player)) for number, player in enumerate(players, first)]
            make.add(self._conn, "players", ("run", "seat", *rows.PLAYER_COLUMNS), values)

    def add_check_report(self, report: CheckReport) -> None:
        """Keep a report of `arena check`; one that is there already stays. Raises StoreError."""
        with self.transaction():
            make.add(self._conn, "check_reports", CheckReport._fields, [report])

    def add_game(self, record: GameRecord) -> bool:
        """Keep a finished game; False where its id is there already, for the first result wins.

        Its run and both players must be there. Raises StoreError where the file cannot be written.
        """
        return self.add_games([record]) == 1

    def add_games(self, records: Iterable[GameRecord]) -> int:
        """Keep many games in one transaction, at a tenth of the cost of one each; returns how many were new."""
        with self.transaction():
            return sum(self._add(rows.from_game(record)) for record in records)

    def copy_games(self, other: Reader) -> int:
        """Keep all games of another store in one transaction; returns how many were new.

        Their runs and players must be there. Raises StoreError where a game is there already and was played otherwise.
        """
        with self.transaction():
            return sum(self._copy(values, other.name) for values in other._select(ALL_GAMES))

    def _copy(self, values: rows.Row, source: str) -> bool:
        game = values[0]
        try:
            if self._add(values):
                return True
        except sqlite3.IntegrityError as error:
            raise StoreError(
                f"game {game} of {source} has no place in {self.name} ({error}): keep them apart"
            ) from error
        if self._conn.execute(WHAT_WAS_PLAYED, (game,)).fetchone() != rows.what_was_played(values):
            raise StoreError(f"game {game} of {source} is in {self.name} already, played otherwise: keep them apart")
        return False

    def has_same(self, record: GameRecord) -> bool:
        """Is there a game of the same players with the same moves, begun at the same time in the same round?"""
        names = (record.p1, record.p2, record.variant, record.tc)
        ending = (record.winner, record.termination)
        return bool(
            self._conn.execute(FIND_SAME, (*names, *ending, record.line, record.started_at, record.round)).fetchone()
        )

    def played_otherwise(self, record: GameRecord) -> bool:
        """Is there a game with this id that went or ended in another way?"""
        stored = next(self._select(WHAT_WAS_PLAYED, record.id), None)
        return stored is not None and stored != rows.what_was_played(rows.from_game(record))

    def _add(self, values: rows.Row) -> bool:
        """Store a row in the order of GAME_COLUMNS."""
        if self._conn.execute("SELECT 1 FROM games WHERE id = ?", values[:1]).fetchone() is not None:
            return False
        self._refuse(f"game {values[0]}", next(rows.fact_faults(rows.facts_of_row(values)), None))
        self._conn.execute(INSERT_GAME, values)
        return True

    def _refuse(self, what: str, fault: str | None) -> None:
        """Raise StoreError if there is a fault for which readers would refuse the row, and so the whole file."""
        if fault is not None:
            raise StoreError(f"{what} cannot be stored in {self.name} ({fault}): what is there already stays as it is")

    def keep_withdrawn(self, run_id: str, withdrawn: Mapping[str, str]) -> None:
        """Keep the engines that are withdrawn from a run, each with the reason, in place of those known before."""
        with self.transaction():
            self._conn.execute("DELETE FROM withdrawn WHERE run = ?", (run_id,))
            values = ((run_id, name, reason) for name, reason in withdrawn.items())
            make.add(self._conn, "withdrawn", ("run", "name", "reason"), values)


def _extent(run: Run) -> tuple[int, int, int]:
    """How far the run has grown: its engines and the most games; of equals, the one whose games were counted."""
    settings = run.settings
    return len(settings.get("engines", ())), settings.get("games", run.games), -run.games


def merge(out: Path, sources: Sequence[Path]) -> int:
    """Make a new file of all runs, with what belongs to them, and reports of checks; returns how many games it has.

    A game that several sources have is taken once, and a run from the source in which it has grown most. Raises
    StoreError, and makes no file, where `out` exists, or two sources differ in a game or in a user's own variant.
    """
    games = 0
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(Store.open_existing(source)) for source in sources]
        seen: dict[str, str] = {}
        for source, variant in [(each, variant) for each in opened for variant in each.words("variant")]:
            if (other := namesake(variant, seen)) is not None:
                raise StoreError(
                    f"{source.name} and {seen[other]} have games of different variants that are called "
                    f"{shown(variant)!r}: merge them into two databases"
                )
            seen.setdefault(variant, source.name)
        runs: dict[str, Run] = {}
        for run in (run for source in opened for run in source.runs()):
            runs[run.id] = max(runs.get(run.id, run), run, key=_extent)
        into = stack.enter_context(Store.new(out))
        for source in opened:
            with into.transaction():
                for run in source.runs():
                    into.add_run(runs[run.id], ())
                    into.add_players(run.id, source.players(run.id))
                    into.keep_withdrawn(run.id, source.withdrawn(run.id) | into.withdrawn(run.id))
                for report in source.check_reports():
                    into.add_check_report(report)
                games += into.copy_games(source)
    return games
