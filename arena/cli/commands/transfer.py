"""`arena export`, `import` and `merge`: games into files, out of files, and from several databases into one."""

from collections.abc import Iterator
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options, output
from arena.cli.db_options import Clock, Database, Ending, Engine, Opponent, RunId, Since, Until, Variant, Won
from arena.cli.errors import BadInput
from arena.whole_file import check_target, write_whole
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from results.record import GameRecord, Run

_GAMES_A_PIECE = 32
"""So many games are written at once."""


class ExportFormat(Enum):
    """What games can be exported as."""

    pgn = "pgn"
    jsonl = "jsonl"
    csv = "csv"
    text = "text"
    fen = "fen"


def export(
    db: Database,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="PGN for viewers and rating tools, JSON lines for verify and import, CSV for sheets, text; "
            "fen: the last position of each game.",
        ),
    ],
    output_file: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to this file. [default: stdout]")
    ] = None,
    run: RunId = None,
    engine: Engine = None,
    opponent: Opponent = None,
    variant: Variant = None,
    termination: Ending = None,
    winner: Won = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N games.")] = None,
    last: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the last N games.")] = None,
) -> None:
    """Write the games in a format that other programs read."""
    from results.store.filter import Selection

    if limit is not None and last is not None:
        raise BadInput("--limit and --last: name one of them")
    if output_file is not None:
        check_target(output_file, "--output")
    words = {"engine": engine, "opponent": opponent, "variant": variant, "tc": tc, "winner": winner}
    words |= {"run": run, "termination": termination, "since": since, "until": until}
    with db_options.opened_games(db, **words) as (store, which, runs):
        selection = Selection(which, "schedule", last or limit, last is not None)
        pieces = _in_pieces(_texts(store.select(selection), runs, form))
        if output_file is None:
            for piece in pieces:
                output.write_data(piece)
        else:
            write_whole(output_file, pieces)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines or PGN; the content tells which.")],
    into: Annotated[Path, typer.Option(metavar="DB", help="The database to add them to, made if there is none.")],
) -> None:
    """Add games from a file, each checked against the rules; all of them, or none if one is refused.

    Games that are there already are left out: by their id, and those without one by players, moves, time and round.
    """
    from arena.verification.game_import import import_games
    from results.store.store import Store

    if not file.is_file():
        raise BadInput(f"{file} {'is no ordinary file' if file.exists() else 'does not exist'}: name JSON lines or PGN")
    with Store.create_or_open(into, db_options.tell) if into.exists() else Store.new(into) as store:
        new, known = import_games(file, store, lambda sentence: output.say(sentence))
    there = f", {known} {'was' if known == 1 else 'were'} there already" if known else ""
    output.echo_sentence(f"{some_games(new)} imported into {into}{there}")


def merge(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The database to make.")],
    sources: Annotated[list[Path], typer.Argument(metavar="DB...", help="The databases to put together.")],
) -> None:
    """Put several databases together in a new one; a game that several have is taken once."""
    from results.store import merge as merging

    games = merging.merge(out, sources, db_options.tell)
    output.echo_sentence(f"{games} games of {len(sources)} databases merged into {out}")


def _texts(games: "Iterator[GameRecord]", runs: "list[Run]", form: ExportFormat) -> Iterator[str]:
    """The export, a piece for each game."""
    from results import export as exporting

    if form is ExportFormat.fen:
        from arena.verification.replay import last_position

        # What follows # is a comment in a file of openings.
        return (f"{last_position(game)} # {game.id}\n" for game in games)
    return exporting.export(games, form.value, {run.id: run.name for run in runs})


def _in_pieces(texts: Iterator[str]) -> Iterator[str]:
    """The same text in larger pieces: a write for each game would cost as much as making it."""
    while piece := "".join(islice(texts, _GAMES_A_PIECE)):
        yield piece
