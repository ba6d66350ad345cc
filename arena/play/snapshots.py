"""Snapshots of running games, and what a worker sends: results, and snapshots from a thread of their own.

The thread reads what the referee has anyway, the move log, stopwatches and dialogues, so a ply costs nothing more.
"""

import contextlib
import pickle
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from arena.timing.clock import MS
from protocol import grammar
from protocol.messages import Info

if TYPE_CHECKING:
    from arena.play.jobs import GameJob
    from arena.play.referee import MoveLog
    from protocol.session import Session
    from protocol.stopwatch import Stopwatch
    from results.record import GameRecord

LINE_WORDS = 16
LINE_COLUMNS = 160
"""How much of an expected line of play is told."""
HOLD_NS = 10 * MS
"""How long a result may wait for those of the next games: to send each by itself takes as long as two plies."""
LONGEST_WAIT_S = 1.0
"""After this it goes alone, if the next game is long and nobody wants snapshots."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine said of a position in its last info."""

    score: str = ""
    """Such as `cp 31`, from the engine's own side; empty where it said none."""
    depth: int | None = None
    nodes: int | None = None
    line: str = ""
    """The moves that it expects, split by blanks."""


class GameSnapshot(NamedTuple):
    """How a running game stands, and what was played since the last snapshot of it. p1's figures come first."""

    game: str
    """The id of the game."""
    fen: str
    """The start position."""
    opening: tuple[str, ...]
    from_ply: int
    """How many plies of the engines were told before. 0: what was told before no longer holds, the game begins anew."""
    moves: tuple[str, ...]
    """The plies since then."""
    scores: tuple[str, ...]
    """For each of these plies the score that its engine reported, such as `cp 31`; empty where it reported none."""
    left_ms: tuple[int | None, int | None]
    """The ms left on the clocks after the last ply; None without a clock."""
    turn: int
    """The side to move, 0 for p1."""
    thinking_since_ns: int | None
    """When this side began to think, by `time.monotonic_ns`; None where it does not think yet."""
    thoughts: tuple[Thought, Thought]

    @property
    def plies(self) -> int:
        """How many plies the engines have played, without the opening."""
        return self.from_ply + len(self.moves)


class Finished(NamedTuple):
    """The result of a job. `faulty` names the engine whose fault ended the game."""

    record: "GameRecord"
    faulty: str | None
    stopped: bool = False
    """True where the worker was told to end during the game."""


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


class Sender:
    """Sends what a worker says. The main thread sends results, another one snapshots of the game that is played."""

    def __init__(self, connection: Any, clock_ahead_ns: int = 0) -> None:
        """Snapshots tell times by the monotonic clock of the other end, which is so much ahead of ours."""
        self._connection = connection
        self._clock_ahead_ns = clock_ahead_ns
        self._lock = threading.Lock()
        self._watched: tuple[WatchedGame, MoveLog] | None = None
        self._held: list[Finished] = []
        self._held_since_ns = 0
        self._last_snapshot: tuple[tuple[WatchedGame, MoveLog], int, GameSnapshot] | None = None
        """The last snapshot that was sent, of which game and which attempt to play it."""

    def send_snapshots(self, snapshot_ms: int) -> None:
        """Send results that wait, and every `snapshot_ms` a GameSnapshot if anything has changed; with 0 none."""

        def send() -> None:
            with contextlib.suppress(OSError, ValueError):  # the scheduler has gone
                while True:
                    time.sleep(snapshot_ms / 1000 or LONGEST_WAIT_S)
                    self.flush()
                    if snapshot_ms:
                        self.send_snapshot()

        threading.Thread(target=send, name="snapshots", daemon=True).start()

    def watch(self, game: WatchedGame, log: "MoveLog") -> None:
        """From now on snapshots are of this game, whose referee appends to `log`."""
        self._watched = game, log

    def send_result(self, result: Finished, *, hold: bool = False) -> None:
        """Send the result of the watched game; no snapshot of it follows. Raises OSError where nobody reads.

        With `hold` it may be sent a little later, with those of the next games and before anything else.
        """
        now_ns = time.monotonic_ns()
        with self._lock:
            self._watched = None
            if not self._held:
                self._held_since_ns = now_ns
            self._held.append(result)
            if not hold or now_ns - self._held_since_ns >= HOLD_NS:
                self._send_held()

    def flush(self) -> None:
        """Send the results that wait."""
        with self._lock:
            self._send_held()

    def _send_held(self) -> None:
        if self._held:
            results, self._held = self._held, []
            self.send(results)

    def send(self, what: object) -> None:
        """Send this at once. Raises OSError where nobody reads."""
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
            self._send_held()
            if self._watched is watched:  # otherwise it has ended meanwhile
                since_ns = now.thinking_since_ns
                since_ns = None if since_ns is None else since_ns + self._clock_ahead_ns
                self.send(now._replace(thinking_since_ns=since_ns))
                self._last_snapshot = watched, attempt, now


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
