"""The settings of games: each key of a tournament file that is also an option of commands stands here once.

A field has its type, its range, its default, its words for the help and for the template, and the panel of the help.
`arena.cli.option_groups` makes options of the fields. This module loads little: the help of a command needs it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, field_validator
from pydantic.config import JsonDict
from pydantic_core.core_schema import ValidationInfo

from arena.timing import time_control
from arena.timing.clock import FREE_READING_MOVE_MS, FREE_READING_MS, MARGIN_MS
from arena.timing.time_control import DEFAULT_TC, MOVE_LIMIT_MS, Limit
from protocol.deadlines import DEADLINES

if TYPE_CHECKING:
    from arena.openings.books import BookOrder, Order
    from arena.play.jobs import Terms

LONGEST_WAIT_MS = 3_600_000
"""An engine has at most an hour to start, to get ready or to end."""
LIMIT_KINDS = ("tc", "movetime", "nodes", "depth")
"""The keys of which a limit has one."""


def key(
    help: str,
    default: Any = None,
    *,
    shown: str | None = None,
    panel: str | None = None,
    flag: str | None = None,
    metavar: str | None = None,
    example: str | None = None,
    **range: Any,
) -> Any:
    """A field of a table of settings.

    `shown` is what the help says of the default if that is not the value; `example` is TOML for the template. Only
    files have a key without a panel: it is no option.
    """
    more = {"shown": shown, "panel": panel, "flag": flag, "metavar": metavar, "example": example}
    extra: JsonDict = {name: value for name, value in more.items() if value is not None}
    return Field(default, description=help, json_schema_extra=extra, **range)


def without_nul(text: str) -> str:
    """The text. Raises ValueError if no file name or argument can hold it."""
    if "\0" in text:
        raise ValueError("has a NUL character, which no file name or argument can hold")
    return text


def string_list(value: Any) -> Any:
    """One text stands for a list of it."""
    return [value] if isinstance(value, str) else value


def _seconds(value: Any) -> Any:
    """A number is a clock without increment: `tc = 5`."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _readable_limit(text: str) -> str:
    time_control.parse(text)
    return text


def _milliseconds(value: Any) -> Any:
    return time_control.milliseconds(value) if isinstance(value, str) else value


def _book(value: Any) -> str | dict[str, str]:
    files = value.values() if isinstance(value, dict) else [value]
    if not all(isinstance(each, str) for each in files):
        raise ValueError('is not a file: write book = "one.txt", or for several variants { scottish = "one.txt" }')
    if isinstance(value, dict):
        return {name: without_nul(each) for name, each in value.items()}
    return without_nul(value)


def _clocks(value: Any) -> str | dict[str, str]:
    if not isinstance(value, dict):
        return _clock(value)
    clocks = {}
    for name, each in value.items():
        try:
            clocks[name] = _clock(each)
        except ValueError as wrong:
            raise ValueError(f"for {name!r}: {wrong}") from None
    return clocks


def _clock(value: Any) -> str:
    text = _seconds(value)
    if not isinstance(text, str):
        raise ValueError('is not a clock: write tc = "5+0.1", or for several variants { scottish = "5+0.1" }')
    return _readable_limit(text)


Clock = Annotated[str, BeforeValidator(_seconds), AfterValidator(_readable_limit)]
Word = Annotated[str, AfterValidator(without_nul)]
Words = Annotated[list[Word], BeforeValidator(string_list)]
Milliseconds = Annotated[int, BeforeValidator(_milliseconds)]


class Strict(BaseModel):
    """Misspelt keys are errors, and so are values of another type: `true` is not a number."""

    # A match reads registries only. So the checks of each table are built when they are first used.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False, defer_build=True)


_TC = key(
    "Clock in seconds: base+increment or moves/base+increment, such as 300+3, 5:00+3 or 40/60+0.",
    shown=DEFAULT_TC,
    panel="Limits",
    metavar="TC",
    example='"10+0.1"',
)


class LimitKeys(Strict):
    """The limit of a side, by one of four keys."""

    tc: Clock | None = _TC
    movetime: Milliseconds | None = key(
        "Milliseconds for each move, instead of a clock.", panel="Limits", metavar="MS", example="100"
    )
    nodes: int | None = key("Nodes for each move, instead of a clock.", panel="Limits", example="1000")
    depth: int | None = key("Search depth of each move, instead of a clock.", panel="Limits", example="3")

    @field_validator("movetime", "nodes", "depth")
    @classmethod
    def _alone(cls, value: int | None, info: ValidationInfo) -> int | None:
        if value is not None:
            time_control.fixed(str(info.field_name), value)
            if any(info.data.get(kind) is not None for kind in LIMIT_KINDS):
                raise ValueError("give one of tc, movetime, nodes and depth, not several")
        return value

    @property
    def limit(self) -> Limit | None:
        """The limit that is given; None if none is."""
        return _limit(vars(self))


