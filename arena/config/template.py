"""The tournament file that `arena init` writes: it plays as it is and has every key as a comment."""

import json
from collections.abc import Collection, Iterator, Sequence
from importlib import resources
from typing import Any

from pydantic import BaseModel

from arena.config.engine_argument import engine_argument
from arena.config.load import Registry
from arena.config.schema import EachTable, EngineTable, TournamentTable
from arena.timing.time_control import DEFAULT_TC

_COLUMN = 34
"""The column in which the comments of keys begin."""
_HEAD = """\
# A tournament: arena tournament FILE plays it, and goes on with it. Every line after '# ' is a key with its default, or
# with an example if it has none; remove the '# ' to set it. `arena docs TOURNAMENT_FILE` explains every key.
[tournament]
"""
CONTESTS = ("tablut", "tafl-open")
"""The contests that have a file of their own."""


def contest_template(contest: str) -> str:
    """The text of the file of a contest as its organisers hold it, with engines that come with the arena."""
    return (resources.files("arena.config") / f"contest_{contest}.toml").read_text(encoding="utf-8")


def template(
    format: str = "round-robin", engines: Sequence[str] = ("random", "greedy"), registry: Registry | None = None
) -> str:
    """The text of the file of this format, with these engines as the command line names them. Raises ConfigError."""
    lines = [f'format = "{format}"']
    written = {"format"}
    if format == "pairings":  # without pairs it cannot be played
        names = [word if registry is None else engine_argument(word, registry).name for word in engines]
        lines += [f"pairings = {_text([[names[0], other] for other in names[1:]])}"]
        written = {"format", "pairings"}
    lines += _keys(TournamentTable, written, tc=f'"{DEFAULT_TC}"')
    lines += ["", "[each]                            # for each engine that says nothing else itself"]
    lines += _keys(EachTable)
    for number, word in enumerate(engines):
        lines += ["", "[[engines]]", *_engine(word, registry)]
        if number == len(engines) - 1:
            lines += _keys(EngineTable, {"name"})
    return _HEAD + "\n".join(lines) + "\n"


def _engine(word: str, registry: Registry | None) -> Iterator[str]:
    """The keys of an engine that is named as on the command line."""
    spec = None if registry is None else engine_argument(word, registry)
    known = None if spec is None or registry is None else registry.get(spec.name)
    yield f"name = {_text(word if spec is None else spec.name)}"
    if spec is not None and known is None:
        yield f"command = {_text(list(spec.command))}"
    own = {} if spec is None else spec.options
    changed = {name: value for name, value in own.items() if known is None or known.options.get(name) != value}
    if changed:
        yield "options = { " + ", ".join(f"{_text(name)} = {_text(value)}" for name, value in changed.items()) + " }"


def _keys(table: type[BaseModel], without: Collection[str] = (), **examples: str) -> Iterator[str]:
    """Each key of a table as a comment, with its default or an example, and its words."""
    for name, field in table.model_fields.items():
        about: dict[str, Any] = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        if name not in without and field.description:
            value = examples.get(name) or about.get("example") or _text(field.default)
            yield f"# {name} = {value}".ljust(_COLUMN - 2) + f"  # {field.description}"


def _text(value: object) -> str:
    """A value as TOML."""
    return json.dumps(value, ensure_ascii=False)
