"""The options that several playing commands share, each written once: groups, and what each group stands for.

A group is a frozen dataclass that `option_groups.grouped` shows to typer. An option that a command takes without its
group has a name of its own here. Loads what it builds when it builds it: a command's help needs none of it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from arena.cli.errors import BadInput
from arena.cli.option_groups import option, typer_parameter
from arena.cli.output import LOG
from arena.conformance.arguments import CONTAIN, ENVIRONMENT, READS, pairs, readable
from arena.planning.containment import Containment
from arena.planning.errors import require_range
from arena.play.jobs import EngineSpec, Terms
from arena.timing import time_control
from arena.timing.clock import MARGIN_MS
from arena.timing.free_reading import FREE_READING_MOVE_MS, FREE_READING_MS
from arena.timing.time_control import DEFAULT_TC, MOVE_LIMIT_MS, Limit
from protocol.containment.policy import Level
from protocol.deadlines import DEADLINES

if TYPE_CHECKING:
    from arena.planning.other_machines import OtherMachines
    from arena.run.schedule import Start

NOT_KEPT = Path("none")
"""What `--db` says where no game is to be kept."""
MOST_SCALE = 1_000
MOST_GAMES = 1_000_000_000
"""A match has at most so many games, which no machine will play."""

LIMITS, OPENINGS = "Limits", "Openings"
"""Panels of the help in which commands have options of their own, too."""


def _milliseconds(text: str | int) -> int:
    """The value of an option in ms, perhaps with a unit; a default as it is. Raises typer.BadParameter."""
    if isinstance(text, int):
        return text
    try:
        return time_control.milliseconds(text)
    except time_control.BadLimit as bad:
        raise typer.BadParameter(str(bad)) from None


_game = partial(option, rich_help_panel="Game")
_engines = partial(option, rich_help_panel="Engines")
_limits = partial(option, rich_help_panel=LIMITS)
_limit_ms = partial(_limits, parser=_milliseconds, metavar="MS")
_engine_ms = partial(_engines, parser=_milliseconds, metavar="MS")
_openings = partial(option, rich_help_panel=OPENINGS)
_endings = partial(option, rich_help_panel="Adjudication")
_machine = partial(option, rich_help_panel="Machine")
_elsewhere = partial(option, rich_help_panel="Other machines")
_output = partial(option, rich_help_panel="Output")

Engines = Annotated[Path | None, _engines("A registry file beside the shipped and your own engines.")]
Adapter = Annotated[
    str,
    _engines("Speak to the engines that are not the arena's own in their words: uci, or a TOML file.", "NAME|FILE"),
]
MaxPlies = Annotated[int, _endings("Adjudicate a draw after so many plies; 0: never.")]
Seed = Annotated[int | None, _openings("Seed of openings and engines' chance. [default: drawn, printed]")]
Concurrency = Annotated[int | None, _machine("Games at once. [default: CPU cores - 1, at least 1]")]
Pin = Annotated[bool, _machine("Keep each game on a CPU of its own, where one is free.", flag="--pin/--no-pin")]
Database = Annotated[
    Path | None,
    _output(
        "Database to keep the games in; the same command again plays what is missing. none: keep no game. "
        "[default: a file in your state folder, named at the end]"
    ),
]
DatabaseOfFile = Annotated[Path | None, _output("Database to keep the games in. [default: FILE.db here]")]
Live = Annotated[
    bool,
    _output("Keep the events in a file beside the database, for `arena watch` and others.", flag="--live/--no-live"),
]
Serve = Annotated[bool, _output("Show the run in a browser while it is played: see `arena serve`.", flag="--serve")]


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What is played, and from which position."""

    variant: Annotated[
        str | None,
        _game("What is played: a name that `arena variants` lists, or your own TOML file. [default: callanish-9]"),
    ] = None
    board: Annotated[Path | None, _game("A drawn board to start from: a text or TOML file.")] = None
    rules: Annotated[str, _game("Changed rules, such as 'king_steps=2 king_armed=no'.")] = ""
    fen: Annotated[str | None, _game("A position string to start from.")] = None

    def start(self) -> "Start":
        """The start of every game. Raises RulesError, PlanError and OSError."""
        from arena.games.boards import start_of
        from arena.planning import build_plan

        rules, position = start_of(self.variant, self.rules, self.board, self.fen)
        return build_plan.start(rules, position, self.fen if self.board is None else self.board)


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """How moves are timed."""

    freeze: Annotated[
        bool, _limits("Freeze engines while their opponent thinks (needs control groups).", flag="--freeze")
    ] = False


