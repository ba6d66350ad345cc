"""Keeps what a run plays in its database, and notices when that file is not there any more."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from results.record import GameRecord
from results.store.store import Store, StoreError


class NotKept(StoreError):
    """Results of a run could not be stored. The message is one sentence."""

    exit_code = 5


class Keeper:
    """Stores the games of one run. `db` is its file; None: the store is in memory."""

    def __init__(self, store: Store, run_id: str, db: Path | None) -> None:
        self._store = store
        self._run_id = run_id
        self._db = db

    def keep(self, records: Sequence[GameRecord], withdrawn: Mapping[str, str] | None = None) -> None:
        """Store games, and who is withdrawn if that has changed, in one transaction. Raises NotKept."""
        try:
            if records or withdrawn is not None:
                with self._store.transaction():
                    self._store.add_games(records)
                    if withdrawn is not None:
                        self._store.keep_withdrawn(self._run_id, withdrawn)
        except StoreError as error:
            raise NotKept(str(error)) from error
        if records:
            self.check()

    def check(self) -> None:
        """Raise NotKept if the file was removed, moved or replaced. SQLite would write on into what it opened."""
        if self._db is not None and not self._store.still_there():
            raise NotKept(
                f"{self._db} was removed, moved or replaced while its run was played, so the run is stopped: put it "
                "back, with the files whose names begin like its name, then the same command goes on"
            )
