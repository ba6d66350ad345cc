"""`arena tournament`: a file in, games played, tables out."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from arena.cli import options
from arena.cli.option_groups import Given, argument, grouped, option
from arena.config.schema import TournamentTable


@grouped
def tournament(
    file: Annotated[Path, argument("The tournament file: `arena init` writes one.", "FILE.toml")],
    *,
    changes: options.Changes = None,
    adapter: options.Adapter = "",
    engines: options.Engines = None,
    settings: Annotated[Given, TournamentTable],
    machine: options.MachineOptions,
    cluster: options.ClusterOptions,
    smoke: Annotated[
        bool,
        option(
            "First run the smoke checks of `arena check` on each engine, some seconds each.", flag="--smoke/--no-smoke"
        ),
    ] = True,
    without_broken: Annotated[
        bool, option("Begin without engines that cannot be started or fail the smoke checks.", flag="--without-broken")
    ] = False,
    containment: options.ContainmentOptions,
    db: options.DatabaseOfFile = None,
    output: options.OutputOptions,
) -> None:
    """Play a tournament of engines over one or more variants: a round robin, a Swiss, a knockout and others."""
    machine.keep_to_cpus()
    db = db or Path(file.stem + ".db")
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.run_plan import run_plan
    from arena.config.load import load_registry
    from arena.planning import build_plan
    from arena.planning.prepared_run import RunOptions

    plan, table = build_plan.tournament(
        file, load_registry(engines), sandboxes, changes=changes or (), given=settings, adapter=adapter
    )
    how = RunOptions(
        sandboxes,
        db,
        table.concurrency,
        seed_given=table.seed is not None,
        name_given="name" in table.model_fields_set,
        need_all=not without_broken,
        pin=machine.pin,
        smoke=smoke,
        trace=output.trace,
    )
    with cluster.connected() as machines:
        run_plan(plan, replace(how, machines=machines), output, "tournament")
