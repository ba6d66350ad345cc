"""From settings to a plan. Each setting that cannot be played is refused by its name.

Independent of how a plan is carried out and of what a store has of it. Prints nothing: `report` is given each warning.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from arena.config import load
from arena.config.load import Registry
from arena.config.schema import TournamentTable
from arena.formats.registry import FormatConfig
from arena.games import variants
from arena.games.boards import start_of
from arena.openings import book_reader, shipped
from arena.planning import fingerprint, stored_runs
from arena.planning.containment import Containment
from arena.planning.errors import PlanError, require_range
from arena.planning.plan import Plan
from arena.planning.schedule import Start
from arena.play import random_opening
from arena.play.adjudication import Adjudication
from arena.play.jobs import EngineSpec, Terms
from arena.timing import time_control
from arena.timing.clock import MARGIN_MS
from arena.timing.free_reading import FREE_READING_MS
from arena.timing.time_control import MOVE_LIMIT_MS, Limit
from protocol.stopwatch import Kind
from results.variant_name import namesake, shown

Notify = Callable[[str], None]


def option_values(pairs: Sequence[str]) -> dict[str, str]:
    """The values of `--option NAME=VALUE`, all of them. Raises PlanError."""
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name.strip() or not equals:
            raise PlanError(f"--option {pair!r} cannot be read: write NAME=VALUE, such as Hash=16")
        values[name.strip()] = value
    return values


def terms(
    limit: Limit,
    margin: int = MARGIN_MS,
    move_limit: float = MOVE_LIMIT_MS / 1000,
    max_plies: int = 0,
    clock: Kind = "fair",
    freeze: bool = False,
    adjudication: Adjudication | None = None,
    reading: int = FREE_READING_MS,
) -> Terms:
    """What holds for every game: the margin and the free reading in ms, the move limit in s. Raises PlanError."""
    require_range("--margin", margin, 0)
    require_range("--reading", reading, 0)
    require_range("--max-plies", max_plies, 0)
    require_range("--move-limit", move_limit, 0.001, 86_400, " s")
    rules = adjudication or Adjudication()
    return Terms(
        limit, margin, round(move_limit * 1000), max_plies, clock, freeze, adjudication=rules, reading_ms=reading
    )


def start(
    variant: str | None, rules: str, board: Path | None, fen: str | None, report: Notify, folder: Path | None = None
) -> Start:
    """What the games start from: a drawn board, too, and a user's own variant, whose file may be in `folder`.

    Raises RulesError, and PlanError where the game is over.
    """
    played, position = start_of(variant, rules, board, fen, folder)
    for warning in played.warnings(position):
        report(f"warning: {warning}")
    if (outcome := position.outcome) is not None:
        where = fen if board is None else board
        raise PlanError(
            f"{where}: that game is finished already ({outcome.winner} by {outcome.reason}): give another start"
        )
    return Start(played.name, None if fen is None and board is None else position.fen())


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
    report: Notify,
    *,
    games: int | None = None,
    fault_budget: int = 5,
) -> Plan:
    """The plan of a format, or of its first `games` alone. Draws a seed where none is given. Raises PlanError."""
    require_range("--openings", openings, 0, 200)
    seed = stored_runs.drawn_seed() if seed is None else seed
    require_range("--seed", seed, 0, 2**63 - 1)
    for start in starts:
        if namesake(start.variant, (each.variant for each in starts)) is not None:
            raise PlanError(f"two variants are called {shown(start.variant)!r}: give one of them another name")
        # An opening that can be drawn now can be drawn in the workers.
        random_opening.draw(*variants.resolve(start.variant, "", start.fen), openings, f"{seed}/trial")
        if terms.adjudication.draw is not None and not variants.find(start.variant).draws:
            report(f"warning: {start.variant} knows no draws: the draw rule does nothing there")
    fingerprints = fingerprint.all_of(specs)
    for same in fingerprint.twins(specs, fingerprints):
        report(f"warning: {' and '.join(same)} are the same program with the same options")
    if games is None:
        games = format_config.games([spec.name for spec in specs], len(starts))
    return Plan(
        kind, name, tuple(specs), starts, games, openings, seed, terms, fingerprints, format_config, fault_budget
    )


def tournament(
    file: Path,
    registry: Registry,
    containment: Containment,
    report: Notify,
    *,
    changes: Sequence[str] = (),
    seed: int | None = None,
    clock: Kind | None = None,
    freeze: bool = False,
) -> tuple[Plan, TournamentTable]:
    """The plan of a tournament file, and its settings. `seed`, `clock` and `freeze` replace the file's.

    Raises ConfigError, PlanError, RulesError and OSError.
    """
    table, specs = load.load_tournament(file, registry, changes)
    planned = plan_of(table, file.parent, "tournament", containment.apply(specs), report, seed)
    terms = replace(planned.terms, clock=clock or planned.terms.clock, freeze=freeze or planned.terms.freeze)
    return replace(planned, terms=terms), table


def plan_of(
    table: TournamentTable,
    folder: Path,
    kind: str,
    specs: Sequence[EngineSpec],
    report: Notify,
    seed: int | None = None,
) -> Plan:
    """The plan of the settings of a file in `folder` for these engines. Raises PlanError, RulesError and OSError."""
    starts = _starts(table, folder, report)
    plies = 0 if table.books else table.openings
    seed = table.seed if seed is None else seed
    limit = time_control.scaled(table.limit or time_control.parse(time_control.DEFAULT_TC), table.time_scale)
    rules = terms(
        limit,
        table.margin,
        table.move_limit,
        table.max_plies,
        table.clock,
        table.freeze,
        table.adjudication,
        table.reading,
    )
    planned = plan(
        kind,
        table.name,
        specs,
        starts,
        plies,
        seed,
        rules,
        table.format_config,
        report,
        fault_budget=table.fault_budget,
    )
    return replace(planned, normalise=table.normalise)


def _starts(table: TournamentTable, folder: Path, report: Notify) -> tuple[Start, ...]:
    board = None if table.board is None else folder / table.board
    starts = []
    for variant in table.asked:
        one = start(variant, table.rules, board, table.fen, report, folder)
        file = table.books.get(variant or table.variants[0])
        if file == shipped.DEFAULT:
            starts.append(replace(one, book=shipped.load(one.variant, table.shipped_book_use)))
        elif file is not None:
            starts.append(replace(one, book=book_reader.load(folder / file, one.variant, table.book_use)))
        else:
            starts.append(one if "openings" in table.model_fields_set else with_default_book(one))
    return tuple(starts)
