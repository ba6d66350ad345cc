"""A whole run from settings to reports: names it, finds what is still to play, plays it, keeps it.

Sits between the command line, which reads and prints, and the scheduler, which plays. Prints nothing.
"""

import hashlib
import json
import platform
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from arena import fingerprint
from arena.config import ConfigError
from arena.games import variants
from arena.jobs import EngineSpec, GameJob, Terms
from arena.pool import introduce, wire_variant
from arena.schedule import Schedule, Start
from arena.scheduler import Report, Scheduler, is_whole
from protocol.faults import CannotStart
from protocol.session import Identity
from results.record import GameRecord, Player, Run
from results.store import Store


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: everything that decides the schedule, with the seed."""

    kind: str
    name: str
    engines: tuple[EngineSpec, ...]
    starts: tuple[Start, ...]
    games: int
    opening_plies: int
    seed: int
    terms: Terms

    @property
    def config(self) -> dict[str, object]:
        """The effective configuration: what is stored with the run, and what names it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "engines": [
                {"name": spec.name, "command": list(spec.command), "options": dict(spec.options)}
                for spec in self.engines
            ],
            "starts": [[start.variant, start.fen] for start in self.starts],
            "games": self.games,
            "openings": self.opening_plies,
            "limit": str(self.terms.limit),
            "margin_ms": self.terms.margin_ms,
            "move_limit_ms": self.terms.move_limit_ms,
            "max_plies": self.terms.max_plies,
            "seed": self.seed,
        }

    @property
    def run_id(self) -> str:
        """Twelve hex digits that follow from the configuration alone."""
        return hashlib.sha256(json.dumps(self.config, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def schedule(self) -> Schedule:
        """The games of this plan."""
        names = tuple(spec.name for spec in self.engines)
        return Schedule(self.run_id, names, self.starts, self.games, self.opening_plies, self.seed, self.terms)

    def run(self) -> Run:
        """The run as it is stored."""
        return Run(
            id=self.run_id,
            name=self.name,
            kind="match" if self.kind == "match" else "tournament",
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            config=json.dumps(self.config),
            seed=self.seed,
            games=self.games,
            host=platform.node(),
            versions=json.dumps(
                {
                    "arena": version("callanish-arena"),
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
    for run in reversed(runs):
        if {**json.loads(run.config), "seed": None} == {**plan.config, "seed": None}:
            return run.seed
    return None


@dataclass(frozen=True, slots=True)
class Introduced:
    """The engines as they presented themselves, and those that could not be started, each with the reason."""

    players: tuple[Player, ...]
    absent: Mapping[str, str]


def introductions(plan: Plan) -> Introduced:
    """Start every engine once, before anything is stored.

    Never raises for an engine's fault; raises ConfigError for an option that its user got wrong.
    """
    players, absent = [], {}
    for spec in plan.engines:
        version_, author = "", ""
        try:
            identity = introduce(spec)
            version_, author = identity.version, identity.author
            refuse_strange_variants(spec, identity, plan.starts)
            refuse_strange_options(spec, identity)
        except CannotStart as refused:
            absent[spec.name] = str(refused)
        players.append(Player(spec.name, version_, author, spec.command, fingerprint.sha256(spec)))
    return Introduced(tuple(players), absent)


def refuse_strange_variants(spec: EngineSpec, identity: Identity, starts: Sequence[Start]) -> None:
    """Raise CannotStart where the engine, or its registry entry, says that it does not play one of the variants."""
    for start in starts:
        rules = variants.find(start.variant)
        if spec.variants and rules.base not in spec.variants:
            raise CannotStart(
                f"engine {spec.name!r} is registered for {', '.join(spec.variants)}, not for {rules.base}"
            )
        if wire_variant(identity, rules) is None:
            known = ", ".join(identity.options["ugi_variant"].choices)
            raise CannotStart(f"engine {spec.name!r} does not play {rules.base}: it announces {known}")


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
    players: Sequence[Player],
    absent: Mapping[str, str],
    concurrency: int,
    seen: Callable[[GameRecord], None],
) -> Report:
    """Play the games of `plan` that `store` does not have; each finished one is stored, then shown to `seen`.

    A game that was stopped from outside is shown and not stored, so that it is played when the run goes on.
    """
    store.add_run(plan.run(), players)
    done = store.numbers(plan.run_id)

    def keep(record: GameRecord) -> None:
        if is_whole(record):
            store.add_game(record)
        seen(record)

    jobs: Sequence[GameJob] | filter[GameJob] = filter(lambda job: job.number not in done, plan.schedule)
    scheduler = Scheduler({spec.name: spec for spec in plan.engines}, concurrency, keep, withdrawn=absent)
    return scheduler.run(jobs)