@dataclass(frozen=True, slots=True)
class LimitOptions(ClockOptions):
    """What a side may spend on its moves."""

    tc: Annotated[
        str | None,
        _limits(f"Clock in seconds: base+increment or moves/base+increment; also 5:00+3. [default: {DEFAULT_TC}]"),
    ] = None
    movetime: Annotated[int | None, _limit_ms("Milliseconds for each move, instead of a clock.")] = None
    nodes: Annotated[int | None, _limits("Nodes for each move, instead of a clock.")] = None
    depth: Annotated[int | None, _limits("Search depth of each move, instead of a clock.")] = None
    limit_a: Annotated[str | None, _limits("Limit of A alone: 10+0.1, movetime=20, nodes=500 or depth=3.", "LIMIT")] = (
        None
    )
    limit_b: Annotated[str | None, _limits("Limit of B alone: a time handicap.", "LIMIT")] = None
    time_scale: Annotated[float, _limits("Multiply the clock, or the milliseconds of each move, by this.")] = 1.0
    margin: Annotated[int, _limit_ms("Milliseconds by which a move may be late without losing.")] = MARGIN_MS
    reading: Annotated[
        int,
        _limits(
            f"Milliseconds to read a position that are free, and {FREE_READING_MOVE_MS} for each of its moves.",
            "MS",
            parser=_milliseconds,
        ),
    ] = FREE_READING_MS
    move_limit: Annotated[float, _limits("Seconds for a move under a nodes or depth limit.")] = MOVE_LIMIT_MS / 1000

    @property
    def limit(self) -> Limit:
        """The limit of both sides; the default clock where none was given. Raises BadInput and BadLimit."""
        fixed = {"movetime": self.movetime, "nodes": self.nodes, "depth": self.depth}
        given = {kind: value for kind, value in fixed.items() if value is not None}
        if given and self.tc is not None:
            raise BadInput("give one of --tc, --movetime, --nodes and --depth, not several")
        if len(given) > 1:
            raise BadInput(f"give one of {' and '.join(f'--{kind}' for kind in given)}, not several")
        if not 0 < self.time_scale <= MOST_SCALE:
            raise BadInput(
                f"--time-scale {self.time_scale:g} is out of range: it must be above 0 and at most {MOST_SCALE}"
            )
        limit = next((time_control.fixed(kind, value) for kind, value in given.items()), None)
        return time_control.scaled(limit or time_control.parse(self.tc or DEFAULT_TC), self.time_scale)

    @property
    def of_each(self) -> tuple[Limit | None, Limit | None]:
        """The limits of A and B where they have one alone. Raises BadInput."""
        return self._alone("--limit-a", self.limit_a), self._alone("--limit-b", self.limit_b)

    def _alone(self, option: str, text: str | None) -> Limit | None:
        try:
            return None if text is None else time_control.scaled(time_control.parse(text), self.time_scale)
        except time_control.BadLimit as bad:
            raise BadInput(f"{option}: {bad}") from None

    def terms(self, adjudication: "AdjudicationOptions") -> Terms:
        """What holds for every game. Raises BadInput, PlanError, BadLimit and BadAdjudication."""
        from arena.play.adjudication import parse

        require_range("--fault-budget", adjudication.fault_budget, 0)
        limit, rules = self.limit, parse(adjudication.resign, adjudication.draw)
        require_range("--margin", self.margin, 0)
        require_range("--reading", self.reading, 0)
        require_range("--max-plies", adjudication.max_plies, 0)
        require_range("--move-limit", self.move_limit, 0.001, 86_400, " s")
        return Terms(
            limit,
            self.margin,
            round(self.move_limit * 1000),
            adjudication.max_plies,
            self.freeze,
            adjudication=rules,
            reading_ms=self.reading,
        )


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Options of both engines, and where engines are registered."""

    option: Annotated[
        list[str] | None,
        _engines(
            "An option of both engines, more than once for several. One behind an engine's colon replaces it.",
            "NAME=VALUE",
        ),
    ] = None
    start_ms: Annotated[
        int | None, _engine_ms(f"Milliseconds to answer ugi. [default: as registered, else {DEADLINES.start_ms}]")
    ] = None
    ready_ms: Annotated[
        int | None, _engine_ms(f"Milliseconds to answer isready. [default: as registered, else {DEADLINES.ready_ms}]")
    ] = None
    newgame_ms: Annotated[
        int | None,
        _engine_ms(f"The same after uginewgame and setoption. [default: as registered, else {DEADLINES.newgame_ms}]"),
    ] = None
    adapter: Adapter = ""
    engines: Engines = None

    def specs(self, words: Sequence[str], limits: LimitOptions) -> tuple[EngineSpec, ...]:
        """The engines that A and B name, each with its own limit. Raises BadInput, PlanError and ConfigError."""
        from arena.config import load
        from arena.config.engine_argument import adapted, engine_argument
        from arena.config.schema import LONGEST_WAIT_MS
        from arena.planning.build_plan import option_values

        waits = {"start_ms": self.start_ms, "ready_ms": self.ready_ms, "newgame_ms": self.newgame_ms}
        given = {key: value for key, value in waits.items() if value is not None}
        for key, value in given.items():
            require_range(f"--{key.replace('_', '-')}", value, 1, LONGEST_WAIT_MS, " ms")
        registry, each = load.load_registry(self.engines), option_values(self.option or ())
        specs = (adapted(engine_argument(word, registry, each), self.adapter) for word in words)
        return load.unique(
            replace(spec, limit=limit, deadlines=replace(spec.deadlines, **given))
            for spec, limit in zip(specs, limits.of_each, strict=True)
        )


@dataclass(frozen=True, slots=True)
class OpeningOptions:
    """Where the games of a start begin: after random plies, or from a book."""

    book: Annotated[
        Path | None,
        _openings(
            "Openings, one a line: moves or position strings; or PGN; or default: the arena's own book. "
            "[default: its own, else random plies]",
            "FILE",
        ),
    ] = None
    book_order: Annotated[
        Literal["sequential", "random"] | None,
        _openings(
            "Take openings in the book's order, or one drawn from the seed. "
            "[default: sequential; random in the arena's own books]"
        ),
    ] = None
    book_start: Annotated[int | None, _openings("Which opening comes first. [default: 1]")] = None
    book_plies: Annotated[int | None, _openings("Moves to take of each opening; 0: all. [default: 0]")] = None
    seed: Seed = None

    def of(
        self, start: "Start", plies: int | None, default_plies: int, pairs: int | None = None
    ) -> "tuple[Start, int]":
        """The start with the book's openings, and how many random plies are drawn where it has no book.

        `plies` is what `--openings` said. Where nothing is said, the book is that of the variant, if one comes with the
        arena; with `pairs`, only if it has so many openings. Raises BadInput, PlanError, BadBook and OSError.
        """
        from arena.openings import book_reader, shipped
        from arena.planning.build_plan import with_default_book

        order = {"order": self.book_order, "start": self.book_start, "plies": self.book_plies}
        given: dict[str, Any] = {key: value for key, value in order.items() if value is not None}
        if self.book is None:
            for key in given:
                raise BadInput(f"--book-{key} says how a book is used: name one with --book, or leave it out")
            return (with_default_book(start, pairs or 0), default_plies) if plies is None else (start, plies)
        if plies is not None:
            raise BadInput("--book and --openings both say where games start: leave out one of the two")
        if start.fen is not None:
            raise BadInput(
                "--book and a start position do not go together, since an opening has its own start: leave out one"
            )
        require_range("--book-plies", self.book_plies or 0, 0)
        if self.book == Path(shipped.DEFAULT):
            return replace(start, book=shipped.load(start.variant, replace(shipped.USUAL_ORDER, **given))), 0
        return replace(start, book=book_reader.load(self.book, start.variant, book_reader.BookOrder(**given))), 0


@dataclass(frozen=True, slots=True)
class AdjudicationOptions:
    """Which games the referee ends, and which engines it withdraws."""

    max_plies: MaxPlies = 0
    resign: Annotated[
        str | None,
        _endings(
            "Adjudicate a loss by scores, such as score=600,moves=3; with ,twosided=true both must agree.", "RULE"
        ),
    ] = None
    draw: Annotated[
        str | None,
        _endings("Adjudicate a draw by scores, such as score=10,moves=8; with ,after=40 beyond ply 40.", "RULE"),
    ] = None
    fault_budget: Annotated[int, _endings("Withdraw an engine after so many faults in a row; 0: never.")] = 5


@dataclass(frozen=True, slots=True)
class MachineOptions:
    """Which part of this machine a run uses."""

    concurrency: Concurrency = None
    pin: Pin = True
    cpus: Annotated[str | None, _machine("Use these CPUs only, as taskset does: 3,5 or 0-3.", "LIST")] = None

    def keep_to_cpus(self) -> None:
        """Keep this process, and all that it will start, to the CPUs of `--cpus`, if any. Raises BadInput."""
        from arena.play import cpu_affinity

        if self.cpus is None:
            return
        try:
            cpu_affinity.keep_to(cpu_affinity.parse(self.cpus))
        except cpu_affinity.BadCpus as bad:
            raise BadInput(f"--cpus {bad}") from None


Contain = Annotated[Level | None, typer_parameter(CONTAIN)]


@dataclass(frozen=True, slots=True)
class ContainmentOptions:
    """How all engines of a command are contained."""

    contain: Contain = None
    env: Annotated[list[str] | None, typer_parameter(ENVIRONMENT)] = None
    read: Annotated[list[Path] | None, typer_parameter(READS)] = None

    def parse(self, db: Path | None = None) -> Containment:
        """What these options ask for, with the database of the run. Raises BadArgument for what cannot be used."""
        return Containment(self.contain, pairs(self.env, "--env"), readable(self.read), db)


ClusterKeys = Annotated[
    Path | None, _elsewhere("The folder of the cluster's keys: `arena cluster keys` makes it.", "DIR")
]
Insecure = Annotated[
    bool, _elsewhere("Go without keys: whoever reaches the address runs programs on all machines.", flag="--insecure")
]


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """Which other machines play the games of a run."""

    cluster: Annotated[
        str | None, _elsewhere("Play on the machines that have joined there: tls://HOST:8786.", "ADDRESS")
    ] = None
    keys: ClusterKeys = None
    machines: Annotated[str | None, _elsewhere("Of these machines only: m1,m2. [default: all]", "NAMES")] = None
    insecure: Insecure = False

    @contextmanager
    def connected(self) -> "Iterator[OtherMachines | None]":
        """The machines, while the block runs; None for this one. Raises BadInput and ClusterError."""
        if self.cluster is None:
            given: dict[str, object] = {"--keys": self.keys, "--machines": self.machines, "--insecure": self.insecure}
            for option in (option for option, value in given.items() if value):
                raise BadInput(f"{option} goes with --cluster ADDRESS: name the cluster, or leave it out")
            yield None
            return
        from arena.cluster.access import access

        reached = access(self.cluster, self.keys, role="client", insecure=self.insecure)
        only = [name.strip() for name in (self.machines or "").split(",") if name.strip()]
        from arena.cluster.cluster import Cluster

        with Cluster(reached, LOG.info, only).connected() as cluster:
            yield cluster


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What a run prints and writes."""

    pgn: Annotated[
        Path | None, _output("Write the games to a PGN file at the end, replacing it; - is stdout, alone.", "FILE")
    ] = None
    events: Annotated[Path | None, _output("Write events as JSON lines; - is stdout.", "FILE")] = None
    quiet: Annotated[bool, _output("Show no progress, only the tables.", flag="--quiet")] = False
    live: Live = True
    serve: Serve = False
    trace: Annotated[Path | None, _output("Write each engine's dialogue to files there.", "DIR")] = None
    as_json: Annotated[bool, _output("Print one JSON object and nothing else to stdout.", flag="--json")] = False
