"""The tables and keys of registry and tournament files. Each value is checked by itself.

Owns types, ranges and defaults. Reads no files and is independent of which engines and variants there are.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    create_model,
    field_validator,
    model_validator,
)

from arena.config.command_words import PYTHON, absolute_words
from arena.config.compiled import with_libraries
from arena.formats.registry import FORMATS, KEYS, FormatConfig
from arena.openings.book import Order
from arena.openings.book_reader import BookOrder
from arena.openings.shipped import USUAL_ORDER
from arena.play import adjudication
from arena.play.jobs import EngineSpec, Terms
from arena.timing import time_control
from arena.timing.clock import MARGIN_MS
from arena.timing.free_reading import FREE_READING_MS
from arena.timing.time_control import LAG_MS, MAX_LAG_MS, MOVE_LIMIT_MS, Limit
from protocol.containment.policy import Caps, SandboxPolicy
from protocol.deadlines import DEADLINES, Deadlines


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has a line break or another control character: leave it out")
    return text


def _engine_name(text: str) -> str:
    if re.search(r"[\x00-\x1f\x7f-\x9f]", text):
        raise ValueError(f"{text!r} has a line break or another control character: leave it out")
    if strange := re.search("[:,=]", text):
        raise ValueError(f"{text!r} has a {strange[0]!r}, after which options stand on the command line: leave it out")
    if text[:1].isspace():
        raise ValueError(f"{text!r} begins with a blank: leave it out")
    return text


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("has a NUL character, which no file name or argument can hold")
    return text


def _command_words(value: Any) -> Any:
    """The words of a command line that is written as one text, as a shell would split it."""
    if not isinstance(value, str):
        return value
    try:
        return shlex.split(value)
    except ValueError:
        raise ValueError(f"{value!r} cannot be split into words: check its quotes, or write a list of words") from None


def _list(value: Any) -> Any:
    """One text stands for a list of it."""
    return [value] if isinstance(value, str) else value


def _seconds(value: Any) -> Any:
    """A number is a clock without increment: `tc = 5`."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _option(value: Any) -> str | int | bool:
    if not isinstance(value, str | int | bool):
        raise ValueError("is neither text in quotes, a whole number, true nor false: write one of these, as Hash = 16")
    return value


def _book(value: Any) -> str | dict[str, str]:
    files = value.values() if isinstance(value, dict) else [value]
    if not all(isinstance(each, str) for each in files):
        raise ValueError('is no file: write book = "one.txt", or for several variants { scottish = "one.txt" }')
    if isinstance(value, dict):
        return {name: _without_nul(each) for name, each in value.items()}
    return _without_nul(value)


def _resign(text: str) -> str:
    adjudication.parse_resign(text)
    return text


def _draw(text: str) -> str:
    adjudication.parse_draw(text)
    return text


Printable = Annotated[str, AfterValidator(_printable)]
Word = Annotated[str, AfterValidator(_without_nul)]
Words = Annotated[list[Word], BeforeValidator(_list)]
Option = Annotated[str | int | bool, PlainValidator(_option)]


class Strict(BaseModel):
    """Misspelt keys are errors, and so are values of another type: `true` is not a number."""

    # A match reads registries only. So the checks of each table are built when they are first used.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


LONGEST_NAME = 80
"""Characters of the name of an engine."""
LONGEST_WAIT_MS = 3_600_000
"""An engine has at most an hour to start, to get ready or to end."""


_CAPS = Caps()


PRESETS: Mapping[str, Mapping[str, int]] = {
    "contest": {
        "memory_mb": 8_192,
        "threads": 1_024,
        "start_ms": 60_000,
        "ready_ms": 60_000,
        "newgame_ms": 120_000,
        "quit_ms": 5_000,
    }
}
"""Limits by a name: `contest` is a machine that engines have for themselves, and starts of virtual machines."""


