"""`arena match`: two engines play each other."""

from typing import Annotated

from arena.cli import options
from arena.cli.option_groups import argument, grouped, option
from arena.planning.errors import require_range


@grouped
def match(
    a: Annotated[str, argument("An engine: a registered name, a path, or a quoted command line.", "A")],
    b: Annotated[str, argument("Its opponent. Options follow a colon: 'alphabeta:Hash=16'.", "B")],
    *,
    games: Annotated[int, option("Games in all; A is p1 in game 1, sides swap every game.")] = 2,
    game: options.GameOptions,
    opponents: options.EngineOptions,
    limits: options.LimitOptions,
    openings: Annotated[
        int | None,
        option(
            "Random plies before the engines take over; 0: none. "
            "[default: the arena's own book if it has an opening for each pair, else 2]",
            rich_help_panel=options.OPENINGS,
        ),
    ] = None,
    opening: options.OpeningOptions,
    adjudication: options.AdjudicationOptions,
    machine: options.MachineOptions,
    elsewhere: options.ClusterOptions,
    containment: options.ContainmentOptions,
    db: options.Database = None,
    output: options.OutputOptions,
) -> None:
    """Play two engines against each other and rate them."""
    machine.keep_to_cpus()
    require_range("--games", games, 1, options.MOST_GAMES)
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.run_plan import run_plan
    from arena.formats.registry import FormatConfig
    from arena.planning import build_plan
    from arena.planning.prepared_run import RunOptions

    terms = limits.terms(adjudication)
    specs = opponents.specs((a, b), limits)
    start, plies = opening.of(game.start(), openings, 2, pairs=-(-games // 2))
    plan = build_plan.plan(
        "match",
        f"{specs[0].name} against {specs[1].name}",
        sandboxes.apply(specs),
        (start,),
        plies,
        opening.seed,
        terms,
        FormatConfig(rounds=-(-games // 2)),
        games=games,
        fault_budget=adjudication.fault_budget,
    )
    seeded = opening.seed is not None
    with elsewhere.connected() as machines:
        how = RunOptions(
            sandboxes,
            db,
            machine.concurrency,
            seed_given=seeded,
            pin=machine.pin,
            trace=output.trace,
            elsewhere=machines,
        )
        run_plan(plan, how, output, "match")
