"""`arena sprt`: plays two engines until it is known, with chosen error rates, whether the first is stronger."""

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.conduct import MOST_AT_ONCE, Order, _calmly, _cores, _opened, _refuse_absent, _resumed, at_least
from arena.cli.containment import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput
from arena.cli.play import ClockKind, Freeze, Pin, _limit, _plan, _start, _terms
from results.sprt import Estimate, Model

if TYPE_CHECKING:
    from arena.trial import Trial
    from arena.trial_plan import TrialPlan
    from results.record import GameRecord
    from results.store import Store

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
    variant: Annotated[
        str | None, typer.Option(help="What is played; `arena variants` lists them. [default: callanish-9]")
    ] = None,
    board: Annotated[Path | None, typer.Option(help="A drawn board to start from: a text or TOML file.")] = None,
    rules: Annotated[str, typer.Option(help="Changed rules, such as 'king_steps=2 king_armed=no'.")] = "",
    fen: Annotated[str | None, typer.Option(help="A position string to start from.")] = None,
    games: Annotated[int, typer.Option(help="So many games at most; then the test ends undecided.")] = 100_000,
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
    openings: Annotated[int, typer.Option(help="Random plies of each pair; enough for all pairs to differ.")] = 4,
    seed: Annotated[
        int | None, typer.Option(help="Decides openings and engines' chance. [default: drawn, printed]")
    ] = None,
    db: Annotated[
        Path | None, typer.Option(help="Database to keep the games in; a repeated test goes on where it stopped.")
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
    """Play two engines until it is clear whether the first is stronger, and stop."""
    from arena import config
    from arena.formats.choice import Choice
    from arena.limits import parse
    from arena.trial_plan import TrialPlan
    from results.sprt import BadSprt, Sprt

    try:
        test = Sprt(elo0, elo1, alpha, beta, model)
    except BadSprt as bad:
        raise BadInput(f"--{bad}") from None
    at_least("--games", games, 2)
    if games % 2:
        raise BadInput(f"--games {games} is odd: a pair is two games, so that each opening is played with both sides")
    if concurrency is not None and not 1 <= concurrency <= MOST_AT_ONCE:
        raise BadInput(f"--concurrency {concurrency} is out of range: it must be from 1 to {MOST_AT_ONCE}")
    registry = config.load_registry(engines)
    specs = config.unique((config.engine_argument(a, registry), config.engine_argument(b, registry)))
    box = Containment(contain, env or [], read or [])
    if tc is not None and (movetime, nodes, depth) != (None, None, None):
        raise BadInput("give one of --tc, --movetime, --nodes and --depth, not several")
    limit = _limit(movetime, nodes, depth) or parse(config.DEFAULT_TC if tc is None else tc)
    match = _plan(
        "match",
        f"{specs[0].name} tested against {specs[1].name}",
        box.around(specs),
        (_start(variant, rules, board, fen),),
        openings,
        seed,
        _terms(limit, margin, move_limit, max_plies, clock or "fair", freeze),
        Choice(rounds=games // 2),
    )
    order = Order(box, db, concurrency, None, as_json, seed is not None, everyone=True, pin=pin)
    _conduct(TrialPlan.of(match, test), order)


def _conduct(plan: "TrialPlan", order: Order) -> None:
    """Play the test to its end, or go on with it, and print what came out."""
    from arena import runs
    from arena.watch import Seen

    with _opened(order.db) as opened:
        plan = replace(plan, seed=_resumed(plan, opened.there, order).seed)
        in_force = order.box.proven(plan.engines)
        introduced = runs.introductions(plan)
        _refuse_absent(plan, introduced, everyone=True)
        store = opened.for_writing()
        store.add_run(plan.run(in_force), introduced.players)
        shown = _trial(plan, store, order.db)
        there = f", {store.count(plan.run_id)} games already there" if shown.standing.played else ""
        _say(f"{plan.name}: {plan.games} games at most, seed {plan.seed}{there}")
        interrupted = False
        try:
            with _progress(shown) as advance:

                def seen(record: "GameRecord") -> None:
                    if record.winner is not None:
                        advance(record)

                runs.play(plan, store, {}, order.concurrency or _cores(), Seen(seen), pin=order.pin)
        except KeyboardInterrupt:
            interrupted = True
        with _calmly() if interrupted else contextlib.nullcontext():
            _tell(plan, _trial(plan, store, order.db), store.withdrawn(plan.run_id), order.as_json)
            if interrupted and order.db is None:
                _say("interrupted; without --db no game is kept")
            elif interrupted:
                _say("interrupted: what ended is kept; the same command goes on with it")
    if interrupted:
        raise KeyboardInterrupt


def _trial(plan: "TrialPlan", store: "Store", db: Path | None) -> "Trial":
    """The test as the store has it: what is shown is computed from what is kept."""
    from results.sprt import NoPair

    try:
        return plan.supply(store, ())
    except NoPair as odd:
        raise BadInput(f"{db}: {odd}: the file was changed by hand; restore it from a copy") from None


@contextlib.contextmanager
def _progress(trial: "Trial") -> "Iterator[Callable[[GameRecord], None]]":
    """How the test stands, on stderr: a line that changes, or in a log a line now and then."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    screen = Console(stderr=True)
    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task(_line(trial), total=None)
        told = trial.standing.played

        def advance(record: "GameRecord") -> None:
            nonlocal told
            trial.note(record)
            bar.update(task, description=_line(trial))
            if not screen.is_terminal and trial.standing.played >= told + EVERY:
                told = trial.standing.played
                _say(_line(trial))

        yield advance


def _line(trial: "Trial") -> str:
    standing, test = trial.standing, trial.test
    counts = " ".join(map(str, standing.pairs))
    return f"{standing.played} pairs ({counts}), LLR {standing.llr:.2f} ({test.lower:.2f}, {test.upper:.2f})"


def _tell(plan: "TrialPlan", trial: "Trial", withdrawn: dict[str, str], as_json: bool) -> None:
    if as_json:
        print(json.dumps(_summary(plan, trial, withdrawn)))
        return
    from results.sprt import elo, nelo

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
        lines.append(f"{trial.repeated} pairs repeat an earlier game and are no new evidence: give more --openings")
    if trial.stuck is not None:
        lines.append(f"stopped: game {trial.stuck.number} never had a result ({trial.stuck.detail})")
    lines += [f"withdrawn: {name}: {reason}" for name, reason in withdrawn.items()]
    typer.echo("\n".join(lines))


def _shown(estimate: Estimate | None) -> str:
    if estimate is None:
        return "unknown"
    value, low, high = (f"{figure:.1f}" for figure in estimate)
    return f"{value} (95 %: {low} to {high})"


def _summary(plan: "TrialPlan", trial: "Trial", withdrawn: dict[str, str]) -> dict[str, Any]:
    from results.sprt import elo, nelo

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


def _values(estimate: Estimate | None) -> dict[str, float | None] | None:
    """JSON has no infinity."""
    if estimate is None:
        return None
    return {name: figure if math.isfinite(figure) else None for name, figure in estimate._asdict().items()}


def _say(text: str) -> None:
    print(text, file=sys.stderr)
