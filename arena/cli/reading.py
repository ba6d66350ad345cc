"""`arena standings`, `crosstable`, `games`, `show` and `export`: what a database of games says."""

import csv
import io
import json
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from arena.cli.pools import Pools
    from arena.games.game import Game
    from results.record import GameRecord, GameResult, Ply, Run
    from results.store import Store

Database = Annotated[Path, typer.Argument(metavar="DB", help="A database of games, as match and tournament write it.")]
RunId = Annotated[
    str | None, typer.Option("--run", metavar="ID", help="Only this run, by its id or the start of it. [default: all]")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]

_NO_GAMES = "no games yet"
_RESULTS = {"p1": "1-0", "p2": "0-1", "draw": "1/2-1/2", None: "*"}


class Format(Enum):
    """What games can be exported as."""

    pgn = "pgn"
    jsonl = "jsonl"
    csv = "csv"


def standings(db: Database, run: RunId = None, as_json: AsJson = False) -> None:
    """Rank the engines of each variant, with ratings."""
    from arena.cli import output, pools

    found = _pools(db, run)
    if as_json:
        typer.echo(json.dumps(pools.standings_values(found)))
    elif found.played:
        pools.print_standings(output.console(), found)
    else:
        typer.echo(_NO_GAMES)


def crosstable(db: Database, run: RunId = None, as_json: AsJson = False) -> None:
    """Show who scored how much against whom."""
    from arena.cli import output, pools

    found = _pools(db, run)
    if as_json:
        typer.echo(json.dumps(pools.crosstable_values(found)))
    elif found.played:
        pools.print_crosstables(output.console(), found)
    else:
        typer.echo(_NO_GAMES)


def games(
    db: Database,
    run: RunId = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a game instead.")] = False,
) -> None:
    """List the games, one line each: number, id, round, p1, p2, variant, result, termination, plies."""
    from arena.cli import output

    with _open(db) as store:
        chosen = _chosen(store, run, db)
        for number, one in enumerate(chosen):
            records = list(store.games(one.id))
            if as_json:
                for record in records:
                    typer.echo(json.dumps(_brief(one, record)))
                continue
            if len(chosen) > 1:
                typer.echo(f"{chr(10) * (number > 0)}# run {one.id}, {one.name}")
            if records:
                typer.echo(output.table([_line(record) for record in records], right=frozenset({0, 2, 8})), nl=False)


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
    with _open(db) as store:
        record = _find(store, _chosen(store, run, db), game, db)
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


def export(
    db: Database,
    form: Annotated[Format, typer.Option("--format", help="PGN for viewers, JSON lines for verify, CSV for sheets.")],
    output_file: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to this file. [default: stdout]")
    ] = None,
    run: RunId = None,
) -> None:
    """Write the games in a format that other programs read."""
    from arena.cli import output

    if output_file is not None:
        output.check_target(output_file, "--output")
    with _open(db) as store:
        text = _exported(store, _chosen(store, run, db), form)
    if output_file is None:
        typer.echo(text, nl=False)
    else:
        output.write_whole(output_file, text)


def _open(db: Path) -> "Store":
    from results.store import Store

    return Store.open_existing(db)


def _chosen(store: "Store", run: str | None, db: Path) -> "list[Run]":
    """All runs, or the one that `--run` names."""
    runs = store.runs()
    if run is None:
        return runs
    exact = [one for one in runs if one.id == run]
    near = exact or [one for one in runs if one.id.startswith(run)]
    if len(near) == 1:
        return near
    known = ", ".join(one.id for one in near or runs)
    raise BadInput(f"--run {run}: {db} has {'several such runs' if near else 'no such run'}; name one of {known}")


def _pools(db: Path, run: str | None) -> "Pools":
    """The pools of the chosen runs, with all their players."""
    from arena.cli import pools

    results: list[GameResult] = []
    names: dict[str, None] = {}
    withdrawn: dict[str, str] = {}
    with _open(db) as store:
        chosen = _chosen(store, run, db)
        for one in chosen:
            played = list(store.results(one.id))
            results += played
            names |= dict.fromkeys(player.name for player in store.players(one.id))
            withdrawn |= store.withdrawn(one.id)
            if len(played) < one.games:
                typer.echo(f"run {one.id}: {len(played)} of {one.games} scheduled games have been played", err=True)
    if len(chosen) > 1:
        typer.echo(f"{len(chosen)} runs together; --run ID shows one of them", err=True)
    return pools.pools(results, names, withdrawn)


def _find(store: "Store", runs: "list[Run]", game: str, db: Path) -> "GameRecord":
    """The game with this number in the newest run that has it, or with this id, or the only one whose id begins so."""
    if game.isascii() and game.isdigit():
        for one in reversed(runs):  # a number by itself means the newest run that has it
            if int(game) in store.numbers(one.id):
                return store.game(f"{one.id}-{int(game)}")
    ids = [f"{one.id}-{number}" for one in runs for number in sorted(store.numbers(one.id))]
    found = [key for key in ids if key == game] or [key for key in ids if key.startswith(game)]
    if len(found) == 1:
        return store.game(found[0])
    if not found:
        raise BadInput(f"{db} has no game {game!r}; 'arena games {db}' lists numbers and ids")
    named = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
    raise BadInput(f"{game!r} means several games in {db}, {named}: give the whole id")


def _line(record: "GameRecord") -> tuple[str, ...]:
    return (
        str(record.number),
        record.id,
        str(record.round),
        record.p1,
        record.p2,
        record.variant,
        _RESULTS[record.winner],
        record.termination.value,
        str(len(record.moves)),
    )


def _brief(run: "Run", record: "GameRecord") -> dict[str, object]:
    return {
        "run": run.id,
        "number": record.number,
        "id": record.id,
        "round": record.round,
        "p1": record.p1,
        "p2": record.p2,
        "variant": record.variant,
        "winner": record.winner,
        "termination": record.termination.value,
        "plies": len(record.moves),
    }


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
        result = f"{_RESULTS[record.winner]}, {record.p1 if record.winner == 'p1' else record.p2} won"
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


def _exported(store: "Store", runs: "list[Run]", form: Format) -> str:
    from results import export as exporting

    pairs = ((one, record) for one in runs for record in store.games(one.id))
    if form is Format.pgn:
        return "".join(exporting.pgn(record, one.name) for one, record in pairs)
    if form is Format.jsonl:
        return "".join(json.dumps(exporting.jsonl(record)) + "\n" for _, record in pairs)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(exporting.CSV_HEADER)
    writer.writerows(exporting.csv_row(record) for _, record in pairs)
    return text.getvalue()
