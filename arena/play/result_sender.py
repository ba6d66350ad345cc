"""Sends what comes of games to the scheduler: results, and snapshots of the running game from a thread of its own.

The thread reads what the referee has anyway, the move log, stopwatches and dialogues, so a ply costs nothing more.
Results of short games are held and go together: each message wakes the scheduler, which then takes time from engines.
"""

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from arena.play.observers import GameSnapshot, Thought
from arena.timing.clock import MS
from protocol import grammar
from protocol.messages import Info

if TYPE_CHECKING:
    from arena.play.jobs import GameJob
    from arena.play.referee import MoveLog
    from protocol.session import Session
    from protocol.stopwatch import Stopwatch
    from results.record import GameRecord

AGAIN_S = 0.02
"""So long after a stop that was dropped it comes again; until then Python is through with what dropped it."""
HELD_S = 0.1
"""How many seconds a result is held at most."""
LINE_WORDS = 16
LINE_COLUMNS = 160
"""How much of an expected line of play is told."""


class Finished(NamedTuple):
    """The result of a job. `faulty` names the engine whose fault ended the game."""

    record: "GameRecord"
    faulty: str | None
    stopped: bool = False
    """True where the worker was told to end during the game."""


class GivenBack(NamedTuple):
    """The ids of jobs that a worker was asked to give back. It never plays them."""

    ids: tuple[str, ...]


class Stopped(BaseException):
    """The scheduler wants this worker to end now. Not an Exception, so that no handler swallows it."""


class WatchedGame(Protocol):
    """What a snapshot needs of a game besides its move log: `arena.play.worker.RunningGame`."""

    job: "GameJob"
    fen: str
    opening: tuple[str, ...]
    watches: "list[Stopwatch]"
    sessions: "list[Session]"
    attempt: int
    first: int

    @property
    def clocks_ms(self) -> tuple[int | None, int | None]: ...


class ResultSender:
    """Sends results, and snapshots of the game that is being watched."""

    def __init__(self, connection: Any, clock_ahead_ns: int = 0) -> None:
        """Snapshots tell times by the scheduler's monotonic clock, which is so much ahead of ours."""
        self._connection = connection
        self._clock_ahead_ns = clock_ahead_ns
        self._lock = threading.RLock()  # SIGTERM may come while the main thread has it, and sends something itself
        self._watched: tuple[WatchedGame, MoveLog] | None = None
        self._last_snapshot: tuple[tuple[WatchedGame, MoveLog], int, GameSnapshot] | None = None
        """The last snapshot that was sent, of which game and which attempt to play it."""
        self._results: list[Finished] = []
        """The results that are not sent yet."""
        self._holds: threading.Event | None = None
        """Is set when the first result is held. None while none ever was, and there is no thread that would send it."""
        self._busy = False
        """True while the main thread sends results: a stop waits for that, or they would be lost or go twice."""
        self._stopped = False

    def send_snapshots(self, snapshot_ms: int) -> None:
        """Send a GameSnapshot every `snapshot_ms` if anything has changed since the last one."""
        threading.Thread(target=self._send_snapshots, args=(snapshot_ms / 1000,), name="snapshots", daemon=True).start()

    def watch(self, game: WatchedGame, log: "MoveLog") -> None:
        """From now on snapshots are of this game, whose referee appends to `log`."""
        self._watched = game, log

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """The handler of SIGTERM: raises Stopped in the main thread, after a message that is being sent."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self._stopped = True
        if not self._busy:
            raise Stopped

    def unheard(self, lost: "sys.UnraisableHookArgs") -> None:
        """The hook for exceptions that Python drops, as where it starts a process: a dropped stop comes again."""
        if lost.exc_type is not Stopped:
            sys.__unraisablehook__(lost)
            return
        signal.signal(signal.SIGTERM, self.stop)
        again = threading.Timer(AGAIN_S, os.kill, (os.getpid(), signal.SIGTERM))
        again.daemon = True
        again.start()

    def add(self, result: Finished) -> None:
        """Keep the result of the watched game until the next `flush`. No snapshot of that game follows."""
        with self._lock:
            self._watched = None
            self._results.append(result)

    def send_result(self, result: Finished, *, hold: bool = False) -> None:
        """Send the result of the watched game, and all that were held; with `hold` within HELD_S.

        Raises Stopped where a stop came meanwhile.
        """
        with self._unbroken():
            self.add(result)
            if not hold:
                self.flush()
            elif len(self._results) == 1:
                self._hold()

    def give_back(self, ids: tuple[str, ...]) -> None:
        """Send these jobs back, after all results. Raises Stopped where a stop came meanwhile."""
        with self._unbroken(), self._lock:
            self.flush()
            self._send(GivenBack(ids))

    @contextlib.contextmanager
    def _unbroken(self) -> Iterator[None]:
        """A stop that comes meanwhile is raised at the end: the message goes whole, and once."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
        if self._stopped:
            raise Stopped

    def flush(self) -> None:
        """Send all results that were held. Raises OSError where nobody reads any more."""
        with self._lock:
            results, self._results = self._results, []
            if results:
                self._send(tuple(results))

    def _hold(self) -> None:
        if self._holds is None:
            self._holds = threading.Event()
            threading.Thread(target=self._flush_late, args=(self._holds,), name="results", daemon=True).start()
        self._holds.set()

    def _flush_late(self, holds: threading.Event) -> None:
        """Send what was held for long enough: the next game may take hours."""
        with contextlib.suppress(OSError, ValueError):  # the scheduler has gone
            while True:
                holds.wait()
                holds.clear()
                time.sleep(HELD_S)
                self.flush()

    def _send(self, what: object) -> None:
        self._connection.send_bytes(pickle.dumps(what))

    def send_snapshot(self) -> None:
        """Send how the watched game stands, if anything has changed. Raises OSError where nobody reads any more."""
        watched = self._watched
        if watched is None:
            return
        attempt = watched[0].attempt
        last = None
        if self._last_snapshot is not None and self._last_snapshot[0] is watched and self._last_snapshot[1] == attempt:
            last = self._last_snapshot[2]
        now = snapshot(*watched, 0 if last is None else last.plies)
        if now is None or watched[0].attempt != attempt:
            return  # the game begins anew just now
        if last is not None and now == last._replace(from_ply=last.plies, moves=(), scores=()):
            return
        with self._lock:
            if self._watched is watched:  # otherwise its result was sent meanwhile
                self.flush()  # the results of the games before it come first
                since_ns = now.thinking_since_ns
                since_ns = None if since_ns is None else since_ns + self._clock_ahead_ns
                self._send(now._replace(thinking_since_ns=since_ns))
                self._last_snapshot = watched, attempt, now

    def _send_snapshots(self, seconds: float) -> None:
        with contextlib.suppress(OSError, ValueError):  # the scheduler has gone
            while True:
                time.sleep(seconds)
                self.send_snapshot()