class LimitsTable(Strict):
    """`limits` of an engine: its deadlines outside searches, in ms, and its caps; 0 is no cap."""

    preset: Literal["contest"] | None = None
    start_ms: int = Field(DEADLINES.start_ms, ge=1, le=LONGEST_WAIT_MS)
    ready_ms: int = Field(DEADLINES.ready_ms, ge=1, le=LONGEST_WAIT_MS)
    newgame_ms: int = Field(DEADLINES.newgame_ms, ge=1, le=LONGEST_WAIT_MS)
    quit_ms: int = Field(DEADLINES.quit_ms, ge=1, le=LONGEST_WAIT_MS)
    memory_mb: int = Field(_CAPS.memory_mb or 0, ge=0, le=10_000_000)
    threads: int = Field(_CAPS.threads or 0, ge=0, le=100_000)
    disk_mb: int = Field(_CAPS.disk_mb or 0, ge=0, le=10_000_000)

    @model_validator(mode="before")
    @classmethod
    def _preset(cls, given: Any) -> Any:
        """The values of the preset, where the file has no other ones."""
        preset = given.get("preset") if isinstance(given, dict) else None
        return {**PRESETS[preset], **given} if isinstance(preset, str) and preset in PRESETS else given

    @property
    def deadlines(self) -> Deadlines:
        return Deadlines(self.start_ms, self.ready_ms, self.newgame_ms, self.quit_ms)

    @property
    def caps(self) -> Caps:
        return Caps(self.memory_mb or None, self.threads or None, self.disk_mb or None)

    def applied_to(self, deadlines: Deadlines, caps: Caps) -> tuple[Deadlines, Caps]:
        """Deadlines and caps, with those that stand in the file replaced."""
        values = {key: value for key, value in _keys_in_file(self).items() if key != "preset"}
        waits = {key: value for key, value in values.items() if key.endswith("_ms")}
        most: dict[str, Any] = {key: value or None for key, value in values.items() if key not in waits}
        return replace(deadlines, **waits), replace(caps, **most)


LIMIT_KINDS = ("tc", "movetime", "nodes", "depth")
"""The keys of which a limit has one."""


class LimitKeys(Strict):
    """The limit of a side, by one of four keys."""

    tc: Annotated[str | None, BeforeValidator(_seconds)] = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def limit(self) -> Limit | None:
        """The limit that is given; None where none is. Raises BadLimit for a wrong one and for several."""
        fixed = {"movetime": self.movetime, "nodes": self.nodes, "depth": self.depth}
        given = {kind: value for kind, value in fixed.items() if value is not None}
        if len(given) + (self.tc is not None) > 1:
            raise time_control.BadLimit("give one of tc, movetime, nodes and depth, not several")
        if self.tc is not None:
            return time_control.parse(self.tc)
        return next((time_control.fixed(kind, value) for kind, value in given.items()), None)


