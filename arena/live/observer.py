"""Follows a run by what an observer hears, and knows at any moment how the run stands."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from arena.live.process import this_process
from arena.live.state import LiveGame, LiveMachine, LiveResult, LiveRun, LiveScore
from arena.play.jobs import GameJob
from arena.play.observers import GameSnapshot, Observer
from results.record import FORFEITS, GameRecord, ResultCount
from results.store.filter import Filter
from results.store.reader import Reader
from results.tally import Tally, meetings

SNAPSHOT_MS = 200
"""How often running games are looked at, where they are few."""
ALL_SNAPSHOTS_MS = 10
"""All of them together send a snapshot every so many ms: the process that hands out games reads each of them."""
LAST = 5
"""How many games that have ended are told."""
DETAIL = 300
"""How much of a detail is told."""


def beginning(name: str, run_id: str, kind: str, stored: int, games: int | None, may_end_early: bool) -> LiveRun:
    """How a run stands before its first game; `stored` games had ended before. `games` is None where it has no end."""
    return LiveRun(
        name,
        run_id,
        kind,
        this_process(),
        datetime.now(UTC).isoformat(timespec="seconds"),
        time.monotonic_ns(),
        games=games,
        may_end_early=may_end_early,
        stored=stored,
    )


def snapshot_ms(at_once: int) -> int:
    """How often each of so many games is looked at."""
    return max(SNAPSHOT_MS, ALL_SNAPSHOTS_MS * at_once)


def following(head: LiveRun, store: Reader, machines: Callable[[], Sequence[tuple[str, int]]]) -> "LiveObserver":
    """Follows a run from where it is in the store; see `LiveObserver`."""
    return LiveObserver(head, store.counts(Filter(run=head.run)) if head.stored else (), machines=machines)


class LiveObserver(Observer):
    """Keeps how a run stands. `state` may be asked from another thread."""

    def __init__(
        self,
        head: LiveRun,
        counts: Iterable[ResultCount] = (),
        now_ns: Callable[[], int] = time.monotonic_ns,
        machines: Callable[[], Sequence[tuple[str, int]]] = lambda: (),
    ) -> None:
        """`head` is how the run begins, `counts` are the games that ended before.

        `machines` tells which machines of a cluster can play now, and how many games each plays at once.
        """
        self._machines = machines
        self._games_of: Counter[str] = Counter()
        """By machine."""
        self._head = head
        self._paused = False
        self._now_ns = now_ns
        self._playing: dict[int, LiveGame] = {}
        self._scores: dict[str, Tally] = {}
        self._faults: Counter[str] = Counter()
        self._done, self._late = head.done, head.late
        self._last: deque[LiveResult] = deque(maxlen=LAST)
        self._lost: deque[LiveResult] = deque(maxlen=LAST)
        self.changed: Callable[[], None] = lambda: None
        """Is called after each change."""
        for (p1, p2), tally in meetings(counts).items():
            self._add(p1, p2, tally)

    @property
    def state(self) -> LiveRun:
        """How the run stands now."""
        # Copies first: another thread may change the originals.
        playing, scores, faults = self._playing.copy(), self._scores.copy(), self._faults.copy()
        games_of = self._games_of.copy()
        standings = [
            LiveScore(name, tally.wins, tally.draws, tally.losses, faults[name]) for name, tally in scores.items()
        ]
        standings.sort(key=lambda each: (-each.share, each.name))
        return replace(
            self._head,
            paused=self._paused,
            done=self._done,
            late=self._late,
            faults=faults.total(),
            standings=tuple(standings),
            engines=len(standings),
            playing=tuple(game for _, game in sorted(playing.items())),
            at_once=len(playing),
            last=tuple(self._last),
            lost=tuple(self._lost),
            machines=tuple(LiveMachine(host, slots, games_of[host]) for host, slots in self._machines()),
        )

    # What an observer hears

    def began(self, slot: int, job: GameJob) -> None:
        """A game begins."""
        self._playing[slot] = LiveGame(
            slot, job.id, job.number, job.round, job.variant, job.p1, job.p2, job.terms.tc, self._now_ns()
        )
        self.changed()

    def progressed(self, slot: int, snapshot: GameSnapshot) -> None:
        """How a running game stands. A snapshot of another game, or one after a gap, is left out."""
        game = self._playing.get(slot)
        if game is None or game.id != snapshot.game:
            return
        before = game.moves or ()
        if snapshot.from_ply not in (0, len(before)):
            return
        moves, scores = snapshot.moves, snapshot.scores
        if snapshot.from_ply:
            moves, scores = before + moves, game.scores + scores
        turn: Literal[0, 1] = 1 if snapshot.turn else 0
        self._playing[slot] = replace(
            game,
            fen=snapshot.fen,
            opening=snapshot.opening,
            moves=moves,
            scores=scores,
            plies=len(snapshot.opening) + len(moves),
            last=(*snapshot.opening[-1:], *moves[-1:])[-1] if snapshot.opening or moves else "",
            left_ms=snapshot.left_ms,
            turn=turn,
            thinking_since_ns=snapshot.thinking_since_ns,
            thoughts=snapshot.thoughts,
        )
        self.changed()

    def ended(self, slot: int, record: GameRecord) -> None:
        """A game is over; the next one may have begun in its slot already."""
        game = self._playing.get(slot)
        if game is not None and game.id == record.id:
            del self._playing[slot]
        if record.winner is not None:
            self._games_of[record.host] += 1
            self._count(record, record.winner)
        self.changed()

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """The engines that were withdrawn so far."""
        self._head = replace(self._head, withdrawn=dict(withdrawn))
        self.changed()

    # What else is known of a run

    def pause(self, paused: bool) -> None:
        """From now on no new games are begun, or they are again."""
        self._paused = paused  # not in `_head`: keys are read in another thread than games end in
        self.changed()

    def tell(self, status: Iterable[Iterable[str]]) -> None:
        """Lines about the run, each in parts of which the first are the most important."""
        self._head = replace(self._head, status=tuple(map(tuple, status)))
        self.changed()

    def _count(self, record: GameRecord, winner: Literal["p1", "p2", "draw"]) -> None:
        self._add(record.p1, record.p2, Tally(winner == "p1", winner == "draw", winner == "p2"))
        self._done += 1
        self._late += record.flagged
        result = LiveResult(
            record.number,
            record.variant,
            record.p1,
            record.p2,
            winner,
            record.termination.value,
            record.detail[:DETAIL],
            record.ply_count,
        )
        self._last.appendleft(result)
        if winner != "draw" and record.termination in FORFEITS:
            self._faults[record.p2 if winner == "p1" else record.p1] += 1
            self._lost.appendleft(result)

    def _add(self, p1: str, p2: str, tally: Tally) -> None:
        for name, each in ((p1, tally), (p2, tally.reversed)):
            self._scores[name] = self._scores.get(name, Tally()) + each
