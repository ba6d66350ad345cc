"""`arena export`, `import` and `merge`: games into files, out of files, and from several databases into one."""

import contextlib
import csv
import errno
import io
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options
from arena.cli.db_options import Clock, Database, Ending, Engine, Opponent, RunId, Since, Until, Variant, Won
from arena.cli.errors import BadInput
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.verification.import_readers import Incoming
    from results.record import GameRecord, Run
    from results.store.store import Store

_NAMED = 20
"""Refused lines that are named one by one."""
_PIECE = 1 << 16
"""Characters that are written at once."""


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
    from arena.cli import output
    from results.store.filter import Filter, Selection

    if limit is not None and last is not None:
        raise BadInput("--limit and --last: name one of them")
    if output_file is not None:
        output.check_target(output_file, "--output")
    which = Filter(None, engine, opponent, variant, tc, db_options.ending(termination), winner)
    which = db_options.bounded(which, since, until)
    with db_options.opened(db) as store:
        runs = db_options.chosen(store, run, db)
        which = db_options.known(store, which, db)
        if run is not None:
            which = replace(which, run=runs[0].id)
        selection = Selection(which, "schedule", last or limit, last is not None)
        pieces = _in_pieces(_written(store.select(selection), {one.id: one for one in runs}, form))
        if output_file is None:
            for piece in pieces:
                typer.echo(piece, nl=False)
        else:
            output.write_whole(output_file, pieces)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines or PGN; which of them is seen by itself.")],
    into: Annotated[Path, typer.Option(metavar="DB", help="The database to add them to, made if there is none.")],
) -> None:
    """Add games from a file, each checked against the rules; all of them, or none if one is refused.

    Games that are there already are left out: by their id, and those without one by players, moves, time and round.
    """
    if not file.is_file():
        raise BadInput(f"{file} {'is no ordinary file' if file.exists() else 'does not exist'}: name JSON lines or PGN")
    with _filled(into, new=False) as store, store.transaction():
        new, known = _taken(store, file)
    there = f", {known} {'was' if known == 1 else 'were'} there already" if known else ""
    typer.echo(f"{some_games(new)} imported into {into}{there}")


def merge(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The database to make.")],
    sources: Annotated[list[Path], typer.Argument(metavar="DB...", help="The databases to put together.")],
) -> None:
    """Put several databases together in a new one; a game that several have is taken once."""
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(db_options.opened(source)) for source in sources]
        into = stack.enter_context(_filled(out, new=True))
        games = sum(_merged(into, source) for source in opened)
    typer.echo(f"{games} games of {len(sources)} databases merged into {out}")


def _written(games: "Iterator[GameRecord]", runs: "dict[str, Run]", form: ExportFormat) -> Iterator[str]:
    """The games in a format, a piece for each."""
    from results import export as exporting

    match form:
        case ExportFormat.pgn:
            for game in games:
                yield exporting.pgn(game, runs[game.run].name)
        case ExportFormat.jsonl:
            for game in games:
                yield json.dumps(exporting.jsonl(game)) + "\n"
        case ExportFormat.text:
            for game in games:
                yield exporting.text(game)
        case ExportFormat.fen:
            for game in games:
                # What follows # is a comment in a file of openings.
                yield f"{_last_position(game)} # {game.id}\n"
        case ExportFormat.csv:
            line = io.StringIO()
            writer = csv.writer(line, lineterminator="\n")
            writer.writerow(exporting.CSV_HEADER)
            yield line.getvalue()
            for game in games:
                line.seek(0)
                line.truncate()
                writer.writerow(exporting.csv_row(game))
                yield line.getvalue()


def _last_position(record: "GameRecord") -> str:
    """The position string after the last move. Raises BadInput for a game that the rules refuse."""
    from arena.games.game import Game
    from arena.games.rules import RulesError
    from arena.games.variants import resolve

    try:
        game = Game(*resolve(record.variant, fen=record.fen))
        for word in record.moves:
            game.play(word)
    except RulesError as refused:
        raise BadInput(f"game {record.id} cannot be replayed: {refused}; see 'arena verify'") from None
    return game.position.fen()


