"""`arena demo`: a small tournament of engines that come with the arena."""

from importlib import resources
from pathlib import Path
from typing import Annotated

from arena.cli import options
from arena.cli.option_groups import grouped, option


@grouped
def demo(
    *,
    db: Annotated[Path, option("Database to keep the games in.")] = Path("demo.db"),
    concurrency: Annotated[int | None, option("Games at once. [default: CPU cores]")] = None,
    seed: Annotated[int | None, option("Seed of openings and engines' chance. [default: drawn]")] = None,
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
        plan, _ = build_plan.tournament(file, load_registry(), sandboxes, seed=seed)
        at_once = in_the_demo() if concurrency is None else concurrency
        how = RunOptions(sandboxes, db, at_once, seed_given=seed is not None, name_given=True, need_all=False)
        run_plan(plan, how, output, "demo", tell=print_demo, hints=False)
