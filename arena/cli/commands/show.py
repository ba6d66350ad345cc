"""`arena show`: one game, its plies and its boards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options
from arena.cli.commands.games import RESULTS
from arena.cli.db_options import Database, RunId
from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from arena.games.game import Game
    from results.plies import Ply
    from results.record import GameRecord, Run
    from results.store.store import Store

from arena.cli.commands.standings import _DIGITS, _NAMED


def show(
    db: Database,
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's number as listed by games, its id, or the start of its id.")
    ],
    run: RunId = None,
    ply: Annotated[
        int | None, typer.Option(min=0, help="Draw the board after this ply; 0 is the start. [default: the last]")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Draw the board after every ply.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Also write the board of that ply as an SVG picture.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
) -> None:
    """Replay a game: who played, how it ended, every move with its cost, and the board."""
    from arena.cli import output
    from arena.rulebook import board_drawing
    from arena.rulebook.facts import marked

    if svg is not None:
        output.check_target(svg, "--svg")
    with db_options.opened(db) as store:
        record = _find(store, db_options.chosen(store, run, db), game, db)
    played, fens = _replay(record, db)
    last = len(record.moves)
    at = last if ply is None else ply
    if at > last:
        raise BadInput(f"--ply {at}: game {record.number} has {last} plies; name one from 0 to {last}")
    special = marked(played.rules)
    boards = [
        board_drawing.read(fen, special, record.moves[number - 1] if number else None)
        for number, fen in enumerate(fens)
    ]
    signs = output.glyphs(ascii_only)
    _print_head(record, played)
    if every:
        for number, board in enumerate(boards):
            typer.echo(f"\n{_caption(record, number)}:")
            output.draw(board, signs)
    else:
        typer.echo(f"\n{_caption(record, at)}:")
        output.draw(boards[at], signs)
    if svg is not None:
        title = f"{record.p1} against {record.p2}, {record.variant}, {_caption(record, at)}"
        output.write_whole(svg, board_drawing.svg(boards[at], title))


def _find(store: "Store", runs: "list[Run]", game: str, db: Path) -> "GameRecord":
    """The game with this number in the newest run that has it, or with this id, or the only one whose id begins so."""
    if game.isascii() and game.isdigit() and len(game) <= _DIGITS:
        for one in reversed(runs):  # a number by itself means the newest run that has it
            if found := store.id_of(one.id, int(game)):
                return store.game(found)
    ids = store.ids(game, [one.id for one in runs], _NAMED + 1)
    if len(ids) == 1:
        return store.game(ids[0])
    if not ids:
        raise BadInput(f"{db} has no game {game!r}; 'arena games {db}' lists numbers and ids")
    named = ", ".join(ids[:_NAMED]) + (" and more" if len(ids) > _NAMED else "")
    raise BadInput(f"{game!r} means several games in {db}, {named}: give the whole id")


def _replay(record: "GameRecord", db: Path) -> "tuple[Game, list[str]]":
    """The game played again by the rules, and the position string before the first move and after each."""
    from arena.games.game import Game
    from arena.games.rules import RulesError
    from arena.games.variants import resolve

    where = "start"
    try:
        game = Game(*resolve(record.variant, fen=record.fen))
        fens = [game.position.fen()]
        for ply, word in enumerate(record.moves, 1):
            where = f"ply {ply}"
            game.play(word)
            fens.append(game.position.fen())
    except RulesError as error:
        raise BadInput(f"{db}: game {record.id} cannot be replayed, {where}: {error}; see 'arena verify'") from error
    return game, fens


def _caption(record: "GameRecord", ply: int) -> str:
    return f"After ply {ply} of {len(record.moves)}, {record.moves[ply - 1]}" if ply else "The start"


def _print_head(record: "GameRecord", game: "Game") -> None:
    from arena.cli import output
    from arena.cli.view import evidence
    from arena.rulebook.page import side_name

    if record.winner in ("p1", "p2"):
        result = f"{RESULTS[record.winner]}, {record.p1 if record.winner == 'p1' else record.p2} won"
    else:
        result = "1/2-1/2, a draw" if record.winner == "draw" else "*, nobody won"
    lines = [
        ("game", f"{record.number}, round {record.round}, id {record.id}"),
        ("variant", record.variant),
        ("p1", f"{record.p1} ({side_name(game.rules, 'p1')})"),
        ("p2", f"{record.p2} ({side_name(game.rules, 'p2')})"),
        ("result", f"{result} by {record.termination}" + (f": {record.detail}" if record.detail else "")),
        ("clock", f"{record.tc}, {evidence.judged(record)}, seed {record.seed}"),
        ("played", f"{record.started_at} on {record.host}, {record.wall_ms / 1000:.1f} s"),
        ("start", game.start.fen()),
        *(("note", note) for note in evidence.notes(record)),
    ]
    typer.echo(output.table(lines))
    rows = [("ply", "side", "move", "wall ms", "cpu ms", "late ms", "left ms", "depth", "score", "")]
    first = game.start.side
    second = "p2" if first == "p1" else "p1"
    opening = len(record.opening)
    for number, word in enumerate(record.moves):
        side = second if number % 2 else first
        cost = ("opening", "", "", "", "", "", "") if number < opening else _cost(record.plies[number - opening])
        rows.append((str(number + 1), side, word, *cost))
    typer.echo(output.table(rows, right=frozenset({0, 3, 4, 5, 6, 7})), nl=False)
    if record.evidence is not None:
        typer.echo(f"\n{evidence.text(record, record.evidence)}", nl=False)


def _cost(ply: "Ply") -> tuple[str, str, str, str, str, str, str]:
    return (
        f"{ply.wall_us / 1000:.1f}",
        "-" if ply.cpu_us is None else f"{ply.cpu_us / 1000:.1f}",
        "-" if ply.late_us is None else f"{ply.late_us / 1000:.1f}",
        "-" if ply.left_ms is None else str(ply.left_ms),
        "-" if ply.depth is None else str(ply.depth),
        ply.score or "-",
        "late" if ply.flagged else "",
    )
