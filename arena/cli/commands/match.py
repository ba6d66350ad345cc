"""`arena match`, `arena tournament` and `arena demo`: settings in, games played, tables out."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options
from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.run.order import Order, at_least
from arena.cli.run.run import conduct
from arena.planning import build_plan
from arena.planning.build_plan import Draws, Opponents, Spending

if TYPE_CHECKING:
    pass


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
    from arena.config import load
    from arena.formats.registry import FormatConfig
    from arena.play import adjudication

    build_plan.keep_to(cpus)
    at_least("--games", games, 1)
    at_least("--fault-budget", fault_budget, 0)
    opponents = Opponents((a, b), option or (), (limit_a, limit_b))
    limit = Spending(tc, movetime, nodes, depth, time_scale).limit
    specs = opponents.specs(load.load_registry(engines), time_scale)
    box = Containment(contain, env or [], read or [])
    draws = Draws(openings, book, book_order, book_start, book_plies)
    asked = adjudication.parse(resign, draw)
    start = draws.booked(build_plan.start(variant, rules, board, fen))
    box.begin()
    plan = build_plan.plan(
        "match",
        f"{specs[0].name} against {specs[1].name}",
        box.around(specs),
        (start,),
        draws.plies_or(2),
        seed,
        build_plan.terms(limit, margin, move_limit, max_plies, clock or "fair", freeze, asked),
        FormatConfig(rounds=-(-games // 2)),
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
