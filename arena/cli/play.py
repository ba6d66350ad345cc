"""`arena match`, `arena tournament` and `arena demo`: settings in, games played, tables out."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.output import console, write_whole

if TYPE_CHECKING:
    from arena.jobs import EngineSpec, Terms
    from arena.limits import Limit
    from arena.runs import Introduced, Plan
    from arena.schedule import Start
    from arena.scheduler import Report
    from results.record import GameRecord
    from results.store import Store

MATCH_TC = "5+0.05"
DEFAULT_VARIANT = "callanish-9"


def match(
    a: Annotated[
        str, typer.Argument(metavar="A", help="An engine: a registered name, a path, or a quoted command line.")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent. Options of an engine: 'alphabeta:Hash=16'.")],
    variant: Annotated[str, typer.Option(help="What is played; `arena variants` lists them.")] = DEFAULT_VARIANT,
    board: Annotated[Path | None, typer.Option(help="A drawn board to start from: a text or TOML file.")] = None,
    rules: Annotated[str, typer.Option(help="Changed rules, such as 'king_steps=2 king_armed=no'.")] = "",
    fen: Annotated[str | None, typer.Option(help="A position string to start from.")] = None,
    games: Annotated[int, typer.Option(help="Games in all; A is p1 in game 1, sides swap every game.")] = 2,
    tc: Annotated[
        str | None, typer.Option(help=f"Seconds, base+increment or moves/base+increment. [default: {MATCH_TC}]")
    ] = None,
    movetime: Annotated[int | None, typer.Option(help="Milliseconds for each move, instead of a clock.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes for each move, instead of a clock.")] = None,
    depth: Annotated[int | None, typer.Option(help="Search depth of each move, instead of a clock.")] = None,
    margin: Annotated[int, typer.Option(help="Milliseconds by which a move may be late without losing.")] = 50,
    move_limit: Annotated[float, typer.Option(help="Seconds for a move under a nodes or depth limit.")] = 60.0,
    max_plies: Annotated[int, typer.Option(help="Adjudicate a draw after so many plies; 0: never.")] = 0,
    concurrency: Annotated[int | None, typer.Option(help="Games at once. [default: CPU cores - 1, at least 1]")] = None,
    openings: Annotated[int, typer.Option(help="Random plies before the engines take over; 0: none.")] = 2,
    seed: Annotated[
        int | None, typer.Option(help="Decides openings and engines' chance. [default: drawn, printed]")
    ] = None,
    db: Annotated[
        Path | None, typer.Option(help="Database to keep the games in; a repeated match plays what is missing.")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="Write this match's games to a PGN file at the end, replacing it.")
    ] = None,
    engines: Annotated[
        Path | None, typer.Option(help="A registry file beside the shipped and your own engines.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")] = False,
) -> None:
    """Play two engines against each other and rate them."""
    from arena import config
    from arena.limits import parse

    _at_least("--games", games, 1)
    registry = config.load_registry(engines)
    specs = config.unique((config.engine_argument(a, registry), config.engine_argument(b, registry)))
    limit = _limit(movetime, nodes, depth) or parse(tc or MATCH_TC)
    if tc and (movetime, nodes, depth) != (None, None, None):
        raise BadInput("give one of --tc, --movetime, --nodes and --depth, not several")
    plan = _plan(
        "match",
        f"{specs[0].name} against {specs[1].name}",
        specs,
        (_start(variant, rules, board, fen),),
        games,
        openings,
        seed,
        _terms(limit, margin, move_limit, max_plies),
    )
    with _store(db) as store:
        plan = _resumed(plan, store, given=seed is not None)
        _conduct(plan, store, concurrency, as_json=as_json, pgn=pgn, everyone=True)


def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What is played by whom; see the README.")],
    db: Annotated[Path | None, typer.Option(help="Database to keep the games in. [default: FILE.db here]")] = None,
    resume: Annotated[
        bool, typer.Option(help="Go on with this tournament: play exactly the games that are missing.")
    ] = False,
    concurrency: Annotated[int | None, typer.Option(help="Games at once. [default: CPU cores - 1, at least 1]")] = None,
    seed: Annotated[int | None, typer.Option(help="Overrides the file's seed.")] = None,
    pgn: Annotated[Path | None, typer.Option(help="Write the games to a PGN file at the end, replacing it.")] = None,
    engines: Annotated[
        Path | None, typer.Option(help="A registry file beside the shipped and your own engines.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")] = False,
) -> None:
    """Play a round robin of engines over one or more variants."""
    _tournament(file, db or Path(file.stem + ".db"), resume, concurrency, seed, pgn, engines, as_json)


def _tournament(
    file: Path,
    db: Path,
    resume: bool,
    concurrency: int | None,
    seed: int | None,
    pgn: Path | None,
    engines: Path | None,
    as_json: bool,
) -> None:
    from arena import config
    from arena.limits import parse
    from arena.schedule import Schedule

    table, specs = config.load_tournament(file, config.load_registry(engines))
    if (table.board or table.fen) and len(table.variants) > 1:
        raise BadInput(f"{file}: tournament: a board or fen goes with one variant, not with {len(table.variants)}")
    board = None if table.board is None else file.parent / table.board
    starts = tuple(_start(variant, table.rules, board, table.fen) for variant in table.variants)
    limit = _limit(table.movetime, table.nodes, table.depth) or parse(table.tc or MATCH_TC)
    seed = seed if seed is not None else table.seed
    plan = _plan(
        "tournament",
        table.name,
        specs,
        starts,
        Schedule.full(len(specs), len(starts), table.rounds),
        table.openings,
        seed,
        _terms(limit, table.margin, table.move_limit, table.max_plies),
    )
    with _store(db) as store:
        plan = _resumed(plan, store, given=seed is not None)
        done = len(store.numbers(plan.run_id))
        if done and not resume:
            raise BadInput(
                f"{db} already holds {done} of the {plan.games} games of this tournament: "
                "add --resume to play the missing ones, or name another --db or seed"
            )
        _conduct(plan, store, concurrency or table.concurrency, as_json=as_json, pgn=pgn, everyone=False)
    if not as_json:
        _next_commands(db)


def demo(
    db: Annotated[Path, typer.Option(help="Database to keep the games in.")] = Path("demo.db"),
    concurrency: Annotated[int | None, typer.Option(help="Games at once. [default: CPU cores]")] = None,
    seed: Annotated[int | None, typer.Option(help="Decides openings and engines' chance. [default: drawn]")] = None,
) -> None:
    """Watch four engines play a rated round robin of Callanish and the Scottish game, in about a minute."""
    from arena import runs

    with resources.as_file(resources.files("engines") / "demo.toml") as file:
        seed = runs.drawn_seed() if seed is None else seed
        _tournament(file, db, True, concurrency or os.cpu_count(), seed, None, None, False)


def _next_commands(db: Path) -> None:
    typer.echo("\nTry next:")
    for command in (f"standings {db}", f"games {db}", f"show {db} 1"):
        typer.echo(f"  arena {command}")


def _at_least(option: str, value: float, least: int) -> None:
    if value < least:
        raise BadInput(f"{option} {value} is out of range: it must be at least {least}")


def _limit(movetime: int | None, nodes: int | None, depth: int | None) -> "Limit | None":
    """The fixed limit that was asked for, None where none was."""
    from arena.limits import fixed

    given = [
        (kind, value)
        for kind, value in (("movetime", movetime), ("nodes", nodes), ("depth", depth))
        if value is not None
    ]
    if len(given) > 1:
        raise BadInput(f"give one of {' and '.join('--' + kind for kind, _ in given)}, not several")
    return fixed(*given[0]) if given else None


def _terms(limit: "Limit", margin: int, move_limit: float, max_plies: int) -> "Terms":
    from arena.jobs import Terms

    _at_least("--margin", margin, 0)
    _at_least("--max-plies", max_plies, 0)
    if not 0.001 <= move_limit <= 86_400:
        raise BadInput(f"--move-limit {move_limit} is out of range: it must be from 0.001 to 86400 s")
    return Terms(limit, margin, round(move_limit * 1000), max_plies)


def _start(variant: str, rules: str, board: Path | None, fen: str | None) -> "Start":
    """What the games start from; a drawn board is a position string. Refuses a position that is already decided."""
    from arena.games import boards, variants
    from arena.schedule import Start

    if board is not None and fen is not None:
        raise BadInput("give --board or --fen, not both")
    if board is not None:
        # Without a variant a drawing is Callanish on a board of its own; a file may name its variant itself.
        variant, fen = boards.read_board(board, "callanish" if variant == DEFAULT_VARIANT else variant)
    found, position = variants.resolve(variant, rules, fen)
    for warning in found.warnings(position):
        typer.echo(f"arena: warning: {warning}", err=True)
    if position.outcome is not None:
        outcome = position.outcome
        raise BadInput(
            f"--fen {position.fen()!r} is a finished game ({outcome.winner} by {outcome.reason}): give another"
        )
    return Start(found.name, None if fen is None else position.fen())


def _plan(
    kind: str,
    name: str,
    specs: "tuple[EngineSpec, ...]",
    starts: "tuple[Start, ...]",
    games: int,
    openings: int,
    seed: int | None,
    terms: "Terms",
) -> "Plan":
    from arena import openings as drawing
    from arena import runs
    from arena.games import variants

    _at_least("--openings", openings, 0)
    if openings > 200:
        raise BadInput(f"--openings {openings} is out of range: it must be at most 200")
    if seed is not None:
        _at_least("--seed", seed, 0)
        if seed >= 2**63:
            raise BadInput(f"--seed {seed} is out of range: it must be below 2**63")
    seed = runs.drawn_seed() if seed is None else seed
    for start in starts:  # one that can be drawn now can be drawn in the workers
        drawing.draw(*variants.resolve(start.variant, "", start.fen), openings, f"{seed}/trial")
    return runs.Plan(kind, name, specs, starts, games, openings, seed, terms)


def _resumed(plan: "Plan", store: "Store", given: bool) -> "Plan":
    """The plan with the seed of the stored run that it repeats, where no seed was given."""
    from arena import runs

    seed = None if given else runs.seed_of_same(plan, store.runs())
    return plan if seed is None else replace(plan, seed=seed)


@contextlib.contextmanager
def _store(db: Path | None) -> "Iterator[Store]":
    from results.store import Store

    fresh = db is not None and not db.exists()
    store = Store.in_memory() if db is None else Store.create_or_open(db)
    begun = False
    try:
        yield store
        begun = True
    finally:
        begun = begun or bool(store.runs())
        store.close()
        if db is not None and fresh and not begun:  # refused before the first game: leave nothing behind
            db.unlink(missing_ok=True)


def _conduct(
    plan: "Plan", store: "Store", concurrency: int | None, *, as_json: bool, pgn: Path | None, everyone: bool
) -> None:
    """Play a plan to its end and print what came out. `everyone`: no game without all engines."""
    from arena import runs

    if concurrency is not None:
        _at_least("--concurrency", concurrency, 1)
    if pgn is not None and not pgn.absolute().parent.is_dir():
        raise BadInput(f"--pgn {pgn}: there is no folder {pgn.absolute().parent}; make it first")
    introduced = runs.introductions(plan)
    _refuse_absent(plan, introduced, everyone)
    done = len(store.numbers(plan.run_id))
    say = _say if not as_json else lambda text: print(text, file=sys.stderr)
    say(
        f"{plan.name}: {plan.games - done} games to play, seed {plan.seed}"
        + (f", {done} already there" if done else "")
    )
    report, interrupted = None, False
    unfinished: list[GameRecord] = []
    try:
        with _progress(plan.games, done) as advance:

            def seen(record: "GameRecord") -> None:
                if record.winner is None:
                    unfinished.append(record)
                else:
                    advance(record)

            report = runs.play(plan, store, introduced.players, introduced.absent, concurrency or _cores(), seen)
    except KeyboardInterrupt:
        interrupted = True
    records = sorted([*store.games(plan.run_id), *unfinished], key=lambda record: record.number)
    if pgn is not None:
        _write_pgn(pgn, plan.name, records)
    if as_json:
        print(json.dumps(_summary(plan, records)))
    else:
        _print_tables(plan, records, report)
    if interrupted:
        whole = len(records) - len(unfinished)
        say(f"interrupted: {whole} of {plan.games} games ended and are kept; the same command plays the rest")
        raise KeyboardInterrupt


def _refuse_absent(plan: "Plan", introduced: "Introduced", everyone: bool) -> None:
    for reason in introduced.absent.values():
        typer.echo(f"arena: {reason}", err=True)
    present = len(plan.engines) - len(introduced.absent)
    if introduced.absent and (everyone or present < 2):
        raise CannotStartEngine("" if everyone else f"only {present} of {len(plan.engines)} engines can be started")


def _cores() -> int:
    """Games at once where none were asked for: one core stays free for the referee and the machine."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, available - 1)


