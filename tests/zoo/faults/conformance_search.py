"""Faults that the conformance checks find: searches and their infos."""

import time

from arena.games.game import Game
from tests.zoo.faults.conformance_board import IllegalAt
from tests.zoo.faults.conformance_talk import NonConformant
from tests.zoo.faults.fault import fault_like
from tests.zoo.search import Go, Plan


class IgnoresDepth(NonConformant):
    """Thinks until it is told to stop under a limit of depth."""

    def plan(self, go: Go) -> Plan:
        return Plan(endless=True) if go.depth is not None else super().plan(go)


class EndsInfinite(NonConformant):
    """Ends an infinite search after a second."""

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=1_000) if go.infinite else super().plan(go)


class LosesEarlyStop(NonConformant):
    """Does not hear a `stop` that comes within 5 ms of the `go`."""

    def on_stop(self) -> None:
        if self.search is None or time.monotonic_ns() - self.search.start_ns > 5_000_000:
            super().on_stop()


class Oversleeps(NonConformant):
    """Takes 90 ms longer than its move time."""

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=go.movetime_ms + 90) if go.movetime_ms is not None else super().plan(go)


class UsesMargin(NonConformant):
    """Takes 35 ms longer than its move time."""

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=go.movetime_ms + 35) if go.movetime_ms is not None else super().plan(go)


class DiesOfShortClocks(NonConformant):
    """Ends when its clock has no more than 1 ms."""

    def plan(self, go: Go) -> Plan:
        if go.time_ms is not None and go.time_ms <= 1:
            self.die()
        return super().plan(go)


class ConstantTime(NonConformant):
    """Takes 600 ms for every move on a clock."""

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=600) if go.time_ms is not None else super().plan(go)


class OverstepsPeriod(NonConformant):
    """Takes twice what is left of its clock for the last move of a period."""

    def plan(self, go: Go) -> Plan:
        last = go.moves == 1 and go.time_ms is not None
        return Plan(wall_ms=2 * (go.time_ms or 0)) if last else super().plan(go)


class SpendsPeriod(NonConformant):
    """Divides the time of a period by one move too few, so that nothing is left for the last one."""

    def plan(self, go: Go) -> Plan:
        if go.moves is None or go.moves == 1:
            return super().plan(go)
        return Plan(wall_ms=(go.time_ms or 0) / (go.moves - 1))


class LeastTime(NonConformant):
    """Takes 20 ms for every move on a clock, whatever is left."""

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=20) if go.time_ms is not None else super().plan(go)


class SlowsDown(NonConformant):
    """Takes 800 ms for every move on a clock from ply 60 on."""

    def plan(self, go: Go) -> Plan:
        late = go.time_ms is not None and len(self.state.current().moves) >= 60
        return Plan(wall_ms=800) if late else super().plan(go)


class OtherClock(NonConformant):
    """Spends a fortieth of the opponent's clock."""

    theirs_ms = 0

    def on_go(self, words: list[str]) -> None:
        theirs = "p2time" if self.state.current().position.side == "p1" else "p1time"
        value = words[words.index(theirs) + 1] if theirs in words[:-1] else ""
        self.theirs_ms = int(value) if value.isdigit() else 0
        super().on_go(words)

    def plan(self, go: Go) -> Plan:
        return Plan(wall_ms=self.theirs_ms / 40) if go.time_ms is not None else super().plan(go)


class FixedOrder(NonConformant):
    """Does not know a clock whose words stand in another order than the usual."""

    def on_go(self, words: list[str]) -> None:
        if "p1time" not in words or words[::2] == ["p1time", "p2time", "p1inc", "p2inc"]:
            super().on_go(words)


class DiesOfBadNumbers(NonConformant):
    """Ends at a limit that is no whole number from 0."""

    def on_go(self, words: list[str]) -> None:
        if any(not word.isdigit() for word in words[1::2]):
            self.die()
        super().on_go(words)


class _RewritesInfo(NonConformant, abstract=True):
    """Changes the words of its infos."""

    def say(self, kind: str, text: str = "") -> None:
        if kind == "info" and not text.startswith("string"):
            text = self.rewritten(text.split())
        super().say(kind, text)

    def rewritten(self, words: list[str]) -> str:
        """The info to send in place of these words."""
        return " ".join(words)


class _FixesField(_RewritesInfo, abstract=True):
    """Reports `value` as the field `field` of its infos."""

    field = value = ""

    def rewritten(self, words: list[str]) -> str:
        at = words.index(self.field) + 1
        return " ".join([*words[:at], self.value, *words[at + 1 :]])