def snapshot(game: WatchedGame, log: "MoveLog", known_plies: int) -> GameSnapshot | None:
    """How the game stands, with its plies from number `known_plies` on; None where the log has fewer than that.

    Another thread may go on with the game meanwhile.
    """
    watches, sessions = game.watches[:], game.sessions[:]
    began_ns = [watch.start_ns for watch in watches]
    start = max(0, known_plies - 2)
    plies = log[start:]
    if start + len(plies) < known_plies:
        return None
    turn = (game.first + start + len(plies)) % 2
    # The newest figures of both sides are in the last two plies.
    left_ms = list(game.clocks_ms)
    for back, (_, _, _, left_ns, _) in enumerate(reversed(plies[-2:]), 1):
        left_ms[(turn - back) % 2] = None if left_ns is None else left_ns // MS
    thinks = len(began_ns) == 2 and began_ns[turn] > began_ns[1 - turn]
    new = plies[known_plies - start :]
    return GameSnapshot(
        game.job.id,
        game.fen,
        game.opening,
        known_plies,
        tuple(word for word, *_ in new),
        tuple(_score(reply.last_info) for _, reply, *_ in new),
        (left_ms[0], left_ms[1]),
        turn,
        began_ns[turn] if thinks else None,
        (thought(sessions[0]), thought(sessions[1])) if len(sessions) == 2 else (Thought(), Thought()),
    )


def thought(session: "Session") -> Thought:
    """What an engine said last in this game, by the end of its dialogue; a search that goes on counts, too."""
    data: list[bytes] = []
    with contextlib.suppress(RuntimeError):  # lines came in the middle of the copy; the next snapshot has them
        data = session.last_data
    for line in reversed(data):
        if line.startswith(grammar.NEW_GAME):
            break
        is_scored = line.startswith(b"info ") and b" score " in line and not line.endswith(b"\n")
        if is_scored and (b" multipv " not in line or b" multipv 1 " in line):
            info = grammar.parse(line)
            if isinstance(info, Info) and info.score is not None:
                words = " ".join(info.pv[:LINE_WORDS])[:LINE_COLUMNS]
                return Thought(str(info.score), info.depth, info.nodes, words)
    return Thought()


def _score(info: bytes | None) -> str:
    return "" if info is None else str(grammar.summary(info).score or "")
