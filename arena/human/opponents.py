"""The engines of a game with people, and how they are started."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.config.engine_argument import engine_argument
from arena.config.load import Registry
from arena.games.rules import Rules
from arena.human.game import USUAL_MS, EngineSession
from arena.openings.books import Start
from arena.planning.containment import Containment
from arena.planning.engine_files import missing_files
from arena.planning.introductions import introduce_one
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import Terms
from arena.timing.time_control import Limit
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
class EngineStarter:
    """Starts engines for one game, and ends those that are left."""

    registry: Registry
    containment: Containment
    rules: Rules
    limit: Limit | None
    notify: Callable[[str], None]
    """Is given each sentence that the user should read."""
    _live: list[LiveEngine] = field(default_factory=list)

    def start(self, text: str) -> Opponent:
        """An engine that is ready for the game. Raises EngineUnavailable, ConfigError, PlanError and EngineFault."""
        (spec,) = self.containment.apply([engine_argument(text, self.registry)])
        self.containment.verify([spec])
        for sentence in missing_files([spec]):
            self.notify(sentence)
        introduce_one(spec, [Start(self.rules.name)])
        live = LiveEngine(spec)
        self._live.append(live)
        terms = Terms(self.limit or Limit("movetime", value=USUAL_MS))
        session = live.begin(self.rules, random.SystemRandom().randrange(2**31 - 1), terms).session

        def end() -> LastWords:
            self._live.remove(live)
            return live.end()

        return Opponent(spec.name, text, session, end)

    def kill(self) -> None:
        """End all that run."""
        for live in self._live:
            live.kill()
