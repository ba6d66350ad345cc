"""`arena match`, `arena tournament` and `arena demo`: settings in, games played, tables out."""

import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options, planning
from arena.cli.conduct import Order, at_least, conduct
from arena.cli.containment import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput
from arena.cli.planning import Draws, Opponents, Spending

if TYPE_CHECKING:
    from arena.runs import Plan
    from protocol.stopwatch import Kind


def match(
    a: Annotated[
        str, typer.Argument(metavar="A", help="An engine: a registered name, a path, or a quoted command line.")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent. Options of an engine: 'alphabeta:Hash=16'.")],
    variant: options.Variant = None,
    board: options.Board = None,
    rules: options.Rules = "",
    fen: options.Fen = None,
    games: Annotated[int, typer.Option(help="Games in all; A is p1 in game 1, sides swap every game.")] = 2,
    tc: options.Tc = None,
    movetime: options.Movetime = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    limit_a: options.LimitA = None,
    limit_b: options.LimitB = None,
    option: options.EachOption = None,
    time_scale: options.TimeScale = 1.0,
    margin: options.Margin = 50,
    move_limit: options.MoveLimit = 60.0,
    max_plies: options.MaxPlies = 0,
    resign: options.Resign = None,
    draw: options.Draw = None,
    concurrency: options.Concurrency = None,
    openings: Annotated[
        int | None, typer.Option(help="Random plies before the engines take over; 0: none. [default: 2]")
    ] = None,
    book: options.Book = None,
    book_order: options.BookOrder = None,
    book_start: options.BookStart = None,
    book_plies: options.BookPlies = None,
    seed: options.Seed = None,
    fault_budget: options.FaultBudget = 5,
    db: Annotated[
        Path | None, typer.Option(help="Database to keep the games in; a repeated match plays what is missing.")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="Write this match's games to a PGN file at the end, replacing it.")
    ] = None,
    engines: options.Engines = None,
    clock: options.ClockKind = None,
    freeze: options.Freeze = False,
    pin: options.Pin = True,
    cpus: options.Cpus = None,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    events: options.Events = None,
    quiet: options.Quiet = False,
    trace: options.Trace = None,
    as_json: options.Json = False,
) -> None:
    """Play two engines against each other and rate them."""
    from arena import adjudication, config
    from arena.formats.choice import Choice

    planning.keep_to(cpus)
    at_least("--games", games, 1)
    at_least("--fault-budget", fault_budget, 0)
    opponents = Opponents((a, b), option or (), (limit_a, limit_b))
    limit = Spending(tc, movetime, nodes, depth, time_scale).limit
    specs = opponents.specs(config.load_registry(engines), time_scale)
    box = Containment(contain, env or [], read or [])
    draws = Draws(openings, book, book_order, book_start, book_plies)
    asked = adjudication.parse(resign, draw)
    start = draws.booked(planning.start(variant, rules, board, fen))
    box.begin()
    plan = planning.plan(
        "match",
        f"{specs[0].name} against {specs[1].name}",
        box.around(specs),
        (start,),
        draws.plies_or(2),
        seed,
        planning.terms(limit, margin, move_limit, max_plies, clock or "fair", freeze, asked),
        Choice(rounds=-(-games // 2)),
    )
    order = Order(
        box,
        db,
        concurrency,
        pgn,
        as_json,
        seed is not None,
        everyone=True,
        pin=pin,
        events=events,
        quiet=quiet,
        trace=trace,
    )
    conduct(replace(plan, games=games, fault_budget=fault_budget), order)


def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What is played by whom; see the README.")],
    db: Annotated[Path | None, typer.Option(help="Database to keep the games in. [default: FILE.db here]")] = None,
    resume: Annotated[
        bool, typer.Option(help="Go on with this tournament: play exactly the games that are missing.")
    ] = False,
    add: Annotated[
        bool,
        typer.Option(
            "--add", help="Play the engines that are new at the file's end against all others; also while those play."
        ),
    ] = False,
    concurrency: options.Concurrency = None,
    seed: Annotated[int | None, typer.Option(help="Overrides the file's seed.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Overrides a key: rounds=4, each.nodes=9, engines.2.options.Hash=16. More than once for several.",
        ),
    ] = None,
    pgn: Annotated[Path | None, typer.Option(help="Write the games to a PGN file at the end, replacing it.")] = None,
    engines: options.Engines = None,
    clock: options.ClockKind = None,
    freeze: options.Freeze = False,
    pin: options.Pin = True,
    cpus: options.Cpus = None,
    smoke: options.Smoke = True,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    events: options.Events = None,
    quiet: options.Quiet = False,
    trace: options.Trace = None,
    as_json: options.Json = False,
) -> None:
    """Play a tournament of engines over one or more variants: a round robin, a Swiss, a knockout and others."""
    planning.keep_to(cpus)
    order = Order(
        Containment(contain, env or [], read or []),
        db or Path(file.stem + ".db"),
        concurrency,
        pgn,
        as_json,
        seed is not None,
        everyone=False,
        resume=resume,
        pin=pin,
        smoke=smoke,
        events=events,
        quiet=quiet,
        trace=trace,
    )
    _tournament(file, order, seed, engines, clock, freeze, changes or (), add)


def _tournament(
    file: Path,
    order: Order,
    seed: int | None,
    engines: Path | None = None,
    clock: "Kind | None" = None,
    freeze: bool = False,
    changes: Sequence[str] = (),
    add: bool = False,
) -> None:
    from arena import config

    table, specs = config.load_tournament(file, config.load_registry(engines), changes)
    seed = seed if seed is not None else table.seed
    terms = planning.terms_of(table)
    starts = planning.starts_of(table, file.parent)
    order.box.begin()
    plan = planning.plan(
        "tournament",
        table.name,
        order.box.around(specs),
        starts,
        0 if table.books else table.openings,
        seed,
        replace(terms, clock=clock or terms.clock, freeze=freeze or terms.freeze),
        table.choice,
    )
    plan = replace(plan, fault_budget=table.fault_budget)
    concurrency = table.concurrency if order.concurrency is None else order.concurrency
    order = replace(order, concurrency=concurrency, seed_given=seed is not None)
    if add:
        plan, order = _added(plan, order)
    conduct(plan, order)
    if not order.as_json and order.db is not None and order.events != Path("-"):
        _next_commands(order.db)


def _added(plan: "Plan", order: Order) -> "tuple[Plan, Order]":
    """The games of the engines that the database does not have in this tournament; going on with them is implied."""
    from arena.additions import addition
    from results.store import Store

    if order.db is None or not order.db.exists():
        raise BadInput(f"--add: there is no {order.db}: play the tournament without --add first, or name its --db")
    with Store.open_existing(order.db) as store:
        stored = store.runs()
    plan = addition(plan, stored, seed_given=order.seed_given)
    begun = any(run.id == plan.run_id for run in stored)
    return plan, replace(order, seed_given=True, resume=begun, added=True)


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
