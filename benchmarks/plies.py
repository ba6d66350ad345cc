"""Part a: what a referee adds to each ply and between two games, beside a C floor and beside its peers.

The engines' own stamps are what is timed, from the first `go` of a game to its last `bestmove`. All contenders take
turns within a round, so that they share the machine's moods; a ratio is always of two figures from one round.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from benchmarks import contenders, scripts
from benchmarks.contenders import Order, Script
from benchmarks.rows import Place, Row, compared, row
from benchmarks.stamps import Failed, Played, Watched, watch

YARDSTICK = "C floor, 2 round trips"
CROWDS = (2, 16)
_GAMES_A_SLOT = 200
_OF_FLOOR, _OF_PEERS = 10, 5


@dataclass(slots=True)
class Contender:
    """One command to be timed over and over, and the figures of its rounds."""

    what: str
    script: Script
    command: Callable[[Script, Order], Sequence[str]]
    pinned: bool = True
    concurrency: int = 1
    more: int = 1
    """Times the scale's games: the faster it is, the more it takes for a round to last."""
    ours: bool = False
    ply_us: list[list[float]] = field(default_factory=list)
    """By round, each game's; of several at once one figure for all."""
    gap_us: list[list[float]] = field(default_factory=list)
    failed: str = ""

    def run(self, here: Place, cpu: int) -> None:
        """Play one round. A peer that fails is left out from then on; raises Failed for our own."""
        scale = here.scale
        games = (
            scale.games * self.more
            if self.concurrency == 1
            else min(scale.crowd_games, _GAMES_A_SLOT * self.concurrency)
        )
        order = Order(games, self.concurrency, here.clean())
        try:
            watched = watch(
                self.command(self.script, order),
                here.stamps,
                2 * self.concurrency,
                cpu=cpu if self.pinned else None,
                where=here.records,
            )
            self._keep(watched, games)
        except Failed as failure:
            if self.ours:
                raise
            self.failed = str(failure).splitlines()[0][:120]

    def _keep(self, watched: Watched, ordered: int) -> None:
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


def gaps_us(games: Sequence[Played]) -> list[float]:
    """From the last `bestmove` of each game to the first `go` of the next, microseconds."""
    return [(after.first_ns - before.last_ns) / 1000 for before, after in pairwise(games)]


def contending(here: Place) -> list[Contender]:
    """Everybody who takes part, the yardstick first."""
    plies = here.scale.plies
    ours = _script(here, "scottish", plies)
    chess = Script(scripts.CHESS, 150)
    found = [
        Contender(YARDSTICK, ours, partial(contenders.floor, round_trips=2), more=_OF_FLOOR, ours=True),
        Contender("C floor, 1 round trip", ours, partial(contenders.floor, round_trips=1), more=_OF_FLOOR, ours=True),
    ]
    editions = [contenders.AS_WRITTEN] if here.scale.alone else contenders.editions()
    for edition in editions:
        for level in ("none",) if here.scale.alone else ("none", "basic"):
            command = partial(_arena, options=("--contain", level), edition=edition)
            found.append(Contender(f"{edition}, contained: {level}", ours, command, ours=True))
    if here.scale.alone:
        return found
    us = editions[0]
    basic = partial(_arena, options=("--contain", "basic"))
    found.append(
        Contender(f"{us}, contained: basic, callanish-9", _script(here, "callanish-9", 48), basic, ours=True),
    )
    trace = contenders.traces()
    if trace:
        found.append(Contender(f"{us}, contained: basic, trace", ours, _traced, ours=True))
    free = Contender(f"{us}, contained: basic", ours, basic, pinned=False, ours=True)
    found += [
        Contender(YARDSTICK, ours, partial(contenders.floor, round_trips=2), False, more=_OF_FLOOR, ours=True),
        free,
        replace(free, what=f"{us}, contained: basic, --no-pin", command=partial(_arena, options=("--no-pin",))),
        *(replace(free, concurrency=at_once, ply_us=[], gap_us=[]) for at_once in CROWDS),
    ]
    for name in contenders.PEERS:
        program = contenders.peer_path(name)
        if program is not None:
            found += _of_peer(name, program, chess, trace)
    return [replace(one, ply_us=[], gap_us=[]) for one in found]


def _of_peer(name: str, program: str, chess: Script, trace: bool) -> Iterator[Contender]:
    command = partial(_peer, name=name, program=program)
    yield Contender(name, chess, command, more=_OF_PEERS)
    if trace:
        yield Contender(f"{name}, trace", chess, partial(command, trace=True), more=_OF_PEERS)
    yield Contender(name, chess, command, pinned=False, more=_OF_PEERS)
    for at_once in CROWDS:
        yield Contender(name, chess, command, pinned=False, concurrency=at_once)


def _script(here: Place, variant: str, plies: int) -> Script:
    return Script(*scripts.written(here.scripts, variant, plies), variant)


def _arena(script: Script, order: Order, options: Sequence[str], edition: str = "") -> list[str]:
    return contenders.arena(script, order, *options, edition=edition)


def _traced(script: Script, order: Order) -> list[str]:
    folder = order.folder / "trace"
    folder.mkdir()
    return contenders.arena(script, order, "--contain", "basic", "--trace", str(folder))


def _peer(script: Script, order: Order, name: str, program: str, trace: bool = False) -> list[str]:
    return contenders.peer(name, program, script, order, trace=trace)


def measure(here: Place) -> list[Row]:
    """All rounds of all contenders. The rows: each ply, then between games."""
    found = contending(here)
    cpu = max(os.sched_getaffinity(0))
    for _ in range(here.scale.rounds):
        for one in found:
            if not one.failed:
                one.run(here, cpu)
    yardstick = found[0]
    rows = [_ply_row(one, yardstick) for one in found]
    rows += [
        row("a", f"between games: {_title(one)}", "us", [us for round_ in one.gap_us for us in round_])
        for one in found
        if any(one.gap_us)
    ]
    return rows if here.scale.alone else rows + list(_absent())


def _title(one: Contender) -> str:
    at_once = f", {one.concurrency} games at once" if one.concurrency > 1 else ""
    return f"{one.what}, {'one CPU' if one.pinned else 'free'}{at_once}"


def _ply_row(one: Contender, yardstick: Contender) -> Row:
    title, unit = f"ply: {_title(one)}", "us" if one.concurrency == 1 else "us of CPU"
    if one.failed:
        return Row("a", title, unit, note=one.failed)
    figures = [us for round_ in one.ply_us for us in round_]
    return compared(row("a", title, unit, figures), one.ply_us, yardstick.ply_us)


def _absent() -> Iterator[Row]:
    if not contenders.traces():
        yield Row("a", "ply: arena, trace, one CPU", "us", note="`arena match` has no --trace")
    for name in contenders.PEERS:
        if contenders.peer_path(name) is None:
            yield Row("a", f"ply: {name}, one CPU", "us", note="neither on the PATH nor in ARENA_PEERS")
