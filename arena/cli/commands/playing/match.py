"""`arena match`: two engines play each other."""

from typing import Annotated

from arena.cli import options
from arena.cli.option_groups import Given, argument, grouped, option
from arena.config.settings import GameSettings, Waits


@grouped
def match(
    a: Annotated[str, argument("An engine: a registered name, a path, or a quoted command line.", "A")],
    b: Annotated[str, argument("Its opponent. Options follow a colon: 'alphabeta:Hash=16'.", "B")],
    *,
    games: Annotated[
        int, option("Games in all; A is p1 in game 1, sides swap every game.", "N", min=1, max=options.MOST_GAMES)
    ] = 2,
    settings: Annotated[Given, GameSettings],
    waits: Annotated[Given, Waits],
    opponents: options.OpponentOptions,
    machine: options.MachineOptions,
    cluster: options.ClusterOptions,
    containment: options.ContainmentOptions,
    db: options.Database = None,
    output: options.OutputOptions,
) -> None:
    """Play two engines against each other and rate them."""
    machine.keep_to_cpus()
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.two_engines import run_two

    run_two(
        *("match", "{} against {}", (a, b), games, settings, waits),
        *(opponents, machine, cluster, sandboxes, db, output),
    )
