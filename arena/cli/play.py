"""`arena match`, `arena tournament` and `arena demo`: settings in, games played, tables out."""

import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli.conduct import Order, at_least, conduct
from arena.cli.containment import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from arena.formats.choice import Choice
    from arena.jobs import EngineSpec, Terms
    from arena.limits import Limit
    from arena.runs import Plan
    from arena.schedule import Start
    from protocol.stopwatch import Kind

ClockKind = Annotated[
    Literal["wall", "cpu", "fair"] | None,
    typer.Option(
        "--clock",
        help="Judge moves by wall time, CPU time, or fair: wall time less the machine's delays. [default: fair]",
    ),
]
Freeze = Annotated[bool, typer.Option("--freeze", help="Stop engines with SIGSTOP while their opponent thinks.")]
Pin = Annotated[bool, typer.Option("--pin/--no-pin", help="Keep each game on a CPU of its own, where one is free.")]
Smoke = Annotated[
    bool,
    typer.Option(
        "--smoke/--no-smoke", help="First ask each engine the smoke level of `arena check`, two seconds each."
    ),
]


def match(
    a: Annotated[
        str, typer.Argument(metavar="A", help="An engine: a registered name, a path, or a quoted command line.")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent. Options of an engine: 'alphabeta:Hash=16'.")],
    variant: Annotated[
        str | None, typer.Option(help="What is played; `arena variants` lists them. [default: callanish-9]")
    ] = None,
    board: Annotated[Path | None, typer.Option(help="A drawn board to start from: a text or TOML file.")] = None,
    rules: Annotated[str, typer.Option(help="Changed rules, such as 'king_steps=2 king_armed=no'.")] = "",
    fen: Annotated[str | None, typer.Option(help="A position string to start from.")] = None,
    games: Annotated[int, typer.Option(help="Games in all; A is p1 in game 1, sides swap every game.")] = 2,
    tc: Annotated[
        str | None, typer.Option(help="Seconds, base+increment or moves/base+increment. [default: 5+0.05]")
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
    clock: ClockKind = None,
    freeze: Freeze = False,
    pin: Pin = True,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")] = False,
) -> None:
    """Play two engines against each other and rate them."""
    from arena import config
    from arena.formats.choice import Choice
    from arena.limits import parse

    at_least("--games", games, 1)
    registry = config.load_registry(engines)
    specs = config.unique((config.engine_argument(a, registry), config.engine_argument(b, registry)))
    box = Containment(contain, env or [], read or [])
    limit = _limit(movetime, nodes, depth) or parse(config.DEFAULT_TC if tc is None else tc)
    if tc is not None and (movetime, nodes, depth) != (None, None, None):
        raise BadInput("give one of --tc, --movetime, --nodes and --depth, not several")
    plan = _plan(
        "match",
        f"{specs[0].name} against {specs[1].name}",
        box.around(specs),
        (_start(variant, rules, board, fen),),
        openings,
        seed,
        _terms(limit, margin, move_limit, max_plies, clock or "fair", freeze),
        Choice(rounds=-(-games // 2)),
    )
    plan = replace(plan, games=games)
    conduct(plan, Order(box, db, concurrency, pgn, as_json, seed is not None, everyone=True, pin=pin))


def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What is played by whom; see the README.")],
    db: Annotated[Path | None, typer.Option(help="Database to keep the games in. [default: FILE.db here]")] = None,
    resume: Annotated[
        bool, typer.Option(help="Go on with this tournament: play exactly the games that are missing.")
    ] = False,
    concurrency: Annotated[int | None, typer.Option(help="Games at once. [default: CPU cores - 1, at least 1]")] = None,
    seed: Annotated[int | None, typer.Option(help="Overrides the file's seed.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Overrides a key of the file: rounds=4, engines.2.options.Hash=16. More than once for several.",
        ),
    ] = None,
    pgn: Annotated[Path | None, typer.Option(help="Write the games to a PGN file at the end, replacing it.")] = None,
    engines: Annotated[
        Path | None, typer.Option(help="A registry file beside the shipped and your own engines.")
    ] = None,
    clock: ClockKind = None,
    freeze: Freeze = False,
    pin: Pin = True,
    smoke: Smoke = True,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")] = False,
) -> None:
    """Play a tournament of engines over one or more variants: a round robin, a Swiss, a knockout and others."""
    box = Containment(contain, env or [], read or [])
    path = db or Path(file.stem + ".db")
    order = Order(
        box, path, concurrency, pgn, as_json, seed is not None, everyone=False, resume=resume, pin=pin, smoke=smoke
    )
    _tournament(file, order, seed, engines, clock, freeze, changes or ())


def _tournament(
    file: Path,
    order: Order,
    seed: int | None,
    engines: Path | None = None,
    clock: "Kind | None" = None,
    freeze: bool = False,
    changes: Sequence[str] = (),
) -> None:
    from arena import config
    from arena.limits import parse, scaled

    table, specs = config.load_tournament(file, config.load_registry(engines), changes)
    if handicapped := [spec.name for spec in specs if spec.limit is not None]:
        raise BadInput(f"{file}: {', '.join(handicapped)}: the referee has one limit for both sides; leave out theirs")
    board = None if table.board is None else file.parent / table.board
    starts = tuple(_start(variant, table.rules, board, table.fen) for variant in table.asked)
    limit = scaled(table.limit or parse(config.DEFAULT_TC), table.time_scale)
    seed = seed if seed is not None else table.seed
    plan = _plan(
        "tournament",
        table.name,
        order.box.around(specs),
        starts,
        table.openings,
        seed,
        _terms(limit, table.margin, table.move_limit, table.max_plies, clock or table.clock, freeze or table.freeze),
        table.choice,
    )
    plan = replace(plan, fault_budget=table.fault_budget)
    concurrency = table.concurrency if order.concurrency is None else order.concurrency
    conduct(plan, replace(order, concurrency=concurrency, seed_given=seed is not None))
    if not order.as_json and order.db is not None:
        _next_commands(order.db)


def demo(
    db: Annotated[Path, typer.Option(help="Database to keep the games in.")] = Path("demo.db"),
    concurrency: Annotated[int | None, typer.Option(help="Games at once. [default: CPU cores]")] = None,
    seed: Annotated[int | None, typer.Option(help="Decides openings and engines' chance. [default: drawn]")] = None,
    contain: Contain = None,
) -> None:
    """Watch four engines play a rated round robin of Callanish and the Scottish game, in about a minute."""
    from arena import runs

    with resources.as_file(resources.files("engines") / "demo.toml") as file:
        seed = runs.drawn_seed() if seed is None else seed
        at_once = os.cpu_count() if concurrency is None else concurrency
        box = Containment(contain, [], [])
        _tournament(file, Order(box, db, at_once, None, False, True, everyone=False, resume=True), seed)


def _next_commands(db: Path) -> None:
    typer.echo("\nTry next:")
    for command in (f"standings {db}", f"games {db}", f"show {db} 1"):
        typer.echo(f"  arena {command}")


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


def _terms(limit: "Limit", margin: int, move_limit: float, max_plies: int, clock: "Kind", freeze: bool) -> "Terms":
    from arena.jobs import Terms

    at_least("--margin", margin, 0)
    at_least("--max-plies", max_plies, 0)
    if not 0.001 <= move_limit <= 86_400:
        raise BadInput(f"--move-limit {move_limit} is out of range: it must be from 0.001 to 86400 s")
    return Terms(limit, margin, round(move_limit * 1000), max_plies, clock, freeze)


def _start(variant: str | None, rules: str, board: Path | None, fen: str | None) -> "Start":
    """What the games start from; a drawn board is a position string. Refuses a position that is already decided."""
    from arena.games.boards import start_of
    from arena.schedule import Start

    found, position = start_of(variant, rules, board, fen)
    for warning in found.warnings(position):
        typer.echo(f"arena: warning: {warning}", err=True)
    if position.outcome is not None:
        outcome = position.outcome
        where = fen if board is None else board
        raise BadInput(
            f"{where}: that game is finished already ({outcome.winner} by {outcome.reason}): give another start"
        )
    return Start(found.name, None if fen is None and board is None else position.fen())


def _plan(
    kind: str,
    name: str,
    specs: "tuple[EngineSpec, ...]",
    starts: "tuple[Start, ...]",
    openings: int,
    seed: int | None,
    terms: "Terms",
    choice: "Choice",
) -> "Plan":
    """The plan of a whole tournament. Raises BadInput."""
    from arena import fingerprint, runs
    from arena import openings as drawing
    from arena.games import variants

    at_least("--openings", openings, 0)
    if openings > 200:
        raise BadInput(f"--openings {openings} is out of range: it must be at most 200")
    if seed is not None:
        at_least("--seed", seed, 0)
        if seed >= 2**63:
            raise BadInput(f"--seed {seed} is out of range: it must be below 2**63")
    seed = runs.drawn_seed() if seed is None else seed
    for start in starts:  # one that can be drawn now can be drawn in the workers
        drawing.draw(*variants.resolve(start.variant, "", start.fen), openings, f"{seed}/trial")
    fingerprints = fingerprint.all_of(specs)
    for same in fingerprint.twins(specs, fingerprints):
        typer.echo(f"arena: warning: {' and '.join(same)} are the same program with the same options", err=True)
    games = choice.make([spec.name for spec in specs], len(starts)).most * len(starts)
    return runs.Plan(kind, name, specs, starts, games, openings, seed, terms, fingerprints, choice)
