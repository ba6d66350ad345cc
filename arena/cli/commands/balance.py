"""`arena balance`: a tournament of engines against themselves that tells what a variant's first side is worth."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput
from arena.cli.options import Concurrency, Engines, MaxPlies, Seed
from arena.cli.run.order import Order, at_least, say
from arena.cli.run.progress import shown
from arena.cli.run.run import cores, prepared_run, telling
from arena.planning import build_plan
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from arena.studies.side_advantage import NodeLevel, SideFindings, SideStudy
    from results.ratings.fit import Expected

_MOST_RUNGS = 16


def balance(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="What is played; `arena variants` lists them.")],
    engine: Annotated[
        list[str] | None, typer.Option(help="Who plays; more than once for several. [default: alphabeta]")
    ] = None,
    nodes: Annotated[
        list[str] | None,
        typer.Option(metavar="N,N,N", help="Nodes for each move, one rung each. [default: 100,300,1000]"),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each pairing, each from an opening of its own.")] = 40,
    openings: Annotated[int, typer.Option(help="Random plies of each opening; enough for all games to differ.")] = 4,
    max_plies: MaxPlies = 0,
    concurrency: Concurrency = None,
    seed: Seed = None,
    db: Annotated[
        Path | None, typer.Option(help="Database to keep the games in; a repeated command plays what is missing.")
    ] = None,
    engines: Engines = None,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    as_json: AsJson = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Print plain ASCII.")] = False,
) -> None:
    """Measure what a variant's first side is worth, and how that changes with strength."""
    from arena.config import load
    from arena.planning import plan as runs_plan
    from arena.planning import resume
    from arena.planning.fingerprint import all_of
    from arena.play.time_control import fixed
    from arena.studies.side_advantage import SideStudy

    at_least("--games", games, 1)
    at_least("--openings", openings, 0)
    at_least("--seed", 0 if seed is None else seed, 0)
    rungs = _rungs(",".join(nodes or ["100,300,1000"]))
    registry = load.load_registry(engines)
    bases = load.unique(load.engine_argument(word, registry) for word in engine or ["alphabeta"])
    box = Containment(contain, env or [], read or [])
    study = SideStudy(box.around(bases), rungs)
    choice, players = study.choice(games), study.players
    plan = runs_plan.Plan(
        "tournament",
        f"the sides of {variant}",
        players,
        (build_plan.start(variant, "", None, None),),
        games * len(choice.values["pairings"]),
        openings,
        resume.drawn_seed() if seed is None else seed,
        build_plan.terms(fixed("nodes", rungs[0]), 50, 60.0, max_plies, "fair", False),
        all_of(players),
        choice,
    )
    _conduct(study, plan, Order(box, db, concurrency, None, as_json, seed is not None, everyone=True), ascii_only)


def _rungs(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 10 and int(word) >= 1 for word in words):
        raise BadInput(f"--nodes {text!r} cannot be read: write numbers from 1 on, such as 100,300,1000")
    rungs = tuple(sorted({int(word) for word in words}))
    if len(rungs) > _MOST_RUNGS:
        raise BadInput(f"--nodes has {len(rungs)} numbers: give at most {_MOST_RUNGS}")
    return rungs


