"""From what was asked for to a plan: engines, limits, starts, terms, books, each refused in a sentence that names it.

Knows options and the `[tournament]` table. Refuses to know how a plan is carried out and what a store has of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.run.order import at_least

if TYPE_CHECKING:
    from arena.config.load import Registry
    from arena.config.schema import TournamentTable
    from arena.formats.registry import FormatConfig
    from arena.openings.book import Order
    from arena.openings.book_reader import BookOrder
    from arena.planning.plan import Plan
    from arena.planning.schedule import Start
    from arena.play.adjudication import Adjudication
    from arena.play.jobs import EngineSpec, Terms
    from arena.play.time_control import Limit
    from protocol.session import Identity
    from protocol.stopwatch import Kind

MOST_SCALE = 1_000


@dataclass(frozen=True, slots=True)
class Spending:
    """What a side may spend, as options say it: one of the four, times `scale`."""

    tc: str | None
    movetime: int | None
    nodes: int | None
    depth: int | None
    scale: float = 1.0

    @property
    def limit(self) -> "Limit":
        """The limit; the default clock where none was given. Raises BadInput and BadLimit."""
        from arena.config import load
        from arena.play import time_control

        fixed = {"movetime": self.movetime, "nodes": self.nodes, "depth": self.depth}
        given = {kind: value for kind, value in fixed.items() if value is not None}
        if given and self.tc is not None:
            raise BadInput("give one of --tc, --movetime, --nodes and --depth, not several")
        if len(given) > 1:
            raise BadInput(f"give one of {' and '.join(f'--{kind}' for kind in given)}, not several")
        if not 0 < self.scale <= MOST_SCALE:
            raise BadInput(f"--time-scale {self.scale:g} is out of range: it must be above 0 and at most {MOST_SCALE}")
        found = next((time_control.fixed(kind, value) for kind, value in given.items()), None)
        return time_control.scaled(found or time_control.parse(self.tc or load.DEFAULT_TC), self.scale)


@dataclass(frozen=True, slots=True)
class Draws:
    """Where games begin, as options say it: so many random plies, or a book; None is what was not said."""

    openings: int | None
    book: Path | None
    order: "Order | None"
    start: int | None
    plies: int | None

    def plies_or(self, usual: int) -> int:
        """How many random plies; none where there is a book."""
        if self.book is not None:
            return 0
        return usual if self.openings is None else self.openings

    def booked(self, start: "Start") -> "Start":
        """The start with the book's openings, where there is one. Raises BadInput, BadBook and OSError."""
        given = {"--book-order": self.order, "--book-start": self.start, "--book-plies": self.plies}
        if self.book is None:
            for option, value in given.items():
                if value is not None:
                    raise BadInput(f"{option} says how a book is used: name one with --book, or leave it out")
            return start
        if self.openings is not None:
            raise BadInput("--book and --openings both say where games start: leave out one of the two")
        if start.fen is not None:
            raise BadInput(
                "--book and a start position: openings start from their own, or from the variant's; leave out one"
            )
        from arena.openings.book_reader import BookOrder

        at_least("--book-plies", self.plies or 0, 0)
        use = BookOrder(self.order or "sequential", 1 if self.start is None else self.start, self.plies or 0)
        return _with_book(start, self.book, use)


@dataclass(frozen=True, slots=True)
class Opponents:
    """Two engines as a command names them: their words, the options of both, and the limits that are one's own."""

    words: tuple[str, str]
    options: Sequence[str]
    """`NAME=VALUE` each."""
    limits: tuple[str | None, str | None]

    def specs(self, registry: "Registry", scale: float) -> "tuple[EngineSpec, ...]":
        """The engines, names made unique; limits times `scale`. Raises BadInput, BadLimit and ConfigError."""
        from arena.config import load

        each = option_values(self.options)
        engines = (load.engine_argument(word, registry, each) for word in self.words)
        found = []
        for spec, text, option in zip(engines, self.limits, ("--limit-a", "--limit-b"), strict=True):
            found.append(replace(spec, limit=_own_limit(option, text, scale)))
        return load.unique(found)