@contextlib.contextmanager
def _progress(games: int, done: int) -> "Iterator[Callable[[GameRecord], None]]":
    """A progress bar on stderr, told of each game as it ends."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task("starting", total=games, completed=done)
        step = max(1, games // 10)

        def advance(record: "GameRecord") -> None:
            nonlocal done
            done += 1
            winner = {"p1": record.p1, "p2": record.p2}.get(record.winner or "", "draw")
            told = f"{record.p1} - {record.p2}, {record.variant}: {winner}, {record.termination}"
            bar.update(task, completed=done, description=told)
            if not screen.is_terminal and done % step == 0:  # a log has no bar, and should not have a line a game
                _say(f"{done} of {games} games")

        yield advance


def _write_pgn(path: Path, event: str, records: "list[GameRecord]") -> None:
    from results.export import pgn

    write_whole(path, "".join(pgn(record, event) for record in records))


def _summary(plan: "Plan", records: "list[GameRecord]") -> dict[str, Any]:
    from arena.cli import pools
    from results.export import jsonl

    return {
        "run": plan.run_id,
        "name": plan.name,
        "seed": plan.seed,
        "games": [jsonl(record) for record in records],
        "standings": pools.standings_values(pools.pools(records, [spec.name for spec in plan.engines])),
    }


def _print_tables(plan: "Plan", records: "list[GameRecord]", report: "Report | None") -> None:
    from arena.cli import pools

    out = console()
    found = pools.pools(records, [spec.name for spec in plan.engines])
    pools.print_standings(out, found)
    out.print()
    pools.print_crosstables(out, found)
    if report is not None:
        for name, reason in report.withdrawn.items():
            out.print(f"{name} was withdrawn: {reason}", markup=False)
        if report.not_played:
            out.print(f"{report.not_played} scheduled games were not played")


def _say(text: str) -> None:
    typer.echo(text, err=True)
