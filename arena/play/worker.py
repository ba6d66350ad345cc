"""A worker process: plays whole games, one after the other, with engines that stay alive between games.

It speaks to the main process over one pipe: jobs in, results out. Jobs of short games come ahead, so the next one is
there when a game ends. It imports no typer, no rich, no store.
"""

import contextlib
import os
import pickle
import select
import signal
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from random import Random
from types import FrameType
from typing import Any

from multiprocess import current_process

from arena.games import variants
from arena.games.game import Game, GameFailed, beginning
from arena.games.kinds import built_in
from arena.games.rules import Position, Rules, plies_before
from arena.games.variants import kind_of
from arena.play import random_opening
from arena.play.adjudication import SIDES
from arena.play.engine_pool import EnginePool, LiveEngine, evidence
from arena.play.jobs import GO, STOPPED, EngineSpec, GameJob, Know, Meet, record_of, unplayed
from arena.play.random_opening import NoOpening
from arena.play.referee import GameEnd, MoveLog, Seat, forfeit, play, plies_of
from arena.play.snapshots import Finished, Sender
from arena.play.trial_start import meet
from arena.timing.clock import MS
from arena.timing.lost_line import AWAY_STATUS, KILLED, LINE_DOWN, WAS_DOWN, away
from protocol import stops
from protocol.containment.landlock import end_with_parent
from protocol.faults import CannotStart, EngineFault, Fault, MachineLate, Times
from protocol.grammar import Result
from protocol.session import Session
from protocol.stopwatch import Stopwatch
from results.record import Evidence, GameRecord, Termination

FIRST_WORKER = "worker-0"
EXITING = 0x4
"""Linux's PF_EXITING, among the flags of a thread."""
LAST_WORD = b"arena: the main process was killed: what was stored is safe, and the same command goes on with it\n"
"""Said by the first worker, for a process that is killed by SIGKILL says nothing itself.

A worker that is still loading its modules says nothing either.
"""