def option_values(pairs: Sequence[str]) -> dict[str, str]:
    """What `--option NAME=VALUE` says, all of them. Raises BadInput."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name.strip() or not equals:
            raise BadInput(f"--option {pair!r} cannot be read: write NAME=VALUE, such as Hash=16")
        found[name.strip()] = value
    return found


def _own_limit(option: str, text: str | None, scale: float) -> "Limit | None":
    from arena.play import time_control

    try:
        return None if text is None else time_control.scaled(time_control.parse(text), scale)
    except time_control.BadLimit as bad:
        raise BadInput(f"{option}: {bad}") from None


def introduced(spec: "EngineSpec", starts: "Sequence[Start]" = ()) -> "Identity":
    """Start a lone engine, end it, and what it said of itself.

    Raises CannotStartEngine where it cannot be started or does not play `starts`, and ConfigError for strange options.
    """
    from arena.planning import introductions
    from arena.play.introduce import introduce

    ((identity, reason),) = introduce([spec])
    if reason := reason or introductions.variant_refusal(spec, identity, starts):
        raise CannotStartEngine(reason)
    introductions.check_options(spec, identity)
    return identity


def keep_to(listed: str | None) -> None:
    """Keep this process, and all that it will start, to the CPUs of `--cpus`, if any. Raises BadInput."""
    from arena.play import cpu_affinity

    if listed is None:
        return
    try:
        cpu_affinity.keep_to(cpu_affinity.parse(listed))
    except cpu_affinity.BadCpus as bad:
        raise BadInput(f"--cpus {bad}") from None


def limit_of(table: "TournamentTable") -> "Limit":
    """The limit of a tournament file."""
    from arena.config import load
    from arena.play import time_control

    return time_control.scaled(table.limit or time_control.parse(load.DEFAULT_TC), table.time_scale)


def starts_of(table: "TournamentTable", folder: Path) -> "tuple[Start, ...]":
    """The starts of a tournament file in `folder`, with their books. Raises BadInput, RulesError and OSError."""
    board = None if table.board is None else folder / table.board
    found = []
    for variant in table.asked:
        one = start(variant, table.rules, board, table.fen)
        file = table.books.get(variant or table.variants[0])
        found.append(one if file is None else _with_book(one, folder / file, table.book_use))
    return tuple(found)


def terms_of(table: "TournamentTable") -> "Terms":
    """What a tournament file says of every game."""
    found = terms(limit_of(table), table.margin, table.move_limit, table.max_plies, table.clock, table.freeze)
    return replace(found, adjudication=table.adjudication)


def terms(
    limit: "Limit",
    margin: int,
    move_limit: float,
    max_plies: int,
    clock: "Kind",
    freeze: bool,
    adjudication: "Adjudication | None" = None,
) -> "Terms":
    """What holds for every game. Raises BadInput."""
    from arena.play.adjudication import Adjudication
    from arena.play.jobs import Terms

    at_least("--margin", margin, 0)
    at_least("--max-plies", max_plies, 0)
    if not 0.001 <= move_limit <= 86_400:
        raise BadInput(f"--move-limit {move_limit} is out of range: it must be from 0.001 to 86400 s")
    asked = adjudication or Adjudication()
    return Terms(limit, margin, round(move_limit * 1000), max_plies, clock, freeze, adjudication=asked)


def start(variant: str | None, rules: str, board: Path | None, fen: str | None) -> "Start":
    """What the games start from; a drawn board is a position string. Refuses a position that is already decided."""
    from arena.games.boards import start_of
    from arena.planning.schedule import Start

    found, position = start_of(variant, rules, board, fen)
    for warning in found.warnings(position):
        typer.echo(f"arena: warning: {warning}", err=True)
    if position.outcome is not None:
        outcome = position.outcome
        where = fen if board is None else board
        raise BadInput(
            f"{where}: that game is finished already ({outcome.winner} by {outcome.reason}): give another start"
        )
    return Start(found.name, None if fen is None and board is None else position.fen())


def plan(
    kind: str,
    name: str,
    specs: "Sequence[EngineSpec]",
    starts: "tuple[Start, ...]",
    openings: int,
    seed: int | None,
    terms: "Terms",
    format_config: "FormatConfig",
) -> "Plan":
    """The plan of a whole tournament. Raises BadInput."""
    from arena.games import variants
    from arena.planning import fingerprint, resume
    from arena.planning import plan as runs_plan
    from arena.play import random_opening as drawing

    at_least("--openings", openings, 0)
    if openings > 200:
        raise BadInput(f"--openings {openings} is out of range: it must be at most 200")
    if seed is not None:
        at_least("--seed", seed, 0)
        if seed >= 2**63:
            raise BadInput(f"--seed {seed} is out of range: it must be below 2**63")
    seed = resume.drawn_seed() if seed is None else seed
    for start in starts:  # one that can be drawn now can be drawn in the workers
        drawing.draw(*variants.resolve(start.variant, "", start.fen), openings, f"{seed}/trial")
        if terms.adjudication.draw is not None and not variants.find(start.variant).draws:
            typer.echo(f"arena: warning: {start.variant} knows no draws: the draw rule does nothing there", err=True)
    fingerprints = fingerprint.all_of(specs)
    for same in fingerprint.twins(specs, fingerprints):
        typer.echo(f"arena: warning: {' and '.join(same)} are the same program with the same options", err=True)
    games = format_config.make([spec.name for spec in specs], len(starts)).most * len(starts)
    return runs_plan.Plan(kind, name, tuple(specs), starts, games, openings, seed, terms, fingerprints, format_config)


def _with_book(start: "Start", file: Path, use: "BookOrder") -> "Start":
    from arena.openings.book_reader import load

    return replace(start, book=load(file, start.variant, use))
