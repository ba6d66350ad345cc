"""`arena show`: one game, its moves and its boards."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from arena.cli import db_options, output
from arena.cli.db_options import Database, RunId
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.cli.view import keys
from arena.games import board_svg
from arena.games.game import Game
from arena.games.game_boards import boards_of_game
from arena.games.illegal import why_lost
from arena.games.line import Unplayable, replay
from arena.games.variants import kind_of
from results.export import jsonl
from results.record import GameRecord, illegal_word
from results.safe_text import harmless
from results.store.lookup import find_game, run_config
from results.tables import one_game
from results.variant_name import shown


def show(
    db: Database,
    game: Annotated[str, argument("A game's number as listed by games, its id, or the start of its id.", "GAME")],
    run: RunId = None,
    ply: Annotated[
        int | None, option("Draw the board after this ply; 0 is the start. [default: the last]", min=0)
    ] = None,
    every: Annotated[bool, option("Draw the board after every ply.", flag="--all")] = False,
    svg: Annotated[
        Path | None, option("Also write the board of that ply as an SVG picture; - is stdout, alone.", "FILE")
    ] = None,
    no_step: Annotated[bool, option("Print everything at once, also in a terminal.", flag="--no-step")] = False,
    as_json: db_options.AsJson = False,
    ascii_only: Annotated[bool, option("Draw with plain ASCII.", flag="--ascii")] = False,
) -> None:
    """Replay a game: who played, how it ended, every move with its cost, and the board.

    In a terminal you step through the game with the arrow keys, from the end of its opening on, unless one of --ply,
    --all, --svg, --json and --no-step is given.
    """
    if not db.exists() and Path(game).is_file():
        raise BadInput(f"{db} is not a database, and {game} no game: write `arena show {game} {db}`")
    is_picture = output.check_files({"--svg": svg}, as_json)
    if as_json and (every or ply is not None):
        raise BadInput(f"--json and {'--all' if every else '--ply'}: JSON has the whole game and no board; name one")
    with db_options.opened_games(db, run=run) as (store, _, runs):
        record = find_game(store, game, runs)
    if as_json:
        config = next(run_config(run) for run in runs if run.id == record.run)
        output.write_data(json.dumps({**jsonl(record), "config": config}) + "\n")
        if svg is None:
            return
    try:
        played, positions = replay(record.variant, record.fen, record.moves)
    except Unplayable as error:
        raise BadInput(f"{db}: game {record.id} cannot be replayed, {error}; see 'arena verify'") from error
    last = len(record.moves)
    at = last if ply is None else ply
    if at > last:
        raise BadInput(f"--ply {at}: game {record.number} has {last} plies; name one from 0 to {last}")
    boards = boards_of_game(played, positions)
    if not (every or no_step) and ply is None and svg is None and keys.can_step():
        from arena.cli.view.game_stepper import GameStepper, SteppedGame, step_through

        step_through(GameStepper(SteppedGame(record, played, boards), output.glyphs(ascii_only)))
        return
    if not (as_json or is_picture):
        _print_game(record, played)
        for number, board in enumerate(boards) if every else ((at, boards[at]),):
            output.echo()
            output.echo(f"{_caption(record, number)}:")
            output.draw(board, output.glyphs(ascii_only))
    if svg is not None:
        title = f"{record.p1} against {record.p2}, {shown(record.variant)}, {_caption(record, at)}"
        output.write_file(svg, board_svg.document(boards[at], harmless(title)))


def _caption(record: GameRecord, ply: int) -> str:
    return f"After ply {ply} of {len(record.moves)}, {record.moves[ply - 1]}" if ply else "The start"


def _print_game(record: GameRecord, game: Game) -> None:
    for line in _head(record, game).splitlines():
        output.echo_sentence(line, 9)
    output.echo()
    rows = one_game.ply_rows(record)
    output.print_table(rows, {0, 3, 4, 5, 6, 7})
    for line in _evidence(record):
        output.echo(line)


def _head(record: GameRecord, game: Game) -> str:
    """Who played what, when, and how it ended, as lines."""
    sides = kind_of(game.rules).sides
    why = why_lost(record.variant, record.fen, record.moves, illegal_word(record))
    lines = [
        ("game", f"{record.number}, round {record.round}, id {record.id}"),
        ("variant", shown(record.variant)),
        ("p1", f"{record.p1} ({sides[0]})"),
        ("p2", f"{record.p2} ({sides[1]})"),
        ("result", one_game.result_text(record)),
        ("clock", f"{one_game.clock_text(record)}, seed {record.seed}"),
        ("played", f"{record.started_at}{f' on {record.host}' * bool(record.host)}, {record.wall_ms / 1000:.1f} s"),
        ("start", game.start.fen()),
        *[("illegal", why)] * bool(why),
        *(("note", remark) for remark in one_game.remarks(record)),
    ]
    return output.table(lines)


def _evidence(record: GameRecord) -> Iterator[str]:
    """What is known of a fault, as lines; none without a fault."""
    evidence = record.evidence
    if evidence is None:
        return
    yield ""
    yield from output.table(one_game.evidence_rows(record, evidence)).splitlines()
    for heading, text in (("dialogue", evidence.transcript), ("stderr", evidence.stderr.splitlines())):
        if text:
            yield ""
            yield f"end of the {heading}:"
            for line in text:
                yield f"  {line}"