def _conduct(study: "SideStudy", plan: "Plan", order: Order, ascii_only: bool) -> None:
    """Play the study to its end, or go on with it, and print what it found."""
    from arena.games import variants
    from arena.planning import run as runs
    from arena.play import random_opening
    from arena.play.observers import Observers

    random_opening.draw(*variants.resolve(plan.starts[0].variant), plan.opening_plies, f"{plan.seed}/trial")
    with prepared_run(plan, order) as run:
        plan, store = run.plan, run.store
        say(f"{plan.name}: {some_games(plan.games - run.done)} to play, seed {plan.seed}{run.there}")
        interrupted = False
        try:
            with shown(plan.name, plan.games, run.done, quiet=order.quiet) as show:
                at_once, seen = order.concurrency or cores(), Observers(show.watchers)
                runs.play(plan, store, {}, at_once, seen, glimpse_ms=show.glimpse_ms, begun=show.begun)
        except KeyboardInterrupt:
            interrupted = True
        with telling(interrupted):
            found, withdrawn = study.findings(store.games(plan.run_id)), store.withdrawn(plan.run_id)
            if order.as_json:
                typer.echo(json.dumps(_values(plan, found, withdrawn)))
            else:
                _print(plan, found, withdrawn, ascii_only)
            if interrupted and order.db is None:
                say("interrupted; without --db no game is kept")
            elif interrupted:
                say("interrupted: what ended is kept; the same command plays the rest")


def _values(plan: "Plan", found: "SideFindings", withdrawn: dict[str, str]) -> dict[str, object]:
    return {
        "run": plan.run_id,
        "variant": plan.starts[0].variant,
        "seed": plan.seed,
        "games": found.games,
        "distinct": found.distinct,
        "levels": [
            {
                "nodes": level.nodes,
                "rating": level.rating,
                "games": level.scored.games,
                "wins": level.scored.wins,
                "draws": level.scored.draws,
                "losses": level.scored.losses,
                **_interval(level.score),
            }
            for level in found.levels
        ],
        "uneven": found.uneven,
        "fitted": None if found.fitted is None else {**_interval(found.fitted), "draw": round(found.fitted.draw, 6)},
        "withdrawn": withdrawn,
    }


def _interval(found: "Expected | None") -> dict[str, float | None]:
    """What p1 scores, with the ends of its 95 % interval."""
    return dict(zip(("score", "lower", "upper"), (None,) * 3 if found is None else found[:3], strict=True))


def _print(plan: "Plan", found: "SideFindings", withdrawn: dict[str, str], ascii_only: bool) -> None:
    from arena.cli import output
    from arena.cli.commands import plot
    from results.plots import terminal
    from results.plots.svg import Interval

    if found.fitted is None:
        typer.echo("no games yet")
        return
    typer.echo(f"{plan.starts[0].variant}: what p1 scores among equals\n")
    rows = [("nodes", "rating", "games", "p1 %", "95 %", "draws %"), *map(_row, found.levels)]
    score, lower, upper, _, drawn, _ = (100 * figure for figure in found.fitted)
    together = f"{lower:.1f} - {upper:.1f}"
    rows.append(("fitted", "", str(found.distinct), f"{score:.1f}", together, f"{drawn:.1f}"))
    typer.echo(output.table(rows, right=frozenset(range(6))))
    named = [(f"{level.nodes} nodes", level.score) for level in found.levels] + [("fitted", found.fitted)]
    bars = [Interval(name, 100 * p1.score, 100 * p1.lower, 100 * p1.upper) for name, p1 in named if p1 is not None]
    plain = plot.must_be_ascii(ascii_only)
    for line in terminal.intervals(bars, "", min(80, output.console().width), plain=plain):
        typer.echo(line.rstrip())
    typer.echo("\nnodes: games of a rung against itself; fitted: all games together")
    if found.uneven:
        typer.echo("rungs differ by more than chance: read them, and not the line that fits one advantage to all")
    if found.distinct < found.games:
        typer.echo(f"identical games count once: {found.distinct} of {found.games} differ; more --openings vary them")
    for name, reason in withdrawn.items():
        typer.echo(f"withdrawn: {name}: {reason}")


def _row(level: "NodeLevel") -> tuple[str, ...]:
    rating = "-" if level.rating is None else f"{level.rating:+z.2f}"
    if level.score is None:
        return str(level.nodes), rating, "0", "-", "-", "-"
    score, lower, upper, _, drawn, _ = (f"{100 * figure:.1f}" for figure in level.score)
    return str(level.nodes), rating, str(level.scored.games), score, f"{lower} - {upper}", drawn
