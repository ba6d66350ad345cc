"""How a run goes on, in lines: what a log shows of a run and of a ladder, and the faults of engines anywhere."""

import time
from collections import Counter
from collections.abc import Callable

from arena.cli.output import LOG, say
from arena.live.state import duration_text
from arena.run.events import Events, records
from results.record import GameRecord, faulty, illegal_word
from results.tables.endings import ending_text
from results.tables.text_width import some_games

EVERY = 100
"""Games between two lines in a log."""
EVERY_S = 60.0
"""Seconds after which the next game that ends has a line in any case."""
FIRST = 3
"""So many faults of each engine have a line of their own. Then the 10th, the 100th and so on have one."""


class LogLines:
    """A line for every tenth of the games, with the time to go, and one at the end: what suits a log."""

    def __init__(self, games: int, done: int, may_end_early: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._games = games
        self._of = f"of {'at most ' * may_end_early}{games} games"
        self._step = max(10, games // 10)
        self._done = self._begun = done
        self._now = now
        self._start = now()
        self._last_count: int | None = None

    def end(self) -> None:
        """No more games are played. A log with fewer must not look as if the run had stopped there."""
        if self._last_count not in (None, self._done):
            say(f"{self._done} {self._of}")

    def __call__(self, events: Events) -> None:
        for _ in records(events):
            self._done += 1
            if self._done % self._step == 0:
                self._last_count = self._done
                left = self._games - self._done
                rate_s = (self._now() - self._start) / (self._done - self._begun)
                say(f"{self._done} {self._of}" + (f", about {duration_text(left * rate_s)} to go" if left else ""))


class LadderLines:
    """Says now and then how many games there are."""

    def __init__(self, stored: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._games = stored
        self._say = say
        self._now = now
        self._last_line = now()

    def __call__(self, events: Events) -> None:
        for _ in records(events):
            self._games += 1
            if self._games % EVERY == 0 or self._now() - self._last_line >= EVERY_S:
                self._last_line = self._now()
                self._say(some_games(self._games))


def ending_line(record: GameRecord) -> str:
    """How a game ended, and why its last move was illegal, if it was: the records keep only that it was."""
    from arena.games.illegal import why_lost  # late: it loads the rules of all games

    why = why_lost(record.variant, record.fen, record.moves, illegal_word(record))
    return ending_text(record) + (f": {why}" if why else "")


class FaultLines:
    """Reports the games that engines lose by faults."""

    def __init__(self) -> None:
        self._faults: Counter[str] = Counter()

    def __call__(self, events: Events) -> None:
        for record in records(events):
            self._look(record)

    def _look(self, record: GameRecord) -> None:
        if (loser := faulty(record)) is None:
            return
        self._faults[loser] += 1
        count = self._faults[loser]
        if count <= FIRST:
            LOG.info(ending_line(record))
        elif str(count).strip("0") == "1":
            LOG.info(f"{loser}: {count} faults by now, the last in game {record.number}, {record.termination}")
