"""The file in which a game with people is kept: written anew after each move, and read to go on with the game."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from arena.games.line import replay
from arena.imports.import_readers import read_games
from arena.imports.replay import written
from arena.planning.errors import PlanError
from arena.whole_file import CannotWrite, check_target, write_whole
from results.export import jsonl, pgn
from results.record import GameRecord

STDOUT = Path("-")
"""Instead of a file: the game is only made as text, and whoever started it prints it at the end."""


@dataclass(slots=True)
class GameFile:
    """Where the game is kept, if anywhere, and under which id."""

    game_id: str
    started_at: str
    path: Path | None = None
    text: str = ""
    """The game as it was kept last."""

    def write(self, record: GameRecord) -> None:
        """Write the game anew. Raises CannotWrite and OSError."""
        if self.path is not None:
            is_pgn = self.path.suffix.lower() == ".pgn"
            self.text = pgn(record, written(record), "arena play") if is_pgn else json.dumps(jsonl(record)) + "\n"
            if self.path != STDOUT:
                write_whole(self.path, self.text)


def check_new_file(path: Path, option: str) -> None:
    """Refuse a file that is there or cannot be written. Raises CannotWrite."""
    if path == STDOUT:
        raise CannotWrite(f"{option} -: is not a file that can be kept up to date; name one")
    check_target(path, option)
    if path.exists():
        raise CannotWrite(f"{option} {str(path)!r}: exists already; name another file, or go on with it by --resume")


def saved_game(file: Path, options: Iterable[str]) -> GameRecord:
    """The only game of a file, which the rules have not ended. Raises PlanError.

    `options` are those that say what is played, which the file does: none may be given.
    """
    for name in options:
        raise PlanError(f"--{name}: the game in {file} says what is played; leave it out")
    record = kept_game(file)
    outcome = replay(record.variant, record.fen, record.moves)[0].outcome
    if outcome is not None:
        raise PlanError(f"{file}: the game is over, {outcome.winner} by {outcome.reason}; there is nothing to resume")
    return record


def kept_game(file: Path) -> GameRecord:
    """The only game of a file, also one that is over. Raises PlanError."""
    games = list(islice(read_games(file), 2))
    if not games:
        raise PlanError(
            f"{file} holds no game: name a file that --save wrote, or another PGN or JSON lines of one game"
        )
    for game in games:
        if game.record is None:
            raise PlanError(f"{file}:{game.line}: {game.refusal}")
    record = games[0].record
    assert record is not None
    if len(games) > 1:
        raise PlanError(f"{file} holds several games: put the one to go on with in a file of its own")
    return record