Overcounts = fault_like(_FixesField, "overcounts", "Reports 9 000 nodes for every search.", field="nodes", value="9000")


class DepthOffByOne(_RewritesInfo):
    """Reports a depth one too large."""

    def rewritten(self, words: list[str]) -> str:
        return " ".join(["depth", str(int(words[1]) + 1), *words[2:]])


class SilentWhenForced(NonConformant):
    """Says no bestmove where there is one legal move."""

    def answer(self, go: Go, elapsed_ms: int) -> None:
        game = self.state.current()
        if game.outcome is not None or len(game.position.moves()) != 1:
            super().answer(go, elapsed_ms)


class DiesOfWins(NonConformant):
    """Ends where a move wins at once and it may look at 1 000 nodes or more."""

    def answer(self, go: Go, elapsed_ms: int) -> None:
        position = self.state.current().position
        if go.nodes is not None and go.nodes >= 1_000:
            for move in position.moves():
                outcome = position.play(move).outcome
                if outcome is not None and outcome.winner == position.side:
                    self.die()
        super().answer(go, elapsed_ms)


class AvoidsRepetition(IllegalAt):
    """Says an illegal move where a legal one would end the game by repetition."""

    def wrong(self, game: Game) -> bool:
        for move in game.position.legal_moves() if len(game.moves) < 12 else ():
            ahead = Game(game.rules, game.start)
            for word in (*game.moves, move.text):
                ahead.play(word)
            if ahead.outcome is not None and ahead.outcome.reason == "repetition":
                return True
        return False


class DiesOfBareGo(NonConformant):
    """Ends at a `go` that comes before any position."""

    def on_go(self, words: list[str]) -> None:
        if self.state.game is None:
            self.die()
        super().on_go(words)


class DiesOfTwoGoes(NonConformant):
    """Ends at a `go` behind which another one waits."""

    def on_go(self, words: list[str]) -> None:
        if self.unread_input().startswith(b"go "):
            self.die()
        super().on_go(words)


class DiesOfEarlyPosition(NonConformant):
    """Ends at a `stop` behind which a position or a new game waits."""

    def on_stop(self) -> None:
        if self.search is not None and self.unread_input().startswith((b"position", b"uginewgame")):
            self.die()
        super().on_stop()


class DiesWhenFinished(NonConformant):
    """Ends when it is told to search a finished position."""

    def on_go(self, words: list[str]) -> None:
        if self.state.current().outcome is not None:
            self.die()
        super().on_go(words)


class _AddsLine(NonConformant, abstract=True):
    """Says `more` before its bestmove."""

    more = b""

    def say(self, kind: str, text: str = "") -> None:
        if kind == "bestmove":
            self.write(self.more)
        super().say(kind, text)


FractionalInfo = fault_like(
    _AddsLine, "fractional-info", "Reports a time that is no whole number.", more=b"info time 0.5\n"
)
BareScore = fault_like(_AddsLine, "bare-score", "Reports a score that is neither cp nor mate.", more=b"info score 54\n")


class AlwaysMates(_RewritesInfo):
    """Claims to win in one ply, always."""

    def rewritten(self, words: list[str]) -> str:
        return " ".join(words).replace("score cp 0", "score mate 1")


ScoresForP1 = fault_like(_FixesField, "scores-for-p1", "Reports p1's score for both sides.", field="cp", value="500")


class IllegalTail(_RewritesInfo):
    """Adds an illegal move to its pv."""

    def rewritten(self, words: list[str]) -> str:
        return " ".join([*words, "a1a1"])


class OlderLine(NonConformant):
    """Says another line than the one that it plays."""

    def say(self, kind: str, text: str = "") -> None:
        if kind == "bestmove" and self.state.game is not None and self.state.game.outcome is None:
            others = [move.text for move in self.state.game.position.legal_moves() if move.text != text]
            if others:
                super().say("info", f"depth 1 pv {others[0]}")
        super().say(kind, text)


class TellsNoNodes(_RewritesInfo):
    """Does not report its nodes."""

    def rewritten(self, words: list[str]) -> str:
        at = words.index("nodes")
        return " ".join(words[:at] + words[at + 2 :])


TimeSinceStart = fault_like(
    _FixesField,
    "time-since-start",
    "Reports the time since it was started, give or take some minutes.",
    field="time",
    value="300000",
)


FloodsInfo = fault_like(_AddsLine, "floods-info", "Says 500 infos in every search.", more=b"info depth 1\n" * 500)


class MultipvFromZero(_RewritesInfo):
    """Counts its lines from 0."""

    def rewritten(self, words: list[str]) -> str:
        return f"multipv 0 {' '.join(words)}"
