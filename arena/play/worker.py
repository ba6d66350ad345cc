"""One slot's worker process: plays whole games, one after the other, with engines that stay alive between them.

Speaks to the scheduler over one pipe: jobs in, outcomes out. Imports no typer, no rich, no store.
"""

import os
import pickle
import platform
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from types import FrameType
from typing import Any, NamedTuple

from multiprocess import current_process

from arena.games import variants
from arena.games.game import Game
from arena.games.rules import Position, Rules
from arena.play import random_opening
from arena.play.clock import MS
from arena.play.engine_pool import EnginePool
from arena.play.jobs import GameJob
from arena.play.observers import Glimpse
from arena.play.referee import SIDES, LoggedPly, Seat, Verdict, pack, play
from protocol import grammar
from protocol.containment import kernel
from protocol.faults import CannotStart, EngineFault, Fault, MachineLate, Scene
from protocol.grammar import Result
from protocol.read_alarm import ReadAlarm
from protocol.stopwatch import Stopwatch
from results.record import Evidence, GameRecord, Termination


class Finished(NamedTuple):
    """A game was played. `faulty` names the engine whose fault ended it."""

    record: GameRecord
    faulty: str | None
    stopped: bool = False
    """Was the worker told to end in the midst of the game?"""


class Stopped(BaseException):
    """The scheduler wants this worker to end now. Not an Exception: nothing may swallow it."""


