"""From settings to a plan. Each setting that cannot be played is refused by its name.

Independent of how a plan is carried out and of what a store has of it.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena.config import load
from arena.config.engine_argument import adapted
from arena.config.load import LoadedTournament, Registry
from arena.config.schema import TournamentTable
from arena.games import variants
from arena.planning import stored_runs
from arena.planning.containment import Containment
from arena.planning.engine_files import marked
from arena.planning.errors import PlanError
from arena.planning.plan import Kind, Plan
from arena.play import random_opening
from arena.timing.time_control import lag_warning
from results.variant_name import namesake, shown

LOG = logging.getLogger("arena")

SURE = 4
"""So many random plies can be drawn from every start of a variant."""


def tournament(
    file: Path,
    registry: Registry,
    containment: Containment,
    *,
    changes: Sequence[str] = (),
    given: Mapping[str, Any] = MappingProxyType({}),
    adapter: str = "",
) -> tuple[Plan, TournamentTable]:
    """The plan of a tournament file, and its settings. Raises ConfigError, PlanError, RulesError and OSError.

    `changes` and `given` replace keys of the file. Its engines get the adapter.
    """
    loaded = load.load_tournament(file, registry, changes, given)
    engines = containment.apply([adapted(spec, adapter) for spec in loaded.engines])
    return plan_of(loaded._replace(engines=engines), "tournament"), loaded.table


def plan_of(loaded: LoadedTournament, kind: Kind, games: int | None = None) -> Plan:
    """The plan of a tournament, or of its first `games` alone. Draws a seed if none is given.

    Raises PlanError and RulesError.
    """
    table = loaded.table
    seed = stored_runs.drawn_seed() if table.seed is None else table.seed
    openings = 0 if table.books else table.openings
    starts, terms, format_config = loaded.starts, table.terms, table.format_config
    for start in starts:
        if len(starts) > 1 and namesake(start.variant, (each.variant for each in starts)) is not None:
            raise PlanError(f"two variants are called {shown(start.variant)!r}: give one of them another name")
        if start.fen is not None or openings > SURE:
            # An opening that can be drawn now can be drawn in the workers.
            random_opening.draw(*variants.resolve(start.variant, "", start.fen), openings, f"{seed}/trial")
        if terms.max_plies:
            plies = openings if start.book is None else min(len(each.moves) for each in start.book.openings)
            if terms.max_plies <= plies:
                raise PlanError(
                    f"max_plies {terms.max_plies} ends a game of {shown(start.variant)} before an engine moves: "
                    f"its opening has {plies} plies; raise max_plies, or shorten the openings"
                )
        if terms.adjudication.draw is not None and not variants.find(start.variant).draws:
            LOG.warning(f"{start.variant} knows no draws: the draw rule does nothing there")
    engines = marked(loaded.engines)
    names: dict[object, list[str]] = {}
    for spec in engines:
        options, environment = sorted(spec.options.items()), sorted(spec.sandbox.environment.items())
        key = repr((spec.sha256, spec.command[1:], options, spec.limit, environment, spec.sandbox.directory))
        names.setdefault(key, []).append(spec.name)
    for same in (each for each in names.values() if len(each) > 1):
        LOG.warning(f"{' and '.join(same)} are the same program with the same options")
    for limit in dict.fromkeys(spec.limit or start.limit or terms.limit for spec in engines for start in starts):
        if limit.lag_ms and (warning := lag_warning(limit, limit.lag_ms)):
            LOG.warning(warning)
    if games is None:
        names_of_all = [spec.name for spec in engines]
        games = 0 if kind == "ladder" else format_config.make(names_of_all, len(starts)).most * len(starts)
    return Plan(
        kind,
        table.name,
        engines,
        starts,
        games,
        openings,
        seed,
        terms,
        format_config,
        table.fault_budget,
        table.lag,
    )
