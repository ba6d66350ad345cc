"""Plays two engines against each other: a tournament of two, of which each option is a key."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.errors import BadInput
from arena.cli.option_groups import Given
from arena.cli.options import ClusterOptions, MachineOptions, OpponentOptions, OutputOptions
from arena.cli.output import LOG
from arena.cli.run.run_plan import run_plan
from arena.config.load import load_options
from arena.config.schema import TournamentTable
from arena.planning import build_plan
from arena.planning.containment import Containment
from arena.planning.prepared_run import RunOptions

if TYPE_CHECKING:
    from results.ratings.sprt import Sprt


def run_two(
    command: str,
    title: str,
    engines: tuple[str, str],
    games: int,
    settings: Given,
    waits: Given,
    opponents: OpponentOptions,
    machine: MachineOptions,
    cluster: ClusterOptions,
    sandboxes: Containment,
    db: Path | None,
    output: OutputOptions,
    table: type[TournamentTable] = TournamentTable,
    test: "Sprt | None" = None,
    **shown: Any,
) -> None:
    """Play this many games of A and B, unless `test` ends them. `title` has a place for each name.

    `shown` is how the run is shown.
    """
    if games % 2:
        LOG.info(f"--games {games} is odd: the last game is not played again with the sides changed")
    variants = len(settings.get("variants", ("",)))
    if games < 2 * variants and variants > 1:
        raise BadInput(f"--games {games} is too few for {variants} variants: write --games {2 * variants} or more")
    pairs = -(-games // (2 * variants))
    limits = {"--limit-a": opponents.limit_a, "--limit-b": opponents.limit_b}
    loaded = load_options(opponents.specs(engines), limits, settings | {"rounds": pairs}, waits, table, pairs)
    name = title.format(*(spec.name for spec in loaded.engines))
    settled = loaded.table.model_copy(update={"name": name})
    loaded = loaded._replace(table=settled, engines=sandboxes.apply(loaded.engines))
    plan = replace(build_plan.plan_of(loaded, "match", games), test=test)
    with cluster.connected() as machines:
        how = RunOptions(
            sandboxes,
            db,
            settled.concurrency,
            seed_given=settled.seed is not None,
            pin=machine.pin,
            trace=output.trace,
            machines=machines,
        )
        run_plan(plan, how, output, command, **shown)
