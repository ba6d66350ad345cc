"""`arena ladder`: engines that come, change and go, rated for as long as it runs."""

import contextlib
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options
from arena.cli.containment_options import ContainmentOptions
from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.option_groups import grouped
from arena.cli.output import console, notify, say
from arena.cli.run import serving
from arena.cli.run.ending import Ending
from arena.cli.run.log_lines import FaultLines
from arena.cli.run.machines import say_machines
from arena.cli.run.progress import Progress, has_screen, screen
from arena.cli.run.run_plan import NOT_KEPT, finishing, measured, say_books
from arena.planning.errors import require_range
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.ladder.plan import LadderPlan
    from arena.live.observer import LiveObserver
    from results.store.store import Store


@grouped
def ladder(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The ladder file, read again whenever it changes.")],
    *,
    games: Annotated[int | None, typer.Option(help="Stop after so many games. [default: play on]")] = None,
    hours: Annotated[float | None, typer.Option(help="Begin no game after so many hours. [default: play on]")] = None,
    engines: options.Engines = None,
    concurrency: options.Concurrency = None,
    pin: options.Pin = True,
    elsewhere: options.ClusterOptions,
    containment: ContainmentOptions,
    db: options.DatabaseOfFile = None,
    live: options.Live = True,
    serve: options.Serve = False,
) -> None:
    """Rate engines until stopped: place newcomers first, then play the games that tell most about ratings."""
    require_range("--games", 1 if games is None else games, 1)
    if hours is not None and not hours > 0:
        raise BadInput(f"--hours {hours:g} is out of range: it must be above 0")
    db = db or Path(file.stem + ".db")
    if db == NOT_KEPT:
        raise BadInput("--db none: a ladder goes on with the games that it has kept; name a file")
    box = containment.parse(db).begin()
    from arena.config import load
    from arena.ladder.file_watch import LadderFile
    from arena.ladder.plan import prepared_ladder
    from arena.ladder.run import LadderOptions, LadderRun
    from arena.live.file import live_file
    from arena.live.observer import beginning, following, snapshot_ms
    from arena.planning import speeds
    from arena.planning.prepared_run import check_concurrency, default_concurrency, may_pin
    from arena.play.observers import Observers

    check_concurrency(concurrency)
    beside = [load.user_registry_path(), *([] if engines is None else [engines])]
    watched = LadderFile(file, lambda: load.load_registry(engines), box.apply, beside=beside)
    most = concurrency or watched.engine_list.table.concurrency
    at_once = most or default_concurrency()
    until = None if hours is None else time.monotonic() + 3600 * hours

    def stop(begun: int) -> bool:
        return (games is not None and begun >= games) or (until is not None and time.monotonic() >= until)

    serving.check(serve, live, True)
    with (
        elsewhere.connected() as machines,
        prepared_ladder(watched, box, db, at_once, notify, machines, normalise=elsewhere.normalise) as (plan, store),
        serving.served(serve, db, notify),
    ):
        done = len(store.done(plan.run_id))
        again = "Ctrl-C stops it, the same command goes on"
        say(f"ladder {plan.name}: {some_games(done)} so far, seed {plan.seed}; {again}")
        say_books(plan)
        if machines is not None:
            speeds.measure(plan, plan.engines, machines, store.machines(plan.run_id), may_pin(plan, pin), notify)
            say_machines(machines.machines, normalised=plan.normalise, has_times=speeds.has_times(plan))
        run, interrupted = None, False
        try:
            head = beginning(plan.name, plan.run_id, "ladder", done, None, may_end_early=False)
            follower = following(head, store, measured(machines))
            with _progress(follower, done) as shown, live_file(db if live else None, follower, shown.notify):
                seen = Observers([follower, FaultLines(shown.notify), *shown.observers])
                every_ms = snapshot_ms(at_once) if shown.is_screen or live else 0
                how = LadderOptions(at_once, stop, shown.notify, seen, every_ms, shown.attach, pin, machines, most)
                if machines is not None:
                    machines.notify = shown.notify
                run = LadderRun(plan, store, watched, how)
                run.play()
        except KeyboardInterrupt:
            interrupted = True
        with finishing(interrupted):
            _print_standings(plan, store)
            sys.stdout.flush()  # what follows goes to stderr, and both may be one file
            ending = Ending("ladder", store, plan.run_id, db)
            ending.print_games()
            now = len(store.done(plan.run_id))
            say(f"stopped: {some_games(now - done)} played, {now} in all; the same command goes on")
            ending.print_next_commands()
        if run is not None and len(run.taking_part) < 2:
            raise CannotStartEngine(f"{file}: fewer than two engines are left to play: add one")


def _progress(follower: "LiveObserver", done: int) -> AbstractContextManager[Progress]:
    """How the ladder goes on: a tournament's screen, or lines in a log."""
    from arena.cli.run.log_lines import LadderLines

    if has_screen():
        return screen(follower)
    return contextlib.nullcontext(Progress([LadderLines(done, say)]))


def _print_standings(plan: "LadderPlan", store: "Store") -> None:
    from arena.cli.view.rating_list_tables import print_standings
    from results.store.filter import Filter
    from results.tables.rating_lists import rating_lists_of_runs

    lists = rating_lists_of_runs(store, [plan.run_id], Filter(run=plan.run_id))
    if lists.have_games:
        print_standings(console(), lists)
