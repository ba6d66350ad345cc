"""The engines of a game with people: how they are started, which one plays, which one gives hints."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from arena.config.engine_argument import engine_argument
from arena.config.load import Registry
from arena.games.rules import Rules
from arena.human.game import USUAL_MS, EngineSession
from arena.planning.containment import Containment
from arena.planning.introductions import introduce_one
from arena.planning.missing_files import missing_files
from arena.planning.schedule import Start
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import Terms
from arena.timing.time_control import Limit
from protocol.containment.watchdog import Watchdog
from protocol.faults import LastWords


class Opponent(NamedTuple):
    """A running engine."""

    name: str
    argument: str
    """How the user named it."""
    session: EngineSession
    end: Callable[[], LastWords]
    """Ends its process after a fault, and gives what it left behind."""


@dataclass(slots=True)
class Opponents:
    """The engine that plays and the engine that gives hints."""

    start: Callable[[str], Opponent]
    """Starts the engine that a person names. Raises what `EngineStarter.start` does."""
    opponent: Opponent | None = None
    hint_engine: str | None = None
    """The engine that gives hints; None where the opponent does."""
    _hinter: Opponent | None = None

    def change(self, name: str) -> Opponent:
        """Start another engine in the place of the present one, which is ended."""
        before, self.opponent = self.opponent, self.start(name)
        if before is not None:
            before.end()
        return self.opponent

    def hinter(self) -> Opponent | None:
        """The engine that gives hints, started if need be; None where there is no engine."""
        if self.hint_engine is None:
            return self.opponent
        if self._hinter is None:
            self._hinter = self.start(self.hint_engine)
        return self._hinter

    def end(self, engine: Opponent) -> LastWords:
        """End an engine after its fault: it plays no more and gives no more hints."""
        if engine is self._hinter:
            self._hinter = None
        else:
            self.opponent = None
        return engine.end()


class EngineStarter:
    """Starts engines for one game, and ends those that are left."""

    def __init__(
        self,
        registry: Registry,
        containment: Containment,
        rules: Rules,
        limit: Limit | None,
        notify: Callable[[str], None],
    ) -> None:
        """`notify` is given each sentence that the user should read."""
        self._registry = registry
        self._containment = containment
        self._rules = rules
        self._limit = limit
        self._notify = notify
        self._live: list[LiveEngine] = []

    def start(self, text: str) -> Opponent:
        """An engine that is ready for the game. Raises EngineUnavailable, ConfigError, PlanError and EngineFault."""
        (spec,) = self._containment.apply([engine_argument(text, self._registry)])
        self._containment.verify([spec], self._notify)
        for sentence in missing_files([spec]):
            self._notify(sentence)
        introduce_one(spec, [Start(self._rules.name)])
        live = LiveEngine(spec, Watchdog())
        self._live.append(live)
        terms = Terms(self._limit or Limit("movetime", value=USUAL_MS))
        seat = live.begin(self._rules, random.SystemRandom().randrange(2**31 - 1), terms)

        def end() -> LastWords:
            self._live.remove(live)
            return live.end()

        return Opponent(spec.name, text, seat.session, end)

    def kill(self) -> None:
        """End all that run."""
        for live in self._live:
            live.kill()
