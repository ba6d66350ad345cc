"""`arena balance`: a tournament of engines against themselves that tells what playing p1 in a variant is worth."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

from arena.cli import options, output
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, grouped, option
from results.variant_name import shown

if TYPE_CHECKING:
    from arena.planning.outcome import RunOutcome
    from arena.planning.plan import Plan
    from arena.planning.prepared_run import PreparedRun
    from arena.studies.side_advantage import SideFindings, SideStudy
    from results.ratings.estimates import Expected

_MOST_RUNGS = 16


@grouped
def balance(
    variant: Annotated[
        str, argument("What is played: a name that `arena variants` lists, or the TOML file of your own.", "VARIANT")
    ],
    *,
    engine: Annotated[
        list[str] | None, option("An engine that plays, more than once for several. [default: alphabeta]")
    ] = None,
    nodes: Annotated[
        list[str] | None, option("Nodes for each move, one rung for each number. [default: 100,300,1000]", "N,N,N")
    ] = None,
    games: Annotated[int, option("Games of each pairing, each from an opening of its own.")] = 40,
    self_only: Annotated[
        bool, option("Play no games between rungs or engines: no ratings, fewer games.", flag="--self-only")
    ] = False,
    engines: options.Engines = None,
    openings: Annotated[
        int, option("Random plies of each opening, enough for all games to differ.", rich_help_panel=options.OPENINGS)
    ] = 4,
    seed: options.Seed = None,
    max_plies: options.MaxPlies = 0,
    concurrency: options.Concurrency = None,
    containment: options.ContainmentOptions,
    db: options.Database = None,
    printed: options.OutputOptions,
    ascii_only: Annotated[bool, option("Print plain ASCII.", flag="--ascii")] = False,
) -> None:
    """Measure what playing p1 in a variant is worth, and how that changes with strength."""
    rungs = _rungs(",".join(nodes or ["100,300,1000"]))
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.run_plan import run_plan
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.games import variant_file
    from arena.planning.prepared_run import RunOptions
    from arena.studies.side_advantage import SideStudy

    registry = load.load_registry(engines)
    players = load.unique(engine_argument(word, registry) for word in engine or ["alphabeta"])
    study = SideStudy(sandboxes.apply(players), rungs, self_only)
    plan = study.plan(variant_file.named(variant), games, openings, max_plies, seed, output.notify)
    how = RunOptions(sandboxes, db, concurrency, seed_given=seed is not None, trace=printed.trace)
    run_plan(plan, how, printed, "balance", tell=partial(_print_findings, study, ascii_only))


def _rungs(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 10 and int(word) >= 1 for word in words):
        raise BadInput(f"--nodes {text!r} cannot be read: write numbers from 1 on, such as 100,300,1000")
    rungs = tuple(sorted({int(word) for word in words}))
    if len(rungs) > _MOST_RUNGS:
        raise BadInput(f"--nodes has {len(rungs)} numbers: give at most {_MOST_RUNGS}")
    return rungs


def _print_findings(
    study: "SideStudy", ascii_only: bool, run: "PreparedRun[Plan]", outcome: "RunOutcome", as_json: bool
) -> None:
    """Print what the stored games of the study say."""
    from arena.studies.side_advantage import summary

    plan, store = run.plan, run.store
    findings, withdrawn = study.findings(store.games(plan.run_id)), store.withdrawn(plan.run_id)
    if as_json:
        output.echo_json(summary(plan, findings, withdrawn))
    elif findings.fitted is None:
        output.echo_sentence("no games yet")
    else:
        output.echo_sentence(f"{shown(plan.starts[0].variant)}: what p1 scores among equals")
        _print_tables(findings, findings.fitted, withdrawn, ascii_only)


def _print_tables(findings: "SideFindings", fitted: "Expected", withdrawn: dict[str, str], ascii_only: bool) -> None:
    from arena.studies import side_tables
    from results.plots import terminal

    output.echo()
    rows = [*side_tables.level_rows(findings.levels), side_tables.fitted_row(findings, fitted)]
    right = frozenset(range(len(side_tables.HEAD)))
    output.print_table(rows, right=right)
    output.echo()
    if len(findings.engines) > 1:
        for engine in findings.engines:
            output.echo_sentence(f"{engine.name} alone")
            output.echo()
            output.print_table(side_tables.level_rows(engine.levels), right=right)
            output.echo()
            for sentence in side_tables.trends(engine.trend, engine.decided_trend):
                output.echo_sentence(sentence)
            output.echo()
    width, plain = min(80, output.console().width), output.must_be_ascii(ascii_only)
    for line in terminal.intervals(side_tables.bars(findings), "", width, plain=plain):
        output.echo(line.rstrip())
    output.echo()
    for sentence in side_tables.notes(findings, withdrawn):
        output.echo_sentence(sentence)
