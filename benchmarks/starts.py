"""Part c: from the command to the first `go`, from the last `bestmove` to the prompt, and the start of one engine."""

import os
from collections.abc import Callable
from functools import partial

from benchmarks import contenders, scripts
from benchmarks.containment import start_ms
from benchmarks.contenders import Order, Script
from benchmarks.rows import Place, Row, row
from benchmarks.stamps import watch
from protocol.containment.policy import Level
from protocol.containment.watchdog import Watchdog

PLIES = 10
GAMES = 2
TIMES = 2
"""A round is short: so many in each of the scale's."""


def measure(here: Place) -> list[Row]:
    """Two games at a time, wherever the system puts them; contenders take turns."""
    script = Script(*scripts.written(here.scripts, "scottish", PLIES), "scottish")
    chess = Script(scripts.CHESS, 150)
    asked: dict[str, tuple[Script, Callable[[Script, Order], list[str]]]] = {
        f"{contenders.editions()[0]}, contained: {level.value}": (script, partial(_arena, level=level))
        for level in (Level.NONE, Level.BASIC)
    }
    for name in contenders.PEERS:
        if (program := contenders.peer_path(name)) is not None:
            asked[name] = (chess, partial(_peer, name=name, program=program))
    first: dict[str, list[float]] = {what: [] for what in asked}
    last: dict[str, list[float]] = {what: [] for what in asked}
    engine: dict[str, list[float]] = {level.value: [] for level in (Level.NONE, Level.BASIC)}
    watchdog = Watchdog()
    before = os.environ.get("TMPDIR")
    for _ in range(here.scale.rounds * TIMES):
        for what, (its, command) in asked.items():
            watched = watch(command(its, Order(GAMES, 1, here.clean())), here.stamps, 2, where=here.records)
            games = watched.games(its.plies)
            first[what].append((games[0].first_ns - watched.began_ns) / 1e6)
            last[what].append((watched.ended_ns - games[-1].last_ns) / 1e6)
        try:
            os.environ["TMPDIR"] = str(here.stamps)
            for level in (Level.NONE, Level.BASIC):
                engine[level.value].append(start_ms(level, watchdog, tuple(script.engine(PLIES))))
        finally:
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before
    return [
        *(row("c", f"command to first go: {what}", "ms", figures) for what, figures in first.items()),
        *(row("c", f"last bestmove to prompt: {what}", "ms", figures) for what, figures in last.items()),
        *(row("c", f"engine start to ugiok, contained: {what}", "ms", figures) for what, figures in engine.items()),
    ]


def _arena(script: Script, order: Order, level: Level) -> list[str]:
    return contenders.arena(script, order, "--contain", level.value)


def _peer(script: Script, order: Order, name: str, program: str) -> list[str]:
    return contenders.peer(name, program, script, order)
