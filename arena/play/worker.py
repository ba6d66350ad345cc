"""A worker process: plays whole games, one after the other, with engines that stay alive between games.

It speaks to the scheduler over one pipe: jobs in, results out. It imports no typer, no rich, no store.
"""

import contextlib
import os
import pickle
import platform
import signal
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
from arena.play.adjudication import SIDES
from arena.play.clock import MS
from arena.play.engine_pool import EnginePool
from arena.play.evidence import evidence
from arena.play.jobs import GameJob
from arena.play.referee import MoveLog, Seat, Verdict, pack, play
from arena.play.result_sender import ResultSender
from protocol import stops
from protocol.containment import kernel
from protocol.faults import CannotStart, EngineFault, Fault, MachineLate
from protocol.grammar import Result
from protocol.read_alarm import ReadAlarm
from protocol.session import Session
from protocol.stopwatch import Stopwatch
from results.record import Evidence, GameRecord, Termination


class Finished(NamedTuple):
    """The result of a job. `faulty` names the engine whose fault ended the game."""

    record: GameRecord
    faulty: str | None
    stopped: bool = False
    """True where the worker was told to end during the game."""


FIRST_WORKER = "worker-0"
EXITING = 0x4
"""Linux's PF_EXITING, among the flags of a thread."""
LAST_WORD = b"arena: the main process was killed: what was stored is safe, and the same command goes on with it\n"
"""Said by the first worker, for a process that is killed by SIGKILL says nothing itself.

A worker that is still loading its modules says nothing either.
"""


class Stopped(BaseException):
    """The scheduler wants this worker to end now. Not an Exception, so that no handler swallows it."""


