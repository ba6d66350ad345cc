"""Faults of time: too long, too much CPU, too late, no reaction to `stop` or `isready` in a search."""

import threading
import time

from tests.zoo.faults.fault import Faulty, Verdict, during
from tests.zoo.search import Go, Plan
from tests.zoo.settings import Settings

_BEYOND_MS = 1_000


class Overuse(Faulty):
    """Thinks for a second longer than its clock or its move time allows, without using CPU."""

    verdicts = during(Verdict.TIME, "first", "mid")

    def think(self) -> float | None:
        search = self.search
        if search is not None and self.armed:
            allowed_ms = search.go.movetime_ms if search.go.movetime_ms is not None else search.go.time_ms
            left_ms = (allowed_ms or 0) + _BEYOND_MS - (time.monotonic_ns() - search.start_ns) / 1_000_000
            if left_ms > 0:
                return left_ms
        return super().think()


class Endless(Faulty):
    """Thinks until it is told to stop, whatever the limit."""

    verdicts = during(Verdict.TIME, "first", "mid")

    def think(self) -> float | None:
        return None if self.armed else super().think()


class IgnoresStop(Faulty):
    """Does not hear `stop`."""

    verdicts = during(Verdict.HARMLESS, "first")

    def on_stop(self) -> None:
        return


class AnswersStop(Faulty):
    """Says its last bestmove again when it is told to stop and is not searching."""

    verdicts = during(Verdict.HARMLESS, "idle")
    last = "a1a2"

    def word(self, move: str) -> str:
        self.last = move
        return move

    def on_stop(self) -> None:
        if self.search is None:
            self.say("bestmove", self.last)
        super().on_stop()


class DeafInSearch(Faulty):
    """Does not answer `isready` while it searches."""

    verdicts = during(Verdict.HARMLESS, "first")

    def on_isready(self) -> None:
        if self.search is None:
            super().on_isready()


class Sleeps(Faulty):
    """Sleeps for --think ms, 300 unless told otherwise, over each move, whatever the limit."""

    verdicts = during(Verdict.HARMLESS, "first")

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=300 if self.settings.think_ms is None else self.settings.think_ms, endless=go.infinite)


class BurnsCpu(Faulty):
    """Uses --cpu ms of CPU, 50 unless told otherwise, over each move by its own CPU clock, whatever the limit."""

    verdicts = during(Verdict.HARMLESS, "first")

    def plan(self, go: Go) -> Plan:
        return Plan(cpu_ms=50 if self.settings.cpu_ms is None else self.settings.cpu_ms, endless=go.infinite)


class BurnsIdle(Faulty):
    """Burns CPU in a thread from its bestmove to its next go."""

    verdicts = during(Verdict.HARMLESS, "idle")

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._burning = threading.Event()

    def trigger(self) -> None:
        if self.triggers == 1:
            threading.Thread(target=self._burn, daemon=True).start()
        self._burning.set()

    def on_go(self, words: list[str]) -> None:
        self._burning.clear()
        super().on_go(words)

    def _burn(self) -> None:
        while self._burning.wait():
            sum(range(1_000))


class _Slow(Faulty, abstract=True):
    """Sleeps before its answer."""

    def trigger(self) -> None:
        if self.triggers == 1:
            time.sleep((12_000 if self.settings.think_ms is None else self.settings.think_ms) / 1000)


class SlowStart(_Slow):
    """Takes --think ms, 12 000 unless told otherwise, to answer `ugi`."""

    verdicts = during(Verdict.STALL, "handshake")


class SlowReady(_Slow):
    """Takes --think ms, 12 000 unless told otherwise, to answer the first `isready`."""

    verdicts = during(Verdict.STALL, "ready")


class StopsLate(Faulty):
    """Takes --think ms, 1 500 unless told otherwise, to answer `stop`."""

    verdicts = during(Verdict.HARMLESS, "first", "mid")

    def on_stop(self) -> None:
        if self.search is not None:
            time.sleep((1_500 if self.settings.think_ms is None else self.settings.think_ms) / 1000)
        super().on_stop()


class ThinksInPosition(Faulty):
    """Takes --think ms, 700 unless told otherwise, before it answers the `isready` behind a position."""

    verdicts = during(Verdict.TIME, "position")

    def on_isready(self) -> None:
        if self.armed:
            self.armed = False
            time.sleep((700 if self.settings.think_ms is None else self.settings.think_ms) / 1000)
        super().on_isready()


class AnswersBeforeGo(Faulty):
    """Says its bestmove in one write with the `readyok` behind a position, and answers no `go`."""

    verdicts = during(Verdict.TIME, "position")

    def on_isready(self) -> None:
        if not self.armed:
            super().on_isready()
            return
        self.armed = False
        move = self.state.line(1, self.settings.mover == "first")[0]
        self.write(f"readyok\nbestmove {move}\n".encode())

    def plan(self, go: Go) -> Plan:
        return Plan(endless=True)