def main(
    connection: Any,
    cpu: int | None,
    clock_ahead_ns: int = 0,
) -> None:
    """Serve jobs from `connection` until it closes; `cpu` pins this worker and its engines to one CPU.

    Each message that comes is a pickled list of jobs, or one of the words GO, `Meet` and `Know`. Each that goes is None
    after `Know`, the introductions after `Meet`, a list with a `Finished` for each job, or a `GameSnapshot` of the
    running game. The monotonic clock of the scheduler's machine is `clock_ahead_ns` ahead of ours.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's to answer
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # held until now; engines are to begin without that
    stops.watch()
    os.setsid()  # a session for this worker and its engines, without a terminal
    # A main process that was killed cannot stop us, and a game may go on for hours for nobody.
    end_with_parent(signal.SIGTERM)
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
    engines: dict[str, EngineSpec] = {}
    pool = EnginePool(engines, current_process().name)
    stop = Stop(pool, os.getppid())
    signal.signal(signal.SIGTERM, stop.signalled)  # until now there is nothing to end, and the signal does
    sender = Sender(connection, clock_ahead_ns)

    def hear(word: Meet | Know) -> None:
        if isinstance(word, Meet):
            sender.send(meet(word.engines, pool))
            return
        if not engines:  # a run begins
            sender.send_snapshots(word.snapshot_ms)
        engines.update(word.engines)
        sender.send(None)

    queue = JobQueue(connection, stop, hear)
    try:
        while (job := queue.take()) is not None:
            log: MoveLog = []
            try:
                game = RunningGame(job)
            except (GameFailed, NoOpening) as failure:
                sender.send_result(Finished(unplayed(job, str(failure)), None))
                continue
            sender.watch(game, log)
            finished = game.play(pool, log)
            if stop.came:
                # Its engines were killed by us: what the referee saw of that is nobody's fault.
                sender.send_result(Finished(game.record(UNFINISHED, log), None, stopped=True))
                break
            sender.send_result(finished, hold=finished.faulty is None and queue.is_half_full)
            if finished.faulty is not None:
                queue.drop()
            pool.trim()
        sender.flush()
        if not stop.came:
            stop.say_last_word()
            pool.quit()
    except ConnectionError:
        pass  # a broken pipe: the main process has gone
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stop.say_last_word()
        pool.kill()


class Stop:
    """The order to end now: SIGTERM as a flag. Engines are killed at once, so that no wait for one goes on."""

    def __init__(self, pool: EnginePool, parent: int) -> None:
        """`parent` is the process that started this one."""
        self.came = False
        self._pool = pool
        self._parent = parent
        self._last_word = LAST_WORD if current_process().name == FIRST_WORKER else b""
        self.readable, self._wake = os.pipe()

    def signalled(self, number: int, frame: FrameType | None) -> None:
        """The handler. It raises nothing: an exception might come anywhere, and be dropped there."""
        self.came = True
        self.say_last_word()
        self._pool.stop()
        os.write(self._wake, b"\0")

    def say_last_word(self) -> None:
        """Say once that the main process was killed, if it was."""
        if self._last_word and has_ended(self._parent):
            word, self._last_word = self._last_word, b""  # first: the handler may come here again
            with contextlib.suppress(OSError):
                os.write(2, word)


class JobQueue:
    """The jobs that a worker has and has not begun yet, in their order."""

    def __init__(
        self,
        connection: Any,
        stop: Stop,
        hear: Callable[[Meet | Know], None] = lambda word: None,
    ) -> None:
        """`hear` answers what is no job."""
        self._hear = hear
        self._connection = connection
        self._stop = stop
        self._jobs: deque[GameJob] = deque()
        self._most = 0
        """How many they were when the last ones came."""
        self._drops = False
        """True from a fault until GO: jobs that were sent before the fault was known are not played."""
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._poll.register(stop.readable, select.POLLIN)

    def take(self) -> GameJob | None:
        """The next job, once there is one. None: no more come, or it is time to end."""
        try:
            while not self._stop.came and (not self._jobs or self._poll.poll(0)):
                self._poll.poll()
                if not self._stop.came:
                    self._receive(pickle.loads(self._connection.recv_bytes()))
        except (EOFError, ConnectionResetError):
            return None
        return None if self._stop.came else self._jobs.popleft()

    def _receive(self, message: Any) -> None:
        if message == GO:
            self._drops = False
        elif isinstance(message, Meet | Know):
            self._hear(message)
        elif not self._drops:
            self._jobs += message
            self._most = len(self._jobs)

    @property
    def is_half_full(self) -> bool:
        """True if the main process need not hear of results now: there is enough to play until more jobs come."""
        return 2 * len(self._jobs) >= self._most > 1

    def drop(self) -> None:
        """Forget all jobs after a fault, and those on their way: the engine may be withdrawn for it."""
        self._jobs.clear()
        self._drops = True


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


@lru_cache(maxsize=16)
def _start(variant: str, fen: str | None) -> tuple[Rules, Position, str, str]:
    """The rules of a job, its start position as such and as a string, and the rules' name.

    Most games of a run start alike.
    """
    rules, start = variants.resolve(variant, "", fen)
    with beginning(rules):
        text = start.fen()
    if not text or not text.isprintable():
        raise GameFailed(f"the start position {text!r} is not printable (game {kind_of(rules).name})")
    return rules, start, text, rules.name


@lru_cache(maxsize=16)
def _opening(variant: str, fen: str | None, given: tuple[str, ...] | None, plies: int, seed: str) -> tuple[str, ...]:
    """The opening of a job. The game with swapped sides has the same one, so it is cached."""
    rules, start, *_ = _start(variant, fen)
    return random_opening.draw(rules, start, plies, seed) if given is None else given


UNFINISHED = GameEnd(None, Termination.UNFINISHED, STOPPED)


class RunningGame:
    """A job that is being played: its rules, its opening, and when its last attempt began."""

    def __init__(self, job: GameJob) -> None:
        self.job = job
        self.rules, self.start, self.fen, self.name = _start(job.variant, job.fen)
        seed = job.opening_seed if job.opening_plies else ""
        self.opening = _opening(job.variant, job.fen, job.opening, job.opening_plies, seed)
        self._begin()
        self.attempt = 0
        """Grows when the game is played once more, after its move log was cleared."""
        self.first = 0
        """The side that plays the first ply after the opening, 0 for p1."""
        self.evidence: Evidence | None = None

    def _begin(self) -> None:
        """Begin an attempt: one that became void before counts neither in the time nor in the figures of the game."""
        self.started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.began_ns = time.monotonic_ns()
        self.watches: list[Stopwatch] = []
        self.sessions: list[Session] = []
        """Of the engines that got ready for the game, p1 first."""

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
        judge is played once more. The second time it ends unfinished, unless an engine is the cause and has lost: the
        one that was not to move and had most of the CPU, or the one to move that left the CPU whenever it had one.
        """
        seats: dict[str, Seat] = {}
        machine_was_late = restarted = False
        while True:
            try:
                end, faulty = self._play_once(pool, log, seats)
            except MachineLate as late:
                if machine_was_late:
                    if late.blame is None:
                        return Finished(self.record(replace(UNFINISHED, detail=str(late)), log), None)
                    side, broken = late.blame
                    self.evidence = evidence(side, broken, broken.last_words)
                    return Finished(self.record(forfeit(side, broken), log), (self.job.p1, self.job.p2)[side])
                machine_was_late, restarted = True, False
                log.clear()
                self.attempt += 1
                continue
            # What only the machine or the line of a guest caused is not tried again: it would get the engine out of a
            # game that it loses.
            if end.fault is None or faulty is None or log or end.fault.fault in IN_ITS_TURN or restarted:
                break
            restarted = True
        self._send_game_over(pool, end, seats)
        return Finished(self.record(end, log), faulty)

    def _play_once(self, pool: EnginePool, log: MoveLog, seats: dict[str, Seat]) -> tuple[GameEnd, str | None]:
        """Play once. Afterwards `seats` has the engines that were ready for the game and are still alive."""
        seats.clear()
        self._begin()
        game = Game(self.rules, self.start)
        for word in self.opening:
            game.play(word)
        self.first = SIDES.index(game.position.side)
        names = (self.job.p1, self.job.p2)
        failed = self._make_ready(pool, seats)
        if failed:
            for side in list(failed)[1:]:
                pool.drop(names[side])
            return self._broken(pool, *next(iter(failed.items())))
        self.watches += [seats[name].watch for name in names]
        self.sessions += [seats[name].session for name in names]
        try:
            end = play(game, (seats[names[0]], seats[names[1]]), self.job.terms, log)
            self._try_rules(game, end)
        except GameFailed as failure:
            for name in names:
                pool.drop(name)  # one of them may be thinking
            return replace(UNFINISHED, detail=f"{failure} (game {kind_of(self.rules).name})"), None
        except MachineLate as late:
            turn = SIDES.index(game.position.side)
            used_ns = seats[names[1 - turn]].watch.held_the_cpu(late.wall_ns)
            ends = [pool.drop(name) for name in names]  # one of them is still thinking
            pool.drop_others(names)  # any of them may have been busy
            if used_ns is not None:
                used, waited = f"{used_ns / 1e9:.1f} s of CPU", f"{late.wall_ns / 1e9:.1f} s for a CPU"
                detail = f"was ended: its processes used {used} while its opponent waited {waited} to make its move"
                held = EngineFault(Fault.CRASH, detail)
                held.last_words = ends[1 - turn]
                late.blame = 1 - turn, held
            elif late.own_fault is not None:
                late.own_fault.last_words = ends[turn]
                late.blame = turn, late.own_fault
            raise
        if end.fault is None:
            return end, None
        side = 0 if end.winner == "p2" else 1
        del seats[names[side]]
        return self._broken(pool, side, end.fault)

    def _try_rules(self, game: Game, end: GameEnd) -> None:
        """Ask the rules of a plug-in whether an end can be theirs. Raises GameFailed."""
        kind = kind_of(self.rules)
        if kind in built_in():
            return
        if game.outcome is not None and game.outcome.reason not in kind.endings:
            raise GameFailed(f"the ending {game.outcome.reason!r} is not declared")
        if end.fault is not None:
            game.try_rules(Random(self.job.seed))

    def _make_ready(self, pool: EnginePool, seats: dict[str, Seat]) -> dict[int, EngineFault]:
        """Make both engines ready for the game, at the same time. Returns the faults by side, p1's first.

        An engine that is ready is in `seats` then, also where the other one is not.
        """
        lives: list[LiveEngine] = []
        failed: dict[int, EngineFault] = {}
        names = (self.job.p1, self.job.p2)
        for side, name in enumerate(names):
            try:
                lives.append(pool.get(name))
            except EngineFault as broken:
                return {side: broken}
            except CannotStart as refused:
                return {side: EngineFault(Fault.CRASH, str(refused))}
        for side, live in enumerate(lives):
            if live.trace is not None:
                live.trace.remark(f"game {self.job.id}: {self.name}, {self.job.p1} - {self.job.p2}")
            try:
                live.announce(self.rules, self.job.seed + side, SIDES[side], self.job.terms.limit_of(side))
            except EngineFault as broken:
                failed[side] = broken
        for side, live in enumerate(lives):
            if side not in failed:
                try:
                    seats[names[side]] = live.seat(self.job.terms.of(side))
                except EngineFault as broken:
                    failed[side] = broken
        return dict(sorted(failed.items())) if failed else failed

    def _send_game_over(self, pool: EnginePool, end: GameEnd, seats: Mapping[str, Seat]) -> None:
        """Send `gameover` to the engines that are alive (SPEC.md 9.10). One that is gone meanwhile is only replaced."""
        if end.winner is None:
            return
        result: Result = "draw" if end.winner == "draw" else "p1win" if end.winner == "p1" else "p2win"
        for name, seat in seats.items():
            try:
                seat.session.game_over(result, end.termination)
            except EngineFault:
                pool.drop(name)

    def _broken(self, pool: EnginePool, side: int, broken: EngineFault) -> tuple[GameEnd, str | None]:
        """The end of the game by a fault of this side, and who is charged with it."""
        name = (self.job.p1, self.job.p2)[side]
        last_words = pool.drop(name) or broken.last_words
        if pool.is_remote(name) and last_words is not None:
            is_killed = last_words.exit.startswith("killed by ") and KILLED not in last_words.stderr
            if last_words.exit == f"exit status {AWAY_STATUS}" or (broken.fault is Fault.CRASH and is_killed):
                return replace(UNFINISHED, detail=away(name)), None
            if broken.fault in LATE and LINE_DOWN in last_words.stderr:
                broken.detail += f"; {WAS_DOWN}"
                broken.times = (broken.times or Times(0, 0))._replace(machine=True)
        self.evidence = evidence(side, broken, last_words)
        # A forfeit that only the machine or the line caused is no reason to withdraw the engine.
        return forfeit(side, broken), None if self.evidence.machine else name

    def record(self, end: GameEnd, log: MoveLog) -> GameRecord:
        idle_us = [None if watch.idle_ns is None else watch.idle_ns // 1000 for watch in self.watches] or [None, None]
        return record_of(
            self.job,
            variant=self.name,
            fen=self.fen,
            start_ply=plies_before(self.start),
            opening=self.opening,
            plies=plies_of(log),
            winner=end.winner,
            termination=end.termination,
            detail=end.detail,
            started_at=self.started_at,
            wall_ms=(time.monotonic_ns() - self.began_ns) // MS,
            measured=all(watch.measured for watch in self.watches),
            p1_idle_us=idle_us[0],
            p2_idle_us=idle_us[1],
            evidence=self.evidence,
        )


LATE = frozenset({Fault.TIME, Fault.STALL})
IN_ITS_TURN = frozenset({Fault.ILLEGAL_MOVE, Fault.MALFORMED_MOVE, Fault.TIME})
"""Faults of an engine that had its turn to move. The game is not tried again, even on the first move."""