class EachTable(LimitKeys):
    """The `[each]` table of a tournament file: defaults for all its engines."""

    options: dict[str, Option] = {}
    margin: int | None = Field(None, ge=0, le=600_000)
    restart: bool = False
    environment: dict[str, Word] = {}
    reads: Words = []
    limits: LimitsTable = LimitsTable.model_construct()

    @field_validator("options")
    @classmethod
    def _fit_in_a_line(cls, options: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
        for name, value in options.items():
            if error := option_error(name, option_text(value)):
                raise ValueError(error)
        if error := twice_error(options):
            raise ValueError(error)
        return options

    @field_validator("environment")
    @classmethod
    def _can_be_set(cls, environment: dict[str, str]) -> dict[str, str]:
        for name in environment:
            if not name or "=" in name or "\0" in name:
                raise ValueError(f"{name!r} is not the name of a variable")
        return environment


class EngineTable(EachTable):
    """One `[[engines]]` entry of the registry, and of a tournament file where it has a command of its own."""

    name: Annotated[str, AfterValidator(_engine_name)] = Field(min_length=1, max_length=LONGEST_NAME)
    command: Annotated[list[Word] | None, BeforeValidator(_command_words)] = Field(None, min_length=1)
    variants: Words = []
    files: Words = []
    directory: Word | None = None
    grants: Annotated[list[Literal["loopback"]], BeforeValidator(_list)] = []
    family: Printable = Field("", max_length=80)

    def with_defaults(self, each: EachTable) -> "EngineTable":
        """The entry with the defaults of `[each]`; tables are merged key by key, limits of moves are left out."""
        merged = {
            "options": merged_options(each.options, self.options),
            "environment": {**each.environment, **self.environment},
            "reads": [*each.reads, *self.reads],
            "limits": self.limits.model_copy(update={**_keys_in_file(each.limits), **_keys_in_file(self.limits)}),
            "margin": each.margin if self.margin is None else self.margin,
            "restart": self.restart if "restart" in self.model_fields_set else each.restart,
        }
        return self.model_copy(update={key: value for key, value in merged.items() if key in each.model_fields_set})

    def spec(self, base: Path) -> EngineSpec:
        """The engine of this entry. Relative paths start from the folder `base` of the file."""
        assert self.command is not None
        return EngineSpec(
            name=self.name,
            command=_command(self.command, base),
            options={name: option_text(value) for name, value in self.options.items()},
            variants=() if "*" in self.variants else tuple(self.variants),
            sandbox=SandboxPolicy(
                caps=self.limits.caps,
                reads=tuple(str(base.absolute() / name) for name in self.reads),
                environment=dict(self.environment),
                directory=None if self.directory is None else str(base.absolute() / self.directory),
                loopback="loopback" in self.grants,
            ),
            files=tuple(str(base.absolute() / name) for name in self.files),
            deadlines=self.limits.deadlines,
            margin_ms=self.margin,
            restart=self.restart,
            family=self.family,
        )

    def applied_to(self, base: EngineSpec, folder: Path) -> EngineSpec:
        """A registered engine with the keys that this entry of a tournament file in `folder` sets."""
        own = self.model_copy(update={"command": list(base.command)}).spec(folder)
        given = self.model_fields_set
        deadlines, caps = self.limits.applied_to(base.deadlines, base.sandbox.caps)
        return replace(
            base,
            options=merged_options(base.options, own.options),
            variants=own.variants if "variants" in given else base.variants,
            sandbox=replace(
                base.sandbox,
                caps=caps,
                reads=base.sandbox.reads + own.sandbox.reads,
                environment={**base.sandbox.environment, **own.sandbox.environment},
                directory=own.sandbox.directory if "directory" in given else base.sandbox.directory,
                loopback=own.sandbox.loopback if "grants" in given else base.sandbox.loopback,
            ),
            files=base.files + own.files,
            deadlines=deadlines,
            margin_ms=own.margin_ms,
            restart=own.restart if "restart" in given else base.restart,
            family=own.family or base.family,
        )


class RegistryFile(Strict):
    """A whole registry file."""

    engines: list[EngineTable] = []


if TYPE_CHECKING:

    class FormatKeys(LimitKeys):
        """The format and the keys of all formats, as the formats declare them."""

        format: str
else:
    FormatKeys = create_model(
        "FormatKeys",
        __base__=LimitKeys,
        format=(Literal[*FORMATS], "round-robin"),
        **{key.name: (key.type, Field(key.default, ge=key.least, le=key.most)) for key in KEYS.values()},
    )


class TournamentTable(FormatKeys):
    """The `[tournament]` table."""

    name: Printable = Field("tournament", min_length=1, max_length=80)
    variants: Words = Field(["callanish-9"], min_length=1)
    rules: str = ""
    board: Word | None = None
    fen: str | None = None
    time_scale: float = Field(1, gt=0, le=1_000)
    margin: int = Field(MARGIN_MS, ge=0, le=600_000)
    reading: int = Field(FREE_READING_MS, ge=0, le=600_000)
    lag: int = Field(LAG_MS, ge=0, le=MAX_LAG_MS)
    move_limit: float = Field(MOVE_LIMIT_MS / 1000, ge=0.001, le=86_400)
    max_plies: int = Field(0, ge=0, le=1_000_000)
    resign: Annotated[str, AfterValidator(_resign)] | None = None
    draw: Annotated[str, AfterValidator(_draw)] | None = None
    freeze: bool = False
    openings: int = Field(2, ge=0, le=200)
    book: Annotated[str | dict[str, str] | None, PlainValidator(_book)] = None
    book_order: Order = "sequential"
    book_start: int = Field(1, ge=1)
    book_plies: int = Field(0, ge=0)
    seed: int | None = Field(None, ge=0, lt=2**63)
    concurrency: int | None = Field(None, ge=1, le=1024)
    fault_budget: int = Field(5, ge=0, le=1_000_000)

    @property
    def asked(self) -> tuple[str | None, ...]:
        """The variants in the file, as `start_of` takes them: None where the file has none."""
        return tuple(self.variants) if "variants" in self.model_fields_set else (None,)

    @property
    def books(self) -> dict[str, str]:
        """The opening file of each variant; empty without a book."""
        if isinstance(self.book, str):
            return dict.fromkeys(self.variants, self.book)
        return self.book or {}

    @property
    def book_use(self) -> BookOrder:
        return BookOrder(self.book_order, self.book_start, self.book_plies)

    @property
    def shipped_book_use(self) -> BookOrder:
        """How a book that comes with the arena is used: in a random order unless the file says another one."""
        order = self.book_order if "book_order" in self.model_fields_set else USUAL_ORDER.order
        return BookOrder(order, self.book_start, self.book_plies)

    @property
    def terms(self) -> Terms:
        """What holds for every game. Raises BadLimit."""
        return Terms(
            time_control.scaled(self.limit or time_control.parse(time_control.DEFAULT_TC), self.time_scale),
            self.margin,
            round(self.move_limit * 1000),
            self.max_plies,
            self.freeze,
            adjudication=adjudication.parse(self.resign, self.draw),
            reading_ms=self.reading,
        )

    @property
    def format_config(self) -> FormatConfig:
        return FormatConfig(self.format, **{name: getattr(self, name) for name in KEYS})


class TournamentFile(Strict):
    """A whole tournament file."""

    tournament: TournamentTable = TournamentTable.model_construct()
    each: EachTable = EachTable.model_construct()
    engines: list[EngineTable] = Field(min_length=2)


class HostFile(TournamentFile):
    """The file of a ladder that guests join. It may name no engine."""

    engines: list[EngineTable] = []


Value = TypeVar("Value")


def merged_options(*sources: Mapping[str, Value]) -> dict[str, Value]:
    """The options of several sources. Later values replace earlier ones; the case of names does not matter."""
    options: dict[str, tuple[str, Value]] = {}
    for source in sources:
        options.update({name.lower(): (name, value) for name, value in source.items()})
    return dict(options.values())


def _keys_in_file(table: BaseModel) -> dict[str, Any]:
    return {key: getattr(table, key) for key in table.model_fields_set}


def option_text(value: str | int | bool) -> str:
    """An option's value as the protocol writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_error(option: str, value: str) -> str | None:
    """Why an option cannot be sent in one line of the protocol; None where it can."""
    if (option + value).isprintable():
        return None
    return f"option {option!r} has a line break or another control character in its name or value: leave it out"


def twice_error(names: Iterable[str]) -> str | None:
    """Why these options cannot be given together; None if each is given once. The case of names does not matter."""
    seen = set[str]()
    for name in names:
        if name.lower() in seen:
            return f"option {name!r} is given twice: leave out one of the two"
        seen.add(name.lower())
    return None


def _command(command: Sequence[str], base: Path) -> tuple[str, ...]:
    """The argv of a registered command: `{python}` is our interpreter, `{compiled:stornoway}` the library of that
    engine, relative paths start from `base`."""
    program, *rest = (os.path.expanduser(with_libraries(word.replace(PYTHON, sys.executable))) for word in command)
    # A name without a path is searched on our PATH, as on the command line: a contained engine may have another one.
    program = str(base.absolute() / program) if "/" in program else shutil.which(program) or program
    return absolute_words((program, *rest), base)
