"""The limits of a `go`, and the time that a move may take."""

import re
from collections import deque
from typing import NamedTuple

from tests.zoo.spec.queries import Queries

DEEPEST = 24


class Limits(NamedTuple):
    """What a `go` asks for. No `budget_ms` is no limit of time."""

    budget_ms: float | None = None
    depth: int = DEEPEST
    nodes: int | None = None
    infinite: bool = False


class LimitsReader(Queries):
    """Reads the words behind `go`."""

    def read_limits(self, words: list[str]) -> Limits:
        """The limits of a `go`. One that is asked otherwise than 7.1 says gets a short time."""
        soon = Limits(budget_ms=40)
        given: dict[str, int] = {}
        kinds = ("p1time", "p2time", "p1inc", "p2inc", "movestogo", "movetime", "nodes", "depth")
        infinite = False
        rest = deque(words)
        while rest:
            word = rest.popleft()
            if word in kinds:
                value = rest.popleft() if rest else ""
                if not re.fullmatch("[0-9]{1,15}", value) or (int(value) < 1 and not word.endswith("inc")):
                    return soon
                given[word] = int(value)
            elif word == "infinite":
                infinite = True
            elif self.fault("unknown-word-ends-go"):
                break
        clock = any(word.endswith("time") and word != "movetime" for word in given)
        asked = clock + infinite + sum(kind in given for kind in ("movetime", "nodes", "depth"))
        if asked == 0 and self.fault("go-alone-is-infinite"):
            return Limits(infinite=True)
        if asked != 1:
            return soon
        if infinite:
            return Limits(infinite=True)
        if clock:
            return self.clock_limits(given) or soon
        overhead = int(self.values["move overhead"])
        if "movetime" in given:
            movetime = given["movetime"]
            return Limits(budget_ms=max(0, movetime - overhead))
        longest = None if self.fault("depth-without-end") else 20_000.0
        if "depth" in given:
            deepest = 1000 if self.fault("depth-without-end") else DEEPEST
            return Limits(budget_ms=longest, depth=min(given["depth"], deepest))
        return Limits(budget_ms=longest, nodes=given["nodes"])

    def clock_limits(self, given: dict[str, int]) -> Limits | None:
        side = self.game.position.side + 1
        if self.fault("clock-of-parity"):
            side = self.game.plies % 2 + 1
        if f"p{side}time" not in given:
            return None
        left = given[f"p{side}time"]
        inc = given[f"p{side}inc"] if self.fault("increment-must-be-there") else given.get(f"p{side}inc", 0)
        usable = max(0, left - int(self.values["move overhead"]))
        parts = given.get("movestogo", 30)
        return Limits(budget_ms=min(usable, usable / min(parts, 30) + 0.7 * inc))
