"""A whole run from settings to reports: names it, finds what is still to play, plays it, keeps it.

Sits between the command line, which reads and prints, and the scheduler, which plays. Prints nothing.
"""

import hashlib
import json
import platform
import random
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from arena import edition
from arena.config import ConfigError
from arena.formats.choice import Choice
from arena.formats.encounter import Fixed, Format, Played
from arena.games import variants
from arena.jobs import EngineSpec, GameJob, Terms
from arena.pool import introduce, wire_variant
from arena.schedule import Schedule, Setting, Start
from arena.scheduler import Report, Scheduler, is_whole
from arena.supply import Paired, Supply, missing
from arena.watch import Watcher
from protocol.session import Identity
from results.record import GameRecord, Player, Run
from results.store import Store

UNUSUAL = ("book", "resign", "draw")
"""Keys of a configuration that are there only where they were asked for."""
MANY = 64
"""More engines than this are not all started before the first game: a second or two for so many."""


@dataclass(frozen=True)  # no slots: what names two thousand engines is worked out once
class Plan:
    """What is to be played: everything that decides the schedule, with the seed."""

    kind: str
    name: str
    engines: tuple[EngineSpec, ...]
    starts: tuple[Start, ...]
    games: int
    """How many games there are; where results decide that, at most."""
    opening_plies: int
    seed: int
    terms: Terms
    fingerprints: tuple[str, ...]
    """Of the engines' programs, in their order: a changed program makes another run."""
    choice: Choice
    fault_budget: int = 5
    """After so many faults in a row an engine is withdrawn; 0: never. Not a part of what names the run."""

    @property
    def config(self) -> dict[str, object]:
        """The effective configuration: what is stored with the run, and what names it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "engines": [
                {
                    "name": spec.name,
                    "command": list(spec.command),
                    "options": dict(spec.options),
                    "limit": None if spec.limit is None else str(spec.limit),
                    "sha256": print_,
                    **({} if spec.margin_ms is None else {"margin_ms": spec.margin_ms}),
                    **({"restart": True} if spec.restart else {}),
                }
                for spec, print_ in zip(self.engines, self.fingerprints, strict=True)
            ],
            "starts": [[start.variant, start.fen] for start in self.starts],
            **self._unusual,
            **self.choice.config(len(self.engines)),
            "games": self.games,
            "openings": self.opening_plies,
            "limit": str(self.terms.limit),
            "margin_ms": self.terms.margin_ms,
            "move_limit_ms": self.terms.move_limit_ms,
            "max_plies": self.terms.max_plies,
            "clock": self.terms.clock,
            "freeze": self.terms.freeze,
            "seed": self.seed,
        }

    @property
    def _unusual(self) -> dict[str, object]:
        """What is named only where it is asked for, so that runs of those who never ask for it keep their names."""
        asked = self.terms.adjudication
        found = {
            "book": [None if start.book is None else start.book.sha256 for start in self.starts],
            "resign": None if asked.resign is None else str(asked.resign),
            "draw": None if asked.draw is None else str(asked.draw),
        }
        return {key: value for key, value in found.items() if value is not None and value != [None] * len(self.starts)}

    @cached_property
    def run_id(self) -> str:
        """Twelve hex digits that follow from the configuration alone."""
        return hashlib.sha256(json.dumps(self.config, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def is_large(self) -> bool:
        """Are there so many engines that each is introduced only when it first plays?"""
        return len(self.engines) > MANY

    @cached_property
    def setting(self) -> Setting:
        """What all its games share."""
        return Setting(
            self.run_id,
            tuple(spec.name for spec in self.engines),
            self.starts,
            self.opening_plies,
            self.seed,
            self.terms,
            {spec.name: spec.limit for spec in self.engines if spec.limit is not None},
            {spec.name: spec.margin_ms for spec in self.engines if spec.margin_ms is not None},
        )

    @property
    def format(self) -> Format:
        """Who meets whom."""
        return self.choice.make([spec.name for spec in self.engines], len(self.starts))

    @property
    def is_fixed(self) -> bool:
        """Are all games known before the first?"""
        return isinstance(self.format, Fixed)

    def supply(self, store: Store, withdrawn: Container[str]) -> Supply:
        """The games that `store` does not have; `withdrawn` may grow while they are played."""
        if isinstance(self.format, Fixed):
            return missing(Schedule(self.setting, self.format, self.games), store.done(self.run_id))
        return Paired(self.setting, self.format, store.games(self.run_id), withdrawn)

    def rounds(self, store: Store) -> list[Played]:
        """What came of the rounds that are over, of a format that pairs by results."""
        supply = Paired(self.setting, self.format, store.games(self.run_id), store.withdrawn(self.run_id))
        supply.next()
        return supply.past

    def run(self, containment: Mapping[str, object]) -> Run:
        """The run as it is stored, with the containment that was in force for each engine."""
        return Run(
            id=self.run_id,
            name=self.name,
            kind="match" if self.kind == "match" else "tournament",
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            config=json.dumps({**self.config, "fault_budget": self.fault_budget, "containment": containment}),
            seed=self.seed,
            games=self.games,
            host=platform.node(),
            versions=json.dumps(
                {
                    "arena": edition.number(),
                    "compiled": edition.compiled(),
                    "python": platform.python_version(),
                    "platform": platform.platform(),
                }
            ),
        )


def drawn_seed() -> int:
    """A seed for those who named none: short enough to be typed again."""
    return random.SystemRandom().randrange(1_000_000_000)


def seed_of_same(plan: Plan, runs: Sequence[Run]) -> int | None:
    """The seed of the newest stored run that differs from `plan` in its seed at most."""
    return next((run.seed for run in reversed(runs) if not differences(plan, run)), None)


def differences(plan: Plan, run: Run) -> list[str]:
    """In what the plan is another one than the stored run, a clause each; the seed does not count."""
    stored, wanted = json.loads(run.config), json.loads(json.dumps(plan.config))
    found: dict[str, str] = {}
    for key in dict.fromkeys([*wanted, *UNUSUAL]):
        was, value = stored.get(key), wanted.get(key)
        if key == "seed" or was == value:
            continue
        if key == "engines" and isinstance(was, list):
            found[key] = _other_engines(was, value)
        elif key == "book":
            found[key] = "another book of openings" if was and value else f"{'a' if value else 'no'} book of openings"
        else:
            found[key] = f"{key} was {_told(was)}, is {_told(value)}"
    for follows, cause in (("pairings", "engines"), ("games", "engines"), ("games", "rounds")):
        if cause in found:
            found.pop(follows, None)
    return list(found.values())


def _other_engines(was: Sequence[Mapping[str, object]], now: Sequence[Mapping[str, object]]) -> str:
    before, after = [engine["name"] for engine in was], [engine["name"] for engine in now]
    if before == after:
        changed = [str(new["name"]) for old, new in zip(was, now, strict=True) if old != new]
        return f"another program, command, options or limit for {', '.join(changed)}"
    if after[: len(before)] == before:
        return f"{', '.join(map(str, after[len(before) :]))} new at the end, which --add lets play"
    return f"other engines: {_only(before, after)}"


def _only(before: Sequence[object], after: Sequence[object]) -> str:
    gone = [f"without {name}" for name in before if name not in after]
    new = [f"with {name}" for name in after if name not in before]
    return ", ".join([*gone, *new]) or "another order"


def _told(value: object) -> str:
    return "not given" if value is None else str(value)


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
    return repr((spec.command, sorted(spec.options.items()), spec.box, spec.patience))


class Doorman:
    """A supply whose engines are introduced when they first are to play: where there are many, none waits for all."""

    def __init__(self, plan: Plan, store: Store, scheduler: Scheduler, supply: Supply) -> None:
        self._plan = plan
        self._store = store
        self._scheduler = scheduler
        self._supply = supply
        self._in: set[str] = set()
        self.note = supply.note
        self.miss = supply.miss

    def next(self) -> GameJob | None:
        """The next game, both of its engines introduced; who cannot be started is withdrawn from here on."""
        job = self._supply.next()
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


def play(
    plan: Plan,
    store: Store,
    absent: Mapping[str, str],
    concurrency: int,
    watcher: Watcher,
    *,
    pin: bool = True,
    glimpse_ms: int = 0,
    begun: Callable[[Scheduler], None] = lambda scheduler: None,
) -> Report:
    """Play the games of `plan`, whose run `store` knows, that it does not have; each is stored, then told to `watcher`.

    A game that was stopped from outside is told and not stored, so that it is played when the run goes on. `begun` is
    given the scheduler before the first game, so that it can be paused.
    """

    def keep(record: GameRecord) -> None:
        if is_whole(record):
            store.add_game(record)

    # An engine that brings its own threads is not held on one CPU.
    pin = pin and not any(spec.threads > 1 for spec in plan.engines)
    specs = {spec.name: spec for spec in plan.engines}
    if not plan.is_fixed:
        # Rounds were paired with the games that they missed as lost: who is out stays out.
        absent = {**store.withdrawn(plan.run_id), **absent}

    def withdraw(withdrawn: Mapping[str, str]) -> None:
        store.keep_withdrawn(plan.run_id, withdrawn)

    scheduler = Scheduler(
        specs,
        concurrency,
        keep,
        withdrawn=absent,
        withdraw=withdraw,
        fault_budget=plan.fault_budget,
        pin=pin,
        watcher=watcher,
        glimpse_ms=glimpse_ms,
    )
    begun(scheduler)
    supply = plan.supply(store, scheduler.withdrawn)
    return scheduler.run(Doorman(plan, store, scheduler, supply) if plan.is_large else supply)
