"""`arena export`: games in the formats that other programs read."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from arena.cli import output
from arena.cli.db_options import Database, First, GameFilter, Last
from arena.cli.errors import BadInput
from arena.cli.option_groups import grouped, option
from results.record import GameRecord, Run

_GAMES_A_PIECE = 32
"""How many games are written at once."""
ExportFormat = Literal["pgn", "jsonl", "csv", "text", "fen"]


@grouped
def export(
    db: Database,
    *,
    form: Annotated[
        ExportFormat,
        option(
            "PGN for viewers and rating tools, JSON lines for verify and import, CSV for sheets, text; "
            "fen: the last position of each game.",
            flag="--format",
        ),
    ],
    output_file: Annotated[
        Path, option("Write to this file; - is stdout.", "FILE", flag="--output", show_default=False)
    ] = output.STDOUT,
    which: GameFilter,
    limit: First = None,
    last: Last = None,
) -> None:
    """Write the games in a format that other programs read."""
    from results.store.filter import Selection

    if limit is not None and last is not None:
        raise BadInput("--limit and --last: name one of them")
    output.check_files({"--output": output_file})
    with which.opened(db) as (store, chosen, runs):
        selection = Selection(chosen, "schedule", last or limit, last is not None)
        pieces = _in_pieces(_texts(store.select(selection), runs, form))
        output.write_file(output_file, pieces)


def _texts(games: Iterator[GameRecord], runs: list[Run], form: ExportFormat) -> Iterator[str]:
    """The export, a piece for each game."""
    from arena.imports import replay
    from results import export as exporting

    if form == "fen":
        # What follows # is a comment in a file of openings.
        return (f"{replay.last_position(game)} # {game.id}\n" for game in games)
    return exporting.export(games, form, {run.id: run.name for run in runs}, replay.written)


def _in_pieces(texts: Iterator[str]) -> Iterator[str]:
    """The same text in larger pieces: a write for each game would cost as much as making it."""
    while piece := "".join(islice(texts, _GAMES_A_PIECE)):
        yield piece
