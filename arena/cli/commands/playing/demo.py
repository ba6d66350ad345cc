"""`arena demo`: a small tournament of engines that come with the arena."""

from importlib import resources
from pathlib import Path
from typing import Annotated

from arena.cli import options
from arena.cli.option_groups import Given, grouped, option
from arena.config.settings import GameSettings


@grouped
def demo(
    *,
    db: Annotated[Path, option("Database to keep the games in.")] = Path("demo.db"),
    settings: Annotated[Given, GameSettings, ("concurrency", "seed")],
    contain: options.Contain = None,
    output: Annotated[options.OutputOptions, ("pgn", "quiet", "serve")],
) -> None:
    """Watch five engines play a rated round robin of Callanish and the Scottish game, in less than a minute."""
    sandboxes = options.ContainmentOptions(contain).parse(db).begin()
    from arena.cli.run.demo_screen import print_demo
    from arena.cli.run.run_plan import run_plan
    from arena.config.load import load_registry
    from arena.games_at_once import in_the_demo
    from arena.planning import build_plan
    from arena.planning.prepared_run import RunOptions

    with resources.as_file(resources.files("engines") / "demo.toml") as file:
        plan, table = build_plan.tournament(file, load_registry(), sandboxes, given=settings)
        at_once, seeded = table.concurrency or in_the_demo(), table.seed is not None
        how = RunOptions(sandboxes, db, at_once, seed_given=seeded, name_given=True, need_all=False)
        run_plan(plan, how, output, "demo", tell=print_demo, hints=False)
