"""`arena ladder`: engines that come, change and go, rated for as long as it runs."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from arena.cli import options
from arena.cli.errors import BadInput
from arena.cli.option_groups import Given, argument, grouped, option
from arena.config.settings import GameSettings


@grouped
def ladder(
    file: Annotated[Path, argument("The ladder file, read again whenever it changes.", "FILE.toml")],
    *,
    games: Annotated[int | None, option("Stop after this many games. [default: play on]", "N", min=1)] = None,
    hours: Annotated[float | None, option("Begin no game after this many hours. [default: play on]", "H")] = None,
    engines: options.Engines = None,
    settings: Annotated[Given, GameSettings],
    changes: options.Changes = None,
    pin: options.Pin = True,
    cluster: options.ClusterOptions,
    containment: options.ContainmentOptions,
    db: options.DatabaseOfFile = None,
    output: Annotated[options.OutputOptions, ("quiet", "live", "serve", "as_json")],
) -> None:
    """Rate engines until stopped: place newcomers first, then play the games that tell most about ratings."""
    db = check_ladder(file, hours, db)
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.play_ladder import play_ladder
    from arena.cli.run.progress import check_serve, served
    from arena.config import load
    from arena.ladder.file_watch import LadderFile
    from arena.planning.prepared_run import RunOptions

    beside = [load.user_registry_path(), *([] if engines is None else [engines])]
    watched = LadderFile(
        file, lambda: load.load_registry(engines), sandboxes.apply, beside=beside, changes=changes or (), given=settings
    )
    at_once = watched.engine_list.table.concurrency
    if output.serve:
        check_serve(output.live)
    with cluster.connected() as machines:
        how = RunOptions(sandboxes, db, at_once, pin=pin, machines=machines)
        play_ladder(watched, how, output, games, hours, lambda run: served(db) if output.serve else nullcontext())


def check_ladder(file: Path, hours: float | None, db: Path | None) -> Path:
    """The database of the ladder of a file. Raises BadInput for what no ladder can do."""
    if hours is not None and not hours > 0:
        raise BadInput(f"--hours {hours:g} is out of range: it must be above 0")
    return ladder_database(file, db)


def ladder_database(file: Path, db: Path | None) -> Path:
    """The database of the ladder of a file, where the command names none. Raises BadInput."""
    if db == options.NOT_KEPT:
        raise BadInput("--db none: a ladder goes on with the games that it has kept; name a file")
    return db or Path(file.stem + ".db")