def main(connection: Any, specs: bytes, cpu: int | None, glimpse_ms: int = 0) -> None:
    """Serve jobs from `connection` until it closes; `cpu` pins this worker and its engines to one CPU.

    `specs` are the engines by name, pickled.
    Beside what came of each job, a `Glimpse` of the running game is sent every `glimpse_ms`; 0: never.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the scheduler's to answer
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # held until now; engines are to begin without that
    if kernel.LINUX:
        # A scheduler that was killed cannot stop us, and a game may go on for hours for nobody.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGTERM)
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
    pool = EnginePool(pickle.loads(specs), ReadAlarm(), current_process().name)
    onlooker = ResultSender(connection)
    if glimpse_ms:
        onlooker.look_every(glimpse_ms)
    try:
        signal.signal(signal.SIGTERM, _stop)  # until now there is nothing to end, and the signal does
        while True:
            try:
                job: GameJob = pickle.loads(connection.recv_bytes())
            except (EOFError, ConnectionResetError):
                break
            sheet: list[LoggedPly] = []
            table = ReadyGame(job)
            onlooker.sheet = sheet
            try:
                finished = table.play(pool, sheet)
            except Stopped:
                onlooker.send(Finished(table.record(UNFINISHED, sheet), None, stopped=True))
                raise
            onlooker.send(finished)
            pool.trim()
        pool.quit()
    except (Stopped, ConnectionError):
        pass  # a broken pipe is a scheduler that has gone
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pool.kill()


class ResultSender:
    """The worker's mouth: sends what came of games and, from a thread of its own, how the running one stands.

    It looks at the referee's sheet, so a game that is looked at costs a ply nothing.
    """

    def __init__(self, connection: Any) -> None:
        self.sheet: list[LoggedPly] = []
        """Of the running game; the referee appends to it."""
        self._connection = connection
        self._lock = threading.RLock()  # SIGTERM may come while the main thread has it, and sends something itself

    def look_every(self, glimpse_ms: int) -> None:
        """Send a Glimpse so often, where something was played since the last one."""
        threading.Thread(target=self._look, args=(glimpse_ms / 1000,), name="onlooker", daemon=True).start()

    def send(self, what: object) -> None:
        """Send it whole."""
        with self._lock:
            self._connection.send_bytes(pickle.dumps(what))

    def _look(self, seconds: float) -> None:
        seen: tuple[int, int] | None = None
        while True:
            time.sleep(seconds)
            sheet = self.sheet
            now = id(sheet), len(sheet)
            if now == seen or not sheet:
                continue
            seen = now
            try:
                self.send(glimpse(sheet[:]))
            except (OSError, ValueError):
                return


def glimpse(sheet: list[LoggedPly]) -> Glimpse:
    """How a game stands by its sheet, which has at least a ply."""
    left_ms: list[int | None] = [None, None]
    scores = ["", ""]
    for back, (_, said, _, left_ns) in enumerate(reversed(sheet[-2:])):
        side = (len(sheet) - 1 - back) % 2
        left_ms[side] = None if left_ns is None else left_ns // MS
        scores[side] = str(grammar.summary(said.last_info).score or "")
    return Glimpse(len(sheet), sheet[-1][0], (left_ms[0], left_ms[1]), (scores[0], scores[1]))


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


@lru_cache(maxsize=16)
def _start(variant: str, fen: str | None) -> tuple[Rules, Position, str]:
    """The rules of a job, where it starts, and that as a position string; most games of a run start alike."""
    rules, start = variants.resolve(variant, "", fen)
    return rules, start, start.fen()


@lru_cache(maxsize=16)
def _opening(variant: str, fen: str | None, given: tuple[str, ...] | None, plies: int, seed: str) -> tuple[str, ...]:
    """The opening of a job, which it shares with the one after or before it, where sides are swapped."""
    rules, start, _ = _start(variant, fen)
    return random_opening.of(rules, start, given, plies, seed)


UNFINISHED = Verdict(None, Termination.UNFINISHED, "stopped from outside")


class ReadyGame:
    """One job being played: its rules and opening, and when it began."""

    def __init__(self, job: GameJob) -> None:
        self.job = job
        self.rules, self.start, self.fen = _start(job.variant, job.fen)
        seed = job.opening_seed if job.opening_plies else ""
        self.opening = _opening(job.variant, job.fen, job.opening, job.opening_plies, seed)
        self.began = datetime.now(UTC)
        self.began_ns = time.monotonic_ns()
        self.watches: list[Stopwatch] = []
        """Of those who got ready for the game, p1 first."""
        self.evidence: Evidence | None = None

    def play(self, pool: EnginePool, sheet: list[LoggedPly]) -> Finished:
        """Play the game; a fault before its first move is tried once more with a fresh process.

        So is a game that the machine was too late to judge; where it is again, nobody has won.
        """
        seats: dict[str, Seat] = {}
        try:
            verdict, faulty = self._judged(pool, sheet, seats)
        except MachineLate:
            sheet.clear()
            try:
                verdict, faulty = self._judged(pool, sheet, seats)
            except MachineLate as late:
                return Finished(self.record(replace(UNFINISHED, detail=str(late)), sheet), None)
        self._tell(pool, verdict, seats)
        return Finished(self.record(verdict, sheet), faulty)

    def _judged(self, pool: EnginePool, sheet: list[LoggedPly], seats: dict[str, Seat]) -> tuple[Verdict, str | None]:
        verdict, faulty = self._attempt(pool, sheet, seats)
        if verdict.fault is not None and not sheet and verdict.fault.fault not in MOVED:
            verdict, faulty = self._attempt(pool, sheet, seats)
        return verdict, faulty

    def _attempt(self, pool: EnginePool, sheet: list[LoggedPly], seats: dict[str, Seat]) -> tuple[Verdict, str | None]:
        """Play once. Afterwards `seats` has the engines that were ready for the game and live on."""
        seats.clear()
        self.watches = []
        game = Game(self.rules, self.start)
        for word in self.opening:
            game.play(word)
        names = (self.job.p1, self.job.p2)
        for side, name in enumerate(names):
            try:
                live = pool.get(name)
                live.remark(f"game {self.job.id}: {self.rules.name}, {self.job.p1} - {self.job.p2}")
                seats[name] = live.begin(self.rules, self.job.seed + side, self.job.terms.of(side))
                self.watches.append(seats[name].watch)
            except EngineFault as broken:
                return self._broken(pool, side, broken)
            except CannotStart as refused:
                return self._broken(pool, side, EngineFault(Fault.CRASH, str(refused)))
        try:
            verdict = play(game, (seats[names[0]], seats[names[1]]), self.job.terms, sheet)
        except MachineLate:
            for name in names:  # one of them is still thinking
                pool.drop(name)
            raise
        if verdict.fault is None:
            return verdict, None
        side = 0 if verdict.winner == "p2" else 1
        loser = names[side]
        del seats[loser]
        self.evidence = evidence(side, verdict.fault, pool.drop(loser))
        # A forfeit that only the machine caused is no reason to withdraw the engine.
        return verdict, None if self.evidence.machine else loser

    def _tell(self, pool: EnginePool, verdict: Verdict, seats: Mapping[str, Seat]) -> None:
        """`gameover` to those who live on (SPEC.md 9.10). Nothing is due then: who is gone is only replaced."""
        result: Result = "draw" if verdict.winner == "draw" else "p1win" if verdict.winner == "p1" else "p2win"
        for name, seat in seats.items():
            try:
                seat.session.game_over(result, verdict.termination)
            except EngineFault:
                pool.drop(name)

    def _broken(self, pool: EnginePool, side: int, broken: EngineFault) -> tuple[Verdict, str]:
        name = (self.job.p1, self.job.p2)[side]
        scene = pool.drop(name)
        self.evidence = evidence(side, broken, broken.scene or scene)
        return Verdict(SIDES[1 - side], Termination(broken.fault), broken.detail, broken), name

    def record(self, verdict: Verdict, sheet: list[LoggedPly]) -> GameRecord:
        """The game as it is kept."""
        job = self.job
        return GameRecord(
            id=job.id,
            number=job.number,
            round=job.round,
            variant=self.rules.name,
            p1=job.p1,
            p2=job.p2,
            fen=self.fen,
            opening=self.opening,
            plies=pack(sheet),
            winner=verdict.winner,
            termination=verdict.termination,
            detail=verdict.detail,
            tc=job.terms.tc,
            seed=job.seed,
            started_at=self.began.isoformat(timespec="milliseconds"),
            wall_ms=(time.monotonic_ns() - self.began_ns) // MS,
            host=platform.node(),
            clock=job.terms.judged_by,
            measured=all(watch.measured for watch in self.watches),
            p1_idle_us=self._idle_us(0),
            p2_idle_us=self._idle_us(1),
            evidence=self.evidence,
        )

    def _idle_us(self, side: int) -> int | None:
        idle_ns = self.watches[side].idle_ns if side < len(self.watches) else None
        return None if idle_ns is None else idle_ns // 1000


def evidence(side: int, broken: EngineFault, scene: Scene | None) -> Evidence:
    """What is kept of a fault of one side, 0 for p1."""
    scene = scene or Scene((), "", "never started")
    times = broken.times
    return Evidence(
        side=SIDES[side],
        fault=broken.fault.value,
        detail=broken.detail,
        exit=scene.exit,
        transcript=scene.transcript,
        stderr=scene.stderr,
        allowed_us=None if times is None else times.allowed_ns // 1000,
        wall_us=None if times is None else times.wall_ns // 1000,
        cpu_us=None if times is None or times.cpu_ns is None else times.cpu_ns // 1000,
        late_us=None if times is None or times.late_ns is None else times.late_ns // 1000,
        machine=times is not None and times.machine,
    )


MOVED = frozenset({Fault.ILLEGAL_MOVE, Fault.MALFORMED_MOVE, Fault.TIME})
"""Faults in which the engine had its turn: played out, not tried again, even on the first move."""
