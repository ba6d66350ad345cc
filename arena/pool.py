"""Live engines of one worker: started when first needed, kept between games, replaced after a fault.

The only place in `arena` that starts engines.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping

from arena.games.rules import Rules
from arena.jobs import EngineSpec
from arena.referee import Seat
from protocol.faults import CannotStart, EngineFault
from protocol.process import Command, EngineProcess
from protocol.session import Deadlines, Identity, Session

KEPT = 8
"""Engines that one worker keeps alive between games; the one unused longest goes first."""


class Live:
    """One running engine: its process, its session, and the variant it was last told to play."""

    def __init__(self, spec: EngineSpec) -> None:
        """Start the engine, shake hands, set its options. After CannotStart or EngineFault nothing is left running."""
        self.spec = spec
        environment = {**os.environ, **spec.environment} if spec.environment else None
        self.process = EngineProcess.spawn(Command(spec.command, spec.directory, environment))
        patience = spec.patience
        self.session = Session(
            self.process,
            Deadlines(
                start_ms=patience.start_ms,
                ready_ms=patience.ready_ms,
                newgame_ms=patience.newgame_ms,
                quit_ms=patience.quit_ms,
            ),
        )
        self._variant: str | None = None
        try:
            self.identity: Identity = self.session.handshake()
            for name, value in spec.options.items():
                self.session.set_option(name, value)
        except BaseException:
            self.process.kill()
            raise

    def begin(self, rules: Rules, seed: int) -> Seat:
        """Tell the engine which game comes next. Raises EngineFault."""
        if rules.name != self._variant:
            self.session.set_option("UGI_Variant", wire_variant(self.identity, rules) or rules.base)
            self.session.set_option("UGI_Rules", rules.knobs or "<empty>")
            self._variant = rules.name
        self.session.set_option("Seed", str(seed))
        self.session.new_game()
        return Seat(self.session, self.process.cpu_ns)


def wire_variant(identity: Identity, rules: Rules) -> str | None:
    """The UGI_Variant value by which this engine plays these rules, None where it announced variants but not this one.

    An engine that announces `callanish`, every board that a position string draws, plays each board of that family.
    """
    announced = identity.options.get("ugi_variant")
    if announced is None or rules.base in announced.choices:
        return rules.base
    if rules.base.startswith("callanish") and "callanish" in announced.choices:
        return "callanish"
    return None


class Pool:
    """The engines of one worker, by name."""

    def __init__(self, specs: Mapping[str, EngineSpec]) -> None:
        self._specs = specs
        self._live: OrderedDict[str, Live] = OrderedDict()

    def get(self, name: str) -> Live:
        """The engine's live process, started if it is not running. Raises CannotStart, EngineFault."""
        live = self._live.pop(name, None) or Live(self._specs[name])
        self._live[name] = live
        return live

    def trim(self) -> None:
        """Quit the engines unused longest until no more than KEPT are alive."""
        while len(self._live) > KEPT:
            _, live = self._live.popitem(last=False)
            live.session.quit()

    def drop(self, name: str) -> None:
        """Kill the engine's process, if there is one: its next game gets a fresh one."""
        live = self._live.pop(name, None)
        if live is not None:
            live.process.kill()

    def quit(self) -> None:
        """Quit all engines as the protocol says."""
        while self._live:
            _, live = self._live.popitem()
            live.session.quit()

    def kill(self) -> None:
        """Kill all engines at once."""
        while self._live:
            _, live = self._live.popitem()
            live.process.kill()


def introduce(spec: EngineSpec) -> Identity:
    """Start an engine, shake hands, check that it gets ready, quit it. Raises CannotStart with one sentence."""
    try:
        live = Live(spec)
    except EngineFault as broken:
        raise CannotStart(f"engine {spec.name!r} cannot be started: {broken.detail}") from broken
    except CannotStart as refused:
        raise CannotStart(f"engine {spec.name!r} cannot be started: {refused}") from refused
    try:
        live.session.ready()
    except EngineFault as broken:
        live.process.kill()
        raise CannotStart(f"engine {spec.name!r} cannot be started: {broken.detail}") from broken
    live.session.quit()
    return live.identity
