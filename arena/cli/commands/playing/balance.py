"""`arena balance`: a tournament of engines against themselves that tells what a variant's first side is worth."""

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options, output
from arena.cli.containment_options import ContainmentOptions
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput
from arena.cli.option_groups import grouped
from arena.cli.output import report
from arena.cli.run.report import RunOutcome
from arena.cli.run.run_plan import run_plan
from results.variant_name import shown

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from arena.planning.prepared_run import PreparedRun
    from arena.studies.side_advantage import NodeLevel, SideFindings, SideStudy
    from arena.studies.trend import Trend

_MOST_RUNGS = 16
_HEAD = ("nodes", "rating", "games", "p1 %", "95 %", "draws %", "won %", "95 %")
_RIGHT = frozenset(range(len(_HEAD)))


@grouped
def balance(
    variant: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT", help="What is played: a name that `arena variants` lists, or the TOML file of your own."
        ),
    ],
    *,
    engine: Annotated[
        list[str] | None, typer.Option(help="An engine that plays, more than once for several. [default: alphabeta]")
    ] = None,
    nodes: Annotated[
        list[str] | None,
        typer.Option(metavar="N,N,N", help="Nodes for each move, one rung for each number. [default: 100,300,1000]"),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each pairing, each from an opening of its own.")] = 40,
    self_only: Annotated[
        bool, typer.Option("--self-only", help="Play no games between rungs or engines: no ratings, fewer games.")
    ] = False,
    engines: options.Engines = None,
    openings: Annotated[
        int,
        typer.Option(
            help="Random plies of each opening, enough for all games to differ.", rich_help_panel=options.OPENINGS
        ),
    ] = 4,
    seed: options.Seed = None,
    max_plies: options.MaxPlies = 0,
    concurrency: options.Concurrency = None,
    containment: ContainmentOptions,
    db: options.Database = None,
    as_json: AsJson = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Print plain ASCII.")] = False,
) -> None:
    """Measure what a variant's first side is worth, and how that changes with strength."""
    rungs = _rungs(",".join(nodes or ["100,300,1000"]))
    box = containment.parse().begin()
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.games import variant_file
    from arena.planning.prepared_run import RunOptions
    from arena.studies.side_advantage import SideStudy

    registry = load.load_registry(engines)
    players = load.unique(engine_argument(word, registry) for word in engine or ["alphabeta"])
    study = SideStudy(box.apply(players), rungs, self_only)
    plan = study.plan(variant_file.named(variant), games, openings, max_plies, seed, report)
    how = RunOptions(box, db, concurrency, seed_given=seed is not None)
    run_plan(plan, how, options.OutputOptions(as_json=as_json), "balance", tell=partial(_tell, study, ascii_only))


def _rungs(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 10 and int(word) >= 1 for word in words):
        raise BadInput(f"--nodes {text!r} cannot be read: write numbers from 1 on, such as 100,300,1000")
    rungs = tuple(sorted({int(word) for word in words}))
    if len(rungs) > _MOST_RUNGS:
        raise BadInput(f"--nodes has {len(rungs)} numbers: give at most {_MOST_RUNGS}")
    return rungs


def _tell(study: "SideStudy", ascii_only: bool, run: "PreparedRun[Plan]", outcome: RunOutcome, as_json: bool) -> None:
    """Print what the stored games of the study say."""
    from arena.studies.side_advantage import summary

    plan, store = run.plan, run.store
    found, withdrawn = study.findings(store.games(plan.run_id)), store.withdrawn(plan.run_id)
    if as_json:
        output.echo(json.dumps(summary(plan, found, withdrawn)))
    else:
        _print(plan, found, withdrawn, ascii_only)


def _print(plan: "Plan", found: "SideFindings", withdrawn: dict[str, str], ascii_only: bool) -> None:
    from results.plots import terminal
    from results.plots.svg import Interval

    if found.fitted is None:
        output.echo_sentence("no games yet")
        return
    output.echo_sentence(f"{shown(plan.starts[0].variant)}: what p1 scores among equals")
    output.echo()
    fitted = ("fitted", "", str(found.distinct), *_share(found.fitted), f"{100 * found.fitted.draw:.1f}", "", "")
    output.print_table([_HEAD, *map(_row, found.levels), fitted], right=_RIGHT)
    output.echo()
    if len(found.engines) > 1:
        for engine in found.engines:
            output.echo_sentence(f"{engine.name} alone")
            output.echo()
            output.print_table([_HEAD, *map(_row, engine.levels)], right=_RIGHT)
            output.echo()
            _print_trends(engine.trend, engine.decided_trend)
            output.echo()
    named = [(f"{level.nodes} nodes", level.score) for level in found.levels] + [("fitted", found.fitted)]
    bars = [Interval(name, 100 * p1.score, 100 * p1.lower, 100 * p1.upper) for name, p1 in named if p1 is not None]
    plain = output.must_be_ascii(ascii_only)
    for line in terminal.intervals(bars, "", min(80, output.console().width), plain=plain):
        output.echo(line.rstrip())
    output.echo()
    output.echo_sentence("nodes: games of a rung against itself; won %: p1 among games without draws")
    output.echo_sentence("fitted: all games together")
    _print_trends(found.trend, found.decided_trend)
    if found.uneven:
        output.echo_sentence("rungs differ by more than chance: read their lines, not the fitted one")
    if found.distinct < found.games:
        output.echo_sentence(
            f"identical games count once: {found.distinct} of {found.games} differ; more --openings vary them"
        )
    for name, reason in withdrawn.items():
        output.echo_sentence(f"withdrawn: {name}: {reason}")


def _row(level: "NodeLevel") -> tuple[str, ...]:
    rating = "-" if level.rating is None else f"{level.rating:+z.2f}"
    drawn = "-" if level.score is None else f"{100 * level.score.draw:.1f}"
    return str(level.nodes), rating, str(level.scored.games), *_share(level.score), drawn, *_share(level.decided)


def _share(found: "Sequence[float] | None") -> tuple[str, str]:
    if found is None:
        return "-", "-"
    share, lower, upper = (100 * figure for figure in found[:3])
    return f"{share:.1f}", f"{lower:.1f} - {upper:.1f}"


def _print_trends(score: "Trend | None", decided: "Trend | None") -> None:
    if score is not None:
        output.echo_sentence(f"trend of p1 %: {_trend(score)}")
    if decided is not None:
        output.echo_sentence(f"trend of won %: {_trend(decided)}")


def _trend(found: "Trend") -> str:
    p = "p < 0.0001" if found.p < 0.0001 else f"p = {found.p:.4f}"
    slope, lower, upper = (100 * figure for figure in (found.slope, found.lower, found.upper))
    return f"{slope:+z.1f} for ten times the nodes ({lower:+z.1f} to {upper:+z.1f}), {p}"
