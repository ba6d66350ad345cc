"""The file in which a game with people is kept, written anew after each move."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli import output
from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from results.record import GameRecord


@dataclass(slots=True)
class GameFile:
    """Where the game is kept, if anywhere, and under which id."""

    game_id: str
    started_at: str
    path: Path | None = None

    def write(self, record: "GameRecord") -> None:
        """Write the game anew. Raises BadInput and OSError."""
        from results.export import jsonl, pgn

        if self.path is not None:
            is_pgn = self.path.suffix.lower() == ".pgn"
            text = pgn(record, "arena play") if is_pgn else json.dumps(jsonl(record)) + "\n"
            output.write_whole(self.path, text)


def check_new_file(path: Path, option: str) -> None:
    """Refuse a file that is there or cannot be written. Raises BadInput."""
    output.check_target(path, option)
    if path.exists():
        raise BadInput(f"{option} {str(path)!r}: exists already; name another file, or go on with it by --resume")
