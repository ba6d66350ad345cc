"""Which engines of a plan can play: each is started once and says who it is and what it can."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from arena.config.load import ConfigError
from arena.games import variants
from arena.planning.plan import Plan
from arena.planning.schedule import Start
from arena.play.engine_pool import wire_variant
from arena.play.introduce import introduce
from arena.play.job_source import JobSource
from arena.play.jobs import EngineSpec, GameJob
from arena.play.scheduler import Scheduler
from protocol.session import Identity
from results.record import Player
from results.store.store import Store


@dataclass(frozen=True, slots=True)
class Introduced:
    """The engines as they presented themselves, and those that could not be started, each with the reason."""

    players: tuple[Player, ...]
    absent: Mapping[str, str]


def introductions(plan: Plan, names: Container[str] | None = None) -> Introduced:
    """Start every engine, or those named, before it plays, side by side; what differs only in its name is started once.

    Never raises for an engine's fault; raises ConfigError for an option that its user got wrong.
    """
    asked = [(spec, print_) for spec, print_ in zip(plan.engines, plan.fingerprints, strict=True)]
    asked = [(spec, print_) for spec, print_ in asked if names is None or spec.name in names]
    alike: dict[str, EngineSpec] = {}
    for spec, _ in asked:
        alike.setdefault(_started_as(spec), spec)
    said = dict(zip(alike, zip(alike.values(), introduce(tuple(alike.values())), strict=True), strict=True))
    players, absent = [], {}
    for spec, print_ in asked:
        like, (identity, reason) = said[_started_as(spec)]
        if not reason:
            reason = strange_variant(spec, identity, plan.starts)
            refuse_strange_options(spec, identity)
        if reason:
            absent[spec.name] = reason.replace(repr(like.name), repr(spec.name), 1)
        players.append(Player(spec.name, identity.version, identity.author, spec.command, print_, spec.family))
    return Introduced(tuple(players), absent)


def _started_as(spec: EngineSpec) -> str:
    """Equal for engines that are started in the same way."""
    return repr((spec.command, sorted(spec.options.items()), spec.box, spec.deadlines))


class LazyIntroduction:
    """A job source that introduces each engine before its first game, so that no game waits for hundreds of engines."""

    def __init__(self, plan: Plan, store: Store, scheduler: Scheduler, source: JobSource) -> None:
        self._plan = plan
        self._store = store
        self._scheduler = scheduler
        self._source = source
        self._in: set[str] = set()
        self.record = source.record
        self.forfeit = source.forfeit

    def next(self) -> GameJob | None:
        """The next game, both of its engines introduced. An engine that cannot be started is withdrawn from here on."""
        job = self._source.next()
        new = {job.p1, job.p2} - self._in if job is not None else set()
        if new:
            found = introductions(self._plan, new)
            self._store.add_players(self._plan.run_id, found.players)
            self._in |= new
            for name, reason in found.absent.items():
                self._scheduler.withdraw(name, reason)
        return job


def strange_variant(spec: EngineSpec, identity: Identity, starts: Sequence[Start]) -> str:
    """Why the engine does not play one of the variants, by its own or its registry entry's word; else nothing."""
    for start in starts:
        rules = variants.find(start.variant)
        if spec.variants and rules.base not in spec.variants:
            return f"engine {spec.name!r} is registered for {', '.join(spec.variants)}, not for {rules.base}"
        if wire_variant(identity, rules) is None:
            known = ", ".join(identity.options["ugi_variant"].choices)
            return f"engine {spec.name!r} does not play {rules.base}: it announces {known}"
    return ""


def refuse_strange_options(spec: EngineSpec, identity: Identity) -> None:
    """Raise ConfigError where a user sets an option that the engine does not have, or that cannot take the value."""
    for name, value in spec.options.items():
        option = identity.options.get(name.lower())
        if option is None:
            known = ", ".join(line.name for line in identity.options.values()) or "none"
            raise ConfigError(f"engine {spec.name!r} has no option {name!r}; it has {known}")
        if refusal := option.refuses(value):
            raise ConfigError(f"engine {spec.name!r}: {refusal}")
