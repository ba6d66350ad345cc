"""`arena ladder`: engines that come, change and go, rated for as long as it runs."""

import contextlib
import sys
import time
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from arena.cli import options
from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.option_groups import argument, grouped, option
from arena.cli.output import notify, say
from arena.planning.errors import require_range
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.cli.run.progress import Progress
    from arena.live.observer import LiveObserver


@grouped
def ladder(
    file: Annotated[Path, argument("The ladder file, read again whenever it changes.", "FILE.toml")],
    *,
    games: Annotated[int | None, option("Stop after so many games. [default: play on]")] = None,
    hours: Annotated[float | None, option("Begin no game after so many hours. [default: play on]")] = None,
    engines: options.Engines = None,
    concurrency: options.Concurrency = None,
    pin: options.Pin = True,
    elsewhere: options.ClusterOptions,
    containment: options.ContainmentOptions,
    db: options.DatabaseOfFile = None,
    output: Annotated[options.OutputOptions, ("quiet", "live", "serve", "as_json")],
) -> None:
    """Rate engines until stopped: place newcomers first, then play the games that tell most about ratings."""
    require_range("--games", 1 if games is None else games, 1)
    if hours is not None and not hours > 0:
        raise BadInput(f"--hours {hours:g} is out of range: it must be above 0")
    db = db or Path(file.stem + ".db")
    if db == options.NOT_KEPT:
        raise BadInput("--db none: a ladder goes on with the games that it has kept; name a file")
    sandboxes = containment.parse(db).begin()
    from arena.cli.run.ending import Ending
    from arena.cli.run.progress import check_serve, followed, served
    from arena.cli.run.run_plan import finishing, say_books, say_machines
    from arena.config import load
    from arena.ladder.file_watch import LadderFile
    from arena.ladder.plan import prepared_ladder
    from arena.ladder.run import LadderOptions, LadderRun
    from arena.planning import measured_machines
    from arena.planning.prepared_run import RunOptions, check_concurrency, may_pin
    from arena.play.observers import Observers

    check_concurrency(concurrency)
    beside = [load.user_registry_path(), *([] if engines is None else [engines])]
    watched = LadderFile(file, lambda: load.load_registry(engines), sandboxes.apply, beside=beside)
    at_once = concurrency or watched.engine_list.tournament.table.concurrency
    until = None if hours is None else time.monotonic() + 3600 * hours

    def stop(begun: int) -> bool:
        return (games is not None and begun >= games) or (until is not None and time.monotonic() >= until)

    check_serve(output.serve, output.live, True)
    with (
        elsewhere.connected() as machines,
        prepared_ladder(
            watched,
            how := RunOptions(sandboxes, db, at_once, pin=pin, elsewhere=machines),
            notify,
            normalise=elsewhere.normalise,
        ) as (plan, store),
        served(output.serve, db, notify),
    ):
        done = len(store.done(plan.run_id))
        again = "Ctrl-C stops it, the same command goes on"
        say(f"ladder {plan.name}: {some_games(done)} so far, seed {plan.seed}; {again}")
        if keys := watched.without_effect:
            say(f"a ladder chooses its games itself, so these keys of {file} have no effect: {', '.join(keys)}")
        say_books(plan)
        if machines is not None:
            measured_machines.measure(
                plan, plan.engines, machines, store.machines(plan.run_id), may_pin(plan, pin), notify
            )
            say_machines(plan, machines.machines)
        run, interrupted = None, False
        try:
            progress = partial(_progress, done, output.quiet)
            with followed(
                plan, done, store, how, progress, endless=True, live=output.live, quiet=output.quiet
            ) as shown:
                seen = Observers(shown.observers)
                climbing = LadderOptions(how, stop, shown.notify, seen, shown.snapshot_ms, shown.attach)
                run = LadderRun(plan, store, watched, climbing)
                run.play()
        except KeyboardInterrupt:
            interrupted = True
        with finishing(interrupted):
            from arena.cli.view.rating_list_tables import print_run_standings

            print_run_standings(store, plan.run_id, as_json=output.as_json)
            sys.stdout.flush()  # what follows goes to stderr, and both may be one file
            ending = Ending("ladder", store, plan.run_id, db)
            if not output.quiet:
                ending.print_games()
            now = len(store.done(plan.run_id))
            say(f"stopped: {some_games(now - done)} played, {now} in all; the same command goes on")
            if not (output.quiet or output.as_json):
                ending.print_next_commands()
        if run is not None and len(run.taking_part) < 2:
            raise CannotStartEngine(f"{file}: fewer than two engines are left to play: add one")


def _progress(done: int, quiet: bool, follower: "LiveObserver") -> "AbstractContextManager[Progress]":
    """How the ladder goes on: a tournament's screen, or lines in a log; nothing if quiet."""
    from arena.cli.run.log_lines import LadderLines
    from arena.cli.run.progress import Progress, has_screen, screen

    if has_screen() and not quiet:
        return screen(follower)
    return contextlib.nullcontext(Progress([] if quiet else [LadderLines(done, say)]))
