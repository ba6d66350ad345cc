"""`arena sprt`: plays two engines until it is known, with chosen error rates, whether the first is stronger."""

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import options
from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput
from arena.cli.run import event_stream as streams
from arena.cli.run.order import Order, at_least, say
from arena.cli.run.run import cores, prepared_run, telling
from arena.planning import build_plan
from arena.planning.build_plan import Draws, Opponents, Spending
from results.ratings.sprt import EloEstimate, Model

if TYPE_CHECKING:
    from arena.sprt.job_source import SprtRun
    from arena.sprt.plan import SprtPlan
    from results.record import GameRecord
    from results.store.store import Store

EVERY = 50
"""Pairs between two lines in a log, which has no bar."""
POINTS = ("0", "1/2", "1", "3/2", "2")


def sprt(
    a: Annotated[
        str, typer.Argument(metavar="A", help="Who may be stronger: a registered name, a path, or a command line.")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other one. Options of an engine: 'alphabeta:Hash=16'.")],
    elo0: Annotated[float, typer.Option(help="H0: A is stronger by no more than this; negative to forbid a loss.")],
    elo1: Annotated[float, typer.Option(help="H1: A is stronger by at least this.")],
    alpha: Annotated[float, typer.Option(help="How often H1 may be accepted where H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often H0 may be accepted where H1 is true.")] = 0.05,
    model: Annotated[Model, typer.Option(help="What elo0 and elo1 are: normalized or logistic Elo.")] = "normalized",
    variant: options.Variant = None,
    board: options.Board = None,
    rules: options.Rules = "",
    fen: options.Fen = None,
    games: Annotated[int, typer.Option(help="So many games at most; then the test ends undecided.")] = 100_000,
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
        int | None, typer.Option(help="Random plies of each pair; enough for all pairs to differ. [default: 4]")
    ] = None,
    book: options.Book = None,
    book_order: options.BookOrder = None,
    book_start: options.BookStart = None,
    book_plies: options.BookPlies = None,
    seed: options.Seed = None,
    fault_budget: options.FaultBudget = 5,
    db: Annotated[
        Path | None, typer.Option(help="Database to keep the games in; a repeated test goes on where it stopped.")
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
    """Play two engines until it is clear whether the first is stronger, and stop."""
    from arena.config import load
    from arena.formats.registry import FormatConfig
    from arena.play import adjudication
    from arena.sprt.plan import SprtPlan
    from results.ratings.sprt import BadSprt, Sprt

    build_plan.keep_to(cpus)
    try:
        test = Sprt(elo0, elo1, alpha, beta, model)
    except BadSprt as bad:
        raise BadInput(f"--{bad}") from None
    at_least("--games", games, 2)
    at_least("--fault-budget", fault_budget, 0)
    if games % 2:
        raise BadInput(f"--games {games} is odd: a pair is two games, so that each opening is played with both sides")
    opponents = Opponents((a, b), option or (), (limit_a, limit_b))
    limit = Spending(tc, movetime, nodes, depth, time_scale).limit
    specs = opponents.specs(load.load_registry(engines), time_scale)
    box = Containment(contain, env or [], read or [])
    draws = Draws(openings, book, book_order, book_start, book_plies)
    match = build_plan.plan(
        "match",
        f"{specs[0].name} tested against {specs[1].name}",
        box.around(specs),
        (draws.booked(build_plan.start(variant, rules, board, fen)),),
        draws.plies_or(4),
        seed,
        build_plan.terms(
            limit, margin, move_limit, max_plies, clock or "fair", freeze, adjudication.parse(resign, draw)
        ),
        FormatConfig(rounds=games // 2),
    )
    match = replace(match, fault_budget=fault_budget)
    order = Order(
        box,
        db,
        concurrency,
        None,
        as_json,
        seed is not None,
        everyone=True,
        pin=pin,
        events=events,
        quiet=quiet,
        trace=trace,
    )
    _conduct(SprtPlan.of(match, test), order)


def _conduct(plan: "SprtPlan", order: Order) -> None:
    """Play the test to its end, or go on with it, and print what came out."""
    from arena.planning import run as runs
    from arena.play.observers import GameObserver, Observers

    with prepared_run(plan, order) as run:
        plan, store, log = run.plan, run.store, run.log
        shown = _trial(plan, store, order.db)
        there = f", {run.done} games already there" if shown.standing.played else ""
        say(f"{plan.name}: {plan.games} games at most, seed {plan.seed}{there}")
        log.begin(plan, store)
        interrupted = False
        try:
            with _progress(shown, quiet=order.quiet) as advance:

                def seen(record: "GameRecord") -> None:
                    if record.winner is not None:
                        advance(record)

                told = Observers([GameObserver(seen), *log.watchers])
                runs.play(plan, store, {}, order.concurrency or cores(), told, pin=order.pin)
        except KeyboardInterrupt:
            interrupted = True
        log.end(len(store.done(plan.run_id)), interrupted=interrupted)
        with telling(interrupted):
            if order.events != streams.STDOUT:
                _tell(plan, _trial(plan, store, order.db), store.withdrawn(plan.run_id), order.as_json)
            if interrupted and order.db is None:
                say("interrupted; without --db no game is kept")
            elif interrupted:
                say("interrupted: what ended is kept; the same command goes on with it")


def _trial(plan: "SprtPlan", store: "Store", db: Path | None) -> "SprtRun":
    """The test as the store has it: what is shown is computed from what is kept."""
    from results.ratings.sprt import NoPair

    try:
        return plan.job_source(store, ())
    except NoPair as odd:
        raise BadInput(f"{db}: {odd}: the file was changed by hand; restore it from a copy") from None


@contextlib.contextmanager
def _progress(trial: "SprtRun", *, quiet: bool) -> "Iterator[Callable[[GameRecord], None]]":
    """How the test stands, on stderr: a line that changes, or in a log a line now and then."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    screen = Console(stderr=True)
    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, disable=quiet or not screen.is_terminal) as bar:
        task = bar.add_task(_line(trial), total=None)
        told = trial.standing.played

        def advance(record: "GameRecord") -> None:
            nonlocal told
            trial.record(record)
            bar.update(task, description=_line(trial))
            if not (quiet or screen.is_terminal) and trial.standing.played >= told + EVERY:
                told = trial.standing.played
                say(_line(trial))

        yield advance


def _line(trial: "SprtRun") -> str:
    standing, test = trial.standing, trial.test
    counts = " ".join(map(str, standing.pairs))
    return f"{standing.played} pairs ({counts}), LLR {standing.llr:.2f} ({test.lower:.2f}, {test.upper:.2f})"


def _tell(plan: "SprtPlan", trial: "SprtRun", withdrawn: dict[str, str], as_json: bool) -> None:
    if as_json:
        print(json.dumps(_summary(plan, trial, withdrawn)))
        return
    from results.ratings.sprt import elo, nelo

    a, b = (spec.name for spec in plan.engines)
    standing, test = trial.standing, plan.test
    unit = "nElo" if test.model == "normalized" else "Elo"
    verdicts = {
        "H1": f"H1: {a} is stronger than {b}, by {test.elo1:g} {unit} rather than by {test.elo0:g}",
        "H0": f"H0: {a} is not stronger than {b} by {test.elo1:g} {unit}, rather by {test.elo0:g} or less",
        "running": f"undecided whether {a} is stronger than {b} by {test.elo1:g} {unit} rather than by {test.elo0:g}",
    }
    lost, drawn, won = standing.games
    lines = [
        verdicts[standing.state],
        "",
        f"{a} in {standing.played} pairs, by points: "
        + ", ".join(f"{points}: {count}" for points, count in zip(POINTS, standing.pairs, strict=True)),
        f"in games: won {won}, drawn {drawn}, lost {lost}",
        f"LLR {standing.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f} "
        f"(alpha {test.alpha:g}, beta {test.beta:g}, {test.model})",
        f"Elo {_shown(elo(standing.pairs))}, nElo {_shown(nelo(standing.pairs))}",
    ]
    if trial.uncounted:
        lines.append(f"{trial.uncounted} games ended beyond the deciding pair and do not count")
    if trial.repeated:
        lines.append(
            f"{trial.repeated} pairs repeat an earlier game and are no new evidence: "
            "give more --openings or a larger --book"
        )
    if trial.stuck is not None:
        lines.append(f"stopped: game {trial.stuck.number} never had a result ({trial.stuck.detail})")
    lines += [f"withdrawn: {name}: {reason}" for name, reason in withdrawn.items()]
    typer.echo("\n".join(lines))


def _shown(estimate: EloEstimate | None) -> str:
    if estimate is None:
        return "unknown"
    value, low, high = (f"{figure:.1f}" for figure in estimate)
    return f"{value} (95 %: {low} to {high})"


def _summary(plan: "SprtPlan", trial: "SprtRun", withdrawn: dict[str, str]) -> dict[str, Any]:
    from results.ratings.sprt import elo, nelo

    standing = trial.standing
    return {
        "run": plan.run_id,
        "name": plan.name,
        "seed": plan.seed,
        "engines": [spec.name for spec in plan.engines],
        "test": asdict(plan.test),
        "bounds": [plan.test.lower, plan.test.upper],
        "state": standing.state,
        "llr": standing.llr,
        "pairs": list(standing.pairs),
        "games": dict(zip(("losses", "draws", "wins"), standing.games, strict=True)),
        "elo": _values(elo(standing.pairs)),
        "nelo": _values(nelo(standing.pairs)),
        "uncounted": trial.uncounted,
        "repeated": trial.repeated,
        "withdrawn": withdrawn,
    }


def _values(estimate: EloEstimate | None) -> dict[str, float | None] | None:
    """JSON has no infinity."""
    if estimate is None:
        return None
    return {name: figure if math.isfinite(figure) else None for name, figure in estimate._asdict().items()}
