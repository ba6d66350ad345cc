"""Part c: from the command to the first `go`, from the last `bestmove` to the prompt, and the start of one engine."""

import contextlib
import os
import time
from collections.abc import Callable
from functools import partial

from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec
from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Script, Workload
from benchmarks.speed.rows import Row, Workspace, row
from benchmarks.speed.stamps import CommandRun, Failed, Missed, StampedGame, watch
from protocol.containment.policy import Level, SandboxPolicy

LEVELS = tuple(Level)
PLIES = 10
GAMES = 2
TRIES = 3
TIMES = 2
"""The runs in each round of the scale, since one run is short."""


def measure(space: Workspace) -> list[Row]:
    """Runs of two games on any CPU. Contenders take turns."""
    script = Script(*scripts.written(space.scripts, "scottish", PLIES), "scottish")
    chess = Script(scripts.CHESS, 150)
    contending: dict[str, tuple[Script, Callable[[Script, Workload], list[str]]]] = {}
    for level in LEVELS:
        ours = partial(contenders.arena, options=("--contain", level.value))
        contending[f"arena, contained: {level.value}"] = (script, ours)
    for name in contenders.PEERS:
        if (program := contenders.peer_path(name)) is not None:
            contending[name] = (chess, partial(contenders.peer, name, program))
    first: dict[str, list[float]] = {what: [] for what in contending}
    last: dict[str, list[float]] = {what: [] for what in contending}
    engine: dict[str, list[float]] = {level.value: [] for level in LEVELS}
    before = os.environ.get("TMPDIR")
    for _ in range(space.scale.rounds * TIMES):
        for what, (its, command) in contending.items():
            watched, games = _played(partial(command, its), its.plies, space)
            first[what].append((games[0].first_ns - watched.began_ns) / 1e6)
            last[what].append((watched.ended_ns - games[-1].last_ns) / 1e6)
        try:
            os.environ["TMPDIR"] = str(space.stamps)
            for level in LEVELS:
                engine[level.value].append(start_ms(level, tuple(script.engine(PLIES))))
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


def start_ms(level: Level, command: tuple[str, ...]) -> float:
    """The time from the start of an engine to the end of its handshake."""
    began_ns = time.perf_counter_ns()
    live = LiveEngine(EngineSpec("c", command, sandbox=SandboxPolicy(level)))
    took_ms = (time.perf_counter_ns() - began_ns) / 1e6
    live.kill()
    return took_ms


def _played(
    command: Callable[[Workload], list[str]], plies: int, space: Workspace
) -> tuple[CommandRun, list[StampedGame]]:
    """One run and its games. Engines of so short a run are missed once in hundreds of runs: then it is played again."""
    for _ in range(TRIES):
        with contextlib.suppress(Missed):
            watched = watch(command(Workload(GAMES, 1, space.clean())), space.stamps, 2, where=space.records)
            return watched, watched.games(plies)
    raise Failed(f"in {TRIES} runs no game of {plies} plies was seen")
