"""Adds the games of a file to a store: all of them, or none if one is refused."""

import logging
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from arena.imports.import_readers import IncomingGame, read_games
from results.record import Player, Run
from results.store.store import Store
from results.tables.text_width import some_games
from results.variant_name import namesake, shown

LOG = logging.getLogger("arena")

_MOST_REFUSALS = 20
"""At most this many refused games are reported one by one."""


class ImportRefused(Exception):
    """A file has games that cannot be taken: one sentence with their number."""

    exit_code = 2


class Imported(NamedTuple):
    """The number of games that were added, and of those that were there already."""

    new: int
    known: int


def import_games(file: Path, store: Store) -> Imported:
    """Add the games of a file. A game that the store has, by its id or by players, moves, time and round, is left out.

    The log has a sentence about each of the first refused games, with file and line. Raises ImportRefused where a
    game is refused, and stores nothing then.
    """
    refused = new = known = 0
    games, runs = [*read_games(file)], _Runs(store)  # a transaction holds up a run that plays into the store
    with store.transaction():
        for game in games:
            refusal = game.refusal or ("" if refused else runs.refusal(game))
            if refusal:
                refused += 1
                if refused <= _MOST_REFUSALS:
                    LOG.info(f"{file}:{game.line}: {refusal}")
            elif not refused:
                added = runs.add(game)
                new += added
                known += not added
        if refused:
            more = f" ({refused - _MOST_REFUSALS} more are not named)" if refused > _MOST_REFUSALS else ""
            raise ImportRefused(f"{some_games(refused)} of {file} refused{more}; nothing was imported")
    return Imported(new, known)


class _Runs:
    """The runs of a store that get games; a run that is missing is made."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._next: dict[str, int] = {}
        """The next free number of each run whose games get their numbers here."""
        self._players: dict[str, set[str]] = {}
        self._variants = set(store.words("variant"))
        """Of all games that are there or came from the file so far."""

    def refusal(self, game: IncomingGame) -> str:
        """Why the game cannot be added to the games that are there; empty where it can."""
        record = game.record
        if record is None:
            return ""
        if (other := namesake(record.variant, self._variants)) is not None:
            return (
                f"its variant is called {shown(other)!r}, as another one in {self._store.name} is, with another board "
                "or other rules: import it into another database"
            )
        self._variants.add(record.variant)
        if not game.has_id:
            return ""
        if self._store.played_otherwise(record):
            return f"game {record.id} is in {self._store.name} already, played otherwise"
        there = self._store.id_of(record.run, record.number)
        if there not in (None, record.id):
            return f"game {record.id} has number {record.number}, which game {there} has in {self._store.name} already"
        return ""

    def add(self, game: IncomingGame) -> bool:
        """Store it; False where it is there already."""
        record = game.record
        assert record is not None
        if not game.has_id:
            if self._store.has_same(record):
                return False
            run = sha256(f"import {game.event}".encode(errors="replace")).hexdigest()[:12]
            number = self._next.get(run) or max((last for _, last in self._store.done(run).ranges), default=0) + 1
            self._next[run] = number + 1
            record = replace(record, id=f"{run}-{number}", number=number)
        players = self._players.get(record.run)
        if players is None:
            name = game.event or "imported games"
            made = Run(record.run, name, "import", record.started_at, "{}", 0, 0, record.host, "{}")
            self._store.add_run(made, ())
            players = self._players[record.run] = {player.name for player in self._store.players(record.run)}
        for name in (record.p1, record.p2):
            if name not in players:
                self._store.add_players(record.run, [Player(name, "", "", (), "")])
                players.add(name)
        return self._store.add_game(record)
