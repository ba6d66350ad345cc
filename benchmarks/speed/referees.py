"""Part a: what referees cost, with engines that replay a game, answer at once and stamp their own times.

All contenders take turns within a round, so a change of the machine's speed affects them all; a ratio is of two figures
from one round.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec
from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Script, Workload
from benchmarks.speed.hogs import hogs
from benchmarks.speed.rows import FLOOR, OURS, Row, Workspace
from benchmarks.speed.stamps import CommandRun, Failed, Missed, watch
from protocol.containment.policy import Level, SandboxPolicy

Command = Callable[[Script, Workload], Sequence[str]]
ABSENT = "neither on the PATH nor in ARENA_PEERS"
TRIES = 3


class Figure(NamedTuple):
    """What is read off a run."""

    what: str
    unit: str
    read: Callable[[CommandRun, int], Sequence[float]]
    """The figures of a run with games of this number of plies. Raises Failed."""
    more_is_better: bool = False
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """Games that each contender plays in each round, and the figures that are read off."""

    plies: int
    games: int
    figures: tuple[Figure, ...]
    at_once: int = 1
    """A single game at once plays on one CPU together with its referee; several play wherever the system puts them."""
    beside: tuple[int, ...] = ()
    """Sessions of this number of busy processes each."""
    thought: str = ""
    """What an engine does for each of its moves, as in `Script`."""
    rounds: int = 10
    floor: bool = False
    """Does the C floor play, too?"""


def plies_us(run: CommandRun, plies: int) -> list[float]:
    """For each game the mean us from an answer to the next `go`: what everything but the engines took."""
    return [game.ply_us for game in run.games(plies)]


def gaps_us(run: CommandRun, plies: int) -> list[float]:
    """The us from the last `bestmove` of each game to the first `go` of the next."""
    return [(after.first_ns - before.last_ns) / 1000 for before, after in pairwise(run.games(plies))]


def rate(run: CommandRun, plies: int) -> list[float]:
    """Games a second while all engines play: from the last engine's first `go` to the first engine's end."""
    since_ns = max(log.stamps[0].go_ns for log in run.logs)
    until_ns = min(log.stamps[-1].best_ns for log in run.logs)
    ends = [stamp.best_ns for log in run.logs for stamp in log.stamps if stamp.ply == plies - 1]
    ended = sum(since_ns <= end_ns <= until_ns for end_ns in ends)
    if not ended:
        raise Failed(f"the engines never played all at once: {len(run.logs)} moved")
    return [ended * 1e9 / (until_ns - since_ns)]


def first_go_ms(run: CommandRun, plies: int) -> list[float]:
    """The ms from the start of the command to the first `go`."""
    return [(run.games(plies)[0].first_ns - run.began_ns) / 1e6]


def prompt_ms(run: CommandRun, plies: int) -> list[float]:
    """The ms from the last `bestmove` to the end of the command."""
    return [(run.ended_ns - run.games(plies)[-1].last_ns) / 1e6]


_PYTHON = "the referee is a program in Python: rules, clock and record of a ply are interpreted"
_GAMES = "a game is checked, timed and stored in a database before it is told; Python does it"
_SESSIONS = (
    "the kernel shares the CPUs among sessions first; each of our slots is one, kept on one CPU, and gets its share "
    "of that CPU alone"
)
_START = "Python and its libraries are loaded, and each engine gets a sandbox"
WORKS = (
    Work(
        *(150, 200),
        (
            Figure("a ply, one CPU", "us", plies_us, cause=_PYTHON),
            Figure("between two games, one CPU", "us", gaps_us, cause=_GAMES),
        ),
        floor=True,
    ),
    Work(20, 1000, (Figure("games of 20 plies, one at once, one CPU", "games/s", rate, True, _GAMES),)),
    Work(20, 3000, (Figure("games of 20 plies, two at once", "games/s", rate, True, _GAMES),), 2),
    Work(
        *(20, 3000, (Figure("the same beside 10 busy processes of one session", "games/s", rate, True, _GAMES),), 2),
        beside=(10,),
        rounds=4,
    ),
    Work(
        *(20, 3000, (Figure("the same beside 10 busy sessions", "games/s", rate, True, _SESSIONS),), 2),
        beside=(1,) * 10,
        rounds=4,
    ),
    Work(
        *(20, 60, (Figure("beside 10 busy sessions, 5 ms of CPU a move", "games/s", rate, True, _SESSIONS),), 2),
        beside=(1,) * 10,
        thought="spin 5000",
        rounds=4,
    ),
    Work(
        *(10, 2),
        (
            Figure("from the command to the first `go`", "ms", first_go_ms, cause=_START),
            Figure("from the last `bestmove` to the prompt", "ms", prompt_ms, cause=_START),
        ),
    ),
)


def measure(space: Workspace, works: Sequence[Work] = WORKS, levels: Sequence[Level] = tuple(Level)) -> list[Row]:
    """Play all rounds of all works by all contenders that are here."""
    rows = [row for work in works for row in played(work, space)]
    script = scripts.ours(space.scripts, "scottish", 10)
    starts: dict[Level, list[list[float]]] = {level: [] for level in levels}
    for _ in range(space.rounds):
        for level, rounds in starts.items():
            rounds.append([start_ms(level, tuple(script.engine(10)), space)])
    return rows + [
        Row("a", f"start of an engine, contained: {level.value}", "ms", {OURS: rounds})
        for level, rounds in starts.items()
    ]


def played(work: Work, space: Workspace) -> list[Row]:
    """A row of each figure. A contender that fails is left out from then on, and the row says why."""
    ours = replace(scripts.ours(space.scripts, "scottish", work.plies), thought=work.thought)
    chess = replace(scripts.chess(space.scripts, work.plies), thought=work.thought)
    entrants: dict[str, tuple[Script, Command]] = {OURS: (ours, contenders.arena)}
    if work.floor:
        entrants[FLOOR] = (ours, contenders.floor)
    notes: dict[str, str] = {}
    for name in contenders.PEERS:
        if program := contenders.peer_path(name):
            entrants[name] = (chess, partial(contenders.peer, name, program))
        else:
            notes[name] = ABSENT
    found: list[dict[str, list[Sequence[float]]]] = [{name: [] for name in entrants} for _ in work.figures]
    with hogs(work.beside) if work.beside else nullcontext():
        for _ in range(min(work.rounds, space.rounds)):
            for name in [name for name in entrants if name not in notes]:
                try:
                    for rounds, figures in zip(found, _figures(work, *entrants[name], space), strict=True):
                        rounds[name].append(figures)
                except Failed as failure:
                    notes[name] = f"{work.figures[0].what}: {str(failure).splitlines()[0][:120]}"
    return [
        Row("a", figure.what, figure.unit, rounds, figure.more_is_better, figure.cause, notes)
        for figure, rounds in zip(work.figures, found, strict=True)
    ]


def _figures(work: Work, script: Script, command: Command, space: Workspace) -> list[Sequence[float]]:
    """Those of one run. Engines of so short a run are missed once in hundreds of runs: then it is played again."""
    cpu = max(os.sched_getaffinity(0)) if work.at_once == 1 else None
    for _ in range(TRIES):
        workload = Workload(work.games, work.at_once, space.clean())
        with suppress(Missed):
            run = watch(command(script, workload), space.stamps, 2 * work.at_once, cpu=cpu, where=space.records)
            if work.at_once == 1 and (games := len(run.games(script.plies))) < work.games:
                raise Failed(f"only {games} of {work.games} games were played to the end")
            return [figure.read(run, script.plies) for figure in work.figures]
    raise Failed(f"in {TRIES} runs no game of {script.plies} plies was seen")


def start_ms(level: Level, command: tuple[str, ...], space: Workspace) -> float:
    """The ms from the start of an engine to the end of its handshake."""
    where = {"TMPDIR": str(space.stamps)} if level is Level.NONE else {}
    sandbox = SandboxPolicy(level, environment=where)
    began_ns = time.perf_counter_ns()
    live = LiveEngine(EngineSpec("c", command, sandbox=sandbox))
    took_ms = (time.perf_counter_ns() - began_ns) / 1e6
    live.kill()
    return took_ms
