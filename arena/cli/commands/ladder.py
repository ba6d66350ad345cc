"""`arena ladder`: engines that come, change and go, rated for as long as it runs."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.options import Concurrency, Engines, Pin
from arena.cli.run.order import at_least, say, within_reach
from arena.cli.run.progress import GLIMPSE_MS, Keys, Shown
from arena.cli.run.run import cores, database, telling
from arena.planning import build_plan
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.cli.run.run import Opened
    from arena.ladder.file_watch import LadderFile
    from arena.ladder.run import LadderPlan
    from results.store.store import Store


def ladder(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="Which engines play; looked at again all the time.")
    ],
    db: Annotated[Path | None, typer.Option(help="Database to keep the games in. [default: FILE.db here]")] = None,
    games: Annotated[int | None, typer.Option(help="Stop after so many games. [default: play on]")] = None,
    hours: Annotated[float | None, typer.Option(help="Begin no game after so many hours. [default: play on]")] = None,
    concurrency: Concurrency = None,
    engines: Engines = None,
    pin: Pin = True,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
) -> None:
    """Rate engines until stopped: newcomers are placed, then those games are played that tell most."""
    from arena.config import load
    from arena.ladder.file_watch import LadderFile

    at_least("--games", 1 if games is None else games, 1)
    if hours is not None and not hours > 0:
        raise BadInput(f"--hours {hours:g} is out of range: it must be above 0")
    box = Containment(contain, env or [], read or [])
    beside = [load.user_registry_path(), *([] if engines is None else [engines])]
    watched = LadderFile(file, lambda: load.load_registry(engines), box.around, beside=beside)
    at_once = concurrency or watched.engine_list.table.concurrency or cores()
    within_reach(concurrency)
    until = None if hours is None else time.monotonic() + 3600 * hours

    def stop(begun: int) -> bool:
        return (games is not None and begun >= games) or (until is not None and time.monotonic() >= until)

    db = db or Path(file.stem + ".db")
    with database(db) as opened:
        plan = _plan(file, watched, opened)
        store = opened.for_writing()
        store.add_run(plan.begun(box.proven(plan.engines), at_once), ())
        with _alone(plan, db):
            _climb(plan, store, watched, at_once, stop, pin)


def _plan(file: Path, watched: "LadderFile", opened: "Opened") -> "LadderPlan":
    """The ladder that the file describes, with the seed that it began with. Raises BadInput."""
    from arena.ladder.run import LadderPlan
    from arena.planning import resume

    table = watched.engine_list.table
    plan = LadderPlan.of(
        build_plan.plan(
            "ladder",
            table.name,
            watched.engine_list.engines,
            build_plan.starts_of(table, file.parent),
            0 if table.books else table.openings,
            table.seed,
            build_plan.terms_of(table),
            table.format_config,
        )
    )
    plan = replace(plan, fault_budget=table.fault_budget)
    namesakes = [
        run for run in (opened.there.runs() if opened.there else ()) if (run.kind, run.name) == ("ladder", plan.name)
    ]
    if not namesakes:
        return plan
    began = namesakes[-1]
    differs = resume.differences(plan, began)
    if table.seed is not None and table.seed != began.seed:
        differs.append(f"seed was {began.seed}, is {table.seed}")
    if differs:
        raise BadInput(
            f"{file}: the ladder {plan.name!r} was begun with other settings ({'; '.join(differs)}): "
            "put them back, or give another name or --db"
        )
    return replace(plan, seed=began.seed)


@contextlib.contextmanager
def _alone(plan: "LadderPlan", db: Path) -> Iterator[None]:
    """Raise BadInput where another arena plays this ladder, as far as this machine and user go.

    Of two that play it each would choose its games by results of its own, of which the database keeps the first only.
    """
    from arena.play import file_lock

    there = db.stat()
    with contextlib.ExitStack() as held:
        ours = True
        with contextlib.suppress(OSError):  # no place for locks: nobody can tell
            ours = held.enter_context(file_lock.locked(f"run-{there.st_dev}-{there.st_ino}-{plan.run_id}"))
        if not ours:
            raise BadInput(
                f"{db}: the ladder {plan.name!r} is being played by another arena: stop that one first, or give "
                "another --db"
            )
        yield


def _climb(
    plan: "LadderPlan", store: "Store", watched: "LadderFile", at_once: int, stop: Callable[[int], bool], pin: bool
) -> None:
    """Play, and print the published standings at the end."""
    from arena.ladder.run import LadderOptions, LadderRun
    from arena.play.observers import Observers

    pin = pin and not any(spec.threads > 1 for spec in plan.engines)
    done = len(store.done(plan.run_id))
    say(f"ladder {plan.name}: {some_games(done)} so far, seed {plan.seed}; Ctrl-C stops it, the same command goes on")
    interrupted = False
    run: LadderRun | None = None
    try:
        with _shown(plan.name, done) as (shown, tell):
            seen = Observers(shown.watchers)
            orders = LadderOptions(at_once, stop, tell, seen, shown.glimpse_ms, shown.begun, pin)
            run = LadderRun(plan, store, watched, orders)
            run.play()
    except KeyboardInterrupt:
        interrupted = True
    with telling(interrupted):
        _print(plan, store)
        now = len(store.done(plan.run_id))
        say(f"stopped: {some_games(now - done)} played, {now} in all; the same command goes on")
    if run is not None and len(run.taking_part) < 2:
        raise CannotStartEngine(f"{watched.path}: fewer than two engines are left to play: add one")


@contextlib.contextmanager
def _shown(name: str, done: int) -> "Iterator[tuple[Shown, Callable[[str], None]]]":
    """How the ladder goes on, as a tournament shows it, and where a sentence is said beside it."""
    from arena.cli.run.ladder_view import LadderLines, LadderView

    if not (sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"):
        yield Shown([LadderLines(done, say)]), lambda sentence: say(f"arena: {sentence}")
        return
    from rich.console import Console
    from rich.live import Live

    screen, view = Console(stderr=True), LadderView(name, done)
    keys = Keys(view)
    with Live(view, console=screen, refresh_per_second=4, transient=False), keys.read():
        yield (
            Shown([view], GLIMPSE_MS, keys.begun),
            lambda sentence: screen.print(f"arena: {sentence}", markup=False, highlight=False, soft_wrap=True),
        )


def _print(plan: "LadderPlan", store: "Store") -> None:
    from arena.cli import output
    from arena.cli.view import standings
    from results.store.filter import Filter

    (run,) = (run for run in store.runs() if run.id == plan.run_id)
    found = standings.of_runs(store, [run], Filter(run=run.id))
    if found.played:
        standings.print_standings(output.console(), found)
