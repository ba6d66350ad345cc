"""Part a: the time that a referee adds to each ply and between two games, beside a C floor and beside its peers.

The engines stamp their own times, from the first `go` of a game to its last `bestmove`. All contenders take turns
within a round, so a change of the machine's speed affects them all; a ratio is of two figures from one round.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Script, Workload
from benchmarks.speed.rows import Row, Workspace, compared, row
from benchmarks.speed.stamps import CommandRun, Failed, StampedGame, watch

YARDSTICK = "C floor, 2 round trips"
CROWDS = (2, 16)
_GAMES_A_SLOT = 200
_OF_FLOOR = 10


@dataclass(slots=True)
class Contender:
    """A command that is timed in every round, and the figures of its rounds."""

    what: str
    script: Script
    command: Callable[[Script, Workload], Sequence[str]]
    pinned: bool = True
    concurrency: int = 1
    more: int = 5
    """The factor for the scale's games, the same for all referees; the floor is faster and fills a round with more."""
    ours: bool = False
    ply_us: list[list[float]] = field(default_factory=list)
    """The figures of each round: one for each game, or a single one for several games at once."""
    gap_us: list[list[float]] = field(default_factory=list)
    failed: str = ""

    def run(self, space: Workspace, cpu: int) -> None:
        """Play one round. A peer that fails is left out from then on. Raises Failed for our own programs."""
        scale = space.scale
        games = (
            scale.games * self.more
            if self.concurrency == 1
            else min(scale.crowd_games, _GAMES_A_SLOT * self.concurrency)
        )
        workload = Workload(games, self.concurrency, space.clean())
        try:
            watched = watch(
                self.command(self.script, workload),
                space.stamps,
                2 * self.concurrency,
                cpu=cpu if self.pinned else None,
                where=space.records,
            )
            self._keep(watched, games)
        except Failed as failure:
            if self.ours:
                raise
            self.failed = str(failure).splitlines()[0][:120]

    def _keep(self, watched: CommandRun, ordered: int) -> None:
        if self.concurrency > 1:
            cpus = len(os.sched_getaffinity(0))
            self.ply_us.append([watched.steady_us(min(cpus, self.concurrency))])
            return
        games = watched.games(self.script.plies)
        if len(games) < ordered:
            raise Failed(
                f"only {len(games)} of {ordered} games were played to the end: {watched.output[-2000:].strip()}"
            )
        self.ply_us.append([game.ply_us for game in games])
        self.gap_us.append(gaps_us(games))


def gaps_us(games: Sequence[StampedGame]) -> list[float]:
    """The us from the last `bestmove` of each game to the first `go` of the next."""
    return [(after.first_ns - before.last_ns) / 1000 for before, after in pairwise(games)]


def contending(space: Workspace) -> list[Contender]:
    """All contenders, the yardstick first."""
    plies = space.scale.plies
    ours = _script(space, "scottish", plies)
    chess = Script(scripts.CHESS, 150)
    found = [
        Contender(YARDSTICK, ours, partial(contenders.floor, round_trips=2), more=_OF_FLOOR, ours=True),
        Contender("C floor, 1 round trip", ours, partial(contenders.floor, round_trips=1), more=_OF_FLOOR, ours=True),
    ]
    for level in ("none",) if space.scale.alone else ("none", "basic"):
        command = partial(contenders.arena, options=("--contain", level))
        found.append(Contender(f"arena, contained: {level}", ours, command, ours=True))
    if space.scale.alone:
        return found
    basic = partial(contenders.arena, options=("--contain", "basic"))
    found.append(
        Contender("arena, contained: basic, callanish-9", _script(space, "callanish-9", 48), basic, ours=True),
    )
    found.append(Contender("arena, contained: basic, trace", ours, _traced, ours=True))
    no_live = partial(contenders.arena, options=("--contain", "basic", "--no-live"))
    found.append(Contender("arena, contained: basic, --no-live", ours, no_live, ours=True))
    free = Contender("arena, contained: basic", ours, basic, pinned=False, ours=True)
    no_pin = partial(contenders.arena, options=("--no-pin",))
    found += [
        Contender(YARDSTICK, ours, partial(contenders.floor, round_trips=2), False, more=_OF_FLOOR, ours=True),
        free,
        replace(free, what="arena, contained: basic, --no-pin", command=no_pin),
        *(replace(free, concurrency=at_once, ply_us=[], gap_us=[]) for at_once in CROWDS),
    ]
    for name in contenders.PEERS:
        program = contenders.peer_path(name)
        if program is not None:
            found += _of_peer(name, program, chess)
    return [replace(one, ply_us=[], gap_us=[]) for one in found]


def _of_peer(name: str, program: str, chess: Script) -> Iterator[Contender]:
    command = partial(contenders.peer, name, program)
    yield Contender(name, chess, command)
    yield Contender(f"{name}, trace", chess, partial(command, trace=True))
    yield Contender(name, chess, command, pinned=False)
    for at_once in CROWDS:
        yield Contender(name, chess, command, pinned=False, concurrency=at_once)


def _script(space: Workspace, variant: str, plies: int) -> Script:
    return Script(*scripts.written(space.scripts, variant, plies), variant)


def _traced(script: Script, workload: Workload) -> list[str]:
    folder = workload.folder / "trace"
    folder.mkdir()
    return contenders.arena(script, workload, options=("--contain", "basic", "--trace", str(folder)))


def measure(space: Workspace) -> list[Row]:
    """Play all rounds of all contenders. The rows of plies, then those of the time between games."""
    found = contending(space)
    cpu = max(os.sched_getaffinity(0))
    for _ in range(space.scale.rounds):
        for one in found:
            if not one.failed:
                one.run(space, cpu)
    yardstick = found[0]
    rows = [_ply_row(one, yardstick) for one in found]
    rows += [
        row("a", f"between games: {_title(one)}", "us", [us for round_ in one.gap_us for us in round_])
        for one in found
        if any(one.gap_us)
    ]
    if not space.scale.alone:
        absent = [name for name in contenders.PEERS if contenders.peer_path(name) is None]
        note = "neither on the PATH nor in ARENA_PEERS"
        rows += [Row("a", f"ply: {name}, one CPU", "us", note=note) for name in absent]
    return rows


def _title(one: Contender) -> str:
    at_once = f", {one.concurrency} games at once" if one.concurrency > 1 else ""
    return f"{one.what}, {'one CPU' if one.pinned else 'free'}{at_once}"


def _ply_row(one: Contender, yardstick: Contender) -> Row:
    title, unit = f"ply: {_title(one)}", "us" if one.concurrency == 1 else "us of CPU"
    if one.failed:
        return Row("a", title, unit, note=one.failed)
    figures = [us for round_ in one.ply_us for us in round_]
    return compared(row("a", title, unit, figures), one.ply_us, yardstick.ply_us)
