"""`arena standings`, `crosstable` and `show`: what a database of games says."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import databases
from arena.cli.databases import Anchor, AsJson, Clock, Database, Roles, RunId, Since, Until, Variant
from arena.cli.errors import BadInput
from arena.cli.listing import RESULTS

if TYPE_CHECKING:
    from arena.cli.pools import Pools
    from arena.games.game import Game
    from results.filter import Filter
    from results.plies import Ply
    from results.record import GameRecord, Run
    from results.store import Store

_NO_GAMES = "no games yet"
_NONE_FIT = "no games fit what is asked for"
_NAMED = 5
"""Games that are named where several fit."""
_DIGITS = 18
"""More would be no number that a database can hold."""


def standings(
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    anchor: Anchor = None,
    roles: Roles = False,
    wide: Annotated[bool, typer.Option("--wide", help="All columns, beyond 100 characters.")] = False,
    online: Annotated[
        bool,
        typer.Option("--online", help="Also rate game by game by TrueSkill, which reads every game and takes longer."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rank the engines, with ratings: all games, and apart each variant and each time control."""
    from arena.cli import output, pools

    which = databases.bounded(_filter(variant, tc), since, until)
    found = _pools(db, run, which, as_json, online, anchor, roles)
    if as_json:
        typer.echo(json.dumps(pools.standings_values(found, clocks=True)))
    elif found.played:
        pools.print_standings(output.console(), found, wide)
    else:
        typer.echo(_none(which))


def crosstable(
    db: Database,
    run: RunId = None,
    variant: Variant = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """Show who scored how much against whom."""
    from arena.cli import output, pools

    which = databases.bounded(_filter(variant, tc), since, until)
    found = _pools(db, run, which, as_json)
    if as_json:
        typer.echo(json.dumps(pools.crosstable_values(found)))
    elif found.played:
        pools.print_crosstables(output.console(), found)
    else:
        typer.echo(_none(which))


def _none(which: "Filter") -> str:
    from results.filter import EVERYTHING

    return _NO_GAMES if which == EVERYTHING else _NONE_FIT


def _filter(variant: str | None, tc: str | None) -> "Filter":
    from results.filter import Filter

    return Filter(variant=variant, tc=tc)


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
    from arena import drawing
    from arena.cli import output
    from arena.rulebook.facts import marked

    if svg is not None:
        output.check_target(svg, "--svg")
    with databases.opened(db) as store:
        record = _find(store, databases.chosen(store, run, db), game, db)
    played, fens = _replay(record, db)
    last = len(record.moves)
    at = last if ply is None else ply
    if at > last:
        raise BadInput(f"--ply {at}: game {record.number} has {last} plies; name one from 0 to {last}")
    special = marked(played.rules)
    boards = [
        drawing.read(fen, special, record.moves[number - 1] if number else None) for number, fen in enumerate(fens)
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
        output.write_whole(svg, drawing.svg(boards[at], title))


def _pools(
    db: Path,
    run: str | None,
    which: "Filter",
    as_json: bool,
    online: bool = False,
    anchor: str | None = None,
    roles: bool = False,
) -> "Pools":
    """The pools of the chosen runs, with all their players."""
    from arena.cli import pools

    with databases.opened(db) as store:
        chosen = databases.chosen(store, run, db)
        which = databases.known(store, which, db)
        played = store.played()
        for one in chosen:
            if played.get(one.id, 0) < one.games:
                typer.echo(
                    f"run {one.id}: {played.get(one.id, 0)} of {one.games} scheduled games have been played", err=True
                )
        if len(chosen) > 1:
            typer.echo(f"{len(chosen)} runs together; --run ID shows one of them", err=True)
        which = which if run is None else replace(which, run=chosen[0].id)
        by = databases.yardstick(anchor, roles, store.counts(which) if anchor is not None else [], db)
        return pools.of_runs(store, chosen, which, online, by, sys.maxsize if as_json else pools.MANY_CLOCKS)


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
    from arena.cli import evidence, output
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
