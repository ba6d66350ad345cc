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

from arena.config import ConfigError
from arena.games import variants
from arena.jobs import EngineSpec, Terms
from arena.pool import introduce, wire_variant
from arena.schedule import Schedule, Start
from arena.scheduler import Report, Scheduler, is_whole
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
    fingerprints: tuple[str, ...]
    """Of the engines' programs, in their order: a changed program makes another run."""

    @property
    def config(self) -> dict[str, object]:
        """The effective configuration: what is stored with the run, and what names it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "engines": [
                {"name": spec.name, "command": list(spec.command), "options": dict(spec.options), "sha256": print_}
                for spec, print_ in zip(self.engines, self.fingerprints, strict=True)
            ],
            "starts": [[start.variant, start.fen] for start in self.starts],
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
    def run_id(self) -> str:
        """Twelve hex digits that follow from the configuration alone."""
        return hashlib.sha256(json.dumps(self.config, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def schedule(self) -> Schedule:
        """The games of this plan."""
        names = tuple(spec.name for spec in self.engines)
        return Schedule(self.run_id, names, self.starts, self.games, self.opening_plies, self.seed, self.terms)

    def run(self, containment: Mapping[str, object]) -> Run:
        """The run as it is stored, with the containment that was in force for each engine."""
        return Run(
            id=self.run_id,
            name=self.name,
            kind="match" if self.kind == "match" else "tournament",
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            config=json.dumps({**self.config, "containment": containment}),
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
    return next((run.seed for run in reversed(runs) if not differences(plan, run)), None)


def differences(plan: Plan, run: Run) -> list[str]:
    """In what the plan is another one than the stored run, a clause each; the seed does not count."""
    stored, wanted = json.loads(run.config), json.loads(json.dumps(plan.config))
    found = []
    for key, value in wanted.items():
        was = stored.get(key)
        if key == "seed" or was == value:
            continue
        if key == "engines" and isinstance(was, list) and [e["name"] for e in was] == [e["name"] for e in value]:
            changed = [new["name"] for old, new in zip(was, value, strict=True) if old != new]
            found.append(f"another program, command or options for {', '.join(changed)}")
        elif key == "engines":
            found.append("other engines")
        else:
            found.append(f"{key} was {was}, is {value}")
    return found


@dataclass(frozen=True, slots=True)
class Introduced:
    """The engines as they presented themselves, and those that could not be started, each with the reason."""

    players: tuple[Player, ...]
    absent: Mapping[str, str]


def introductions(plan: Plan) -> Introduced:
    """Start every engine once, side by side, before anything is stored.

    Never raises for an engine's fault; raises ConfigError for an option that its user got wrong.
    """
    identities, absent = [], {}
    for spec, (identity, reason) in zip(plan.engines, introduce(plan.engines), strict=True):
        if not reason:
            reason = strange_variant(spec, identity, plan.starts)
            refuse_strange_options(spec, identity)
        if reason:
            absent[spec.name] = reason
        identities.append(identity)
    players = tuple(
        Player(spec.name, identity.version, identity.author, spec.command, fingerprint_)
        for spec, identity, fingerprint_ in zip(plan.engines, identities, plan.fingerprints, strict=True)
    )
    return Introduced(players, absent)


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
    seen: Callable[[GameRecord], None],
    *,
    pin: bool = True,
) -> Report:
    """Play the games of `plan`, whose run `store` knows, that it does not have; each is stored, then shown to `seen`.

    A game that was stopped from outside is shown and not stored, so that it is played when the run goes on.
    """
    done = store.numbers(plan.run_id)

    def keep(record: GameRecord) -> None:
        if is_whole(record):
            store.add_game(record)
        seen(record)

    jobs = (job for job in plan.schedule if job.number not in done)
    # An engine that brings its own threads is not held on one CPU.
    pin = pin and not any(spec.threads > 1 for spec in plan.engines)
    specs = {spec.name: spec for spec in plan.engines}

    def withdraw(withdrawn: Mapping[str, str]) -> None:
        store.keep_withdrawn(plan.run_id, withdrawn)

    return Scheduler(specs, concurrency, keep, withdrawn=absent, withdraw=withdraw, pin=pin).run(jobs)