def _in_pieces(texts: Iterator[str]) -> Iterator[str]:
    """The same text in larger pieces: a write for each game would cost as much as making it."""
    kept: list[str] = []
    size = 0
    for text in texts:
        kept.append(text)
        size += len(text)
        if size >= _PIECE:
            yield "".join(kept)
            kept, size = [], 0
    yield "".join(kept)


@contextlib.contextmanager
def _filled(path: Path, new: bool) -> "Iterator[Store]":
    """A store to fill. One that is not there yet gets its name only when it has been filled."""
    from results.store.store import Store

    if path.exists():
        if new:
            raise BadInput(f"{path} is there already: name a database that does not exist yet")
        with Store.create_or_open(path, db_options.tell) as store:
            yield store
        return
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path} cannot be made: there is no folder {path.absolute().parent}, so make it first")
    part = path.absolute().with_name(f".arena-{os.urandom(8).hex()}.part")
    try:
        with Store.create_or_open(part) as store:
            store.name = str(path)
            yield store
        try:
            os.link(part, path)
        except FileExistsError:
            raise BadInput(f"{path} was made by another program meanwhile: name another database") from None
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):
                raise
            os.rename(part, path)  # a file system without links
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def _taken(store: "Store", file: Path) -> tuple[int, int]:
    """Store the games of a file; how many were new and how many known. Raises BadInput if any is refused."""
    from arena.verification import import_readers

    refused = new = known = 0
    taken = _Importer(store)
    for game in import_readers.read(file):
        refusal = game.refusal
        if game.record is not None and not refused:
            refusal = taken.refusal(game)
        if refusal:
            refused += 1
            if refused <= _NAMED:
                typer.echo(f"{file}:{game.line}: {refusal}", err=True)
        elif not refused:
            added = taken.add(game)
            new += added
            known += not added
    if refused:
        more = f" ({refused - _NAMED} more are not named)" if refused > _NAMED else ""
        raise BadInput(f"{some_games(refused)} of {file} refused{more}; nothing was imported")
    return new, known


class _Importer:
    """Puts incoming games into runs, which it makes as they come up."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._next: dict[str, int] = {}
        """The next free number of each run whose games get theirs here."""
        self._players: dict[str, set[str]] = {}

    def refusal(self, game: "Incoming") -> str:
        """Why the game cannot be taken beside those that are there; empty where it can."""
        record = game.record
        if record is None or not game.own_id:
            return ""
        if self._store.played_otherwise(record):
            return f"game {record.id} is in {self._store.name} already, played otherwise"
        there = self._store.id_of(record.run, record.number)
        if there not in (None, record.id):
            return f"game {record.id} has number {record.number}, which game {there} has in {self._store.name} already"
        return ""

    def add(self, game: "Incoming") -> bool:
        """Store it; False where it is there already."""
        from arena.verification.import_readers import run_of

        record = game.record
        assert record is not None
        if not game.own_id:
            if self._store.has_same(record):
                return False
            run = run_of(game.event)
            number = self._next.get(run) or max((last for _, last in self._store.done(run).ranges), default=0) + 1
            self._next[run] = number + 1
            record = replace(record, id=f"{run}-{number}", number=number)
        self._make_room(record, game.event)
        return self._store.add_game(record)

    def _make_room(self, record: "GameRecord", event: str) -> None:
        from results.record import Player, Run

        players = self._players.get(record.run)
        if players is None:
            name = event or "imported games"
            run = Run(record.run, name, "import", record.started_at, "{}", 0, 0, record.host, "{}")
            self._store.add_run(run, ())
            players = self._players[record.run] = {player.name for player in self._store.players(record.run)}
        for name in (record.p1, record.p2):
            if name not in players:
                self._store.add_players(record.run, [Player(name, "", "", (), "")])
                players.add(name)


def _merged(into: "Store", source: "Store") -> int:
    """Take over everything of one database; how many games were new."""
    with into.transaction():
        for run in source.runs():
            into.add_run(run, ())
            into.add_players(run.id, source.players(run.id))
            into.keep_withdrawn(run.id, {**source.withdrawn(run.id), **into.withdrawn(run.id)})
        return into.copy_games(source)
