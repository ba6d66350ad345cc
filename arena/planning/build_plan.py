"""From settings to a plan. Each setting that cannot be played is refused by its name.

Independent of how a plan is carried out and of what a store has of it.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.config import load
from arena.config.engine_argument import adapted, option_pair
from arena.config.load import LoadedTournament, Registry
from arena.config.schema import TournamentTable, twice_error
from arena.formats.registry import FormatConfig
from arena.games import variants
from arena.games.rules import Position, Rules
from arena.openings import book_reader, shipped
from arena.planning import fingerprint, stored_runs
from arena.planning.containment import Containment
from arena.planning.errors import PlanError, require_range
from arena.planning.plan import Plan
from arena.play import random_opening
from arena.play.jobs import EngineSpec, Terms
from arena.run.schedule import Start
from arena.timing.time_control import LAG_MS, lag_warning
from protocol.containment import group
from results.variant_name import namesake, shown

LOG = logging.getLogger("arena")


def option_values(pairs: Sequence[str]) -> dict[str, str]:
    """The values of `--option NAME=VALUE`, all of them. Raises PlanError."""
    found: list[tuple[str, str]] = []
    for pair in pairs:
        split = option_pair(pair)
        if split is None:
            raise PlanError(f"--option {pair!r} cannot be read: write NAME=VALUE, such as Hash=16")
        found.append(split)
    if error := twice_error(name for name, _ in found):
        raise PlanError(f"--option: {error}")
    return dict(found)


def start(rules: Rules, position: Position, given: object) -> Start:
    """What games start from; `given` is the board or the position string that the user gave, if any.

    Raises PlanError where the game is over.
    """
    for warning in rules.warnings(position):
        LOG.warning(warning)
    if (outcome := position.outcome) is not None:
        raise PlanError(
            f"{given}: that game is finished already ({outcome.winner} by {outcome.reason}): give another start"
        )
    return Start(rules.name, None if given is None else position.fen())


def with_default_book(start: Start, least: int = 0) -> Start:
    """The start with the arena's book of its variant, if that has `least` openings; a start position stays as it is."""
    book = None if start.fen is not None else shipped.by_default(start.variant)
    return start if book is None or len(book.openings) < least else replace(start, book=book)


def plan(
    kind: str,
    name: str,
    specs: Sequence[EngineSpec],
    starts: tuple[Start, ...],
    openings: int,
    seed: int | None,
    terms: Terms,
    format_config: FormatConfig,
    *,
    games: int | None = None,
    fault_budget: int = 5,
    lag_ms: int = LAG_MS,
) -> Plan:
    """The plan of a format, or of its first `games` alone. Draws a seed where none is given. Raises PlanError."""
    require_range("--openings", openings, 0, 200)
    if terms.freeze and group.groups() is None:
        raise PlanError(
            f"freeze: this user has no control groups, which freeze engines: leave it out, or {group.REMEDY}"
        )
    seed = stored_runs.drawn_seed() if seed is None else seed
    require_range("--seed", seed, 0, 2**63 - 1)
    for start in starts:
        if namesake(start.variant, (each.variant for each in starts)) is not None:
            raise PlanError(f"two variants are called {shown(start.variant)!r}: give one of them another name")
        # An opening that can be drawn now can be drawn in the workers.
        random_opening.draw(*variants.resolve(start.variant, "", start.fen), openings, f"{seed}/trial")
        if terms.adjudication.draw is not None and not variants.find(start.variant).draws:
            LOG.warning(f"{start.variant} knows no draws: the draw rule does nothing there")
    fingerprints = fingerprint.all_of(specs)
    for same in fingerprint.twins(specs, fingerprints):
        LOG.warning(f"{' and '.join(same)} are the same program with the same options")
    limits = dict.fromkeys(spec.limit or terms.limit for spec in specs)
    for warning in filter(None, (lag_warning(limit, limit.lag_ms) for limit in limits)):
        LOG.warning(warning)
    if games is None:
        games = format_config.games([spec.name for spec in specs], len(starts))
    return Plan(
        kind,
        name,
        tuple(specs),
        starts,
        games,
        openings,
        seed,
        terms,
        fingerprints,
        format_config,
        fault_budget,
        lag_ms,
    )


def tournament(
    file: Path,
    registry: Registry,
    containment: Containment,
    *,
    changes: Sequence[str] = (),
    seed: int | None = None,
    adapter: str = "",
    freeze: bool = False,
) -> tuple[Plan, TournamentTable]:
    """The plan of a tournament file, and its settings. `seed` and `freeze` replace those of the file if given.

    Its engines get the adapter. Raises ConfigError, PlanError, RulesError and OSError.
    """
    loaded = load.load_tournament(file, registry, changes)
    given = {"seed": seed, "freeze": freeze or None}
    table = loaded.table.model_copy(update={key: value for key, value in given.items() if value is not None})
    engines = containment.apply([adapted(spec, adapter) for spec in loaded.engines])
    loaded = loaded._replace(table=table, engines=engines)
    return plan_of(loaded, file.parent, "tournament"), table


def plan_of(loaded: LoadedTournament, folder: Path, kind: str) -> Plan:
    """The plan of a tournament file in `folder`. Raises PlanError, RulesError and OSError."""
    table = loaded.table
    return plan(
        kind,
        table.name,
        loaded.engines,
        _starts(loaded, folder),
        0 if table.books else table.openings,
        table.seed,
        table.terms,
        table.format_config,
        fault_budget=table.fault_budget,
        lag_ms=table.lag,
    )


def _starts(loaded: LoadedTournament, folder: Path) -> tuple[Start, ...]:
    """The starts of the games, each with its book of openings, if it has one."""
    table = loaded.table
    given = table.fen if table.board is None else folder / table.board
    starts = []
    for variant, (rules, position) in zip(table.variants, loaded.starts, strict=True):
        one = start(rules, position, given)
        file = table.books.get(variant)
        if file == shipped.DEFAULT:
            starts.append(replace(one, book=shipped.load(one.variant, table.shipped_book_use)))
        elif file is not None:
            starts.append(replace(one, book=book_reader.load(folder / file, one.variant, table.book_use)))
        else:
            starts.append(one if "openings" in table.model_fields_set else with_default_book(one))
    return tuple(starts)