def _limit(keys: Mapping[str, Any]) -> Limit | None:
    for kind in LIMIT_KINDS:
        if (value := keys.get(kind)) is not None:
            return time_control.parse(value) if kind == "tc" else time_control.fixed(kind, value)
    return None


class StartKeys(Strict):
    """What games start from: variants, or a position of one."""

    variants: Words = key(
        "What is played: a name that `arena variants` lists, or your own TOML file; more than once for several.",
        ["callanish-9"],
        shown="callanish-9",
        panel="Game",
        flag="--variant",
        metavar="NAME",
        min_length=1,
    )
    rules: str = key("Changed rules, such as 'king_steps=2 king_armed=no'.", "", panel="Game", metavar="RULES")
    board: Word | None = key(
        "A drawn board to start from: a text or TOML file.", panel="Game", metavar="FILE", example='"board.txt"'
    )
    fen: str | None = key(
        "A position string to start from.", panel="Game", metavar="FEN", example='"9/9/9/9/9/9/9/9/9 p1"'
    )

    @field_validator("board", "fen")
    @classmethod
    def _of_one_variant(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and len(names := info.data.get("variants", ())) > 1:
            raise ValueError(f"goes with one variant, not with {len(names)}")
        return value

    @property
    def asked(self) -> tuple[str | None, ...]:
        """The variants that were given, as `start_of` takes them: None if none was."""
        return tuple(self.variants) if "variants" in self.model_fields_set else (None,)


class GameSettings(LimitKeys, StartKeys):
    """What decides the games of a run besides its engines and pairings, and how the games are played."""

    tc: Annotated[str | dict[str, str] | None, PlainValidator(_clocks)] = _TC  # type: ignore[assignment]  # it is frozen
    time_scale: float = key(
        "Multiply the clock, or the milliseconds of each move, by this.", 1, panel="Limits", gt=0, le=1_000
    )
    margin: Milliseconds = key(
        "Milliseconds by which a move may be late without losing.",
        MARGIN_MS,
        panel="Limits",
        metavar="MS",
        ge=0,
        le=600_000,
    )
    reading: Milliseconds = key(
        f"Milliseconds to read a position that are free, and {FREE_READING_MOVE_MS} for each of its moves.",
        FREE_READING_MS,
        panel="Limits",
        metavar="MS",
        ge=0,
        le=600_000,
    )
    move_limit: float = key(
        "Seconds for a move under a nodes or depth limit.",
        MOVE_LIMIT_MS / 1000,
        panel="Limits",
        metavar="S",
        ge=0.001,
        le=86_400,
    )
    freeze: bool = key("Freeze engines while their opponent thinks (needs control groups).", False, panel="Limits")
    max_plies: int = key(
        "Adjudicate a draw after this many plies; 0: never.", 0, panel="Adjudication", ge=0, le=1_000_000
    )
    resign: str | None = key(
        "Adjudicate a loss by scores, such as score=600,moves=3; with ,twosided=true both must agree.",
        panel="Adjudication",
        metavar="RULE",
        example='"score=600,moves=3,twosided=true"',
    )
    draw: str | None = key(
        "Adjudicate a draw by scores, such as score=10,moves=8; with ,after=40 beyond ply 40.",
        panel="Adjudication",
        metavar="RULE",
        example='"score=10,moves=8,after=40"',
    )
    fault_budget: int = key(
        "Withdraw an engine after this many faults in a row; 0: never.", 5, panel="Adjudication", ge=0, le=1_000_000
    )
    book: Annotated[str | dict[str, str] | None, PlainValidator(_book)] = key(
        "Openings, one a line: moves or position strings; or PGN; or default: the arena's own book.",
        shown="its own, else random plies",
        panel="Openings",
        metavar="FILE",
        example='"default"',
    )
    book_order: Literal["sequential", "random"] = key(
        "Take openings in the book's order, or one drawn from the seed.",
        "sequential",
        shown="sequential; random in the arena's own books",
        panel="Openings",
        metavar="ORDER",
    )
    book_start: int = key("Which opening comes first.", 1, panel="Openings", ge=1)
    book_plies: int = key("Moves to take of each opening; 0: all.", 0, panel="Openings", ge=0)
    openings: int = key(
        "Random plies before the engines take over; 0: none.",
        2,
        shown="the arena's own book, else 2",
        panel="Openings",
        ge=0,
        le=200,
    )
    seed: int | None = key(
        "Seed of openings and engines' chance.", shown="drawn, printed", panel="Openings", example="1", ge=0, lt=2**63
    )
    concurrency: int | None = key(
        "Games that are played at once, in parallel.",
        shown="CPU cores - 1, at least 1",
        panel="Machine",
        example="1",
        ge=1,
        le=1024,
    )

    @field_validator("resign", "draw")
    @classmethod
    def _readable(cls, rule: str | None, info: ValidationInfo) -> str | None:
        from arena.play import adjudication

        if rule is not None:
            (adjudication.parse_resign if info.field_name == "resign" else adjudication.parse_draw)(rule)
        return rule

    @field_validator("time_scale")
    @classmethod
    def _of_a_limit(cls, value: float, info: ValidationInfo) -> float:
        tc = info.data.get("tc")
        for each in tc.values() if isinstance(tc, dict) else [tc]:
            if (limit := _limit({**info.data, "tc": each})) is not None:
                time_control.scaled(limit, value)
        return value

    @field_validator("tc", "book")
    @classmethod
    def _of_these_variants(cls, value: str | dict[str, str] | None, info: ValidationInfo) -> Any:
        names, what = info.data.get("variants", ()), "file" if info.field_name == "book" else "time control"
        if isinstance(value, dict) and names:
            for name in names:
                if name not in value:
                    raise ValueError(f"has no {what} for {name!r}: name one for each variant")
            for name in value:
                if name not in names:
                    raise ValueError(f"has a {what} for {name!r}, which is not played: variants has {', '.join(names)}")
        return value

    @field_validator("book")
    @classmethod
    def _instead_of_a_position(cls, value: str | dict[str, str] | None, info: ValidationInfo) -> Any:
        for start in ("board", "fen"):
            if value is not None and info.data.get(start) is not None:
                raise ValueError(f"says where games start, and so does {start}: leave out one of the two")
        return value

    @field_validator("book_order", "book_start", "book_plies")
    @classmethod
    def _of_a_book(cls, value: Any, info: ValidationInfo) -> Any:
        if info.data.get("book") is None and value != cls.model_fields[str(info.field_name)].default:
            raise ValueError("says how a book is used: name one with book, or leave it out")
        return value

    @field_validator("openings")
    @classmethod
    def _without_a_book(cls, value: int, info: ValidationInfo) -> int:
        if info.data.get("book") is not None:
            raise ValueError("and book both say where games start: leave out one of the two")
        return value

    def limit_of(self, variant: str) -> Limit:
        """The time control of the games of this variant."""
        tc = self.tc[variant] if isinstance(self.tc, dict) else self.tc
        keys = {kind: getattr(self, kind) for kind in LIMIT_KINDS}
        return time_control.scaled(_limit({**keys, "tc": tc}) or time_control.parse(DEFAULT_TC), self.time_scale)

    @property
    def books(self) -> dict[str, str]:
        """The opening file of each variant; empty without a book."""
        if isinstance(self.book, str):
            return dict.fromkeys(self.variants, self.book)
        return self.book or {}

    def book_use(self, usual: "Order") -> "BookOrder":
        """How a book is used: in the `usual` order unless another one is given."""
        from arena.openings.books import BookOrder

        order = self.book_order if "book_order" in self.model_fields_set else usual
        return BookOrder(order, self.book_start, self.book_plies)

    @property
    def terms(self) -> "Terms":
        """What holds for every game."""
        from arena.play import adjudication
        from arena.play.jobs import Terms

        return Terms(
            self.limit_of(self.variants[0]),
            self.margin,
            round(self.move_limit * 1000),
            self.max_plies,
            self.freeze,
            adjudication=adjudication.parse(self.resign, self.draw),
            reading_ms=self.reading,
        )


def _wait(help: str, default_ms: int) -> Any:
    """The field of a deadline."""
    shown = f"as registered, else {default_ms}"
    return key(help, default_ms, shown=shown, panel="Engines", metavar="MS", ge=1, le=LONGEST_WAIT_MS)


class Waits(Strict):
    """The deadlines of an engine outside its searches, in ms."""

    start_ms: Milliseconds = _wait("Milliseconds to answer ugi.", DEADLINES.start_ms)
    ready_ms: Milliseconds = _wait("Milliseconds to answer isready.", DEADLINES.ready_ms)
    newgame_ms: Milliseconds = _wait("The same after uginewgame and setoption.", DEADLINES.newgame_ms)
    quit_ms: Milliseconds = _wait("Milliseconds to end after quit.", DEADLINES.quit_ms)


class SprtSettings(GameSettings):
    """The settings of a sequential test, whose pairs must differ."""

    openings: int = key(
        "Random plies of each pair, enough for all pairs to differ.",
        4,
        shown="the arena's own book if it has an opening for each pair, else 4",
        panel="Openings",
        ge=0,
        le=200,
    )


class PlaySettings(GameSettings):
    """The settings of a game that people play."""

    tc: Clock | None = key("A clock for both, such as 300+2, in seconds.", shown="none", panel="Limits", metavar="TC")
    movetime: Milliseconds | None = key(
        "Milliseconds for each of the engine's moves.", shown="1000", panel="Limits", metavar="MS"
    )
    nodes: int | None = key("Nodes for each of the engine's moves.", panel="Limits")
    depth: int | None = key("Depth of each of the engine's searches.", panel="Limits")
