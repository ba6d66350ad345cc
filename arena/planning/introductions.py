"""Introduces the engines of a plan: each is started once, identifies itself, and is checked against the plan.

Engines that nobody gave a name are called as they call themselves (`id name`).
"""

import logging
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from arena.config.load import ConfigError, unique
from arena.games import variants
from arena.games.kinds import built_in
from arena.games.rules import Rules
from arena.openings.books import Start
from arena.planning.errors import EngineUnavailable
from arena.planning.plan import Plan
from arena.play.engine_pool import wire_variant
from arena.play.jobs import EngineSpec
from arena.play.trial_start import Introductions
from arena.play.trial_start import introduce as introduce_here
from arena.run.slots import Slots
from arena.timing.time_control import Limit
from protocol.containment.policy import Level
from protocol.session import Identity
from results.record import Player

if TYPE_CHECKING:
    from arena.conformance.smoke import Fitness

LOG = logging.getLogger("arena")
_NAMED = 5
"""At most this many of an engine's variants are named if it does not play the one that is asked for."""
LONGEST = 60
"""The number of characters that are kept of the name that an engine gives itself."""


@dataclass(frozen=True, slots=True)
class Introduced:
    """The engines as they identified themselves, and the reason for each one that cannot play."""

    players: tuple[Player, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)
    one_sided: frozenset[str] = frozenset()
    """Those that must know their side before a game. The smoke checks search for both sides, and are not for them."""


Met = Mapping[str, tuple[Identity, str]]
"""What engines said of themselves, or why they cannot be started, by the way in which they are started."""
Introduce = Callable[[Sequence[EngineSpec]], Introductions]
"""Starts engines where they will play: `arena.play.trial_start.introduce`, slots, or other machines."""
Known = Callable[[Collection[str]], Collection[tuple[str, tuple[str, ...]]]]
"""The names and the commands of the players of a database that have one of these names."""


class OtherMachines(Protocol):
    """`arena.cluster.cluster.Cluster`, for planning cannot import it."""

    @property
    def machines(self) -> list[tuple[str, int]]:
        """The machines that can play now: their names, and how many games each plays at once."""

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int, freeze: bool) -> Slots:
        """The slots there, at most `games_at_once`, for engines of up to `threads` threads that may be frozen."""

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """See `arena.play.trial_start.introduce`."""

    def check(self, specs: Sequence[EngineSpec], variant: str) -> "Mapping[str, Fitness]":
        """See `arena.conformance.smoke.check_engines`. Nobody hears which engine is slow."""


def meet(specs: Sequence[EngineSpec], introduce: Introduce) -> Met:
    """Start these engines, several at once. Those that differ only in their names are started once."""
    first: dict[str, EngineSpec] = {}
    for spec in specs:
        first.setdefault(spec.start_key, spec)
    return dict(zip(first, introduce(tuple(first.values())), strict=True)) if first else {}


def renamed(plan: Plan, met: Met, known: Known) -> Plan:
    """The plan with names for the engines that have none, as they call themselves.

    Such a name must be the same when the run goes on, and two programs of one database must not share it, since ratings
    join games by name. So the program's file gives the name where that of the engine is taken.
    """
    if all(spec.named for spec in plan.engines):
        return plan
    own_names = {}
    for spec in plan.engines:
        printable = "".join(each if each.isprintable() else "?" for each in met[spec.start_key][0].name)
        own_names[spec.name] = printable.strip()[:LONGEST].strip()
    stored: dict[str, set[tuple[str, ...]]] = {}
    for name, command in known({*own_names.values(), *own_names}):
        stored.setdefault(name, set()).add(command)
    wanted = [spec.name if spec.named else own_names[spec.name] or spec.name for spec in plan.engines]
    specs = []
    for spec, own in zip(plan.engines, wanted, strict=True):
        # A program of another command has the engine's name, in this run or in the database.
        taken = own in stored or any(
            name == own and other.command != spec.command for name, other in zip(wanted, plan.engines, strict=True)
        )
        keeps = spec.command not in stored.get(own, ()) and (taken or spec.command in stored.get(spec.name, ()))
        specs.append(spec if keeps else replace(spec, name=own))
    engines = unique(specs)
    (first, *_, last), title = [spec.name for spec in plan.engines], plan.name
    # A match is called after its engines: `A against B`.
    if len(engines) == 2 and title.startswith(first) and title.endswith(last):
        title = engines[0].name + title[len(first) : len(title) - len(last)] + engines[1].name
    return replace(plan, name=title, engines=engines)


def introduced(plan: Plan, met: Met) -> Introduced:
    """The engines of a plan, which were met.

    A fault of an engine is a reason, not an exception. Raises ConfigError for an option that the engine cannot take.
    """
    players, absent, one_sided = [], {}, set()
    named: dict[str, str] = {}
    """The name under which each was started: reasons begin with it."""
    for spec in plan.engines:
        identity, reason = met[spec.start_key]
        if not reason:
            reason = variant_refusal(spec, identity, plan.starts)
            reason = reason or limit_refusal(spec, identity, plan.limits if spec.limit is None else [spec.limit])
            check_options(spec, identity)
        if identity.announced("UGI_Side"):
            one_sided.add(spec.name)
        name = named.setdefault(spec.start_key, spec.name)
        if reason:
            absent[spec.name] = reason.replace(repr(name), repr(spec.name), 1)
        players.append(Player(spec.name, identity.version, identity.author, spec.command, spec.sha256, spec.family))
    return Introduced(tuple(players), absent, frozenset(one_sided))


