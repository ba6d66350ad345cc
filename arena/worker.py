"""One slot's worker process: plays whole games, one after the other, with engines that stay alive between them.

Speaks to the scheduler over one pipe: jobs in, outcomes out. Imports no typer, no rich, no store.
"""

import os
import pickle
import platform
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import FrameType
from typing import Any

from arena import openings
from arena.games import variants
from arena.games.game import Game
from arena.jobs import EngineSpec, GameJob
from arena.pool import Pool
from arena.referee import SIDES, Entry, Seat, Verdict, pack, play
from protocol.faults import CannotStart, EngineFault, Fault
from results.record import GameRecord, Termination


@dataclass(frozen=True, slots=True)
class Finished:
    """A game was played. `faulty` names the engine whose fault ended it."""

    record: GameRecord
    faulty: str | None


class Stopped(BaseException):
    """The scheduler wants this worker to end now. Not an Exception: nothing may swallow it."""


def main(connection: Any, specs: Mapping[str, EngineSpec], cpu: int | None) -> None:
    """Serve jobs from `connection` until it closes; `cpu` pins this worker and its engines to one CPU."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the scheduler's to answer
    signal.signal(signal.SIGTERM, _stop)
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
    pool = Pool(specs)
    try:
        while True:
            try:
                job: GameJob = pickle.loads(connection.recv_bytes())
            except (EOFError, ConnectionResetError):
                break
            sheet: list[Entry] = []
            table = Table(job)
            try:
                finished = table.play(pool, sheet)
            except Stopped:
                connection.send_bytes(pickle.dumps(Finished(table.record(UNFINISHED, sheet), None)))
                raise
            connection.send_bytes(pickle.dumps(finished))
            pool.trim()
        pool.quit()
    except Stopped:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pool.kill()


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


UNFINISHED = Verdict(None, Termination.UNFINISHED, "stopped from outside")


class Table:
    """One job being played: its rules and opening, and when it began."""

    def __init__(self, job: GameJob) -> None:
        self.job = job
        self.rules, self.start = variants.resolve(job.variant, "", job.fen)
        self.opening = openings.draw(self.rules, self.start, job.opening_plies, job.opening_seed)
        self.began = datetime.now(UTC)
        self.began_ns = time.monotonic_ns()

    def play(self, pool: Pool, sheet: list[Entry]) -> Finished:
        """Play the game; a fault before its first move is tried once more with a fresh process."""
        verdict, faulty = self._attempt(pool, sheet)
        if verdict.fault is not None and not sheet and verdict.fault.fault not in MOVED:
            verdict, faulty = self._attempt(pool, sheet)
        return Finished(self.record(verdict, sheet), faulty)

    def _attempt(self, pool: Pool, sheet: list[Entry]) -> tuple[Verdict, str | None]:
        game = Game(self.rules, self.start)
        for word in self.opening:
            game.play(word)
        names = (self.job.p1, self.job.p2)
        seats: list[Seat] = []
        for side, name in enumerate(names):
            try:
                seats.append(pool.get(name).begin(self.rules, self.job.seed + side))
            except EngineFault as broken:
                return self._broken(pool, side, broken)
            except CannotStart as refused:
                return self._broken(pool, side, EngineFault(Fault.CRASH, str(refused)))
        verdict = play(game, (seats[0], seats[1]), self.job.terms, sheet)
        if verdict.fault is not None:
            loser = names[1 - SIDES.index(verdict.winner or "draw")]
            pool.drop(loser)
            return verdict, loser
        for seat in seats:
            if seat.announced("UGI_GameOver"):
                seat.session.game_over(
                    f"{verdict.winner}{'win' if verdict.winner != 'draw' else ''} {verdict.termination}"
                )
        return verdict, None

    def _broken(self, pool: Pool, side: int, broken: EngineFault) -> tuple[Verdict, str]:
        name = (self.job.p1, self.job.p2)[side]
        pool.drop(name)
        return Verdict(SIDES[1 - side], Termination(broken.fault), broken.detail, broken), name

    def record(self, verdict: Verdict, sheet: list[Entry]) -> GameRecord:
        """The game as it is kept."""
        job = self.job
        return GameRecord(
            id=job.id,
            number=job.number,
            round=job.round,
            variant=self.rules.name,
            p1=job.p1,
            p2=job.p2,
            fen=self.start.fen(),
            opening=self.opening,
            plies=pack(sheet),
            winner=verdict.winner,
            termination=verdict.termination,
            detail=verdict.detail,
            tc=str(job.terms.limit),
            seed=job.seed,
            started_at=self.began.isoformat(timespec="milliseconds"),
            wall_ms=(time.monotonic_ns() - self.began_ns) // 1_000_000,
            host=platform.node(),
        )


MOVED = frozenset({Fault.ILLEGAL_MOVE, Fault.MALFORMED_MOVE, Fault.TIME})
"""Faults in which the engine had its turn: played out, not tried again, even on the first move."""
