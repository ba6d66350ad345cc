"""`arena watch`: follows a run that another process plays."""

import json
import threading
import time
from pathlib import Path
from typing import Annotated

from arena.cli.db_options import AsJson, RunId
from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.cli.output import console, echo, notify
from arena.live.reader import Followed, Follower, LiveFiles
from arena.live.state import LiveRun
from results.store.lookup import find_run
from results.store.store import Store

LOOK_S = 0.1
"""How often the event file is looked at."""
MISSING = "{db} does not exist: check the name, or wait for its run with --wait"
SENTENCES = {
    "none": "no run plays into {db}",
    "running": "{run} is being played",
    "stopped": "{run} was stopped: its process was killed; what was stored is safe",
    "ended": "{run} has ended",
}


def watch(
    db: Annotated[Path, argument("A database that a run plays into.", "DB")],
    run: RunId = None,
    wait: Annotated[bool, option("Wait for a run to begin if none is being played.", flag="--wait")] = False,
    once: Annotated[bool, option("Show the present state of the run, and leave.", flag="--once")] = False,
    as_json: AsJson = False,
) -> None:
    """Follow a run from another terminal: boards, clocks and standings; q leaves, and the run goes on."""
    if wait and (once or as_json):
        raise BadInput("--wait follows a run, and --once and --json do not: leave out one of them")
    live = LiveFiles(db)
    if as_json:
        values = live.as_json()
        if not values["runs"] and not values["problems"] and not db.exists():
            raise BadInput(MISSING.format(db=db))
        echo(json.dumps(values))
        return
    follower = Follower(live.look, run or "", wait)
    try:
        now = _wait(follower, db) if wait else follower.now()
        if now.state == "none" and not db.exists():
            raise BadInput(MISSING.format(db=db))
        followed: Followed | None = now
        if now.run is not None and now.state == "running":
            if run is None:
                for other in follower.others:
                    notify(f"{other.name} is also being played: --run {other.run} shows it")
            if once:
                from arena.cli.run.live_view import View

                shown = now.run
                console().print(View(lambda: shown), end="")
                return
            followed = _follow(follower, now.run)
    except KeyboardInterrupt:
        return
    finally:
        for problem in follower.problems:
            notify(problem)
    if followed is not None:
        _print_end(db, followed, run)


def _wait(follower: Follower, db: Path) -> Followed:
    """Wait until a run is played."""
    is_waiting = False
    while (followed := follower.now()).run is None:
        if not is_waiting:
            is_waiting = True
            notify(f"waiting for a run to play into {db}; Ctrl-C leaves")
        time.sleep(LOOK_S)
    return followed


def _follow(follower: Follower, run: LiveRun) -> Followed | None:
    """Show the run until it is over; None where the user left before."""
    out = console()
    if out.is_terminal and not out.is_dumb_terminal:
        return _on_screen(follower, run)
    from arena.cli.run.live_view import head, result_text

    echo(", ".join(head(run, time.monotonic_ns())))
    follower.news(run)
    while (followed := follower.now()).state == "running" and followed.run is not None:
        for result in follower.news(followed.run):
            echo(result_text(result))
        time.sleep(LOOK_S)
    for result in follower.news(followed.run) if followed.run is not None else ():
        echo(result_text(result))
    return followed


def _on_screen(follower: Follower, run: LiveRun) -> Followed | None:
    from rich.live import Live

    from arena.cli.run.live_view import View, fault_text
    from arena.cli.run.progress import drawn, typed_keys
    from results.safe_text import harmless

    left = threading.Event()
    shown = run

    def pressed(key: str) -> None:
        if key == "q":
            left.set()

    out = console()
    shown_faults = {result.number for result in run.lost}
    live = Live(View(lambda: shown), console=out, refresh_per_second=5, transient=False)
    with typed_keys(pressed), drawn(live):
        while (followed := follower.now()).state == "running" and followed.run is not None:
            shown = followed.run
            for result in reversed(shown.lost):
                if result.number not in shown_faults:
                    out.print(harmless(fault_text(result)), markup=False, highlight=False)
            shown_faults |= {result.number for result in shown.lost}
            if left.wait(LOOK_S):
                return None
    return followed


def _print_end(db: Path, followed: Followed, run_id: str | None) -> None:
    """Print what became of the run, and the result of it, or of the last run, as the database has it."""
    from arena.cli.view.rating_list_tables import print_run_standings

    run = followed.run
    echo(SENTENCES[followed.state].format(db=db, run="" if run is None else run.name))
    if not db.exists():
        return
    with Store.open_existing(db, upgrade=False) as store:
        wanted = run_id if run is None else run.run
        stored = find_run(store, wanted) if wanted is not None else next(iter(reversed(store.runs())), None)
        if stored is not None:
            games = len(store.done(stored.id))
            echo(f"{stored.name}: {games}{f' of {stored.games}' * bool(stored.games)} games are stored")
            print_run_standings(store, stored.id, gap=True)
