"""The tables and keys of registry and tournament files, with their types, ranges and defaults.

What is also an option of commands stands in `arena.config.settings`.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    create_model,
    field_validator,
    model_validator,
)

from arena.config.command_words import PYTHON, absolute_words, with_libraries
from arena.config.settings import (
    GameSettings,
    LimitKeys,
    Milliseconds,
    SprtSettings,
    Strict,
    Waits,
    Word,
    Words,
    key,
    string_list,
)
from arena.formats.registry import FORMATS, KEYS, FormatConfig
from arena.play.jobs import EngineSpec
from arena.timing.time_control import LAG_MS, MAX_LAG_MS
from protocol.containment.policy import Caps
from protocol.deadlines import Deadlines


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has a line break or another control character: leave it out")
    return text


def _engine_name(text: str) -> str:
    if re.search(r"[\x00-\x1f\x7f-\x9f]", text):
        raise ValueError(f"{text!r} has a line break or another control character: leave it out")
    if strange := re.search("[:,=]", text):
        raise ValueError(f"{text!r} has a {strange[0]!r}, after which options follow on the command line: leave it out")
    if text[:1].isspace():
        raise ValueError(f"{text!r} begins with a blank: leave it out")
    return text


def _command_words(value: Any) -> Any:
    """The words of a command line that is written as one text, as a shell would split it."""
    if not isinstance(value, str):
        return value
    try:
        return shlex.split(value)
    except ValueError:
        raise ValueError(f"{value!r} cannot be split into words: check its quotes, or write a list of words") from None


def _option(value: Any) -> str | int | bool:
    if not isinstance(value, str | int | bool):
        raise ValueError(
            "is neither text in quotes, a whole number, true nor false: write one of these, such as Hash = 16"
        )
    return value


Printable = Annotated[str, AfterValidator(_printable)]
Option = Annotated[str | int | bool, PlainValidator(_option)]


LONGEST_NAME = 80
"""Characters of the name of an engine."""
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


class LimitsTable(Waits):
    """`limits` of an engine: its deadlines outside searches, in ms, and its caps; 0 is no cap."""

    preset: Literal["contest"] | None = key(
        '"contest": for keys that are not given, what engines need that are made for a machine of their own: '
        + ", ".join(f"{name} = {value}" for name, value in PRESETS["contest"].items())
    )
    memory_mb: int = key("Memory in MB; 0: no cap.", _CAPS.memory_mb or 0, ge=0, le=10_000_000)
    threads: int = key("Threads of all its processes; 0: no cap.", _CAPS.threads or 0, ge=0, le=100_000)
    disk_mb: int = key(
        "The size in MB of each file that it writes and, in `strict`, of its scratch folder; 0: no cap.",
        _CAPS.disk_mb or 0,
        ge=0,
        le=10_000_000,
    )

    @model_validator(mode="before")
    @classmethod
    def _preset(cls, given: Any) -> Any:
        """The values of the preset, where the file has no other ones."""
        preset = given.get("preset") if isinstance(given, dict) else None
        return {**PRESETS[preset], **given} if isinstance(preset, str) and preset in PRESETS else given

    def applied_to(self, deadlines: Deadlines, caps: Caps) -> tuple[Deadlines, Caps]:
        """Deadlines and caps, with those that stand in the file replaced."""
        values = self.model_dump(exclude_unset=True, exclude={"preset"})
        waits = {key: value for key, value in values.items() if key.endswith("_ms")}
        most: dict[str, Any] = {key: value or None for key, value in values.items() if key not in waits}
        return replace(deadlines, **waits), replace(caps, **most)


class EachTable(LimitKeys):
    """The `[each]` table of a tournament file: defaults for all its engines."""

    margin: Milliseconds | None = key("ms by which its moves may be late", example="100", ge=0, le=600_000)
    options: dict[str, Option] = key("sent with setoption after the handshake", {}, example="{ Hash = 16 }")
    restart: bool = key("a fresh process for each game", False)
    environment: dict[str, Word] = key("added to its environment", {}, example='{ THREADS = "1" }')
    reads: Words = key("files and folders that it may read beside its own", [], example='["books"]')
    limits: LimitsTable = key(
        "deadlines in ms, and caps; 0: no cap",
        LimitsTable.model_construct(),
        shown="see below",
        example="{ "
        + ", ".join(f"{name} = {field.default}" for name, field in LimitsTable.model_fields.items() if field.default)
        + " }",
    )

    @field_validator("options")
    @classmethod
    def _fit_in_a_line(cls, options: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
        for name, value in options.items():
            if isinstance(value, int) and value.bit_length() > 63:
                raise ValueError(f"option {name!r} has a number of {value.bit_length()} bits: write a smaller one")
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
                raise ValueError(f"{name!r} is not the name of a variable: write a word of letters, digits and _")
        return environment

    def applied_to(self, spec: EngineSpec, folder: Path) -> EngineSpec:
        """An engine with the keys that are set here. Relative paths start from the `folder` of the file."""
        own = spec.sandbox
        deadlines, caps = self.limits.applied_to(spec.deadlines, own.caps)
        reads = (*own.reads, *(str(folder.absolute() / name) for name in self.reads))
        return replace(
            spec,
            options=merged_options(spec.options, {name: option_text(value) for name, value in self.options.items()}),
            sandbox=replace(own, caps=caps, reads=reads, environment={**own.environment, **self.environment}),
            deadlines=deadlines,
            margin_ms=spec.margin_ms if self.margin is None else self.margin,
            restart=self.restart if "restart" in self.model_fields_set else spec.restart,
        )


class EngineTable(EachTable):
    """One `[[engines]]` entry of the registry, and of a tournament file where it has a command of its own."""

    name: Annotated[str, AfterValidator(_engine_name)] = key(
        f"at most {LONGEST_NAME} characters", ..., min_length=1, max_length=LONGEST_NAME
    )
    command: Annotated[list[Word] | None, BeforeValidator(_command_words)] = key(
        "program and arguments, if it is not registered",
        shown="that of the registered engine",
        example='["./engine", "--fast"]',
        min_length=1,
    )
    variants: Words = key("what it plays", [], example='["*"]')
    files: Words = key("what its fingerprint covers beside the executable", [], example='["net.bin"]')
    directory: Word | None = key("working directory", example='"data"')
    grants: Annotated[list[Literal["loopback"]], BeforeValidator(string_list)] = key(
        'TCP among its own processes; needs contain = "strict"', [], example='["loopback"]'
    )
    family: Printable = key("the name that versions of one engine share", "", example='"greedy"', max_length=80)

    def spec(self, folder: Path, each: EachTable | None = None, base: EngineSpec | None = None) -> EngineSpec:
        """The engine of this entry, or a registered engine `base` with the keys that `each`, then this entry, sets.

        Relative paths start from the `folder` of the file. In its command `{python}` is our interpreter,
        `{compiled:stornoway}` the library of that engine.
        """
        if base is None:
            assert self.command is not None
            program, *rest = (
                os.path.expanduser(with_libraries(word.replace(PYTHON, sys.executable))) for word in self.command
            )
            # A bare name is searched on our PATH, as on the command line: a contained engine may have another one.
            program = str(folder.absolute() / program) if "/" in program else shutil.which(program) or program
            base = EngineSpec(self.name, absolute_words((program, *rest), folder))
        spec = self.applied_to(base if each is None else each.applied_to(base, folder), folder)
        own, given = spec.sandbox, self.model_fields_set
        return replace(
            spec,
            variants=spec.variants if "variants" not in given else () if "*" in self.variants else tuple(self.variants),
            sandbox=replace(
                own,
                directory=own.directory if self.directory is None else str(folder.absolute() / self.directory),
                loopback="loopback" in self.grants if "grants" in given else own.loopback,
            ),
            files=(*spec.files, *(str(folder.absolute() / name) for name in self.files)),
            family=self.family or spec.family,
        )


class RegistryFile(Strict):
    """A whole registry file."""

    engines: list[EngineTable] = Field([])


if TYPE_CHECKING:

    class FormatKeys(GameSettings):
        """The settings of games, the format, and the keys of all formats, as the formats declare them."""

        format: str
else:
    FormatKeys = create_model(
        "FormatKeys",
        __base__=GameSettings,
        format=(Literal[*FORMATS], key("Who meets whom.", "round-robin", panel="Format", metavar="NAME")),
        **{
            each.name: (
                each.type,
                key(each.help, each.default, panel="Format", example=each.example or None, ge=each.least, le=each.most),
            )
            for each in KEYS.values()
        },
    )


class TournamentTable(FormatKeys):
    """The `[tournament]` table."""

    name: Printable = key(
        "The run's name, in tables and PGN.", "tournament", panel="Format", metavar="NAME", min_length=1, max_length=80
    )
    lag: int = key(
        "Milliseconds of each move that are free in a game with a guest of `arena host`, for both sides.",
        LAG_MS,
        metavar="MS",
        ge=0,
        le=MAX_LAG_MS,
    )

    @property
    def format_config(self) -> FormatConfig:
        return FormatConfig(self.format, **{name: getattr(self, name) for name in KEYS})


class SprtTable(SprtSettings, TournamentTable):
    """The settings of a sequential test."""


class TournamentFile(Strict):
    """A whole tournament file."""

    tournament: TournamentTable = TournamentTable.model_construct()
    each: EachTable = EachTable.model_construct()
    engines: list[EngineTable] = Field(min_length=2)


class HostFile(TournamentFile):
    """The file of a ladder that guests join. It may name no engine."""

    engines: list[EngineTable] = Field([])


Value = TypeVar("Value")


def merged_options(*sources: Mapping[str, Value]) -> dict[str, Value]:
    """The options of several sources. Later values replace earlier ones; the case of names does not matter."""
    options: dict[str, tuple[str, Value]] = {}
    for source in sources:
        options.update({name.lower(): (name, value) for name, value in source.items()})
    return dict(options.values())


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