def introduce_one(spec: EngineSpec, starts: Sequence[Start] = (), rules: Rules | None = None) -> Identity:
    """Start a lone engine, end it, and give what it said of itself.

    `rules` are those of a game that it gets ready for on each side. Raises EngineUnavailable where it cannot be started
    or does not play `starts`, and ConfigError for strange options.
    """
    ((identity, reason),) = introduce_here([spec], rules)
    if reason := reason or variant_refusal(spec, identity, starts):
        raise EngineUnavailable(reason)
    check_options(spec, identity)
    return identity


def checked(plan: Plan, introduced: Introduced, machines: OtherMachines | None) -> Introduced:
    """Run the smoke checks, where the games are played. An engine that fails a fatal one is absent, too.

    The user is notified of a lesser fault.
    """
    from arena.conformance import smoke

    left_out = introduced.absent.keys() | introduced.one_sided
    taking_part = [spec for spec in plan.engines if spec.name not in left_out]
    if not taking_part:
        return introduced
    plural = "s" * (len(taking_part) != 1)
    most = f"{smoke.LONGEST_S:.0f} s at most"
    LOG.info(f"checking {len(taking_part)} engine{plural}, about 2 s each and {most}; --no-smoke skips this")
    check = partial(smoke.check_engines, report=LOG.info) if machines is None else machines.check
    fitness = check(taking_part, plan.starts[0].variant)
    for each in fitness.values():
        if each.doubt:
            LOG.warning(each.doubt)
    unfit = {name: each.unfit for name, each in fitness.items() if each.unfit}
    return replace(introduced, absent={**introduced.absent, **unfit})


def refuse_absent(plan: Plan, absent: Collection[str], need_all: bool) -> None:
    """Say why some cannot take part. Raises EngineUnavailable where what is left cannot be played."""
    reasons = [*absent]
    left = len(plan.engines) - len(reasons)
    refused = need_all or left < 2
    if refused and not need_all:
        reasons.append(f"only {left} of {len(plan.engines)} engines can be started")
    for reason in reasons[: -1 if refused else None]:
        LOG.info(reason)
    if refused:
        raise EngineUnavailable(reasons[-1] + ("; --without-broken plays without it" if left > 1 else ""))


def variant_refusal(spec: EngineSpec, identity: Identity, starts: Sequence[Start]) -> str:
    """Why the engine cannot play one of the variants, by its registry entry or its own announcement; else empty."""
    for start in starts:
        rules = variants.find(start.variant)
        if spec.variants and rules.base not in spec.variants:
            return f"engine {spec.name!r} is registered for {', '.join(spec.variants)}, not for {rules.base}"
        if wire_variant(identity, rules) is None:
            choices = identity.options["ugi_variant"].choices
            known = ", ".join(choices[:_NAMED]) + (
                f" and {len(choices) - _NAMED} more" if len(choices) > _NAMED else ""
            )
            known = known or "no variant by name"
            return f"engine {spec.name!r} does not play {rules.base}: it announces {known}{_closed(spec, rules)}"
        if rules.changed_options and identity.announced("UGI_Variant") and not identity.announced("UGI_Rules"):
            return f"engine {spec.name!r} takes no rule options ({rules.changed_options}): it announces no UGI_Rules"
    return ""


def _closed(spec: EngineSpec, rules: Rules) -> str:
    """What opens the folder of a plug-in to an engine that finds its games as the arena does; else empty."""
    kind = variants.kind_of(rules)
    folder = Path(sys.modules[type(kind).__module__].__file__ or "").parent
    readable = (sys.prefix, *spec.sandbox.reads)
    if kind in built_in() or spec.sandbox.level == Level.NONE or any(folder.is_relative_to(each) for each in readable):
        return ""
    return f". Its sandbox does not let it read the game's package: if it needs that, add --read {folder}"


def limit_refusal(spec: EngineSpec, identity: Identity, limits: Sequence[Limit]) -> str:
    """Why the engine cannot play with one of these: it must hear the time of a move before the game; else empty."""
    option = identity.options.get("ugi_movetime")
    for limit in limits:
        if option is not None and (limit.kind != "movetime" or option.refuses(str(limit.value))):
            least = max(1, option.min or 1)
            return (
                f"engine {spec.name!r} plays with a fixed time for each move, of {least} ms at least, "
                f"and not with {limit}: write --movetime {least}, or movetime = {least} in the file"
            )
    return ""


def check_options(spec: EngineSpec, identity: Identity) -> None:
    """Raise ConfigError where a user sets an option that the engine does not have, or a value that it cannot take."""
    for name, value in spec.options.items():
        option = identity.options.get(name.lower())
        if option is None:
            known = ", ".join(line.name for line in identity.options.values()) or "none"
            raise ConfigError(f"engine {spec.name!r} has no option {name!r}; it has {known}")
        if refusal := option.refuses(value):
            raise ConfigError(f"engine {spec.name!r}: {refusal}")
