"""Part b: games of 20 plies whose engines answer at once, where what lies between two games costs most.

All contenders take turns within a round: alone, and then beside ten busy processes, of one session and of ten. A rate
is taken while all engines of a run play: from the first `go` of the last engine to the end of the first one.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Script, Workload
from benchmarks.speed.hogs import hogs
from benchmarks.speed.plies import gaps_us
from benchmarks.speed.rows import Row, Workspace, row
from benchmarks.speed.stamps import CommandRun, Failed, watch

PLIES = 20
GAMES = 1000
AT_ONCE = (1, 2)
BUSY = {"10 busy processes of one session": [10], "10 busy processes of a session each": [1] * 10}
BUSY_ROUNDS = 4


@dataclass(slots=True)
class ShortGames:
    """A command that plays short games, on one CPU or two at once, and the figures of its rounds."""

    what: str
    script: Script
    command: Callable[[Script, Workload], Sequence[str]]
    at_once: int
    beside: str = ""
    """What else wants the CPUs; a key of BUSY."""
    games_a_second: list[float] = field(default_factory=list)
    gap_us: list[float] = field(default_factory=list)
    """Of games one after the other alone."""
    failed: str = ""

    def run(self, space: Workspace, cpu: int) -> None:
        """Play one round. A contender that fails is left out from then on."""
        try:
            watched = watch(
                self.command(self.script, Workload(GAMES, self.at_once, space.clean())),
                space.stamps,
                2 * self.at_once,
                cpu=cpu if self.at_once == 1 else None,
                where=space.records,
            )
            self.games_a_second.append(rate(watched, PLIES))
            if self.at_once == 1:
                self.gap_us += gaps_us(watched.games(PLIES))
        except Failed as failure:
            self.failed = str(failure).splitlines()[0][:120]

    @property
    def title(self) -> str:
        """The contender and where it plays."""
        where = "one CPU" if self.at_once == 1 else f"free, {self.at_once} games at once"
        return f"{self.what}, {where}{f', beside {self.beside}' if self.beside else ''}"


def rate(watched: CommandRun, plies: int) -> float:
    """Games a second while all engines play. Raises Failed where they never do."""
    since_ns = max(log.stamps[0].go_ns for log in watched.logs)
    until_ns = min(log.stamps[-1].best_ns for log in watched.logs)
    ends = [stamp.best_ns for log in watched.logs for stamp in log.stamps if stamp.ply == plies - 1]
    ended = sum(since_ns <= end_ns <= until_ns for end_ns in ends)
    if not ended:
        raise Failed(f"the engines never played all at once: {len(watched.logs)} moved")
    return ended * 1e9 / (until_ns - since_ns)


def measure(space: Workspace) -> list[Row]:
    """Play all rounds of all contenders. Rows of games a second, then those of the time between games."""
    ours = Script(*scripts.written(space.scripts, "scottish", PLIES), "scottish")
    chess = Script(scripts.short_chess(space.scripts), PLIES)
    programs = {name: contenders.peer_path(name) for name in contenders.PEERS}
    found = [ShortGames("arena", ours, contenders.arena, at_once) for at_once in AT_ONCE]
    found += [
        ShortGames(name, chess, partial(contenders.peer, name, program), at_once)
        for name, program in programs.items()
        if program is not None
        for at_once in AT_ONCE
    ]
    _play(found, space, space.scale.rounds)
    alone = [one for one in found if one.at_once > 1 and not one.failed]
    for beside, sessions in BUSY.items():
        busy = [replace(one, beside=beside, games_a_second=[]) for one in alone]
        with hogs(sessions):
            _play(busy, space, min(BUSY_ROUNDS, space.scale.rounds))
        found += busy
    return [
        *(_row(one, f"games a second: {one.title}", "games/s", one.games_a_second) for one in found),
        *(_row(one, f"between games: {one.title}", "us", one.gap_us) for one in found if one.at_once == 1),
    ]


def _play(found: Sequence[ShortGames], space: Workspace, rounds: int) -> None:
    cpu = max(os.sched_getaffinity(0))
    for _ in range(rounds):
        for one in found:
            if not one.failed:
                one.run(space, cpu)


def _row(one: ShortGames, what: str, unit: str, figures: Sequence[float]) -> Row:
    return Row("b", what, unit, note=one.failed) if one.failed else row("b", what, unit, figures)
