"""`arena tournament` and `arena demo`: a file in, games played, tables out."""

import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options
from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput
from arena.cli.run.order import Order
from arena.cli.run.run import conduct
from arena.planning import build_plan

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from protocol.stopwatch import Kind


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
    build_plan.keep_to(cpus)
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
    from arena.config import load

    table, specs = load.load_tournament(file, load.load_registry(engines), changes)
    seed = seed if seed is not None else table.seed
    terms = build_plan.terms_of(table)
    starts = build_plan.starts_of(table, file.parent)
    order.box.begin()
    plan = build_plan.plan(
        "tournament",
        table.name,
        order.box.around(specs),
        starts,
        0 if table.books else table.openings,
        seed,
        replace(terms, clock=clock or terms.clock, freeze=freeze or terms.freeze),
        table.format_config,
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
    from arena.planning.added_engines import addition
    from results.store.store import Store

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
    from arena.planning import resume

    with resources.as_file(resources.files("engines") / "demo.toml") as file:
        seed = resume.drawn_seed() if seed is None else seed
        at_once = os.cpu_count() if concurrency is None else concurrency
        box = Containment(contain, [], [])
        _tournament(file, Order(box, db, at_once, None, False, True, everyone=False, resume=True), seed)


def _next_commands(db: Path) -> None:
    typer.echo("\nTry next:")
    for command in (f"standings {db}", f"games {db}", f"show {db} 1"):
        typer.echo(f"  arena {command}")