def main(connection: Any, specs: bytes, cpu: int | None, glimpse_ms: int = 0) -> None:
    """Serve jobs from `connection` until it closes; `cpu` pins this worker and its engines to one CPU.

    `specs` are the engines by name, pickled. Beside each result, a `Glimpse` of the running game is sent every
    `glimpse_ms`; with 0 none is sent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the scheduler's to answer
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # held until now; engines are to begin without that
    stops.watch()
    if kernel.LINUX:
        # A scheduler that was killed cannot stop us, and a game may go on for hours for nobody.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGTERM)
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
    scheduler = os.getppid()
    pool = EnginePool(pickle.loads(specs), ReadAlarm(), current_process().name)
    sender = ResultSender(connection)
    if glimpse_ms:
        sender.send_glimpses(glimpse_ms)
    try:
        signal.signal(signal.SIGTERM, _stop)  # until now there is nothing to end, and the signal does
        while True:
            try:
                job: GameJob = pickle.loads(connection.recv_bytes())
            except (EOFError, ConnectionResetError):
                break
            log: MoveLog = []
            game = RunningGame(job)
            sender.watch(game, log)
            try:
                finished = game.play(pool, log)
            except Stopped:
                sender.send_result(Finished(game.record(UNFINISHED, log), None, stopped=True))
                raise
            sender.send_result(finished)
            pool.trim()
        pool.quit()
    except (Stopped, ConnectionError):
        pass  # a broken pipe is a scheduler that has gone
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if current_process().name == FIRST_WORKER and has_ended(scheduler):
            with contextlib.suppress(OSError):
                os.write(2, LAST_WORD)
        pool.kill()


def has_ended(parent: int) -> bool:
    """Has this process, which started ours, ended, or does it end just now?

    Its first thread may have ended, which we are told by a signal, while another one still runs: then it is our parent
    still. Linux says that a thread ends before it closes files and sends signals.
    """
    if os.getppid() != parent:
        return True
    try:
        with open(f"/proc/{parent}/stat", "rb") as stat:
            state, *fields = stat.read().rpartition(b") ")[2].split()
    except OSError:
        return False
    return state in b"ZX" or bool(int(fields[5]) & EXITING)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


@lru_cache(maxsize=16)
def _start(variant: str, fen: str | None) -> tuple[Rules, Position, str]:
    """The rules of a job, its start position, and that position as a string. Most games of a run start alike."""
    rules, start = variants.resolve(variant, "", fen)
    return rules, start, start.fen()


@lru_cache(maxsize=16)
def _opening(variant: str, fen: str | None, given: tuple[str, ...] | None, plies: int, seed: str) -> tuple[str, ...]:
    """The opening of a job. The game with swapped sides has the same one, so it is cached."""
    rules, start, _ = _start(variant, fen)
    return random_opening.draw(rules, start, plies, seed) if given is None else given


UNFINISHED = Verdict(None, Termination.UNFINISHED, "stopped from outside")


class RunningGame:
    """A job that is being played: its rules, its opening and its start time."""

    def __init__(self, job: GameJob) -> None:
        self.job = job
        self.rules, self.start, self.fen = _start(job.variant, job.fen)
        seed = job.opening_seed if job.opening_plies else ""
        self.opening = _opening(job.variant, job.fen, job.opening, job.opening_plies, seed)
        self.began = datetime.now(UTC)
        self.began_ns = time.monotonic_ns()
        self.watches: list[Stopwatch] = []
        self.sessions: list[Session] = []
        """Of the engines that got ready for the game, p1 first."""
        self.attempt = 0
        """Grows when the game is played once more, after its move log was cleared."""
        self.first = 0
        """The side that plays the first ply after the opening, 0 for p1."""
        self.evidence: Evidence | None = None

    @property
    def clocks_ms(self) -> tuple[int | None, int | None]:
        """What the clocks show before the first ply, p1's first; None without a clock."""
        one, two = self.job.terms.limit_of(0), self.job.terms.limit_of(1)
        return (
            one.base_ms if one.kind == "clock" else None,
            two.base_ms if two.kind == "clock" else None,
        )

    def play(self, pool: EnginePool, log: MoveLog) -> Finished:
        """Play the game.

        A fault before the first move is tried once more with a fresh process. A game that the machine was too late to
        judge is played once more. The second time it ends unfinished, unless the engine that was not to move had most
        of the CPU: then that engine has lost.
        """
        seats: dict[str, Seat] = {}
        machine_was_late = restarted = False
        while True:
            try:
                verdict, faulty = self._play_once(pool, log, seats)
            except MachineLate as late:
                if machine_was_late:
                    return self._late_again(late, log)
                machine_was_late, restarted = True, False
                log.clear()
                self.attempt += 1
                continue
            if verdict.fault is None or log or verdict.fault.fault in IN_ITS_TURN or restarted:
                break
            restarted = True
        self._send_game_over(pool, verdict, seats)
        return Finished(self.record(verdict, log), faulty)

    def _play_once(self, pool: EnginePool, log: MoveLog, seats: dict[str, Seat]) -> tuple[Verdict, str | None]:
        """Play once. Afterwards `seats` has the engines that were ready for the game and are still alive."""
        seats.clear()
        self.watches, self.sessions = [], []
        game = Game(self.rules, self.start)
        for word in self.opening:
            game.play(word)
        self.first = SIDES.index(game.position.side)
        names = (self.job.p1, self.job.p2)
        for side, name in enumerate(names):
            try:
                live = pool.get(name)
                live.remark(f"game {self.job.id}: {self.rules.name}, {self.job.p1} - {self.job.p2}")
                seats[name] = live.begin(self.rules, self.job.seed + side, self.job.terms.of(side))
                self.watches.append(seats[name].watch)
                self.sessions.append(seats[name].session)
            except EngineFault as broken:
                return self._broken(pool, side, broken)
            except CannotStart as refused:
                return self._broken(pool, side, EngineFault(Fault.CRASH, str(refused)))
        pool.pair(*names)
        try:
            verdict = play(game, (seats[names[0]], seats[names[1]]), self.job.terms, log)
        except MachineLate as late:
            turn = SIDES.index(game.position.side)
            held = held_the_cpu(seats[names[1 - turn]].watch, late.wall_ns)
            scenes = [pool.drop(name) for name in names]  # one of them is still thinking
            pool.drop_others(names)  # any of them may have been busy
            if held is not None:
                held.scene = scenes[1 - turn]
                late.blame = 1 - turn, held
            raise
        if verdict.fault is None:
            return verdict, None
        side = 0 if verdict.winner == "p2" else 1
        loser = names[side]
        del seats[loser]
        self.evidence = evidence(side, verdict.fault, pool.drop(loser))
        # A forfeit that only the machine caused is no reason to withdraw the engine.
        return verdict, None if self.evidence.machine else loser

    def _late_again(self, late: MachineLate, log: MoveLog) -> Finished:
        """The result of a game that the machine was too late to judge for the second time."""
        if late.blame is None:
            return Finished(self.record(replace(UNFINISHED, detail=str(late)), log), None)
        side, broken = late.blame
        self.evidence = evidence(side, broken, broken.scene)
        verdict = Verdict(SIDES[1 - side], Termination(broken.fault), broken.detail, broken)
        return Finished(self.record(verdict, log), (self.job.p1, self.job.p2)[side])

    def _send_game_over(self, pool: EnginePool, verdict: Verdict, seats: Mapping[str, Seat]) -> None:
        """Send `gameover` to the engines that are alive (SPEC.md 9.10). One that is gone meanwhile is only replaced."""
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

    def record(self, verdict: Verdict, log: MoveLog) -> GameRecord:
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
            plies=pack(log),
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


def held_the_cpu(idle: Stopwatch, wall_ns: int) -> EngineFault | None:
    """The fault of the engine that was not to move, if its processes had most of the CPU for these `wall_ns`."""
    used_ns = idle.held_the_cpu(wall_ns)
    if used_ns is None:
        return None
    return EngineFault(
        Fault.CRASH,
        f"was ended: its processes used {used_ns / 1e9:.1f} s of CPU while its opponent waited {wall_ns / 1e9:.1f} s "
        "for a CPU to make its move",
    )


IN_ITS_TURN = frozenset({Fault.ILLEGAL_MOVE, Fault.MALFORMED_MOVE, Fault.TIME})
"""Faults of an engine that had its turn to move. The game is not tried again, even on the first move."""
